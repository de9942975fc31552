#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct module;
struct module_ops {
    mc_tensor *(*forward)(struct module *, mc_tensor *);
    void (*half)(struct module *);
};
struct module {
    const struct module_ops *ops;
    mc_tensor *weight;
};

static mc_tensor *linear_forward(struct module *m, mc_tensor *x)
{
    return mc_linear(x, m->weight, NULL);
}

static mc_tensor *scale_forward(struct module *m, mc_tensor *x)
{
    return mc_mul(x, m->weight);
}

static void weight_half(struct module *m)
{
    m->weight = mc_half(m->weight);
}

static void nothing(struct module *m)
{
    (void)m;
}

static const struct module_ops linear_ops = {linear_forward, nothing};
static const struct module_ops scale_ops = {scale_forward, weight_half};

static struct module *linear_new(void)
{
    struct module *m = malloc(sizeof *m);
    *m = (struct module){&linear_ops, mc_randn(mc_shape(4, 4))};
    return m;
}

static struct module *scale_new(void)
{
    struct module *m = malloc(sizeof *m);
    *m = (struct module){&scale_ops, mc_half(mc_ones(mc_shape(4)))};
    return m;
}

static const struct {
    const char *name;
    struct module *(*make)(void);
} kinds[] = {{"linear", linear_new}, {"scale", scale_new}};

static struct module *module_new(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, name))
            return kinds[i].make();
    return NULL;
}

int main(int argc, char **argv)
{
    mc_tensor *x = mc_half(mc_ones(mc_shape(2, 4)));
    for (int i = 1; i < argc; i++) {
        struct module *m = module_new(argv[i]);
        if (!m) {
            fprintf(stderr, "no module %s\n", argv[i]);
            return 1;
        }
        m->ops->half(m);
        x = m->ops->forward(m, x);
        free(m);
    }
    mc_print(x);
    return 0;
}
