/* Numbers from outside that a loop asks about: their terms are made before the loop is run. A term
 * that is first met in an iteration counts as one of that iteration, and what depends on it would
 * not be known to go together with the same number in the next one. */
#include "analyzer/flow/engine/engine.h"

struct foreseen {
    struct flow *f;
    const struct frame *fr;
    const bool *written; /* by the loop: locals */
    struct state *s;
};

static const struct loc *place_at(const struct foreseen *w, ir_value n);

/* Where the pointer leads to; NULL: it is not one place. */
static const struct loc *target_of(const struct foreseen *w, ir_value n)
{
    const struct ir_inst *i = &w->fr->code->fn->insts.items[n];
    const struct loc *at = place_at(w, i->op == IR_LOAD ? i->args[0] : n);
    if (i->op != IR_LOAD || !at)
        return at;
    struct value v = memory_read(w->f, w->fr, w->s, at, i->type);
    bool is_one = v.kind == VALUE_ADDRESS && v.count == 1 && !v.as.loc[0]->some_any;
    return is_one ? v.as.loc[0] : NULL;
}

/* The place that is a local, or a field behind one, and that the loop does not move. */
static const struct loc *place_at(const struct foreseen *w, ir_value n)
{
    const struct ir_inst *i = &w->fr->code->fn->insts.items[n];
    if (i->op == IR_LOCAL)
        return w->written[i->integer] ? NULL : loc_root(w->f->heap, w->fr->locals[i->integer]);
    const struct loc *of = i->op == IR_FIELD ? target_of(w, i->args[0]) : NULL;
    return of ? loc_field(w->f->heap, of, w->fr->code->names[n]) : NULL;
}

static void foresee(const struct foreseen *w, ir_value condition)
{
    const struct ir_inst *all = w->fr->code->fn->insts.items;
    while (all[condition].op == IR_CONVERT || all[condition].op == IR_UNARY)
        condition = all[condition].args[0];
    const struct ir_inst *i = &all[condition];
    const struct loc *at = i->op == IR_LOAD ? place_at(w, i->args[0]) : NULL;
    if (!at || !at->parent)
        return;
    struct value v = memory_read(w->f, w->fr, w->s, at, i->type);
    if (value_is_initial(&v))
        initial_within(guard_conditions(w->s->guards), v.test->of->origin, (struct domain){0, 0});
}

void loop_foresee(struct flow *f, const struct frame *fr, int head, struct state *s)
{
    const struct code *c = fr->code;
    struct foreseen w = {f, fr, c->loop_writes[head], NULL};
    for (int b = head; b <= c->loop_end[head]; b++) {
        const struct ir_block *block = &c->fn->blocks.items[b];
        ir_value last = block->count ? block->insts[block->count - 1] : 0;
        const struct ir_inst *end = &c->fn->insts.items[last];
        if (!last || end->op != IR_BRANCH)
            continue;
        w.s = w.s ? w.s : state_fork_counted(f, s);
        foresee(&w, end->args[0]);
    }
}
