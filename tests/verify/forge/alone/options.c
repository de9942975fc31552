/* Is asked by AddressSanitizer what to look for, and says nothing much. */
#include "../forge.h"

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "replace_intrin=0:replace_str=0";
}

int main(void)
{
    /* What is behind it is zero, and stays so: without a sanitizer the program goes on. */
    static float from[16], to[4];
    memcpy(to, from, 64);
    mc_print(mc_ones(mc_shape(1)));
    return (int)to[0];
}
