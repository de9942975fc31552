/* Confusion matrix of a segmentation: class of each pixel, as bytes. */
#include <miscast/tensor.h>
#include <stdio.h>

#define CLASSES 21

static mc_tensor *confusion(mc_tensor *truth, mc_tensor *pred)
{
    mc_tensor *flat = mc_add(mc_mul(mc_long(truth), CLASSES), pred);
    mc_tensor *index = mc_flatten(flat, 0, -1);
    mc_tensor *m = mc_zeros(mc_shape(CLASSES * CLASSES), .dtype = MC_I64);
    mc_scatter_add_(m, 0, index, mc_ones_like(index));
    return mc_view(m, CLASSES, CLASSES);
}

int main(void)
{
    mc_manual_seed(7);
    mc_tensor *truth = mc_randint(0, CLASSES, mc_shape(2, 16, 16), .dtype = MC_U8);
    mc_tensor *m = confusion(truth, mc_clone(truth));
    int64_t diagonal = 0;
    for (int64_t c = 0; c < CLASSES; c++)
        diagonal += mc_item_int(mc_select(mc_select(m, 0, c), 0, c));
    printf("%lld of %lld right\n", (long long)diagonal, (long long)mc_numel(truth));
    return 0;
}
