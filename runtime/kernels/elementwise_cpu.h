/* What the CPU's elementwise kernels share with the other CPU families: runs of small floats
 * converted to f32 and back. */
#ifndef RUNTIME_ELEMENTWISE_CPU_H
#define RUNTIME_ELEMENTWISE_CPU_H

#include "runtime/core/core.h"
#include "runtime/kernels/elementwise.h"

/* Contiguous runs. */
void block_f16_to_f32(float *restrict to, const uint16_t *restrict from, int64_t n);
void block_f32_to_f16(uint16_t *restrict to, const float *restrict from, int64_t n);
void block_bf16_to_f32(float *restrict to, const uint16_t *restrict from, int64_t n);
void block_f32_to_bf16(uint16_t *restrict to, const float *restrict from, int64_t n);
/* dtype: f16, bf16, an f8 or f32. */
void block_to_f32(float *to, const void *from, mc_dtype dtype, int64_t n);
void block_from_f32(void *to, const float *from, mc_dtype dtype, int64_t n);

/* The same with a stride in bytes. Elements are turned in runs of at most RUN, on the stack. */
enum { RUN = 512 };
void run_gather(float *to, const char *from, int64_t stride, mc_dtype dtype, int64_t n);
/* from: f32, or bool when dtype is bool. */
void run_scatter(char *to, int64_t stride, const void *from, mc_dtype dtype, int64_t n);

void cpu_cast(mc_dtype to, mc_dtype from, const struct loop *loop, bool cuda);
void cpu_fill(mc_dtype dtype, const struct loop *loop, mc_arg value);

#endif
