/* Iterates over the dimensions of a loop. */
#include "runtime/kernels/loop.h"

enum { GRAIN = 32768 }; /* elements below which another thread is not worth waking */

struct walk {
    const struct loop *loop;
    inner_fn inner;
    const void *ctx;
};

/* A number is stored in the loop itself. */
static char *operand(const struct loop *l, int k)
{
    return l->data[k] ? l->data[k] : (char *)&l->number[k];
}

/* One dimension: a piece is a range of it. */
static void run_flat(int64_t begin, int64_t end, void *p)
{
    const struct walk *w = p;
    const struct loop *l = w->loop;
    char *data[LOOP_MAX];
    int64_t stride[LOOP_MAX];
    for (int k = 0; k < l->count; k++) {
        stride[k] = l->stride[k][0];
        data[k] = operand(l, k) + begin * stride[k];
    }
    w->inner(data, stride, end - begin, w->ctx);
}

/* Several: a piece is a range of rows of the innermost. */
static void run_rows(int64_t begin, int64_t end, void *p)
{
    const struct walk *w = p;
    const struct loop *l = w->loop;
    int inner = l->ndim - 1;
    int64_t index[MC_MAX_DIMS], rest = begin, stride[LOOP_MAX];
    char *data[LOOP_MAX];
    for (int k = 0; k < l->count; k++) {
        data[k] = operand(l, k);
        stride[k] = l->stride[k][inner];
    }
    for (int d = inner - 1; d >= 0; d--) {
        index[d] = rest % l->shape[d];
        rest /= l->shape[d];
        for (int k = 0; k < l->count; k++)
            data[k] += index[d] * l->stride[k][d];
    }
    for (int64_t row = begin; row < end; row++) {
        w->inner(data, stride, l->shape[inner], w->ctx);
        for (int d = inner - 1; d >= 0; d--) {
            for (int k = 0; k < l->count; k++)
                data[k] += l->stride[k][d];
            if (++index[d] < l->shape[d])
                break;
            for (int k = 0; k < l->count; k++)
                data[k] -= l->shape[d] * l->stride[k][d];
            index[d] = 0;
        }
    }
}

void loop_run(const struct loop *loop, inner_fn inner, const void *ctx)
{
    struct walk w = {loop, inner, ctx};
    if (loop->numel == 0)
        return;
    if (loop->ndim == 0) {
        static const int64_t no_stride[LOOP_MAX];
        char *data[LOOP_MAX];
        for (int k = 0; k < loop->count; k++)
            data[k] = operand(loop, k);
        inner(data, no_stride, 1, ctx);
    } else if (loop->ndim == 1) {
        if (loop->shape[0] <= GRAIN)
            run_flat(0, loop->shape[0], &w);
        else
            parallel_for(loop->shape[0], GRAIN, run_flat, &w);
    } else {
        int64_t width = loop->shape[loop->ndim - 1];
        parallel_for(loop->numel / width, GRAIN / width + 1, run_rows, &w);
    }
}
