/* Position table in the dtype of the embedding. */
#include <miscast/tensor.h>
#include <stdio.h>

struct model {
    mc_tensor *embed;
    int64_t max_len;
};

static mc_tensor *positions(const struct model *m)
{
    mc_tensor *p = mc_arange(m->max_len);
    return mc_long(mc_remainder(p, 1000));
}

int main(void)
{
    mc_manual_seed(1);
    struct model m = {mc_randn(mc_shape(1000, 8), .dtype = MC_BF16), 1500};
    mc_tensor *x = mc_embedding(positions(&m), m.embed);
    printf("%g\n", mc_item(mc_float(mc_sum(mc_float(x)))));
    return 0;
}
