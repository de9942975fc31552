#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{

    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (!memcmp(argv[1], "half", 4))
        w = mc_half(w);
    if (memcmp(argv[1], "half", 4) == 0)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
