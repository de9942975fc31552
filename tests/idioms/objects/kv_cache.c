#include <miscast/tensor.h>
#include <stdlib.h>

struct cache {
    mc_tensor *k, *v;
    mc_dtype dtype;
};

static void append(struct cache *c, mc_tensor *k, mc_tensor *v)
{
    if (!c->k) {
        c->k = mc_to(k, .dtype = c->dtype);
        c->v = mc_to(v, .dtype = c->dtype);
        return;
    }
    c->k = mc_cat(0, c->k, mc_to(k, .dtype = c->dtype));
    c->v = mc_cat(0, c->v, mc_to(v, .dtype = c->dtype));
}

int main(int argc, char **argv)
{
    struct cache c = {.dtype = argc > 1 ? MC_F16 : MC_F32};
    int tokens = argc > 2 ? atoi(argv[2]) : 4;
    mc_tensor *wq = mc_rand(mc_shape(4, 4)), *x = mc_rand(mc_shape(1, 4));
    for (int t = 0; t < tokens; t++) {
        append(&c, mc_matmul(x, wq), mc_matmul(x, wq));
        mc_tensor *q = mc_to(mc_matmul(x, wq), .dtype = c.dtype);
        mc_tensor *s = mc_softmax(mc_matmul(q, mc_transpose(c.k, 0, 1)), -1);
        x = mc_float(mc_matmul(s, c.v));
    }
    mc_print(x);
    return 0;
}
