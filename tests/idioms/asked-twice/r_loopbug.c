#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    float f = 0;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--scale"))
            f = strtof(argv[++i], NULL);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (f > 0)
        w = mc_half(w);
    if (f > 1)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
