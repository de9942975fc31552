/* Norms are kept in f32: every parameter whose name says so is cast back. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct param {
    const char *name;
    mc_tensor *w;
};

static void keep_norms(struct param *params, int count)
{
    for (int i = 0; i < count; i++) {
        mc_tensor *w = params[i].w;
        if (!strncmp(params[i].name, "norm", 4))
            params[i].w = mc_float(w);
    }
}

int main(void)
{
    struct param params[] = {{"norm.weight", mc_ones(mc_shape(4), .dtype = MC_BF16)},
                             {"fc.weight", mc_ones(mc_shape(4, 4), .dtype = MC_BF16)}};
    keep_norms(params, 2);
    for (int i = 0; i < 100; i++)
        mc_add_(params[0].w, 0.001);
    printf("%g\n", mc_item(mc_mean(mc_float(params[0].w))));
    return 0;
}
