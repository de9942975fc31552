/* Building a grid: dimensions are separated, sorted by their strides, and merged. */
#include "runtime/core/core.h"
#include "runtime/kernels/grid.h"

#include <stdlib.h>

static void add_axis(struct axis *axes, int *count, struct axis a)
{
    axes[(*count)++] = a;
}

/* Insertion sort, so that equal steps keep their order. */
static void sort_axes(struct axis *axes, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && llabs(axes[k - 1].in) < llabs(axes[k].in); k--) {
            struct axis t = axes[k];
            axes[k] = axes[k - 1];
            axes[k - 1] = t;
        }
}

static int join_axes(struct axis *axes, int count)
{
    int last = 0;
    for (int i = 1; i < count; i++) {
        struct axis *outer = &axes[last], inner = axes[i];
        if (outer->in == inner.in * inner.size && outer->out == inner.out * inner.size) {
            inner.size *= outer->size;
            *outer = inner;
        } else {
            axes[++last] = inner;
        }
    }
    return last + 1;
}

static int finish_axes(struct axis *axes, int count, bool sort)
{
    if (count == 0)
        add_axis(axes, &count, (struct axis){.size = 1});
    if (sort)
        sort_axes(axes, count);
    return join_axes(axes, count);
}

struct grid grid_of(struct view out, struct view in, unsigned over, bool ordered)
{
    struct grid g = {0};
    int64_t in_size = (int64_t)dtype_size(in.dtype), out_size = (int64_t)dtype_size(out.dtype);
    for (int d = 0; d < in.ndim; d++) {
        struct axis a = {in.shape[d], in.stride[d] * in_size,
                         out.shape[d] == 1 ? 0 : out.stride[d] * out_size};
        if (in.numel == 0) /* nothing is read: strides and products of sizes have no meaning */
            a.in = 0, a.size = over >> d & 1 ? 0 : a.size;
        if (a.size == 1)
            continue;
        if (over >> d & 1)
            add_axis(g.inner, &g.inner_count, a);
        else
            add_axis(g.kept, &g.kept_count, a);
    }
    g.kept_count = finish_axes(g.kept, g.kept_count, true);
    g.inner_count = finish_axes(g.inner, g.inner_count, !ordered);
    return g;
}

int64_t axes_count(const struct axis *axes, int count)
{
    int64_t n = 1;
    for (int i = 0; i < count; i++)
        n *= axes[i].size;
    return n;
}

void axes_seek(const struct axis *axes, int count, int64_t index, const char **in, char **out)
{
    for (int i = count - 1; i >= 0; i--) {
        int64_t at = i ? index % axes[i].size : index;
        index /= axes[i].size;
        if (in)
            *in += at * axes[i].in;
        if (out)
            *out += at * axes[i].out;
    }
}
