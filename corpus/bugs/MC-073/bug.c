/* A quantiser keeps its parameters by name, and a list of them for loops. Moving it puts new
 * tensors under the names; the list still has the old ones, and what the loop writes is lost. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { PARAMS = 2 };

struct quantiser {
    mc_tensor *scale, *zero;
    mc_tensor *params[PARAMS]; /* the same again */
};

static void quantiser_init(struct quantiser *q)
{
    q->scale = mc_ones(mc_shape(1));
    q->zero = mc_zeros(mc_shape(1));
    q->params[0] = q->scale;
    q->params[1] = q->zero;
}

static void quantiser_cuda(struct quantiser *q)
{
    q->scale = mc_cuda(q->scale);
    q->zero = mc_cuda(q->zero);
}

/* Moves all parameters a little towards what was seen. */
static void quantiser_observe(struct quantiser *q, mc_tensor *x)
{
    mc_tensor *seen[PARAMS] = {mc_amax(mc_abs(x)), mc_mean(x)};
    for (int i = 0; i < PARAMS; i++)
        mc_add_(q->params[i], mc_item(seen[i])); /* expect: stale-after-move */
}

static mc_tensor *quantise(const struct quantiser *q, mc_tensor *x)
{
    return mc_round(mc_add(mc_div(x, q->scale), q->zero));
}

int main(void)
{
    struct quantiser q;
    quantiser_init(&q);
    quantiser_cuda(&q);
    mc_tensor *x = mc_full(mc_shape(4), 3.0, .device = MC_CUDA);
    quantiser_observe(&q, x);
    mc_print(quantise(&q, x));
    double scale = mc_item(q.scale);
    printf("scale %g after observing 3, from 1\n", scale);
    return scale != 4;
}
