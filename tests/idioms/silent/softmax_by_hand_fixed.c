/* Softmax written out, since the ONNX export needed it that way. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <unistd.h>

static mc_tensor *softmax(mc_tensor *x)
{
    x = mc_sub(x, mc_amax(x, .dim = mc_dims(-1), .keepdim = true));
    mc_tensor *e = mc_exp(x);
    return mc_div(e, mc_sum(e, .dim = mc_dims(-1), .keepdim = true));
}

int main(int argc, char **argv)
{
    mc_dtype dtype = MC_F32;
    int c;
    while ((c = getopt(argc, argv, "hb")) != -1)
        dtype = c == 'h' ? MC_F16 : c == 'b' ? MC_BF16 : dtype;
    mc_manual_seed(1);
    mc_tensor *q = mc_mul(mc_randn(mc_shape(4, 16), .dtype = dtype), 8.0);
    mc_tensor *p = softmax(q);
    printf("%g\n", mc_item(mc_sum(mc_float(p))));
    return 0;
}
