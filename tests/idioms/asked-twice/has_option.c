#include <miscast/tensor.h>
#include <string.h>

/* Whether an option is there is asked where it matters, each time over the whole command line.
 * Words: --low -l -L */
static bool has(int argc, char **argv, const char *name, char letter)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], name))
            return true;
        if (argv[i][0] == '-' && argv[i][1] == letter && !argv[i][2])
            return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    mc_dtype d = has(argc, argv, "--low", 'l') ? MC_BF16 : MC_F32;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = d);
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    if (has(argc, argv, "--low", 'l'))
        x = mc_bfloat16(x);
    mc_print(mc_matmul(x, w));
    return 0;
}
