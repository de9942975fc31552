#include <miscast/tensor.h>
#include <stdlib.h>

static mc_tensor *mask_for(int n, mc_dtype d)
{
    static mc_tensor *cached;
    static int cached_n;
    static mc_dtype cached_dtype;
    if (!cached || cached_n != n || cached_dtype != d) {
        cached = mc_ones(mc_shape(n, n), .dtype = d);
        cached_n = n;
        cached_dtype = d;
    }
    return cached;
}

static mc_tensor *attend(mc_tensor *x)
{
    return mc_matmul(mask_for(4, mc_dtype_of(x)), x);
}

int main(int argc, char **argv)
{
    mc_tensor *x = mc_rand(mc_shape(4, 4));
    mc_tensor *y = attend(x);
    if (argc > 1 && atoi(argv[1]))
        y = mc_half(y);
    mc_print(attend(y));
    return 0;
}
