/* What a region of autocast does to an op: its operands are cast as the table says for their
 * device. The casts are recorded, so that gradients reach the operands in their own dtypes. */
#include "runtime/amp/amp.h"

#include "runtime/autograd/formulas.h"
#include "runtime/compute/compute.h"

enum policy { ALONE, LOWER, F32, WIDEN, PROMOTE, BANNED };

static const unsigned char policies[AUTOCAST_COUNT][2] = {
#define AUTOCAST(name, cpu, cuda) [AUTOCAST_##name] = {cpu, cuda},
#include "runtime/amp/autocast.def"
#undef AUTOCAST
};

/* What applies to the running op. */
struct rule {
    enum policy policy;
    bool cuda;
    mc_dtype lower;
};

static bool on_device(const mc_tensor *x, bool cuda)
{
    return is_cuda(x) == cuda;
}

/* cuda's rule, if a region of cuda is on and an operand is there; otherwise the CPU's, likewise. */
static struct rule rule_of(const struct op *op, enum autocast_op row, size_t count,
                           mc_tensor *const *operands)
{
    for (int d = 1; d >= 0; d--)
        for (size_t i = 0; op->autocast->device[d].on && i < count; i++)
            if (operands[i] && on_device(operands[i], d))
                return (struct rule){policies[row][d], d, op->autocast->device[d].dtype};
    return (struct rule){ALONE, false, MC_DTYPE_DEFAULT};
}

/* f64 was chosen deliberately, and stays. */
static bool eligible(const mc_tensor *x, const struct rule *r)
{
    if (!x || !on_device(x, r->cuda) || !dtype_is_float(x->dtype) || x->dtype == MC_F64)
        return false;
    return r->policy != WIDEN || !dtype_is_f8(x->dtype);
}

/* ---- casts ----------------------------------------------------------------------------------- */

/* A weight, which is likely to be needed in this dtype again. */
static bool is_weight(const mc_tensor *x)
{
    return x->dtype == MC_F32 && x->requires_grad && !x->fn && x->view == VIEW_NONE;
}

static mc_tensor *cast_recorded(struct op *op, mc_tensor *x, mc_dtype dtype)
{
    mc_tensor *y = op_convert(op, x, dtype);
    if (y && op->tracks && tensor_requires_grad(x)) {
        grad_to(op, y, x);
        if (y->fn)
            y->fn->name = "to_dtype"; /* for queries about the graph */
    }
    return op->ok ? y : NULL;
}

static mc_tensor *cast_weight(struct op *op, mc_tensor *x, mc_dtype dtype)
{
    struct cast_cache *cache = &op->autocast->cache;
    mc_tensor *y = cache_find(cache, x);
    if (y)
        return y;
    y = cast_recorded(op, x, dtype);
    if (y && op->tracks) /* a cast without history is of no use to ops that are recorded */
        cache_add(cache, x, y);
    return y;
}

/* In errors and traces the cast stands for the operand. */
static void stand_in(struct op *op, const mc_tensor *x, const mc_tensor *y)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i] == x)
            op->operands[i] = y;
}

static mc_tensor *cast(struct op *op, const struct rule *r, mc_tensor *x, mc_dtype dtype)
{
    if (!eligible(x, r) || x->dtype == dtype)
        return x;
    bool cached = dtype == r->lower && is_weight(x) && !op->autocast->cache_off;
    mc_tensor *y = cached ? cast_weight(op, x, dtype) : cast_recorded(op, x, dtype);
    if (y)
        stand_in(op, x, y);
    return y;
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* f32 if an operand is f32, otherwise the region's dtype, which all must have then. */
static mc_dtype promoted(struct op *op, const struct rule *r, size_t count,
                         mc_tensor *const *operands)
{
    mc_dtype to = r->lower;
    if (to == MC_F64) {
        op_fail(op, MC_ERROR_DTYPE, "%s cannot be called in a region of f64", op->name);
        return MC_DTYPE_DEFAULT;
    }
    for (size_t i = 0; i < count; i++) {
        if (!eligible(operands[i], r))
            continue;
        if (operands[i]->dtype == MC_F32)
            to = MC_F32;
        else if (to != MC_F32 && operands[i]->dtype != r->lower) {
            op_fail(op, MC_ERROR_DTYPE, "%s in a region of %s takes that and f32, not %s", op->name,
                    dtype_name(r->lower), dtype_name(operands[i]->dtype));
            return MC_DTYPE_DEFAULT;
        }
    }
    return to;
}

/* The dtype to cast to; MC_DTYPE_DEFAULT: none, or an error. */
static mc_dtype target(struct op *op, const struct rule *r, size_t count,
                       mc_tensor *const *operands)
{
    switch (r->policy) {
    case LOWER:
        return r->lower;
    case F32:
    case WIDEN:
        return MC_F32;
    case PROMOTE:
        return promoted(op, r, count, operands);
    case BANNED:
        op_fail(op, MC_ERROR_AUTOCAST,
                "%s is not safe inside autocast: use %s_with_logits, or leave the region", op->name,
                op->name);
        break;
    case ALONE:
        break;
    }
    return MC_DTYPE_DEFAULT;
}

mc_tensor *const *autocast_list(struct op *op, enum autocast_op row, mc_tensor *const *list,
                                size_t count, mc_tensor **casts)
{
    struct rule r = rule_of(op, row, count, list);
    mc_dtype to = target(op, &r, count, list);
    if (to == MC_DTYPE_DEFAULT)
        return list;
    for (size_t i = 0; i < count; i++)
        casts[i] = cast(op, &r, list[i], to);
    return casts;
}

void autocast_operands(struct op *op, enum autocast_op row, mc_tensor *operands[AUTOCAST_OPERANDS])
{
    mc_tensor *casts[AUTOCAST_OPERANDS];
    mc_tensor *const *used = autocast_list(op, row, operands, AUTOCAST_OPERANDS, casts);
    for (int i = 0; i < AUTOCAST_OPERANDS; i++)
        operands[i] = used[i];
}

mc_dtype autocast_dtype(struct op *op, enum autocast_op row, mc_tensor *x, mc_dtype asked)
{
    struct rule r = rule_of(op, row, 1, &x);
    return asked == MC_DTYPE_DEFAULT && r.policy == F32 && eligible(x, &r) ? MC_F32 : asked;
}
