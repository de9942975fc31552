/* Liveness: the locals and values that may still be read when a block begins. Dead ones are dropped
 * there, so that they neither keep states separate nor are carried along.
 *
 * A local is tracked if it is only loaded from and stored to, and a nameless one also where its
 * address does not leave its block: it is an operand under construction. One whose address
 * escapes is kept. Requires block_of and crosses of code (link.c). */
#include "analyzer/flow/analysis.h"

struct sets {
    uint64_t *read, *written; /* in the block before it is written; written in the block */
};

static void put_bit(uint64_t *set, int n)
{
    set[n / 64] |= (uint64_t)1 << n % 64;
}

static bool has_bit(const uint64_t *set, int n)
{
    return set[n / 64] >> n % 64 & 1;
}

/* ---- numbering ------------------------------------------------------------------------------- */

/* The local that an address points into, -1: none. */
static int local_below(const struct ir_function *fn, ir_value n)
{
    const struct ir_inst *i = &fn->insts.items[n];
    while (n && (i->op == IR_FIELD || i->op == IR_ELEMENT)) {
        n = i->args[0];
        i = &fn->insts.items[n];
    }
    return n && i->op == IR_LOCAL ? (int)i->integer : -1;
}

/* A nameless local whose address is neither stored nor used in another block is always written
 * before it is read. */
static void mark_inner(struct flow *f, struct code *c)
{
    const struct ir_function *fn = c->fn;
    int *block = arena_array(f->arena, int, fn->locals.count); /* that it is used in, plus one */
    c->inner = arena_array(f->arena, bool, fn->locals.count);
    for (int k = fn->param_count; k < fn->locals.count; k++)
        c->inner[k] = !*fn->locals.items[k].name && !fn->locals.items[k].is_static;
    for (int n = 1; n < fn->insts.count; n++) {
        const struct ir_inst *i = &fn->insts.items[n];
        if (i->op == IR_GET || i->op == IR_SET)
            c->inner[i->integer] = false;
        for (int k = 0; k < i->arg_count; k++) {
            int local = i->args[k] ? local_below(fn, i->args[k]) : -1;
            bool kept = (i->op == IR_STORE && k == 1) || i->op == IR_RETURN || i->op == IR_CONVERT;
            if (local < 0)
                continue;
            if (kept || (block[local] && block[local] != c->block_of[n] + 1))
                c->inner[local] = false;
            block[local] = c->block_of[n] + 1;
        }
    }
}

/* ---- values that are read right after their block -------------------------------------------- */

enum { SEVERAL = -1, NO_BLOCK = -2 };

static void note_edge(int *before, int from, int to)
{
    before[to] = before[to] == NO_BLOCK || before[to] == from ? from : SEVERAL;
}

/* Of each block: the only one that it comes after, SEVERAL: it is the entry, or there are more. */
static int *only_before(struct arena *a, const struct ir_function *fn)
{
    int *before = arena_array(a, int, fn->blocks.count);
    for (int b = 0; b < fn->blocks.count; b++)
        before[b] = b ? NO_BLOCK : SEVERAL;
    for (int from = 0; from < fn->blocks.count; from++) {
        const struct ir_block *b = &fn->blocks.items[from];
        const struct ir_inst *i = b->count ? &fn->insts.items[b->insts[b->count - 1]] : NULL;
        if (b->catch)
            note_edge(before, from, b->catch);
        if (i && (i->op == IR_JUMP || i->op == IR_BRANCH || i->op == IR_SWITCH))
            note_edge(before, from, i->target[0]);
        if (i && i->op == IR_BRANCH)
            note_edge(before, from, i->target[1]);
        for (int k = 0; i && k < i->case_count; k++)
            note_edge(before, from, i->cases[k].block);
    }
    return before;
}

/* Most values are read in no block but their own and the one that comes right after it: there they
 * are known to be live without a bit for every block. */
static void note_next(struct flow *f, struct code *c)
{
    const struct ir_function *fn = c->fn;
    struct arena *scratch = arena_new();
    const int *before = only_before(scratch, fn);
    c->live_next = arena_array(f->arena, int, fn->insts.count);
    for (int n = 0; n < fn->insts.count; n++)
        c->live_next[n] = c->crosses[n] ? 0 : SEVERAL;
    for (int n = 1; n < fn->insts.count; n++) {
        const struct ir_inst *i = &fn->insts.items[n];
        int here = c->block_of[n];
        for (int k = 0; k < i->arg_count; k++) {
            int *next = &c->live_next[i->args[k]], of = c->block_of[i->args[k]];
            if (of != here)
                *next = before[here] == of && (!*next || *next == here) ? here : SEVERAL;
        }
    }
    arena_free(scratch);
}

/* Words of all sets of a function. What does not fit is not tracked, and so never dropped: sets for
 * all that a hundred thousand blocks compute would fill the memory. */
enum { MOST_WORDS = 1 << 22 };

static int most_tracked(const struct ir_function *fn)
{
    int words = MOST_WORDS / (fn->blocks.count + 1);
    return words ? words * 64 : 64;
}

/* Locals first, then values that more blocks read; -1: not tracked. */
static void number_all(struct flow *f, struct code *c)
{
    const struct ir_function *fn = c->fn;
    c->live_local = arena_array(f->arena, int, fn->locals.count);
    c->live_value = arena_array(f->arena, int, fn->insts.count);
    for (int n = 1; n < fn->insts.count; n++) {
        const struct ir_inst *i = &fn->insts.items[n];
        for (int k = 0; k < i->arg_count; k++) {
            const struct ir_inst *of = &fn->insts.items[i->args[k]];
            bool plain = k == 0 && (i->op == IR_LOAD || i->op == IR_STORE);
            if (i->args[k] && of->op == IR_LOCAL && !plain)
                c->live_local[of->integer] = -1;
        }
    }
    mark_inner(f, c);
    c->live_count = 0;
    int most = most_tracked(fn);
    for (int k = 0; k < fn->locals.count; k++)
        if (fn->locals.items[k].is_static || c->is_cell[k] || c->live_count == most)
            c->live_local[k] = -1;
        else if (c->live_local[k] >= 0)
            c->live_local[k] = c->live_count++;
    for (int n = 0; n < fn->insts.count; n++)
        c->live_value[n] = c->crosses[n] && c->live_next[n] == SEVERAL && c->live_count < most
                               ? c->live_count++
                               : -1;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void note_local(const struct code *c, struct sets *s, const struct ir_inst *i)
{
    bool is_whole = i->op == IR_GET || i->op == IR_SET;
    if (i->op != IR_LOAD && i->op != IR_STORE && !is_whole)
        return;
    const struct ir_inst *at = is_whole ? i : &c->fn->insts.items[i->args[0]];
    int bit = is_whole || at->op == IR_LOCAL ? c->live_local[at->integer] : -1;
    if (bit < 0)
        return;
    if (i->op == IR_STORE || i->op == IR_SET)
        put_bit(s->written, bit);
    else if (!has_bit(s->written, bit))
        put_bit(s->read, bit);
}

/* The instructions of the block from that one on. */
static void note_block(const struct code *c, int block, int from, struct sets *s)
{
    const struct ir_block *b = &c->fn->blocks.items[block];
    for (int k = from; k < b->count; k++) {
        const struct ir_inst *i = &c->fn->insts.items[b->insts[k]];
        for (int n = 0; n < i->arg_count; n++)
            if (i->args[n] && c->live_value[i->args[n]] >= 0 && c->block_of[i->args[n]] != block)
                put_bit(s->read, c->live_value[i->args[n]]);
        note_local(c, s, i);
        if (c->live_value[b->insts[k]] >= 0)
            put_bit(s->written, c->live_value[b->insts[k]]);
    }
}

/* ---- fixpoint -------------------------------------------------------------------------------- */

static bool add_live(const uint64_t *next, const uint64_t *written, uint64_t *live, int words)
{
    bool changed = false;
    for (int w = 0; w < words; w++) {
        uint64_t more = next[w] & ~written[w] & ~live[w];
        live[w] |= more;
        changed |= more != 0;
    }
    return changed;
}

static bool add_successors(const struct code *c, int block, const uint64_t *written, uint64_t *live)
{
    const struct ir_block *b = &c->fn->blocks.items[block];
    const struct ir_inst *i = &c->fn->insts.items[b->insts[b->count - 1]];
    int words = (c->live_count + 63) / 64;
    bool changed = false;
    if (i->op == IR_JUMP || i->op == IR_BRANCH || i->op == IR_SWITCH)
        changed |= add_live(c->live[i->target[0]], written, live, words);
    if (i->op == IR_BRANCH)
        changed |= add_live(c->live[i->target[1]], written, live, words);
    for (int k = 0; k < i->case_count; k++)
        changed |= add_live(c->live[i->cases[k].block], written, live, words);
    for (int w = 0; b->catch && w < words; w++) { /* it may be left before anything is written */
        uint64_t more = c->live[b->catch][w] & ~live[w];
        live[w] |= more;
        changed |= more != 0;
    }
    return changed;
}

static struct sets sets_new(struct arena *a, const struct code *c)
{
    int words = (c->live_count + 63) / 64;
    return (struct sets){arena_array(a, uint64_t, words + 1), arena_array(a, uint64_t, words + 1)};
}

void live_prepare(struct flow *f, struct code *c)
{
    int blocks = c->fn->blocks.count;
    note_next(f, c);
    number_all(f, c);
    int words = (c->live_count + 63) / 64;
    struct arena *scratch = arena_new();
    struct sets *all = arena_array(scratch, struct sets, blocks);
    c->live = arena_array(f->arena, uint64_t *, blocks);
    for (int b = 0; b < blocks; b++) {
        all[b] = sets_new(scratch, c);
        c->live[b] = arena_array(f->arena, uint64_t, words + 1);
        note_block(c, b, 0, &all[b]);
        for (int w = 0; w < words; w++)
            c->live[b][w] = all[b].read[w];
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = blocks - 1; b >= 0; b--)
            if (c->fn->blocks.items[b].count)
                changed |= add_successors(c, b, all[b].written, c->live[b]);
    }
    arena_free(scratch);
}

/* ---- forgetting ------------------------------------------------------------------------------ */

struct place {
    const struct frame *fr;
    const uint64_t *live;
    int block; /* that begins */
};

static bool is_dead(const struct cell *cell, const void *what)
{
    const struct place *at = what;
    const struct code *c = at->fr->code;
    const struct loc *l = cell->loc;
    int bit = -1;
    if (l->object->frame != at->fr->regs->frame)
        return false;
    if (l->object == at->fr->regs && l->parent && c->live_next[l->element] != SEVERAL)
        return c->live_next[l->element] != at->block;
    if (l->object == at->fr->regs)
        bit = l->parent ? c->live_value[l->element] : -1;
    else if (l->object->kind == OBJECT_LOCAL && c->inner[l->object->local])
        return true;
    else if (l->object->kind == OBJECT_LOCAL)
        bit = c->live_local[l->object->local];
    else if (l->object->kind == OBJECT_MADE && !c->crosses[l->object->local])
        return true;
    return bit >= 0 && !has_bit(at->live, bit);
}

void live_drop(const struct frame *fr, int block, struct state *s)
{
    struct place at = {fr, fr->code->live[block], block};
    state_drop_of_frame(s, fr->regs->frame, is_dead, &at);
}

static bool is_dead_local(const struct cell *cell, const void *what)
{
    const struct place *at = what;
    const struct object *o = cell->loc->object;
    int bit = o->frame == at->fr->regs->frame && o->kind == OBJECT_LOCAL
                  ? at->fr->code->live_local[o->local]
                  : -1;
    return bit >= 0 && !has_bit(at->live, bit);
}

void live_drop_locals(struct arena *a, const struct frame *fr, ir_value call, struct state *s)
{
    const struct code *c = fr->code;
    int block = c->block_of[call], from = 0;
    const struct ir_block *b = &c->fn->blocks.items[block];
    while (b->insts[from] != call)
        from++;
    struct sets rest = sets_new(a, c);
    note_block(c, block, from + 1, &rest);
    add_successors(c, block, rest.written, rest.read);
    state_drop_of_frame(s, fr->regs->frame, is_dead_local,
                        &(struct place){.fr = fr, .live = rest.read});
}
