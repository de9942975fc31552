/* Perplexity of a text: the sum of the losses of all tokens, then the mean. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct lm {
    mc_tensor *emb;
    mc_dtype dtype;
};

static mc_tensor *token_losses(struct lm *m, mc_tensor *ids)
{
    mc_tensor *h = mc_embedding(ids, m->emb);
    mc_tensor *logits = mc_matmul(h, mc_t(m->emb));
    return mc_cross_entropy(logits, ids, .reduction = MC_NO_REDUCTION);
}

int main(int argc, char **argv)
{
    struct lm m = {.dtype = MC_F32};
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--half"))
            m.dtype = MC_F16;
    mc_manual_seed(1);
    m.emb = mc_mul(mc_randn(mc_shape(1000, 16), .dtype = m.dtype), 0.1);
    mc_tensor *ids = mc_randint(0, 1000, mc_shape(12000));
    mc_tensor *losses = token_losses(&m, ids);
    mc_tensor *total = mc_sum(losses, .dtype = MC_F32);
    printf("ppl %g\n", exp(mc_item(total) / (double)mc_numel(losses)));
    return 0;
}
