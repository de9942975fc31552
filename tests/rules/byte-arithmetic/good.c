#include <miscast/tensor.h>

mc_tensor *blend(mc_tensor *scores)
{
    mc_tensor *a = mc_full(mc_shape(4), 200, .dtype = MC_U8), *b = mc_full(mc_shape(4), 100, .dtype = MC_U8);
    mc_tensor *sum = mc_div(mc_add(mc_int(a), mc_int(b)), 2);
    mc_tensor *votes = mc_add(mc_byte(mc_gt(scores, 0)), mc_byte(mc_gt(scores, 1)));
    mc_tensor *both = mc_mul(a, mc_byte(mc_gt(scores, 0)));
    return mc_stack(0, sum, mc_float(votes), mc_float(both), mc_mul(a, 0.5));
}

/* An image times a mask, small numbers, and one of two conditions. */
mc_tensor *masked(mc_tensor *scores, mc_tensor *image, mc_tensor *mask)
{
    mc_tensor *a = mc_byte(image), *m = mc_byte(mask);
    mc_tensor *digits = mc_randint(0, 10, mc_shape(8), .dtype = MC_U8);
    mc_tensor *either = mc_add(mc_gt(scores, 1), mc_lt(scores, 0));
    mc_tensor *square = mc_mul(digits, digits);
    return mc_stack(0, mc_mul(a, m), square, mc_square(digits), mc_byte(either));
}

/* Of 200 no value can occur more often. */
mc_tensor *histogram(mc_tensor *image)
{
    mc_tensor *at = mc_long(mc_reshape(image, 200)), *h = mc_zeros(mc_shape(256), .dtype = MC_U8);
    return mc_scatter_add_(h, 0, at, mc_ones(mc_shape(200), .dtype = MC_U8));
}

mc_tensor *mixed(const int16_t *left, const int16_t *right)
{
    mc_tensor *a = mc_from_array(left, mc_shape(400)), *b = mc_from_array(right, mc_shape(400));
    return mc_div(mc_add(mc_int(a), mc_int(b)), 65536.0);
}

/* Bytes fit, and labels are not samples. */
mc_tensor *sums(mc_tensor *x, mc_tensor *y, const int16_t *labels)
{
    mc_tensor *l = mc_from_array(labels, mc_shape(8));
    mc_print(mc_add(l, l));
    mc_print(mc_float(mc_add(l, 1)));
    return mc_float(mc_add(mc_short(mc_byte(x)), mc_short(mc_byte(y))));
}

mc_tensor *gated(const int16_t *samples, mc_tensor *mask)
{
    mc_tensor *a = mc_from_array(samples, mc_shape(400));
    return mc_float(mc_mul(a, mc_short(mc_gt(mask, 0))));
}

/* Of small numbers, and as integers. */
mc_tensor *squares(const int16_t *labels, mc_tensor *x)
{
    mc_tensor *l = mc_from_array(labels, mc_shape(8));
    mc_print(mc_square(l));
    return mc_add(mc_float(mc_square(mc_clamp(l, -100, 100))), mc_float(mc_square(mc_clamp(mc_short(x), 0, 9))));
}
