#include <miscast/tensor.h>
#include <string.h>

static const struct {
    const char *name;
    mc_dtype weights, activations;
} modes[] = {
    {"full", MC_F32, MC_F32},
    {"half", MC_F16, MC_F16},
    {"mixed", MC_F16, MC_F32},
};

int main(int argc, char **argv)
{
    int mode = 0;
    for (int i = 0; argc > 1 && i < 3; i++)
        if (!strcmp(modes[i].name, argv[1]))
            mode = i;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = modes[mode].weights);
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = modes[mode].activations);
    mc_print(mc_matmul(x, w));
    return 0;
}
