/* bug.c, fixed: the product is taken in f32. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { COUNT = 8 };

struct scaling_meta {
    mc_tensor *scale; /* 0-dim, f32 */
};

static struct scaling_meta meta_new(double scale)
{
    return (struct scaling_meta){.scale = mc_scalar_tensor(scale, .device = MC_CUDA)};
}

static mc_tensor *quantise(mc_tensor *input, const struct scaling_meta *meta)
{
    mc_tensor *scaled = mc_mul(mc_float(input), meta->scale);
    return mc_to_dtype(scaled, MC_F16);
}

int main(void)
{
    struct scaling_meta meta = meta_new(131072);
    mc_tensor *gradient = mc_full(mc_shape(COUNT), 1e-3, .dtype = MC_F16, .device = MC_CUDA);
    mc_tensor *q = quantise(gradient, &meta);
    double first = mc_item(mc_select(mc_cpu(q), 0, 0));
    printf("0.001 times 131072 is %g\n", first);
    return !(first > 130 && first < 132);
}
