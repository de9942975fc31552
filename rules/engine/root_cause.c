/* Failures that only follow from others. The result of a call that always fails is unknown, and a
 * failure of a later call is usually the same mistake again: it is not reported if one of its
 * operands was computed from the result of a failing call that is. The same holds for gradients of
 * a variable that cannot have one. */
#include "rules/engine/engine.h"

#include <string.h>

enum { MAX_DEPTH = 24, MAX_SEEN = 512, MAX_STORES = 512 };

struct trace {
    struct check *check;
    const struct flow_failure *of;
    const struct flow_failure *found;
    uint64_t seen[2 * MAX_SEEN]; /* keys by their hash; 0: free */
    int count;
    int stores; /* visited */
};

static uint64_t key_of(const struct ir_function *f, ir_value v)
{
    const uint64_t words[] = {(uint64_t)(uintptr_t)f, (uint64_t)v};
    return hash_bytes(words, sizeof words, 3);
}

static void follow(struct trace *t, const struct ir_function *f, ir_value v, int depth);

/* A local variable, whose stores may reach a read. */
static void follow_stored(struct trace *t, const struct ir_function *f, int64_t local,
                          ir_value read, int depth)
{
    const struct ir_inst *insts = f->insts.items;
    ir_value only = store_before(code_view(t->check, f), local, read);
    if (only) {
        follow(t, f, insts[only].args[1], depth + 1);
        return;
    }
    const value_list *all = stores_reaching(t->check, f, local, read);
    for (int i = 0; i < all->count && !t->found && t->stores++ < MAX_STORES; i++)
        follow(t, f, insts[all->items[i]].args[1], depth + 1);
}

/* What a function of the program returns. */
static void follow_returned(struct trace *t, const struct ir_function *f, int depth)
{
    for (int n = 1; f && n < f->insts.count; n++)
        if (f->insts.items[n].op == IR_RETURN && f->insts.items[n].arg_count)
            follow(t, f, f->insts.items[n].args[0], depth + 1);
}

static bool is_new(struct trace *t, const struct ir_function *f, ir_value v)
{
    uint64_t key = key_of(f, v);
    size_t at = key % (2 * MAX_SEEN);
    for (; t->seen[at]; at = (at + 1) % (2 * MAX_SEEN))
        if (t->seen[at] == key)
            return false;
    if (t->count < MAX_SEEN) {
        t->seen[at] = key;
        t->count++;
    }
    return t->count < MAX_SEEN;
}

/* The refused gradient of the variable, before this use of it. */
static const struct flow_failure *refused_before(const struct trace *t, const struct ir_function *f,
                                                 ir_value use, int64_t local)
{
    const struct flow_failure *r = map_get(t->check->failed, key_of(f, -(ir_value)local - 1));
    bool of_gradients = t->of->recorded || t->of->kind == ERROR_GRAD;
    return r && r != t->of && of_gradients && r->inst < use ? r : NULL;
}

/* Whether a branch leads around the call to the other one. That no iteration of a loop gets to it
 * is less sure. */
static bool is_avoided(struct check *c, const struct flow_failure *failed,
                       const struct flow_failure *of)
{
    const struct code_view *v = code_view(c, failed->function);
    return !is_in_loop(v, failed->inst) ||
           (failed->function == of->function && is_in_one_loop(v, failed->inst, of->inst));
}

/* Whether runs get from the one, which always fails, to the other: not if that is also one of runs
 * in which nothing failed before, which took another branch. */
static bool leads_to(struct check *c, const struct flow_failure *failed,
                     const struct flow_failure *of)
{
    bool of_gradients = of->recorded || of->kind == ERROR_GRAD;
    return of->behind || failed->callee->goes_on || of_gradients || !is_avoided(c, failed, of);
}

static void follow(struct trace *t, const struct ir_function *f, ir_value v, int depth)
{
    v = v ? value_within(t->check, f, v) : 0;
    if (!v || t->found || depth > MAX_DEPTH || !is_new(t, f, v))
        return;
    const struct ir_inst *i = &f->insts.items[v];
    flow_touch(t->check->in->flow, f);
    const struct flow_failure *failed = map_get(t->check->failed, key_of(f, v));
    if (failed && !(f == t->of->function && v == t->of->inst)) {
        t->found = leads_to(t->check, failed, t->of) ? failed : NULL;
        return;
    }
    if (i->op == IR_LOAD && f->insts.items[i->args[0]].op == IR_LOCAL) {
        int64_t local = f->insts.items[i->args[0]].integer;
        t->found = refused_before(t, f, v, local);
        follow_stored(t, f, local, v, depth);
    }
    for (int k = 0; i->op == IR_CALL && k < i->arg_count; k++)
        follow(t, f, i->args[k], depth + 1);
    if (i->op == IR_CALL && i->name)
        follow_returned(t, flow_callee_of(t->check->in->flow, f, v), depth);
}

const struct flow_failure *root_cause_of(struct check *c, const struct flow_failure *r)
{
    struct trace t = {.check = c, .of = r};
    for (int k = 0; k < r->operand_count && !t.found; k++)
        if (r->operands[k].value)
            follow(&t, r->function, r->operands[k].value, 0);
    return t.found;
}

bool call_fails(const struct call *call)
{
    return map_get(call->check->failed, key_of(call->function, call->inst)) != NULL;
}

static bool shares_tensor(const struct flow_failure *r, const struct call *call)
{
    for (int k = 0; k < r->operand_count; k++)
        for (int i = 0; i < call->count; i++)
            if (argument_is_tensor(&call->arguments[i]) && r->operands[k].how &&
                call->arguments[i].seen->how == r->operands[k].how)
                return true;
    return false;
}

/* Whether a call before it in the same block always fails, because of one of its tensors. */
bool comes_after_failure(const struct call *call)
{
    const struct code_view *v = code_view(call->check, call->function);
    int b = v->block[call->inst];
    const struct ir_block *block = b >= 0 ? &call->function->blocks.items[b] : NULL;
    for (int n = 0; block && n < v->position[call->inst] && n < block->count; n++) {
        const struct flow_failure *r =
            map_get(call->check->failed, key_of(call->function, block->insts[n]));
        if (r && !r->callee->goes_on && shares_tensor(r, call))
            return true;
    }
    return false;
}

/* The variable that a gradient is required of; -1: none. */
static int64_t asked_local(struct check *c, const struct flow_failure *r)
{
    const struct ir_inst *insts = r->function->insts.items;
    bool asks = r->callee->effects & EFFECT_REQUIRE_GRAD && r->operand_count;
    ir_value v = asks ? value_within(c, r->function, r->operands[0].value) : 0;
    if (!v || insts[v].op != IR_LOAD || insts[insts[v].args[0]].op != IR_LOCAL)
        return -1;
    return insts[insts[v].args[0]].integer;
}

void failures_index(struct check *c)
{
    c->failed = map_new(c->in->arena);
    for (int i = 0; i < flow_failure_count(c->in->flow); i++) {
        const struct flow_failure *r = flow_failure_at(c->in->flow, i);
        if (!r->always || r->unknown || r->past || r->caught)
            continue;
        map_put(c->failed, key_of(r->function, r->inst), (void *)(uintptr_t)r);
        int64_t local = asked_local(c, r);
        if (local >= 0) /* negative, unlike instructions */
            map_put(c->failed, key_of(r->function, -(ir_value)local - 1), (void *)(uintptr_t)r);
    }
}
