#include <stdlib.h>

#include "gpu.h"

enum { BYTES = 256 };

void upload(void)
{
    float *host = malloc(BYTES), *device;
    cudaMalloc((void **)&device, BYTES);
    cudaMemcpy(device, host, BYTES, cudaMemcpyDeviceToHost); /* expect: copy-direction error */
    cudaMemcpy(host, device, BYTES, cudaMemcpyHostToDevice); /* expect: copy-direction error */
    cudaFree(device);
    free(host);
}
