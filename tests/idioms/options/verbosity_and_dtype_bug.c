/* Words: -w1 -a1 -v */
#include <getopt.h>
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int c, verbose = 0;
    mc_dtype weights = MC_F32, activations = MC_F32;
    while ((c = getopt(argc, argv, "vw:a:")) != -1)
        switch (c) {
        case 'v':
            verbose++;
            break;
        case 'w':
            weights = atoi(optarg) == 1 ? MC_BF16 : MC_F32;
            break;
        case 'a':
            activations = atoi(optarg) == 1 ? MC_BF16 : MC_F32;
            break;
        default:
            return 2;
        }
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = weights);
    mc_tensor *x = mc_randn(mc_shape(2, 4), .dtype = activations);
    if (verbose)
        printf("%d\n", (int)weights);
    mc_print(mc_matmul(x, w));
    return 0;
}
