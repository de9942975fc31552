/* bug.c, fixed: the division stands before the product. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { QUERIES = 4, LABELS = 2, POINTS = 120000 };

struct matcher {
    double weight;
};

static mc_tensor *mask_cost(const struct matcher *m, mc_tensor *logits, mc_tensor *labels)
{
    mc_tensor *one = mc_ones_like(logits);
    mc_tensor *pos = mc_binary_cross_entropy_with_logits(logits, one, .reduction = MC_NO_REDUCTION);
    mc_tensor *cost = mc_matmul(mc_div(pos, POINTS), mc_t(labels));
    return mc_mul(cost, m->weight);
}

/* The label that each query is cheapest for; -1 where no cost is finite. */
static int assign(mc_tensor *cost, int query)
{
    mc_tensor *row = mc_cpu(mc_select(cost, 0, query));
    if (mc_item(mc_all(mc_isfinite(row))) == 0)
        return -1;
    return (int)mc_item_int(mc_argmin(row));
}

int main(void)
{
    struct matcher m = {.weight = 5};
    mc_tensor *logits = mc_zeros(mc_shape(QUERIES, POINTS), .device = MC_CUDA);
    mc_tensor *labels = mc_ones(mc_shape(LABELS, POINTS), .device = MC_CUDA);
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *cost = mask_cost(&m, logits, labels);
    mc_autocast_end(region);
    int label = assign(cost, 0);
    printf(label < 0 ? "no assignment is possible\n" : "query 0 takes label %d\n", label);
    return label < 0;
}
