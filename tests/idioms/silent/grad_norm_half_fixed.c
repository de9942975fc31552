/* The norm of all gradients, for the log. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct model {
    mc_tensor *params[3];
};

static double grad_norm(const struct model *m)
{
    double total = 0;
    for (int i = 0; i < 3; i++) {
        mc_tensor *g = mc_grad(m->params[i]);
        total += mc_item(mc_sum(mc_square(mc_float(g))));
    }
    return sqrt(total);
}

int main(int argc, char **argv)
{
    mc_dtype dtype = MC_F32;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--half") == 0)
            dtype = MC_F16;
    struct model m;
    mc_manual_seed(0);
    mc_tensor *loss = NULL;
    for (int i = 0; i < 3; i++) {
        m.params[i] = mc_requires_grad_(mc_mul(mc_randn(mc_shape(64), .dtype = dtype), 0.1), true);
        mc_tensor *part = mc_sum(mc_mul(m.params[i], 0.25));
        loss = loss ? mc_add(loss, part) : part;
    }
    mc_backward(mc_mul(loss, 1024.0));
    printf("grad norm %g\n", grad_norm(&m) / 1024);
    return 0;
}
