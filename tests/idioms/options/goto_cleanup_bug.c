#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct model {
    mc_tensor *w;
    mc_optimizer *opt;
    double *history;
};

static int train(const char *how, int steps)
{
    int status = -1;
    struct model m = {0};
    m.history = calloc((size_t)steps, sizeof *m.history);
    if (!m.history)
        goto out;
    m.w = mc_randn(mc_shape(3, 4));
    if (!strcmp(how, "half"))
        m.w = mc_half(m.w);
    else if (strcmp(how, "full") != 0)
        goto out;
    mc_requires_grad_(m.w, true);
    m.opt = mc_sgd(mc_params(m.w), 0.1);
    if (!m.opt)
        goto out;
    mc_tensor *x = mc_ones(mc_shape(2, 4));
    for (int i = 0; i < steps; i++) {
        mc_tensor *loss = mc_mean(mc_square(mc_linear(x, m.w, NULL)));
        m.history[i] = mc_item(loss);
        mc_optimizer_zero_grad(m.opt);
        mc_backward(loss);
        mc_optimizer_step(m.opt);
    }
    status = 0;
out:
    if (m.opt)
        mc_optimizer_free(m.opt);
    free(m.history);
    return status;
}

int main(int argc, char **argv)
{
    if (train(argc > 1 ? argv[1] : "full", 3) < 0) {
        fprintf(stderr, "usage: %s full|half\n", argv[0]);
        return 1;
    }
    return 0;
}
