/* The argument of an option is the same until the next one is asked for. */
#include <getopt.h>
#include <string.h>

#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype weights = MC_F32, inputs = MC_F32;
    int c;
    while ((c = getopt(argc, argv, "p:q:")) != -1)
        switch (c) {
        case 'p':
            weights = strcmp(optarg, "half") == 0 ? MC_F16 : MC_F32;
            inputs = strcmp(optarg, "half") == 0 ? MC_F16 : MC_F32;
            break;
        case 'q':
            weights = optarg[0] == 'b' ? MC_BF16 : MC_F32;
            inputs = optarg[0] == 'b' ? MC_BF16 : MC_F32;
            break;
        }
    mc_tensor *w = mc_zeros(mc_shape(2, 2), .dtype = weights);
    mc_print(mc_matmul(mc_ones(mc_shape(2, 2), .dtype = inputs), w));
    return 0;
}
