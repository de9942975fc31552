#include <stdlib.h>
#include <string.h>

#include "gpu.h"

enum { N = 8, BYTES = N * N * sizeof(float) };

void mixed(cublasHandle_t h)
{
    float *a, *c = calloc(N * N, sizeof *c), one = 1;
    cudaMalloc((void **)&a, BYTES);
    cublasSgemm_v2(h, 0, 0, N, N, N, &one, a, N, a, N, &one, c, N); /* expect: buffer-space error */
    memcpy(c, a, BYTES); /* expect: buffer-space error */
    free(a); /* expect: buffer-space error */
    cudaFree(c); /* expect: buffer-space error */
}
