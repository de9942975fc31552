#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct hyper {
    mc_dtype dtype;
    mc_device device;
    double lr;
};

static const struct hyper defaults = {MC_F32, MC_CPU, 0.1};

struct model {
    struct hyper hyper;
    mc_tensor *w;
};

static struct model model_new(const struct hyper *override)
{
    struct model m = {.hyper = defaults};
    if (override)
        memcpy(&m.hyper, override, sizeof m.hyper);
    m.w = mc_randn(mc_shape(3, 3), .dtype = m.hyper.dtype, .device = m.hyper.device);
    return m;
}

static mc_tensor *input_for(const struct model *m)
{
    return mc_ones(mc_shape(2, 3), .dtype = m->hyper.dtype, .device = defaults.device);
}

int main(int argc, char **argv)
{
    struct hyper mine = defaults;
    bool changed = false;
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "lr=", 3)) {
            mine.lr = atof(argv[i] + 3);
            changed = true;
        } else if (!strcmp(argv[i], "half")) {
            mine.dtype = MC_F16;
            changed = true;
        } else if (!strcmp(argv[i], "gpu")) {
            mine.device = MC_CUDA;
            changed = true;
        }
    }
    struct model m = model_new(changed ? &mine : NULL);
    mc_print(mc_matmul(input_for(&m), m.w));
    return 0;
}
