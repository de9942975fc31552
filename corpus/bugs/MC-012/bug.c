/* The last layer of a feed-forward block is kept in f32 in an f16 model, for its range. Its result
 * is f32, too, and so is from there on everything, without a word: twice the memory and the time.
 */
#include <stdio.h>

#include <miscast/tensor.h>

enum { WIDTH = 8, HIDDEN = 16 };

struct feed_forward {
    mc_tensor *norm_w;
    mc_tensor *wi; /* f16 */
    mc_tensor *wo; /* f32 */
};

static void feed_forward_load(struct feed_forward *f)
{
    mc_manual_seed(12);
    f->norm_w = mc_ones(mc_shape(WIDTH), .dtype = MC_F16);
    f->wi = mc_randn(mc_shape(HIDDEN, WIDTH), .dtype = MC_F16);
    f->wo = mc_randn(mc_shape(WIDTH, HIDDEN));
}

static mc_tensor *feed_forward(const struct feed_forward *f, mc_tensor *x)
{
    mc_tensor *h = mc_relu(mc_linear(mc_rms_norm(x, f->norm_w), f->wi, NULL));
    if (mc_dtype_of(h) != mc_dtype_of(f->wo))
        h = mc_to_dtype(h, mc_dtype_of(f->wo));
    return mc_linear(h, f->wo, NULL);
}

static mc_tensor *layer_forward(const struct feed_forward *f, mc_tensor *hidden)
{
    return mc_add(hidden, feed_forward(f, hidden)); /* expect: widened-by-default */
}

int main(void)
{
    struct feed_forward f;
    feed_forward_load(&f);
    mc_tensor *hidden = mc_randn(mc_shape(3, WIDTH), .dtype = MC_F16);
    mc_tensor *y = layer_forward(&f, hidden);
    printf("%s in, %s out\n", mc_dtype_name(mc_dtype_of(hidden)), mc_dtype_name(mc_dtype_of(y)));
    return mc_dtype_of(y) != mc_dtype_of(hidden);
}
