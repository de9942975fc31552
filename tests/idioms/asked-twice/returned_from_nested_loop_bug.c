#include <miscast/tensor.h>
#include <stdlib.h>

struct block {
    mc_tensor *w, *u;
};

static void swap(mc_tensor **a, mc_tensor **b)
{
    mc_tensor *t = *a;
    *a = *b;
    *b = t;
}

/* Only GPUs are trained on, by their options. */
static mc_tensor *merge(mc_tensor *x, struct block *b, int n, bool train)
{
    mc_tensor *h = mc_full_like(b[1].u, 3);
    for (int i = 0; i < n; i++) {
        swap(&h, &x);
        for (int j = 0; j < n; j++) {
            if (!train)
                return b[j].w;
            mc_zero_(b[j].w);
        }
        x = mc_reshape(b[i].u, 4, 4);
    }
    return h;
}

int main(int argc, char **argv)
{
    struct block b[3];
    mc_device d = argc > 2 ? MC_CUDA : MC_CPU;
    bool train = argc > 3 && argv[3][0] == '1';
    for (int i = 0; i < 3; i++) {
        b[i].w = mc_ones(mc_shape(4, 4), .device = d);
        b[i].u = mc_rand(mc_shape(4, 4));
    }
    mc_print(merge(b[0].u, b, argc > 5 ? atoi(argv[5]) : 1, train));
    mc_mul_(b[1].u, b[1].w);
    return 0;
}
