#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *n = argv[1];
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (!strcmp(n, "h"))
        w = mc_half(w);
    if (!strcmp(n, "h"))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}
