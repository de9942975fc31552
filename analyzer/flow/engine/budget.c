/* The budget of a root: visits of instructions, and how many states are kept separate. */
#include "analyzer/flow/engine/engine.h"

/* Cells are shared; so are tensors and the tape, but for the lists of them, which are copied when
 * one is written. That matters where there are many. */
enum { FEW_COPIED = 1000 };

struct state *state_fork_counted(struct flow *f, struct state *s)
{
    f->left -= s->cell_count / (f->is_dynamic ? OBJECTS_PER_VISIT
                                : f->merges   ? SHARED_PER_VISIT
                                              : CELLS_PER_VISIT);
    int copied = (s->tensors.count > FEW_COPIED ? s->tensors.count : 0) +
                 (s->nodes.count > FEW_COPIED ? s->nodes.count : 0);
    f->left -= f->is_dynamic ? copied / SHARED_PER_VISIT : copied;
    return state_fork(f->scratch, s);
}

int states_allowed(const struct flow *f)
{
    if (f->sampling)
        return sampling_room(f);
    return f->left < 0 ? 1 : f->options.max_states;
}

/* Code that was not analysed must not pass as clean: the place where that began is reported. */
void budget_note_cut(struct flow *f, struct span at)
{
    struct span *first = &f->own.counts.cut;
    *first = first->file ? *first : at;
}

void cut_short(struct flow *f, struct span at)
{
    budget_note_cut(f, at);
    f->own.counts.budgets++;
}
