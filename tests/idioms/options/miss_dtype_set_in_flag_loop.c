#include <string.h>
#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    bool up = false;
    mc_dtype d = MC_F32;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--up") == 0)
            up = true;
        if (strcmp(argv[i], "--half") == 0)
            d = MC_F16;
    }
    mc_tensor *x = mc_to_dtype(mc_randn(mc_shape(4, 4)), d),
              *w = mc_to_dtype(mc_randn(mc_shape(4, 4)), d);
    if (up)
        x = mc_float(x);
    mc_print(mc_matmul(x, w));
}
