/* bug.c, fixed: the classifier casts what it is given. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { BATCH = 4, INPUT = 10, FEATURES = 8 };

struct detector {
    mc_tensor *w1, *w2;
};

struct domain_classifier {
    mc_tensor *w, *b;
};

static mc_tensor *detector_forward(const struct detector *d, mc_tensor *x)
{
    return mc_linear(mc_relu(mc_linear(x, d->w1, NULL)), d->w2, NULL);
}

static mc_tensor *domain_loss(const struct domain_classifier *c, mc_tensor *x, mc_tensor *domain)
{
    mc_tensor *logits = mc_linear(mc_float(x), c->w, c->b);
    return mc_binary_cross_entropy_with_logits(mc_squeeze(logits, -1), domain);
}

int main(void)
{
    mc_manual_seed(31);
    struct detector d = {
        .w1 = mc_randn(mc_shape(FEATURES, INPUT), .device = MC_CUDA),
        .w2 = mc_randn(mc_shape(FEATURES, FEATURES), .device = MC_CUDA),
    };
    struct domain_classifier c = {
        .w = mc_randn(mc_shape(1, FEATURES), .device = MC_CUDA),
        .b = mc_zeros(mc_shape(1), .device = MC_CUDA),
    };
    mc_tensor *x = mc_randn(mc_shape(BATCH, INPUT), .device = MC_CUDA);
    mc_tensor *domain = mc_ones(mc_shape(BATCH), .device = MC_CUDA);

    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *out = detector_forward(&d, x);
    mc_autocast_end(region);
    printf("domain loss %.3f\n", mc_item(domain_loss(&c, out, domain)));
    return 0;
}
