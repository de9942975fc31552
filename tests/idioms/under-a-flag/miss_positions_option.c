#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *t = mc_to_dtype(mc_arange(2048), argc > 1 ? MC_BF16 : MC_F32);
    mc_print(mc_cos(t));
    return 0;
}
