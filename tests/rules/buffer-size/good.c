#include <stdlib.h>
#include <string.h>

#include "gpu.h"

enum { N = 64 };

void sizes(size_t n)
{
    float *host = malloc(N * sizeof *host), *device, *some = malloc(n * sizeof *some);
    cudaMalloc((void **)&device, N * sizeof *host);
    cudaMemcpy(device, host, N * sizeof *host, cudaMemcpyHostToDevice);
    memset(host, 0, N * sizeof(float));
    memset(host + 8, 0, 8 * sizeof(float));
    memset(some, 0, n * sizeof *some);
    cudaFree(device);
    free(some);
    free(host);
}
