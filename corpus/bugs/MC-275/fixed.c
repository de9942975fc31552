/* bug.c, fixed: products and sum are f32. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { N = 32, TILE = 8 };

struct kernel_cost {
    size_t accumulator_bytes;
};

static mc_tensor *tiled_matmul(mc_tensor *a, mc_tensor *b, struct kernel_cost *cost)
{
    mc_tensor *acc = mc_zeros(mc_shape(N, N), .dtype = MC_F32, .device = MC_CUDA);
    for (int k = 0; k < N; k += TILE) {
        mc_tensor *left = mc_narrow(a, 1, k, TILE), *right = mc_narrow(b, 0, k, TILE);
        mc_add_(acc, mc_matmul(left, right));
    }
    cost->accumulator_bytes = mc_nbytes(acc);
    return acc;
}

int main(void)
{
    mc_tensor *a = mc_ones(mc_shape(N, N), .device = MC_CUDA);
    struct kernel_cost cost;
    mc_tensor *c = tiled_matmul(a, a, &cost);
    size_t needed = N * N * sizeof(float);
    printf("a sum of %g took %zu bytes, %zu are enough\n", mc_item(mc_max(c)),
           cost.accumulator_bytes, needed);
    return cost.accumulator_bytes > needed;
}
