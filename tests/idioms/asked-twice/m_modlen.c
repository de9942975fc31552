#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    size_t n = strlen(argv[1]);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (n % 2)
        w = mc_half(w);
    if (n % 2 == 1)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
