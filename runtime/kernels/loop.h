/* Running a loop on the CPU: a function receives the innermost dimension, the others are iterated
 * over here. Large loops are split among threads. */
#ifndef RUNTIME_LOOP_H
#define RUNTIME_LOOP_H

#include "runtime/core/core.h"
#include "runtime/kernels/elementwise.h"

/* Tells the compiler that iterations are independent: operands are either the same memory or
 * disjoint (compute/ ensures that). */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#pragma clang diagnostic ignored "-Wpass-failed" /* a call of libm cannot be vectorised */
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* n elements; data and stride (bytes) one an operand. */
typedef void (*inner_fn)(char *const *data, const int64_t *stride, int64_t n, const void *ctx);

void loop_run(const struct loop *loop, inner_fn inner, const void *ctx);

#endif
