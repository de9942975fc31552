/* Perplexity of a long text, token by token. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

struct meter {
    mc_tensor *nll;
    int64_t tokens;
};

static void meter_add(struct meter *m, mc_tensor *logp)
{
    m->nll = mc_sub(m->nll, mc_sum(logp));
    m->tokens += mc_numel(logp);
}

int main(int argc, char **argv)
{
    int bits = argc > 1 ? atoi(argv[1]) : 32;
    mc_dtype d = bits == 16 ? MC_BF16 : MC_F32;
    struct meter m = {mc_zeros(mc_shape(), .dtype = d), 0};
    for (int i = 0; i < 3000; i++)
        meter_add(&m, mc_log_softmax(mc_ones(mc_shape(8), .dtype = d), 0));
    printf("perplexity %g\n", exp(mc_item(m.nll) / (double)m.tokens));
    return 0;
}
