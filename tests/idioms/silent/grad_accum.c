/* Gradients of many small batches in one buffer before the step. */
#include <miscast/tensor.h>
#include <stdio.h>

struct trainer {
    mc_tensor *w;
    mc_tensor *buffer;
    double lr;
    int micro;
};

static void trainer_init(struct trainer *t, mc_dtype dtype)
{
    t->w = mc_keep(mc_requires_grad_(mc_randn(mc_shape(64), .dtype = dtype), true));
    t->buffer = mc_keep(mc_zeros_like(t->w));
    t->lr = 0.01;
    t->micro = 2048;
}

static void accumulate(struct trainer *t, mc_tensor *x)
{
    mc_tensor *loss = mc_mean(mc_square(mc_sub(mc_mul(t->w, x), 1.0)));
    mc_zero_grad(t->w);
    mc_backward(loss);
    mc_add_(t->buffer, mc_grad(t->w));
}

static void step(struct trainer *t)
{
    mc_grad_mode g = mc_no_grad_begin();
    mc_sub_(t->w, mc_type_as(mc_mul(t->buffer, t->lr / t->micro), t->w));
    mc_zero_(t->buffer);
    mc_grad_mode_end(g);
}

int main(void)
{
    struct trainer t;
    mc_manual_seed(2);
    trainer_init(&t, MC_BF16);
    for (int e = 0; e < 3; e++) {
        for (int i = 0; i < t.micro; i++) {
            mc_scope s = mc_scope_begin();
            accumulate(&t, mc_add(mc_rand(mc_shape(64), .dtype = MC_BF16), 0.5));
            mc_scope_end(s);
        }
        printf("%g\n", mc_item(mc_float(mc_norm(t.buffer))));
        step(&t);
    }
    return 0;
}
