#include <miscast/tensor.h>
#include <vector>

struct block {
    mc_tensor *q, *k;
};

int main()
{
    std::vector<block> blocks;
    for (int i = 0; i < 3; i++)
        blocks.push_back({mc_randn(mc_shape(4, 4)), mc_randn(mc_shape(4, 4), .dtype = MC_F16)});
    mc_tensor *x = mc_ones(mc_shape(2, 4));
    for (size_t i = 0; i < blocks.size(); ++i) {
        const block &b = blocks[i];
        x = mc_matmul(x, b.q);
    }
    mc_print(x);
    return 0;
}
