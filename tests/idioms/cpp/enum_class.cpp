#include <miscast/tensor.h>

enum class precision { full, half };

static mc_dtype dtype_of(precision p)
{
    switch (p) {
    case precision::half:
        return MC_F16;
    case precision::full:
        break;
    }
    return MC_F32;
}

int main(int argc, char **)
{
    auto p = argc > 1 ? precision::half : precision::full;
    auto w = mc_randn(mc_shape(4, 4), .dtype = dtype_of(p));
    auto x = mc_ones(mc_shape(2, 4), .dtype = dtype_of(p));
    mc_print(mc_matmul(x, w));
    return 0;
}
