/* A loss that asks for exactly one output to be on. Where a product begins, it begins with ones. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { BATCH = 2, OUTPUTS = 3 };

struct net {
    mc_tensor *w, *b;
};

static void net_to(struct net *n, mc_device device)
{
    n->w = mc_to_device(n->w, device);
    n->b = mc_to_device(n->b, device);
}

/* The probability that just one of the outputs is on. */
static mc_tensor *exactly_one(mc_tensor *probability)
{
    mc_tensor *sum = mc_zeros(mc_shape(BATCH), .device = mc_device_of(probability));
    for (int on = 0; on < OUTPUTS; on++) {
        mc_tensor *term = mc_ones(mc_shape(1), .device = mc_device_of(probability));
        for (int i = 0; i < OUTPUTS; i++) {
            mc_tensor *p = mc_select(probability, 1, i);
            mc_tensor *factor = i == on ? p : mc_rsub(p, 1);
            term = mc_mul(term, factor);
        }
        sum = mc_add(sum, term);
    }
    return sum;
}

static mc_tensor *semantic_loss(const struct net *n, mc_tensor *x)
{
    mc_tensor *probability = mc_sigmoid(mc_linear(x, n->w, n->b));
    return mc_neg(mc_mean(mc_log(exactly_one(probability))));
}

int main(void)
{
    mc_manual_seed(65);
    struct net n = {mc_randn(mc_shape(OUTPUTS, 4)), mc_zeros(mc_shape(OUTPUTS))};
    net_to(&n, MC_CUDA);
    mc_tensor *x = mc_randn(mc_shape(BATCH, 4), .device = MC_CUDA);
    printf("loss %.4f\n", mc_item(semantic_loss(&n, x)));
    return 0;
}
