/* Autocast: inside a region the floating operands on its device are cast before the function sees
 * them. Which functions take part, and how, their packs say; what counts as an operand that is cast
 * is the same for all. */
#include "analyzer/pack/private.h"

#include <string.h>

static bool is_on(const struct operand *o, enum device d)
{
    return o->kind == OPERAND_TENSOR && o->device == d;
}

/* f64 is left as it is. */
static bool is_eligible(const struct operand *o, enum device d)
{
    return is_on(o, d) && DTYPES_FLOATING >> o->dtype & 1 && o->dtype != DTYPE_F64;
}

/* Variants that write to an operand take no part. */
static bool writes(const struct pack_function *f, const struct operand *operands)
{
    for (int i = 0; i < f->param_count; i++)
        if (f->params[i].written && operands[i].kind == OPERAND_TENSOR)
            return true;
    return false;
}

static bool any_on(const struct operand *operands, int count, enum device d)
{
    for (int i = 0; i < count; i++)
        if (is_on(&operands[i], d))
            return true;
    return false;
}

/* The region's dtype, or f32 once that was seen; DTYPE_NONE: before it, another was. */
static enum dtype widest(const struct operand *operands, int count, enum device d, enum dtype low)
{
    enum dtype found = low;
    for (int i = 0; i < count; i++) {
        if (!is_eligible(&operands[i], d))
            continue;
        if (found == DTYPE_F32 || operands[i].dtype == DTYPE_F32)
            found = DTYPE_F32;
        else if (operands[i].dtype != low)
            return DTYPE_NONE;
    }
    return found;
}

static enum dtype cast_to(enum autocast how, const struct operand *operands, int count,
                          enum device d, enum dtype low)
{
    return how == AUTOCAST_PROMOTE ? widest(operands, count, d, low)
           : how == AUTOCAST_LOW   ? low
                                   : DTYPE_F32;
}

static void cast_all(struct operand *operands, int count, enum device d, enum dtype to, bool but_f8)
{
    for (int i = 0; i < count; i++) {
        bool f8 = operands[i].dtype == DTYPE_F8_E4M3 || operands[i].dtype == DTYPE_F8_E5M2;
        if (is_eligible(&operands[i], d) && !(f8 && but_f8))
            operands[i].dtype = to;
    }
}

static bool fail(struct outcome *out, enum error_kind kind, const char *reason)
{
    out->error = kind;
    out->reason = reason;
    return false;
}

bool pack_autocast(const struct pack_function *f, const struct operand *operands, int count,
                   const struct regions *regions, struct operand *cast, struct outcome *out)
{
    memcpy(cast, operands, sizeof *cast * (size_t)count);
    if (writes(f, operands))
        return true;
    for (int d = DEVICE_COUNT - 1; d >= 0; d--) { /* the GPU's region comes first */
        enum dtype low = regions->autocast[d];
        enum autocast how = f->autocast[d];
        if (low == DTYPE_NONE || how == AUTOCAST_NONE || !any_on(cast, count, (enum device)d))
            continue;
        if (how == AUTOCAST_REFUSED)
            return fail(out, ERROR_AUTOCAST, "{op} is not safe inside autocast");
        enum dtype to = cast_to(how, cast, count, (enum device)d, low);
        if (to == DTYPE_NONE)
            return fail(out, ERROR_DTYPE,
                        "{op} inside autocast takes the region's dtype and f32 only");
        cast_all(cast, how == AUTOCAST_FIRST && count ? 1 : count, (enum device)d, to,
                 how == AUTOCAST_FIRST);
    }
    return true;
}
