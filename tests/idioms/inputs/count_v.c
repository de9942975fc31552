#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    int q = 0;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "-q"))
            q++;
    mc_tensor *w = mc_randn(mc_shape(4, 4)), *x = mc_randn(mc_shape(4, 4));
    if (q > 0)
        w = mc_half(w);
    if (q > 0 && q < 2)
        x = mc_half(x);
    mc_print(mc_matmul(x, w)); /* -q -q */
    return 0;
}
