#include <miscast/tensor.h>

struct momentum {
    mc_tensor *w, *v, *s;
};

/* The state of a cell, which its caller keeps. */
static mc_tensor *cell(mc_tensor *x, mc_tensor *gate, mc_tensor **c)
{
    *c = mc_add(mc_mul(gate, *c), x);
    return mc_mul(gate, mc_tanh_(*c)); /* expect: inplace-on-state note */
}

/* A velocity in a struct, and a mean of squares. */
static void step(struct momentum *m, mc_tensor *grad)
{
    m->v = mc_add(mc_mul(m->v, 0.9), grad);
    mc_lerp_(m->s, mc_square(grad), 0.1);
    mc_tensor *root = mc_sqrt_(m->s);     /* expect: inplace-on-state note */
    mc_sub_(m->w, mc_div(mc_mul_(m->v, 0.1), root)); /* expect: inplace-on-state note */
}

/* A variable, from one round of a loop to the next. */
static mc_tensor *scan(mc_tensor *x, int64_t steps)
{
    mc_tensor *h = mc_zeros_like(x), *all = mc_zeros_like(x);
    for (int64_t i = 0; i < steps; i++) {
        h = mc_add(mc_mul(h, 0.5), x);
        all = mc_add(all, mc_sigmoid_(h)); /* expect: inplace-on-state note */
    }
    return all;
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4)), *c = mc_zeros(mc_shape(4));
    struct momentum m = {mc_randn(mc_shape(4)), mc_zeros(mc_shape(4)), mc_ones(mc_shape(4))};
    for (int i = 0; i < 3; i++) {
        mc_print(cell(x, mc_sigmoid(x), &c));
        step(&m, x);
    }
    mc_print(scan(x, 3));
    mc_print(m.w);
    return 0;
}
