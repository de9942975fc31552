/* All weights start at one. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    mc_tensor *w = mc_empty(mc_shape(8));
    mc_fill_(w, 1.0);
    printf("%g\n", mc_item(mc_mean(w)));
    return 0;
}
