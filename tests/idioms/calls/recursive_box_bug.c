#include <miscast/tensor.h>
#include <stdlib.h>

struct box {
    mc_tensor *first;
};

static mc_tensor *fold(mc_tensor *x, mc_tensor *w, int n, mc_tensor **out)
{
    if (n <= 0)
        return x;
    mc_tensor *part = mc_permute(x, 1, 0);
    struct box *b = calloc(1, sizeof *b);
    b->first = mc_cpu(mc_square(w));
    mc_print(mc_sub(mc_cos(w), part));
    *out = part;
    return fold(b->first, w, n - 1, out);
}

int main(int argc, char **argv)
{
    mc_device device = argc > 1 && atoi(argv[1]) ? MC_CUDA : MC_CPU;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .device = device);
    mc_tensor *out = NULL;
    mc_print(fold(mc_gelu(w), w, argc > 2 ? atoi(argv[2]) : 1, &out));
    return 0;
}
