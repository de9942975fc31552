#include <miscast/tensor.h>
#include <string.h>

struct run {
    int half : 1, conv : 1, bias : 1;
};

int main(int argc, char **argv)
{
    bool half = false, conv = false, bias = false;
    while (argc-- > 1) {
        char *a = *++argv;
        if (a[0] == '-' && a[1] == '-') {
            if (!strcmp(a + 2, "half"))
                half = true;
            else if (!strcmp(a + 2, "conv"))
                conv = true;
            else if (!strcmp(a + 2, "bias"))
                bias = true;
        }
    }
    mc_dtype d = half ? MC_BF16 : MC_F32;
    mc_tensor *x = mc_randn(mc_shape(1, 3, 8, 8), .dtype = d);
    if (conv) {
        mc_tensor *w = mc_randn(mc_shape(4, 3, 3, 3), .dtype = d);
        mc_tensor *b = bias ? mc_zeros(mc_shape(4)) : NULL;
        x = mc_conv2d(x, w, b);
    }
    mc_print(mc_mean(x));
    return 0;
}
