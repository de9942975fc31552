/* bug.c, fixed: the change is cast before it is added. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { WIDTH = 8, RANK = 2 };

struct adapter {
    mc_tensor *a, *b;
    double scale;
};

static struct adapter adapter_load(mc_device device)
{
    mc_manual_seed(60);
    return (struct adapter){
        .a = mc_randn(mc_shape(RANK, WIDTH), .dtype = MC_F16, .device = device),
        .b = mc_randn(mc_shape(WIDTH, RANK), .dtype = MC_F16, .device = device),
        .scale = 0.5,
    };
}

static void add_scaled_kernel(mc_tensor *weight, mc_tensor *delta, double scale)
{
    MC_EXPECT(weight, MC_F32, MC_CUDA);
    MC_EXPECT(delta, MC_F32, MC_CUDA);
    mc_add_(weight, delta, .alpha = MC_NUM(scale));
}

static void adapter_apply(const struct adapter *l, mc_tensor *weight)
{
    mc_tensor *delta = mc_matmul(l->b, l->a);
    add_scaled_kernel(weight, mc_float(delta), l->scale);
}

int main(void)
{
    mc_tensor *weight = mc_zeros(mc_shape(WIDTH, WIDTH), .device = MC_CUDA);
    struct adapter l = adapter_load(MC_CUDA);
    adapter_apply(&l, weight);
    printf("the weight now has a norm of %.3f\n", mc_item(mc_norm(weight)));
    return 0;
}
