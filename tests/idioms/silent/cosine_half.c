/* Cosine similarity of large features, by hand. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *cosine(mc_tensor *a, mc_tensor *b)
{
    mc_tensor *dot = mc_sum(mc_mul(a, b), .dim = mc_dims(1));
    mc_tensor *na = mc_sqrt(mc_sum(mc_mul(a, a), .dim = mc_dims(1)));
    mc_tensor *nb = mc_sqrt(mc_sum(mc_mul(b, b), .dim = mc_dims(1)));
    return mc_div(dot, mc_mul(na, nb));
}

int main(int argc, char **argv)
{
    bool half = argc > 1 && !strcmp(argv[1], "--half");
    mc_manual_seed(1);
    mc_tensor *a = mc_mul(mc_randn(mc_shape(4, 512)), 20.0), *b = mc_add(a, 1.0);
    if (half) {
        a = mc_half(a);
        b = mc_half(b);
    }
    mc_print(mc_float(cosine(a, b)));
    return 0;
}
