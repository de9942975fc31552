/* Branches that a function must take to get to a place, read from its IR: those of which only one
 * side leads there. The analysis keeps a branch with a finding only where it makes a difference to
 * the facts; to get there, all of them count. */
#include "analyzer/verify/branch.h"

#include <string.h>

struct walk {
    const struct ir_function *function;
    bool *seen;
    int goal, barred; /* a block to be reached, and one that is not entered */
};

static const struct ir_inst *last_of(const struct ir_function *f, int block)
{
    const struct ir_block *b = &f->blocks.items[block];
    return b->count ? &f->insts.items[b->insts[b->count - 1]] : NULL;
}

static bool leads(struct walk *w, int from);

static bool any_leads(struct walk *w, const struct ir_inst *end)
{
    switch (end->op) {
    case IR_JUMP:
        return leads(w, end->target[0]);
    case IR_BRANCH:
        return leads(w, end->target[0]) || leads(w, end->target[1]);
    case IR_SWITCH:
        for (int i = 0; i < end->case_count; i++)
            if (leads(w, end->cases[i].block))
                return true;
        return leads(w, end->target[0]);
    default:
        return false;
    }
}

static bool leads(struct walk *w, int from)
{
    if (from == w->goal)
        return true;
    if (from == w->barred || w->seen[from])
        return false;
    w->seen[from] = true;
    const struct ir_inst *end = last_of(w->function, from);
    return end && any_leads(w, end);
}

static bool side_leads(struct verifier *v, const struct ir_function *f, int from, int goal,
                       int barred)
{
    struct walk w = {f, arena_array(v->arena, bool, f->blocks.count), goal, barred};
    return leads(&w, from);
}

static int block_of(const struct ir_function *f, ir_value inst)
{
    for (int i = 0; i < f->blocks.count; i++)
        for (int k = 0; k < f->blocks.items[i].count; k++)
            if (f->blocks.items[i].insts[k] == inst)
                return i;
    return -1;
}

/* Functions with more blocks than this are left out: every branch is walked from. */
enum { MOST_BLOCKS = 400 };

const struct condition *control_conditions(struct verifier *v, const struct ir_function *f,
                                           ir_value inst, const struct condition *before)
{
    int goal = f->blocks.count <= MOST_BLOCKS ? block_of(f, inst) : -1;
    for (int i = 0; goal >= 0 && i < f->blocks.count; i++) {
        const struct ir_inst *end = last_of(f, i);
        if (!end || end->op != IR_BRANCH || i == goal)
            continue;
        bool yes = side_leads(v, f, end->target[0], goal, i);
        bool no = side_leads(v, f, end->target[1], goal, i);
        if (yes == no)
            continue;
        struct condition c = {.function = f,
                              .span = f->insts.items[end->args[0]].span,
                              .truth = yes,
                              .before = before};
        before = arena_copy(v->arena, &c, sizeof c);
    }
    return before;
}

/* The instruction that a frame was called from. */
static ir_value call_at(const struct ir_function *f, const struct span *at)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op == IR_CALL && i->span.line == at->line && i->span.column == at->column)
            return n;
    }
    return 0;
}

const struct condition *control_of_frames(struct verifier *v, const struct frame_place *called)
{
    if (!called)
        return NULL;
    const struct condition *before = control_of_frames(v, called->outer);
    ir_value call = call_at(called->caller, &called->span);
    return call ? control_conditions(v, called->caller, call, before) : before;
}
