#include <miscast/tensor.h>
#include <stdlib.h>

struct cls {
    mc_tensor *(*apply)(const struct op *, mc_tensor *);
};
struct op {
    const struct cls *c;
};
struct lin {
    struct op base;
    mc_tensor *w;
};
static mc_tensor *lin_apply(const struct op *o, mc_tensor *x)
{
    return mc_matmul(x, ((const struct lin *)o)->w);
}
static const struct cls lin_cls = {(void *)lin_apply};
static struct op *lin_new(void)
{
    struct lin *l = malloc(sizeof *l);
    *l = (struct lin){{&lin_cls}, mc_rand(mc_shape(2, 2))};
    return &l->base;
}
int main(void)
{
    struct op *o = lin_new();
    mc_print(((mc_tensor * (*)(const struct op *, mc_tensor *))
                  o->c->apply)(o, mc_rand(mc_shape(2, 2), .dtype = MC_F16)));
}
