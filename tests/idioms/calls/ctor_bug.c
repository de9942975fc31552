#include <miscast/tensor.h>

static mc_tensor *table, *bias;

__attribute__((constructor)) static void make_bias(void)
{
    bias = mc_zeros(mc_shape(4));
}

__attribute__((constructor(101))) static void make_table(void)
{
    table = mc_randn(mc_shape(4, 4), .dtype = MC_F16);
}

int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    mc_print(mc_add(mc_matmul(x, table), bias));
    return 0;
}
