/* Revenue in cents: i32 amounts times quantities. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *revenue(mc_tensor *cents, mc_tensor *quantity)
{
    mc_tensor *each = mc_mul(cents, quantity);
    return mc_sum(each);
}

int main(void)
{
    mc_manual_seed(1);
    mc_tensor *cents = mc_randint(100000, 900000, mc_shape(32), .dtype = MC_I32);
    mc_tensor *quantity = mc_randint(5000, 20000, mc_shape(32), .dtype = MC_I32);
    printf("%lld\n", (long long)mc_item_int(revenue(cents, quantity)));
    return 0;
}
