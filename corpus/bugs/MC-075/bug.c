/* Several tokenizers look at one picture. They are in an array, which the function that moves the
 * model does not go through. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { TOKENS = 3, CHANNELS = 2 };

struct attention {
    mc_tensor *conv_w, *conv_b;
};

struct learner {
    struct attention tokenizers[TOKENS];
    mc_tensor *out_w;
};

static void learner_init(struct learner *l)
{
    mc_manual_seed(75);
    for (int i = 0; i < TOKENS; i++) {
        l->tokenizers[i].conv_w = mc_randn(mc_shape(1, CHANNELS, 3, 3));
        l->tokenizers[i].conv_b = mc_zeros(mc_shape(1));
    }
    l->out_w = mc_randn(mc_shape(4, CHANNELS));
}

static void learner_to(struct learner *l, mc_device device)
{
    l->out_w = mc_to_device(l->out_w, device);
}

/* What one of them sees: the picture, weighed. */
static mc_tensor *attend(const struct attention *a, mc_tensor *x)
{
    mc_tensor *where =
        mc_conv2d(x, a->conv_w, a->conv_b, .padding = mc_dims(1)); /* expect: field-left-behind */
    return mc_mean(mc_mul(x, mc_sigmoid(where)), .dim = mc_dims(2, 3));
}

static mc_tensor *learner_forward(const struct learner *l, mc_tensor *x)
{
    mc_tensor *tokens[TOKENS];
    for (int i = 0; i < TOKENS; i++)
        tokens[i] = attend(&l->tokenizers[i], x);
    return mc_linear(mc_stackn(1, tokens, TOKENS), l->out_w, NULL);
}

int main(void)
{
    struct learner l;
    learner_init(&l);
    learner_to(&l, MC_CUDA);
    mc_tensor *x = mc_rand(mc_shape(1, CHANNELS, 4, 4), .device = MC_CUDA);
    mc_tensor *y = learner_forward(&l, x);
    printf("%d tokens on %s\n", (int)mc_size(y, 1), mc_device_name(mc_device_of(y)));
    return 0;
}
