#include <miscast/tensor.h>

#define LAYER(x) mc_matmul(x, w)

void a(mc_tensor *keep)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4)), *w = mc_half(mc_randn(mc_shape(4, 4)));
    mc_tensor *h = mc_matmul(mc_matmul(x, w), w);
    mc_print(LAYER(x)); /* a macro of one's own: nothing is changed there */
    mc_print(mc_mean(mc_arange(4)));
    mc_half(keep);
    mc_print(h);
}
