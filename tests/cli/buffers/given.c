/* Functions that nobody calls: where what they are given lies is their contract. */
#include "gpu.h"

#include <miscast/tensor.h>
#include <string.h>

float length(const float *x, int n)
{
    return cblas_sdot(n, x, 1, x, 1);
}

void load(float *to, const float *from, size_t bytes)
{
    cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
    memset(to, 0, bytes);
}

float sum(mc_tensor *x, int n)
{
    return cblas_sdot(n, mc_data(x), 1, mc_data(x), 1);
}
