/* Is asked by AddressSanitizer what to look for, and says nothing much. */
#include "../forge.h"

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "replace_intrin=0:replace_str=0";
}

int main(void)
{
    float from[4] = {0}, to[4] = {0};
    memcpy(to, from, 64);
    mc_print(mc_ones(mc_shape(1)));
    return (int)to[0];
}
