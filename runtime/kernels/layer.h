/* Layer kernels: windows that slide over planes, normalisation of rows, look-ups in tables.
 *
 * Views are contiguous unless noted. Where a dtype is not named, the kernel moves elements without
 * looking at them and takes any. */
#ifndef RUNTIME_LAYER_H
#define RUNTIME_LAYER_H

#include "runtime/kernels/view.h"

/* A window over height and width, in that order. ops/ has checked that every position of the
 * output is within the padded input, and that no size times stride overflows. */
struct window {
    int64_t size[2];
    int64_t stride[2];
    int64_t padding[2];
    int64_t dilation[2];
};

enum pooling {
    POOLING_MAX, /* integers and floating; a NaN wins; padding never does */
    POOLING_AVG, /* i64 and floating; padding counts as zeros */
};

/* Rows of one length, each brought to mean 0 and variance 1 (centre), or to a mean square of 1. The
 * weight, then the bias, of the element at i of row r is the one at
 *     (r % period) * (length / inner) + i / inner
 * which is layer_norm with period = inner = 1, and group_norm with period = groups, inner = the
 * elements of a channel. */
struct norm {
    int64_t rows, length;
    int64_t period, inner;
    bool centre;
    double eps;
    const struct view *weight,
        *bias; /* of the computation's dtype, see norm_takes_own; NULL: none */
};

/* Gradients of such rows. Everything is of the dtype computed in, f32 or f64. */
struct norm_back {
    const struct norm *norm;                 /* whose bias is ignored */
    struct view grad, in;                    /* (rows, length) */
    struct view stats;                       /* (rows, 2), for the kernel to work with */
    const struct view *dx, *dweight, *dbias; /* out; NULL: not needed */
};

struct layer_kernels {
    /* in (n, c, h, w) to out (n, c * window, oh, ow): under each position of the window, what it
     * covers; zeros for the padding. */
    void (*unfold)(const struct view *out, const struct view *in, const struct window *w);
    /* Its gradient: out (n, c, h, w), which holds zeros, += in (n, c * window, oh, ow). f32, f64.
     */
    void (*fold)(const struct view *out, const struct view *in, const struct window *w);
    /* Planes (p, h, w) to (p, oh, ow). */
    void (*pool)(enum pooling kind, const struct view *out, const struct view *in,
                 const struct window *w);
    /* f32, f64. Planes again; windows as even as the sizes allow. */
    void (*adaptive_avg_pool)(const struct view *out, const struct view *in);
    /* Its gradient: din (p, h, w), which holds zeros, += its share of dout (p, oh, ow); w NULL: an
     * adaptive average. in is read for a maximum only. f32, f64. */
    void (*pool_back)(enum pooling kind, const struct view *din, const struct view *dout,
                      const struct view *in, const struct window *w);
    /* Planes again: each output takes input floor(position * step), step for height and width. */
    void (*nearest)(const struct view *out, const struct view *in, const float step[2]);
    /* Its gradient: din, which holds zeros, += dout. f32, f64. */
    void (*nearest_back)(const struct view *din, const struct view *dout, const float step[2]);

    /* These compute in f32, or f64 where noted, and read and write any floating dtype but f8,
     * rounding once. */
    void (*norm)(mc_dtype compute, const struct view *out, const struct view *in,
                 const struct norm *n);
    bool norm_takes_own; /* weight and bias may be of in's dtype instead: no casts before it */
    void (*norm_back)(const struct norm_back *job);
    /* Mean and biased variance, both of the computation's dtype, of each row of in (rows, length).
     */
    void (*moments)(mc_dtype compute, const struct view *mean, const struct view *var,
                    const struct view *in);
    /* out = (in - mean) * scale + shift over in (n, c, s); mean, scale and shift are (c) and of the
     * computation's dtype. */
    void (*affine)(mc_dtype compute, const struct view *out, const struct view *in,
                   const struct view *mean, const struct view *scale, const struct view *shift);
    /* Row b of out is the mean of the rows of table that row b of indices (i32 or i64) names; zeros
     * for none. The rows of table need not be adjacent. */
    void (*bag_mean)(mc_dtype compute, const struct view *out, const struct view *table,
                     const struct view *indices);

    /* Rows of table (rows, width) in the order of indices, i32 or i64, which are in range. The rows
     * of table need not be adjacent. */
    void (*lookup)(const struct view *out, const struct view *table, const struct view *indices);
    /* out (numel, classes), i64, of indices, i64, which are in range. */
    void (*one_hot)(const struct view *out, const struct view *indices);
    /* Smallest and largest of indices, i32 or i64, at least one. */
    void (*index_range)(const struct view *indices, int64_t *low, int64_t *high);
};

extern const struct layer_kernels cpu_layer;

#endif
