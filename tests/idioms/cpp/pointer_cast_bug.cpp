#include <memory>
#include <miscast/tensor.h>
#include <vector>

struct block {
    virtual ~block() = default;
};
struct linear final : block {
    mc_tensor *w;
    explicit linear(mc_dtype d) : w(mc_randn(mc_shape(4, 4), .dtype = d))
    {
    }
};
struct activation final : block {
    bool is_smooth = true;
};

int main()
{
    std::vector<std::shared_ptr<block>> blocks;
    blocks.emplace_back(new linear(MC_BF16));
    blocks.emplace_back(new activation());
    mc_tensor *x = mc_ones(mc_shape(2, 4));
    for (auto &b : blocks) {
        if (auto *l = dynamic_cast<linear *>(b.get()))
            x = mc_matmul(x, l->w);
        else
            x = mc_relu(x);
    }
    auto first = std::dynamic_pointer_cast<linear>(blocks[0]);
    mc_print(mc_matmul(x, first->w));
    return 0;
}
