/* bug.c, fixed: the region gets the dtype of the arguments. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { BATCH = 2, WIDTH = 64 };

struct args {
    mc_dtype dtype;
};

struct model {
    mc_tensor *up, *down;
};

static struct model model_new(void)
{
    return (struct model){
        .up = mc_full(mc_shape(WIDTH, WIDTH), 2.0, .device = MC_CUDA),
        .down = mc_full(mc_shape(1, WIDTH), 20.0, .device = MC_CUDA),
    };
}

static mc_tensor *forward(const struct model *m, mc_tensor *x)
{
    return mc_linear(mc_relu(mc_linear(x, m->up, NULL)), m->down, NULL);
}

static double evaluate(const struct model *m, const struct args *args)
{
    mc_tensor *x = mc_ones(mc_shape(BATCH, WIDTH), .device = MC_CUDA);
    if (args->dtype == MC_F32)
        return mc_item(mc_mean(forward(m, x)));
    mc_autocast region = mc_autocast_begin(MC_CUDA, args->dtype);
    mc_tensor *y = forward(m, x);
    mc_autocast_end(region);
    return mc_item(mc_mean(mc_float(y)));
}

int main(void)
{
    struct args args = {.dtype = MC_BF16};
    struct model m = model_new();
    double y = evaluate(&m, &args);
    printf("the output is %g\n", y);
    return !(y < 1e6);
}
