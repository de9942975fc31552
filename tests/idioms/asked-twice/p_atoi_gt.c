#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (atoi(argv[1]) > 3)
        w = mc_half(w);
    if (atoi(argv[1]) > 3)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}
