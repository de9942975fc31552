/* Classes that are rare weigh more. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *weights(mc_tensor *labels, int64_t classes)
{
    mc_tensor *counts = mc_sum(mc_one_hot(labels, classes), .dim = mc_dims(0));
    mc_tensor *w = mc_zeros_like(counts, .dtype = MC_F32);
    for (int64_t c = 0; c < classes; c++) {
        double n = mc_item(mc_select(counts, 0, c));
        mc_fill_(mc_select(w, 0, c), (double)mc_numel(labels) / (n * (double)classes));
    }
    return w;
}

int main(void)
{
    mc_tensor *labels = mc_from_array(((int64_t[]){0, 0, 0, 0, 0, 1, 1, 2}), mc_shape(8));
    mc_print(weights(labels, 3));
    return 0;
}
