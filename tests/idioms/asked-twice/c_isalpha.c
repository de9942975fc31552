#include <miscast/tensor.h>
#include <ctype.h>

int main(int argc, char **argv)
{
    const char *p = argv[1];
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (isalpha((unsigned char)*p))
        w = mc_half(w);
    if (isalpha((unsigned char)p[0]))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
