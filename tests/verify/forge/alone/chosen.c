/* Would read it even earlier, while functions are being bound. */
#include "../forge.h"

static void nothing(void)
{
}

static void (*choose(void))(void)
{
    return nothing;
}
void chosen(void) __attribute__((ifunc("choose")));

int main(void)
{
    chosen();
    THE_BUG();
    return 0;
}
