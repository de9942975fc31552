/* Letters of an argument; the pointer that walks along them is asked twice about each. */
/* Words: hf fh hh */
#include <miscast/tensor.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    mc_tensor *x = mc_ones(mc_shape(2, 4));
    for (const char *p = argv[1]; *p; p++) {
        mc_tensor *w = mc_randn(mc_shape(4, 4));
        if (*p == 'h')
            w = mc_half(w);
        mc_tensor *in = *p == 'h' ? mc_half(x) : x;
        mc_print(mc_matmul(in, w));
    }
    return 0;
}
