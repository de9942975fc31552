/* Double buffering: a batch is prepared in one tensor and copied into another. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct loader {
    mc_tensor *staging;
    mc_tensor *ready;
};

static void loader_init(struct loader *l, int64_t batch, int64_t features)
{
    l->staging = mc_keep(mc_zeros(mc_shape(batch, features)));
    l->ready = mc_keep(mc_zeros(mc_shape(batch, features)));
}

static void loader_swap(struct loader *l)
{
    memcpy(mc_data(l->ready), mc_data(l->staging), (size_t)mc_numel(l->staging));
}

int main(void)
{
    struct loader l;
    loader_init(&l, 8, 16);
    for (int epoch = 0; epoch < 2; epoch++) {
        mc_fill_(l.staging, 1.0 + epoch);
        loader_swap(&l);
        printf("%g\n", mc_item(mc_mean(l.ready)));
    }
    return 0;
}
