/* Everything that can be wrong with device memory that a program gets from CUDA itself. */
#include <stdlib.h>

#include "gpu.h"

enum { BYTES = 256 };

int main(void)
{
    float *host = malloc(BYTES), *device, one = 1, zero = 0;
    cudaMalloc((void **)&device, BYTES);
    cudaMemcpy(device, host, BYTES, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, device, 2 * BYTES, cudaMemcpyDeviceToHost);
    cudaMemset(host, 0, BYTES);
    cublasSgemm_v2(NULL, 0, 0, 8, 8, 8, &one, host, 8, device, 8, &zero, device, 8);
    host[0] = *device;
    cudaFree(device);
    free(host);
    return 0;
}
