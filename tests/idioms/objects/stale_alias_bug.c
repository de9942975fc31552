#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_rand(mc_shape(4)), *old = x;
    if (argc > 1)
        x = mc_half(x);
    mc_add_(old, 1);
    mc_print(x);
    return 0;
}
