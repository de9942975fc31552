/* The layer that is passed on as a record was moved. */
#include <miscast/tensor.h>
#include <stdlib.h>

struct layer {
    mc_tensor *w, *u;
};

static mc_tensor *walk(mc_tensor *x, struct layer v, mc_tensor *w, int n)
{
    if (n <= 0)
        return x;
    mc_tensor *h = mc_rsub(v.w, 2.0);
    if (mc_device_of(h) == MC_CPU)
        mc_print(h);
    mc_print(mc_div(w, h));
    v.w = mc_cpu(v.w);
    return walk(mc_relu(x), v, w, n - 1);
}

int main(int argc, char **argv)
{
    mc_device device = argc > 1 && atoi(argv[1]) ? MC_CUDA : MC_CPU;
    int layers = argc > 2 ? atoi(argv[2]) : 1;
    mc_tensor *w = mc_rand(mc_shape(4, 4), .device = device);
    struct layer v = {w, mc_ones(mc_shape(4, 4), .device = device)};
    mc_print(walk(v.u, v, w, layers));
}
