/* A trainer with an option for reduced precision. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

enum { PARAMS = 2 };

struct trainer {
    mc_tensor *p[PARAMS];
    mc_optimizer *opt;
    bool bf16;
};

static void cast_params(struct trainer *t, mc_dtype d)
{
    for (int i = 0; i < PARAMS; i++)
        t->p[i] = mc_requires_grad_(mc_to_dtype(mc_detach(t->p[i]), d), true);
}

static void trainer_init(struct trainer *t)
{
    t->p[0] = mc_requires_grad_(mc_randn(mc_shape(4, 8)), true);
    t->p[1] = mc_requires_grad_(mc_randn(mc_shape(1, 4)), true);
    if (t->bf16)
        cast_params(t, MC_BF16);
    t->opt = mc_adamw(mc_paramsn(t->p, PARAMS), 0.05, .state_dtype = MC_F32);
}

static double train_step(struct trainer *t)
{
    mc_tensor *x = mc_randn(mc_shape(16, 8), .dtype = t->bf16 ? MC_BF16 : MC_F32);
    mc_tensor *y = mc_linear(mc_relu(mc_linear(x, t->p[0], NULL)), t->p[1], NULL);
    mc_tensor *loss = mc_mean(mc_square(mc_sub(y, 3.0)));
    mc_optimizer_zero_grad(t->opt);
    mc_backward(loss);
    mc_optimizer_step(t->opt);
    return mc_item(loss);
}

int main(int argc, char **argv)
{
    struct trainer t = {.bf16 = argc > 1 && !strcmp(argv[1], "--bf16")};
    mc_manual_seed(11);
    trainer_init(&t);
    double first = train_step(&t), last = first;
    for (int i = 0; i < 100; i++)
        last = train_step(&t);
    printf("%g -> %g\n", first, last);
    mc_optimizer_free(t.opt);
    return 0;
}
