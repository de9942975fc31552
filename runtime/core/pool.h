/* Pools of tensor and storage headers. A header that was given back stays readable memory, so that
 * a stale tensor pointer is found out by its magic number instead of faulting. */
#ifndef RUNTIME_POOL_H
#define RUNTIME_POOL_H

#include <stddef.h>

enum pool_kind { POOL_TENSOR, POOL_STORAGE, POOL_COUNT };

void *pool_take(enum pool_kind kind); /* NULL: no memory */
void pool_give(enum pool_kind kind, void *item);

/* How many tensors are alive, by a look at all headers: for the end of a program. Those that only a
 * record holds are left out where they can be told apart. */
size_t pool_live_tensors(void);

/* How many headers are in use, for whomever: by what was taken and not given back. Those that other
 * threads have given back to themselves count as in use. */
size_t pool_taken(void);

#endif
