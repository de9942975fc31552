#include <miscast/tensor.h>

struct average {
    mc_tensor *squares;
};

/* The factors are f32. */
static void observe(struct average *m, mc_tensor *grad)
{
    mc_tensor *wide = mc_float(grad);
    mc_add_(m->squares, mc_mul(wide, wide));
}

/* What is kept is half itself: nothing is lost on the way to it. */
static void observe_half(struct average *m, mc_tensor *grad)
{
    mc_add_(m->squares, mc_mul(grad, grad));
}

/* A residual layer, whose sum is its own. */
static mc_tensor *layer(mc_tensor *x, mc_tensor *w, mc_tensor *gate)
{
    mc_tensor *h = mc_matmul(mc_half(x), w);
    x = mc_add(x, mc_mul(h, gate));
    return x;
}

/* No product. */
static void count(struct average *m, mc_tensor *seen)
{
    mc_add_(m->squares, seen);
}

/* What is multiplied by 0 or 1 is not rounded. */
static void observe_some(struct average *m, mc_tensor *x, mc_tensor *mask)
{
    mc_add_(m->squares, mc_mul(x, mask));
}

/* Put somewhere else than it was read from. */
static void combine(struct average *to, mc_tensor *from, mc_tensor *grad)
{
    to->squares = mc_add(from, mc_mul(grad, grad));
}

int main(void)
{
    mc_tensor *grad = mc_randn(mc_shape(4, 4), .dtype = MC_F16), *x = mc_float(grad);
    struct average m = {mc_zeros(mc_shape(4, 4), .dtype = MC_F32)}, half = {mc_half(m.squares)};
    observe(&m, grad);
    observe_half(&half, grad);
    count(&m, grad);
    observe_some(&m, grad, mc_gt(x, 0));
    observe_some(&m, grad, mc_half(mc_lt(x, 0)));
    combine(&m, x, grad);
    mc_print(mc_add(layer(x, grad, grad), m.squares));
    mc_print(half.squares);
    return 0;
}
