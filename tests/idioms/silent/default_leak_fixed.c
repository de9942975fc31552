/* A benchmark of layers: the first one is made in half to save memory. */
#include <miscast/tensor.h>
#include <stdio.h>

struct block {
    mc_tensor *w, *b;
};

static struct block make_half_block(int64_t n)
{
    mc_dtype before = mc_get_default_dtype();
    mc_set_default_dtype(MC_F16);
    struct block k = {mc_keep(mc_randn(mc_shape(n, n))), mc_keep(mc_zeros(mc_shape(n)))};
    mc_set_default_dtype(before);
    return k;
}

static double distance_sum(int64_t n)
{
    mc_tensor *steps = mc_full(mc_shape(n), 0.1);
    return mc_item(mc_sum(mc_cumsum(steps, 0)));
}

int main(void)
{
    mc_manual_seed(6);
    struct block k = make_half_block(16);
    mc_tensor *h = mc_linear(mc_half(mc_randn(mc_shape(4, 16))), k.w, k.b);
    printf("%d\n", mc_dtype_of(h) == MC_F16);
    printf("%.1f\n", distance_sum(1000));
    return 0;
}
