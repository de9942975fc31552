#include <miscast/tensor.h>

/* What fails first gives nobody knows what: that it lies elsewhere is not known. */
int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_ones(mc_shape(2, 2)), *b = mc_ones(mc_shape(2)), *w1 = mc_double(x), *w2 = w1;
    if (argc > 1) {
        w1 = mc_half(w1);
        x = mc_half(x);
        b = mc_half(b);
    }
    mc_tensor *h = mc_gelu(mc_linear(x, w1, b)); /* expect: matmul-dtype warning */
    return mc_item(mc_mean(mc_linear(h, w2, b))) > 0; /* expect: matmul-dtype error */
}
