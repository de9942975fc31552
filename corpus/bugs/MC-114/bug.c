/* Speech features get their positions from a convolution over themselves, added in place. The
 * convolution needs its input on the way back, and that is just what was changed. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { CHANNELS = 3, FRAMES = 6 };

struct encoder {
    mc_tensor *project_w;
    mc_tensor *pos_conv_w;
};

static void encoder_init(struct encoder *e)
{
    mc_manual_seed(114);
    e->project_w = mc_randn(mc_shape(CHANNELS, CHANNELS), .requires_grad = true);
    e->pos_conv_w = mc_randn(mc_shape(CHANNELS, CHANNELS, 3), .requires_grad = true);
}

static mc_tensor *positions(const struct encoder *e, mc_tensor *x)
{
    mc_tensor *over_time = mc_unsqueeze(mc_t(x), 0);
    mc_tensor *y = mc_conv1d(over_time, e->pos_conv_w, NULL, .padding = mc_dims(1));
    return mc_t(mc_squeeze(mc_gelu(y), 0));
}

static mc_tensor *encode(const struct encoder *e, mc_tensor *features)
{
    mc_tensor *x = mc_linear(features, e->project_w, NULL);
    mc_add_(x, positions(e, x));
    return mc_layer_norm(x, NULL, NULL);
}

static double train_step(const struct encoder *e, mc_tensor *features, mc_tensor *target)
{
    mc_tensor *loss = mc_mse_loss(encode(e, features), target);
    mc_backward(loss); /* expect: inplace-on-saved */
    return mc_item(loss);
}

int main(void)
{
    struct encoder e;
    encoder_init(&e);
    mc_tensor *features = mc_randn(mc_shape(FRAMES, CHANNELS));
    mc_tensor *target = mc_zeros(mc_shape(FRAMES, CHANNELS));
    printf("loss is %s\n", train_step(&e, features, target) > 0 ? "positive" : "zero");
    return 0;
}
