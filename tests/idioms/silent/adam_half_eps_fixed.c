/* Adam by hand, for the blog post. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct adam {
    mc_tensor *m, *v;
    double lr, b1, b2, eps;
    int t;
};

static void adam_init(struct adam *a, mc_tensor *w)
{
    a->m = mc_zeros_like(w);
    a->v = mc_zeros_like(w);
    a->lr = 1e-2;
    a->b1 = 0.9;
    a->b2 = 0.99;
    a->eps = 1e-4;
    a->t = 0;
}

static mc_tensor *adam_step(struct adam *a, mc_tensor *w, mc_tensor *g)
{
    a->t++;
    a->m = mc_add(mc_mul(a->m, a->b1), mc_mul(g, 1 - a->b1));
    a->v = mc_add(mc_mul(a->v, a->b2), mc_mul(mc_mul(g, g), 1 - a->b2));
    mc_tensor *denom = mc_add(mc_sqrt(a->v), a->eps);
    return mc_sub(w, mc_mul(mc_div(a->m, denom), a->lr));
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && !strcmp(argv[1], "half") ? MC_F16 : MC_F32;
    mc_manual_seed(1);
    mc_tensor *w = mc_randn(mc_shape(16), .dtype = d);
    struct adam a;
    adam_init(&a, w);
    for (int i = 0; i < 20; i++) {
        mc_tensor *g = mc_mul(w, 1e-3);
        mc_fill_(mc_select(g, 0, 0), 0.0);
        w = adam_step(&a, w, g);
    }
    printf("%g\n", mc_item(mc_float(mc_sum(w))));
    return 0;
}
