/* Autocast: inside a region, floating operands on its device are cast before the function runs. The
 * pack says how for each function; which operands are eligible is the same for all. */
#include "analyzer/pack/entry.h"

#include <string.h>

/* ---- in a pack ------------------------------------------------------------------------------ */

const char *const autocast_classes[] = {"none", "low", "f32", "first", "promote", "refused"};
const int autocast_class_count = sizeof autocast_classes / sizeof autocast_classes[0];

static bool read_class(struct entry *b, const struct node *n, enum autocast *out)
{
    if (!entry_text(b, n, "an autocast class"))
        return false;
    for (int i = 0; i < autocast_class_count; i++)
        if (strcmp(n->text, autocast_classes[i]) == 0) {
            *out = (enum autocast)i;
            return true;
        }
    return unknown_word(b->pack->file, n, 0, "autocast class", n->text, autocast_classes,
                        autocast_class_count, b->error);
}

/* "low": on all devices; "{cuda: f32}": on some. */
bool entry_read_autocast(struct entry *b)
{
    const struct node *n = entry_get(b, "autocast");
    const char *devices[DEVICE_COUNT];
    for (int d = 0; d < DEVICE_COUNT; d++)
        devices[d] = device_name((enum device)d);
    if (!n)
        return true;
    if (n->kind == NODE_MAP &&
        !expect_keys(b->pack->file, n, devices, DEVICE_COUNT, "autocast", b->error))
        return false;
    for (int d = 0; d < DEVICE_COUNT; d++) {
        const struct node *class = n->kind == NODE_MAP ? node_get(n, devices[d]) : n;
        if (class && !read_class(b, class, &b->function.autocast[d]))
            return false;
    }
    return true;
}

/* ---- in a call ------------------------------------------------------------------------------ */

static bool is_on(const struct operand *o, enum device d)
{
    return o->kind == OPERAND_TENSOR && o->device == d;
}

/* f64 is never cast. */
static bool is_eligible(const struct operand *o, enum device d)
{
    return is_on(o, d) && DTYPES_FLOATING >> o->dtype & 1 && o->dtype != DTYPE_F64;
}

/* Variants that write to an operand are not affected. */
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

/* The region's dtype, or f32 if an operand is; DTYPE_NONE: an operand before that has another
 * dtype, or the region's is f64. */
static enum dtype widest(const struct operand *operands, int count, enum device d, enum dtype low)
{
    enum dtype found = low == DTYPE_F64 ? DTYPE_NONE : low;
    for (int i = 0; found && i < count; i++) {
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
                        low == DTYPE_F64
                            ? "{op} cannot be called inside autocast to f64"
                            : "{op} inside autocast takes the region's dtype and f32 only");
        cast_all(cast, how == AUTOCAST_FIRST && count ? 1 : count, (enum device)d, to,
                 how == AUTOCAST_FIRST);
    }
    return true;
}
