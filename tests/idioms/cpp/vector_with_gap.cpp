#include <miscast/tensor.h>
#include <vector>

/* The first layer has none. */
struct adapter {
    std::vector<mc_tensor *> tensors;
    void init(int layers)
    {
        tensors.reserve(layers);
        tensors.push_back(nullptr);
        for (int i = 1; i < layers; i++)
            tensors.push_back(mc_ones(mc_shape(4)));
    }
    mc_tensor *apply(mc_tensor *x, int layers) const
    {
        for (int i = 1; i < layers; i++)
            x = mc_add(x, tensors[i]);
        return x;
    }
};

int main(int argc, char **)
{
    adapter a;
    a.init(argc + 2);
    mc_print(a.apply(mc_ones(mc_shape(2, 4)), argc + 2));
    return 0;
}
