/* Windows, normalisation and look-ups with their shadow. Which element is a maximum in backward,
 * and indices, follow the real values. */
#include "runtime/shadow/kernels.h"
#include "runtime/shadow/pass.h"

/* The strides are not always filled in, as the kernel needs none. */
static struct view flat(const struct view *v)
{
    struct view f = *v;
    int64_t stride = 1;
    for (int i = f.ndim - 1; i >= 0; i--) {
        f.stride[i] = stride;
        stride *= f.shape[i];
    }
    return f;
}

/* ---- windows ------------------------------------------------------------------------------- */

static void shadow_unfold(const struct view *out, const struct view *in, const struct window *w)
{
    PASS(p);
    struct view *y = pass_write(&p, out), *x = pass_read(&p, in);
    pass_before(&p)->layer->unfold(out, in, w);
    while (pass_next(&p))
        cpu_layer.unfold(y, x, w);
}

static void shadow_fold(const struct view *out, const struct view *in, const struct window *w)
{
    PASS(p);
    struct view *y = pass_update(&p, out), *x = pass_read(&p, in);
    pass_before(&p)->layer->fold(out, in, w);
    while (pass_next(&p))
        cpu_layer.fold(y, x, w);
}

static void shadow_pool(enum pooling kind, const struct view *out, const struct view *in,
                        const struct window *w)
{
    PASS(p);
    struct view *y = pass_write(&p, out), *x = pass_read(&p, in);
    pass_before(&p)->layer->pool(kind, out, in, w);
    while (pass_next(&p))
        cpu_layer.pool(kind, y, x, w);
}

static void shadow_adaptive_avg_pool(const struct view *out, const struct view *in)
{
    PASS(p);
    struct view *y = pass_write(&p, out), *x = pass_read(&p, in);
    pass_before(&p)->layer->adaptive_avg_pool(out, in);
    while (pass_next(&p))
        cpu_layer.adaptive_avg_pool(y, x);
}

static void shadow_pool_back(enum pooling kind, const struct view *din, const struct view *dout,
                             const struct view *in, const struct window *w)
{
    PASS(p);
    struct view *y = pass_update(&p, din), *g = pass_read(&p, dout), *x = pass_decides(&p, in);
    pass_before(&p)->layer->pool_back(kind, din, dout, in, w);
    while (pass_next(&p))
        cpu_layer.pool_back(kind, y, g, x, w);
}

static void shadow_nearest(const struct view *out, const struct view *in, const float step[2])
{
    PASS(p);
    struct view to = flat(out), from = flat(in);
    struct view *y = pass_write(&p, &to), *x = pass_read(&p, &from);
    pass_before(&p)->layer->nearest(out, in, step);
    while (pass_next(&p))
        cpu_layer.nearest(y, x, step);
}

static void shadow_nearest_back(const struct view *din, const struct view *dout,
                                const float step[2])
{
    PASS(p);
    struct view to = flat(din), from = flat(dout);
    struct view *y = pass_update(&p, &to), *g = pass_read(&p, &from);
    pass_before(&p)->layer->nearest_back(din, dout, step);
    while (pass_next(&p))
        cpu_layer.nearest_back(y, g, step);
}

/* ---- normalisation ------------------------------------------------------------------------- */

static void shadow_norm(mc_dtype compute, const struct view *out, const struct view *in,
                        const struct norm *n)
{
    PASS(p);
    struct norm wide = *n;
    struct view *y = pass_write(&p, out), *x = pass_read(&p, in);
    wide.weight = pass_read(&p, n->weight);
    wide.bias = pass_read(&p, n->bias);
    pass_before(&p)->layer->norm(compute, out, in, n);
    while (pass_next(&p))
        cpu_layer.norm(MC_F64, y, x, &wide);
}

static void shadow_norm_back(const struct norm_back *job)
{
    PASS(p);
    struct norm n = *job->norm;
    struct norm_back wide = {.norm = &n};
    n.weight = pass_read(&p, job->norm->weight);
    n.bias = NULL;
    struct view *grad = pass_read(&p, &job->grad), *in = pass_read(&p, &job->in);
    struct view *stats = pass_lets(&p, pass_write(&p, &job->stats));
    wide.dx = pass_write(&p, job->dx);
    wide.dweight = pass_write(&p, job->dweight);
    wide.dbias = pass_write(&p, job->dbias);
    pass_before(&p)->layer->norm_back(job);
    while (pass_next(&p)) {
        wide.grad = *grad;
        wide.in = *in;
        wide.stats = *stats;
        cpu_layer.norm_back(&wide);
    }
}

static void shadow_moments(mc_dtype compute, const struct view *mean, const struct view *var,
                           const struct view *in)
{
    PASS(p);
    struct view *m = pass_write(&p, mean), *v = pass_write(&p, var), *x = pass_read(&p, in);
    pass_before(&p)->layer->moments(compute, mean, var, in);
    while (pass_next(&p))
        cpu_layer.moments(MC_F64, m, v, x);
}

static void shadow_affine(mc_dtype compute, const struct view *out, const struct view *in,
                          const struct view *mean, const struct view *scale,
                          const struct view *shift)
{
    PASS(p);
    struct view to = flat(out), from = flat(in);
    struct view *y = pass_write(&p, &to), *x = pass_read(&p, &from), *m = pass_read(&p, mean);
    struct view *s = pass_read(&p, scale), *b = pass_read(&p, shift);
    pass_before(&p)->layer->affine(compute, out, in, mean, scale, shift);
    while (pass_next(&p))
        cpu_layer.affine(MC_F64, y, x, m, s, b);
}

/* ---- look-ups ------------------------------------------------------------------------------ */

static void shadow_bag_mean(mc_dtype compute, const struct view *out, const struct view *table,
                            const struct view *indices)
{
    PASS(p);
    struct view *y = pass_write(&p, out), *x = pass_read(&p, table);
    struct view *at = pass_follow(&p, indices);
    pass_before(&p)->layer->bag_mean(compute, out, table, indices);
    while (pass_next(&p))
        cpu_layer.bag_mean(MC_F64, y, x, at);
}

static void shadow_lookup(const struct view *out, const struct view *table,
                          const struct view *indices)
{
    PASS(p);
    struct view *y = pass_write(&p, out), *x = pass_read(&p, table);
    struct view *at = pass_follow(&p, indices);
    pass_before(&p)->layer->lookup(out, table, indices);
    while (pass_next(&p))
        cpu_layer.lookup(y, x, at);
}

static void shadow_one_hot(const struct view *out, const struct view *indices)
{
    PASS(p);
    pass_write(&p, out);
    pass_before(&p)->layer->one_hot(out, indices);
    pass_real(&p);
}

static void shadow_index_range(const struct view *indices, int64_t *low, int64_t *high)
{
    PASS(p);
    pass_follow(&p, indices);
    pass_before(&p)->layer->index_range(indices, low, high);
    pass_real(&p);
}

const struct layer_kernels shadow_layer = {
    .unfold = shadow_unfold,
    .fold = shadow_fold,
    .pool = shadow_pool,
    .adaptive_avg_pool = shadow_adaptive_avg_pool,
    .pool_back = shadow_pool_back,
    .nearest = shadow_nearest,
    .nearest_back = shadow_nearest_back,
    .norm = shadow_norm,
    .norm_back = shadow_norm_back,
    .moments = shadow_moments,
    .affine = shadow_affine,
    .bag_mean = shadow_bag_mean,
    .lookup = shadow_lookup,
    .one_hot = shadow_one_hot,
    .index_range = shadow_index_range,
};
