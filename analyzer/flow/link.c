/* Units become one program: names interned over all of them, direct calls resolved, loops and
 * values that cross blocks found, and the functions that matter marked. */
#include "analyzer/flow/run.h"

#include <string.h>

uint64_t key_of(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t words[3] = {a, b, c};
    return hash_bytes(words, sizeof words, 7);
}

struct code *code_of(struct flow *f, const struct ir_function *fn)
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

static void mark_edge(struct code *c, int from, int to)
{
    if (to <= from)
        c->loop_head[to] = true;
}

static void mark_edges(struct code *c, int block, const struct ir_inst *i)
{
    if (!is_terminator(i->op))
        return;
    if (i->op == IR_JUMP || i->op == IR_SWITCH)
        mark_edge(c, block, i->target[0]);
    if (i->op == IR_BRANCH) {
        mark_edge(c, block, i->target[0]);
        mark_edge(c, block, i->target[1]);
    }
    for (int k = 0; k < i->case_count; k++)
        mark_edge(c, block, i->cases[k].block);
}

static void prepare_blocks(struct flow *f, struct code *c)
{
    const struct ir_function *fn = c->fn;
    c->block_of = arena_array(f->arena, int, fn->insts.count);
    c->place_in = arena_array(f->arena, int, fn->insts.count);
    c->crosses = arena_array(f->arena, bool, fn->insts.count);
    c->loop_head = arena_array(f->arena, bool, fn->blocks.count);
    for (int b = 0; b < fn->blocks.count; b++)
        for (int k = 0; k < fn->blocks.items[b].count; k++) {
            c->block_of[fn->blocks.items[b].insts[k]] = b;
            c->place_in[fn->blocks.items[b].insts[k]] = k;
        }
    for (int b = 0; b < fn->blocks.count; b++)
        for (int k = 0; k < fn->blocks.items[b].count; k++) {
            const struct ir_inst *i = &fn->insts.items[fn->blocks.items[b].insts[k]];
            for (int n = 0; n < i->arg_count; n++)
                if (i->args[n] && c->block_of[i->args[n]] != b)
                    c->crosses[i->args[n]] = true;
            mark_edges(c, b, i);
        }
}

static void prepare_names(struct flow *f, struct code *c)
{
    const struct ir_function *fn = c->fn;
    c->names = arena_array(f->arena, const char *, fn->insts.count);
    c->packed = arena_array(f->arena, const struct pack_function *, fn->insts.count);
    c->callee = arena_array(f->arena, struct code *, fn->insts.count);
    for (int n = 1; n < fn->insts.count; n++) {
        const struct ir_inst *i = &fn->insts.items[n];
        if (!i->name || i->op == IR_TEXT || i->op == IR_ANYTHING)
            continue;
        c->names[n] = name_of(f->names, i->name);
        if (i->op == IR_CALL)
            c->packed[n] = packs_find(f->packs, c->names[n]);
    }
}

static void add_code(struct flow *f, const struct ir_unit *u, const struct ir_function *fn)
{
    struct code *c = arena_one(f->arena, struct code);
    c->fn = fn;
    c->unit = u;
    c->name = name_of(f->names, fn->name);
    c->order = f->codes.count;
    LIST_ADD(f->arena, &f->codes, c);
    map_put(f->by_function, (uint64_t)(uintptr_t)fn, c);
    if (!fn->has_body)
        return;
    prepare_names(f, c);
    prepare_blocks(f, c);
    uint64_t visible = (uint64_t)(uintptr_t)c->name;
    if (!fn->is_internal && !map_get(f->by_name, visible))
        map_put(f->by_name, visible, c);
}

/* A unit's own internal function hides one of that name elsewhere. */
static struct code *resolve(struct flow *f, const struct code *from, const char *name)
{
    for (int i = 0; i < from->unit->functions.count; i++) {
        const struct ir_function *fn = from->unit->functions.items[i];
        if (fn->has_body && !strcmp(fn->name, name))
            return code_of(f, fn);
    }
    return map_get(f->by_name, (uint64_t)(uintptr_t)name);
}

static void resolve_calls(struct flow *f, struct code *c)
{
    for (int n = 1; c->fn->has_body && n < c->fn->insts.count; n++) {
        const struct ir_inst *i = &c->fn->insts.items[n];
        if ((i->op != IR_CALL && i->op != IR_FUNCTION) || !c->names[n])
            continue;
        if (i->op == IR_CALL && c->packed[n]) {
            c->reaches |= !(c->packed[n]->effects & EFFECT_PURE);
            continue;
        }
        c->callee[n] = resolve(f, c, c->names[n]);
        if (c->callee[n])
            c->callee[n]->called = true;
    }
}

/* Upwards: who calls what reaches a packed function. */
static void spread_up(struct flow *f)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < f->codes.count; k++) {
            struct code *c = f->codes.items[k];
            for (int n = 1; c->fn->has_body && !c->reaches && n < c->fn->insts.count; n++)
                if (c->callee[n] && c->callee[n]->reaches)
                    changed = c->reaches = true;
        }
    }
}

static void spread_down(struct code *c)
{
    if (c->relevant)
        return;
    c->relevant = true;
    for (int n = 1; c->fn->has_body && n < c->fn->insts.count; n++)
        if (c->callee[n])
            spread_down(c->callee[n]);
}

bool link_units(struct flow *f, struct ir_unit *const *units, int count, struct error *e)
{
    (void)e;
    for (int u = 0; u < count; u++)
        for (int k = 0; k < units[u]->functions.count; k++)
            add_code(f, units[u], units[u]->functions.items[k]);
    for (int k = 0; k < f->codes.count; k++)
        resolve_calls(f, f->codes.items[k]);
    spread_up(f);
    for (int k = 0; k < f->codes.count; k++)
        if (f->codes.items[k]->reaches)
            spread_down(f->codes.items[k]);
    for (int k = 0; k < f->codes.count; k++) {
        f->counts.functions += f->codes.items[k]->fn->has_body;
        f->counts.functions_analysed +=
            f->codes.items[k]->fn->has_body && f->codes.items[k]->relevant;
    }
    return true;
}
