#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct param {
    char name[12];
    mc_tensor *value;
};

static struct param *params;
static size_t count;

static int by_name(const void *a, const void *b)
{
    const struct param *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static void add(const char *name, mc_tensor *value)
{
    params = realloc(params, (count + 1) * sizeof *params);
    snprintf(params[count].name, sizeof params[count].name, "%s", name);
    params[count++].value = value;
}

static mc_tensor *get(const char *name)
{
    struct param key;
    snprintf(key.name, sizeof key.name, "%s", name);
    struct param *p = bsearch(&key, params, count, sizeof *params, by_name);
    return p->value;
}

int main(void)
{
    add("out", mc_randn(mc_shape(2, 8)));
    add("norm", mc_ones(mc_shape(8)));
    add("in", mc_randn(mc_shape(8, 4), .dtype = MC_F16));
    qsort(params, count, sizeof *params, by_name);
    mc_tensor *h = mc_linear(mc_randn(mc_shape(3, 4), .dtype = MC_F16), get("in"), NULL);
    h = mc_rms_norm(mc_float(h), get("norm"));
    mc_print(mc_linear(h, get("out"), NULL));
    return 0;
}
