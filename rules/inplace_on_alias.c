/* A variable is a new tensor on one path and an alias of another tensor on the other path, and is
 * then changed in place: on the second path the change is visible elsewhere. */
#include "rules/engine/engine.h"

/* What is assigned to the variable: tensors from elsewhere, and new tensors. */
struct ways {
    struct check *check;
    ir_value others, made;
};

static bool makes_new(struct check *c, const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = &f->insts.items[v];
    if (i->op != IR_CALL)
        return false;
    const struct flow_call *call = flow_call_of(c->in->flow, f, v);
    if (!call) /* a function of the program */
        return i->name && !packs_find(c->in->packs, i->name);
    const struct flow_value *result = flow_value_of(c->in->flow, f, v);
    return result && !(alias_kinds(result) & ~(1u << ALIAS_FRESH)) &&
           call->callee->family != FAMILY_CLONE;
}

static void add_way(const struct ir_function *f, ir_value user, ir_value address, void *context)
{
    struct ways *w = context;
    const struct ir_inst *store = &f->insts.items[user];
    if (store->op != IR_STORE || store->args[0] != address)
        return;
    ir_value put = value_behind(f, store->args[1]);
    if (!w->made && makes_new(w->check, f, put))
        w->made = put;
    if (!w->others && f->insts.items[put].op == IR_LOAD && is_from_outside(f, put))
        w->others = put;
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
    local_users(c, f, local, add_way, w);
    map_put(known, (uint64_t)local + 1, w);
    return w;
}

static void check(struct check *c, const struct call *call)
{
    const struct ir_function *f = call->function;
    const struct argument *x = call_written(call);
    const struct ir_inst *load = x ? &f->insts.items[x->value] : NULL;
    if (!load || load->op != IR_LOAD || f->insts.items[load->args[0]].op != IR_LOCAL ||
        f->insts.items[load->args[0]].integer < f->param_count)
        return;
    const struct ways *w = ways_of(c, f, f->insts.items[load->args[0]].integer);
    if (!w->others || !w->made)
        return;
    struct span others = f->insts.items[w->others].span, made = f->insts.items[w->made].span;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, f, call_span(call), "%s also changes '%s' if '%s' is an alias of it",
        call->callee->shown, name_in_program(c, f, w->others, &others, "it"), x->name);
    finding_mark(c, out, x->span);
    finding_place(c, out, arena_printf(c->in->arena, "%s is an alias", x->name), &others);
    finding_place(c, out, arena_printf(c->in->arena, "%s is new", x->name), &made);
    if (fix_out_of_place(c, out, call))
        out->fix.what = arena_printf(c->in->arena, "compute a new %s", x->name);
}

const struct rule_code rule_inplace_on_alias = {.call = check};
