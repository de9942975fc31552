#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

static mc_tensor *zeros(mc_dtype d)
{
    return mc_zeros(mc_shape(4, 4), .dtype = d);
}
static mc_tensor *normal(mc_dtype d)
{
    return mc_randn(mc_shape(4, 4), .dtype = d);
}
static mc_tensor *identity(mc_dtype d)
{
    return mc_eye(4, .dtype = d);
}

static const struct {
    const char *name;
    mc_tensor *(*make)(mc_dtype);
} inits[] = {{"zeros", zeros}, {"normal", normal}, {"eye", identity}};

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "zeros";
    mc_dtype d = argc > 2 ? MC_F64 : MC_F32;
    mc_tensor *w = NULL;
    for (size_t i = 0; i < sizeof inits / sizeof *inits; i++)
        if (!strcmp(inits[i].name, which))
            w = inits[i].make(d);
    if (!w)
        return 2;
    mc_print(mc_matmul(mc_rand(mc_shape(2, 4), .dtype = d), w));
    return 0;
}
