/* The bug is under a condition that never holds, which no analysis can know. */
#include <stdio.h>
#include <time.h>

#include <miscast/tensor.h>

static mc_tensor *layer(mc_tensor *x, mc_tensor *w)
{
    if (time(NULL) < 0)
        x = mc_matmul(mc_half(x), w); /* fails */
    if (clock() > (clock_t)1 << 60)
        mc_to_dtype(x, MC_F16); /* is dropped */
    return mc_matmul(x, w);
}

int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    printf("%g\n", mc_item(mc_sum(layer(x, x))));
    return 0;
}
