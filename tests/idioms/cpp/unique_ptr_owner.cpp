#include <miscast/tensor.h>
#include <memory>

struct tensor_deleter {
    void operator()(mc_tensor *t) const
    {
        mc_free(t);
    }
};
using tensor = std::unique_ptr<mc_tensor, tensor_deleter>;

int main()
{
    tensor x(mc_ones(mc_shape(2, 4)));
    tensor w(mc_randn(mc_shape(4, 4)));
    w.reset(mc_randn(mc_shape(4, 4)));
    mc_print(mc_matmul(x.get(), w.get()));
    return 0;
}
