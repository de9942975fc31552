#include <memory>
#include <miscast/tensor.h>

/* A layer takes over the constructors of its base, which takes over those of its own. */
struct sized {
    mc_tensor *w;
    explicit sized(mc_dtype d, int n = 4) : w(mc_randn(mc_shape(n, n), .dtype = d))
    {
    }
};

struct biased : sized {
    using sized::sized;
    mc_tensor *b = nullptr;
};

struct layer : biased {
    using biased::biased;
    mc_tensor *forward(mc_tensor *x) const
    {
        mc_tensor *y = mc_matmul(x, w);
        return b ? mc_add(y, b) : y;
    }
};

int main()
{
    auto first = std::make_unique<layer>(MC_F32);
    layer second(MC_F16);
    mc_print(second.forward(first->forward(mc_ones(mc_shape(2, 4)))));
    return 0;
}
