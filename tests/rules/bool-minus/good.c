#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *ids = mc_arange(4), *mask = mc_eq(ids, 0);
    mc_print(mc_logical_not(mask));
    mc_print(mc_rsub(mc_int(mask), 1));
    mc_print(mc_bitwise_xor(mask, mc_gt(ids, 2)));
    mc_print(mc_sub(ids, 1));
    return 0;
}
