/* The function says what it needs; who gives it something else is told. */
#include <miscast/tensor.h>

static mc_tensor *normalise(mc_tensor *x)
{
    MC_EXPECT(x, MC_F32, MC_ANY_DEVICE);
    return mc_softmax(x, -1);
}

int main(void)
{
    double numbers[4] = {1, 2, 3, 4};
    mc_tensor *x = mc_from_array(numbers, mc_shape(4));
    mc_print(normalise(x)); /* expect: contract-broken error */
    return 0;
}
