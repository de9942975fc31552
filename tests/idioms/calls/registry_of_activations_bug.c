#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

typedef mc_tensor *(*activation)(mc_tensor *);

static mc_tensor *act_relu(mc_tensor *x)
{
    return mc_relu(x);
}
static mc_tensor *act_gelu(mc_tensor *x)
{
    return mc_gelu(x);
}
static mc_tensor *act_step(mc_tensor *x)
{
    return mc_long(mc_gt(x, 0));
}

static const struct {
    const char *name;
    activation run;
} registry[] = {
    {"relu", act_relu},
    {"gelu", act_gelu},
    {"step", act_step},
};

static activation lookup(const char *name)
{
    for (size_t i = 0; i < sizeof registry / sizeof *registry; i++)
        if (!strcmp(registry[i].name, name))
            return registry[i].run;
    return NULL;
}

int main(int argc, char **argv)
{
    activation act = lookup(argc > 1 ? argv[1] : "relu");
    if (!act) {
        fputs("activations:", stderr);
        for (size_t i = 0; i < sizeof registry / sizeof *registry; i++)
            fprintf(stderr, " %s", registry[i].name);
        fputc('\n', stderr);
        return 1;
    }
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    mc_tensor *w1 = mc_randn(mc_shape(8, 4)), *w2 = mc_randn(mc_shape(3, 8));
    mc_tensor *h = act(mc_linear(x, w1, NULL));
    mc_print(mc_linear(h, w2, NULL));
    return 0;
}
