#include <miscast/tensor.h>
#include <memory>

struct params {
    mc_tensor *w;
    explicit params(mc_tensor *t) : w(t)
    {
    }
};

struct tied {
    std::shared_ptr<params> in, out;
    mc_tensor *forward(mc_tensor *x) const
    {
        return mc_matmul(mc_matmul(x, in->w), out->w);
    }
};

int main()
{
    auto p = std::make_shared<params>(mc_randn(mc_shape(4, 4)));
    tied t{p, p};
    mc_print(t.forward(mc_ones(mc_shape(2, 4))));
    return 0;
}
