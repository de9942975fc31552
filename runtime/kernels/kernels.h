/* runtime/kernels: the arithmetic. Each family of kernels is a struct of functions in a header of
 * its own; a backend has one of each. Kernels receive operands that compute/ and ops/ have checked,
 * allocated and broadcast: they decide nothing and cannot fail, unless their header says otherwise.
 *
 *     elementwise.h  binary.c cast.c unary.c unary_back.c (elementwise_cpu.h, unary.h, convert.h,
 *                    smooth.h; binary_int.inc, binary_real.inc, unary_real.inc,
 * unary_back_real.inc; unary_back.def), over loops (loop.c, loop.h) reduce.h       reduce.c find.c
 * nll.c scan.c softmax.c softmax_back.c sort.c (reduce_cpu.h; softmax.inc, softmax_back.inc), over
 * grids (grid.c, grid.h), with folds (fold.c, fold.h, fold.inc) and strips (strip.c, strip.h)
 *     matmul.h       matmul.c attention.c matmul_int.c matmul_small.c matvec.c panel.c
 * (matmul_cpu.h) index.h        index.c mask.c ramp.c layer.h        layer.c rows.c window.c
 * norm_back.c window_back.c (layer_cpu.h; rows.inc, norm_back.inc, window_back.inc) linalg.h
 * linalg.c random.h       random.c draw.c (normal.h) optim.h        optim.c (optim.inc) cpu.c the
 * table of all of them; view.h: a tensor as kernels use it */
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
