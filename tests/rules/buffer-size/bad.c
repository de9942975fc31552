#include <stdlib.h>
#include <string.h>

#include "gpu.h"

enum { N = 64 };

void sizes(void)
{
    float *host = malloc(N * sizeof *host), *device;
    short halves[N];
    cudaMalloc((void **)&device, N); /* elements, where bytes are wanted */
    cudaMemcpy(device, host, N * sizeof *host, cudaMemcpyHostToDevice); /* expect: buffer-size error */
    memcpy(halves, host, N * sizeof *host); /* expect: buffer-size error */
    memset(host, 0, N * sizeof(double)); /* expect: buffer-size error */
    cudaFree(device);
    free(host);
}
