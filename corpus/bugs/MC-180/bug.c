/* An update is computed in f32 and stored in a bf16 weight: next to 1.0, bf16 cannot hold a change
 * of less than 0.004, and training stands still. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { WIDTH = 8, STEPS = 100 };

struct linear {
    mc_tensor *w; /* bf16 */
};

static void linear_init(struct linear *l)
{
    l->w = mc_ones(mc_shape(WIDTH), .dtype = MC_BF16);
}

static void apply(struct linear *l, mc_tensor *update, double lr)
{
    mc_tensor *t = mc_sub(mc_float(l->w), mc_mul(update, lr));
    mc_copy_(l->w, t); /* expect: half-update */
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
