#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_device pick_device(const char *want)
{
    if (want && !strcmp(want, "cpu"))
        return MC_CPU;
    if (mc_cuda_is_available())
        return MC_CUDA;
    if (want)
        fprintf(stderr, "%s is not there\n", want);
    return MC_CPU;
}

struct batch {
    mc_tensor *tokens, *mask;
};

static struct batch load(mc_device device)
{
    struct batch b;
    b.tokens = mc_randint(0, 10, mc_shape(2, 6), .device = device);
    b.mask = mc_ones(mc_shape(2, 6), .dtype = MC_BOOL);
    return b;
}

int main(int argc, char **argv)
{
    /* Words: cpu cuda */
    mc_device device = pick_device(argc > 1 ? argv[1] : NULL);
    mc_tensor *table = mc_randn(mc_shape(10, 4), .device = device);
    struct batch b = load(device);
    mc_tensor *e = mc_embedding(b.tokens, table);
    mc_tensor *m = mc_unsqueeze(b.mask, -1);
    mc_tensor *sum = mc_sum(mc_where(m, e, 0), .dim = mc_dims(1));
    mc_tensor *n = mc_clamp(mc_sum(m, .dim = mc_dims(1)), 1, 100);
    mc_print(mc_div(sum, n));
    return 0;
}
