#include <miscast/tensor.h>
#include <string.h>

static bool has(int argc, char **argv, const char *name)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], name))
            return true;
    return false;
}

/* It was there before: the word is written over. */
int main(int argc, char **argv)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = has(argc, argv, "low") ? MC_BF16 : MC_F32);
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    if (argc > 1)
        argv[1][0] = '\0';
    if (has(argc, argv, "low"))
        x = mc_bfloat16(x);
    mc_print(mc_matmul(x, w));
    return 0;
}
