#include <cstring>
#include <map>
#include <miscast/tensor.h>
#include <string>
#include <unordered_map>

/* Each casts all items of a map, in one of the ways to go over them. */
struct layer {
    std::map<std::string, mc_tensor *> weights;
    std::unordered_map<std::string, mc_tensor *> biases, scales;

    layer()
    {
        weights["weight"] = mc_randn(mc_shape(4, 4));
        biases.emplace("bias", mc_zeros(mc_shape(4)));
        scales.insert({"scale", mc_ones(mc_shape(4, 4))});
    }

    void to(mc_dtype dtype)
    {
        for (auto &item : weights)
            item.second = mc_to_dtype(item.second, dtype);
        for (auto &[name, bias] : biases)
            bias = mc_to_dtype(bias, dtype);
        for (auto at = scales.begin(); at != scales.end(); ++at)
            at->second = mc_to_dtype(at->second, dtype);
    }

    mc_tensor *forward(mc_tensor *x) const
    {
        mc_tensor *y = mc_linear(x, weights.at("weight"), biases.at("bias"));
        return mc_matmul(y, scales.at("scale"));
    }
};

int main(int argc, char **argv)
{
    layer l;
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    if (argc > 1 && !strcmp(argv[1], "--half")) {
        l.to(MC_F16);
        mc_print(x);
    }
    mc_print(l.forward(x));
    return 0;
}
