/* Rounds that are counted in a record, or by another function: what is counted says what they do. */
#include <miscast/tensor.h>

struct progress {
    int step, steps;
};

mc_tensor *counted_in_a_record(void)
{
    struct progress p = {0};
    mc_tensor *w = mc_randn(mc_shape(8, 8)), *x = mc_ones(mc_shape(8, 8));
    while (p.step < 8) {
        if (p.step == 3) {
            x = mc_half(x);
            w = mc_half(w);
        }
        x = mc_matmul(x, w);
        p.step++;
    }
    return mc_matmul(x, mc_ones(mc_shape(8, 8), .dtype = MC_F16));
}

static mc_tensor *run(struct progress *p, mc_tensor *w)
{
    mc_tensor *x = mc_ones(mc_shape(8, 8));
    for (; p->step < p->steps; p->step++) {
        if (p->step == 3) {
            x = mc_half(x);
            w = mc_half(w);
        }
        x = mc_matmul(x, w);
    }
    return mc_matmul(x, mc_ones(mc_shape(8, 8), .dtype = MC_F16));
}

mc_tensor *counted_behind_a_pointer(void)
{
    struct progress p = {0, 8};
    return run(&p, mc_randn(mc_shape(8, 8)));
}

static void count(int *n)
{
    ++*n;
}

mc_tensor *counted_by_another(void)
{
    int n = 0;
    mc_tensor *w = mc_randn(mc_shape(8, 8)), *x = mc_ones(mc_shape(8, 8));
    do {
        if (n > 7)
            x = mc_half(x);
        x = mc_matmul(x, w);
        count(&n);
    } while (n < 5);
    return x;
}
