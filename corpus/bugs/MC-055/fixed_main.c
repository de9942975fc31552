/* The program that uses it has floats. */
#include <stdio.h>

#include "module.h"

int main(void)
{
    float samples[4] = {0.1f, 0.2f, 0.3f, 0.4f};
    struct module m;
    module_load(&m);
    mc_tensor *x = mc_from_blob(samples, mc_shape(4, 1));
    x = mc_to_dtype(x, mc_dtype_of(m.w1));
    mc_tensor *y = module_forward(&m, x);
    for (int i = 0; i < 4; i++)
        printf("%.2f\n", mc_item(mc_select(y, 0, i)));
    return 0;
}
