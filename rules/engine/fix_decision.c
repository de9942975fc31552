/* What the program wrote where a dtype or device was decided, if it means the same elsewhere: the
 * device of "model.to(device)" for a batch that is created on the CPU. */
#include "rules/engine/engine.h"

#include <string.h>

static bool is_constant(const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = &f->insts.items[v];
    return i->op == IR_TEXT || i->op == IR_INT;
}

/* Whether the name is bound once in the body of its unit: then it is the same everywhere. */
static bool is_bound_once(struct check *c, const struct ir_function *f, const char *name)
{
    int count = 0;
    for (int u = 0; u < c->in->unit_count; u++) {
        const struct ir_unit *unit = c->in->units[u];
        if (strcmp(unit->file, f->span.file) != 0)
            continue;
        for (int k = 0; k < unit->functions.count; k++) {
            const struct ir_function *fn = unit->functions.items[k];
            flow_touch(c->in->flow, fn);
            for (int n = 1; n < fn->insts.count; n++)
                count +=
                    fn->insts.items[n].op == IR_SETNAME && !strcmp(fn->insts.items[n].name, name);
        }
    }
    return count == 1;
}

static bool is_local(const struct ir_function *f, const char *name)
{
    for (int k = 0; k < f->locals.count; k++)
        if (!strcmp(f->locals.items[k].name, name))
            return true;
    return false;
}

bool is_inst(struct check *c, const struct ir_inst *i, const void *inst)
{
    (void)c;
    return i == inst;
}

/* Whether the variable has its value already where the other place is, and keeps it. */
static bool is_set_by_then(struct check *c, const struct ir_function *f, ir_value read, ir_value at)
{
    const struct code_view *v = code_view(c, f);
    int64_t variable = variable_read(c, f, read);
    if (variable < 0)
        return false;
    const value_list *stores = &v->stores[variable];
    bool is_param = variable < f->param_count;
    if (stores->count != !is_param)
        return false;
    ir_value set = is_param ? 0 : stores->items[0];
    if (!set || v->block[set] == v->block[at])
        return !set || v->position[set] < v->position[at];
    ir_value first = f->blocks.items[0].insts[0];
    return set == first || !path_exists(c, f, first, at, is_inst, &f->insts.items[set]);
}

/* Whether what is read in the one function can be read in the other, before an instruction. */
static bool is_visible(struct check *c, const struct ir_function *from, ir_value v,
                       const struct ir_function *to, ir_value at)
{
    const struct ir_inst *i = &from->insts.items[v];
    if (i->op == IR_ATTR)
        return is_visible(c, from, i->args[0], to, at);
    if (i->op == IR_NAME && is_imported_name(c, from->span.file, i->name))
        return from->span.file && !strcmp(from->span.file, to->span.file);
    if (from == to)
        return is_set_by_then(c, from, v, at) ||
               (i->op == IR_NAME && strcmp(from->name, "(init)") &&
                is_bound_once(c, from, i->name));
    return i->op == IR_NAME && !strcmp(from->span.file, to->span.file) && !is_local(to, i->name) &&
           strcmp(to->name, "(init)") != 0 && is_bound_once(c, from, i->name);
}

/* What is named where it was decided; 0: nothing. A function of a library that is followed is in no
 * pack, which would say what each argument is: it is the only one that names a device. */
static ir_value named_there(struct check *c, const struct step *s, enum param_role role)
{
    struct call made;
    const struct ir_inst *call = &s->function->insts.items[s->inst];
    if (step_call(c, s, &made)) {
        const struct argument *a = call_argument(&made, role);
        return a ? a->value : 0;
    }
    ir_value only = 0;
    int count = 0;
    for (int k = 0; role == ROLE_DEVICE && k < call->arg_count; k++)
        if (flow_names_device(c->in->flow, s->function, call->args[k])) {
            only = call->args[k];
            count++;
        }
    return count == 1 ? only : 0;
}

const char *decision_text(struct check *c, const struct step *s, enum param_role role,
                          const struct ir_function *to, ir_value at)
{
    if (!s || !s->inst || !is_dynamic(&s->function->insts.items[s->inst]))
        return NULL;
    ir_value named = named_there(c, s, role);
    const struct ir_inst *i = &s->function->insts.items[named];
    const char *text = named ? text_of(c, i->span) : NULL;
    if (!text || strchr(text, '\n') || (!is_constant(s->function, named) && !ir_op_reads(i->op)))
        return NULL;
    bool is_same = is_constant(s->function, named) ? s->function == to
                                                   : is_visible(c, s->function, named, to, at);
    return is_same ? text : NULL;
}
