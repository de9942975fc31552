#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

static struct {
    mc_tensor *positions;
    mc_dtype dtype;
    int64_t length;
} cache;

static mc_tensor *positions(int64_t length, mc_dtype dtype)
{
    if (!cache.positions || cache.length < length) {
        cache.positions = mc_to_dtype(mc_randn(mc_shape(length, 4)), dtype);
        cache.dtype = dtype;
        cache.length = length;
    }
    return mc_narrow(cache.positions, 0, 0, length);
}

static mc_tensor *encode(mc_tensor *x)
{
    mc_tensor *p = positions(mc_size(x, 0), mc_dtype_of(x));
    return mc_matmul(mc_add(x, 1), mc_t(p));
}

int main(int argc, char **argv)
{
    mc_print(encode(mc_rand(mc_shape(6, 4))));
    if (argc > 1 && !strcmp(argv[1], "both"))
        mc_print(encode(mc_half(mc_rand(mc_shape(3, 4)))));
    return 0;
}
