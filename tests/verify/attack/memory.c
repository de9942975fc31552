#include "attack.h"

#include <string.h>

int main(int argc, char **argv)
{
    enum { PIECE = 64 << 20 };
    while (argc && argv) {
        char *p = malloc(PIECE);
        if (p)
            memset(p, 1, PIECE);
    }
    THE_BUG();
    return 0;
}
