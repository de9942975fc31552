#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct weights {
    const char *names[4];
    mc_tensor *tensors[4];
    int count;
};

static void put(struct weights *w, const char *name, mc_tensor *x)
{
    w->names[w->count] = name;
    w->tensors[w->count++] = x;
}

/* Which one it is, the name says: a matrix is not used as a vector. */
static mc_tensor *get(const struct weights *w, const char *name)
{
    for (int i = 0; i < w->count; i++)
        if (!strcmp(w->names[i], name))
            return w->tensors[i];
    abort();
}

static void products(void)
{
    struct weights w = {0};
    put(&w, "weight", mc_randn(mc_shape(4, 4)));
    put(&w, "bias", mc_randn(mc_shape(4)));
    mc_tensor *x = mc_linear(mc_randn(mc_shape(2, 4)), get(&w, "weight"), get(&w, "bias"));
    x = mc_mm(x, get(&w, "weight"));
    x = mc_addmm(get(&w, "bias"), x, get(&w, "weight"));
    mc_print(mc_mv(x, get(&w, "bias")));
}

int main(void)
{
    products();
    mc_tensor *w = mc_randn(mc_shape(4, 4)), *b = mc_randn(mc_shape(2, 4, 4));
    mc_print(mc_matmul(b, w));
    mc_print(mc_bmm(b, b));
    return 0;
}
