/* Tuning a model that was loaded in f16: one step is enough. */
#include <stdio.h>

#include "adam.h"

int main(void)
{
    mc_tensor *w = mc_half(mc_ones(mc_shape(6)));
    mc_tensor *grad = mc_full(mc_shape(6), 1e-4, .dtype = MC_F16);
    mc_copy_(mc_narrow(grad, 0, 0, 2), mc_zeros(mc_shape(2))); /* a frozen part */
    struct adam a = adam_new(w, 1e-3);
    adam_step(&a, w, grad);
    bool sound = mc_item(mc_all(mc_isfinite(w))) != 0;
    printf("after a step the weights %s\n", sound ? "are numbers" : "are not all numbers");
    return !sound;
}
