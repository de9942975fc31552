#include <miscast/tensor.h>

void track(mc_tensor *x)
{
    mc_tensor *mean = mc_zeros(mc_shape(4), .dtype = MC_BF16);
    for (int i = 0; i < 1000; i++)
        mc_lerp_(mean, mc_bfloat16(x), 0.001); /* expect: half-average warning */
    mc_print(mean);
}

/* Written out, with a number that is computed. */
void tracked(mc_tensor *x)
{
    double decay = 0.999;
    mc_tensor *mean = mc_zeros(mc_shape(4), .dtype = MC_BF16), *h = mc_bfloat16(x);
    for (int i = 0; i < 1000; i++)
        mean = mc_add(mc_mul(mean, decay), mc_mul(h, 1 - decay)); /* expect: half-average warning */
    mc_print(mean);
}

/* In place, in two steps, by the fields of a record. */
struct average {
    mc_tensor *shadow[2];
    double decay;
};

static void update(struct average *a, mc_tensor *w)
{
    for (int i = 0; i < 2; i++) {
        mc_mul_(a->shadow[i], a->decay);
        mc_add_(a->shadow[i], w, .alpha = MC_NUM(1 - a->decay)); /* expect: half-average warning, half-update note */
    }
}

void shadows(mc_tensor *w)
{
    mc_tensor *h = mc_bfloat16(w);
    struct average a = {{mc_zeros(mc_shape(4), .dtype = MC_BF16), mc_ones(mc_shape(4), .dtype = MC_BF16)}, 0.9999};
    update(&a, h);
    mc_print(a.shadow[0]);
}

/* Not in place. */
mc_tensor *moved(mc_tensor *mean, mc_tensor *x)
{
    return mc_lerp(mc_half(mean), mc_half(x), 0.0002); /* expect: half-average warning */
}
