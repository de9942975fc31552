#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct param {
    const char *name;
    mc_tensor *value;
};

static int by_name(const void *a, const void *b)
{
    const struct param *x = a, *y = b;
    return strcmp(x->name, y->name);
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_dtype d = argc > 1 ? MC_F16 : MC_F32;
    struct param all[] = {
        {"w2", mc_randn(mc_shape(4, 4), .dtype = d)},
        {"w1", mc_randn(mc_shape(4, 4), .dtype = d)},
        {"w3", mc_randn(mc_shape(4, 4), .dtype = d)},
    };
    qsort(all, 3, sizeof *all, by_name);
    mc_tensor *x = mc_randn(mc_shape(2, 4), .dtype = d);
    for (size_t i = 0; i < 3; i++)
        x = mc_matmul(x, all[i].value);
    mc_print(x);
    return 0;
}
