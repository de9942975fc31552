/* A causal mask that is added to the scores twice: for order and for padding. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *bias(mc_tensor *allowed, mc_dtype d)
{
    mc_tensor *zero = mc_zeros(mc_shape(4, 4), .dtype = d);
    return mc_masked_fill(zero, mc_logical_not(allowed), -10000.0);
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && !strcmp(argv[1], "half") ? MC_F16 : MC_F32;
    mc_tensor *order = mc_bool(mc_tril(mc_ones(mc_shape(4, 4)), -1));
    mc_tensor *padding = mc_bool(mc_zeros(mc_shape(4, 4)));
    mc_tensor *scores = mc_full(mc_shape(4, 4), 2.0, .dtype = d);
    mc_tensor *all = mc_add(mc_add(scores, bias(order, d)), bias(padding, d));
    mc_print(mc_softmax(all, -1));
    return 0;
}
