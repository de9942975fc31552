/* Reductions, scans, softmax and sorting with their shadow. The order of elements, and which one is
 * chosen, follow the real values. */
#include "runtime/shadow/kernels.h"
#include "runtime/shadow/pass.h"

static void shadow_reduce_(enum reduce op, struct view out, struct view in, unsigned over, double q)
{
    PASS(p);
    struct view *y = pass_write(&p, &out), *x = pass_read(&p, &in);
    pass_before(&p)->reduce->reduce(op, out, in, over, q);
    if (op == REDUCE_ALL || op == REDUCE_ANY || op == REDUCE_NONZERO) {
        pass_real(&p);
        return;
    }
    while (pass_next(&p))
        cpu_reduce.reduce(op, *y, *x, over, q);
}

static void shadow_find(struct view index, struct view in, struct view value, unsigned over)
{
    PASS(p);
    pass_write(&p, &index);
    pass_before(&p)->reduce->find(index, in, value, over);
    pass_real(&p);
}

static void shadow_softmax(enum softmax kind, struct view out, struct view in, int dim)
{
    PASS(p);
    struct view *y = pass_write(&p, &out), *x = pass_read(&p, &in);
    pass_before(&p)->reduce->softmax(kind, out, in, dim);
    while (pass_next(&p))
        cpu_reduce.softmax(kind, *y, *x, dim);
}

static void shadow_softmax_back(enum softmax kind, const struct view *out, const struct view *grad,
                                const struct view *y, int dim)
{
    PASS(p);
    struct view *o = pass_write(&p, out), *g = pass_read(&p, grad), *v = pass_read(&p, y);
    pass_before(&p)->reduce->softmax_back(kind, out, grad, y, dim);
    while (pass_next(&p))
        cpu_reduce.softmax_back(kind, o, g, v, dim);
}

static void shadow_scan(enum reduce op, struct view out, struct view in, int dim)
{
    PASS(p);
    struct view *y = pass_write(&p, &out), *x = pass_read(&p, &in);
    pass_before(&p)->reduce->scan(op, out, in, dim);
    while (pass_next(&p))
        cpu_reduce.scan(op, *y, *x, dim);
}

static bool shadow_sort(struct view values, struct view indices, struct view in, int dim,
                        bool descending)
{
    PASS(p);
    struct view *y = pass_write(&p, &values), *x = pass_read(&p, &in);
    struct view *at = pass_lets(&p, pass_follow(&p, &indices));
    bool done = pass_before(&p)->reduce->sort(values, indices, in, dim, descending);
    while (done && pass_next(&p))
        cpu_index.gather(y, x, dim, at);
    if (!done)
        pass_real(&p);
    return done;
}

static bool shadow_median(struct view values, struct view indices, struct view in, int dim)
{
    PASS(p);
    struct view *y = pass_write(&p, &values), *x = pass_read(&p, &in);
    struct view *at = pass_lets(&p, pass_follow(&p, &indices));
    bool done = pass_before(&p)->reduce->median(values, indices, in, dim);
    while (done && pass_next(&p))
        cpu_index.gather(y, x, dim, at);
    if (!done)
        pass_real(&p);
    return done;
}

static bool shadow_nll(const struct nll *n, int64_t *bad)
{
    PASS(p);
    struct view *loss = pass_write(&p, &n->loss), *scale = pass_write(&p, &n->scale);
    struct view *in = pass_read(&p, &n->in), *target = pass_follow(&p, &n->target);
    struct view *weight = pass_read(&p, n->weight);
    bool done = pass_before(&p)->reduce->nll(n, bad);
    while (done && pass_next(&p)) {
        struct nll wide = {*loss, *scale, *in, *target, weight, n->ignore};
        int64_t ignored;
        if (!cpu_reduce.nll(&wide, &ignored))
            pass_fail(&p);
    }
    if (!done)
        pass_real(&p);
    return done;
}

const struct reduce_kernels shadow_reduce = {
    .reduce = shadow_reduce_,
    .find = shadow_find,
    .softmax = shadow_softmax,
    .softmax_back = shadow_softmax_back,
    .scan = shadow_scan,
    .sort = shadow_sort,
    .median = shadow_median,
    .nll = shadow_nll,
};
