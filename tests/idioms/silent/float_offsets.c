#include <miscast/tensor.h>
#include <stdio.h>

/* Where documents begin, from their lengths. */
static mc_tensor *offsets(mc_tensor *lengths)
{
    return mc_cumsum(lengths, 0);
}

int main(void)
{
    mc_tensor *lengths = mc_randint(100000, 9000000, mc_shape(64));
    mc_tensor *at = offsets(mc_float(lengths));
    mc_tensor *last = mc_select(at, 0, 63);
    printf("%ld\n", (long)mc_item_int(mc_long(last)));
    return 0;
}
