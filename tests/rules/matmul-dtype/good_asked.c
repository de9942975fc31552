/* What is asked twice about an argument has one answer. */
#include <string.h>

#include <miscast/tensor.h>

static mc_dtype precision(const char *p)
{
    switch (p[0]) {
    case 'h':
        return MC_F16;
    case 'b':
        return MC_BF16;
    default:
        return MC_F32;
    }
}

struct settings {
    mc_dtype weights, inputs;
};

int main(int argc, char **argv)
{
    struct settings s = {MC_F32, MC_F32};
    const char *p = "full";
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--half") == 0)
            s.weights = MC_F16;
        if (strcmp(argv[i], "--half") == 0)
            s.inputs = MC_F16;
        if (!strcmp(argv[i], "-p") && i + 1 < argc)
            p = argv[++i];
    }
    mc_tensor *w = mc_zeros(mc_shape(2, 2), .dtype = s.weights);
    mc_print(mc_matmul(mc_ones(mc_shape(2, 2), .dtype = s.inputs), w));
    w = mc_zeros(mc_shape(2, 2), .dtype = precision(p));
    mc_print(mc_matmul(mc_ones(mc_shape(2, 2), .dtype = precision(p)), w));
    return 0;
}
