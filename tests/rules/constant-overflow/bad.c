#include <float.h>

#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *scores = mc_half(mc_randn(mc_shape(4, 4))), *mask = mc_gt(scores, 0);
    switch (argc) {
    case 1:
        mc_print(mc_masked_fill(scores, mask, -1e9)); /* expect: constant-overflow error */
        break;
    case 2:
        mc_masked_fill_(scores, mask, -FLT_MAX); /* expect: constant-overflow error */
        break;
    case 3:
        mc_fill_(mc_zeros(mc_shape(4), .dtype = MC_U8), 300); /* expect: constant-overflow error */
        break;
    default:
        mc_print(mc_full(mc_shape(2), 1e6, .dtype = MC_F16)); /* expect: constant-overflow error */
    }
    return 0;
}

/* Whatever it is: the dtype is known. */
void known(mc_tensor *x)
{
    mc_tensor *half = mc_half(x);
    mc_tensor *like = mc_zeros(mc_shape(4), .dtype = mc_dtype_of(half), .device = mc_device_of(x));
    mc_print(mc_masked_fill(like, mc_gt(like, 0), -1e9)); /* expect: constant-overflow error */
}
