/* Pools of tensor and storage headers. A freed header stays readable memory, so that a stale
 * tensor pointer is detected by its magic number instead of faulting. */
#ifndef RUNTIME_POOL_H
#define RUNTIME_POOL_H

#include <stddef.h>

enum pool_kind { POOL_TENSOR, POOL_STORAGE, POOL_COUNT };

void *pool_take(enum pool_kind kind); /* NULL: out of memory */
void pool_give(enum pool_kind kind, void *item);

/* The number of live tensors, by a scan over all headers: for the end of a program. Tensors that
 * are only saved for backward are left out where they can be recognised. */
size_t pool_live_tensors(void);

/* The number of headers in use: taken and not given back. Headers that other threads cache count
 * as in use. */
size_t pool_taken(void);

#endif
