#include <miscast/tensor.h>
#include <stdlib.h>

struct layer {
    mc_tensor *w, *b;
};
struct model {
    struct layer layers[3];
    int count;
    mc_dtype dtype;
};
static int g_precision;

static mc_dtype dtype_for(int p)
{
    switch (p & 3) {
    case 1:
        return MC_F16;
    case 2:
        return MC_BF16;
    default:
        return MC_F32;
    }
}

static bool is_low(void)
{
    return dtype_for(g_precision) != MC_F32;
}

static void build(struct model *m)
{
    m->dtype = dtype_for(g_precision);
    m->count = 3;
    for (int i = 0; i < 3; i++) {
        m->layers[i].w = mc_randn(mc_shape(4, 4), .dtype = m->dtype);
        m->layers[i].b = mc_zeros(mc_shape(4), .dtype = dtype_for(g_precision));
    }
}

static mc_tensor *forward(const struct model *m, mc_tensor *x)
{
    for (int i = 0; i < m->count; i++)
        x = mc_relu(mc_linear(x, m->layers[i].w, m->layers[i].b));
    return x;
}

int main(int argc, char **argv)
{
    const char *p = argc > 1 ? argv[1] : getenv("PRECISION");
    g_precision = p ? (int)strtol(p, NULL, 0) : 0;
    struct model m;
    build(&m);
    mc_tensor *x = mc_ones(mc_shape(2, 4));
    if ((g_precision & 3) == 1)
        x = mc_to_dtype(x, m.dtype);
    x = forward(&m, x);
    mc_tensor *y = is_low() ? mc_float(x) : x;
    mc_print(mc_matmul(y, mc_ones(mc_shape(4, 4))));
    return 0;
}
