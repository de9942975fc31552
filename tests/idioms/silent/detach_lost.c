/* Truncated backpropagation: the state is detached after each chunk. */
#include <miscast/tensor.h>
#include <stdio.h>

struct cell {
    mc_tensor *w;
    mc_tensor *h;
};

static void end_of_chunk(struct cell *c)
{
    mc_detach(c->h);
}

int main(void)
{
    mc_manual_seed(1);
    struct cell c = {mc_requires_grad_(mc_randn(mc_shape(4, 4)), true), mc_zeros(mc_shape(1, 4))};
    for (int chunk = 0; chunk < 3; chunk++) {
        for (int t = 0; t < 4; t++)
            c.h = mc_tanh(mc_add(mc_matmul(c.h, c.w), 0.1));
        mc_zero_grad(c.w);
        mc_backward(mc_sum(c.h), .retain_graph = true);
        printf("%g\n", mc_item(mc_norm(mc_grad(c.w))));
        end_of_chunk(&c);
    }
    return 0;
}
