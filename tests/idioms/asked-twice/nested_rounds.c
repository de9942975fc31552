/* A loop inside of another one: the inner one has ended before the outer one goes on. */
#include <miscast/tensor.h>

static void spin(void)
{
    int left = 3;
    while (left-- > 0)
        for (int i = 0; i < 2; i++) {
        }
}

static void step(mc_tensor *y)
{
    mc_tensor *loss = mc_mean(y);
    if (mc_requires_grad(loss))
        mc_backward(loss, .retain_graph = true);
    mc_grad_mode mode = mc_no_grad_begin();
    mc_mul_(y, 2);
    mc_grad_mode_end(mode);
}

int main(int argc, char **argv)
{
    mc_tensor *w[3];
    for (int i = 0; i < 3; i++)
        w[i] = mc_rand(mc_shape(4, 4));
    if (argc > 3)
        mc_requires_grad_(w[0], true);
    spin();
    if (!mc_requires_grad(w[0]))
        mc_exp_(w[0]);
    step(w[0]);
    step(w[0]);
    return 0;
}
