/* Each option has an argument of its own. */
#include <getopt.h>
#include <string.h>

#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype weights = MC_F32, inputs = MC_F32;
    int c;
    while ((c = getopt(argc, argv, "p:q:")) != -1)
        if (c == 'p')
            weights = strcmp(optarg, "half") == 0 ? MC_F16 : MC_F32;
        else if (c == 'q')
            inputs = strcmp(optarg, "half") == 0 ? MC_F16 : MC_F32;
    mc_tensor *w = mc_zeros(mc_shape(2, 2), .dtype = weights);
    mc_print(mc_matmul(mc_ones(mc_shape(2, 2), .dtype = inputs), w)); /* expect: matmul-dtype warning */
    return 0;
}
