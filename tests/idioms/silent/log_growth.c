/* Growth rates of a slow process, as logarithms. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *growth(mc_tensor *rate)
{
    return mc_log(mc_add(rate, 1.0));
}

int main(void)
{
    mc_tensor *rate = mc_full(mc_shape(16), 2e-9);
    printf("%g\n", mc_item(mc_sum(growth(rate))));
    return 0;
}
