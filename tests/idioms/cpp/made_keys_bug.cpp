// Keys of a map are made from texts and numbers, and passed to a function.
#include <miscast/tensor.h>
#include <map>
#include <string>

struct described {
    const char *name;
    mc_dtype type;
};
static const described inputs[] = {{"mask", MC_F16}, {"x", MC_F32}};

using tensors = std::map<std::string, mc_tensor *>;

static mc_tensor *get(const tensors &t, const std::string &name)
{
    return t.at(name);
}

int main(int argc, char **)
{
    tensors t;
    for (const auto &d : inputs)
        t[d.name] = mc_ones(mc_shape(4, 4), .dtype = d.type);
    for (int i = 0; i < argc; i++) {
        std::string p = "blk." + std::to_string(i);
        p += '.';
        t[p + "weight"] = mc_ones(mc_shape(4, 4), .dtype = MC_F16);
        t[p + "norm"] = mc_ones(mc_shape(4, 4), .dtype = MC_F32);
    }
    mc_tensor *x = get(t, "x");
    for (int i = 0; i < argc; i++)
        x = mc_matmul(x, get(t, "blk." + std::to_string(i) + ".weight"));
    mc_print(x);
    return 0;
}
