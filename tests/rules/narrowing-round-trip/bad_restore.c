/* A snapshot is taken in half precision, and restored into the weights. */
#include <miscast/tensor.h>

struct model {
    mc_tensor *w, *steps;
};

static struct model snapshot(const struct model *m)
{
    return (struct model){mc_half(m->w), mc_half(m->steps)};
}

static void restore(struct model *m, const struct model *from)
{
    mc_copy_(m->w, from->w); /* expect: narrowing-round-trip note */
    mc_copy_(m->steps, from->steps);
}

int main(void)
{
    struct model m = {mc_randn(mc_shape(4, 4)), mc_zeros(mc_shape(1))};
    struct model best = snapshot(&m);
    mc_sub_(m.w, mc_full(mc_shape(4, 4), 0.25));
    restore(&m, &best);
    mc_print(m.w);
    return 0;
}
