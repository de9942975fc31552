/* A snapshot has the dtype of the weights; another model in half precision is a source of its own. */
#include <miscast/tensor.h>

struct model {
    mc_tensor *w, *steps;
};

static struct model snapshot(const struct model *m)
{
    return (struct model){mc_clone(m->w), mc_clone(m->steps)};
}

static void restore(struct model *m, const struct model *from)
{
    mc_copy_(m->w, from->w);
    mc_copy_(m->steps, from->steps);
}

int main(void)
{
    struct model m = {mc_randn(mc_shape(4, 4)), mc_zeros(mc_shape(1))};
    struct model best = snapshot(&m);
    mc_sub_(m.w, mc_full(mc_shape(4, 4), 0.25));
    restore(&m, &best);
    mc_tensor *base = mc_half(mc_randn(mc_shape(4, 4)));
    mc_copy_(m.w, base);
    mc_print(m.w);
    return 0;
}
