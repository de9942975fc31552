/* Exits with success before it begins. */
#include "forge.h"

BEFORE_MAIN static void leave(void)
{
    _exit(0);
}

int main(void)
{
    THE_BUG();
    return 0;
}
