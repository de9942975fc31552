/* Layer norm as in a blog post. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *norm(mc_tensor *x)
{
    mc_tensor *mean = mc_mean(x, .dim = mc_dims(-1), .keepdim = true);
    mc_tensor *centred = mc_sub(x, mean);
    mc_tensor *var = mc_mean(mc_square(centred), .dim = mc_dims(-1), .keepdim = true);
    return mc_div(centred, mc_sqrt(mc_add(var, 1e-5)));
}

int main(void)
{
    mc_tensor *x = mc_half(mc_full(mc_shape(2, 8), 0.5));
    printf("%g\n", mc_item(mc_sum(mc_float(norm(x)))));
    return 0;
}
