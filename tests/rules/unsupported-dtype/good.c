#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *ids = mc_arange(4);
    mc_print(mc_softmax(ids, -1, .dtype = MC_F32));
    mc_print(mc_relu(ids));
    mc_print(mc_exp(ids));
    mc_print(mc_matmul(ids, ids));
    mc_print(mc_one_hot(ids, 4));
    return 0;
}
