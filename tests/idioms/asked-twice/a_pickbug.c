#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    mc_tensor *ws[] = {mc_rand(mc_shape(2, 2)), mc_half(mc_rand(mc_shape(2, 2)))};
    mc_tensor *xs[] = {mc_rand(mc_shape(2, 2)), mc_half(mc_rand(mc_shape(2, 2)))};
    int k = atoi(argv[1]);
    if (k < 0 || k > 1)
        return 1;
    mc_print(mc_matmul(ws[k], xs[1 - k]));
    (void)argc;
}
