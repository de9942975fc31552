/* What C programs do with memory that is fine: nothing here can fail. */
#include "gpu.h"

#include <miscast/tensor.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, BYTES = N * N * sizeof(float) };

/* One block for everything, as bytes. */
void arena(void)
{
    char *memory = malloc(1 << 20);
    float *a = (float *)memory, *b = (float *)(memory + BYTES);
    double *c = (double *)(memory + 2 * BYTES);
    int *order = (int *)(memory + 6 * BYTES);
    cblas_sgemm(0, 0, 0, N, N, N, 1, a, N, b, N, 0, a, N);
    cblas_dgemm(0, 0, 0, N, N, N, 1, c, N, c, N, 0, c, N);
    memset(memory, 0, 1 << 20);
    memset(b, 0, 1 << 18);
    order[0] = 0;
    free(memory);
}

/* The same memory, first for one thing, then for another. */
void scratch(void *work)
{
    float *a = work;
    cblas_sdot(N, a, 1, a, 1);
    double *b = work;
    cblas_dgemm(0, 0, 0, N, N, N, 1, b, N, b, N, 0, b, N);
    int *c = (int *)a;
    memcpy(c, a, N);
}

float bits(float x)
{
    uint32_t raw;
    memcpy(&raw, &x, sizeof raw);
    raw &= 0x7fffffff;
    memcpy(&x, &raw, sizeof x);
    return cblas_sdot(1, &x, 1, (float *)&raw, 1);
}

void tensors(mc_tensor *any, FILE *file)
{
    mc_tensor *half = mc_zeros(mc_shape(N), .dtype = MC_F16);
    uint16_t *raw = mc_data_f16(half);
    unsigned char *bytes = mc_data(half);
    fwrite(bytes, 1, 2 * N, file);
    fread(mc_data_ptr(half), sizeof *raw, N, file);
    mc_tensor *x = mc_float(half);
    float *data = mc_data_ptr(x);
    const uint32_t *as_bits = mc_data_ptr(x);
    cblas_sdot(N, data, 1, (const float *)as_bits, 1);
    cblas_sdot(N, mc_data_f32(x), 1, mc_data(x), 1);
    if (mc_dtype_of(any) == MC_F64 && !mc_is_cuda(any)) {
        double *wide = mc_data_ptr(any);
        cblas_dgemm(0, 0, 0, 1, 1, 1, 1, wide, 1, wide, 1, 0, wide, 1);
    }
    mc_tensor *back = mc_from_array(data, mc_shape(N));
    cblas_sdot(N, mc_data_f32(back), 1, data, 1);
}

/* Where it lies depends on a flag, and so does who uses it. */
void either(cublasHandle_t h, bool gpu, const float *from)
{
    float *x, one = 1;
    if (gpu)
        cudaMalloc((void **)&x, BYTES);
    else
        x = malloc(BYTES);
    if (gpu)
        cudaMemcpy(x, from, BYTES, cudaMemcpyHostToDevice);
    else
        memcpy(x, from, BYTES);
    if (gpu)
        cublasSgemm(h, 0, 0, N, N, N, &one, x, N, x, N, &one, x, N);
    else
        cblas_sgemm(0, 0, 0, N, N, N, 1, x, N, x, N, 0, x, N);
    if (gpu)
        cudaFree(x);
    else
        free(x);
}

/* Memory that both sides reach. */
void managed(cublasHandle_t h)
{
    float *x, *locked, one = 1;
    cudaMallocManaged((void **)&x, BYTES, 1);
    cudaMallocHost((void **)&locked, BYTES);
    memset(x, 0, BYTES);
    cublasSgemm(h, 0, 0, N, N, N, &one, x, N, locked, N, &one, x, N);
    cblas_sgemm(0, 0, 0, N, N, N, 1, x, N, locked, N, 0, x, N);
    cudaMemcpy(locked, x, BYTES, cudaMemcpyDefault);
    cudaFree(x);
}

/* As llm.c does it: sizes in an array, pointers in another, one allocation. */
struct parameters {
    float *wte, *wpe, *ln;
};

static float *allocate(struct parameters *p, const size_t *sizes, int on_device)
{
    size_t all = 0;
    for (int i = 0; i < 3; i++)
        all += sizes[i];
    float *memory;
    if (on_device)
        cudaMalloc((void **)&memory, all * sizeof(float));
    else
        memory = (float *)malloc(all * sizeof(float));
    float **pointers[] = {&p->wte, &p->wpe, &p->ln};
    float *at = memory;
    for (int i = 0; i < 3; i++) {
        *pointers[i] = at;
        at += sizes[i];
    }
    return memory;
}

void model(cublasHandle_t h, FILE *file)
{
    struct parameters host, device;
    size_t sizes[3] = {N * N, N, N};
    int header[256];
    float one = 1;
    fread(header, sizeof(int), 256, file);
    float *on_host = allocate(&host, sizes, 0), *on_device = allocate(&device, sizes, 1);
    fread(on_host, sizeof(float), (size_t)header[0], file);
    cudaMemcpy(on_device, on_host, (size_t)header[0] * sizeof(float), cudaMemcpyHostToDevice);
    cublasSgemm(h, 0, 0, N, N, N, &one, device.wte, N, device.wpe, N, &one, device.ln, N);
    cblas_sgemm(0, 0, 0, N, N, N, 1, host.wte, N, host.wpe, N, 0, host.ln, N);
    cudaFree(on_device);
    free(on_host);
}
