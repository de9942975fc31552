#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_rand(mc_shape(4));
    if (argc > 1)
        x = mc_half(x);
    mc_add_(x, 1);
    mc_print(x);
    return 0;
}
