/* Moving a model changes the model; moving a tensor makes another one. Written the same way, the
 * second does nothing. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { INPUTS = 4 };

struct perceptron {
    mc_tensor *w, *b;
};

static void perceptron_init(struct perceptron *p)
{
    mc_manual_seed(92);
    p->w = mc_randn(mc_shape(2, INPUTS));
    p->b = mc_zeros(mc_shape(2));
}

static void perceptron_cuda(struct perceptron *p)
{
    p->w = mc_cuda(p->w);
    p->b = mc_cuda(p->b);
}

static mc_tensor *perceptron_forward(const struct perceptron *p, mc_tensor *x)
{
    return mc_relu(mc_linear(x, p->w, p->b)); /* expect: stale-after-move */
}

static mc_tensor *load_batch(int64_t n)
{
    return mc_mul(mc_ones(mc_shape(n, INPUTS)), 0.5);
}

int main(void)
{
    struct perceptron p;
    perceptron_init(&p);
    mc_tensor *x = load_batch(3);
    perceptron_cuda(&p);
    mc_cuda(x); /* expect: discarded-cast */
    mc_tensor *y = perceptron_forward(&p, x);
    printf("%d results on %s\n", (int)mc_size(y, 0), mc_device_name(mc_device_of(y)));
    return 0;
}
