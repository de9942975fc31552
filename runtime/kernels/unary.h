/* The CPU's unary kernels, for the table of elementwise kernels. */
#ifndef RUNTIME_UNARY_H
#define RUNTIME_UNARY_H

#include "runtime/core/core.h"
#include "runtime/kernels/elementwise.h"

void cpu_unary(enum unary op, mc_dtype dtype, const struct loop *loop, double p0, double p1);
void cpu_unary_back(enum unary op, mc_dtype dtype, const struct loop *loop, double p0, double p1);

#endif
