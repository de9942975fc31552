/* Instance norm written by hand: images of one colour must come out as zeros. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct config {
    mc_dtype dtype;
    double eps;
};

static mc_tensor *instance_norm(mc_tensor *x, const struct config *c)
{
    mc_tensor *mean = mc_mean(x, .dim = mc_dims(2, 3), .keepdim = true);
    mc_tensor *var = mc_var(x, .dim = mc_dims(2, 3), .keepdim = true, .population = true);
    return mc_mul(mc_sub(x, mean), mc_rsqrt(mc_add(var, c->eps)));
}

int main(int argc, char **argv)
{
    struct config c = {MC_F32, 1e-5};
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "-h"))
            c.dtype = MC_F16;
    mc_tensor *x = mc_full(mc_shape(1, 2, 4, 4), 0.5, .dtype = c.dtype);
    mc_print(mc_float(mc_amax(instance_norm(x, &c))));
    return 0;
}
