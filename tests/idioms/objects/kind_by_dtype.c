/* Once h is f16 it stays so, and only then is m a mask. */
#include <miscast/tensor.h>
#include <stdlib.h>

struct config {
    bool half, cuda;
    int layers;
    mc_dtype dtype;
    mc_device device;
};

static mc_tensor *layer(mc_tensor *x)
{
    MC_EXPECT(x, MC_FLOATING, MC_ANY_DEVICE);
    mc_tensor *h = mc_linear(x, x, NULL);
    h = mc_t(x);
    return h;
}

static mc_tensor *run(mc_tensor *x, const struct config *c)
{
    mc_tensor *h = mc_t(x), *m = h;
    for (int i = 0; i < c->layers; i++) {
        if (mc_dtype_of(h) == MC_F16) {
            m = mc_logical_or(h, h);
        } else {
            h = layer(x);
            x = mc_rand(mc_shape(4, 4), .dtype = c->dtype, .device = c->device);
            m = layer(m);
        }
        x = layer(x);
    }
    return m;
}

int main(int argc, char **argv)
{
    struct config config = {0}, *c = &config;
    c->half = argc > 1 && argv[1][0] == '1';
    c->cuda = argc > 2 && atoi(argv[2]) != 0;
    c->layers = argc > 3 ? atoi(argv[3]) : 1;
    c->dtype = MC_F32;
    if (c->half)
        c->dtype = MC_F16;
    c->device = c->cuda ? MC_CUDA : MC_CPU;
    mc_dtype first = c->half ? MC_BF16 : MC_F32;
    mc_print(run(mc_ones(mc_shape(4, 4), .dtype = first, .device = c->device), c));
}
