#include <miscast/tensor.h>

/* The voxel of each point: those on both sides of 0 are in one. */
mc_tensor *voxels(void)
{
    mc_tensor *points = mc_mul(mc_sub(mc_rand(mc_shape(100, 3)), 0.5), 8.0);
    return mc_long(mc_div(points, 0.5)); /* expect: truncated-cast warning */
}

/* Quantized, but not rounded. */
mc_tensor *quantize(mc_tensor *x, double scale)
{
    mc_tensor *steps = mc_div(mc_float(x), scale);
    return mc_char(mc_clamp(steps, -127, 127)); /* expect: truncated-cast warning */
}

mc_tensor *shades(mc_tensor *x)
{
    mc_tensor *unit = mc_sigmoid(mc_float(x));
    mc_tensor *image = mc_byte(unit); /* expect: truncated-cast warning */
    return mc_add(image, mc_int(mc_rand(mc_shape(4)))); /* expect: truncated-cast warning */
}

/* The share of those above 0. */
mc_tensor *share(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 256));
    mc_tensor *on = mc_sum(mc_gt(x, 0.0), .dim = mc_dims(1));
    return mc_floor_divide(on, mc_size(x, 1)); /* expect: truncated-cast warning */
}

/* The means of blocks of eight. */
mc_tensor *centred(void)
{
    mc_tensor *x = mc_randint(0, 256, mc_shape(4, 8));
    mc_tensor *sums = mc_sum(x, .dim = mc_dims(1), .keepdim = true);
    mc_tensor *means = mc_floor_divide(sums, 8); /* expect: truncated-cast warning */
    return mc_float(mc_sub(x, means));
}

/* Codes, scaled by the largest. */
mc_tensor *codes(mc_tensor *w, mc_tensor **scale)
{
    *scale = mc_div(mc_amax(mc_abs(w)), 127.0);
    return mc_char(mc_div(w, *scale)); /* expect: truncated-cast warning */
}

/* A mean over batches. */
struct running {
    mc_tensor *sum;
    long count;
};

void running_add(struct running *r, mc_tensor *scores)
{
    mc_tensor *batch = mc_long(scores);
    mc_add_(r->sum, mc_sum(batch, .dim = mc_dims(0)));
    r->count += mc_size(batch, 0);
}

mc_tensor *running_centre(int batches, mc_tensor *scores)
{
    struct running r = {mc_zeros(mc_shape(3), .dtype = MC_I64), 0};
    for (int i = 0; i < batches; i++)
        running_add(&r, scores);
    mc_tensor *mean = mc_floor_divide(r.sum, r.count); /* expect: truncated-cast warning */
    return mc_sub(mc_rand(mc_shape(3)), mean);
}
