/* Colours of a small strip of labels. */
#include <miscast/tensor.h>
#include <stdio.h>

int main(void)
{
    float colours[] = {0, 10, 20, 30};
    uint8_t labels[] = {3, 0, 2, 1};
    mc_tensor *palette = mc_from_array(colours, mc_shape(4));
    mc_tensor *strip = mc_index(palette, mc_long(mc_from_array(labels, mc_shape(4))));
    printf("first %g of %lld\n", mc_item(mc_select(strip, 0, 0)), (long long)mc_numel(strip));
    return 0;
}
