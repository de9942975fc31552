/* A recurrent cell keeps its state in a struct; the step before it, in a loop. */
#include <miscast/tensor.h>
#include <stdio.h>

struct cell {
    mc_tensor *c, *h, *decay;
};

static mc_tensor *cell_step(struct cell *s, mc_tensor *x)
{
    mc_tensor *in = mc_sigmoid(x), *next = mc_tanh(mc_add(x, s->h));
    s->c = mc_add(mc_mul(s->c, s->decay), mc_mul(in, next));
    s->h = mc_mul(mc_sigmoid(next), mc_tanh_(s->c));
    return s->h;
}

int main(void)
{
    struct cell s = {mc_zeros(mc_shape(3)), mc_zeros(mc_shape(3)), mc_full(mc_shape(3), 0.9)};
    mc_tensor *x = mc_linspace(1.0, 2.0, 3), *y = NULL;
    for (int i = 0; i < 4; i++)
        y = cell_step(&s, x);
    printf("%g\n", mc_item(mc_sum(y)));
    return 0;
}
