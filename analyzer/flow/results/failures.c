/* Failures of the root being run, and the visits that decide whether a call fails on every path. */
#include "analyzer/flow/results/results.h"

struct flow_failure *failure_at(const struct flow *f, struct key key)
{
    struct failed *r = key_map_get(f->own.failed, key);
    return r ? &r->failure : NULL;
}

struct flow_failure *failure_add(struct flow *f, struct key key)
{
    struct failed *r = arena_one(f->kept, struct failed);
    r->key = key;
    key_map_put(f->own.failed, key, r);
    LIST_ADD(f->kept, &f->own.failures, r);
    return &r->failure;
}

int failure_rank(const struct flow_failure *r)
{
    return r->caught << 4 | r->past << 3 | r->unknown << 2 | r->blurred << 1 | r->vague;
}

void failure_take(struct flow *f, const struct failed *r)
{
    struct flow_failure *known = failure_at(f, r->key);
    if (known && failure_rank(known) <= failure_rank(&r->failure))
        return;
    if (!known)
        known = failure_add(f, r->key);
    *known = r->failure;
}

struct visit *visit_at(struct flow *f, const struct code *c, struct key key)
{
    struct visit *v = key_map_get(f->own.visited, key);
    if (v)
        return v;
    v = arena_one(f->kept, struct visit);
    v->key = key;
    v->code = c;
    key_map_put(f->own.visited, key, v);
    LIST_ADD(f->kept, &f->own.visits, v);
    return v;
}

void visit_take(struct flow *f, const struct visit *v)
{
    struct visit *own = visit_at(f, v->code, v->key);
    own->is_behind_own |= v->is_behind_own;
    for (int past = 0; past < 2; past++) {
        own->seen[past] |= v->seen[past];
        own->spared[past] |= v->spared[past];
    }
}

void reach_take(struct flow *f, const struct reach *all, int count)
{
    struct map *entered = map_new(f->kept);
    for (int i = 0; i < f->own.entered.count; i++)
        map_put(entered, (uint64_t)(uintptr_t)f->own.entered.items[i].code, f);
    for (int i = 0; i < count; i++)
        if (!map_get(entered, (uint64_t)(uintptr_t)all[i].code))
            LIST_ADD(f->kept, &f->own.entered, (struct reach){.code = all[i].code});
}

struct key missing_key(const struct code *c, ir_value inst)
{
    return key_of(KEY_MISSING, (uint64_t)(uintptr_t)c, (uint64_t)inst);
}

/* Each is counted once. */
static bool is_counted(struct flow *f, struct key key)
{
    if (key_map_get(f->own.counted, key))
        return true;
    key_map_put(f->own.counted, key, f);
    return false;
}

void missing_note(struct flow *f, const struct code *c, ir_value inst)
{
    if (c->unit->module) /* a model file is not the program */
        return;
    if (!is_counted(f, missing_key(c, inst)))
        LIST_ADD(f->kept, &f->own.missing, ((struct noted){c, inst}));
}

struct key device_key(const struct code *c, ir_value inst)
{
    return key_of(KEY_DEVICE, (uint64_t)(uintptr_t)c, (uint64_t)inst);
}

void device_note(struct flow *f, const struct code *c, ir_value inst)
{
    if (!is_counted(f, device_key(c, inst)))
        LIST_ADD(f->kept, &f->own.devices, ((struct noted){c, inst}));
}

void limit_note(struct flow *f, const struct code *c, int at, enum flow_limit limit)
{
    struct key key = key_of_index(KEY_LIMIT, (uint64_t)(uintptr_t)c, (uint64_t)at, (int)limit);
    f->own.counts.limits[limit] += !is_counted(f, key);
}

void assumed_note(struct flow *f, const struct code *c, int at, enum flow_assumed what)
{
    struct key key = key_of_index(KEY_ASSUMPTION, (uint64_t)(uintptr_t)c, (uint64_t)at, (int)what);
    f->own.counts.assumed[what] += !is_counted(f, key);
}

/* hidden: of several calls of one instruction, the function that is called; NULL: there is one. */
static struct key visit_key(const struct ir_function *fn, ir_value inst,
                            const struct pack_function *hidden)
{
    struct key key = key_of(KEY_VISIT, (uint64_t)(uintptr_t)fn, (uint64_t)inst);
    key.more = (uint64_t)(uintptr_t)hidden;
    return key;
}

void visit_note_at(struct flow *f, const struct frame *fr, const struct state *s, struct key key,
                   bool works)
{
    struct visit *v = visit_at(f, fr->code, key);
    v->seen[s->past] = true;
    v->is_behind_own |= s->past && !fr->is_past;
    v->spared[s->past] |= works;
}

void visit_note(struct flow *f, const struct frame *fr, const struct state *s, ir_value inst,
                const struct pack_function *hidden, bool works)
{
    visit_note_at(f, fr, s, visit_key(fr->code->fn, inst, hidden), works);
}

bool place_is_same(const struct frame_place *x, const struct frame_place *y)
{
    return x == y || (x && y && x->caller == y->caller && x->span.line == y->span.line &&
                      x->span.column == y->span.column);
}

/* A contract is broken by the caller: each caller is reported. */
struct key contract_key(const struct ir_function *fn, ir_value inst,
                        const struct frame_place *called)
{
    struct key key = {.kind = KEY_CONTRACT, .of = (uint64_t)(uintptr_t)fn, .index = (uint32_t)inst};
    if (called) {
        key.at = (uint64_t)called->span.line << 32 | (uint64_t)called->span.column;
        key.more = (uint64_t)(uintptr_t)called->caller;
    }
    return key;
}

/* It fails on some path, but maybe on one that no run takes: it is not reported. */
static bool is_dropped(const struct flow_failure *r)
{
    return r->joined && r->blurred && !r->always && !r->unknown;
}

static const struct ir_function *root_of(const struct flow_failure *r)
{
    const struct ir_function *root = r->function;
    for (const struct frame_place *at = r->called; at; at = at->outer)
        root = at->caller;
    return root;
}

/* Most runs end in an exception before they get to the call; that what is left does without
 * gradients, as when a loop is not entered, is no further error. */
static bool is_upset(struct flow *f, const struct flow_failure *r, const struct visit *v)
{
    if (!f->is_dynamic || r->kind != ERROR_GRAD || !v || !v->seen[true])
        return false;
    for (int i = 0; i < f->failure_list.count; i++) {
        const struct flow_failure *other = &f->failure_list.items[i]->failure;
        const struct visit *seen =
            key_map_get(f->visits, visit_key(other->function, other->inst,
                                             other->is_hidden ? other->callee : NULL));
        bool ends =
            other->kind == ERROR_DTYPE || other->kind == ERROR_DEVICE || other->kind == ERROR_CAST;
        if (ends && root_of(other) == root_of(r) && other->inst != r->inst && !other->caught &&
            !other->unknown && seen && seen->seen[false])
            return true;
    }
    return false;
}

/* The call fails in another way on a path that runs take: that no run gets past it does not say
 * that any fails in this one, too. */
static bool is_by_others(const struct flow *f, const struct flow_failure *r)
{
    for (int i = 0; i < f->failure_list.count && r->blurred; i++) {
        const struct flow_failure *other = &f->failure_list.items[i]->failure;
        if (other->function == r->function && other->inst == r->inst && other->kind != r->kind &&
            !other->blurred && !other->unknown && !other->past)
            return true;
    }
    return false;
}

/* A call that is reached only past an error is judged by those paths; a contract, which is
 * reported to the caller, only if the error came before the function was called. */
void failures_settle(struct flow *f)
{
    f->counts.dropped = 0;
    for (int i = 0; i < f->codes.count; i++)
        f->codes.items[i]->dropped = 0;
    for (int i = 0; i < f->failure_list.count; i++) {
        struct flow_failure *r = &f->failure_list.items[i]->failure;
        const struct visit *v = key_map_get(
            f->visits, r->kind == ERROR_CONTRACT
                           ? contract_key(r->function, r->inst, r->called)
                           : visit_key(r->function, r->inst, r->is_hidden ? r->callee : NULL));
        bool past = v && !v->seen[false];
        r->always = v && !v->spared[past] && !is_by_others(f, r);
        if (is_upset(f, r, v)) {
            r->always = false;
            r->joined = r->blurred = true;
        }
        r->when = f->failure_list.items[i]->when[r->unknown];
        r->past &= !past || (r->kind == ERROR_CONTRACT && v->is_behind_own);
        if (is_dropped(r)) {
            code_of(f, r->function)->dropped++;
            f->counts.dropped++;
        }
    }
}
