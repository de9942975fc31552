/* Gradient descent by hand on a model in reduced precision. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct options {
    mc_dtype dtype;
    double lr;
    int steps;
};

static void update(mc_tensor *w, mc_tensor *master, const struct options *o)
{
    mc_grad_mode g = mc_no_grad_begin();
    mc_sub_(master, mc_mul(mc_float(mc_grad(w)), o->lr));
    mc_copy_(w, master);
    mc_grad_mode_end(g);
    mc_zero_grad(w);
}

int main(int argc, char **argv)
{
    struct options o = {MC_F32, 1e-4, 3000};
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--bf16"))
            o.dtype = MC_BF16;
    mc_tensor *w = mc_requires_grad_(mc_full(mc_shape(4), 2.0, .dtype = o.dtype), true);
    mc_tensor *master = mc_to(mc_detach(w), .dtype = MC_F32, .copy = true);
    for (int i = 0; i < o.steps; i++) {
        mc_scope s = mc_scope_begin();
        mc_backward(mc_sum(mc_square(mc_sub(w, 1.0))));
        update(w, master, &o);
        mc_scope_end(s);
    }
    mc_print(mc_float(mc_detach(w)));
    return 0;
}
