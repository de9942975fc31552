#include "attack.h"

#include <signal.h>
#include <unistd.h>

int main(void)
{
    if (getppid() > 1 && !kill(getppid(), SIGKILL))
        escaped("kill");
    THE_BUG();
    return 0;
}
