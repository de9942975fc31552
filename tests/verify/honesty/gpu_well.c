/* Memory goes to the device and comes back, as it should. */
#include <stdio.h>
#include <stdlib.h>

#include "gpu.h"

enum { BYTES = 256 };

int main(void)
{
    float *host = malloc(BYTES), *device;
    host[0] = 3;
    cudaMalloc((void **)&device, BYTES);
    cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice);
    host[0] = 0;
    cudaMemcpy(host, device, BYTES, cudaMemcpyDeviceToHost);
    printf("%g\n", host[0]);
    cudaFree(device);
    int wrong = host[0] != 3;
    free(host);
    return wrong;
}
