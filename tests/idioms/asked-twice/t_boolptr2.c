#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    bool b = strchr(argv[1], 'x');
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (b == true)
        w = mc_half(w);
    if (strchr(argv[1], 'x') != NULL)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
