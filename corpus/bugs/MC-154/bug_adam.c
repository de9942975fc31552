/* The usual numbers, meant for f32: in f16 an eps of 1e-8 is nothing. */
#include "adam.h"

struct adam adam_new(mc_tensor *param, double lr)
{
    return (struct adam){
        .lr = lr,
        .beta1 = 0.9,
        .beta2 = 0.999,
        .eps = 1e-8,
        .m = mc_zeros_like(param),
        .v = mc_zeros_like(param),
    };
}

void adam_step(struct adam *a, mc_tensor *param, mc_tensor *grad)
{
    a->m = mc_add(mc_mul(a->m, a->beta1), mc_mul(grad, 1 - a->beta1));
    a->v = mc_add(mc_mul(a->v, a->beta2), mc_mul(mc_square(grad), 1 - a->beta2));
    mc_tensor *root = mc_add(mc_sqrt(a->v), a->eps); /* expect: eps-underflow */
    mc_sub_(param, mc_mul(mc_div(a->m, root), a->lr));
}
