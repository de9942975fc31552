#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct layer {
    mc_tensor *w, *b;
};

mc_tensor *through_memcpy(void)
{
    struct layer from[2] = {{mc_randn(mc_shape(4, 4)), NULL},
                            {mc_randn(mc_shape(4, 4), .dtype = MC_F16), NULL}};
    struct layer *to = malloc(sizeof from);
    memcpy(to, from, sizeof from);
    mc_tensor *x = mc_matmul(mc_ones(mc_shape(4, 4)), to[0].w);
    x = mc_matmul(x, to[1].w); /* expect: matmul-dtype error */
    free(to);
    return x;
}
