#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *s = argv[1];
    bool h = !strcmp(s, "half"), f = !strcmp(s, "float");
    if (!h && !f)
        return 1;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (h)
        w = mc_half(w);
    if (!f)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
