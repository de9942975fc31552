/* The worklist of a function: states that wait at its blocks to be run. */
#include "analyzer/flow/engine/worklist.h"

void worklist_add(struct worklist *w, int block, struct state *s)
{
    live_drop(w->fr, block, s);
    state_prune(s, NULL);
    policy_for_state(w, block, s);
    w->first = block < w->first ? block : w->first;
}

bool worklist_next(struct worklist *w)
{
    const struct ir_function *fn = w->fr->code->fn;
    for (; w->first < fn->blocks.count; w->first++)
        for (int i = 0; i < w->blocks[w->first].count; i++)
            if (!w->blocks[w->first].items[i].done) {
                w->block = w->first;
                w->item = i;
                return true;
            }
    return false;
}
