/* Raw memory that is not what it is taken for: where, and as what, it should be. */
#include "gpu.h"

#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, BYTES = N * N * sizeof(float) };

void wrong_direction(void)
{
    float *host = malloc(BYTES), *device;
    cudaMalloc((void **)&device, BYTES);
    cudaMemcpy(device, host, BYTES, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, device, BYTES, cudaMemcpyDeviceToHost);
    cudaMemcpy(device, host, 2 * BYTES, cudaMemcpyHostToDevice);
    cudaFree(host);
    free(device);
}

void wrong_side(cublasHandle_t h)
{
    float *a, *b, *c, one = 1, on_stack[N * N];
    cudaMalloc((void **)&a, BYTES);
    cudaMalloc((void **)&b, BYTES);
    c = calloc(N * N, sizeof *c);
    cublasSgemm(h, 0, 0, N, N, N, &one, a, N, b, N, &one, c, N);
    cublasSgemm(h, 0, 0, N, N, N, &one, a, N, on_stack, N, &one, b, N);
    cblas_sgemm(0, 0, 0, N, N, N, 1, c, N, a, N, 0, on_stack, N);
    memcpy(c, a, BYTES);
}

void wrong_elements(double *weights)
{
    float *c = malloc(BYTES);
    mc_tensor *x = mc_zeros(mc_shape(N, N), .dtype = MC_F16);
    cblas_sgemm(0, 0, 0, N, N, N, 1, c, N, (float *)weights, N, 0, c, N);
    cblas_sgemm(0, 0, 0, N, N, N, 1, c, N, mc_data(x), N, 0, c, N);
    float *read = mc_data_ptr(mc_cuda(x));
    double *wide = mc_data_ptr(mc_float(x));
    cblas_dgemm(0, 0, 0, N, N, N, 1, wide, N, wide, N, 0, wide, N);
    cblas_sdot(N, read, 1, c, 1);
}

void wrong_types(cublasHandle_t h, bool low)
{
    __half *a, *b;
    float *c, one = 1;
    cudaMalloc((void **)&a, BYTES);
    cudaMalloc((void **)&b, BYTES);
    cudaMalloc((void **)&c, BYTES);
    cublasGemmEx(h, 0, 0, N, N, N, &one, a, CUDA_R_16BF, N, b, CUDA_R_16BF, N, &one, c, CUDA_R_32F,
                 N, CUBLAS_COMPUTE_32F, 0);
    cublasGemmEx(h, 0, 0, N, N, N, &one, a, CUDA_R_16F, N, b, CUDA_R_16F, N, &one, c,
                 low ? CUDA_R_16F : CUDA_R_32F, N, CUBLAS_COMPUTE_32F, 0);
    cublasGemmEx(h, 0, 0, N, N, N, &one, a, CUDA_R_16F, N, b, CUDA_R_16F, N, &one, c, CUDA_R_32F, N,
                 CUBLAS_COMPUTE_16F, 0);
    cudaMemcpy(c, a, BYTES / 2, cudaMemcpyDeviceToDevice);
}

void too_small(int which)
{
    float few[4];
    double *many = malloc(32 * sizeof *many);
    switch (which) {
    case 0:
        memset(few, 0, 5 * sizeof *few);
        break;
    case 1:
        memcpy(few + 2, many, 3 * sizeof *few);
        break;
    case 2:
        many = realloc(many, 16);
        memset(many, 0, 32 * sizeof *many);
        break;
    }
    memcpy(many, few, sizeof few);
    cblas_sdot(4, few, 1, few, 1);
}

static float *upload(const float *from, size_t bytes)
{
    float *to;
    cudaMalloc((void **)&to, bytes);
    cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
    return to;
}

struct layer {
    float *w, *grad;
};

static float norm(const struct layer *l, int n)
{
    return cblas_sdot(n, l->w, 1, l->w, 1);
}

void in_a_record(void)
{
    float start[N] = {0};
    struct layer on_host = {.w = start}, on_device = {upload(start, sizeof start), NULL};
    norm(&on_host, N);
    norm(&on_device, N);
    upload(on_device.w, sizeof start);
}

/* The host has no access there. */
float touched(float *here, bool gpu)
{
    mc_tensor *x = mc_zeros(mc_shape(4), .device = gpu ? MC_CUDA : MC_CPU);
    float *device, *data = mc_data_ptr(x), *fine;
    cudaMalloc((void **)&device, BYTES);
    cudaMallocManaged((void **)&fine, BYTES, 1);
    for (int i = 0; i < 4; i++)
        device[i] += here[i];
    fine[0] = *here;
    return *device + data[3] + fine[1];
}
