/* An optimizer that makes updates orthogonal and normalises them by a running mean of their
 * squares. Its state is bf16, like the weights. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { ROWS = 4, COLUMNS = 4 };

struct state {
    mc_tensor *momentum;
    mc_tensor *second; /* of each row */
};

static void state_init(struct state *s, mc_tensor *param)
{
    s->momentum = mc_zeros_like(param);
    s->second = mc_zeros(mc_shape(ROWS, 1), .dtype = mc_dtype_of(param));
}

/* A few steps towards the nearest orthogonal matrix. */
static mc_tensor *orthogonal(mc_tensor *g)
{
    mc_tensor *x = mc_div(g, mc_add(mc_norm(g), 1e-3));
    for (int i = 0; i < 3; i++) {
        mc_tensor *a = mc_matmul(x, mc_t(x));
        x = mc_sub(mc_mul(x, 1.5), mc_mul(mc_matmul(a, x), 0.5));
    }
    return x;
}

static void step(mc_tensor *param, mc_tensor *grad, struct state *s, double lr, double beta)
{
    mc_lerp_(s->momentum, grad, 0.1);
    mc_tensor *update = orthogonal(s->momentum);
    mc_tensor *square = mc_mean(mc_square(update), .dim = mc_dims(1), .keepdim = true);
    mc_lerp_(s->second, square, 1 - beta);
    update = mc_div(update, mc_add(mc_sqrt(s->second), 1e-2));
    mc_add_(param, update, .alpha = MC_NUM(-lr));
}

int main(void)
{
    mc_manual_seed(34);
    mc_tensor *param = mc_randn(mc_shape(ROWS, COLUMNS), .dtype = MC_BF16);
    struct state s;
    state_init(&s, param);
    for (int i = 0; i < 2; i++)
        step(param, mc_randn_like(param), &s, 0.02, 0.95);
    printf("weights in %s\n", mc_dtype_name(mc_dtype_of(param)));
    return 0;
}
