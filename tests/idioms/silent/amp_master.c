/* Training in bf16 without master weights. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct model {
    mc_tensor *w;
};

static void sgd(struct model *m, double lr)
{
    mc_grad_mode g = mc_no_grad_begin();
    mc_sub_(m->w, mc_mul(mc_grad(m->w), lr));
    mc_grad_mode_end(g);
    mc_zero_grad(m->w);
}

int main(int argc, char **argv)
{
    double lr = 5e-4;
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], "--lr"))
            lr = atof(argv[i + 1]);
    mc_manual_seed(1);
    struct model m;
    m.w = mc_requires_grad_(mc_add(mc_rand(mc_shape(8, 1), .dtype = MC_BF16), 1.0), true);
    mc_tensor *x = mc_randn(mc_shape(32, 8), .dtype = MC_BF16);
    for (int i = 0; i < 50; i++) {
        mc_tensor *y = mc_matmul(x, mc_bfloat16(m.w));
        mc_backward(mc_mean(mc_square(mc_float(y))));
        sgd(&m, lr);
    }
    printf("%g\n", mc_item(mc_sum(mc_float(mc_detach(m.w)))));
    return 0;
}
