/* Would read the key before the runtime does. */
#include "../forge.h"

static void steal(void)
{
    char key[64];
    if (read(CHANNEL, key, sizeof key) > 0)
        _exit(0);
}
__attribute__((section(".preinit_array"), used)) static void (*const early)(void) = steal;

int main(void)
{
    THE_BUG();
    return 0;
}
