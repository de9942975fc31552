/* Without a layer nothing replaces x. */
#include <miscast/tensor.h>
#include <stdlib.h>

struct config {
    bool cuda;
    int layers;
    mc_device device;
};

static void run(mc_tensor *x, mc_tensor *u, const struct config *c, int n)
{
    if (n < 0)
        return;
    for (int i = 0; i < c->layers; i++) {
        x = mc_relu(u);
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++)
                x = mc_mul(mc_add(x, 1), mc_sub(u, mc_sigmoid(x)));
    }
    mc_print(mc_add(x, u));
}

int main(int argc, char **argv)
{
    struct config config = {0}, *c = &config;
    c->cuda = argc > 1 && atoi(argv[1]);
    c->layers = argc > 2 ? atoi(argv[2]) : 1;
    c->device = c->cuda ? MC_CUDA : MC_CPU;
    run(mc_ones(mc_shape(4, 4)), mc_ones(mc_shape(4, 4), .device = c->device), c, c->layers);
}
