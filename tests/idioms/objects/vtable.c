#include <miscast/tensor.h>
#include <stdlib.h>

struct module;
struct module_ops {
    mc_tensor *(*forward)(struct module *, mc_tensor *);
    void (*to)(struct module *, mc_dtype);
};
struct module {
    const struct module_ops *ops;
};
struct linear {
    struct module base;
    mc_tensor *w, *b;
};
struct scale {
    struct module base;
    mc_tensor *gain;
};

static mc_tensor *linear_forward(struct module *m, mc_tensor *x)
{
    struct linear *l = (struct linear *)m;
    return mc_linear(x, l->w, l->b);
}
static void linear_to(struct module *m, mc_dtype d)
{
    struct linear *l = (struct linear *)m;
    l->w = mc_to(l->w, .dtype = d);
    l->b = mc_to(l->b, .dtype = d);
}
static mc_tensor *scale_forward(struct module *m, mc_tensor *x)
{
    return mc_mul(x, ((struct scale *)m)->gain);
}
static void scale_to(struct module *m, mc_dtype d)
{
    struct scale *s = (struct scale *)m;
    s->gain = mc_to(s->gain, .dtype = d);
}
static const struct module_ops linear_ops = {linear_forward, linear_to};
static const struct module_ops scale_ops = {scale_forward, scale_to};

int main(int argc, char **argv)
{
    struct linear l = {{&linear_ops}, mc_randn(mc_shape(4, 4)), mc_zeros(mc_shape(4))};
    struct scale s = {{&scale_ops}, mc_ones(mc_shape(4))};
    struct module *net[] = {&l.base, &s.base};
    mc_tensor *x = mc_ones(mc_shape(2, 4));
    (void)argv;
    if (argc > 1) {
        for (int i = 0; i < 2; i++)
            net[i]->ops->to(net[i], MC_F16);
        x = mc_half(x);
    }
    for (int i = 0; i < 2; i++)
        x = net[i]->ops->forward(net[i], x);
    mc_print(x);
    return 0;
}
