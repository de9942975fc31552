/* Sampling actions from a policy: the chosen actions are to receive a gradient, but what mc_max
 * returns next to the values are positions, which are integers. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { BATCH = 4, STATE = 6, ACTIONS = 3 };

struct policy {
    mc_tensor *w, *b;
};

static struct policy policy_new(void)
{
    mc_manual_seed(3);
    return (struct policy){
        .w = mc_randn(mc_shape(ACTIONS, STATE), .requires_grad = true),
        .b = mc_zeros(mc_shape(ACTIONS), .requires_grad = true),
    };
}

static mc_tensor *policy_logits(const struct policy *p, mc_tensor *state)
{
    return mc_linear(state, p->w, p->b);
}

int main(void)
{
    struct policy policy = policy_new();
    mc_tensor *state = mc_randn(mc_shape(BATCH, STATE));
    mc_tensor *logits = policy_logits(&policy, state), *action;
    mc_tensor *best = mc_max(logits, .dim = mc_dims(1), .indices = &action);
    mc_requires_grad_(action, true); /* expect: int-requires-grad */
    mc_backward(mc_neg(mc_mean(mc_mul(best, mc_float(action)))));
    printf("the weight has %s gradient\n", mc_grad(policy.w) ? "a" : "no");
    return mc_grad(policy.w) == NULL;
}
