#include <miscast/tensor.h>

mc_tensor *weights(void)
{
    mc_tensor *h = mc_arange(4);
    mc_tensor *w = mc_full_like(h, 0.5); /* expect: fraction-into-int warning */
    mc_fill_(h, 2.5); /* expect: fraction-into-int warning */
    return mc_add(mc_masked_fill(h, mc_gt(h, 0), -0.5), w); /* expect: fraction-into-int warning */
}

mc_tensor *shares(mc_tensor *counts, double all)
{
    mc_tensor *w = mc_zeros(mc_shape(3), .dtype = MC_I64);
    for (int64_t k = 0; k < 3; k++)
        mc_fill_(mc_select(w, 0, k), /* expect: fraction-into-int warning */
                 mc_item(mc_select(counts, 0, k)) / all);
    return w;
}
