#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *f = mc_rand(mc_shape(8));
    if (argc > 1)
        f = mc_half(f);
    mc_tensor *t = mc_type_as(mc_arange(4096), f);
    mc_print(mc_cos(mc_outer(t, f)));
}
