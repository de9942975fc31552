/* Composite keys: user * items + item, in the dtype of the log. */
#include <miscast/tensor.h>
#include <stdio.h>

#define ITEMS 50000

static mc_tensor *keys(mc_tensor *user, mc_tensor *item)
{
    return mc_long(mc_add(mc_mul(user, (double)ITEMS), item));
}

int main(void)
{
    mc_manual_seed(3);
    mc_tensor *user = mc_float(mc_randint(0, 100000, mc_shape(64)));
    mc_tensor *item = mc_float(mc_randint(0, ITEMS, mc_shape(64)));
    mc_tensor *k = keys(user, item);
    mc_tensor *back = mc_remainder(k, ITEMS);
    printf("%lld wrong\n", (long long)mc_item_int(mc_sum(mc_ne(back, mc_long(item)))));
    return 0;
}
