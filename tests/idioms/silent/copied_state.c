/* A second run starts from the averages of the first. */
#include <miscast/tensor.h>
#include <stdio.h>

struct adam {
    mc_tensor *mean;
};

static struct adam load(const struct adam *from, mc_dtype dtype)
{
    return (struct adam){mc_to_dtype(from->mean, dtype)};
}

static void update(struct adam *a, mc_tensor *g)
{
    mc_lerp_(a->mean, g, 0.5);
}

int main(void)
{
    struct adam first = {mc_zeros(mc_shape(3))};
    update(&first, mc_ones(mc_shape(3)));
    struct adam second = load(&first, MC_F32);
    update(&first, mc_ones(mc_shape(3)));
    printf("%g\n", mc_item(mc_mean(second.mean)));
    return 0;
}
