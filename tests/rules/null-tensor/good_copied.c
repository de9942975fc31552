#include <miscast/tensor.h>
#include <string.h>

struct pair {
    mc_tensor *w, *b;
};

static int gather(const struct pair *p, mc_tensor **to, int room)
{
    mc_tensor *const all[] = {p->w, p->b};
    int n = room < 2 ? room : 2;
    memcpy(to, all, (size_t)n * sizeof *all);
    return n;
}

static double trained(const struct pair *p)
{
    mc_tensor *loss = mc_mean(mc_linear(mc_ones(mc_shape(2, 4)), p->w, p->b));
    mc_backward(loss);
    return mc_item(loss);
}

/* What memcpy wrote is there, also in an array that began with zeros. */
double through_an_array(void)
{
    static mc_tensor *all[64];
    struct pair p = {mc_randn(mc_shape(4, 4)), mc_zeros(mc_shape(4))};
    int count = gather(&p, all, 64);
    for (int i = 0; i < count; i++)
        mc_requires_grad_(all[i], true);
    return trained(&p);
}

/* A record taken for an array: which tensors are meant is not known, but some are. */
double as_another_type(void)
{
    static mc_tensor *all[2];
    struct pair p = {mc_randn(mc_shape(4, 4)), mc_zeros(mc_shape(4))};
    memcpy(all, &p, sizeof p);
    for (int i = 0; i < 2; i++)
        mc_requires_grad_(all[i], true);
    return trained(&p);
}
