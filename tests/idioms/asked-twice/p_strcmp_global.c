#include <miscast/tensor.h>
#include <string.h>

static const char *mode = "f";
int main(int argc, char **argv)
{
    if (argc > 1)
        mode = argv[1];
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (!strcmp(mode, "h"))
        w = mc_half(w);
    if (!strcmp(mode, "h"))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}
