/* bug.c, fixed: the array is wrapped on the CPU and then moved. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { LEVELS = 3 };

struct quantiser {
    mc_tensor *thresholds;
};

static void quantiser_init(struct quantiser *q, int *levels)
{
    q->thresholds = mc_to_device(mc_from_blob(levels, mc_shape(LEVELS)), MC_CUDA);
}

static mc_tensor *quantise(const struct quantiser *q, mc_tensor *x)
{
    return mc_bucketize(x, mc_float(q->thresholds));
}

int main(void)
{
    int levels[LEVELS] = {1, 4, 9};
    struct quantiser q;
    quantiser_init(&q, levels);
    mc_tensor *x = mc_full(mc_shape(5), 6.0, .device = MC_CUDA);
    mc_tensor *code = mc_cpu(quantise(&q, x));
    printf("6 has code %d\n", (int)mc_item_int(mc_select(code, 0, 0)));
    return mc_item_int(mc_select(code, 0, 0)) != 2;
}
