/* How often each class occurs, to weight the loss. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

struct histogram {
    mc_tensor *counts;
    int64_t classes;
};

static void count(struct histogram *h, mc_tensor *labels, mc_dtype dtype)
{
    mc_tensor *hot = mc_to_dtype(mc_one_hot(labels, h->classes), dtype);
    h->counts = mc_add(h->counts, mc_sum(hot, .dim = mc_dims(0)));
}

int main(void)
{
    const char *p = getenv("PRECISION");
    mc_dtype dtype = p && atoi(p) == 32 ? MC_F32 : MC_BF16;
    struct histogram h = {.classes = 4};
    h.counts = mc_zeros(mc_shape(h.classes), .dtype = MC_F64);
    mc_manual_seed(1);
    for (int batch = 0; batch < 400; batch++)
        count(&h, mc_randint(0, h.classes, mc_shape(16)), dtype);
    mc_tensor *weight = mc_reciprocal(mc_float(h.counts));
    printf("%g seen, weight %g\n", mc_item(mc_sum(mc_double(h.counts))), mc_item(mc_amax(weight)));
    return 0;
}
