#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (argv[1][0] == 104)
        w = mc_half(w);
    if (argv[1][0] == 'h')
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}
