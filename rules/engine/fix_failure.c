/* Fixes of failures: casts after which the call works. The pack is evaluated for
 * everything that the operands can be, so a fix that only leads to the next error is not offered.
 */
#include "rules/engine/engine.h"

#include <string.h>

static struct written_call written(const struct failing *f)
{
    return (struct written_call){f->failure->function, f->failure->inst, f->failure->callee};
}

/* ---- one dtype ------------------------------------------------------------------------------ */

static bool is_cast(const struct failing_operand *o, const struct failing_operand *to, bool all)
{
    return o != to && is_computed_with(o) && (all || o->blamed) && o->is.dtype != to->is.dtype;
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
    return failing_works(f, operands);
}

/* Whether the call works after the casts, whatever the dtype of the deciding operand. */
static bool works_cast(const struct failing *f, const struct failing_operand *to, bool all)
{
    for (int d = 1; d < dtype_end(); d++)
        if (to->dtypes >> d & 1 && !works_with(f, to, all, (enum dtype)d, (enum dtype)d))
            return false;
    return true;
}

/* Whether it never works with different dtypes: then a cast changes no run that worked. */
static bool needs_one_dtype(const struct failing *f, const struct failing_operand *to, bool all)
{
    dtype_set others = 0;
    for (int k = 0; k < f->count; k++)
        others |= is_cast(&f->operands[k], to, all) ? f->operands[k].dtypes : 0;
    for (int d = 1; d < dtype_end(); d++)
        for (int o = 1; o < dtype_end(); o++)
            if (d != o && to->dtypes >> d & 1 && others >> o & 1 &&
                works_with(f, to, all, (enum dtype)d, (enum dtype)o))
                return false;
    return true;
}

static const char *dtype_as_written(struct check *c, const struct failing *f,
                                    const struct failing_operand *to)
{
    const struct written_call at = written(f);
    const char *name = to->value ? value_name(c->in->arena, f->failure->function, to->value) : NULL;
    if (!name && to->param->role == ROLE_WEIGHT && !is_one(to->dtypes))
        name = failing_weight(c, f);
    bool by_name = name && is_dynamic(&at.function->insts.items[at.inst]);
    if (is_one(to->dtypes) && !by_name)
        return write_dtype(at.callee, to->is.dtype);
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

/* Two operands can have one origin: one edit is enough. */
static bool is_done(const struct finding *out, const struct span *at)
{
    for (int i = 0; i < out->fix.edits.count; i++) {
        const struct span *s = &out->fix.edits.items[i].span;
        if (!strcmp(s->file, at->file) && s->line >= at->line && s->line <= at->end_line)
            return true;
    }
    return false;
}

static bool is_in_dynamic(const struct failing *f)
{
    return is_dynamic(&f->failure->function->insts.items[f->failure->inst]);
}

/* Where the operand was decided, if that is possible. */
static bool fix_origin(struct check *c, const struct failing *f, const struct failing_operand *o,
                       const struct failing_operand *to, struct finding *out, bool *unsafe)
{
    bool is_double = o->is.dtype == DTYPE_F64 && is_in_dynamic(f);
    /* Classes are nothing but i64: whoever wrote another dtype for them meant no other. */
    bool is_class = o->param->role == ROLE_TARGET && to->is.dtype == DTYPE_I64;
    struct origin_fix fix = {.name = o->name,
                             .how = o->how,
                             .is = o->is.dtype,
                             .to = to->is.dtype,
                             .like = to->how,
                             .function = f->failure->function,
                             .except = f->failure->inst,
                             .when = f->failure->when,
                             .several = !is_one(to->dtypes),
                             .flagged = !is_one(o->dtypes),
                             .narrows = o->param->written,
                             .replaces = is_double || is_class};
    if (!fix_at_origin(c, out, &fix))
        return false;
    *unsafe |= fix.unsafe;
    out->fix.what =
        out->fix.what ? arena_printf(c->in->arena, "%s, %s", out->fix.what, fix.what) : fix.what;
    return true;
}

static bool has_dtype(const struct fact *f, const void *dtype)
{
    return f->dtypes >> *(const enum dtype *)dtype & 1;
}

/* A parameter, or a view of one: it is not cast in every call. */
static bool is_made_of_weight(struct check *c, const struct failing_operand *o)
{
    const struct step *s = o->how;
    if (o->fact.grad == TRI_YES && o->fact.leaf == TRI_YES)
        return true;
    for (int n = 0; s && n < 8; n++) {
        const struct pack_function *by = step_callee(c, s);
        if (s->fact.grad == TRI_YES && s->fact.leaf == TRI_YES)
            return true;
        if (!by || !alias_is_view(by))
            return false;
        s = s->from[0];
    }
    return false;
}

/* Whether a cast decided its dtype: of the model, which reaches what is registered. */
static bool is_cast_of_owner(struct check *c, const struct failing_operand *to)
{
    const struct step *s = deciding_step(c, to->how, ASPECT_DTYPE, DTYPE_BIT(to->is.dtype));
    struct call made;
    return s && step_call(c, s, &made) && call_is_cast(&made) && !dynamic_is_call(c, &made);
}

/* An operand that differs: where it was decided, else in the call. A parameter is not cast in every
 * call, if that can be helped. */
static bool fix_operand(struct check *c, const struct failing *f, const struct failing_operand *o,
                        const struct failing_operand *to, const char *dtype, struct finding *out,
                        bool *unsafe)
{
    const struct written_call at = written(f);
    const struct step *s = deciding_step(c, o->how, ASPECT_DTYPE, DTYPE_BIT(o->is.dtype));
    if (s && s->inst && is_done(out, &s->span))
        return true;
    if (is_model_weight(f, o) && !out->fix.edits.count &&
        fix_sibling(c, out, at.function, o->value, "cast", has_dtype, &to->is.dtype, unsafe))
        return true;
    if (!out->fix.edits.count && o->is.dtype == DTYPE_F32 && is_in_dynamic(f) &&
        is_cast_of_owner(c, to) && fix_registered(c, out, f, o))
        return true;
    if (fix_origin(c, f, o, to, out, unsafe))
        return true;
    *unsafe |= is_model_weight(f, o);
    bool is_layer = f->family == FAMILY_MATMUL || f->family == FAMILY_CONVOLUTION ||
                    f->family == FAMILY_NORMALIZE || f->family == FAMILY_GATHER;
    if (is_in_dynamic(f) && is_layer && is_made_of_weight(c, o))
        return false;
    return !o->param->written && fix_cast(c, out, &at, o->span, dtype);
}

static bool fix_operands(struct check *c, const struct failing *f, const struct failing_operand *to,
                         bool all, struct finding *out, bool *unsafe)
{
    const char *dtype = dtype_as_written(c, f, to);
    bool ok = dtype != NULL;
    for (int k = 0; k < f->count && ok; k++)
        if (is_cast(&f->operands[k], to, all))
            ok = fix_operand(c, f, &f->operands[k], to, dtype, out, unsafe);
    return ok && out->fix.edits.count;
}

/* A norm whose parameters are wider than its input computes in their dtype and returns that of its
 * input. */
static bool fix_norm(struct check *c, const struct failing *f, struct finding *out)
{
    const struct written_call at = written(f);
    const struct failing_operand *x = &f->operands[0], *w = NULL;
    struct call call;
    for (int k = 1; k < f->count; k++) {
        if (w && f->operands[k].is.dtype != w->is.dtype)
            return false;
        w = &f->operands[k];
    }
    if (f->family != FAMILY_NORMALIZE || !w || dtype_bits(w->is.dtype) != 32 ||
        dtype_bits(x->is.dtype) != 16 || !call_view(c, at.function, at.inst, &call))
        return false;
    const char *name = value_name(c->in->arena, at.function, x->value);
    const char *back = name ? write_dtype_of(c, &at, name) : NULL;
    if (!back || !is_spelled_out(c, &call) ||
        !fix_cast(c, out, &at, x->span, dtype_as_written(c, f, w)) ||
        !fix_wrap(c, out, call_span(&call), write_cast(at.callee, back), back))
        return false;
    out->fix.what = arena_printf(c->in->arena, "normalize in %s, and cast the result back",
                                 dtype_word(w->is.dtype));
    return true;
}

static const struct failing_operand *written_operand(const struct failing *f)
{
    for (int k = 0; k < f->count; k++)
        if (f->operands[k].param->written)
            return &f->operands[k];
    return NULL;
}

/* f64 is mostly an accident; a cast to it makes everything that follows slower. */
static bool spreads_double(const struct failing_operand *to)
{
    return to->is.dtype == DTYPE_F64;
}

/* Whether all others that are computed with have the dtype. */
static bool others_are(const struct failing *f, const struct failing_operand *odd, dtype_set dtypes)
{
    for (int k = 0; k < f->count; k++) {
        const struct failing_operand *o = &f->operands[k];
        if (o != odd && is_computed_with(o) && o->dtypes != dtypes)
            return false;
    }
    return f->count > 1;
}

/* One operand is cast to a half in the call itself, and before that it was what the others are:
 * nothing else asks for a half, so it stays as it was. */
static bool fix_cast_in_call(struct check *c, const struct failing *f, struct finding *out)
{
    const struct written_call at = written(f);
    for (int k = 0; k < f->count; k++) {
        const struct failing_operand *o = &f->operands[k];
        struct call cast;
        if (!o->value || !dtypes_are(o->dtypes, SET_HALVES) ||
            !call_view(c, at.function, o->value, &cast) || !call_is_cast(&cast) ||
            !is_argument_of(c, &at, o->span))
            continue;
        const struct argument *x = call_argument(&cast, ROLE_INPUT);
        if (!argument_is_tensor(x) || !is_one(argument_dtypes(x)) ||
            !others_are(f, o, argument_dtypes(x)) || !fix_unwrap(c, out, &cast, x))
            continue;
        out->fix.what = arena_printf(c->in->arena, "leave %s in %s", x->name,
                                     dtypes_text(c, argument_dtypes(x)));
        out->fix.safe = f->failure->always;
        return true;
    }
    return false;
}

/* Whether others would become f64 for one that nobody asked to be: a model that is cast, or an
 * option, asks for it, but not what is merely written to. */
static bool widens_by_accident(struct check *c, const struct failing_operand *to)
{
    const struct step *s = deciding_step(c, to->how, ASPECT_DTYPE, DTYPE_BIT(to->is.dtype));
    struct call made;
    if (to->is.dtype != DTYPE_F64 || !is_one(to->dtypes))
        return false;
    if (to->param->written || !s || !step_call(c, s, &made))
        return true;
    const struct argument *dtype = call_argument(&made, ROLE_DTYPE);
    return !call_is_cast(&made) && (!dtype || !dtype->value || is_literal(&made, dtype));
}

/* Whether a fix would guess: a complex number has no float, and of many calls in a library not all
 * need the same, unless the dtype was asked for. */
static bool is_not_decided(struct check *c, const struct failing *f,
                           const struct failing_operand *to)
{
    for (int k = 0; k < f->count; k++)
        if (DTYPE_SET(f->operands[k].is.dtype) & DTYPES_COMPLEX)
            return true;
    if (to && is_in_dynamic(f) && widens_by_accident(c, to))
        return true;
    bool is_plain_norm = f->family == FAMILY_NORMALIZE && f->failure->is_hidden;
    if (!to || (!failing_is_compound(c, f) && !is_plain_norm))
        return false;
    const struct step *s = deciding_step(c, to->how, ASPECT_DTYPE, DTYPE_BIT(to->is.dtype));
    struct call made;
    bool is_cast = s && step_call(c, s, &made) && call_is_cast(&made);
    bool from_double = false;
    for (int k = 0; k < f->count; k++)
        from_double |= &f->operands[k] != to && f->operands[k].is.dtype == DTYPE_F64;
    return to->param->role != ROLE_WEIGHT || !is_one(to->dtypes) || !(is_cast || from_double);
}

void fix_one_dtype(struct check *c, const struct failing *given, struct finding *out)
{
    struct failing adopted, *f = &adopted;
    failing_adopt(c, given, f);
    const struct failing_operand *to = deciding_operand(c, f);
    bool unsafe = false, certain = f->failure->always;
    if (is_not_decided(c, f, to))
        return;
    if (fix_cast_in_call(c, f, out))
        return;
    if (to && fix_norm(c, f, out)) {
        out->fix.safe = certain || needs_one_dtype(f, to, true);
        return;
    }
    bool all = to && !works_cast(f, to, false);
    bool ok = to && works_cast(f, to, all) && fix_operands(c, f, to, all, out, &unsafe);
    if (!ok && to && written_operand(f) && written_operand(f) != to) {
        to = written_operand(f);
        out->fix = (struct fix){0};
        all = !works_cast(f, to, false);
        ok = works_cast(f, to, all) && fix_operands(c, f, to, all, out, &unsafe);
    }
    if (!ok) {
        out->fix = (struct fix){0};
        return;
    }
    if (!out->fix.what)
        out->fix.what = what_is_cast(c, f, to, all);
    out->fix.safe = !unsafe && !spreads_double(to) && (certain || needs_one_dtype(f, to, all));
}

/* ---- one operand ---------------------------------------------------------------------------- */

void fix_to_dtype(struct check *c, const struct failing *given, struct finding *out,
                  const struct failing_operand *o, enum dtype d)
{
    struct failing adopted, *f = &adopted;
    failing_adopt(c, given, f);
    o = &f->operands[o - given->operands];
    const struct written_call at = written(f);
    struct operand operands[MAX_COMBINED];
    bool unsafe = false;
    memcpy(operands, f->combination, sizeof operands);
    operands[o->at].dtype = d;
    if (o->param->written || !failing_works(f, operands))
        return;
    if (is_in_dynamic(f) && o->dtypes & ~(DTYPE_SET(o->is.dtype) | DTYPE_SET(d)))
        return; /* what it is in other cases would be cast, too */
    bool rounds = d >= DTYPE_F16 && o->is.dtype < DTYPE_F16; /* integers are mostly meant to be */
    if (!rounds &&
        fix_origin(c, f, o, &(struct failing_operand){.is = {.dtype = d}, .dtypes = DTYPE_SET(d)},
                   out, &unsafe)) {
        out->fix.safe = f->failure->always && !unsafe;
        return;
    }
    if (!fix_cast(c, out, &at, o->span, write_dtype(at.callee, d)))
        return;
    out->fix.what = arena_printf(c->in->arena, "cast %s to %s", o->name, dtype_word(d));
    out->fix.safe = f->failure->always;
}
