/* The average delay of each route, from sums and counts. */
#include <miscast/tensor.h>
#include <stdio.h>

struct stats {
    mc_tensor *sum;
    mc_tensor *count;
};

static void stats_add(struct stats *s, mc_tensor *route, mc_tensor *delay)
{
    mc_index_add_(s->sum, 0, route, delay);
    mc_index_add_(s->count, 0, route, mc_ones_like(delay));
}

static mc_tensor *stats_mean(const struct stats *s)
{
    return mc_floor_divide(s->sum, mc_clamp(s->count, 1, 1000000));
}

int main(void)
{
    mc_manual_seed(1);
    struct stats s = {mc_zeros(mc_shape(8), .dtype = MC_I64),
                      mc_zeros(mc_shape(8), .dtype = MC_I64)};
    for (int day = 0; day < 10; day++)
        stats_add(&s, mc_randint(0, 8, mc_shape(40)), mc_randint(0, 5, mc_shape(40)));
    mc_tensor *mean = stats_mean(&s);
    mc_print(mean);
    printf("overall %.3f\n", mc_item(mc_mean(mc_float(mean))));
    return 0;
}
