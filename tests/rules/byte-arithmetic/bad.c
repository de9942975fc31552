#include <miscast/tensor.h>

mc_tensor *blend(void)
{
    mc_tensor *a = mc_full(mc_shape(4), 200, .dtype = MC_U8), *b = mc_full(mc_shape(4), 100, .dtype = MC_U8);
    mc_tensor *sum = mc_add(a, b); /* expect: byte-arithmetic warning */
    mc_tensor *difference = mc_sub(b, a); /* expect: byte-arithmetic warning */
    mc_mul_(a, 2); /* expect: byte-arithmetic warning */
    return mc_stack(0, sum, difference, a);
}

void counted(mc_tensor *x)
{
    mc_tensor *mask = mc_byte(mc_gt(mc_randn(mc_shape(5000)), 0));
    mc_print(mc_sum(mask, .dtype = MC_U8)); /* expect: byte-arithmetic warning */
    mc_print(x);
}

/* Products of bytes: of the channels of one image, and squares. */
mc_tensor *features(mc_tensor *image)
{
    mc_tensor *rgb = mc_byte(image), *noise = mc_randint(0, 256, mc_shape(8), .dtype = MC_U8);
    mc_tensor *r = mc_select(rgb, 0, 0), *g = mc_select(rgb, 0, 1);
    mc_tensor *rg = mc_mul(r, g); /* expect: byte-arithmetic warning */
    mc_tensor *grain = mc_mul(noise, noise); /* expect: byte-arithmetic warning */
    return mc_stack(0, mc_square(r), rg, grain); /* expect: byte-arithmetic warning */
}

/* Bools that are counted. */
mc_tensor *votes(mc_tensor *scores)
{
    mc_tensor *count = mc_zeros(mc_shape(8), .dtype = MC_BOOL);
    for (int i = 0; i < 5; i++)
        count = mc_add(count, mc_gt(scores, 0.1 * i)); /* expect: byte-arithmetic warning */
    mc_tensor *two = mc_add(mc_gt(scores, 0), mc_lt(scores, 1)); /* expect: byte-arithmetic warning */
    return mc_logical_and(count, mc_ge(two, 2));
}

/* How often each grey value occurs. */
mc_tensor *histogram(mc_tensor *image)
{
    mc_tensor *at = mc_long(mc_reshape(image, 16384)), *h = mc_zeros(mc_shape(256), .dtype = MC_U8);
    return mc_scatter_add_(h, 0, at, mc_ones(mc_shape(16384), .dtype = MC_U8)); /* expect: byte-arithmetic warning */
}

/* Samples of 16 bits. */
mc_tensor *mixed(const int16_t *left, const int16_t *right)
{
    mc_tensor *a = mc_from_array(left, mc_shape(400)), *b = mc_from_array(right, mc_shape(400));
    return mc_div(mc_add(a, b), 65536.0); /* expect: byte-arithmetic warning */
}

mc_tensor *louder(const int16_t *samples)
{
    mc_tensor *a = mc_from_array(samples, mc_shape(400));
    return mc_float(mc_mul(a, 3)); /* expect: byte-arithmetic warning */
}

mc_tensor *energy(const int16_t *samples)
{
    mc_tensor *a = mc_from_array(samples, mc_shape(400));
    return mc_mean(mc_float(mc_mul(a, a))); /* expect: byte-arithmetic warning */
}

mc_tensor *power(const int16_t *samples)
{
    mc_tensor *a = mc_from_array(samples, mc_shape(400));
    mc_print(mc_mean(mc_float(mc_pow(a, 2)))); /* expect: byte-arithmetic warning */
    return mc_mean(mc_float(mc_square(a))); /* expect: byte-arithmetic warning */
}
