#include <miscast/tensor.h>

#include <stdio.h>

struct weights {
    mc_tensor *half, *master, *mask, *scale;
};

static void to_cuda(mc_tensor **t)
{
    *t = mc_to(*t, .device = MC_CUDA);
}

static mc_tensor *scaled(mc_tensor *x)
{
    return mc_mul(x, 2);
}

static void show(const char *name, mc_tensor *x)
{
    printf("%s: ", name);
    mc_print(x);
}

int main(void)
{
    /* Used in different ways, but for a move and to be shown. */
    struct weights w;
    w.half = mc_zeros(mc_shape(4), .dtype = MC_F16);
    w.master = mc_zeros(mc_shape(4));
    to_cuda(&w.half);
    to_cuda(&w.master);
    mc_copy_(w.half, w.master);
    show("half", w.half);
    show("master", w.master);

    /* No floats; another function. */
    w.mask = mc_ones(mc_shape(4), .dtype = MC_BOOL);
    w.scale = mc_ones(mc_shape(4));
    mc_print(scaled(w.mask));
    mc_print(scaled(w.scale));

    /* The difference is said. */
    w.half = mc_empty(mc_shape(4), .dtype = MC_F16);
    w.master = mc_empty(mc_shape(4), .dtype = MC_F32);
    mc_print(scaled(mc_zero_(w.half)));
    mc_print(scaled(mc_zero_(w.master)));

    /* The same after all. */
    w.half = mc_rand(mc_shape(4), .dtype = MC_F32);
    w.master = mc_rand(mc_shape(4));
    mc_print(scaled(w.half));
    mc_print(scaled(w.master));

    /* In no record: tried with one and then with another. */
    mc_print(scaled(mc_ones(mc_shape(4))));
    mc_print(scaled(mc_ones(mc_shape(4), .dtype = MC_F16)));
    return 0;
}
