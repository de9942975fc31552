/* chunk and split: parts of a tensor along a dimension, as views. Each part is an op of its own,
 * so that there can be any number of results. */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/compute.h"

struct plan {
    int64_t dim, size; /* of a part; the last may be shorter */
    int64_t count;
};

static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

static bool has_room(struct op *op, const struct plan *p, mc_tensor **parts, size_t room)
{
    if (!parts || (uint64_t)p->count > room)
        return op_fail(op, MC_ERROR_ARGUMENT, "there are %lld parts and room for %zu",
                       (long long)p->count, parts ? room : 0);
    return true;
}

static bool plan_dim(struct op *op, const mc_tensor *x, int64_t dim, struct plan *p)
{
    p->dim = dim;
    if (x->ndim == 0)
        return op_fail(op, MC_ERROR_SHAPE, "a 0-dim tensor cannot be split");
    return op_dim(op, &p->dim, x->ndim);
}

static bool plan_chunk(struct op *op, const mc_tensor *x, int64_t chunks, int64_t dim,
                       struct plan *p)
{
    if (!plan_dim(op, x, dim, p))
        return false;
    if (chunks < 1)
        return op_fail(op, MC_ERROR_ARGUMENT, "%lld chunks", (long long)chunks);
    int64_t length = x->shape[p->dim];
    p->size = divide_up(length, chunks);
    p->count = length ? divide_up(length, p->size) : chunks;
    return true;
}

static bool plan_split(struct op *op, const mc_tensor *x, int64_t size, int64_t dim, struct plan *p)
{
    if (!plan_dim(op, x, dim, p))
        return false;
    int64_t length = x->shape[p->dim];
    if (size < 0 || (size == 0 && length > 0))
        return op_fail(op, MC_ERROR_ARGUMENT, "parts of %lld elements", (long long)size);
    p->size = size;
    p->count = length ? divide_up(length, size) : 1;
    return true;
}

static mc_tensor *part(mc_place at, const char *name, mc_tensor *x, const struct plan *p, int64_t i)
{
    OP_BEGIN(op, name, at, x);
    int64_t start = p->size * i, rest = x->shape[p->dim] - start;
    int64_t length = rest < p->size ? rest : p->size;
    mc_tensor *y = op.ok ? op_narrow(&op, x, p->dim, start, length) : NULL;
    if (y)
        view_linked(&op, y, x, VIEW_OF_SEVERAL);
    if (y && op.tracks)
        grad_slice(&op, y, x, p->dim, start, 1);
    return op_end(&op, y);
}

static size_t take_apart(mc_place at, const char *name, mc_tensor *x, const struct plan *p,
                         mc_tensor **parts)
{
    for (int64_t i = 0; i < p->count; i++)
        if (!(parts[i] = part(at, name, x, p, i)))
            return 0;
    return (size_t)p->count;
}

size_t mc_op_chunk(mc_place at, mc_tensor *x, int64_t chunks, int64_t dim, mc_tensor **parts,
                   size_t room)
{
    struct plan p;
    OP_BEGIN(op, "chunk", at, x);
    bool fine = op.ok && plan_chunk(&op, x, chunks, dim, &p) && has_room(&op, &p, parts, room);
    op_finish(&op);
    return fine ? take_apart(at, "chunk", x, &p, parts) : 0;
}

size_t mc_op_split(mc_place at, mc_tensor *x, int64_t size, int64_t dim, mc_tensor **parts,
                   size_t room)
{
    struct plan p;
    OP_BEGIN(op, "split", at, x);
    bool fine = op.ok && plan_split(&op, x, size, dim, &p) && has_room(&op, &p, parts, room);
    op_finish(&op);
    return fine ? take_apart(at, "split", x, &p, parts) : 0;
}
