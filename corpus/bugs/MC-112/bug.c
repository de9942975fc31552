/* Fits a matrix whose singular values are not to be below one. They are clamped in place, but the
 * way back through the decomposition needs them as they were. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { SIDE = 3 };

static mc_tensor *start(void)
{
    float a[SIDE * SIDE] = {2.0f, 0.3f, 0, 0.1f, 1.5f, 0.2f, 0, 0.4f, 0.5f};
    return mc_from_array(a, mc_shape(SIDE, SIDE), .requires_grad = true);
}

static mc_tensor *spectrum(mc_tensor *a)
{
    mc_tensor *u, *vh;
    mc_tensor *s = mc_svd(a, .u = &u, .vh = &vh);
    mc_clamp_(s, 1.0, NULL);
    return s;
}

static mc_tensor *penalty(mc_tensor *a)
{
    return mc_sum(mc_square(spectrum(a)));
}

static void descend(mc_tensor *a, double lr)
{
    mc_backward(penalty(a)); /* expect: inplace-on-saved */
    mc_grad_mode off = mc_no_grad_begin();
    mc_sub_(a, mc_grad(a), .alpha = MC_NUM(lr));
    mc_grad_mode_end(off);
    mc_zero_grad(a);
}

int main(void)
{
    mc_tensor *a = start();
    for (int i = 0; i < 3; i++)
        descend(a, 0.01);
    printf("the largest is now below 2.1: %d\n", mc_item(mc_amax(mc_svd(mc_detach(a)))) < 2.1);
    return 0;
}
