/* What the files of matrix products share. */
#ifndef RUNTIME_CUDA_MATMUL_CUH
#define RUNTIME_CUDA_MATMUL_CUH

#include "runtime/backends/cuda/blas.h"
#include "runtime/backends/cuda/dtypes.cuh"
#include "runtime/kernels/matmul.h"

static inline int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline size_t size_of(mc_dtype dtype)
{
    return dtype == MC_F64 || dtype == MC_I64                       ? 8
           : dtype == MC_F32 || dtype == MC_I32                     ? 4
           : dtype == MC_F16 || dtype == MC_BF16 || dtype == MC_I16 ? 2
                                                                    : 1;
}

/* What matmul_kernels.gemm does; c may be of f32 where a and b are of f16 or bf16. */
bool cuda_gemm(const struct view *a, const struct view *b, const struct view *c, mc_arg alpha,
               mc_arg beta);

/* By our own kernel, for every dtype: the job's factors are ignored. */
void own_gemm(const struct blas_gemm *job, mc_arg alpha, mc_arg beta);

bool cuda_attention(const struct attention *job);
bool cuda_attention_back(const struct attention_back *job);

#endif
