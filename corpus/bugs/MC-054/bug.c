/* Fits a line. An error message spoke of doubles, and so the data were cast to double; the model is
 * what would have to be. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { POINTS = 8 };

struct data {
    mc_tensor *x, *y;
};

struct regression {
    mc_tensor *w, *b;
};

static struct data load_data(void)
{
    double x[POINTS], y[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = i / 4.0;
        y[i] = 3 * x[i] + 1;
    }
    struct data d;
    d.x = mc_double(mc_from_array(x, mc_shape(POINTS, 1)));
    d.y = mc_double(mc_from_array(y, mc_shape(POINTS, 1)));
    return d;
}

static void regression_init(struct regression *r)
{
    r->w = mc_zeros(mc_shape(1, 1), .requires_grad = true);
    r->b = mc_zeros(mc_shape(1), .requires_grad = true);
}

static mc_tensor *regression_forward(const struct regression *r, mc_tensor *x)
{
    return mc_linear(x, r->w, r->b); /* expect: matmul-dtype */
}

int main(void)
{
    struct data d = load_data();
    struct regression r;
    regression_init(&r);
    mc_optimizer *o = mc_sgd(mc_params(r.w, r.b), 0.2);
    for (int step = 0; step < 200; step++) {
        mc_optimizer_zero_grad(o);
        mc_backward(mc_mse_loss(regression_forward(&r, d.x), d.y));
        mc_optimizer_step(o);
    }
    printf("y = %.1f x + %.1f\n", mc_item(r.w), mc_item(r.b));
    mc_optimizer_free(o);
    return 0;
}
