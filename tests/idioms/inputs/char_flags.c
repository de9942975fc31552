#include <miscast/tensor.h>

/* tar style: prog hg  */
int main(int argc, char **argv)
{
    bool half = false, gelu = false, norm = false;
    for (const char *c = argc > 1 ? argv[1] : ""; *c; c++) {
        if (*c == 'h')
            half = true;
        else if (*c == 'g')
            gelu = true;
        else if (*c == 'n')
            norm = true;
    }
    mc_dtype d = half ? MC_F16 : MC_F32;
    mc_tensor *x = mc_randn(mc_shape(2, 8), .dtype = d), *w = mc_randn(mc_shape(8, 8), .dtype = d);
    mc_tensor *scale = mc_ones(mc_shape(8, 8));
    mc_tensor *y = mc_matmul(x, w);
    y = gelu ? mc_gelu(y) : mc_relu(y);
    if (norm)
        y = mc_matmul(y, scale);
    mc_print(y);
    return 0;
}
