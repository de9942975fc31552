#include <miscast/tensor.h>

struct momentum {
    mc_tensor *w, *v, *out;
};

/* Not in place. */
static mc_tensor *cell(mc_tensor *x, mc_tensor *gate, mc_tensor **c)
{
    *c = mc_add(mc_mul(gate, *c), x);
    return mc_mul(gate, mc_tanh(*c));
}

/* The change in place is a part of the update. */
static void step(struct momentum *m, mc_tensor *grad)
{
    m->v = mc_mul(m->v, 0.9);
    mc_sub_(m->w, mc_mul(mc_add_(m->v, grad), 0.1));
}

/* It is meant to be limited, or to be halved. */
static mc_tensor *limited(struct momentum *m, mc_tensor *grad)
{
    m->v = mc_add(mc_mul(m->v, 0.9), grad);
    mc_mul_(m->v, 0.5);
    return mc_mul(mc_clamp_(m->v, -1, 1), 0.1);
}

/* The state begins anew each time. */
static mc_tensor *activation(struct momentum *m, mc_tensor *x)
{
    m->out = mc_add(m->w, x);
    return mc_mul(mc_relu_(m->out), 2.0);
}

/* And so it does here, where what was changed is replaced. */
static mc_tensor *layers(mc_tensor *x, mc_tensor *w)
{
    mc_tensor *h = x;
    for (int i = 0; i < 3; i++) {
        h = mc_add(mc_matmul(h, w), 1.0);
        h = mc_matmul(mc_relu_(h), w);
    }
    return h;
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4)), *c = mc_zeros(mc_shape(4, 4));
    struct momentum m = {mc_randn(mc_shape(4, 4)), mc_zeros(mc_shape(4, 4)), NULL};
    for (int i = 0; i < 3; i++) {
        mc_print(cell(x, mc_sigmoid(x), &c));
        step(&m, x);
        mc_print(limited(&m, x));
        mc_print(activation(&m, x));
        mc_print(layers(x, m.w));
    }
    return 0;
}
