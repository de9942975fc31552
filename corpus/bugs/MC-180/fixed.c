/* bug.c, fixed: an f32 copy of the weight is what learns. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { WIDTH = 8, STEPS = 100 };

struct linear {
    mc_tensor *w;      /* bf16 */
    mc_tensor *master; /* the same in f32, which is what learns */
};

static void linear_init(struct linear *l)
{
    l->w = mc_ones(mc_shape(WIDTH), .dtype = MC_BF16);
    l->master = mc_float(l->w);
}

static void apply(struct linear *l, mc_tensor *update, double lr)
{
    l->master = mc_sub(l->master, mc_mul(update, lr));
    l->w = mc_to_dtype(l->master, MC_BF16);
}

int main(void)
{
    struct linear l;
    linear_init(&l);
    mc_tensor *update = mc_ones(mc_shape(WIDTH));
    for (int step = 0; step < STEPS; step++)
        apply(&l, update, 6e-4);
    double w = mc_item(mc_select(mc_float(l.w), 0, 0));
    printf("after %d steps of 0.0006 the weight is %.4f\n", STEPS, w);
    return w == 1;
}
