/* A linear layer with a weight for each type of node. Rows of each type are computed together and
 * written to where they belong. Under autocast the products are bf16, the rows to fill are f32. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { TYPES = 2, IN = 6, OUT = 4 };

struct hetero_linear {
    mc_tensor *weight[TYPES];
};

static void hetero_init(struct hetero_linear *l)
{
    mc_manual_seed(29);
    for (int t = 0; t < TYPES; t++)
        l->weight[t] = mc_randn(mc_shape(OUT, IN));
}

static mc_tensor *hetero_forward(const struct hetero_linear *l, mc_tensor *x, mc_tensor *type)
{
    mc_tensor *out = mc_empty(mc_shape(mc_size(x, 0), OUT), .dtype = mc_dtype_of(x));
    for (int t = 0; t < TYPES; t++) {
        mc_tensor *mask = mc_eq(type, t);
        mc_tensor *y = mc_linear(mc_index(x, mask), l->weight[t], NULL);
        mc_index_put_(out, mask, mc_to_dtype(y, mc_dtype_of(out)));
    }
    return out;
}

static mc_tensor *evaluate(const struct hetero_linear *l, mc_tensor *x, mc_tensor *type)
{
    mc_autocast fast = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *y = hetero_forward(l, x, type);
    mc_autocast_end(fast);
    return y;
}

int main(void)
{
    struct hetero_linear l;
    hetero_init(&l);
    mc_tensor *x = mc_randn(mc_shape(5, IN));
    mc_tensor *type = mc_from_array(((int64_t[]){0, 1, 1, 0, 1}), mc_shape(5));
    mc_tensor *y = evaluate(&l, x, type);
    printf("%d nodes in %s\n", (int)mc_size(y, 0), mc_dtype_name(mc_dtype_of(y)));
    return 0;
}
