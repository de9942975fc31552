/* Words: 64 */
#include <miscast/tensor.h>
#include <stdlib.h>

struct group {
    mc_tensor *params[4];
    int count;
    double lr;
};

static void group_add(struct group *g, mc_tensor *p)
{
    g->params[g->count++] = mc_requires_grad_(p, true);
}

int main(int argc, char **argv)
{
    struct group decay = {.lr = 0.1}, plain = {.lr = 0.01};
    mc_dtype d = argc > 1 && atoi(argv[1]) == 64 ? MC_F64 : MC_F32;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = d);
    mc_tensor *b = mc_zeros(mc_shape(4));
    group_add(&decay, w);
    group_add(&plain, b);
    mc_optimizer *o = mc_sgd(mc_paramsn(decay.params, decay.count), decay.lr, .weight_decay = 0.1);
    mc_optimizer_add_param_group(o, mc_paramsn(plain.params, plain.count), .lr = plain.lr);
    mc_tensor *x = mc_randn(mc_shape(8, 4), .dtype = d);
    for (int step = 0; step < 3; step++) {
        mc_optimizer_zero_grad(o);
        mc_backward(mc_sum(mc_linear(x, w, b)));
        mc_optimizer_step(o);
    }
    mc_optimizer_free(o);
    return 0;
}
