/* Reading and writing at indices, masks, triangles and ramps with their shadow. Indices and masks
 * are the real ones. */
#include "runtime/shadow/kernels.h"
#include "runtime/shadow/pass.h"

static int64_t shadow_find_bad(const struct view *index, int64_t size, bool wrap)
{
    PASS(p);
    pass_follow(&p, index);
    int64_t bad = pass_before(&p)->index->find_bad(index, size, wrap);
    pass_real(&p);
    return bad;
}

static void shadow_gather(const struct view *out, const struct view *x, int dim,
                          const struct view *index)
{
    PASS(p);
    struct view *y = pass_write(&p, out), *from = pass_read(&p, x), *at = pass_follow(&p, index);
    pass_before(&p)->index->gather(out, x, dim, index);
    while (pass_next(&p))
        cpu_index.gather(y, from, dim, at);
}

static void shadow_scatter(const struct view *x, int dim, const struct view *index,
                           const struct view *source)
{
    PASS(p);
    struct view *y = pass_update(&p, x), *at = pass_follow(&p, index);
    struct view *from = pass_read(&p, source);
    pass_before(&p)->index->scatter(x, dim, index, source);
    while (pass_next(&p))
        cpu_index.scatter(y, dim, at, from);
}

static void shadow_scatter_add(const struct view *x, int dim, const struct view *index,
                               const struct view *source)
{
    PASS(p);
    struct view *y = pass_update(&p, x), *at = pass_follow(&p, index);
    struct view *from = pass_read(&p, source);
    pass_before(&p)->index->scatter_add(x, dim, index, source);
    while (pass_next(&p))
        cpu_index.scatter_add(y, dim, at, from);
}

static void shadow_mask_offsets(const struct view *offsets, const struct view *mask)
{
    PASS(p);
    pass_write(&p, offsets);
    pass_before(&p)->index->mask_offsets(offsets, mask);
    pass_real(&p);
}

static void shadow_mask_select(const struct view *out, const struct view *x,
                               const struct view *mask, const struct view *offsets)
{
    PASS(p);
    struct view *y = pass_write(&p, out), *from = pass_read(&p, x);
    struct view *set = pass_follow(&p, mask), *before = pass_follow(&p, offsets);
    pass_before(&p)->index->mask_select(out, x, mask, offsets);
    while (pass_next(&p))
        cpu_index.mask_select(y, from, set, before);
}

static void shadow_mask_positions(const struct view *out, const struct view *mask,
                                  const struct view *offsets)
{
    PASS(p);
    pass_write(&p, out);
    pass_follow(&p, mask);
    pass_before(&p)->index->mask_positions(out, mask, offsets);
    pass_real(&p);
}

static void shadow_unravel(const struct view *out, const struct view *positions, int ndim,
                           const int64_t *shape)
{
    PASS(p);
    pass_write(&p, out);
    pass_follow(&p, positions);
    pass_before(&p)->index->unravel(out, positions, ndim, shape);
    pass_real(&p);
}

static void shadow_triangle(const struct view *out, const struct view *x, int64_t diagonal,
                            bool upper)
{
    PASS(p);
    struct view *y = pass_write(&p, out), *from = pass_read(&p, x);
    pass_before(&p)->index->triangle(out, x, diagonal, upper);
    while (pass_next(&p))
        cpu_index.triangle(y, from, diagonal, upper);
}

static void shadow_ramp(const struct view *out, mc_arg start, mc_arg step)
{
    PASS(p);
    struct view *y = pass_write(&p, out);
    pass_before(&p)->index->ramp(out, start, step);
    while (pass_next(&p))
        cpu_index.ramp(y, start, step);
}

static void shadow_linspace(const struct view *out, double start, double end, double base)
{
    PASS(p);
    struct view *y = pass_write(&p, out);
    pass_before(&p)->index->linspace(out, start, end, base);
    while (pass_next(&p))
        cpu_index.linspace(y, start, end, base);
}

static void shadow_searchsorted(const struct view *out, const struct view *sorted,
                                const struct view *values, bool right)
{
    PASS(p);
    pass_write(&p, out);
    pass_before(&p)->index->searchsorted(out, sorted, values, right);
    pass_real(&p);
}

const struct index_kernels shadow_index = {
    .find_bad = shadow_find_bad,
    .gather = shadow_gather,
    .scatter = shadow_scatter,
    .scatter_add = shadow_scatter_add,
    .mask_offsets = shadow_mask_offsets,
    .mask_select = shadow_mask_select,
    .mask_positions = shadow_mask_positions,
    .unravel = shadow_unravel,
    .triangle = shadow_triangle,
    .ramp = shadow_ramp,
    .linspace = shadow_linspace,
    .searchsorted = shadow_searchsorted,
};
