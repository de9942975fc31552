/* A bf16 decoder; the rotary tables are f32. */
#include <miscast/tensor.h>
#include <stdio.h>

struct layer {
    mc_tensor *w;
    mc_tensor *scale;
};

static mc_tensor *block(const struct layer *l, mc_tensor *x)
{
    mc_tensor *h = mc_matmul(mc_to_dtype(x, MC_BF16), l->w);
    return mc_mul(h, mc_type_as(l->scale, h));
}

int main(void)
{
    mc_manual_seed(1);
    struct layer l = {mc_randn(mc_shape(8, 8), .dtype = MC_BF16), mc_ones(mc_shape(8))};
    mc_tensor *x = mc_randn(mc_shape(4, 8), .dtype = MC_BF16);
    for (int i = 0; i < 3; i++)
        x = block(&l, x);
    printf("%s\n", mc_dtype_name(mc_dtype_of(x)));
    return 0;
}
