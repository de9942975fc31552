#include <miscast/tensor.h>

/* Each character is a step: to half precision, back to single, or one of the recurrence. */
int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    mc_tensor *w = mc_randn(mc_shape(4, 4)), *h = mc_rand(mc_shape(1, 4));
    for (const char *s = argv[1]; *s; s++) {
        if (*s == 'h') {
            w = mc_half(w);
            h = mc_half(h);
        } else if (*s == 'f') {
            w = mc_float(w);
        } else {
            h = mc_tanh(mc_matmul(h, w));
        }
    }
    mc_print(h);
    return 0;
}
