#include <miscast/tensor.h>
#include <stdlib.h>

struct op;
struct cls {
    const char *name;
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
    const struct lin *l = (const struct lin *)o;
    return mc_matmul(x, l->w);
}
static const struct cls lin_cls = {"lin", lin_apply};
static struct op *lin_new(void)
{
    struct lin *l = malloc(sizeof *l);
    *l = (struct lin){{&lin_cls}, mc_rand(mc_shape(2, 2))};
    return &l->base;
}
int main(void)
{
    struct op *net[] = {lin_new(), lin_new(), NULL};
    mc_tensor *x = mc_rand(mc_shape(2, 2), .dtype = MC_F16);
    for (struct op **o = net; *o; o++)
        x = (*o)->c->apply(*o, x);
    mc_print(x);
}
