#include <miscast/tensor.h>
#include <optional>

struct options {
    std::optional<mc_dtype> dtype;
};

static mc_tensor *make(const options &o)
{
    return mc_randn(mc_shape(4, 4), .dtype = o.dtype ? *o.dtype : MC_F32);
}

int main()
{
    options o;
    o.dtype = MC_F16;
    mc_print(mc_matmul(mc_ones(mc_shape(2, 4)), make(o)));
    return 0;
}
