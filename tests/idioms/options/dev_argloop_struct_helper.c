#include <miscast/tensor.h>
#include <string.h>

struct cfg {
    mc_dtype t;
    mc_device d;
    int n;
};
static void parse(struct cfg *c, int argc, char **argv)
{
    *c = (struct cfg){.t = MC_F32, .d = MC_CPU, .n = 2};
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--device") && i + 1 < argc)
            c->d = strcmp(argv[++i], "cuda") ? MC_CPU : MC_CUDA;
        else if (!strcmp(argv[i], "--dtype") && i + 1 < argc)
            c->t = strcmp(argv[++i], "f16") ? MC_F32 : MC_F16;
}
static mc_tensor *fresh(const struct cfg *c)
{
    mc_tensor *t = mc_rand(mc_shape(2, 2));
    t = mc_to(t, .dtype = c->t, .device = c->d);
    return t;
}
struct model {
    struct cfg cfg;
    mc_tensor *w, *r;
};
static void load(struct model *m, const struct cfg *c)
{
    m->cfg = *c;
    m->w = fresh(c);
    m->r = mc_rand(mc_shape(2, 2));
}
int main(int argc, char **argv)
{
    struct cfg c;
    struct model m;
    parse(&c, argc, argv);
    load(&m, &c);
    mc_print(mc_matmul(m.r, m.w));
    return 0;
}
