#include <miscast/tensor.h>

struct layer {
    mc_tensor *weight, *bias;
};

static mc_tensor *matrix(int64_t rows, int64_t columns, double size)
{
    return mc_keep(mc_mul(mc_randn(mc_shape(rows, columns), .dtype = MC_F64), size)); /* expect: made-then-narrowed note */
}

static void replace(mc_tensor **place, mc_dtype dtype)
{
    mc_tensor *before = *place;
    *place = mc_keep(mc_to(before, .dtype = dtype));
    mc_free(before);
}

void layer_new(struct layer *l, bool half)
{
    l->weight = matrix(8, 8, 0.5);
    l->bias = mc_keep(mc_zeros(mc_shape(8)));
    replace(&l->weight, half ? MC_F16 : MC_F32);
    replace(&l->bias, half ? MC_F16 : MC_F32);
}

mc_tensor *drawn(void)
{
    mc_tensor *noise = mc_empty(mc_shape(4), .dtype = MC_F64); /* expect: made-then-narrowed note */
    mc_uniform_(noise, -1, 1);
    return mc_half(mc_reshape(noise, 2, 2));
}
