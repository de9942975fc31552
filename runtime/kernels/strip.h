/* Strips: runs of elements of any dtype and stride, converted to an array of the dtype computed
 * in, and back. The kernels that reduce, scan and sort on the CPU read and write with these.
 *
 * Computed in: MC_BOOL (one byte, 0 or 1: is the element nonzero), MC_I64, MC_F32, MC_F64. */
#ifndef RUNTIME_STRIP_H
#define RUNTIME_STRIP_H

#include "runtime/core/core.h"

enum { STRIP = 2048 }; /* the most elements that callers load at once */

/* n elements, stride bytes apart, as an array: in place if they already are one, otherwise in
 * buffer. */
const void *strip_load(void *buffer, mc_dtype computed, const char *from, mc_dtype dtype,
                       int64_t stride, int64_t n);
void strip_store(char *to, mc_dtype dtype, int64_t stride, const void *from, mc_dtype computed,
                 int64_t n);

#endif
