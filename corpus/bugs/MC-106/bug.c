/* An optimizer that makes the updates of matrices orthogonal and leaves those of vectors as they
 * are. Then the update is the running average itself, and scaling it scales the average. */
#include <stdio.h>

#include <miscast/tensor.h>

struct state {
    mc_tensor *exp_avg;
};

static mc_tensor *orthogonal(mc_tensor *g)
{
    mc_tensor *x = mc_div(g, mc_add(mc_norm(g), 1e-7));
    return mc_sub(mc_mul(x, 1.5), mc_mul(mc_matmul(mc_matmul(x, mc_t(x)), x), 0.5));
}

static void step(mc_tensor *param, mc_tensor *grad, struct state *s, double lr)
{
    mc_lerp_(s->exp_avg, grad, 0.1);
    mc_tensor *update;
    if (mc_ndim(param) == 2)
        update = orthogonal(s->exp_avg);
    else
        update = s->exp_avg;
    mc_mul_(update, lr); /* expect: inplace-on-alias */
    mc_sub_(param, update);
}

/* The average after ten steps with a gradient of one. */
static double average_of(mc_tensor *param)
{
    struct state s = {mc_zeros_like(param)};
    for (int i = 0; i < 10; i++)
        step(param, mc_ones_like(param), &s, 0.01);
    return mc_item(mc_mean(s.exp_avg));
}

int main(void)
{
    double matrix = average_of(mc_zeros(mc_shape(3, 3)));
    double vector = average_of(mc_zeros(mc_shape(3)));
    printf("the average of a matrix is %.3f, that of a vector %.3f\n", matrix, vector);
    return vector < matrix - 1e-6;
}
