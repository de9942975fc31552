#include <string.h>
#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    bool bf16 = false;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--bf16") == 0)
            bf16 = true;
    mc_tensor *x = mc_randn(mc_shape(4, 4)), *u = mc_randn(mc_shape(4, 4)),
              *d = mc_randn(mc_shape(4, 4));
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = bf16);
    mc_tensor *y = mc_linear(mc_gelu(mc_linear(x, u, NULL)), d, NULL);
    mc_autocast_end(a);
    mc_print(y);
}
