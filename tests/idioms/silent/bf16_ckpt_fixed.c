/* A checkpoint in bf16, served in f16. */
#include <miscast/tensor.h>
#include <stdio.h>

struct layer {
    mc_tensor *w;
    mc_tensor *out_scale;
};

static struct layer load(void)
{
    struct layer l = {mc_randn(mc_shape(8, 8), .dtype = MC_BF16), NULL};
    l.out_scale = mc_full(mc_shape(8), 1.5e5, .dtype = MC_BF16);
    return l;
}

static void serve_in(struct layer *l, mc_dtype dtype)
{
    l->w = mc_to_dtype(l->w, dtype);
    l->out_scale = mc_to_dtype(l->out_scale, dtype);
}

int main(void)
{
    mc_manual_seed(1);
    struct layer l = load();
    serve_in(&l, MC_F32);
    mc_tensor *x = mc_randn(mc_shape(4, 8), .dtype = mc_dtype_of(l.w));
    mc_tensor *y = mc_mul(mc_matmul(x, l.w), l.out_scale);
    printf("%g\n", mc_item(mc_mean(mc_float(y))));
    return 0;
}
