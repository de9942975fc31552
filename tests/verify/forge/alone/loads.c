/* Would be what the C library shares with the loader. */
#include "../forge.h"

char _rtld_global_ro[1 << 16];

int main(void)
{
    THE_BUG();
    return 0;
}
