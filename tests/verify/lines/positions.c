/* The dtype is not written at the call: widening what is written there shows nothing. */
#include <miscast/tensor.h>

static mc_tensor *positions(int n, mc_dtype dtype)
{
    return mc_arange(n, .dtype = dtype);
}

int main(void)
{
    mc_print(positions(1024, MC_BF16));
    return 0;
}
