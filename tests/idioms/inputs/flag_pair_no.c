#include <miscast/tensor.h>
#include <string.h>

static int flag(int argc, char **argv, const char *name, int value)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (strncmp(a, "--", 2))
            continue;
        a += 2;
        if (!strcmp(a, name))
            value = 1;
        else if (!strncmp(a, "no-", 3) && !strcmp(a + 3, name))
            value = 0;
    }
    return value;
}

int main(int argc, char **argv)
{
    int fp16 = flag(argc, argv, "fp16", 0), upcast = flag(argc, argv, "upcast", 1);
    mc_tensor *x = mc_randn(mc_shape(2, 2)), *w = mc_randn(mc_shape(2, 2));
    if (fp16)
        x = mc_half(x);
    if (upcast)
        x = mc_float(x);
    mc_print(mc_matmul(x, w)); /* --fp16 --no-upcast */
    return 0;
}
