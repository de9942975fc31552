/* A variable is a new tensor on one path and an alias of another tensor on the other path, and is
 * then changed in place: on the second path the change is visible elsewhere. */
#include "rules/engine/engine.h"

/* What is assigned to the variable: tensors from elsewhere and new ones, by the stores that put
 * them there; and where it is read to be kept in something else, too. */
struct ways {
    struct check *check;
    value_list others, made, kept;
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

/* Whether the value is put into something that is no variable. */
static bool is_kept(struct check *c, const struct ir_function *f, ir_value v)
{
    const value_list *users = &code_view(c, f)->users[v];
    for (int i = 0; i < users->count; i++) {
        ir_value user = users->items[i];
        if (ir_written(&f->insts.items[user]) == v && variable_set(c, f, user) < 0)
            return true;
    }
    return false;
}

static void add_way(const struct ir_function *f, ir_value user, enum variable_use how,
                    void *context)
{
    struct ways *w = context;
    struct check *c = w->check;
    if (how == VARIABLE_READ && is_kept(c, f, user))
        LIST_ADD(c->in->arena, &w->kept, user);
    if (how != VARIABLE_SET)
        return;
    ir_value put = value_behind(f, ir_written(&f->insts.items[user]));
    if (makes_new(c, f, put) && !is_kept(c, f, put))
        LIST_ADD(c->in->arena, &w->made, user);
    if (ir_op_reads(f->insts.items[put].op) &&
        (is_from_outside(f, put) || is_element_held(c, f, put)))
        LIST_ADD(c->in->arena, &w->others, user);
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

/* Whether the variable may still be what the store put there where it is read. */
static bool holds(struct check *c, const struct ir_function *f, int64_t variable, ir_value store,
                  ir_value read)
{
    ir_value before = store_before(code_view(c, f), variable, read);
    return before ? before == store : has(stores_reaching(c, f, variable, read), store);
}

/* The first of the stores that reaches the read; 0: none does. */
static ir_value first_of(struct check *c, const struct ir_function *f, int64_t variable,
                         const value_list *stores, ir_value read)
{
    for (int i = 0; i < stores->count; i++)
        if (holds(c, f, variable, stores->items[i], read))
            return stores->items[i];
    return 0;
}

/* A tensor that is made where there was none before, and kept, is meant to be changed the next time
 * as well. */
static bool is_cached(struct check *c, const struct ir_function *f, const struct ways *w,
                      int64_t variable, ir_value made)
{
    for (int i = 0; i < w->kept.count; i++)
        if (holds(c, f, variable, made, w->kept.items[i]))
            return true;
    return false;
}

static ir_value put_by(const struct ir_function *f, ir_value store)
{
    return value_behind(f, ir_written(&f->insts.items[store]));
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
    ir_value made = first_of(c, f, variable, &w->made, read);
    ir_value other = made ? first_of(c, f, variable, &w->others, read) : 0;
    if (!other || is_cached(c, f, w, variable, made))
        return;
    other = put_by(f, other);
    struct span others = f->insts.items[other].span, news = f->insts.items[put_by(f, made)].span;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, f, call_span(call), "%s also changes '%s' if '%s' is an alias of it",
        call->callee->shown, name_in_program(c, f, other, &others, "it"), x->name);
    finding_mark(c, out, x->span);
    finding_place(c, out, arena_printf(c->in->arena, "%s is an alias", x->name), &others);
    finding_place(c, out, arena_printf(c->in->arena, "%s is new", x->name), &news);
    if (fix_out_of_place(c, out, call))
        out->fix.what = arena_printf(c->in->arena, "compute a new %s", x->name);
}

const struct rule_code rule_inplace_on_alias = {.call = check};
