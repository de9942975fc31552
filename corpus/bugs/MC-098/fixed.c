/* A norm that computes in f32 and saves memory by multiplying in place. In an f32 model the cast
 * copies nothing, so that the multiplication reaches the residual of the caller. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { WIDTH = 4 };

struct block {
    mc_tensor *norm_w;
    mc_tensor *w;
};

static void block_load(struct block *b, mc_dtype dtype)
{
    mc_manual_seed(98);
    b->norm_w = mc_ones(mc_shape(WIDTH), .dtype = dtype);
    b->w = mc_randn(mc_shape(WIDTH, WIDTH), .dtype = dtype);
}

static mc_tensor *rms(mc_tensor *x, mc_tensor *weight)
{
    mc_dtype dtype = mc_dtype_of(x);
    x = mc_float(x);
    mc_tensor *mean = mc_mean(mc_square(x), .dim = mc_dims(-1), .keepdim = true);
    x = mc_mul(x, mc_rsqrt(mc_add(mean, 1e-6)));
    return mc_mul(mc_to_dtype(x, dtype), weight);
}

static mc_tensor *block_forward(const struct block *b, mc_tensor *h)
{
    mc_tensor *residual = h;
    mc_tensor *n = rms(h, b->norm_w);
    return mc_add(residual, mc_tanh(mc_linear(n, b->w, NULL)));
}

/* How far the stream moves away from where it was: by one at most, which is what tanh gives. */
static double moved(mc_dtype dtype)
{
    struct block b;
    block_load(&b, dtype);
    mc_tensor *h = mc_full(mc_shape(2, WIDTH), 8.0, .dtype = dtype);
    mc_tensor *y = block_forward(&b, h);
    return mc_item(mc_amax(mc_abs(mc_sub(mc_float(y), 8))));
}

int main(void)
{
    double half = moved(MC_BF16), full = moved(MC_F32);
    printf("the stream moves by %.2f in bf16, by %.2f in f32\n", half, full);
    return full > 1;
}
