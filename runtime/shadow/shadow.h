/* runtime/shadow: next to each tensor, its value as it would be without rounding: in f64, integers
 * in i64. Kernels are replaced by functions that run the kernel itself, then the CPU's kernel for
 * f64 or i64 on the shadow values, and compare. What comes out are losses by source line
 * (losses.h), which trace/ writes for `miscast run`.
 *
 *     begin.c     turns it on: puts these functions into the backends
 *     own.c       the backends as they were
 *     ledger.c    the shadow values of each storage, found by address (ledger.h)
 *     pass.c      one kernel: operands and results, in the order of what has to happen (pass.h)
 *     elementwise.c reduce.c matmul.c index.c layer.c linalg.c random.c optim.c
 *                 the kernels, family by family
 *     compare.c   results compared with their shadow (compare.h)
 *     judge.c     which differences are losses
 *     frame.c     the ops that run
 *     losses.c    losses by source line (losses.h)
 *
 * The shadow belongs to the storage, so views share it. It is in host memory, whatever the device.
 * Indices, masks, random numbers and everything that is not continuous (floor, sort, …) follow the
 * real values. Without MISCAST_RUN, none of this is called. */
#ifndef RUNTIME_SHADOW_H
#define RUNTIME_SHADOW_H

#include "runtime/core/core.h"

/* Before the first storage exists. threshold: the relative error above which a result is reported.
 */
void shadow_begin(double threshold);

/* An op begins; it ends or fails, while its result and its temporaries exist. */
void shadow_enter(const struct op *op);
void shadow_leave(const struct op *op, const mc_tensor *result);
/* The op is about to write to x in place. */
void shadow_writes(const struct op *op, const mc_tensor *x);
/* The program gets a pointer to the memory of x: it may write there. */
void shadow_exposes(const mc_tensor *x);
/* The next binary kernel of this thread has these operands; a number is rounded by then. */
void shadow_numbers(mc_arg a, mc_arg b);

#endif
