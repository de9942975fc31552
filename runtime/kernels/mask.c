/* Masks, coordinates and triangles on the CPU. A mask is counted block by block first; with the
 * counts summed up, each block knows where its results go, and blocks can be worked on in any
 * order. */
#include "runtime/core/core.h"
#include "runtime/kernels/index.h"

#include <string.h>

struct mask_job {
    const uint8_t *mask;
    int64_t numel;
    int64_t *offsets;
    const char *x;
    char *out;
};

static int64_t block_end(const struct mask_job *j, int64_t block)
{
    return j->numel - block * MASK_BLOCK < MASK_BLOCK ? j->numel : (block + 1) * MASK_BLOCK;
}

/* ---- counting ----------------------------------------------------------------------------- */

static void count_blocks(int64_t begin, int64_t end, void *ctx)
{
    const struct mask_job *j = ctx;
    for (int64_t b = begin; b < end; b++) {
        uint32_t set = 0; /* a block has fewer than 2^32 elements */
        for (int64_t i = b * MASK_BLOCK, stop = block_end(j, b); i < stop; i++)
            set += j->mask[i] != 0;
        j->offsets[b] = set;
    }
}

void cpu_mask_offsets(const struct view *offsets, const struct view *mask)
{
    struct mask_job j = {.mask = (const uint8_t *)mask->data,
                         .numel = mask->numel,
                         .offsets = (int64_t *)offsets->data};
    int64_t blocks = mask_blocks(mask->numel), before = 0;
    parallel_for(blocks, 4, count_blocks, &j);
    for (int64_t b = 0; b <= blocks; b++) {
        int64_t set = b < blocks ? j.offsets[b] : 0;
        j.offsets[b] = before;
        before += set;
    }
}

/* ---- selecting ---------------------------------------------------------------------------- */

/* Writes VALUE for every element and steps on where the mask is set: no branch to guess wrong. k
 * stays below the block's own end, so nothing outside it is touched. */
#define SELECT(name, T, VALUE)                                                                     \
    static void name(int64_t begin, int64_t end, void *ctx)                                        \
    {                                                                                              \
        const struct mask_job *j = ctx;                                                            \
        T *out = (T *)j->out;                                                                      \
        for (int64_t b = begin; b < end; b++) {                                                    \
            int64_t k = j->offsets[b];                                                             \
            for (int64_t i = b * MASK_BLOCK; k < j->offsets[b + 1]; i++) {                         \
                out[k] = VALUE;                                                                    \
                k += j->mask[i] != 0;                                                              \
            }                                                                                      \
        }                                                                                          \
    }

SELECT(select_1, uint8_t, ((const uint8_t *)j->x)[i])
SELECT(select_2, uint16_t, ((const uint16_t *)j->x)[i])
SELECT(select_4, uint32_t, ((const uint32_t *)j->x)[i])
SELECT(select_8, uint64_t, ((const uint64_t *)j->x)[i])
SELECT(select_positions, int64_t, i)

static void run_mask(const struct view *out, const char *x, const struct view *mask,
                     const struct view *offsets, void (*body)(int64_t, int64_t, void *))
{
    struct mask_job j = {.mask = (const uint8_t *)mask->data,
                         .numel = mask->numel,
                         .offsets = (int64_t *)offsets->data,
                         .x = x,
                         .out = out->data};
    parallel_for(mask_blocks(mask->numel), 2, body, &j);
}

void cpu_mask_select(const struct view *out, const struct view *x, const struct view *mask,
                     const struct view *offsets)
{
    static void (*const by_size[9])(int64_t, int64_t, void *) = {
        [1] = select_1, [2] = select_2, [4] = select_4, [8] = select_8};
    run_mask(out, x->data, mask, offsets, by_size[dtype_size(x->dtype)]);
}

void cpu_mask_positions(const struct view *out, const struct view *mask, const struct view *offsets)
{
    run_mask(out, NULL, mask, offsets, select_positions);
}

/* ---- coordinates -------------------------------------------------------------------------- */

struct unravel_job {
    int64_t *out;
    const int64_t *positions;
    int ndim;
    const int64_t *shape;
};

static void unravel_part(int64_t begin, int64_t end, void *ctx)
{
    const struct unravel_job *j = ctx;
    for (int64_t i = begin; i < end; i++) {
        int64_t rest = j->positions[i];
        for (int d = j->ndim - 1; d > 0; d--) {
            j->out[i * j->ndim + d] = rest % j->shape[d];
            rest /= j->shape[d];
        }
        if (j->ndim)
            j->out[i * j->ndim] = rest;
    }
}

void cpu_unravel(const struct view *out, const struct view *positions, int ndim,
                 const int64_t *shape)
{
    struct unravel_job j = {(int64_t *)out->data, (const int64_t *)positions->data, ndim, shape};
    parallel_for(positions->numel, 8192, unravel_part, &j);
}

/* ---- triangles ---------------------------------------------------------------------------- */

struct triangle_job {
    char *out;
    const char *x;
    int64_t rows, columns, diagonal;
    size_t size; /* of an element */
    bool upper;
};

static int64_t clamped(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

/* Of each row, a first part of `cut` elements belongs to one side, the rest to the other. */
static void triangle_rows(int64_t begin, int64_t end, void *ctx)
{
    const struct triangle_job *j = ctx;
    for (int64_t r = begin; r < end; r++) {
        int64_t cut = clamped(r % j->rows + j->diagonal + !j->upper, 0, j->columns);
        size_t first = (size_t)cut * j->size, rest = (size_t)(j->columns - cut) * j->size;
        char *out = j->out + (size_t)(r * j->columns) * j->size;
        const char *x = j->x + (out - j->out);
        if (j->upper) {
            memset(out, 0, first);
            memcpy(out + first, x + first, rest);
        } else {
            memcpy(out, x, first);
            memset(out + first, 0, rest);
        }
    }
}

void cpu_triangle(const struct view *out, const struct view *x, int64_t diagonal, bool upper)
{
    int64_t rows = x->shape[x->ndim - 2], columns = x->shape[x->ndim - 1];
    if (x->numel == 0)
        return;
    struct triangle_job j = {out->data,
                             x->data,
                             rows,
                             columns,
                             clamped(diagonal, -rows - 1, columns + 1),
                             dtype_size(x->dtype),
                             upper};
    parallel_for(x->numel / columns, 1 + 32768 / columns, triangle_rows, &j);
}
