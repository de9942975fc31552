/* The geometry of work along some dimensions: the inner ones, which are worked on, and the kept
 * ones, which are iterated over, with the strides of input and output in each. */
#ifndef RUNTIME_GRID_H
#define RUNTIME_GRID_H

#include "runtime/core/core.h"
#include "runtime/kernels/view.h"

struct axis {
    int64_t size;
    int64_t in, out; /* bytes per step */
};

/* Outer dimensions first. There is always at least one axis of either kind, if necessary of size
 * 1. Neighbours that can be merged are one. */
struct grid {
    int kept_count, inner_count;
    struct axis kept[MC_MAX_DIMS], inner[MC_MAX_DIMS];
};

/* over: a bit for each dimension that is worked on. If out has size 1 along one of them, its
 * stride there is 0. Axes are sorted so that the closest elements come last; ordered keeps the
 * inner ones in the order of the dimensions. */
struct grid grid_of(struct view out, struct view in, unsigned over, bool ordered);

/* The product of the sizes; it fits, since the views' numels do. */
int64_t axes_count(const struct axis *axes, int count);
/* Moves in and out (either may be NULL) to the index-th element over the axes. */
void axes_seek(const struct axis *axes, int count, int64_t index, const char **in, char **out);

#endif
