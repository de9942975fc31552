/* Which stores a load can read, for the graph of a function. A slot is a local or an access path;
 * aliases are not tracked: a load through another path starts anew in the picture. */
#include "analyzer/report/graph.h"

#include <string.h>

/* More sources of a load could not be distinguished in a picture. */
enum { MAX_DEPTH = 4, MAX_INSTS = 60000, MAX_SOURCES = 6 };

struct slot {
    int root;         /* the local it is part of; -1: none */
    const char *name; /* "" is the local itself */
};

struct definition {
    int slot;
    ir_value inst;
    int place; /* in its block */
};

typedef LIST(struct definition) definition_list;

struct graph_slots {
    const struct graph_input *in;
    LIST(struct slot) slots;
    int *block, *place;       /* of each instruction */
    definition_list *defined; /* by block, in order */
    LIST(int) * before;       /* by block: its predecessors */
    int *seen;                /* by block: the last query that visited it */
    int question;
    bool cut; /* a load has more sources than reported */
};

/* ---- what is shown -------------------------------------------------------------------------- */

bool slots_holds(const struct graph_input *in, const struct type *t)
{
    for (int depth = 0; t && t->kind == TYPE_ARRAY && depth < MAX_DEPTH; depth++)
        t = t->of;
    if (!t || type_is_tensor(in->packs, t))
        return t;
    for (int i = 0; t->kind == TYPE_RECORD && i < t->field_count; i++)
        if (type_is_tensor(in->packs, t->fields[i].type))
            return true;
    return false;
}

static bool is_dynamic(const struct ir_inst *i)
{
    return i->type && i->type->kind == TYPE_DYN;
}

bool slots_shows(const struct graph_input *in, ir_value v)
{
    const struct ir_inst *i = &in->function->insts.items[v];
    if (is_dynamic(i)) /* facts are only about tensors */
        return flow_value_of(in->flow, in->function, v);
    return type_is_tensor(in->packs, i->type) || value_is_buffer(in->flow, in->function, v);
}

const struct pack_function *slots_callee(const struct graph_input *in, ir_value call)
{
    const struct ir_inst *i = &in->function->insts.items[call];
    if (i->op == IR_CALL && i->name)
        return packs_find(in->packs, i->name);
    const struct flow_call *c =
        ir_op_calls(i->op) ? flow_call_of(in->flow, in->function, call) : NULL;
    return c ? c->callee : NULL;
}

/* Calls that wrap a tensor or keep it beyond a scope. */
static bool hands_on(const struct pack_function *f)
{
    return f && (f->effects & (EFFECT_BOX | EFFECT_KEEP | EFFECT_SCOPE_END));
}

ir_value slots_within(const struct graph_input *in, ir_value v)
{
    const struct ir_function *f = in->function;
    while ((v = value_behind(f, v)) && f->insts.items[v].op == IR_CALL) {
        const struct ir_inst *i = &f->insts.items[v];
        ir_value next = 0;
        if (i->name && hands_on(packs_find(in->packs, i->name)))
            for (int k = 0; k < i->arg_count && !next; k++)
                next = slots_shows(in, i->args[k]) ? i->args[k] : 0;
        if (!next)
            return v;
        v = next;
    }
    return v;
}

/* ---- slots ---------------------------------------------------------------------------------- */

int slots_root(const struct ir_function *f, ir_value address)
{
    for (address = value_behind(f, address); address;) {
        const struct ir_inst *i = &f->insts.items[address];
        if (i->op == IR_LOCAL)
            return (int)i->integer;
        if (i->op != IR_FIELD && i->op != IR_ELEMENT)
            return -1;
        address = value_behind(f, i->args[0]);
    }
    return -1;
}

int slots_root_of(const struct ir_function *f, ir_value access)
{
    const struct ir_inst *i = &f->insts.items[access];
    bool is_indirect = i->op == IR_LOAD || i->op == IR_STORE;
    return is_indirect ? slots_root(f, i->args[0]) : (int)ir_local_accessed(f, i);
}

static int slot_add(struct graph_slots *s, int root, const char *name)
{
    for (int k = 0; k < s->slots.count; k++)
        if (s->slots.items[k].root == root && !strcmp(s->slots.items[k].name, name))
            return k;
    struct slot new = {root, name};
    LIST_ADD(s->in->arena, &s->slots, new);
    return s->slots.count - 1;
}

/* Of a read or write; -1: it has no name. */
static int slot_of(struct graph_slots *s, ir_value access)
{
    const struct ir_function *f = s->in->function;
    const struct ir_inst *i = &f->insts.items[access];
    bool is_indirect = i->op == IR_LOAD || i->op == IR_STORE;
    const struct ir_inst *at = is_indirect ? &f->insts.items[value_behind(f, i->args[0])] : i;
    int64_t local = is_indirect && at->op == IR_LOCAL ? at->integer : ir_local_accessed(f, i);
    if (local >= 0)
        return slot_add(s, (int)local, "");
    const char *name = value_name(s->in->arena, f, access);
    return name ? slot_add(s, slots_root_of(f, access), name) : -1;
}

static void define(struct graph_slots *s, int slot, ir_value inst)
{
    struct definition d = {slot, inst, s->place[inst]};
    if (slot >= 0 && s->block[inst] >= 0)
        LIST_ADD(s->in->arena, &s->defined[s->block[inst]], d);
}

/* Everything in the local. */
static void define_local(struct graph_slots *s, int root, ir_value inst)
{
    for (int k = 0; k < s->slots.count; k++)
        if (s->slots.items[k].root == root)
            define(s, k, inst);
}

/* ---- definitions ---------------------------------------------------------------------------- */

/* What a call gets for a parameter; 0: nothing that is known here. */
static ir_value passed_for(const struct graph_slots *s, const struct pack_function *fn,
                           ir_value call, int param)
{
    const struct ir_inst *i = &s->in->function->insts.items[call];
    if (is_dynamic(i)) {
        const struct flow_call *c = flow_call_of(s->in->flow, s->in->function, call);
        return c && param < c->operand_count ? c->operands[param].value : 0;
    }
    return fn->params[param].argument < i->arg_count ? i->args[fn->params[param].argument] : 0;
}

/* An in-place change defines the slot. */
static void define_written(struct graph_slots *s, const struct pack_function *fn, ir_value call)
{
    const struct ir_function *f = s->in->function;
    for (int k = 0; k < fn->param_count; k++) {
        ir_value v = fn->params[k].written ? passed_for(s, fn, call, k) : 0;
        v = v ? slots_within(s->in, v) : 0;
        if (v && ir_op_reads(f->insts.items[v].op))
            define(s, slot_of(s, v), call);
    }
}

static void define_given(struct graph_slots *s, ir_value call)
{
    const struct ir_function *f = s->in->function;
    const struct ir_inst *i = &f->insts.items[call];
    for (int k = 0; k < i->arg_count; k++) {
        int root = slots_root(f, i->args[k]);
        if (root >= 0 && slots_holds(s->in, f->locals.items[root].type))
            define_local(s, root, call);
    }
}

static void define_by(struct graph_slots *s, ir_value n)
{
    const struct ir_inst *i = &s->in->function->insts.items[n];
    const struct pack_function *fn = slots_callee(s->in, n);
    ir_value v = ir_written(i);
    if (v && (slots_shows(s->in, v) || is_dynamic(&s->in->function->insts.items[v])))
        define(s, slot_of(s, n), n);
    if (fn)
        define_written(s, fn, n);
    else if (i->op == IR_CALL)
        define_given(s, n);
}

/* Calls define all slots of a local, so all slots have to be known first. */
static void find_slots(struct graph_slots *s)
{
    const struct ir_function *f = s->in->function;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if ((ir_op_reads(i->op) && slots_shows(s->in, n)) ||
            (ir_op_writes(i->op) && slots_shows(s->in, ir_written(i))))
            slot_of(s, n);
        if (i->op == IR_LOCAL && slots_holds(s->in, f->locals.items[i->integer].type))
            slot_add(s, (int)i->integer, "");
    }
}

/* ---- control flow --------------------------------------------------------------------------- */

static void lead(struct graph_slots *s, int from, int to)
{
    LIST_ADD(s->in->arena, &s->before[to], from);
}

static void find_ways(struct graph_slots *s)
{
    const struct ir_function *f = s->in->function;
    for (int b = 0; b < f->blocks.count; b++) {
        if (f->blocks.items[b].catch)
            lead(s, b, f->blocks.items[b].catch);
        for (int k = 0; k < f->blocks.items[b].count; k++) {
            ir_value n = f->blocks.items[b].insts[k];
            const struct ir_inst *i = &f->insts.items[n];
            s->block[n] = b;
            s->place[n] = k;
            if (i->op == IR_JUMP || i->op == IR_BRANCH || i->op == IR_SWITCH)
                lead(s, b, i->target[0]);
            if (i->op == IR_BRANCH)
                lead(s, b, i->target[1]);
            for (int c = 0; i->op == IR_SWITCH && c < i->case_count; c++)
                lead(s, b, i->cases[c].block);
        }
    }
}

struct graph_slots *slots_find(const struct graph_input *in)
{
    const struct ir_function *f = in->function;
    struct graph_slots *s = arena_one(in->arena, struct graph_slots);
    if (f->insts.count > MAX_INSTS)
        return NULL;
    *s = (struct graph_slots){.in = in,
                              .block = arena_array(in->arena, int, f->insts.count + 1),
                              .place = arena_array(in->arena, int, f->insts.count + 1),
                              .defined = arena_array(in->arena, definition_list, f->blocks.count),
                              .seen = arena_array(in->arena, int, f->blocks.count + 1)};
    s->before = arena_alloc(in->arena, sizeof *s->before * (size_t)f->blocks.count);
    for (int n = 0; n < f->insts.count; n++)
        s->block[n] = -1;
    find_ways(s);
    find_slots(s);
    for (int b = 0; b < f->blocks.count; b++)
        for (int k = 0; k < f->blocks.items[b].count; k++)
            define_by(s, f->blocks.items[b].insts[k]);
    return s;
}

/* ---- questions ------------------------------------------------------------------------------ */

static void add_source(struct graph_slots *s, slot_sources *out, ir_value inst)
{
    for (int i = 0; i < out->count; i++)
        if (out->items[i] == inst)
            return;
    s->cut |= out->count == MAX_SOURCES;
    if (out->count < MAX_SOURCES)
        LIST_ADD(s->in->arena, out, inst);
}

/* Walks backwards from a place in a block to the last definition on each path. */
static void search(struct graph_slots *s, int slot, int block, int place, slot_sources *out)
{
    const definition_list *d = &s->defined[block];
    for (int k = d->count - 1; k >= 0; k--)
        if (d->items[k].slot == slot && d->items[k].place < place) {
            add_source(s, out, d->items[k].inst);
            return;
        }
    if (!block)
        add_source(s, out, 0);
    for (int k = 0; k < s->before[block].count; k++) {
        int from = s->before[block].items[k];
        s->cut |= out->count == MAX_SOURCES;
        if (s->seen[from] == s->question || out->count == MAX_SOURCES)
            continue;
        s->seen[from] = s->question;
        search(s, slot, from, s->in->function->blocks.items[from].count, out);
    }
}

bool slots_cut(const struct graph_slots *s)
{
    return s->cut;
}

static void ask(struct graph_slots *s, int slot, ir_value at, slot_sources *out)
{
    s->question++;
    if (slot >= 0 && s->block[at] >= 0)
        search(s, slot, s->block[at], s->place[at], out);
}

void slots_reaching(struct graph_slots *s, ir_value load, slot_sources *out)
{
    ask(s, slot_of(s, load), load, out);
    if (!out->count)
        add_source(s, out, 0);
}

void slots_reaching_local(struct graph_slots *s, int local, ir_value at, slot_sources *out)
{
    for (int k = 0; k < s->slots.count; k++)
        if (s->slots.items[k].root == local)
            ask(s, k, at, out);
}
