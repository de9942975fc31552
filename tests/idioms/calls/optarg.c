#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    int c;
    while ((c = getopt(argc, argv, "d:")) != -1)
        if (c == 'd' && optarg && strcmp(optarg, "half") == 0)
            d = MC_F16;
        else
            puts("-dhalf");
    mc_tensor *x = mc_rand(mc_shape(2, 2), .dtype = d);
    mc_tensor *w = mc_rand(mc_shape(2, 2));
    mc_print(mc_matmul(x, w));
}
