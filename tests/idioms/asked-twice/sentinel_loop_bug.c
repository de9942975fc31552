#include <miscast/tensor.h>
#include <stdlib.h>

struct stage {
    const char *name;
    mc_dtype dtype;
};

static const struct stage pipeline[] = {
    {"embed", MC_F32}, {"encode", MC_F16}, {"decode", MC_F16}, {"head", MC_F32}, {NULL, 0},
};

int main(int argc, char **argv)
{
    mc_tensor *x = mc_rand(mc_shape(2, 4));
    (void)argc;
    (void)argv;
    for (const struct stage *s = pipeline; s->name; s++) {
        mc_tensor *w = mc_rand(mc_shape(4, 4), .dtype = s->dtype);
        if (mc_dtype_of(x) == MC_F32)
            x = mc_to(x, .dtype = s->dtype);
        x = mc_matmul(x, w);
    }
    mc_print(x);
    return 0;
}
