/* A branch that looks where it is; the same device on both ways. */
#include <stdbool.h>

#include <miscast/tensor.h>

mc_tensor *forward(mc_tensor *x, mc_tensor *w)
{
    if (!mc_is_cuda(x))
        x = mc_cuda(x);
    return mc_relu(mc_matmul(x, mc_cuda(w)));
}

/* Which GPU it is nobody knows, but it is the same one. */
static mc_tensor *on_rank(int rank)
{
    mc_tensor *a = mc_ones(mc_shape(4), .device = MC_CUDA_AT(rank));
    return mc_add(a, mc_zeros(mc_shape(4), .device = MC_CUDA_AT(rank)));
}

enum { STAGES = 12 };
struct stage {
    mc_device device;
    mc_tensor *w, *b;
};

/* One stage a GPU: what goes in follows, and only the way back is by name. */
static mc_tensor *pipeline(struct stage *stages, int count, mc_tensor *x)
{
    for (int i = 0; i < count; i++) {
        mc_device device = MC_CUDA_AT(i);
        stages[i] = (struct stage){device, mc_ones(mc_shape(4, 4), .device = device),
                                   mc_ones(mc_shape(4), .device = device)};
    }
    for (int i = 0; i < count; i++)
        x = mc_linear(mc_to_device(x, stages[i].device), stages[i].w, stages[i].b);
    return mc_add(mc_to_device(x, MC_CUDA), mc_ones(mc_shape(4), .device = MC_CUDA));
}

/* Both are on the GPU that the flag says. */
static mc_tensor *by_flag(bool second)
{
    mc_tensor *a = mc_ones(mc_shape(4), .device = second ? MC_CUDA_AT(1) : MC_CUDA);
    mc_tensor *b = mc_ones(mc_shape(4), .device = MC_CPU);
    if (second)
        b = mc_to_device(b, MC_CUDA_AT(1));
    else
        b = mc_cuda(b);
    return mc_add(a, mc_add(b, mc_ones_like(a)));
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_device device = argc > 1 && mc_cuda_is_available() ? MC_CUDA : MC_CPU;
    mc_tensor *x = mc_randn(mc_shape(4, 4), .device = device), *w = mc_randn(mc_shape(4, 4), .device = device);
    mc_print(mc_cpu(mc_matmul(x, w)));
    mc_print(forward(x, w));
    struct stage stages[STAGES];
    mc_print(on_rank(argc));
    mc_print(pipeline(stages, argc < STAGES ? argc : STAGES, x));
    mc_print(by_flag(argc > 2));
    return 0;
}
