/* Loops: where they begin and end, what they write, and whether every iteration does the same. */
#include "analyzer/flow/analysis.h"

#include <string.h>

static bool is_terminator(enum ir_op op)
{
    switch (op) {
#define IR_OP(name, text, operands, yields, ends, access)                                          \
    case IR_##name:                                                                                \
        return ends;
#include "analyzer/ir/op.def"
#undef IR_OP
    case IR_OP_COUNT:
        break;
    }
    return false;
}

static const struct ir_inst *end_of(const struct ir_function *fn, int block)
{
    const struct ir_block *b = &fn->blocks.items[block];
    return &fn->insts.items[b->insts[b->count - 1]];
}

/* The edge leaves the blocks of a loop, also to a loop around it. What only raises an error that
 * the function does not catch is no way to go on. */
static bool is_way_out(const struct ir_function *fn, int head, int end, int to)
{
    bool fails = end_of(fn, to)->op == IR_RAISE && !fn->blocks.items[to].catch;
    return (to > end || to < head) && !fails;
}

/* The number of edges that leave it. */
static int ways_out(const struct ir_function *fn, int head, int end)
{
    int count = 0;
    for (int b = head; b <= end; b++) {
        const struct ir_inst *last = end_of(fn, b);
        int targets = last->op == IR_JUMP ? 1 : last->op == IR_BRANCH ? 2 : 0;
        count += last->op == IR_RETURN;
        for (int k = 0; k < targets; k++)
            count += is_way_out(fn, head, end, last->target[k]);
    }
    return count;
}

static bool is_number(const struct ir_function *fn, ir_value n)
{
    return n && type_is_number(fn->insts.items[n].type);
}

static bool is_choice(const struct ir_function *fn, ir_value n)
{
    const struct type *t = n ? fn->insts.items[n].type : NULL;
    return t && type_is_choice(t);
}

/* Whether it cannot affect tensors or pointers to them. */
static bool is_about_numbers(const struct code *c, ir_value n)
{
    const struct ir_inst *i = &c->fn->insts.items[n];
    if (i->op == IR_STORE)
        return is_number(c->fn, i->args[1]);
    if (i->op != IR_CALL)
        return i->op != IR_COPY && i->op != IR_ANYTHING && !ir_op_is_dynamic(i->op);
    bool numbers = !c->packed[n] && is_number(c->fn, n);
    for (int k = i->name ? 0 : 1; k < i->arg_count; k++)
        numbers &= is_number(c->fn, i->args[k]);
    return numbers;
}

/* Blocks are in source order: those of a loop lie between its head and its end. */
static void mark_edge(struct code *c, int from, int to)
{
    if (to > from)
        return;
    c->loop_head[to] = true;
    c->loop_end[to] = from;
}

/* The last block of a loop may be in a loop inside of it, whose other blocks come after it. */
static void extend(const struct code *c, int head)
{
    for (int b = head + 1; b <= c->loop_end[head]; b++)
        if (c->loop_head[b] && c->loop_end[b] > c->loop_end[head])
            c->loop_end[head] = c->loop_end[b];
}

static void note_writes(struct flow *f, struct code *c, int head)
{
    const struct ir_function *fn = c->fn;
    int ways = ways_out(fn, head, c->loop_end[head]);
    c->searches |= ways > 1;
    c->ends_once[head] = ways == 1;
    c->loop_writes[head] = arena_array(f->arena, bool, fn->locals.count);
    c->counts[head] = c->computes[head] = true;
    for (int b = head; b <= c->loop_end[head]; b++)
        for (int k = 0; k < fn->blocks.items[b].count; k++) {
            const struct ir_inst *i = &fn->insts.items[fn->blocks.items[b].insts[k]];
            const struct ir_inst *at = i->op == IR_STORE ? &fn->insts.items[i->args[0]] : i;
            if ((at->op == IR_LOCAL && i->op == IR_STORE) || i->op == IR_SET)
                c->loop_writes[head][at->integer] = true;
            else if (i->op == IR_STORE && is_choice(fn, i->args[1]))
                c->computes[head] = false;
            c->counts[head] &= is_about_numbers(c, fn->blocks.items[b].insts[k]);
        }
    c->computes[head] &= c->counts[head];
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

/* ---- iterations that repeat ------------------------------------------------------------------ */

enum { MAX_COUNTERS = 4 };

/* A loop, and for each instruction in it whether it counts iterations: a number in a local that
 * the loop writes, or a value computed from it. So does a field that the loop writes, if its
 * head tests it. */
struct rounds {
    const struct code *code;
    int head, end;
    const bool *loop_writes;
    bool *counts;
    ir_value counters[MAX_COUNTERS]; /* addresses of such fields */
    int counter_count;
};

static const struct ir_inst *inst_at(const struct rounds *r, ir_value n)
{
    return &r->code->fn->insts.items[n];
}

static bool is_loop_writes_local(const struct rounds *r, ir_value n)
{
    return inst_at(r, n)->op == IR_LOCAL && r->loop_writes[inst_at(r, n)->integer];
}

static bool is_same_name(const char *a, const char *b)
{
    return a && b && !strcmp(a, b);
}

/* Whether two addresses are the same expression: t->step. */
static bool is_same_place(const struct rounds *r, ir_value x, ir_value y)
{
    const struct ir_inst *a = inst_at(r, x), *b = inst_at(r, y);
    if (a->op != b->op)
        return false;
    if (a->op == IR_LOCAL)
        return a->integer == b->integer;
    bool named = a->op == IR_FIELD || a->op == IR_GLOBAL;
    if ((a->op != IR_LOAD && !named) || (named && !is_same_name(a->name, b->name)))
        return false;
    return a->op == IR_GLOBAL || is_same_place(r, a->args[0], b->args[0]);
}

static bool is_counter(const struct rounds *r, ir_value n)
{
    bool is = is_loop_writes_local(r, n);
    for (int k = 0; k < r->counter_count; k++)
        is |= is_same_place(r, n, r->counters[k]);
    return is;
}

static bool is_written(const struct rounds *r, ir_value place)
{
    const struct ir_function *fn = r->code->fn;
    for (int b = r->head; b <= r->end; b++)
        for (int k = 0; k < fn->blocks.items[b].count; k++) {
            const struct ir_inst *i = inst_at(r, fn->blocks.items[b].insts[k]);
            if (i->op == IR_STORE && is_same_place(r, i->args[0], place))
                return true;
        }
    return false;
}

static void find_counters(struct rounds *r)
{
    const struct ir_block *head = &r->code->fn->blocks.items[r->head];
    for (int k = 0; k < head->count && r->counter_count < MAX_COUNTERS; k++) {
        const struct ir_inst *i = inst_at(r, head->insts[k]);
        if (i->op == IR_LOAD && is_number(r->code->fn, head->insts[k]) &&
            inst_at(r, i->args[0])->op != IR_LOCAL && is_written(r, i->args[0]))
            r->counters[r->counter_count++] = i->args[0];
    }
}

static bool counts_rounds(const struct rounds *r, ir_value n)
{
    const struct ir_inst *i = inst_at(r, n);
    bool counts = i->op == IR_LOAD && is_counter(r, i->args[0]);
    for (int k = 0; k < i->arg_count && i->op != IR_LOAD; k++)
        counts |= i->args[k] && r->counts[i->args[k]];
    return counts && i->op != IR_CALL && is_number(r->code->fn, n);
}

/* Whether the instruction only counts with such a number, its operand k, tests it in the head,
 * or passes it to a function that does not handle tensors. */
static bool only_counts(const struct rounds *r, ir_value n, int k)
{
    const struct ir_inst *i = inst_at(r, n);
    if (i->op == IR_STORE)
        return k == 1 && is_counter(r, i->args[0]);
    if (i->op == IR_BRANCH)
        return r->code->block_of[n] == r->head;
    if (i->op == IR_CALL)
        return i->name && !r->code->packed[n] && !r->code->callee[n];
    return i->op == IR_UNARY || i->op == IR_BINARY || i->op == IR_CONVERT;
}

/* Whether its operand k, the address of a local, does not escape: whoever had it could count. */
static bool only_kept(const struct rounds *r, ir_value n, int k)
{
    const struct ir_inst *i = inst_at(r, n);
    const struct type *pointer = inst_at(r, i->args[k])->type;
    const struct type *type = pointer ? pointer->of : NULL;
    bool number = !type || type->kind == TYPE_BOOL || type->kind == TYPE_INT;
    return !number || (k == 0 && (i->op == IR_LOAD || i->op == IR_STORE));
}

/* Whether each iteration does the same as the one before: its counters are used for nothing
 * else. */
static bool is_repeated(struct flow *f, const struct code *c, int head, int end)
{
    const struct ir_function *fn = c->fn;
    bool *counts = arena_array(f->arena, bool, fn->insts.count);
    struct rounds r = {c, head, end, c->loop_writes[head], counts, {0}, 0};
    find_counters(&r);
    for (int b = head; b <= end; b++)
        for (int place = 0; place < fn->blocks.items[b].count; place++) {
            ir_value n = fn->blocks.items[b].insts[place];
            const struct ir_inst *i = &fn->insts.items[n];
            if (ir_op_is_dynamic(i->op)) /* which rounds differ is not known */
                return false;
            for (int k = 0; k < i->arg_count; k++) {
                ir_value of = i->args[k];
                if (of && r.counts[of] && !only_counts(&r, n, k))
                    return false;
                if (of && fn->insts.items[of].op == IR_LOCAL && !only_kept(&r, n, k))
                    return false;
            }
            r.counts[n] = counts_rounds(&r, n);
        }
    return true;
}

/* ---- blocks that are always run -------------------------------------------------------------- */

enum { MAX_BLOCKS = 512 };

static int target_at(const struct ir_inst *last, int k)
{
    int plain = last->op == IR_BRANCH ? 2 : last->op == IR_JUMP || last->op == IR_SWITCH ? 1 : 0;
    if (k < plain)
        return last->target[k];
    return k - plain < last->case_count ? last->cases[k - plain].block : -1;
}

/* Whether an iteration, or the function, can come to its end without the block. */
static bool is_avoided(const struct code *c, int head, int block, int from, bool *seen)
{
    const struct ir_function *fn = c->fn;
    if (from == block || seen[from])
        return false;
    seen[from] = true;
    const struct ir_inst *last = end_of(fn, from);
    if (last->op == IR_RETURN)
        return head < 0;
    for (int k = 0, to; (to = target_at(last, k)) >= 0; k++) {
        bool is_inside = head < 0 || (to > head && to <= c->loop_end[head]);
        if ((head >= 0 && to == head) || (is_inside && is_avoided(c, head, block, to, seen)))
            return true;
    }
    return false;
}

bool block_is_always_run(const struct code *c, int head, int block)
{
    bool seen[MAX_BLOCKS] = {false};
    if (c->fn->blocks.count > MAX_BLOCKS)
        return false;
    return head == block || !is_avoided(c, head, block, head < 0 ? 0 : head, seen);
}

/* ---- a function ------------------------------------------------------------------------------ */

void loops_find(struct flow *f, struct code *c)
{
    const struct ir_function *fn = c->fn;
    c->loop_head = arena_array(f->arena, bool, fn->blocks.count);
    c->ends_once = arena_array(f->arena, bool, fn->blocks.count);
    c->loop_writes = arena_array(f->arena, bool *, fn->blocks.count);
    c->counts = arena_array(f->arena, bool, fn->blocks.count);
    c->computes = arena_array(f->arena, bool, fn->blocks.count);
    c->repeats = arena_array(f->arena, bool, fn->blocks.count);
    c->loop_end = arena_array(f->arena, int, fn->blocks.count);
    for (int b = 0; b < fn->blocks.count; b++)
        mark_edges(c, b, end_of(fn, b));
    for (int b = fn->blocks.count - 1; b >= 0; b--)
        if (c->loop_head[b]) {
            extend(c, b);
            note_writes(f, c, b);
        }
    for (int b = 0; b < fn->blocks.count; b++)
        if (c->loop_head[b]) {
            LIST_ADD(f->arena, &c->loop_heads, b);
            c->repeats[b] = is_repeated(f, c, b, c->loop_end[b]);
        }
}
