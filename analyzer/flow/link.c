/* Units become one program: names interned over all of them, direct calls resolved, loops and
 * values that cross blocks found, and the functions that matter marked. */
#include "analyzer/flow/run.h"

#include <string.h>

uint64_t key_of(uint64_t a, uint64_t b, uint64_t c)
{
    return hash_words(a, b, c);
}

struct code *code_of(const struct flow *f, const struct ir_function *fn)
{
    return map_get(f->by_function, (uint64_t)(uintptr_t)fn);
}

static bool is_terminator(enum ir_op op)
{
    switch (op) {
#define IR_OP(name, text, operands, yields, ends)                                                  \
    case IR_##name:                                                                                \
        return ends;
#include "analyzer/ir/op.def"
#undef IR_OP
    case IR_OP_COUNT:
        break;
    }
    return false;
}

/* How many ways lead out of the blocks of a loop. */
static int ways_out(const struct ir_function *fn, int head, int end)
{
    int count = 0;
    for (int b = head; b <= end; b++) {
        const struct ir_block *block = &fn->blocks.items[b];
        const struct ir_inst *last = &fn->insts.items[block->insts[block->count - 1]];
        int targets = last->op == IR_JUMP ? 1 : last->op == IR_BRANCH ? 2 : 0;
        count += last->op == IR_RETURN;
        for (int k = 0; k < targets; k++)
            count += last->target[k] > end;
    }
    return count;
}

/* Blocks come in the order of the source: those of a loop lie between its head and its end. */
static void mark_edge(struct flow *f, struct code *c, int from, int to)
{
    const struct ir_function *fn = c->fn;
    if (to > from)
        return;
    c->loop_head[to] = true;
    c->searches |= ways_out(fn, to, from) > 1;
    if (!c->turned[to])
        c->turned[to] = arena_array(f->arena, bool, fn->locals.count);
    for (int b = to; b <= from; b++)
        for (int k = 0; k < fn->blocks.items[b].count; k++) {
            const struct ir_inst *i = &fn->insts.items[fn->blocks.items[b].insts[k]];
            const struct ir_inst *at = i->op == IR_STORE ? &fn->insts.items[i->args[0]] : i;
            if (at->op == IR_LOCAL && i->op == IR_STORE)
                c->turned[to][at->integer] = true;
        }
}

static void mark_edges(struct flow *f, struct code *c, int block, const struct ir_inst *i)
{
    if (!is_terminator(i->op))
        return;
    if (i->op == IR_JUMP || i->op == IR_SWITCH)
        mark_edge(f, c, block, i->target[0]);
    if (i->op == IR_BRANCH) {
        mark_edge(f, c, block, i->target[0]);
        mark_edge(f, c, block, i->target[1]);
    }
    for (int k = 0; k < i->case_count; k++)
        mark_edge(f, c, block, i->cases[k].block);
}

static void prepare_blocks(struct flow *f, struct code *c)
{
    const struct ir_function *fn = c->fn;
    c->block_of = arena_array(f->arena, int, fn->insts.count);
    c->place_in = arena_array(f->arena, int, fn->insts.count);
    c->crosses = arena_array(f->arena, bool, fn->insts.count);
    c->loop_head = arena_array(f->arena, bool, fn->blocks.count);
    c->turned = arena_array(f->arena, bool *, fn->blocks.count);
    for (int b = 0; b < fn->blocks.count; b++)
        for (int k = 0; k < fn->blocks.items[b].count; k++) {
            c->block_of[fn->blocks.items[b].insts[k]] = b;
            c->place_in[fn->blocks.items[b].insts[k]] = k;
        }
    for (int b = 0; b < fn->blocks.count; b++)
        for (int k = 0, call = -1; k < fn->blocks.items[b].count; k++) {
            ir_value at = fn->blocks.items[b].insts[k];
            const struct ir_inst *i = &fn->insts.items[at];
            for (int n = 0; n < i->arg_count; n++)
                if (i->args[n] && (c->block_of[i->args[n]] != b || c->place_in[i->args[n]] < call))
                    c->crosses[i->args[n]] = true;
            if (i->op == IR_CALL && !c->packed[at])
                call = k;
            mark_edges(f, c, b, i);
        }
}

/* What the names in a unit stand for, each looked up once. */
struct link {
    const char *name; /* interned over all units */
    const struct pack_function *packed;
    struct code *callee; /* NULL: not in the program */
    bool resolved;
    struct object *global; /* NULL: not asked for yet */
};

static struct link *link_of(struct flow *f, struct map *links, const char *name)
{
    struct link *l = map_get(links, (uint64_t)(uintptr_t)name);
    if (!l) {
        l = arena_one(f->arena, struct link);
        l->name = name_of(f->names, name);
        l->packed = packs_find(f->packs, l->name);
        map_put(links, (uint64_t)(uintptr_t)name, l);
    }
    return l;
}

/* A unit's own internal function hides one of that name elsewhere. */
static struct code *resolve(struct flow *f, const struct ir_unit *u, struct link *l,
                            const char *name)
{
    if (!l->resolved) {
        const struct ir_function *fn = ir_function_find(u, name);
        l->resolved = true;
        l->callee =
            fn && fn->has_body ? code_of(f, fn) : map_get(f->by_name, (uint64_t)(uintptr_t)l->name);
    }
    return l->callee;
}

static const struct ir_global *global_find(const struct ir_unit *u, const char *name)
{
    for (int i = 0; i < u->globals.count; i++)
        if (u->globals.items[i]->name == name || strcmp(u->globals.items[i]->name, name) == 0)
            return u->globals.items[i];
    return NULL;
}

/* A global is one for all units, unless it is a unit's own. */
static struct object *resolve_global(struct flow *f, const struct ir_unit *u, struct link *l,
                                     const char *name, const struct type *type)
{
    if (l->global)
        return l->global;
    const struct ir_global *g = global_find(u, name);
    uint64_t own = g && g->is_internal ? (uint64_t)(uintptr_t)u : 0;
    uint64_t key = key_of((uint64_t)(uintptr_t)l->name, own, 149);
    l->global = map_get(f->globals, key);
    if (!l->global) {
        l->global = object_new(f->heap, OBJECT_GLOBAL, l->name, type);
        map_put(f->globals, key, l->global);
    }
    l->global->is_const |= g && g->is_const;
    return l->global;
}

static void prepare_names(struct flow *f, struct code *c)
{
    const struct ir_function *fn = c->fn;
    c->names = arena_array(f->arena, const char *, fn->insts.count);
    c->packed = arena_array(f->arena, const struct pack_function *, fn->insts.count);
    c->callee = arena_array(f->arena, struct code *, fn->insts.count);
    c->global = arena_array(f->arena, struct object *, fn->insts.count);
    c->values = arena_array(f->arena, struct flow_value *, fn->insts.count);
    c->reached = arena_array(f->arena, struct flow_call *, fn->insts.count);
    c->local_names = arena_array(f->arena, const char *, fn->locals.count);
    for (int k = 0; k < fn->locals.count; k++)
        c->local_names[k] = name_of(f->names, fn->locals.items[k].name);
    for (int n = 1; n < fn->insts.count; n++) {
        const struct ir_inst *i = &fn->insts.items[n];
        if (!i->name || i->op == IR_TEXT || i->op == IR_ANYTHING)
            continue;
        struct link *l = link_of(f, c->links, i->name);
        c->names[n] = l->name;
        if (i->op == IR_GLOBAL)
            c->global[n] = resolve_global(f, c->unit, l, i->name, i->type ? i->type->of : NULL);
        if (i->op == IR_CALL || i->op == IR_FUNCTION)
            c->packed[n] = l->packed;
        if ((i->op == IR_CALL && !l->packed) || i->op == IR_FUNCTION)
            c->callee[n] = resolve(f, c->unit, l, i->name);
    }
}

void code_prepare(struct flow *f, struct code *c)
{
    if (c->root != f->counts.roots) {
        c->root = f->counts.roots;
        c->returned = (struct fact){0};
        c->returned_known = c->asked = c->grew = false;
        c->deeper = NULL;
    }
    if (c->names)
        return;
    prepare_names(f, c);
    prepare_blocks(f, c);
    live_prepare(f, c);
}

static void add_code(struct flow *f, const struct ir_unit *u, const struct ir_function *fn,
                     struct map *links)
{
    struct code *c = arena_one(f->arena, struct code);
    c->fn = fn;
    c->unit = u;
    c->links = links;
    c->name = name_of(f->names, fn->name);
    c->order = f->codes.count;
    LIST_ADD(f->arena, &f->codes, c);
    map_put(f->by_function, (uint64_t)(uintptr_t)fn, c);
    uint64_t visible = (uint64_t)(uintptr_t)c->name;
    if (fn->has_body && !fn->is_internal && !map_get(f->by_name, visible))
        map_put(f->by_name, visible, c);
}

/* ---- what matters --------------------------------------------------------------------------- */

static void add_edge(struct flow *f, struct code *from, struct code *to)
{
    to->called = true;
    if (from->calls.count && from->calls.items[from->calls.count - 1] == to)
        return;
    LIST_ADD(f->arena, &from->calls, to);
    LIST_ADD(f->arena, &to->callers, from);
}

/* The only look at functions that turn out not to matter. */
static void find_calls(struct flow *f, struct code *c)
{
    for (int n = 1; c->fn->has_body && n < c->fn->insts.count; n++) {
        const struct ir_inst *i = &c->fn->insts.items[n];
        if ((i->op != IR_CALL && i->op != IR_FUNCTION) || !i->name)
            continue;
        struct link *l = link_of(f, c->links, i->name);
        if (i->op == IR_CALL && l->packed) {
            c->reaches |= !l->packed->is_ambient && !(l->packed->effects & EFFECT_PURE);
            continue;
        }
        struct code *callee = resolve(f, c->unit, l, i->name);
        if (callee)
            add_edge(f, c, callee);
        else if (l->packed)
            c->reaches |= !l->packed->is_ambient && !(l->packed->effects & EFFECT_PURE);
    }
}

typedef LIST(struct code *) code_list;

/* Upwards: who calls what reaches a packed function. Lists instead of recursion: calls can be deep.
 */
static void spread_up(struct flow *f)
{
    code_list todo = {0};
    for (int k = 0; k < f->codes.count; k++)
        if (f->codes.items[k]->reaches)
            LIST_ADD(f->arena, &todo, f->codes.items[k]);
    while (todo.count) {
        const struct code *c = todo.items[--todo.count];
        for (int k = 0; k < c->callers.count; k++) {
            struct code *caller = c->callers.items[k];
            if (!caller->reaches)
                LIST_ADD(f->arena, &todo, caller);
            caller->reaches = true;
        }
    }
}

static void spread_down(struct flow *f)
{
    code_list todo = {0};
    for (int k = 0; k < f->codes.count; k++) {
        f->codes.items[k]->relevant = f->codes.items[k]->reaches;
        if (f->codes.items[k]->reaches)
            LIST_ADD(f->arena, &todo, f->codes.items[k]);
    }
    while (todo.count) {
        const struct code *c = todo.items[--todo.count];
        for (int k = 0; k < c->calls.count; k++) {
            struct code *callee = c->calls.items[k];
            if (!callee->relevant)
                LIST_ADD(f->arena, &todo, callee);
            callee->relevant = true;
        }
    }
}

static void count_functions(struct flow *f)
{
    for (int k = 0; k < f->codes.count; k++) {
        f->counts.functions += f->codes.items[k]->fn->has_body;
        f->counts.functions_analysed +=
            f->codes.items[k]->fn->has_body && f->codes.items[k]->relevant;
    }
}

bool link_units(struct flow *f, struct ir_unit *const *units, int count, struct error *e)
{
    (void)e;
    for (int u = 0; u < count; u++) {
        struct map *links = map_new(f->arena);
        for (int k = 0; k < units[u]->functions.count; k++)
            add_code(f, units[u], units[u]->functions.items[k], links);
    }
    for (int k = 0; k < f->codes.count; k++)
        find_calls(f, f->codes.items[k]);
    spread_up(f);
    spread_down(f);
    count_functions(f);
    return true;
}
