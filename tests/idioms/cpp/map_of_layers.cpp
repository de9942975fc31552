#include <map>
#include <memory>
#include <miscast/tensor.h>
#include <string>

struct layer {
    std::map<std::string, mc_tensor *> params;
    std::map<std::string, std::shared_ptr<layer>> layers;
    virtual ~layer() = default;
    virtual void make(mc_dtype)
    {
    }
    void init(mc_dtype d, std::string prefix)
    {
        if (!prefix.empty())
            prefix = prefix + ".";
        make(d);
        for (auto &pair : layers)
            pair.second->init(d, prefix + pair.first);
    }
};

struct linear : layer {
    int in, out;
    linear(int in, int out) : in(in), out(out)
    {
    }
    void make(mc_dtype d) override
    {
        params["weight"] = mc_ones(mc_shape(in, out), .dtype = d);
    }
    mc_tensor *forward(mc_tensor *x)
    {
        return mc_matmul(x, params["weight"]);
    }
};

struct net : layer {
    net()
    {
        layers["first"] = std::shared_ptr<layer>(new linear(4, 4));
    }
    mc_tensor *forward(mc_tensor *x)
    {
        auto first = std::dynamic_pointer_cast<linear>(layers["first"]);
        return first->forward(x);
    }
};

int main()
{
    net n;
    n.init(MC_F32, "net");
    mc_print(n.forward(mc_ones(mc_shape(2, 4))));
    return 0;
}
