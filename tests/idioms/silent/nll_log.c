/* Entropy bonus of a policy, in the dtype of the rollout worker. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

struct policy {
    mc_tensor *w;
    mc_dtype dtype;
};

static struct policy policy_new(int level)
{
    struct policy p;
    p.dtype = level > 0 ? MC_F16 : MC_F32;
    p.w = mc_keep(mc_mul(mc_randn(mc_shape(8, 32), .dtype = p.dtype), 8.0));
    return p;
}

static mc_tensor *entropy(const struct policy *p, mc_tensor *obs)
{
    mc_tensor *logits = mc_matmul(mc_to_dtype(obs, p->dtype), p->w);
    mc_tensor *prob = mc_softmax(logits, -1);
    mc_tensor *logp = mc_log(mc_add(prob, 1e-9));
    return mc_neg(mc_mean(mc_sum(mc_mul(prob, logp), .dim = mc_dims(-1))));
}

int main(int argc, char **argv)
{
    mc_manual_seed(9);
    struct policy p = policy_new(argc > 1 ? atoi(argv[1]) : 0);
    mc_tensor *obs = mc_randn(mc_shape(16, 8));
    printf("%g\n", mc_item(entropy(&p, obs)));
    return 0;
}
