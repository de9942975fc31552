/* A variable is a new tensor on one path and an alias of another tensor on the other path, and is
 * then changed in place: on the second path the change is visible elsewhere. */
#include "rules/engine/engine.h"

/* What is assigned to the variable: tensors from elsewhere, by the stores that put them there, and
 * a new tensor. */
struct ways {
    struct check *check;
    value_list others;
    ir_value made;
};

static bool makes_new(struct check *c, const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = &f->insts.items[v];
    if (i->op != IR_CALL && i->op != IR_INVOKE && i->op != IR_APPLY)
        return false;
    const struct flow_call *call = flow_call_of(c->in->flow, f, v);
    if (!call) /* a function of the program */
        return i->op == IR_CALL && i->name && !packs_find(c->in->packs, i->name);
    const struct flow_value *result = flow_value_of(c->in->flow, f, v);
    return result && !(alias_kinds(result) & ~(1u << ALIAS_FRESH)) &&
           call->callee->family != FAMILY_CLONE;
}

/* A variable of a dynamic language that holds an element of something, which has it, too. */
static bool is_element_held(struct check *c, const struct ir_function *f, ir_value read)
{
    int64_t variable = is_dynamic(&f->insts.items[read]) ? variable_read(c, f, read) : -1;
    ir_value held = variable >= f->param_count ? value_held(c, f, variable, read) : 0;
    const struct ir_inst *i = held ? &f->insts.items[held] : NULL;
    return i && i->op == IR_APPLY && i->integer == PROTOCOL_GETITEM &&
           !flow_call_of(c->in->flow, f, held);
}

static void add_way(const struct ir_function *f, ir_value user, enum variable_use how,
                    void *context)
{
    struct ways *w = context;
    if (how != VARIABLE_SET)
        return;
    ir_value put = value_behind(f, ir_written(&f->insts.items[user]));
    if (!w->made && makes_new(w->check, f, put))
        w->made = put;
    if (ir_op_reads(f->insts.items[put].op) &&
        (is_from_outside(f, put) || is_element_held(w->check, f, put)))
        LIST_ADD(w->check->in->arena, &w->others, user);
}

/* A variable may be changed in many places. */
static const struct ways *ways_of(struct check *c, const struct ir_function *f, int64_t local)
{
    struct map *known = code_view(c, f)->ways;
    struct ways *w = map_get(known, (uint64_t)local + 1);
    if (w)
        return w;
    w = arena_one(c->in->arena, struct ways);
    w->check = c;
    variable_users(c, f, local, add_way, w);
    map_put(known, (uint64_t)local + 1, w);
    return w;
}

static bool has(const value_list *l, ir_value v)
{
    for (int i = 0; i < l->count; i++)
        if (l->items[i] == v)
            return true;
    return false;
}

/* The tensor from elsewhere that the variable may still be where it is read; 0: none. */
static ir_value other_at(struct check *c, const struct ir_function *f, const struct ways *w,
                         int64_t variable, ir_value read)
{
    ir_value before = store_before(code_view(c, f), variable, read);
    const value_list *all = before ? NULL : stores_reaching(c, f, variable, read);
    for (int i = 0; i < w->others.count; i++) {
        ir_value store = w->others.items[i];
        if (before ? store == before : has(all, store))
            return value_behind(f, ir_written(&f->insts.items[store]));
    }
    return 0;
}

/* Where the variable was set to the result of a conditional expression, that is read instead: a
 * variable without a name. */
static int64_t variable_chosen(struct check *c, const struct ir_function *f, int64_t variable,
                               ir_value *read)
{
    ir_value held = variable >= f->param_count ? value_held(c, f, variable, *read) : 0;
    int64_t chosen = held ? variable_read(c, f, held) : -1;
    const char *name = chosen >= f->param_count && chosen < f->locals.count
                           ? f->locals.items[chosen].name
                           : "parameter";
    if (name && *name)
        return variable;
    *read = held;
    return chosen;
}

static void check(struct check *c, const struct call *call)
{
    const struct ir_function *f = call->function;
    const struct argument *x = call_written(call);
    ir_value read = x ? x->value : 0;
    int64_t variable = x ? variable_read(c, f, read) : -1;
    if (variable < f->param_count)
        return;
    variable = variable_chosen(c, f, variable, &read);
    const struct ways *w = ways_of(c, f, variable);
    ir_value other = w->made ? other_at(c, f, w, variable, read) : 0;
    if (!other)
        return;
    struct span others = f->insts.items[other].span, made = f->insts.items[w->made].span;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, f, call_span(call), "%s also changes '%s' if '%s' is an alias of it",
        call->callee->shown, name_in_program(c, f, other, &others, "it"), x->name);
    finding_mark(c, out, x->span);
    finding_place(c, out, arena_printf(c->in->arena, "%s is an alias", x->name), &others);
    finding_place(c, out, arena_printf(c->in->arena, "%s is new", x->name), &made);
    if (fix_out_of_place(c, out, call))
        out->fix.what = arena_printf(c->in->arena, "compute a new %s", x->name);
}

const struct rule_code rule_inplace_on_alias = {.call = check};
