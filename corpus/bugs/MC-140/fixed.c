/* bug.c, fixed: the lowest value is that of the scores' dtype. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { FRAMES = 6, WIDTH = 8 };

struct encoder {
    mc_tensor *query, *key;
    mc_dtype dtype;
};

static struct encoder encoder_new(mc_dtype dtype)
{
    mc_manual_seed(5);
    return (struct encoder){
        .query = mc_to_dtype(mc_randn(mc_shape(WIDTH, WIDTH)), dtype),
        .key = mc_to_dtype(mc_randn(mc_shape(WIDTH, WIDTH)), dtype),
        .dtype = dtype,
    };
}

static mc_tensor *attention_weights(const struct encoder *e, mc_tensor *frames, mc_tensor *mask)
{
    mc_tensor *q = mc_linear(frames, e->query, NULL), *k = mc_linear(frames, e->key, NULL);
    mc_tensor *scores = mc_mul(mc_matmul(q, mc_t(k)), 1 / sqrt(WIDTH));
    double lowest = e->dtype == MC_BF16 ? -3.3895313892515355e38 : -FLT_MAX;
    scores = mc_masked_fill(scores, mask, lowest);
    return mc_masked_fill(mc_softmax(scores, -1), mask, 0.0);
}

int main(void)
{
    struct encoder e = encoder_new(MC_BF16);
    mc_tensor *frames = mc_to_dtype(mc_randn(mc_shape(FRAMES, WIDTH)), e.dtype);
    mc_tensor *mask = mc_gt(mc_arange(FRAMES), 3);
    mc_tensor *w = attention_weights(&e, frames, mask);
    double sum = mc_item(mc_sum(w, .dtype = MC_F32));
    printf("the weights of %d frames sum to %.2f\n", FRAMES, sum);
    return fabs(sum - FRAMES) > 0.1;
}
