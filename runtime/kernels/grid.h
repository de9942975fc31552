/* The geometry of work along some dimensions: those that are worked on (inner), those that are
 * merely walked (kept), with how far a step in each moves in the input and in the output. */
#ifndef RUNTIME_GRID_H
#define RUNTIME_GRID_H

#include "runtime/core/core.h"
#include "runtime/kernels/view.h"

struct axis {
    int64_t size;
    int64_t in, out; /* bytes a step */
};

/* Outer dimensions first. There is always at least one axis of either kind, if need be of size 1.
 * Neighbours that can be walked as one are one. */
struct grid {
    int kept_count, inner_count;
    struct axis kept[MC_MAX_DIMS], inner[MC_MAX_DIMS];
};

/* over: a bit for each dimension that is worked on. Where out is 1 along one of them, its step
 * there is 0. Axes are sorted so that the closest elements come last; ordered keeps the inner ones
 * in the order of the dimensions. */
struct grid grid_of(struct view out, struct view in, unsigned over, bool ordered);

/* Product of the sizes; it fits, for the views' numels do. */
int64_t axes_count(const struct axis *axes, int count);
/* Moves in and out (either may be NULL) to the index-th element over the axes. */
void axes_seek(const struct axis *axes, int count, int64_t index, const char **in, char **out);

#endif
