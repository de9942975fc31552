/* runtime/kernels: the arithmetic. Each family of kernels is a struct of functions in a header of
 * its own; a backend brings one of each. Kernels are given operands that ops/ has checked,
 * allocated and broadcast: they decide nothing and cannot fail, unless their header says otherwise.
 */
#ifndef RUNTIME_KERNELS_H
#define RUNTIME_KERNELS_H

#include "runtime/kernels/elementwise.h"
#include "runtime/kernels/index.h"
#include "runtime/kernels/layer.h"
#include "runtime/kernels/linalg.h"
#include "runtime/kernels/matmul.h"
#include "runtime/kernels/optim.h"
#include "runtime/kernels/random.h"
#include "runtime/kernels/reduce.h"

struct kernels {
    const struct elementwise_kernels *elementwise;
    const struct reduce_kernels *reduce;
    const struct matmul_kernels *matmul;
    const struct index_kernels *index;
    const struct layer_kernels *layer;
    const struct linalg_kernels *linalg;
    const struct random_kernels *random;
    const struct optim_kernels *optim;
};

extern const struct kernels cpu_kernels; /* sim uses them too */

#endif
