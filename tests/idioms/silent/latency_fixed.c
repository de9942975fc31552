/* Mean latency per endpoint, and how far each request is from it. */
#include <miscast/tensor.h>
#include <stdio.h>

struct stats {
    mc_tensor *sum;
    int64_t requests;
};

static void stats_init(struct stats *s, int64_t endpoints)
{
    s->sum = mc_zeros(mc_shape(endpoints), .dtype = MC_I64);
    s->requests = 0;
}

static void stats_add(struct stats *s, mc_tensor *batch)
{
    mc_add_(s->sum, mc_sum(batch, .dim = mc_dims(0)));
    s->requests += mc_size(batch, 0);
}

static mc_tensor *stats_mean(const struct stats *s)
{
    return mc_div(s->sum, s->requests);
}

int main(void)
{
    struct stats s;
    stats_init(&s, 3);
    mc_manual_seed(7);
    mc_tensor *batch = NULL;
    for (int i = 0; i < 5; i++) {
        batch = mc_randint(0, 6, mc_shape(16, 3));
        stats_add(&s, batch);
    }
    mc_tensor *mean = stats_mean(&s);
    mc_tensor *off = mc_sub(mc_float(batch), mean);
    mc_print(mean);
    printf("spread %.4f\n", mc_item(mc_mean(mc_square(off))));
    return 0;
}
