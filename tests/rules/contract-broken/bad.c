/* The function says what it needs; who gives it something else is told. */
#include <miscast/tensor.h>

static mc_tensor *normalise(mc_tensor *x)
{
    MC_EXPECT(x, MC_F32, MC_ANY_DEVICE);
    return mc_softmax(x, -1);
}

/* Another caller, another finding; one that does what is asked changes nothing for the others. */
static mc_tensor *counts(void)
{
    mc_print(normalise(mc_ones(mc_shape(4))));
    return normalise(mc_ones(mc_shape(4), .dtype = MC_F16)); /* expect: contract-broken error */
}

int main(void)
{
    double numbers[4] = {1, 2, 3, 4};
    mc_tensor *x = mc_from_array(numbers, mc_shape(4));
    mc_print(normalise(x)); /* expect: contract-broken error */
    mc_print(counts());
    return 0;
}

static void both(mc_tensor *a, mc_tensor *b)
{
    MC_EXPECT(a, MC_I32, MC_CPU);
    MC_EXPECT(b, MC_I32, MC_CPU);
    mc_print(mc_add(a, b));
}

void break_both(void)
{
    both(mc_arange(3), mc_arange(4)); /* expect: contract-broken error, contract-broken error */
}
