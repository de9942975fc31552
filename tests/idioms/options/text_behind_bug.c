#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *d = NULL;
    for (int i = 1; i < argc; i++)
        if (!strncmp(argv[i], "--dtype=", 8))
            d = argv[i] + 8;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (d && strcmp(d, "f16") == 0)
        w = mc_half(w);
    if (d && !strcmp(d, "f16"))
        x = mc_bfloat16(x);
    mc_print(mc_matmul(x, w));
}
