#include <miscast/tensor.h>

mc_tensor *voxels(void)
{
    mc_tensor *points = mc_mul(mc_sub(mc_rand(mc_shape(100, 3)), 0.5), 8.0);
    return mc_long(mc_floor(mc_div(points, 0.5)));
}

mc_tensor *quantize(mc_tensor *x, double scale)
{
    mc_tensor *steps = mc_div(mc_float(x), scale);
    return mc_char(mc_clamp(mc_round(steps), -127, 127));
}

/* What is above -1 becomes 0 at least, which may be meant: the cell of a box at the edge. */
mc_tensor *cells(void)
{
    return mc_long(mc_sub(mc_mul(mc_rand(mc_shape(8)), 8.0), 0.5));
}

/* Numbers that are not negative are rounded down, as by floor; samples are so large that their
 * fractions do not matter. */
mc_tensor *drawn(void)
{
    mc_tensor *die = mc_add(mc_long(mc_mul(mc_rand(mc_shape(8)), 6.0)), 1);
    mc_tensor *grey = mc_byte(mc_mul(mc_sigmoid(mc_randn(mc_shape(8))), 255));
    mc_tensor *wave = mc_short(mc_mul(mc_tanh(mc_randn(mc_shape(8))), 32767));
    return mc_add(mc_add(die, grey), wave);
}

/* What may well be whole: labels from a file, and truths. */
mc_tensor *labels(mc_tensor *x)
{
    mc_tensor *kept = mc_clamp(mc_float(x), -1, 20);
    mc_tensor *truths = mc_bernoulli(mc_full(mc_shape(8), 0.5));
    return mc_add(mc_long(kept), mc_long(truths));
}

/* 0 or 255, which become 0 or 1. */
mc_tensor *mask(void)
{
    static const uint8_t png[4] = {255, 0, 0, 255};
    return mc_byte(mc_div(mc_from_array(png, mc_shape(4)), 255));
}

/* Rows and columns of a position; shares as fractions. */
mc_tensor *rows(void)
{
    mc_tensor *at = mc_arange(64);
    mc_tensor *on = mc_sum(mc_gt(mc_randn(mc_shape(4, 256)), 0.0), .dim = mc_dims(1));
    mc_print(mc_div(on, 256));
    return mc_add(mc_floor_divide(at, 64), mc_floor_divide(at, 8));
}

/* A change in place has to have the dtype of what it changes. */
mc_tensor *in_place(mc_tensor *x)
{
    mc_tensor *steps = mc_ones(mc_shape(4), .dtype = MC_I64);
    mc_tensor *update = mc_mul(mc_float(x), 0.5);
    return mc_add_(steps, mc_type_as(update, steps));
}

/* Which of the halves, as an integer; means as floats. */
mc_tensor *centred(void)
{
    mc_tensor *x = mc_randint(0, 256, mc_shape(4, 8));
    mc_tensor *sums = mc_sum(x, .dim = mc_dims(1), .keepdim = true);
    mc_print(mc_floor_divide(sums, 2));
    return mc_sub(x, mc_div(sums, 8));
}

mc_tensor *codes(mc_tensor *w, mc_tensor **scale)
{
    *scale = mc_div(mc_amax(mc_abs(w)), 127.0);
    return mc_char(mc_round(mc_div(w, *scale)));
}

/* Of a running sum: how often a whole number goes into it. */
mc_tensor *cents(int batches, mc_tensor *prices)
{
    mc_tensor *sum = mc_zeros(mc_shape(3), .dtype = MC_I64);
    for (int i = 0; i < batches; i++)
        mc_add_(sum, mc_sum(mc_long(prices), .dim = mc_dims(0)));
    mc_tensor *whole = mc_floor_divide(sum, 100);
    mc_print(mc_floor_divide(sum, batches));
    return mc_float(whole);
}
