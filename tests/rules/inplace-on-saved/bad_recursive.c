/* Each instance multiplies what the one before it made, and changes the factor that it saved. */
#include <miscast/tensor.h>

#include <stdlib.h>

static mc_tensor *descend(mc_tensor *x, int depth)
{
    if (depth <= 0)
        return x;
    mc_tensor *w = mc_requires_grad_(mc_full(mc_shape(4, 4), 0.5), true);
    mc_tensor *y = mc_mul(x, w);
    mc_backward(mc_sum(y), .retain_graph = true); /* expect: inplace-on-saved warning */
    mc_grad_mode mode = mc_no_grad_begin();
    mc_exp_(w);
    mc_grad_mode_end(mode);
    return descend(y, depth - 1);
}

int main(int argc, char **argv)
{
    mc_print(descend(mc_zeros(mc_shape(4, 4)), argc > 1 ? atoi(argv[1]) : 1));
    return 0;
}
