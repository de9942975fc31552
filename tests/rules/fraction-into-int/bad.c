#include <miscast/tensor.h>

mc_tensor *weights(void)
{
    mc_tensor *h = mc_arange(4);
    mc_tensor *w = mc_full_like(h, 0.5); /* expect: fraction-into-int warning */
    mc_fill_(h, 2.5); /* expect: fraction-into-int warning */
    return mc_add(mc_masked_fill(h, mc_gt(h, 0), -0.5), w); /* expect: fraction-into-int warning */
}

mc_tensor *shares(mc_tensor *counts, double all)
{
    mc_tensor *w = mc_zeros(mc_shape(3), .dtype = MC_I64);
    for (int64_t k = 0; k < 3; k++)
        mc_fill_(mc_select(w, 0, k), /* expect: fraction-into-int warning */
                 mc_item(mc_select(counts, 0, k)) / all);
    return w;
}

/* Integers only because what it is like has them. */
static mc_tensor *discounted(mc_tensor *rewards, double rate)
{
    mc_tensor *out = mc_zeros_like(rewards);
    double sum = 0;
    for (int64_t t = mc_size(rewards, 0) - 1; t >= 0; t--) {
        sum = mc_item(mc_select(rewards, 0, t)) + rate * sum;
        mc_fill_(mc_select(out, 0, t), sum); /* expect: fraction-into-int warning */
    }
    return out;
}

mc_tensor *returns(void)
{
    return discounted(mc_randint(0, 2, mc_shape(10)), 0.9);
}

/* Asked for, with codes of a scale in mind. */
static void put(mc_tensor *codes, mc_tensor *x, double scale)
{
    mc_fill_(codes, mc_item(x) * scale); /* expect: fraction-into-int note */
}

void encode(mc_tensor *x)
{
    mc_tensor *codes = mc_zeros(mc_shape(1), .dtype = MC_I8);
    put(codes, x, 12.5);
    mc_print(codes);
}
