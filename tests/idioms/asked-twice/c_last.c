#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{

    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (!strcmp(argv[argc - 1], "h"))
        w = mc_half(w);
    if (!strcmp(argv[argc - 1], "h"))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
