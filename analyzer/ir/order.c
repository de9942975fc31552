/* Finishes the lowering of a function: blocks that cannot be reached are removed, blocks that only
 * jump are skipped, and the rest are put in source order, so that only loops jump back. */
#include "analyzer/ir/private.h"

struct finish {
    struct ir_unit *unit;
    struct ir_function *f;
    struct arena *scratch;
    bool *reached;  /* by block */
    int *number;    /* by block: the new one */
    LIST(int) ways; /* blocks whose successors have not been visited */
};

static struct ir_inst *last_inst(const struct ir_function *f, int block)
{
    const struct ir_block *b = &f->blocks.items[block];
    return &f->insts.items[b->insts[b->count - 1]];
}

static int target_count(const struct ir_inst *inst)
{
    return inst->op == IR_BRANCH ? 2 : inst->op == IR_JUMP || inst->op == IR_SWITCH;
}

/* To a place that was lost to an error. */
static void end_block(struct finish *s, int block)
{
    if (!ir_block_ended(s->f, block))
        ir_append(s->unit, s->f, block, (struct ir_inst){.op = IR_STOP});
}

/* ---- blocks that only lead on ---------------------------------------------------------------- */

/* Where a jump to the block ends up. An empty loop leads to itself. */
static int through(const struct ir_function *f, int block)
{
    for (int i = 0; i < f->blocks.count; i++) {
        const struct ir_block *b = &f->blocks.items[block];
        const struct ir_inst *only = &f->insts.items[b->insts[0]];
        if (b->count != 1 || only->op != IR_JUMP)
            return block;
        block = only->target[0];
    }
    return block;
}

static void shorten(struct finish *s, int block)
{
    int *catch = &s->f->blocks.items[block].catch;
    struct ir_inst *inst = last_inst(s->f, block);
    for (int i = 0; i < target_count(inst); i++)
        inst->target[i] = through(s->f, inst->target[i]);
    for (int i = 0; i < inst->case_count; i++)
        inst->cases[i].block = through(s->f, inst->cases[i].block);
    *catch = *catch ? through(s->f, *catch) : 0;
}

/* ---- which blocks are reached --------------------------------------------------------------- */

static void reach(struct finish *s, int block)
{
    if (s->reached[block])
        return;
    s->reached[block] = true;
    LIST_ADD(s->scratch, &s->ways, block);
}

static void find_reached(struct finish *s)
{
    reach(s, 0);
    while (s->ways.count) {
        int block = s->ways.items[--s->ways.count];
        const struct ir_inst *inst = last_inst(s->f, block);
        if (s->f->blocks.items[block].catch)
            reach(s, s->f->blocks.items[block].catch);
        for (int i = 0; i < target_count(inst); i++)
            reach(s, inst->target[i]);
        for (int i = 0; i < inst->case_count; i++)
            reach(s, inst->cases[i].block);
    }
}

/* ---- the new order -------------------------------------------------------------------------- */

static void redirect(struct finish *s, int block)
{
    struct ir_inst *inst = last_inst(s->f, block);
    for (int i = 0; i < target_count(inst); i++)
        inst->target[i] = s->number[inst->target[i]];
    for (int i = 0; i < inst->case_count; i++)
        inst->cases[i].block = s->number[inst->cases[i].block];
    if (s->f->blocks.items[block].catch)
        s->f->blocks.items[block].catch = s->number[s->f->blocks.items[block].catch];
}

/* In the order they were placed; blocks that never were come last. */
static int order_blocks(struct finish *s, const int *placed, int placed_count, int *order)
{
    int count = 0, n = s->f->blocks.count;
    bool *seen = arena_array(s->scratch, bool, n);
    for (int i = 0; i < placed_count + n; i++) {
        int block = i < placed_count ? placed[i] : i - placed_count;
        if (seen[block] || !s->reached[block])
            continue;
        seen[block] = true;
        s->number[block] = count;
        order[count++] = block;
    }
    return count;
}

/* Instructions of removed blocks are removed too, and the others are renumbered. */
static void renumber_insts(struct finish *s)
{
    struct ir_function *f = s->f;
    struct ir_inst *old =
        arena_copy(s->scratch, f->insts.items, (size_t)f->insts.count * sizeof *f->insts.items);
    int *number = arena_array(s->scratch, int, f->insts.count), count = 1;
    for (int b = 0; b < f->blocks.count; b++)
        for (int i = 0; i < f->blocks.items[b].count; i++) {
            int *at = &f->blocks.items[b].insts[i];
            f->insts.items[count] = old[*at];
            number[*at] = count;
            *at = count++;
        }
    f->insts.count = count;
    for (int i = 1; i < count; i++)
        for (int k = 0; k < f->insts.items[i].arg_count; k++)
            f->insts.items[i].args[k] = number[f->insts.items[i].args[k]];
}

void ir_order_blocks(struct ir_unit *u, struct ir_function *f, const int *placed, int placed_count,
                     struct arena *scratch)
{
    size_t before = arena_used(scratch);
    int n = f->blocks.count;
    struct finish s = {.unit = u,
                       .f = f,
                       .scratch = scratch,
                       .reached = arena_array(scratch, bool, n),
                       .number = arena_array(scratch, int, n)};
    int *order = arena_array(scratch, int, n);
    for (int b = 0; b < n; b++)
        end_block(&s, b);
    for (int b = 0; b < n; b++)
        shorten(&s, b);
    find_reached(&s);
    int count = order_blocks(&s, placed, placed_count, order);
    for (int b = 0; b < count; b++)
        redirect(&s, order[b]);
    struct ir_block *old = arena_copy(scratch, f->blocks.items, (size_t)n * sizeof *old);
    for (int b = 0; b < count; b++)
        f->blocks.items[b] = old[order[b]];
    f->blocks.count = count;
    if (count < n)
        renumber_insts(&s);
    arena_rewind(scratch, before);
}
