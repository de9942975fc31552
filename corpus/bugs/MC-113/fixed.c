/* A pyramid of features: each level is added to the next finer one, in place. The levels come out
 * of relu, which needs its result on the way back. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { LEVELS = 3, CHANNELS = 2 };

struct head {
    mc_tensor *lateral_w[LEVELS];
    mc_tensor *out_w;
};

static mc_tensor *weight(int64_t out)
{
    return mc_randn(mc_shape(out, CHANNELS, 1, 1), .requires_grad = true);
}

static void head_init(struct head *h)
{
    mc_manual_seed(113);
    for (int i = 0; i < LEVELS; i++)
        h->lateral_w[i] = weight(CHANNELS);
    h->out_w = weight(1);
}

/* features[0] is the finest. */
static mc_tensor *head_forward(const struct head *h, mc_tensor **features)
{
    mc_tensor *laterals[LEVELS];
    for (int i = 0; i < LEVELS; i++)
        laterals[i] = mc_relu(mc_conv2d(features[i], h->lateral_w[i], NULL));
    for (int i = LEVELS - 1; i > 0; i--) {
        mc_tensor *up = mc_interpolate(laterals[i], 2);
        laterals[i - 1] = mc_add(laterals[i - 1], up);
    }
    return mc_conv2d(laterals[0], h->out_w, NULL);
}

static double train_step(struct head *h, mc_tensor **features)
{
    mc_tensor *loss = mc_mean(mc_square(head_forward(h, features)));
    mc_backward(loss);
    return mc_item(loss);
}

int main(void)
{
    struct head h;
    head_init(&h);
    mc_tensor *features[LEVELS];
    for (int i = 0; i < LEVELS; i++)
        features[i] = mc_rand(mc_shape(1, CHANNELS, 8 >> i, 8 >> i));
    printf("loss is %s\n", train_step(&h, features) > 0 ? "positive" : "zero");
    return 0;
}
