/* Fixes of failures: casts and moves after which the call works. The pack is evaluated for
 * everything that the operands can be, so a fix that only leads to the next error is not offered.
 */
#include "rules/engine/engine.h"

#include <string.h>

/* Indices, masks and targets keep their dtype; the other operands are computed with. */
static bool computes(const struct failing_operand *o)
{
    enum param_role role = o->param->role;
    return role != ROLE_INDEX && role != ROLE_MASK && role != ROLE_TARGET;
}

static bool works(const struct failing *f, const struct operand *operands)
{
    struct outcome o = {0};
    pack_call_many(f->failure->callee, operands, f->combination_count, &o);
    return o.error == ERROR_NONE;
}

static struct written_call written(const struct failing *f)
{
    return (struct written_call){f->failure->function, f->failure->inst, f->failure->callee};
}

/* ---- one dtype ------------------------------------------------------------------------------ */

static bool is_floating(const struct failing_operand *o)
{
    return o->is.dtype >= DTYPE_F16;
}

/* An operand that is written decides, since a cast would write to a copy; else the first floating
 * one. */
static const struct failing_operand *deciding(const struct failing *f)
{
    const struct failing_operand *best = NULL;
    for (int k = 0; k < f->count; k++) {
        const struct failing_operand *o = &f->operands[k];
        if (o->param->written)
            return o;
        if (computes(o) && (!best || (is_floating(o) && !is_floating(best))))
            best = o;
    }
    return best;
}

static bool is_cast(const struct failing_operand *o, const struct failing_operand *to, bool all)
{
    return o != to && computes(o) && !o->param->written && (all || o->blamed) &&
           o->is.dtype != to->is.dtype;
}

/* An operand with the same dtypes as the deciding one depends on the same condition. */
static bool goes_along(const struct failing_operand *o, const struct failing_operand *to)
{
    return o->dtypes == to->dtypes && o->is.dtype == to->is.dtype;
}

/* Whether the call works if the deciding operand, and those that follow it, have dtype d, and those
 * that would be cast have dtype cast. */
static bool works_with(const struct failing *f, const struct failing_operand *to, bool all,
                       enum dtype d, enum dtype cast)
{
    struct operand operands[MAX_COMBINED];
    memcpy(operands, f->combination, sizeof operands);
    for (int k = 0; k < f->count; k++) {
        const struct failing_operand *o = &f->operands[k];
        if (o == to || goes_along(o, to))
            operands[o->at].dtype = d;
        else if (is_cast(o, to, all))
            operands[o->at].dtype = cast;
    }
    return works(f, operands);
}

/* Whether the call works after the casts, whatever the dtype of the deciding operand. */
static bool works_cast(const struct failing *f, const struct failing_operand *to, bool all)
{
    for (int d = 1; d < DTYPE_COUNT; d++)
        if (to->dtypes >> d & 1 && !works_with(f, to, all, (enum dtype)d, (enum dtype)d))
            return false;
    return true;
}

/* Whether it never works with different dtypes: then a cast changes no run that worked. */
static bool needs_one_dtype(const struct failing *f, const struct failing_operand *to, bool all)
{
    uint16_t others = 0;
    for (int k = 0; k < f->count; k++)
        others |= is_cast(&f->operands[k], to, all) ? f->operands[k].dtypes : 0;
    for (int d = 1; d < DTYPE_COUNT; d++)
        for (int o = 1; o < DTYPE_COUNT; o++)
            if (d != o && to->dtypes >> d & 1 && others >> o & 1 &&
                works_with(f, to, all, (enum dtype)d, (enum dtype)o))
                return false;
    return true;
}

static const char *dtype_as_written(struct check *c, const struct failing *f,
                                    const struct failing_operand *to)
{
    const struct written_call at = written(f);
    if (is_one(to->dtypes))
        return write_dtype(at.callee, to->is.dtype);
    const char *name = to->value ? value_name(c->in->arena, f->failure->function, to->value) : NULL;
    return name ? write_dtype_of(c, &at, name) : NULL;
}

/* "cast w and b to f16" */
static const char *what_is_cast(struct check *c, const struct failing *f,
                                const struct failing_operand *to, bool all)
{
    struct text out = {0};
    for (int k = 0; k < f->count; k++)
        if (is_cast(&f->operands[k], to, all))
            text_printf(&out, "%s%s", out.length ? " and " : "cast ", f->operands[k].name);
    if (is_one(to->dtypes))
        text_printf(&out, " to %s", dtype_word(to->is.dtype));
    else
        text_printf(&out, " to the dtype of %s", to->name);
    return text_keep(c->in->arena, &out);
}

/* The cast in this function that made it; false: none. */
static bool cast_behind(struct check *c, const struct failing *f, const struct failing_operand *o,
                        struct call *cast)
{
    const struct ir_function *fn = f->failure->function;
    const struct flow_value *v = o->value ? flow_value_of(c->in->flow, fn, o->value) : NULL;
    return v && v->made_count == 1 && step_call(c, v->made[0], cast) && cast->function == fn &&
           call_is_cast(cast);
}

/* Whether it was narrowed from dtype d: casting it back would restore nothing. */
static bool was_narrowed(struct check *c, const struct failing *f, const struct failing_operand *o,
                         enum dtype d)
{
    struct call cast;
    if (!is_floating(o) || dtype_bits(o->is.dtype) >= dtype_bits(d) || !cast_behind(c, f, o, &cast))
        return false;
    for (int k = 0; k < cast.count; k++)
        if (argument_is_tensor(&cast.arguments[k]))
            return dtypes_are(argument_dtypes(&cast.arguments[k]), 1u << d);
    return false;
}

/* Whether neither a cast nor another operand asks for its dtype. */
static bool is_alone(struct check *c, const struct failing *f, const struct failing_operand *to)
{
    struct call cast;
    for (int k = 0; k < f->count; k++) {
        const struct failing_operand *o = &f->operands[k];
        if (o != to && computes(o) && o->is.dtype == to->is.dtype)
            return false;
    }
    return !to->param->written && !cast_behind(c, f, to, &cast);
}

/* The other operand, if it was just narrowed; NULL: none was. */
static const struct failing_operand *narrowed(struct check *c, const struct failing *f,
                                              const struct failing_operand *to)
{
    for (int k = 0; k < f->count && to; k++)
        if (is_cast(&f->operands[k], to, false) &&
            was_narrowed(c, f, &f->operands[k], to->is.dtype))
            return &f->operands[k];
    return NULL;
}

/* f64 is mostly an accident; a cast to it makes everything that follows slower. */
static bool spreads_double(const struct failing_operand *to)
{
    return to->is.dtype == DTYPE_F64;
}

/* If one of two operands was just narrowed, the other is narrowed as well. */
void fix_one_dtype(struct check *c, const struct failing *f, struct finding *out)
{
    const struct failing_operand *to = deciding(f), *undone = narrowed(c, f, to);
    if (undone && is_alone(c, f, to)) {
        to = undone;
        undone = NULL;
    }
    const struct written_call at = written(f);
    const char *dtype = to ? dtype_as_written(c, f, to) : NULL;
    bool all = dtype && !works_cast(f, to, false), ok = dtype && works_cast(f, to, all);
    for (int k = 0; k < f->count && ok; k++)
        if (is_cast(&f->operands[k], to, all))
            ok = fix_cast(c, out, &at, f->operands[k].span, dtype);
    if (!ok || !out->fix.edits.count) {
        out->fix = (struct fix){0};
        return;
    }
    out->fix.what = what_is_cast(c, f, to, all);
    out->fix.safe =
        !undone && !spreads_double(to) && (f->failure->always || needs_one_dtype(f, to, all));
}

/* ---- one operand ---------------------------------------------------------------------------- */

void fix_to_dtype(struct check *c, const struct failing *f, struct finding *out,
                  const struct failing_operand *o, enum dtype d)
{
    const struct written_call at = written(f);
    struct operand operands[MAX_COMBINED];
    memcpy(operands, f->combination, sizeof operands);
    operands[o->at].dtype = d;
    if (o->param->written || !works(f, operands) ||
        !fix_cast(c, out, &at, o->span, write_dtype(at.callee, d)))
        return;
    out->fix.what = arena_printf(c->in->arena, "cast %s to %s", o->name, dtype_word(d));
    out->fix.safe = f->failure->always;
}

void fix_device(struct check *c, const struct failing *f, struct finding *out,
                const struct failing_operand *o, const struct failing_operand *to)
{
    const struct written_call at = written(f);
    struct operand operands[MAX_COMBINED];
    memcpy(operands, f->combination, sizeof operands);
    operands[o->at].device = to->is.device;
    operands[o->at].gpus = to->is.gpus;
    const char *name = to->value ? value_name(c->in->arena, f->failure->function, to->value) : NULL;
    if (o->param->written || !name || !works(f, operands) ||
        !fix_move(c, out, &at, o->span, write_device_of(c, &at, name)))
        return;
    out->fix.what = arena_printf(c->in->arena, "move %s to where %s is", o->name, to->name);
    out->fix.safe = f->failure->always;
}
