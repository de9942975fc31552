#include <miscast/tensor.h>
#include <string.h>
int main(int argc, char **argv)
{
    const char *a = argc > 1 ? argv[1] : "float";
    mc_dtype d = MC_F32;
    if (strcmp(a, "half") == 0)
        d = MC_F16;
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = d), *w = mc_randn(mc_shape(4, 4));
    if (strncmp(a, "half", 5) == 0)
        w = mc_half(w);
    mc_print(mc_matmul(x, w));
}
