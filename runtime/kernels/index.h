/* Index kernels: reading and writing at places that are themselves data, masks, triangles, ramps
 * and sorted look-ups. ops/ has made every index contiguous i64 and asked find_bad about it before
 * any kernel reads through it. */
#ifndef RUNTIME_INDEX_H
#define RUNTIME_INDEX_H

#include "runtime/kernels/view.h"

/* Elements of a mask that one entry of its offsets covers. */
#define MASK_BLOCK 16384

static inline int64_t mask_blocks(int64_t numel)
{
    return numel / MASK_BLOCK + (numel % MASK_BLOCK != 0);
}

struct index_kernels {
    /* The position of the first index outside [0, size), or with wrap outside [-size, size); -1:
     * none. Negative indices count from the end in all kernels below. */
    int64_t (*find_bad)(const struct view *index, int64_t size, bool wrap);

    /* out[p] = x[p with its coordinate along dim replaced by index[p]]. All three have one number
     * of dimensions, at least one; out has index's shape; x may be longer in the other dimensions.
     */
    void (*gather)(const struct view *out, const struct view *x, int dim, const struct view *index);
    /* x[p with its coordinate along dim replaced by index[p]] = source[p], or += source[p]; source
     * may be longer than index. Where indices repeat, they are taken in order, whatever the number
     * of threads. add: not of f16, bf16 and f8; a bool is or-ed. No two elements of x share memory.
     */
    void (*scatter)(const struct view *x, int dim, const struct view *index,
                    const struct view *source);
    void (*scatter_add)(const struct view *x, int dim, const struct view *index,
                        const struct view *source);

    /* Masks are contiguous bool. offsets (i64, mask_blocks + 1) receives how many are set before
     * each block, and last how many in all. */
    void (*mask_offsets)(const struct view *offsets, const struct view *mask);
    /* out: the elements of x, contiguous, where mask is set; or the positions of those. */
    void (*mask_select)(const struct view *out, const struct view *x, const struct view *mask,
                        const struct view *offsets);
    void (*mask_positions)(const struct view *out, const struct view *mask,
                           const struct view *offsets);
    /* out (count, ndim), i64: positions in a contiguous tensor of that shape as coordinates. */
    void (*unravel)(const struct view *out, const struct view *positions, int ndim,
                    const int64_t *shape);

    /* The lower or upper triangle of each matrix of x, zeros elsewhere; both contiguous. */
    void (*triangle)(const struct view *out, const struct view *x, int64_t diagonal, bool upper);

    /* out[i] = start + i · step; out is f32, f64 (the numbers are floats) or i64 (ints). */
    void (*ramp)(const struct view *out, mc_arg start, mc_arg step);
    /* from start to end, both included; base > 0: base to the power of that. f32 or f64. */
    void (*linspace)(const struct view *out, double start, double end, double base);

    /* out (i64, values' shape): how many of sorted are below each value (right: not above). sorted
     * is one row, or one for each row of values. Integers, f32, f64; all contiguous. */
    void (*searchsorted)(const struct view *out, const struct view *sorted,
                         const struct view *values, bool right);
};

extern const struct index_kernels cpu_index;

/* Parts of cpu_index that are in mask.c and ramp.c. */
void cpu_mask_offsets(const struct view *offsets, const struct view *mask);
void cpu_mask_select(const struct view *out, const struct view *x, const struct view *mask,
                     const struct view *offsets);
void cpu_mask_positions(const struct view *out, const struct view *mask,
                        const struct view *offsets);
void cpu_unravel(const struct view *out, const struct view *positions, int ndim,
                 const int64_t *shape);
void cpu_triangle(const struct view *out, const struct view *x, int64_t diagonal, bool upper);
void cpu_ramp(const struct view *out, mc_arg start, mc_arg step);
void cpu_linspace(const struct view *out, double start, double end, double base);
void cpu_searchsorted(const struct view *out, const struct view *sorted, const struct view *values,
                      bool right);

#endif
