#include <miscast/tensor.h>
#include <stdlib.h>

static void swap(mc_tensor **a, mc_tensor **b)
{
    mc_tensor *t = *a;
    *a = *b;
    *b = t;
}

static mc_tensor *layer(mc_tensor *x, mc_tensor *w, int n, int mode)
{
    if (n <= 0)
        return x;
    mc_tensor *h = mc_sigmoid(mc_isfinite(w));
    for (int i = 0; i < 2; i++)
        swap(&x, &h);
    if (mode == 1)
        mc_print(mc_lerp(x, w, 0.5));
    return layer(w, w, n - 1, mode);
}

int main(int argc, char **argv)
{
    mc_dtype dtype = argc > 1 && atoi(argv[1]) ? MC_BF16 : MC_F32;
    mc_tensor *w = mc_zeros(mc_shape(4, 4), .dtype = dtype);
    layer(w, w, argc > 2 ? atoi(argv[2]) : 1, argc > 3 ? atoi(argv[3]) : 0);
    return 0;
}
