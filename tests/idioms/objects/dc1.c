#include <miscast/tensor.h>
#include <stdlib.h>

struct op {
    mc_tensor *(*apply)(const struct op *, mc_tensor *);
};
struct lin {
    struct op base;
    mc_tensor *w;
};
struct act {
    struct op base;
    int k;
};
static mc_tensor *lin_apply(const struct op *o, mc_tensor *x)
{
    return mc_matmul(x, ((const struct lin *)o)->w);
}
static mc_tensor *act_apply(const struct op *o, mc_tensor *x)
{
    return ((const struct act *)o)->k ? mc_relu(x) : x;
}
static struct op *lin_new(void)
{
    struct lin *l = malloc(sizeof *l);
    l->base.apply = lin_apply;
    l->w = mc_rand(mc_shape(2, 2));
    return &l->base;
}
static struct op *act_new(void)
{
    struct act *a = malloc(sizeof *a);
    a->base.apply = act_apply;
    a->k = 1;
    return &a->base;
}
int main(void)
{
    struct op *net[] = {lin_new(), act_new(), lin_new(), NULL};
    mc_tensor *x = mc_rand(mc_shape(2, 2), .dtype = MC_F16);
    for (struct op **o = net; *o; o++)
        x = (*o)->apply(*o, x);
    mc_print(x);
}
