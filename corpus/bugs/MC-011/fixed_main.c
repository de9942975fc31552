/* Runs worker 0 in bf16. */
#include <stdio.h>

#include "model.h"

int main(void)
{
    struct model m;
    model_load(&m, 0, MC_BF16);
    mc_tensor *x = mc_randn(mc_shape(3, WIDTH), .dtype = MC_BF16);
    mc_tensor *y = model_forward(&m, x);
    printf("%s (%d, %d)\n", mc_dtype_name(mc_dtype_of(y)), (int)mc_size(y, 0), (int)mc_size(y, 1));
    return 0;
}
