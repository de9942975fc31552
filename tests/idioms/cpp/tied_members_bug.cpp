#include <miscast/tensor.h>
#include <tuple>
#include <utility>

/* Weights are replaced by std::tie: whatever they were before, both are f16 then. */
struct layer {
    mc_tensor *weight, *scale;
};

static std::pair<mc_tensor *, mc_tensor *> halved(const layer &l)
{
    return {mc_half(l.weight), mc_half(l.scale)};
}

int main(void)
{
    layer l = {mc_randn(mc_shape(4, 4)), mc_ones(mc_shape(4, 4))};
    std::tie(l.weight, l.scale) = halved(l);
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    mc_print(mc_matmul(mc_matmul(x, l.weight), l.scale));
    return 0;
}
