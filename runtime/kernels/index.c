/* Gather and scatter on the CPU. All forms of indexing come down to these: an index that is the
 * same along a row has stride 0 there, and the row is then copied or added as one.
 *
 * Operands come in as views, one walk runs over up to three of them at once. The walk is shared
 * among threads along one dimension in which the written operand moves, so no two threads write the
 * same place and repeated indices are met in order. */
#include "runtime/core/core.h"
#include "runtime/kernels/index.h"

#include <string.h>

enum { WALK_OPERANDS = 3, GRAIN = 16384 };

/* Operand 0 is written. along: the distance in bytes between neighbours along the indexed dimension
 * of the operand that is indexed; size: how many there are. */
struct walk {
    int ndim;
    int64_t shape[MC_MAX_DIMS];
    char *data[WALK_OPERANDS];
    int64_t stride[WALK_OPERANDS][MC_MAX_DIMS]; /* in bytes */
    int64_t along, size;
    void (*run)(const struct walk *w, char *const *at, int64_t n);
};

/* ---- walking ------------------------------------------------------------------------------ */

static void walk_operand(struct walk *w, int k, const struct view *v)
{
    int64_t bytes = (int64_t)dtype_size(v->dtype);
    w->data[k] = v->data;
    for (int d = 0; d < v->ndim; d++)
        w->stride[k][d] = v->stride[d] * bytes;
}

static bool joins(const struct walk *w, int outer, int inner)
{
    for (int k = 0; k < WALK_OPERANDS; k++)
        if (w->stride[k][outer] != w->stride[k][inner] * w->shape[inner])
            return false;
    return true;
}

static void move_dim(struct walk *w, int to, int from)
{
    w->shape[to] = w->shape[from];
    for (int k = 0; k < WALK_OPERANDS; k++)
        w->stride[k][to] = w->stride[k][from];
}

/* Leaves out dimensions of one element and joins neighbours that can be walked as one. */
static void walk_simplify(struct walk *w)
{
    int n = 0;
    for (int d = 0; d < w->ndim; d++) {
        if (w->shape[d] == 1)
            continue;
        if (n && joins(w, n - 1, d)) {
            int64_t outer = w->shape[n - 1];
            move_dim(w, n - 1, d);
            w->shape[n - 1] *= outer;
        } else {
            move_dim(w, n++, d);
        }
    }
    if (n == 0) {
        w->shape[0] = 1;
        for (int k = 0; k < WALK_OPERANDS; k++)
            w->stride[k][0] = 0;
        n = 1;
    }
    w->ndim = n;
}

/* Advances to the next row; false after the last. */
static bool walk_advance(const struct walk *w, int64_t *at, char **p)
{
    for (int d = w->ndim - 2; d >= 0; d--) {
        bool carry = ++at[d] == w->shape[d];
        int64_t step = carry ? 1 - w->shape[d] : 1;
        for (int k = 0; k < WALK_OPERANDS; k++)
            p[k] += step * w->stride[k][d];
        if (!carry)
            return true;
        at[d] = 0;
    }
    return false;
}

static void walk_rows(const struct walk *w)
{
    int64_t at[MC_MAX_DIMS] = {0};
    char *p[WALK_OPERANDS];
    memcpy(p, w->data, sizeof p);
    do
        w->run(w, p, w->shape[w->ndim - 1]);
    while (walk_advance(w, at, p));
}

struct share {
    const struct walk *walk;
    int dim;
};

static void walk_share(int64_t begin, int64_t end, void *ctx)
{
    const struct share *s = ctx;
    struct walk w = *s->walk;
    w.shape[s->dim] = end - begin;
    for (int k = 0; k < WALK_OPERANDS; k++)
        w.data[k] += begin * w.stride[k][s->dim];
    walk_rows(&w);
}

/* The longest dimension along which the written operand moves; -1: none. */
static int shared_dim(const struct walk *w)
{
    int best = -1;
    for (int d = 0; d < w->ndim; d++)
        if (w->stride[0][d] != 0 && (best < 0 || w->shape[d] > w->shape[best]))
            best = d;
    return best;
}

static void walk_all(struct walk *w, int64_t numel)
{
    if (numel == 0)
        return;
    walk_simplify(w);
    int dim = shared_dim(w);
    if (dim < 0) {
        walk_rows(w);
        return;
    }
    int64_t each = numel / w->shape[dim];
    struct share share = {w, dim};
    parallel_for(w->shape[dim], each >= GRAIN ? 1 : GRAIN / each, walk_share, &share);
}

/* ---- rows --------------------------------------------------------------------------------- */

static inline int64_t place_of(const struct walk *w, const char *index)
{
    int64_t i = *(const int64_t *)index;
    return (i < 0 ? i + w->size : i) * w->along;
}

/* A row for which the index is the same: x has been moved to it. */
#define COPY_ROW(T, to, from, to_step, from_step, n)                                               \
    do {                                                                                           \
        if (to_step == (int64_t)sizeof(T) && from_step == (int64_t)sizeof(T))                      \
            memcpy(to, from, (size_t)(n) * sizeof(T));                                             \
        else                                                                                       \
            for (int64_t i = 0; i < n; i++)                                                        \
                *(T *)(to + i * to_step) = *(const T *)(from + i * from_step);                     \
    } while (0)

/* Operands: out, x, index. */
#define GATHER(T)                                                                                  \
    static void gather_##T(const struct walk *w, char *const *at, int64_t n)                       \
    {                                                                                              \
        const int last = w->ndim - 1;                                                              \
        const int64_t so = w->stride[0][last], sx = w->stride[1][last], si = w->stride[2][last];   \
        char *out = at[0];                                                                         \
        const char *x = at[1], *index = at[2];                                                     \
        if (si == 0) {                                                                             \
            x += place_of(w, index);                                                               \
            COPY_ROW(T, out, x, so, sx, n);                                                        \
            return;                                                                                \
        }                                                                                          \
        for (int64_t i = 0; i < n; i++)                                                            \
            *(T *)(out + i * so) = *(const T *)(x + i * sx + place_of(w, index + i * si));         \
    }

/* Operands: x, source, index. */
#define SCATTER(T)                                                                                 \
    static void scatter_##T(const struct walk *w, char *const *at, int64_t n)                      \
    {                                                                                              \
        const int last = w->ndim - 1;                                                              \
        const int64_t sx = w->stride[0][last], ss = w->stride[1][last], si = w->stride[2][last];   \
        char *x = at[0];                                                                           \
        const char *source = at[1], *index = at[2];                                                \
        if (si == 0) {                                                                             \
            x += place_of(w, index);                                                               \
            COPY_ROW(T, x, source, sx, ss, n);                                                     \
            return;                                                                                \
        }                                                                                          \
        for (int64_t i = 0; i < n; i++)                                                            \
            *(T *)(x + i * sx + place_of(w, index + i * si)) = *(const T *)(source + i * ss);      \
    }

/* The same, with += or |=. x and source do not overlap. */
#define SCATTER_ADD(T, name, ADD)                                                                  \
    static void add_row_##name(T *restrict x, const T *restrict source, int64_t n)                 \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            x[i] = ADD(T, x[i], source[i]);                                                        \
    }                                                                                              \
    static void add_##name(const struct walk *w, char *const *at, int64_t n)                       \
    {                                                                                              \
        const int last = w->ndim - 1;                                                              \
        const int64_t sx = w->stride[0][last], ss = w->stride[1][last], si = w->stride[2][last];   \
        char *x = at[0];                                                                           \
        const char *source = at[1], *index = at[2];                                                \
        if (si == 0 && sx == (int64_t)sizeof(T) && ss == (int64_t)sizeof(T)) {                     \
            add_row_##name((T *)(x + place_of(w, index)), (const T *)source, n);                   \
            return;                                                                                \
        }                                                                                          \
        for (int64_t i = 0; i < n; i++) {                                                          \
            T *to = (T *)(x + i * sx + place_of(w, index + i * si));                               \
            *to = ADD(T, *to, *(const T *)(source + i * ss));                                      \
        }                                                                                          \
    }

#define PLUS(T, a, b) ((T)((a) + (b)))
#define OR(T, a, b)   ((T)((a) | (b)))

/* clang-format off */
GATHER(uint8_t)
GATHER(uint16_t)
GATHER(uint32_t)
GATHER(uint64_t)
SCATTER(uint8_t)
SCATTER(uint16_t)
SCATTER(uint32_t)
SCATTER(uint64_t)
SCATTER_ADD(uint8_t, bool, OR)
SCATTER_ADD(uint8_t, 8, PLUS)
SCATTER_ADD(uint16_t, 16, PLUS)
SCATTER_ADD(uint32_t, 32, PLUS)
SCATTER_ADD(uint64_t, 64, PLUS)
SCATTER_ADD(float, f32, PLUS)
SCATTER_ADD(double, f64, PLUS)
/* clang-format on */

typedef void (*row_function)(const struct walk *, char *const *, int64_t);

/* By size of an element. */
static const row_function gather_rows[9] = {
    [1] = gather_uint8_t, [2] = gather_uint16_t, [4] = gather_uint32_t, [8] = gather_uint64_t};
static const row_function scatter_rows[9] = {
    [1] = scatter_uint8_t, [2] = scatter_uint16_t, [4] = scatter_uint32_t, [8] = scatter_uint64_t};
/* Integers wrap, and do so alike with and without sign. */
static const row_function add_rows[MC_DTYPE_COUNT] = {
    [MC_BOOL] = add_bool, [MC_U8] = add_8,   [MC_I8] = add_8,    [MC_I16] = add_16,
    [MC_I32] = add_32,    [MC_I64] = add_64, [MC_F32] = add_f32, [MC_F64] = add_f64};

/* ---- kernels ------------------------------------------------------------------------------ */

struct bad_search {
    const int64_t *index;
    int64_t low, high; /* good: low <= index < high */
    _Atomic int64_t first;
};

static void find_bad_part(int64_t begin, int64_t end, void *ctx)
{
    struct bad_search *s = ctx;
    const int64_t *index = s->index;
    bool bad = false;
    for (int64_t i = begin; i < end; i++)
        bad |= (index[i] < s->low) | (index[i] >= s->high);
    if (!bad)
        return;
    int64_t i = begin, first = atomic_load(&s->first);
    while (index[i] >= s->low && index[i] < s->high)
        i++;
    while (i < first && !atomic_compare_exchange_weak(&s->first, &first, i))
        ;
}

static int64_t cpu_find_bad(const struct view *index, int64_t size, bool wrap)
{
    struct bad_search s = {(const int64_t *)index->data, wrap ? -size : 0, size, INT64_MAX};
    parallel_for(index->numel, 4 * GRAIN, find_bad_part, &s);
    int64_t first = atomic_load(&s.first);
    return first == INT64_MAX ? -1 : first;
}

/* The indexed operand has no stride along dim: the index moves it there. */
static void index_along(struct walk *w, int k, const struct view *x, int dim)
{
    w->along = w->stride[k][dim];
    w->size = x->shape[dim];
    w->stride[k][dim] = 0;
}

static struct walk walk_over(const struct view *a, const struct view *b, const struct view *index)
{
    struct walk w = {.ndim = index->ndim};
    walk_operand(&w, 0, a);
    walk_operand(&w, 1, b);
    walk_operand(&w, 2, index);
    memcpy(w.shape, index->shape, sizeof w.shape);
    return w;
}

static void cpu_gather(const struct view *out, const struct view *x, int dim,
                       const struct view *index)
{
    struct walk w = walk_over(out, x, index);
    w.run = gather_rows[dtype_size(x->dtype)];
    index_along(&w, 1, x, dim);
    walk_all(&w, index->numel);
}

static void cpu_scatter(const struct view *x, int dim, const struct view *index,
                        const struct view *source)
{
    struct walk w = walk_over(x, source, index);
    w.run = scatter_rows[dtype_size(x->dtype)];
    index_along(&w, 0, x, dim);
    walk_all(&w, index->numel);
}

static void cpu_scatter_add(const struct view *x, int dim, const struct view *index,
                            const struct view *source)
{
    struct walk w = walk_over(x, source, index);
    w.run = add_rows[x->dtype];
    index_along(&w, 0, x, dim);
    walk_all(&w, index->numel);
}

const struct index_kernels cpu_index = {
    .find_bad = cpu_find_bad,
    .gather = cpu_gather,
    .scatter = cpu_scatter,
    .scatter_add = cpu_scatter_add,
    .mask_offsets = cpu_mask_offsets,
    .mask_select = cpu_mask_select,
    .mask_positions = cpu_mask_positions,
    .unravel = cpu_unravel,
    .triangle = cpu_triangle,
    .ramp = cpu_ramp,
    .linspace = cpu_linspace,
    .searchsorted = cpu_searchsorted,
};
