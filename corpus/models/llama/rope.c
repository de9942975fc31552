/* Rotations by place. Angles are computed and kept in f32: in half precision places above 256 or
 * 2048 could not be told apart. */
#include "llama.h"

#include <math.h>

struct rope rope_make(const struct llama_config *c, mc_device device)
{
    int64_t head = c->width / c->heads;
    mc_tensor *exponents =
        mc_div(mc_arange(head, .step = MC_NUM(2), .dtype = MC_F32, .device = device), (double)head);
    mc_tensor *speeds = mc_exp(mc_mul(exponents, -log(c->rope_base)));
    mc_tensor *places = mc_arange(c->context, .dtype = MC_F32, .device = device);
    mc_tensor *angles = mc_outer(places, speeds);
    return (struct rope){.cos = mc_cos(angles), .sin = mc_sin(angles)};
}

mc_tensor *rope_apply(const struct rope *r, mc_tensor *x, int64_t start)
{
    int64_t time = mc_size(x, 2), half = mc_size(x, 3) / 2;
    mc_tensor *cos = mc_narrow(r->cos, 0, start, time), *sin = mc_narrow(r->sin, 0, start, time);
    mc_tensor *wide = mc_float(x);
    mc_tensor *a = mc_narrow(wide, -1, 0, half), *b = mc_narrow(wide, -1, half, half);
    mc_tensor *turned =
        mc_cat(-1, mc_sub(mc_mul(a, cos), mc_mul(b, sin)), mc_add(mc_mul(b, cos), mc_mul(a, sin)));
    return mc_type_as(turned, x);
}
