/* Members of an object that should be registered, so that moving and casting the object reaches
 * them: a tensor that a method sets as a plain attribute, and modules in a plain list. */
#include "rules/engine/engine.h"

#include <string.h>

/* ---- classes -------------------------------------------------------------------------------- */

static const struct ir_unit *unit_of(struct check *c, const struct ir_function *f)
{
    for (int u = 0; u < c->in->unit_count; u++)
        if (!strcmp(c->in->units[u]->file, f->span.file))
            return c->in->units[u];
    return NULL;
}

/* "Net." of "Net.forward"; NULL: it is no method. */
static const char *class_prefix(struct check *c, const struct ir_function *f)
{
    const char *dot = strrchr(f->name, '.');
    return dot && f->param_count ? arena_text(c->in->arena, f->name, (size_t)(dot - f->name) + 1)
                                 : NULL;
}

/* The method calls that of a base class before the instruction: the object is ready for members. */
static bool is_ready(const struct ir_function *f, ir_value at)
{
    const char *name = strrchr(f->name, '.') + 1;
    for (int n = 1; n < at; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        const struct ir_inst *on = i->op == IR_INVOKE ? &f->insts.items[i->args[0]] : NULL;
        bool is_super = on && on->op == IR_CALL && on->arg_count &&
                        f->insts.items[on->args[0]].op == IR_NAME &&
                        !strcmp(f->insts.items[on->args[0]].name, "super");
        if (is_super && !strcmp(i->name, name))
            return true;
    }
    return false;
}

static bool is_self(const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = &f->insts.items[v];
    return i->op == IR_GET && i->integer == 0 && f->param_count;
}

/* ---- tensors -------------------------------------------------------------------------------- */

/* The tensor that the call makes its result of: a view of it, or what is computed from it alone, as
 * "~mask" and "mask == 0", and is where it is; 0: none, or the call decides the device. */
static ir_value made_of(struct check *c, const struct ir_function *f, ir_value v)
{
    struct call call;
    ir_value only = 0;
    if (!is_dynamic(&f->insts.items[v]) || !call_view(c, f, v, &call))
        return 0;
    if (alias_is_view(call.callee))
        return f->insts.items[v].args[0];
    for (int k = 0; k < call.count; k++) {
        const struct argument *a = &call.arguments[k];
        if (!a->seen || a->seen->kind == OPERAND_DEVICE ||
            (a->seen->kind == OPERAND_TENSOR && only))
            return 0;
        only = a->seen->kind == OPERAND_TENSOR ? a->value : only;
    }
    return call.family == FAMILY_CAST ? 0 : only;
}

/* The member of the object itself that the value is read from, behind what it is made of; NULL:
 * none. */
static const char *member_behind(struct check *c, const struct ir_function *f, ir_value v)
{
    for (int n = 0; v && n < 8; n++) {
        const struct ir_inst *i = &f->insts.items[v];
        if (i->op == IR_ATTR && is_self(f, i->args[0]))
            return i->name;
        v = i->op == IR_ATTR ? i->args[0] : made_of(c, f, v);
    }
    return NULL;
}

/* A member of an object, as a method of it reads it. */
struct member {
    const struct ir_function *method;
    const char *name;
};

/* Where the operand comes from: a member that is read there or, if it was passed here, one that a
 * method read on the way. */
static bool find_member(struct check *c, const struct ir_function *f,
                        const struct failing_operand *o, struct member *out)
{
    *out = (struct member){f, o->value ? member_behind(c, f, o->value) : NULL};
    const struct step *s = o->how;
    for (int n = 0; s && !out->name && n < 8; n++) {
        *out =
            (struct member){s->function, s->inst ? member_behind(c, s->function, s->inst) : NULL};
        s = s->on ? s->on : s->from[0];
    }
    return out->name;
}

struct setting {
    const struct ir_function *function;
    ir_value inst;
};

/* The only place in the class that sets the member; false: none, or several. */
static bool find_setting(struct check *c, const struct ir_unit *unit, const char *prefix,
                         const char *name, struct setting *out)
{
    int count = 0;
    for (int k = 0; k < unit->functions.count; k++) {
        const struct ir_function *f = unit->functions.items[k];
        if (strncmp(f->name, prefix, strlen(prefix)) != 0 || strchr(f->name + strlen(prefix), '.'))
            continue;
        flow_touch(c->in->flow, f);
        for (int n = 1; n < f->insts.count; n++)
            if (f->insts.items[n].op == IR_SETATTR && !strcmp(f->insts.items[n].name, name)) {
                *out = (struct setting){f, (ir_value)n};
                count++;
            }
    }
    return count == 1;
}

/* "{object}.register_buffer("{name}", " and what follows the tensor. */
static bool fill(struct check *c, const char *spelling, const char *object, const char *name,
                 const char **front, const char **back)
{
    struct text out = {0};
    const char *tensor = spelling ? strstr(spelling, "{tensor}") : NULL;
    if (!tensor)
        return false;
    for (const char *at = spelling; at < tensor;) {
        bool is_object = !strncmp(at, "{object}", 8), is_name = !strncmp(at, "{name}", 6);
        text_add_range(&out,
                       is_object ? object
                       : is_name ? name
                                 : at,
                       is_object ? strlen(object)
                       : is_name ? strlen(name)
                                 : 1);
        at += is_object ? 8 : is_name ? 6 : 1;
    }
    *front = text_keep(c->in->arena, &out);
    *back = tensor + strlen("{tensor}");
    return true;
}

/* "self.x = ones(4)" becomes "self.register_buffer("x", ones(4))". */
static bool write_registered(struct check *c, struct finding *f, const struct setting *at,
                             const char *spelling)
{
    const struct ir_inst *i = &at->function->insts.items[at->inst];
    const struct ir_inst *value = &at->function->insts.items[i->args[1]];
    const struct language *l = language_of(at->function);
    const struct source *s = sources_get(c->in->sources, i->span.file);
    struct span whole, target = i->span, set = value->span;
    const char *object = text_of(c, at->function->insts.items[i->args[0]].span), *front, *back;
    if (!s || !object || !statement_around(s, &i->span, &whole) ||
        !fill(c, spelling, object, i->name, &front, &back))
        return false;
    set = expression_with_brackets(s, &set);
    const char *text = text_of(c, set), *between = text_of(c, span_between(target, set));
    bool is_plain = text && between && !strcmp(between, l->assign) && target.line == whole.line &&
                    target.column == whole.column && set.end_line == whole.end_line &&
                    set.end_column == whole.end_column;
    if (!is_plain)
        return false;
    target.end_line = set.line;
    target.end_column = set.column;
    fix_edit(c, f, target, front);
    fix_edit(c, f, span_end(set), back);
    return true;
}

bool fix_registered(struct check *c, struct finding *f, const struct failing *of,
                    const struct failing_operand *o)
{
    struct member m;
    struct setting at = {0};
    if (!find_member(c, of->failure->function, o, &m))
        return false;
    const struct ir_unit *unit = unit_of(c, m.method);
    const char *prefix = class_prefix(c, m.method);
    if (!unit || !prefix || !find_setting(c, unit, prefix, m.name, &at) ||
        !is_ready(at.function, at.inst))
        return false;
    const struct ir_inst *i = &at.function->insts.items[at.inst];
    const struct flow_value *v = flow_value_of(c->in->flow, at.function, i->args[1]);
    if (!is_self(at.function, i->args[0]) || !v || v->fact.buffer || v->fact.null != TRI_NO ||
        v->fact.grad == TRI_YES ||
        !write_registered(c, f, &at, pack_spelling_of(of->failure->callee)->registered))
        return false;
    f->fix.what =
        arena_printf(c->in->arena, "register %s, so that it is moved with its owner", m.name);
    return true;
}

/* ---- modules -------------------------------------------------------------------------------- */

bool fix_module_list(struct check *c, struct finding *f, const struct ir_function *fn, ir_value set,
                     const char *list)
{
    const struct ir_inst *i = &fn->insts.items[set];
    const struct ir_inst *value = i->op == IR_SETATTR ? &fn->insts.items[i->args[1]] : NULL;
    const struct language *l = language_of(fn);
    const char *text = value ? text_of(c, value->span) : NULL;
    if (!list || !text || *text != *l->element[0] || text[strlen(text) - 1] != *l->element[1])
        return false;
    fix_edit(c, f, span_start(value->span),
             arena_printf(c->in->arena, "%s%s", list, l->arguments[0]));
    fix_edit(c, f, span_end(value->span), l->arguments[1]);
    f->fix.what = arena_printf(c->in->arena, "register them: %s", list);
    return true;
}
