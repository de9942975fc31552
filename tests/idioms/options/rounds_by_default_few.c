/* Some rounds in f16, of which an option may ask for more: two in each step. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 200;
    mc_tensor *sum = mc_zeros(mc_shape(1), .dtype = MC_F16);
    for (int i = 0; i < rounds; i += 2)
        mc_add_(sum, 1);
    printf("%g\n", mc_item(sum));
    return 0;
}
