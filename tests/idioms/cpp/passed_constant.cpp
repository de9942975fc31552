#include <memory>
#include <miscast/tensor.h>
#include <utility>
#include <vector>

struct layer {
    virtual ~layer() = default;
    virtual mc_tensor *forward(mc_tensor *x) = 0;
};

struct linear final : layer {
    mc_tensor *w;
    linear(mc_dtype d, int n) : w(mc_randn(mc_shape(n, n), .dtype = d))
    {
    }
    mc_tensor *forward(mc_tensor *x) override
    {
        return mc_matmul(x, w);
    }
};

/* The arguments are passed on by reference, also those that are names of constants. */
struct network {
    std::vector<std::unique_ptr<layer>> layers;

    template <class T, class... Args> T *add(Args &&...args)
    {
        auto made = std::make_unique<T>(std::forward<Args>(args)...);
        T *at = made.get();
        layers.push_back(std::move(made));
        return at;
    }
};

int main()
{
    network net;
    net.add<linear>(MC_F32, 4);
    linear *last = net.add<linear>(MC_F32, 4);
    mc_tensor *x = mc_ones(mc_shape(2, 4));
    for (auto &l : net.layers)
        x = l.get() == last ? x : l->forward(x);
    mc_print(mc_matmul(x, last->w));
    return 0;
}
