/* The worklist of a function: states that wait at its blocks to be run. */
#include "analyzer/flow/engine/worklist.h"

void worklist_add(struct worklist *w, int block, struct state *s)
{
    live_drop(w->fr, block, s);
    if (w->is_dynamic && w->entry && w->fr->code->loop_head[block])
        w->f->dynamic->drop_garbage(w->f, s, w->entry, NULL);
    state_prune(s, NULL);
    if (w->f->merges && w->fr->code->loop_head[block])
        moves_forget(w->f, s);
    policy_for_state(w, block, s);
    w->first = block < w->first ? block : w->first;
}

/* The item of the block that waits; -1: none does. */
static int waiting_at(const struct worklist *w, int block)
{
    for (int i = 0; i < w->blocks[block].count; i++)
        if (!w->blocks[block].items[i].done || w->blocks[block].items[i].next)
            return i;
    return -1;
}

static int waiting_inside(const struct worklist *w, int head)
{
    const struct code *c = w->fr->code;
    for (int b = head + 1; w->f->merges && c->loop_head[head] && b <= c->loop_end[head]; b++)
        if (waiting_at(w, b) >= 0)
            return b;
    return head;
}

bool worklist_next(struct worklist *w)
{
    const struct ir_function *fn = w->fr->code->fn;
    while (w->first < fn->blocks.count && waiting_at(w, w->first) < 0)
        w->first++;
    if (w->first == fn->blocks.count)
        return false;
    w->block = w->first;
    for (int inside; (inside = waiting_inside(w, w->block)) != w->block;)
        w->block = inside;
    w->item = waiting_at(w, w->block);
    return true;
}
