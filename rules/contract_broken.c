/* A contract does not hold: the caller breaks it, so the finding points there. */
#include "rules/engine/engine.h"

#include <string.h>

static const char *expected_text(struct check *c, const struct failing *f,
                                 const struct failing_operand *o)
{
    const struct flow_failure *r = f->failure;
    dtype_set dtypes = DTYPES_ALL;
    unsigned devices = DEVICES_ALL;
    uint16_t gpus = GPUS_ALL;
    struct text out = {0};
    pack_expected(r->callee, f->combination, &dtypes, &devices, &gpus);
    if ((dtype_set)dtypes != DTYPES_ALL)
        dtypes_print((dtype_set)dtypes, &out);
    for (int d = 0; d < DEVICE_COUNT && devices != DEVICES_ALL; d++)
        if (devices >> d & 1) {
            text_add(&out, out.length ? " on " : "on ");
            device_print((enum device)d, gpus, gpus_are_apart(o->fact.gpus), &out);
        }
    return text_keep(c->in->arena, &out);
}

/* The argument of the call that became the operand. */
static struct span argument_span(const struct ir_function *caller, const struct span *call,
                                 const struct ir_function *callee, const char *name)
{
    struct span none = {0};
    for (int n = 1; n < caller->insts.count; n++) {
        const struct ir_inst *i = &caller->insts.items[n];
        if (i->op != IR_CALL || memcmp(&i->span, call, sizeof *call) != 0 || !i->name ||
            strcmp(i->name, callee->name) != 0)
            continue;
        for (int k = 0; k < callee->param_count && k < i->arg_count; k++)
            if (!strcmp(callee->locals.items[k].name, name))
                return caller->insts.items[i->args[k]].span;
    }
    return none;
}

/* The name of the argument at the call. */
static const char *name_at(struct check *c, const struct finding *out, const char *otherwise)
{
    const char *text = out->marks.count ? source_excerpt(c, &out->marks.items[0], 32) : "";
    return *text ? text : otherwise;
}

/* The dtype of the contract, if it has one or takes f32; DTYPE_NONE: it has none. */
static enum dtype wanted_dtype(const struct failing *f, const struct failing_operand *o,
                               unsigned *devices)
{
    dtype_set dtypes = DTYPES_ALL;
    uint16_t gpus = GPUS_ALL;
    pack_expected(f->failure->callee, f->combination, &dtypes, devices, &gpus);
    if (dtypes >> o->is.dtype & 1)
        return DTYPE_NONE;
    return is_one(dtypes)                                        ? dtype_of_set((dtype_set)dtypes)
           : dtypes >> DTYPE_F32 & 1 && o->is.dtype >= DTYPE_F16 ? DTYPE_F32
                                                                 : DTYPE_NONE;
}

/* A half argument that is computed with in f32: the result is cast back, if it is a tensor. A field
 * is mostly a weight, whose dtype says nothing about the result. */
static void cast_back(struct check *c, const struct flow_failure *r,
                      const struct failing_operand *o, struct finding *out)
{
    const struct written_call at = {r->called->caller, 0, r->callee};
    const struct type *type = r->function->type;
    const char *name = text_of(c, out->marks.items[0]);
    const struct language *l = language_of(r->called->caller);
    if (!(DTYPE_SET(o->is.dtype) & SET_HALVES) || !type ||
        !type_is_tensor(c->in->packs, type->of) || !name || strstr(name, l->member) ||
        strstr(name, l->pointer_member) || strstr(name, l->arguments[0]))
        return;
    fix_wrap(c, out, r->called->span, pack_spelling_of(r->callee)->cast,
             write_dtype_of(c, &at, name));
}

/* The argument is cast or moved to what the contract needs: where it was decided, else in the
 * call. */
static void offer(struct check *c, const struct failing *f, const struct failing_operand *o,
                  struct finding *out)
{
    const struct pack_spelling *how = pack_spelling_of(f->failure->callee);
    unsigned devices = DEVICES_ALL;
    enum dtype d = wanted_dtype(f, o, &devices);
    struct origin_fix fix = {.name = name_at(c, out, o->name),
                             .how = o->how,
                             .is = o->is.dtype,
                             .to = d,
                             .function = f->failure->function,
                             .except = f->failure->inst,
                             .when = f->failure->when};
    if (d != DTYPE_NONE && is_one(o->dtypes) && fix_at_origin(c, out, &fix)) {
        out->fix.what = fix.what;
        return;
    }
    if (!out->marks.count)
        return;
    if (d != DTYPE_NONE && how->dtypes[d] &&
        fix_wrap(c, out, out->marks.items[0], how->cast, how->dtypes[d])) {
        cast_back(c, f->failure, o, out);
        out->fix.what = arena_printf(c->in->arena, "cast %s to %s", fix.name, dtype_word(d));
    } else if (d == DTYPE_NONE && is_one(devices) && !(devices >> o->is.device & 1) &&
               fix_wrap(c, out, out->marks.items[0], how->move,
                        how->devices[devices >> DEVICE_CUDA & 1 ? DEVICE_CUDA : DEVICE_CPU]))
        out->fix.what =
            arena_printf(c->in->arena, "move %s to %s", fix.name,
                         device_name(devices >> DEVICE_CUDA & 1 ? DEVICE_CUDA : DEVICE_CPU));
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct flow_failure *r = f->failure;
    const struct failing_operand *o = f->count ? &f->operands[0] : NULL;
    struct text is = {0};
    if (!o)
        return;
    struct origin contract = {.what = arena_printf(c->in->arena, "%s has a contract", o->name),
                              .span = out->span,
                              .source = source_excerpt(c, &out->span, SOURCE_MAX)};
    if (r->called) {
        LIST_ADD(c->in->arena, &out->origins, contract);
        out->marks.count = 0;
        finding_mark(c, out,
                     argument_span(r->called->caller, &r->called->span, r->function, o->name));
        out->span = r->called->span;
        out->function = r->called->caller->name;
    }
    if (r->called)
        offer(c, f, o, out);
    fact_print(&o->fact, language_of(r->function)->null, &is);
    out->message =
        arena_printf(c->in->arena, "%s needs %s to be %s: '%s' is %s",
                     r->called ? r->function->name : "the contract", o->name,
                     expected_text(c, f, o), name_at(c, out, o->name), is.data ? is.data : "?");
    text_free(&is);
}

const struct rule_code rule_contract_broken = {.fallback = ERROR_CONTRACT, .refine = refine};
