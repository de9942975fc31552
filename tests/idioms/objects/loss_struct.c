#include <miscast/tensor.h>
struct out {
    mc_tensor *loss, *y;
};
static struct out step(mc_tensor *x, mc_tensor *w)
{
    struct out o;
    o.y = mc_matmul(x, w);
    o.loss = mc_mean(mc_pow(o.y, 2));
    return o;
}
int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .requires_grad = true), *x = mc_randn(mc_shape(4, 4));
    for (int i = 0; i < 100; i++) {
        struct out o = step(x, w);
        mc_backward(o.loss);
        mc_set_grad(w, NULL);
    }
}
