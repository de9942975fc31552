/* SGD with momentum; the look-ahead is an option. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct sgd {
    mc_tensor *momentum;
    bool nesterov;
};

static void step(struct sgd *s, mc_tensor *w, mc_tensor *g, double lr)
{
    mc_add_(mc_mul_(s->momentum, 0.9), g);
    mc_tensor *update = s->nesterov ? mc_add(g, s->momentum, .alpha = MC_NUM(0.9)) : s->momentum;
    mc_sub_(w, mc_mul(update, lr));
}

int main(int argc, char **argv)
{
    struct sgd s = {mc_zeros(mc_shape(4)), argc > 1 && !strcmp(argv[1], "--nesterov")};
    mc_tensor *w = mc_zeros(mc_shape(4)), *g = mc_ones(mc_shape(4));
    for (int i = 0; i < 10; i++)
        step(&s, w, g, 0.1);
    printf("%g\n", mc_item(mc_mean(w)));
    return 0;
}
