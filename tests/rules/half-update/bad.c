/* Steps of an optimizer by hand, on weights in half precision. */
#include <miscast/tensor.h>

struct layer {
    mc_tensor *w, *b;
};

static void layer_init(struct layer *l)
{
    l->w = mc_ones(mc_shape(8, 8), .dtype = MC_BF16);
    l->b = mc_zeros(mc_shape(8), .dtype = MC_F16);
}

/* Computed in f32, and rounded all the same. */
static void apply(struct layer *l, mc_tensor *update, double lr)
{
    mc_tensor *next = mc_sub(mc_float(l->w), mc_mul(update, lr));
    mc_copy_(l->w, next); /* expect: half-update note */
}

static void in_place(struct layer *l, mc_tensor *grad)
{
    mc_sub_(l->b, grad, .alpha = MC_NUM(1e-4));  /* expect: half-update note */
    mc_add_(l->b, mc_mul(grad, -1e-4));          /* expect: half-update note */
    mc_sub_(l->b, mc_div(grad, 65536.0));        /* expect: half-update note */
    mc_copy_(l->b, mc_add(mc_mul(grad, 1e-5), mc_float(l->b))); /* expect: half-update note */
}

int main(void)
{
    struct layer l;
    layer_init(&l);
    for (int step = 0; step < 100; step++) {
        apply(&l, mc_ones(mc_shape(8, 8)), 6e-4);
        in_place(&l, mc_ones(mc_shape(8), .dtype = MC_F16));
    }
    mc_print(l.w);
    return 0;
}
