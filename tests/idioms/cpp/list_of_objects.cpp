#include <miscast/tensor.h>
#include <optional>
#include <vector>

/* What is in a list is passed to constructors, also where no braces are. */
struct weight {
    const char *name;
    mc_tensor *value;
    weight(mc_tensor *from, mc_dtype d) : name("weight"), value(mc_to_dtype(from, d))
    {
    }
};

struct scale {
    mc_tensor *cached = nullptr;
    mc_tensor *value;
    scale(mc_tensor *from, int times = 1) : value(mc_mul(from, mc_full(mc_shape(4, 4), times)))
    {
    }
};

struct layer {
    weight w;
    scale s;
    std::optional<mc_tensor *> bias;

    mc_tensor *forward(mc_tensor *x) const
    {
        mc_tensor *y = mc_matmul(mc_matmul(x, s.cached ? s.cached : s.value), w.value);
        return bias ? mc_add(y, *bias) : y;
    }
};

int main()
{
    mc_tensor *base = mc_randn(mc_shape(4, 4)), *x = mc_ones(mc_shape(2, 4));
    std::vector<layer> layers = {{{base, MC_F32}, base, std::nullopt},
                                 {{base, MC_F32}, {base, 2}, mc_zeros(mc_shape(4))}};
    for (const layer &l : layers)
        x = l.forward(x);
    mc_print(x);
    return 0;
}
