#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct config {
    int level;
    unsigned flags;
    double lr;
    const char *name;
    bool half, cuda;
};
enum { F_HALF = 1 << 0, F_CUDA = 1 << 1, F_BIG = 1 << 2 };
static struct config cfg;
static void load(int argc, char **argv, struct config *c)
{
    *c = (struct config){.level = 1, .lr = 0.1, .name = "f32"};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--half"))
            c->flags |= F_HALF;
        else if (!strcmp(argv[i], "--cuda"))
            c->flags |= F_CUDA;
        else if (!strcmp(argv[i], "--level") && i + 1 < argc)
            c->level = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--lr") && i + 1 < argc)
            c->lr = atof(argv[++i]);
        else if (!strcmp(argv[i], "--name") && i + 1 < argc)
            c->name = argv[++i];
    }
    c->half = c->flags & F_HALF;
    c->cuda = (c->flags & F_CUDA) != 0;
}
static bool has(const struct config *c, unsigned f)
{
    return (c->flags & f) == f;
}
static bool want_half(void)
{
    return has(&cfg, F_HALF);
}

int main(int argc, char **argv)
{
    struct config c;
    load(argc, argv, &c);
    struct config d = c;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (c.level == 3)
        w = mc_half(w);
    if (d.level == 3)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
