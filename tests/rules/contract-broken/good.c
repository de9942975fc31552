#include <miscast/tensor.h>

static mc_tensor *normalise(mc_tensor *x)
{
    MC_EXPECT(x, MC_F32, MC_ANY_DEVICE);
    return mc_softmax(x, -1);
}

mc_tensor *nobody_calls(mc_tensor *x)
{
    MC_EXPECT(x, MC_FLOATING, MC_CUDA);
    return mc_exp(x);
}

int main(void)
{
    double numbers[4] = {1, 2, 3, 4};
    mc_print(normalise(mc_float(mc_from_array(numbers, mc_shape(4)))));
    return 0;
}
