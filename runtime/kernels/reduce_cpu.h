/* The CPU's kernels of the reduce family, one per file; see reduce.h for what they do. */
#ifndef RUNTIME_REDUCE_CPU_H
#define RUNTIME_REDUCE_CPU_H

#include "runtime/core/core.h"
#include "runtime/kernels/reduce.h"

void cpu_find(struct view index, struct view in, struct view value, unsigned over);
void cpu_softmax_back(enum softmax kind, const struct view *out, const struct view *grad,
                      const struct view *y, int dim);
void cpu_softmax(enum softmax kind, struct view out, struct view in, int dim);
void cpu_scan(enum reduce op, struct view out, struct view in, int dim);
bool cpu_sort(struct view values, struct view indices, struct view in, int dim, bool descending);
bool cpu_median(struct view values, struct view indices, struct view in, int dim);
bool cpu_nll(const struct nll *nll, int64_t *bad);

#endif
