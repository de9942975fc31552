/* bug.c, fixed: the tables take the dtype of what they multiply. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { TOKENS = 6, WIDTH = 8 };

struct rotary {
    mc_tensor *sin, *cos;
};

static struct rotary rotary_new(void)
{
    mc_tensor *at = mc_unsqueeze(mc_linspace(0, TOKENS - 1, TOKENS), 1);
    mc_tensor *angle = mc_mul(at, mc_logspace(0, -2, WIDTH));
    return (struct rotary){.sin = mc_sin(angle), .cos = mc_cos(angle)};
}

static mc_tensor *rotated(mc_tensor *x)
{
    mc_tensor *parts[2];
    mc_chunk(x, 2, -1, parts, 2);
    return mc_cat(-1, mc_neg(parts[1]), parts[0]);
}

static mc_tensor *rotary_apply(const struct rotary *r, mc_tensor *x)
{
    mc_tensor *kept = mc_mul(x, mc_type_as(r->cos, x));
    return mc_add(kept, mc_mul(rotated(x), mc_type_as(r->sin, x)));
}

int main(void)
{
    mc_manual_seed(6);
    struct rotary r = rotary_new();
    mc_tensor *q = mc_bfloat16(mc_randn(mc_shape(TOKENS, WIDTH)));
    mc_tensor *y = rotary_apply(&r, q);
    printf("queries of %s became %s\n", mc_dtype_name(mc_dtype_of(q)),
           mc_dtype_name(mc_dtype_of(y)));
    return mc_dtype_of(y) != mc_dtype_of(q);
}
