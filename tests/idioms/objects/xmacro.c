#include <miscast/tensor.h>
#include <string.h>

#define PARAMS(X)                                                                                  \
    X(query, 4, 4)                                                                                 \
    X(key, 4, 4)                                                                                   \
    X(value, 4, 4)

struct attention {
#define X(name, in, out) mc_tensor *name;
    PARAMS(X)
#undef X
    mc_tensor *out;
};

static void make(struct attention *a)
{
#define X(name, in, out) a->name = mc_randn(mc_shape(in, out));
    PARAMS(X)
#undef X
    a->out = mc_randn(mc_shape(4, 4));
}

static void cast(struct attention *a, mc_dtype d)
{
#define X(name, in, out) a->name = mc_to(a->name, .dtype = d);
    PARAMS(X)
#undef X
    a->out = mc_to(a->out, .dtype = d);
}

int main(int argc, char **argv)
{
    struct attention a;
    make(&a);
    mc_dtype d = MC_F32;
    if (argc > 1 && !strcmp(argv[1], "--bf16"))
        cast(&a, d = MC_BF16);
    mc_tensor *x = mc_randn(mc_shape(3, 4), .dtype = d);
    mc_tensor *q = mc_matmul(x, a.query), *k = mc_matmul(x, a.key), *v = mc_matmul(x, a.value);
    mc_tensor *s = mc_softmax(mc_matmul(q, mc_transpose(k, 0, 1)), -1);
    mc_print(mc_matmul(mc_matmul(s, v), a.out));
    return 0;
}
