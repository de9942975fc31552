/* Weights in arrays, of which a loop casts all, on more ways than are kept apart: that all were cast
 * is not known of any. */
#include <stdlib.h>
#include <string.h>

#include <miscast/tensor.h>

enum { LEVELS = 2 };

struct options {
    mc_dtype dtype;
    mc_device device;
    bool tied, deep;
};

struct layer {
    mc_tensor *weight, *bias, *skip;
};

struct net {
    mc_tensor *first;
    struct layer down[LEVELS], up[LEVELS], mid;
};

static mc_tensor *matrix(int64_t n)
{
    return mc_mul(mc_randn(mc_shape(n, n), .dtype = MC_F64), 0.5); /* expect: made-then-narrowed note */
}

static bool read_dtype(const char *word, mc_dtype *dtype)
{
    static const mc_dtype known[] = {MC_F32, MC_F16, MC_BF16};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(word, mc_dtype_name(known[i])) == 0)
            *dtype = known[i];
    return *dtype != MC_DTYPE_DEFAULT;
}

static bool read_one(struct options *o, const char *name, const char *value)
{
    if (strcmp(name, "--dtype") == 0)
        return o->dtype = MC_DTYPE_DEFAULT, read_dtype(value, &o->dtype);
    if (strcmp(name, "--device") == 0)
        return o->device = strcmp(value, "cuda") == 0 ? MC_CUDA : MC_CPU, true;
    if (strcmp(name, "--tied") == 0)
        return o->tied = atoi(value), true;
    return o->deep = atoi(value), true;
}

static struct layer layer_new(int64_t in, int64_t out)
{
    struct layer l = {.weight = matrix(out), .bias = mc_zeros(mc_shape(out))};
    if (in != out)
        l.skip = mc_randn(mc_shape(out, in));
    return l;
}

static void net_init(struct net *m, int64_t n)
{
    m->first = mc_randn(mc_shape(n, n));
    for (int i = 0; i < LEVELS; i++) {
        m->down[i] = layer_new(n << i, n);
        m->up[i] = layer_new(2 * n, n);
    }
    m->mid = layer_new(n, n);
}

static void tensor_to(mc_tensor **t, const struct options *o)
{
    if (*t)
        *t = mc_to(*t, .dtype = o->dtype, .device = o->device);
}

static void layer_to(struct layer *l, const struct options *o)
{
    tensor_to(&l->weight, o);
    tensor_to(&l->bias, o);
    tensor_to(&l->skip, o);
}

static void net_to(struct net *m, const struct options *o)
{
    tensor_to(&m->first, o);
    for (int i = 0; i < LEVELS; i++) {
        layer_to(&m->down[i], o);
        layer_to(&m->up[i], o);
    }
    layer_to(&m->mid, o);
}

static mc_tensor *layer_forward(const struct layer *l, mc_tensor *x, mc_tensor *time)
{
    mc_tensor *h = mc_add(x, mc_linear(mc_silu(time), l->weight, l->bias));
    return mc_add(h, l->skip ? mc_linear(x, l->skip, NULL) : x);
}

static mc_tensor *net_forward(const struct net *m, mc_tensor *x, mc_tensor *time)
{
    x = mc_matmul(x, m->first);
    for (int i = 0; i < LEVELS; i++)
        x = layer_forward(&m->down[i], x, time);
    x = layer_forward(&m->mid, x, time);
    for (int i = LEVELS; i-- > 0;)
        x = layer_forward(&m->up[i], x, time);
    return x;
}

int main(int argc, char **argv)
{
    struct options o = {.dtype = MC_F32, .device = MC_CPU};
    struct net m = {0};
    for (int i = 1; i + 1 < argc; i += 2)
        if (!read_one(&o, argv[i], argv[i + 1]))
            return 2;
    net_init(&m, 4);
    net_to(&m, &o);
    mc_tensor *x = mc_ones(mc_shape(4, 4), .dtype = o.dtype, .device = o.device);
    mc_tensor *time = mc_to_dtype(mc_ones(mc_shape(4), .device = o.device), mc_dtype_of(m.first));
    mc_print(net_forward(&m, x, time));
    return o.tied && o.deep;
}
