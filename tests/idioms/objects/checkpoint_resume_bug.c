#include <miscast/tensor.h>
#include <stdbool.h>
#include <string.h>

/* Saved weights are kept in f16; training goes on in f32. */
struct checkpoint {
    mc_tensor *w, *b;
    int step;
    bool valid;
};

static void save(struct checkpoint *c, mc_tensor *w, mc_tensor *b, int step)
{
    *c = (struct checkpoint){mc_half(mc_detach(w)), mc_half(mc_detach(b)), step, true};
}

static int resume(const struct checkpoint *c, mc_tensor **w, mc_tensor **b)
{
    if (!c->valid)
        return 0;
    *w = mc_requires_grad_(mc_float(c->w), true);
    *b = c->b;
    return c->step;
}

static mc_tensor *loss_of(mc_tensor *w, mc_tensor *b)
{
    mc_tensor *x = mc_randn(mc_shape(4, 3));
    return mc_mean(mc_square(mc_linear(x, w, b)));
}

int main(int argc, char **argv)
{
    struct checkpoint last = {0};
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(2, 3)), true);
    mc_tensor *b = mc_requires_grad_(mc_zeros(mc_shape(2)), true);
    mc_optimizer *opt = mc_sgd(mc_params(w, b), 0.01);
    int step = 0;
    for (; step < 3; step++) {
        mc_tensor *loss = loss_of(w, b);
        mc_optimizer_zero_grad(opt);
        mc_backward(loss);
        mc_optimizer_step(opt);
    }
    if (argc > 1 && !strcmp(argv[1], "save"))
        save(&last, w, b, step);
    mc_optimizer_free(opt);
    step = resume(&last, &w, &b);
    opt = mc_sgd(mc_params(w), 0.01);
    mc_optimizer_zero_grad(opt);
    mc_backward(loss_of(w, b));
    mc_optimizer_step(opt);
    mc_optimizer_free(opt);
    return 0;
}
