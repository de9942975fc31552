/* Failures in code of a library, which the program does not show: the call of a layer fails in what
 * the layer calls. Which argument of the program's call the operand is, and which layer was called.
 */
#include "rules/engine/engine.h"

#include <string.h>

static const struct ir_inst *inst_of(const struct failing *f)
{
    return &f->failure->function->insts.items[f->failure->inst];
}

/* ---- arguments ------------------------------------------------------------------------------ */

/* Whether the argument can be the operand: the same tensor, or, vague, one that is alike. */
static bool can_be(struct check *c, const struct ir_function *fn, ir_value v,
                   const struct failing_operand *o, bool vague)
{
    const struct flow_value *is = v ? flow_value_of(c->in->flow, fn, v) : NULL;
    if (!is || is->fact.buffer || !fn->insts.items[v].span.line)
        return false;
    return vague ? is->fact.dtypes == o->fact.dtypes && is->fact.devices == o->fact.devices
                 : is->how == o->how;
}

static ir_value argument_for(struct check *c, const struct failing *f,
                             const struct failing_operand *o, bool vague)
{
    const struct ir_function *fn = f->failure->function;
    const struct ir_inst *i = inst_of(f);
    ir_value found = 0;
    for (int k = 1; k < i->arg_count; k++) {
        bool is_spread = i->labels && i->labels[k] && *i->labels[k] == '*';
        if (is_spread || !can_be(c, fn, i->args[k], o, vague))
            continue;
        if (found)
            return 0;
        found = i->args[k];
    }
    return found;
}

void failing_adopt(struct check *c, const struct failing *f, struct failing *out)
{
    const struct ir_function *fn = f->failure->function;
    *out = *f;
    if (!f->failure->is_hidden || (inst_of(f)->op != IR_INVOKE && inst_of(f)->op != IR_CALL))
        return;
    for (int k = 0; k < out->count; k++) {
        struct failing_operand *o = &out->operands[k];
        if (o->value || o->param->role == ROLE_WEIGHT)
            continue;
        o->value = argument_for(c, f, o, false);
        o->value = o->value ? o->value : argument_for(c, f, o, true);
        if (!o->value)
            continue;
        o->span = fn->insts.items[o->value].span;
        o->dtypes |= flow_value_of(c->in->flow, fn, o->value)->fact.dtypes;
        o->name = name_in_program(c, fn, o->value, &o->span, o->name);
    }
}

/* ---- layers --------------------------------------------------------------------------------- */

/* The class that a value is made by: "Linear" of "nn.Linear(8, 8).half()"; NULL: it is not seen. */
static const char *made_by(const struct ir_function *fn, ir_value v)
{
    const char *name = NULL;
    for (int n = 0; v && n < 8; n++) {
        const struct ir_inst *i = &fn->insts.items[v];
        if (i->op != IR_INVOKE && i->op != IR_CALL)
            return name;
        const struct ir_inst *callee = &fn->insts.items[i->args[0]];
        name = i->op == IR_INVOKE ? i->name : ir_op_reads(callee->op) ? callee->name : NULL;
        v = i->op == IR_INVOKE ? i->args[0] : 0;
    }
    return name;
}

/* What the functions of a class, or one function, set the member or variable to. */
static const char *set_by(struct check *c, const struct ir_unit *unit, const char *prefix,
                          const char *name)
{
    const char *found = NULL;
    for (int k = 0; k < unit->functions.count; k++) {
        const struct ir_function *fn = unit->functions.items[k];
        if (strncmp(fn->name, prefix, strlen(prefix)) != 0)
            continue;
        flow_touch(c->in->flow, fn);
        for (int n = 1; n < fn->insts.count; n++) {
            const struct ir_inst *i = &fn->insts.items[n];
            const char *to = i->op == IR_SET ? fn->locals.items[i->integer].name : i->name;
            if (!ir_op_writes(i->op) || !to || strcmp(to, name) != 0)
                continue;
            const char *by = made_by(fn, ir_written(i));
            if (!by || (found && strcmp(found, by) != 0))
                return NULL;
            found = by;
        }
    }
    return found;
}

/* Whether a library has a class of that name whose calls read the member with the weights. */
static bool has_weight(struct check *c, const char *class, const char *weight)
{
    const char *forward = arena_printf(c->in->arena, "%s.forward", class);
    for (int u = 0; u < c->in->unit_count; u++) {
        const struct ir_function *fn =
            c->in->units[u]->module ? ir_function_find(c->in->units[u], forward) : NULL;
        for (int n = 1; fn && n < fn->insts.count; n++)
            if (fn->insts.items[n].op == IR_ATTR && !strcmp(fn->insts.items[n].name, weight))
                return true;
    }
    return false;
}

static const struct ir_unit *unit_of(struct check *c, const struct ir_function *fn)
{
    for (int u = 0; u < c->in->unit_count; u++)
        if (!strcmp(c->in->units[u]->file, fn->span.file))
            return c->in->units[u];
    return NULL;
}

/* "Classifier." of "Classifier.forward" for a member of self; the function itself for others. */
static const char *setters_of(struct check *c, const struct ir_function *fn, bool is_member)
{
    const char *dot = is_member ? strrchr(fn->name, '.') : NULL;
    return dot ? arena_text(c->in->arena, fn->name, (size_t)(dot - fn->name) + 1) : fn->name;
}

const char *failing_layer(struct check *c, const struct failing *f)
{
    const struct ir_function *fn = f->failure->function;
    const struct ir_inst *i = inst_of(f);
    const struct ir_unit *unit = unit_of(c, fn);
    bool is_called = i->op == IR_INVOKE || i->op == IR_CALL;
    const struct ir_inst *on = is_called && i->arg_count ? &fn->insts.items[i->args[0]] : NULL;
    const char *base = on ? value_name(c->in->arena, fn, i->args[0]) : NULL;
    const char *weight = pack_spelling_of(f->failure->callee)->weight;
    if (!f->failure->is_hidden || !unit || !base || !weight)
        return NULL;
    bool is_attr = i->op == IR_CALL && on->op == IR_ATTR;
    bool is_member = i->op == IR_INVOKE || is_attr;
    const char *name = is_attr              ? on->name
                       : i->op == IR_INVOKE ? i->name
                       : strchr(base, '.')  ? NULL
                                            : base;
    const char *class = name ? set_by(c, unit, setters_of(c, fn, is_member), name) : NULL;
    class = class || is_member || !name ? class : set_by(c, unit, "(init)", name);
    if (!class || !has_weight(c, class, weight))
        return NULL;
    return i->op == IR_INVOKE
               ? arena_printf(c->in->arena, "%s%s%s", base, language_of(fn)->member, i->name)
               : base;
}

const char *failing_weight(struct check *c, const struct failing *f)
{
    const char *layer = failing_layer(c, f);
    return layer ? arena_printf(c->in->arena, "%s%s%s", layer,
                                language_of(f->failure->function)->member,
                                pack_spelling_of(f->failure->callee)->weight)
                 : NULL;
}

bool failing_is_compound(struct check *c, const struct failing *f)
{
    return f->failure->is_hidden && !failing_layer(c, f);
}
