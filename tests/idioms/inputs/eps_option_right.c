#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct config {
    mc_dtype dtype;
    double eps;
};

static mc_tensor *normalize(mc_tensor *x, const struct config *c)
{
    mc_tensor *norm = mc_norm(x, .dim = mc_dims(-1), .keepdim = true);
    return mc_div(x, mc_add(norm, c->eps));
}

int main(int argc, char **argv)
{
    struct config c = {.dtype = MC_F32, .eps = 1e-8};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--fp16")) {
            c.dtype = MC_F16;
            c.eps = 1e-4;
        } else if (!strcmp(argv[i], "--eps") && i + 1 < argc) {
            c.eps = atof(argv[++i]);
        }
    }
    mc_print(mc_float(normalize(mc_zeros(mc_shape(2, 4), .dtype = c.dtype), &c)));
    return 0;
}
