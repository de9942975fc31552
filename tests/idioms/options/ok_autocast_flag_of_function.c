/* The flag is the result of a function. */
#include <string.h>
#include <miscast/tensor.h>
static bool has(int argc, char **argv, const char *f)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], f) == 0)
            return true;
    return false;
}
int main(int argc, char **argv)
{
    bool bf16 = has(argc, argv, "--bf16");
    mc_tensor *x = mc_randn(mc_shape(4, 4)), *d = mc_randn(mc_shape(4, 4));
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = bf16);
    mc_tensor *y = mc_linear(mc_linear(x, d, NULL), d, NULL);
    mc_autocast_end(a);
    mc_print(y);
}
