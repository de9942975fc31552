#include "attack.h"

#include <unistd.h>

int main(void)
{
    for (int i = 0; i < 64; i++)
        if (fork() >= 0)
            escaped("fork");
    THE_BUG();
    return 0;
}
