#include <miscast/tensor.h>
#include <stdlib.h>

#include <unistd.h>

int main(int argc, char **argv)
{
    int c, half = 0, level = 0;
    mc_dtype d = MC_F32;
    while ((c = getopt(argc, argv, "hbl:")) != -1) {
        if (c == 'h') {
            half = 1;
            d = MC_F16;
        } else if (c == 'l')
            level = atoi(optarg);
        else
            return 2;
    }

    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (half)
        w = mc_half(w);
    if (d == MC_F16)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
