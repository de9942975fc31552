/* Puts the keys of three tokens into the cache. */
#include <stdio.h>

#include "chat.h"

int main(void)
{
    struct layer l;
    mc_manual_seed(32);
    l.key = quantise(mc_randn(mc_shape(WIDTH, WIDTH)));
    cache_setup(&l, MC_F32); /* what quantised layers give */
    mc_tensor *x = mc_randn(mc_shape(3, WIDTH), .dtype = MC_BF16);
    mc_tensor *position = mc_arange(3);
    cache_update(&l, position, quantised_linear(x, &l.key));
    printf("cache in %s\n", mc_dtype_name(mc_dtype_of(l.key_cache)));
    return 0;
}
