#include <stdlib.h>

#include <miscast/tensor.h>

#include "gpu.h"

enum { N = 8 };

/* A tensor's data as BLAS wants them: only if the dtype is BLAS's. */
void product(mc_tensor *c)
{
    mc_tensor *x = mc_zeros(mc_shape(N, N), .dtype = MC_F16);
    float *out = mc_data_f32(mc_float(c));
    cblas_sgemm(101, 111, 111, N, N, N, 1, mc_data(x), N, out, N, 0, out, N); /* expect: buffer-dtype error */
}

void through_a_cast(const double *weights)
{
    float out[N * N];
    cblas_sgemm(101, 111, 111, N, N, N, 1, out, N, (const float *)weights, N, 0, out, N); /* expect: buffer-dtype error */
}

/* The constants say what the pointers do not: CUDA_R_16BF is 14, CUDA_R_16F is 2, f32 computes 68. */
void told_wrong(cublasHandle_t h, const float *one)
{
    mc_tensor *a = mc_zeros(mc_shape(N, N), .dtype = MC_F16, .device = MC_CUDA);
    mc_tensor *c = mc_zeros(mc_shape(N, N), .dtype = MC_F16, .device = MC_CUDA);
    cublasGemmEx(h, 0, 0, N, N, N, one, mc_data_ptr(a), 14, N, mc_data_ptr(a), 14, N, one, mc_data_ptr(c), 14, N, 68, 0); /* expect: buffer-dtype error */
}

void exported(float *out, size_t bytes)
{
    mc_tensor *x = mc_zeros(mc_shape(8), .dtype = MC_F16);
    mc_copy_out(x, out, mc_nbytes(x)); /* expect: buffer-dtype warning */
    (void)bytes;
}
