/* A bf16 file on the GPU. */
#include <stdio.h>

#include "backend.h"

static mc_tensor *feed_forward(const struct weights *w, mc_tensor *x)
{
    mc_tensor *h = mc_silu(gpu_mul_mat(w->up, x));
    return gpu_mul_mat(w->down, h);
}

int main(void)
{
    struct weights w;
    weights_load(&w, MC_BF16);
    mc_tensor *y = feed_forward(&w, mc_randn(mc_shape(2, 8), .device = MC_CUDA));
    printf("the layer gives %s\n", mc_dtype_name(mc_dtype_of(y)));
    return 0;
}
