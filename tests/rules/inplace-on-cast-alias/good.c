#include <miscast/tensor.h>

mc_tensor *normalise(mc_tensor *x)
{
    mc_tensor *h = mc_to(x, .dtype = MC_F32, .copy = true);
    mc_mul_(h, 0.5);
    return h;
}

mc_tensor *out_of_place(mc_tensor *x)
{
    return mc_mul(mc_float(x), 0.5);
}

mc_tensor *of_its_own(mc_tensor *x)
{
    mc_tensor *h = mc_float(mc_add(x, 1));
    mc_mul_(h, 0.5);
    return h;
}

/* Changing what one is given is one's own business, if it is said so. */
void in_place(mc_tensor *x)
{
    mc_mul_(x, 0.5);
}

struct parts {
    mc_tensor *part[3];
};

/* Each takes the place of what it was. */
static void cast_parts(struct parts *p)
{
    for (int i = 0; i < 3; i++)
        p->part[i] = mc_to_dtype(p->part[i], MC_F32);
}

void averaged(mc_tensor *x)
{
    struct parts p = {{mc_randn(mc_shape(4)), mc_randn(mc_shape(4)), mc_zeros(mc_shape(4))}};
    cast_parts(&p);
    mc_mul_(p.part[2], 0.9);
    mc_add_(p.part[2], mc_float(x), .alpha = MC_NUM(0.1));
    mc_print(p.part[2]);
}
