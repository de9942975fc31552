/* Undo a bad step: the weights before it are put back. */
#include <miscast/tensor.h>
#include <stdio.h>

static double loss_at(mc_tensor *w)
{
    return mc_item(mc_sum(mc_square(w)));
}

int main(void)
{
    mc_tensor *w = mc_ones(mc_shape(4));
    double before = loss_at(w);
    mc_tensor *saved = mc_clone(w);
    mc_sub_(w, mc_full(mc_shape(4), 5.0));
    if (loss_at(w) > before)
        mc_copy_(w, saved);
    printf("%g, %g\n", before, loss_at(w));
    return 0;
}
