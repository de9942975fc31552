/* A function: its blocks are run until no new state arrives, and states are passed from block to
 * block. */
#include "analyzer/flow/engine/worklist.h"

#include <math.h>

/* The value that is tested, behind comparisons and conversions. */
static ir_value asked_about(const struct ir_function *fn, ir_value v)
{
    const struct ir_inst *i = &fn->insts.items[v];
    while (i->op == IR_CONVERT || i->op == IR_UNARY || i->op == IR_BINARY) {
        v = i->args[0];
        i = &fn->insts.items[v];
    }
    return v;
}

static bool is_open_to_others(const struct object *o)
{
    return !o->is_const && (o->kind == OBJECT_GLOBAL || o->forgotten);
}

static bool is_loaded_from_others(struct path *p, const struct ir_inst *load)
{
    if (load->op != IR_LOAD || p->fr->code->block_of[load->args[0]] != p->block)
        return false;
    struct value at = path_get(p, load->args[0]);
    for (int k = 0; at.kind == VALUE_ADDRESS && k < at.count; k++)
        if (is_open_to_others(at.as.loc[k]->object))
            return true;
    return false;
}

static bool is_called_elsewhere(const struct code *c, ir_value v)
{
    bool own = c->packed[v] || (c->callee[v] && !c->callee[v]->fn->is_partial);
    return c->fn->insts.items[v].op == IR_CALL && !own;
}

/* Whether missing code decides the branch: it set a global, wrote through a pointer, or is what
 * is called. A failure on one side may be on a side that no run takes. */
static bool is_decided_elsewhere(struct path *p, ir_value condition, const struct value *v)
{
    const struct code *c = p->fr->code;
    if (!p->f->options.incomplete)
        return false;
    ir_value asked = asked_about(c->fn, condition);
    while (v->kind == VALUE_NUMBER && v->test && v->test->of)
        v = v->test->of;
    return (v->origin && is_open_to_others(v->origin->object)) || is_called_elsewhere(c, asked) ||
           is_loaded_from_others(p, &c->fn->insts.items[asked]);
}

/* Whether the value that the condition tests is not zero on this side. */
static bool is_nonzero_side(const struct ir_function *fn, ir_value condition, bool truth)
{
    const struct ir_inst *i = &fn->insts.items[condition];
    for (; i->op == IR_CONVERT || i->op == IR_UNARY || i->op == IR_BINARY;
         i = &fn->insts.items[i->args[0]]) {
        bool flips = i->op == IR_UNARY ? i->arith == ARITH_LNOT : i->arith == ARITH_EQ;
        if (i->op != IR_CONVERT && !flips && !(i->op == IR_BINARY && i->arith == ARITH_NE))
            return false;
        truth ^= i->op != IR_CONVERT && flips;
    }
    return truth;
}

/* Whether it is memory that was allocated, or NULL if there was none left. */
static bool is_allocated(const struct value *v)
{
    while (v->kind == VALUE_NUMBER && v->test && v->test->of)
        v = v->test->of;
    for (int n = 0; v->kind == VALUE_ADDRESS && n < v->count; n++)
        if (!v->as.loc[n]->object->memory)
            return false;
    return v->kind == VALUE_ADDRESS && v->count;
}

/* The state on a side of a branch; NULL: no run takes it. is_said: that the branch is taken is a
 * condition, even if the value is known in this case. */
static struct state *state_on_side(struct worklist *w, struct path *p, const struct ir_inst *i,
                                   const struct value *v, bool truth, bool is_said)
{
    const struct ir_function *fn = w->fr->code->fn;
    ir_value cond = i->args[0];
    bool open = value_can_be_nonzero(v) && value_can_be_zero(v);
    if (truth ? !value_can_be_nonzero(v) : !value_can_be_zero(v))
        return NULL;
    struct state *s = state_fork_counted(w->f, p->s);
    if (open && !refine(w->f, s, v, truth))
        return NULL;
    s->blurred |= open && is_decided_elsewhere(p, cond, v);
    const struct code *code = w->fr->code;
    bool is_another = truth && w->f->merges && code->loop_head[p->block]; /* iteration */
    if ((open || is_said) && !is_another && !(p->block == w->block && code->repeats[p->block]))
        condition_add(
            w->f, s,
            (struct condition){.function = fn,
                               .span = fn->insts.items[cond].span,
                               .truth = truth,
                               .is_hidden = code->unit->module != NULL ||
                                            (is_nonzero_side(fn, cond, truth) && is_allocated(v))});
    return s;
}

/* How far apart the two numbers are that a comparison of exact ones is about; 0: it is another
 * condition. */
static uint64_t compared_distance(struct path *p, ir_value condition)
{
    const struct ir_inst *i = &p->fr->code->fn->insts.items[condition];
    if (i->op != IR_BINARY || p->fr->code->block_of[condition] != p->block)
        return 0;
    struct value x = path_get(p, i->args[0]), y = path_get(p, i->args[1]);
    int64_t a, b;
    if (!number_exact(&x, &a) || !number_exact(&y, &b))
        return 0;
    return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

/* The smallest and the largest of what it is in all cases; false: it is no exact number in one. */
static bool exact_by_case(struct path *p, ir_value n, int64_t *low, int64_t *high)
{
    struct value v = path_get(p, n);
    value_list all = guard_values(p->f->scratch, p->s, &v);
    for (int k = 0; k < all.count; k++) {
        int64_t number;
        if (!number_exact(all.items[k], &number))
            return false;
        *low = !k || number < *low ? number : *low;
        *high = !k || number > *high ? number : *high;
    }
    return all.count;
}

/* Whether both numbers that the condition compares are exact in each case, and close: how often a
 * short loop goes on is decided before it begins, by what it collected before. */
enum { MAX_COLLECTED = 8 };
static bool compares_exact(struct path *p, ir_value condition)
{
    const struct ir_inst *i = &p->fr->code->fn->insts.items[condition];
    int64_t low[2], high[2];
    if (i->op != IR_BINARY || p->fr->code->block_of[condition] != p->block ||
        !exact_by_case(p, i->args[0], &low[0], &high[0]) ||
        !exact_by_case(p, i->args[1], &low[1], &high[1]))
        return false;
    uint64_t least = (uint64_t)(low[0] < low[1] ? low[0] : low[1]);
    uint64_t most = (uint64_t)(high[0] > high[1] ? high[0] : high[1]);
    return most - least <= MAX_COLLECTED;
}

/* The local that a value was loaded from, as it is or converted; NULL: none. */
static const struct loc *loaded_local(struct path *p, ir_value n)
{
    const struct ir_inst *all = p->fr->code->fn->insts.items;
    while (all[n].op == IR_CONVERT)
        n = all[n].args[0];
    const struct ir_inst *at = all[n].op == IR_LOAD ? &all[all[n].args[0]] : NULL;
    bool is_local = at && at->op == IR_LOCAL;
    return is_local ? loc_root(p->f->heap, p->fr->locals[at->integer]) : NULL;
}

/* A loop over the numbers below another ends: `for (i = 0; i < n; i++)`. */
static void leave_loop(struct path *p, ir_value condition, struct state *s)
{
    const struct ir_inst *i = &p->fr->code->fn->insts.items[condition];
    bool is_bound = i->op == IR_BINARY && (i->arith == ARITH_LT || i->arith == ARITH_NE) &&
                    p->fr->code->block_of[condition] == p->block;
    const struct loc *counter = is_bound ? loaded_local(p, i->args[0]) : NULL;
    if (!counter || !counter->object->root)
        return;
    struct value bound = path_get(p, i->args[1]);
    visited_settle(p->f->scratch, p->f->heap, s, counter, &bound);
}

/* How far apart the numbers are that the head of a loop compares, and whether runs go on both
 * sides. */
static void note_head(struct worklist *w, struct path *p, const struct ir_inst *i, bool is_decided)
{
    struct work_item *now = &w->blocks[w->block].items[w->item];
    now->decided = is_decided;
    now->distance = compared_distance(p, i->args[0]);
    if (w->is_dynamic)
        now->trips = w->f->dynamic->iterations(p, i->args[0]);
    else if (now->rounds == 1 && now->distance < now->distance_before)
        now->trips =
            ceil((double)now->distance_before / (double)(now->distance_before - now->distance));
    else
        now->trips = fmax(now->trips, default_trips(p, i->args[0]));
}

/* Which sides runs take: bits. */
static unsigned branch_on(struct worklist *w, struct path *p, const struct ir_inst *i,
                          struct value v, bool is_said)
{
    struct state *sides[] = {state_on_side(w, p, i, &v, true, is_said),
                             state_on_side(w, p, i, &v, false, is_said)};
    if (p->block == w->block)
        note_head(w, p, i, !(sides[0] && sides[1]));
    if (w->f->merges)
        guard_separate(sides, 2, p->s->guards);
    const struct code *code = w->fr->code;
    for (int k = 0; k < 2; k++) {
        bool is_exit =
            w->f->merges && code->loop_head[p->block] && i->target[k] > code->loop_end[p->block];
        if (sides[k] && is_exit)
            leave_loop(p, i->args[0], sides[k]);
        if (sides[k])
            worklist_add(w, i->target[k], sides[k]);
    }
    return (sides[0] ? 1u : 0) | (sides[1] ? 2u : 0);
}

/* A terminator whose operand is one of several. */
struct terminated {
    struct worklist *w;
    const struct ir_inst *inst;
    unsigned sides;               /* that runs of a case take */
    bool is_open;                 /* the cases go several ways */
    const struct condition *when; /* the branches taken in all of them */
};

static struct terminated terminated_by(struct worklist *w, const struct path *p,
                                       const struct ir_inst *i, const struct value *v)
{
    struct terminated t = {.w = w, .inst = i, .when = state_when_outside_loops(w->f->arena, p->s)};
    bool may_be[2] = {false, false};
    value_list all = guard_values(w->f->scratch, p->s, v);
    for (int k = 0; k < all.count; k++) {
        may_be[0] |= value_can_be_zero(all.items[k]);
        may_be[1] |= value_can_be_nonzero(all.items[k]);
    }
    t.is_open = i->op == IR_SWITCH ? all.count > 1 : may_be[0] && may_be[1];
    return t;
}

/* Whether nothing else says which way the case goes: no branch that only its runs took. */
static bool is_said(const struct terminated *t, const struct path *p)
{
    return t->is_open && state_when_outside_loops(t->w->f->arena, p->s) == t->when;
}

static void branch_on_case(void *context, struct path *p, const struct value *v)
{
    struct terminated *t = context;
    t->sides |= branch_on(t->w, p, t->inst, *v, is_said(t, p));
}

static void branch(struct worklist *w, struct path *p, const struct ir_inst *i)
{
    struct value v = path_get(p, i->args[0]);
    if (!value_is_open(&v)) {
        branch_on(w, p, i, v, false);
        return;
    }
    struct terminated t = terminated_by(w, p, i, &v);
    each_case(p, &v, branch_on_case, &t);
    if (p->block == w->block)
        w->blocks[w->block].items[w->item].decided = t.sides != 3 || compares_exact(p, i->args[0]);
}

static bool number_may_be(const struct value *v, int64_t low, int64_t high)
{
    if (v->kind != VALUE_NUMBER || v->is_real)
        return true;
    if (low == high)
        return value_can_be(v, low);
    for (int i = 0; i < v->count; i++)
        if (v->as.number[i] >= low && v->as.number[i] <= high)
            return true;
    return !v->count && v->as.range.low <= high && v->as.range.high >= low;
}

static struct condition case_of(const struct ir_function *fn, ir_value on, bool truth,
                                int64_t value)
{
    return (struct condition){.function = fn,
                              .span = fn->insts.items[on].span,
                              .truth = truth,
                              .is_case = true,
                              .value = value};
}

/* The number compares so; false: it cannot. */
static bool learn_number(struct flow *f, struct state *s, const struct value *v,
                         enum ir_arith arith, int64_t n)
{
    struct value number = value_int(n), test = compare_values(f->kept, arith, v, &number);
    return refine(f, s, &test, true);
}

/* The state in a case of a switch; NULL: no run gets there. */
static struct state *state_in_case(struct worklist *w, struct path *p, const struct ir_case *k,
                                   const struct value *v)
{
    if (!number_may_be(v, k->low, k->high))
        return NULL;
    struct state *s = state_fork_counted(w->f, p->s);
    if (k->low == k->high)
        return learn_number(w->f, s, v, ARITH_EQ, k->low) ? s : NULL;
    if (!w->f->merges)
        return s;
    return learn_number(w->f, s, v, ARITH_GE, k->low) && learn_number(w->f, s, v, ARITH_LE, k->high)
               ? s
               : NULL;
}

/* Whether it can be a number that no case lists. */
static bool may_be_unlisted(const struct ir_inst *i, const struct value *v)
{
    if (v->kind != VALUE_NUMBER || !v->count)
        return true;
    bool are_all_listed = true;
    for (int k = 0; k < v->count; k++) {
        bool listed = false;
        for (int n = 0; n < i->case_count; n++)
            listed |= v->as.number[k] >= i->cases[n].low && v->as.number[k] <= i->cases[n].high;
        are_all_listed &= listed;
    }
    return !are_all_listed;
}

/* The state in none of the cases. */
static struct state *state_in_none(struct worklist *w, struct path *p, const struct ir_inst *i,
                                   const struct value *v)
{
    if (!may_be_unlisted(i, v))
        return NULL;
    struct state *s = state_fork_counted(w->f, p->s);
    bool is_initial = w->f->merges && value_is_initial(v);
    for (int n = 0; n < i->case_count && !is_given_up(w->f); n++) {
        struct domain listed = {i->cases[n].low, i->cases[n].high};
        bool is_one = listed.low == listed.high;
        if (is_one && !learn_number(w->f, s, v, ARITH_NE, listed.low))
            return NULL;
        if (!is_one && is_initial && !guard_learn_not(s, v->test->of->origin, listed))
            return NULL;
    }
    return s;
}

static void switch_on(struct worklist *w, struct path *p, const struct ir_inst *i, struct value v,
                      bool is_said)
{
    const struct ir_function *fn = w->fr->code->fn;
    bool open = !(v.kind == VALUE_NUMBER && v.count == 1);
    struct state **to = arena_array(w->f->scratch, struct state *, i->case_count + 1);
    for (int n = 0; n < i->case_count && !is_given_up(w->f); n++)
        to[n] = state_in_case(w, p, &i->cases[n], &v);
    to[i->case_count] = state_in_none(w, p, i, &v);
    if (w->f->merges)
        guard_separate(to, i->case_count + 1, p->s->guards);
    for (int n = 0; n <= i->case_count; n++) {
        bool is_case = n < i->case_count;
        if (!to[n])
            continue;
        to[n]->blurred |= open && is_decided_elsewhere(p, i->args[0], &v);
        if (open || is_said)
            condition_add(w->f, to[n],
                          case_of(fn, i->args[0], is_case, is_case ? i->cases[n].low : 0));
        worklist_add(w, is_case ? i->cases[n].block : i->target[0], to[n]);
    }
}

static void switch_on_case(void *context, struct path *p, const struct value *v)
{
    const struct terminated *t = context;
    switch_on(t->w, p, t->inst, *v, is_said(t, p));
}

static void switch_to(struct worklist *w, struct path *p, const struct ir_inst *i)
{
    struct value v = path_get(p, i->args[0]);
    if (!value_is_open(&v)) {
        switch_on(w, p, i, v, false);
        return;
    }
    struct terminated t = terminated_by(w, p, i, &v);
    each_case(p, &v, switch_on_case, &t);
}

/* Locals no longer distinguish exit states. */
static void forget_frame(struct worklist *w, struct exit_state *e)
{
    state_drop_frame(e->state, w->fr->regs->frame);
    if (w->is_dynamic && w->entry)
        w->f->dynamic->drop_garbage(w->f, e->state, w->entry, &e->value);
    state_prune(e->state, &e->value);
}

static unsigned exit_compare(const struct exit_state *a, const struct exit_state *b)
{
    unsigned is = 0;
    if (value_subsumes(a->state, &a->value, b->state, &b->value))
        is |= STATE_SUBSUMES;
    if (value_subsumes(b->state, &b->value, a->state, &a->value))
        is |= STATE_IS_SUBSUMED;
    return is ? state_compare(a->state, b->state, is, NULL) : 0;
}

static void add_exit(struct worklist *w, struct exit_state e)
{
    for (int k = 0; k < w->exits->count; k++) {
        struct exit_state *old = &w->exits->items[k];
        unsigned is = exit_compare(old, &e);
        bool covered = is & STATE_SUBSUMES;
        if (!is)
            continue;
        state_blur_shapes(covered ? old->state : e.state, covered ? e.state : old->state);
        if (!covered)
            *old = e;
        state_join_conditions(old->state, e.state);
        return;
    }
    LIST_ADD(w->f->scratch, w->exits, e);
    join_exits(w->f, w->fr, w->exits, states_allowed(w->f));
}

static void leave_with(struct worklist *w, struct path *p, const struct value *v)
{
    struct exit_state e = {p->s, *v};
    if (w->f->merges && e.value.kind == VALUE_NUMBER && e.value.test) {
        e.value = guard_truth(p->s, &e.value);
        p->s->guarded |= e.value.kind == VALUE_GUARDED;
    }
    lookup_note_exit(w->f, w->fr->code, &e);
    if (frame_returns_record(w->fr))
        e.value = frame_record_result(w->f, w->fr, e.state, &e.value);
    forget_frame(w, &e);
    if (w->f->merges)
        arrival_add_exit(w, e);
    else
        add_exit(w, e);
}

static void leave_case(void *context, struct path *p, const struct value *v)
{
    leave_with(context, p, v);
}

/* A record that is returned is moved out of the frame, from the place that it has on this path:
 * another path may return one at another place. */
static void leave(struct worklist *w, struct path *p, const struct ir_inst *i)
{
    struct value v = i->arg_count ? path_get(p, i->args[0]) : value_nothing;
    if (value_is_open(&v) && frame_returns_record(w->fr))
        each_case(p, &v, leave_case, w);
    else
        leave_with(w, p, &v);
}

static void hand_raised(struct worklist *w, const struct path *p, const exit_list *raised);

static void raise_from(struct worklist *w, struct path *p, const struct ir_inst *i)
{
    exit_list raised = {0};
    struct exit_state e = {p->s, i->arg_count ? path_get(p, i->args[0]) : value_any};
    LIST_ADD(w->f->scratch, &raised, e);
    hand_raised(w, p, &raised);
}

static void terminate(struct worklist *w, struct path *p, const struct ir_inst *i)
{
    if (!path_goes_on(w->f, p->s))
        return;
    if (i->op == IR_JUMP)
        worklist_add(w, i->target[0], p->s);
    else if (i->op == IR_BRANCH)
        branch(w, p, i);
    else if (i->op == IR_SWITCH)
        switch_to(w, p, i);
    else if (i->op == IR_RETURN)
        leave(w, p, i);
    else if (i->op == IR_RAISE)
        raise_from(w, p, i);
}

typedef LIST(struct path) path_list;

struct path_join {
    struct worklist *w;
    int count; /* of values so far */
};

static void join_paths(void *context, void *into, const void *from)
{
    struct path_join *j = context;
    struct path *x = into;
    const struct path *y = from;
    struct arena *a = j->w->f->scratch;
    if (j->w->f->merges) {
        const struct in_use **in_use = guards_in_use(x->s->guards);
        struct in_use of_x = {x->regs, j->count, *in_use}, of_y = {y->regs, j->count, &of_x};
        *in_use = &of_y;
        diagram which = state_merge(a, x->s, y->s);
        *in_use = of_x.others;
        for (int k = 0; k < j->count; k++)
            x->regs[k] = guard_choose(x->s, which, &x->regs[k], &y->regs[k]);
        return;
    }
    state_join_for_room(a, x->s, y->s, false);
    for (int k = 0; k < j->count; k++)
        x->regs[k] = value_join(a, x->s, &x->regs[k], &y->regs[k]);
}

/* What is raised is handled in the block that this one names, or by a caller. */
static void hand_raised(struct worklist *w, const struct path *p, const exit_list *raised)
{
    int handler = w->fr->code->fn->blocks.items[p->block].catch;
    for (int k = 0; k < raised->count; k++) {
        struct exit_state e = raised->items[k];
        if (!handler) {
            LIST_ADD(w->f->scratch, w->raised, e);
            continue;
        }
        e.value.origin = NULL;
        state_put(w->f->scratch, e.state,
                  loc_field(w->f->heap, loc_root(w->f->heap, w->fr->regs),
                            name_of(w->f->names, "(caught)")),
                  e.value);
        worklist_add(w, handler, e.state);
    }
}

/* One instruction of a dynamic language, which may call whatever its operands define. */
static void run_dynamic(struct worklist *w, struct path *p, ir_value n, exit_list *exits)
{
    exit_list raised = {0};
    struct exit_state e = {0};
    struct path q = *p;
    q.raised = &raised;
    if (w->f->dynamic->run(&q, n, &e.value)) {
        e.state = q.s;
        LIST_ADD(w->f->scratch, exits, e);
    }
    join_exits(w->f, w->fr, &raised, 1);
    hand_raised(w, p, &raised);
}

/* All states of all paths after a call. */
static path_list after_call(struct worklist *w, path_list *paths, int place, ir_value n,
                            const struct ir_inst *i)
{
    path_list after = {0};
    size_t regs = sizeof *paths->items->regs *
                  (size_t)w->fr->code->fn->blocks.items[paths->items[0].block].count;
    int caller_paths = w->f->caller_paths;
    for (int k = 0; k < paths->count && (!w->f->sampling || k < sampling_room(w->f)); k++) {
        if (!w->fr->code->packed[n] && !path_goes_on(w->f, paths->items[k].s))
            continue;
        exit_list exits = {0};
        const struct in_use **in_use = guards_in_use(w->f->guards);
        struct in_use own = {paths->items[k].regs, place, *in_use};
        w->f->caller_paths = caller_paths * paths->count;
        *in_use = &own;
        if (w->is_dynamic)
            run_dynamic(w, &paths->items[k], n, &exits);
        else
            run_call(&paths->items[k], n, i, &exits);
        *in_use = own.others;
        w->f->caller_paths = caller_paths;
        for (int e = 0; e < exits.count; e++) {
            struct path q = paths->items[k];
            q.s = exits.items[e].state;
            if (exits.count > 1)
                q.regs = arena_copy(w->f->scratch, q.regs, regs);
            if (ir_op_yields(i->op))
                path_set(&q, n, identified(w->f, exits.items[e].value));
            if (ir_op_yields(i->op) && !w->fr->code->packed[n]) /* else it was observed already */
                observe_value(w->f, w->fr, n, q.s, &exits.items[e].value, NULL);
            LIST_ADD(w->f->scratch, &after, q);
        }
    }
    if (w->f->sampling)
        after.count = policy_for_samples(w->f, STATE_RECORDS(after, struct path, s), paths->count);
    else
        after.count =
            policy_for_list(w->f, w->fr, STATE_RECORDS(after, struct path, s), states_allowed(w->f),
                            join_paths, &(struct path_join){w, place + 1});
    return after;
}

/* It selects a dtype, a device or the like, and can be several. */
static bool is_open_choice(const struct value *v)
{
    return v->kind == VALUE_NUMBER && !v->is_real && v->count > 1 && v->origin &&
           loc_is_choice(v->origin);
}

/* On sampled paths, each path gets one value of what was loaded. */
static void choose_each(struct worklist *w, path_list *paths, ir_value n)
{
    size_t regs = sizeof *paths->items->regs *
                  (size_t)w->fr->code->fn->blocks.items[paths->items[0].block].count;
    int before = paths->count;
    for (int k = 0; k < before; k++) {
        struct value v = path_get(&paths->items[k], n);
        for (int e = v.count - 1; is_open_choice(&v) && e >= 0; e--) {
            struct path q = paths->items[k];
            struct value one = value_int(v.as.number[e]);
            one.is_bool = v.is_bool;
            if (e) {
                q.s = state_fork_counted(w->f, q.s);
                q.regs = arena_copy(w->f->scratch, q.regs, regs);
                LIST_ADD(w->f->scratch, paths, q);
            }
            state_put(w->f->scratch, q.s, v.origin, one);
            one.origin = v.origin;
            path_set(&q, n, one);
        }
    }
    paths->count = policy_for_samples(w->f, STATE_RECORDS(*paths, struct path, s), before);
}

/* Code that is not modelled may change what its operands lead to. */
static void forget_escaped(struct path *p, const struct ir_inst *i)
{
    for (int k = 0; k < i->arg_count; k++) {
        struct value v = path_get(p, i->args[k]);
        memory_forget_escaped(p->f, p->s, &v);
    }
}

static void run_one(struct path *p, ir_value n, const struct ir_inst *i)
{
    if (i->op == IR_ANYTHING)
        forget_escaped(p, i);
    if (p->s->guarded)
        run_inst_by_cases(p, n, i);
    else
        run_inst(p, n, i);
}

/* A condition became too large: what depends on it is one of several, and no longer known together
 * with anything else. */
static void note_dropped(struct worklist *w, const path_list *paths, int before)
{
    if (guards_dropped(w->f->guards) == before)
        return;
    limit_note(w->f, w->fr->code, w->block, FLOW_LIMIT_STATES);
    for (int k = 0; k < paths->count; k++)
        paths->items[k].s->blurred = paths->items[k].s->joined = true;
}

/* In code that is not shown: the call in the program that led there. */
static struct span span_shown(const struct frame *fr, struct span at)
{
    ir_value call = 0;
    const struct frame *shown = frame_in_program(fr, &call);
    return shown == fr ? at : shown->code->fn->insts.items[call].span;
}

/* A block, from its first instruction to its last: a call can split a path. */
static void run_block(struct worklist *w, struct path start)
{
    const struct ir_function *fn = w->fr->code->fn;
    const struct ir_block *b = &fn->blocks.items[start.block];
    path_list paths = {0};
    LIST_ADD(w->f->scratch, &paths, start);
    for (int place = 0; place < b->count && paths.count; place++) {
        ir_value n = b->insts[place];
        const struct ir_inst *i = &fn->insts.items[n];
        int dropped = guards_dropped(w->f->guards);
        w->f->left -= paths.count;
        if (budget_is_spent(w->f)) {
            budget_note_cut(w->f, span_shown(w->fr, i->span));
            return;
        }
        if (i->op == IR_CALL || (w->is_dynamic && ir_op_is_dynamic(i->op)))
            paths = after_call(w, &paths, place, n, i);
        else if (i->op >= IR_JUMP)
            for (int k = 0; k < paths.count; k++)
                terminate(w, &paths.items[k], i);
        else
            for (int k = 0; k < paths.count; k++)
                run_one(&paths.items[k], n, i);
        if (w->f->sampling && i->op == IR_LOAD)
            choose_each(w, &paths, n);
        note_dropped(w, &paths, dropped);
    }
}

enum { ROUNDS_TOLD_APART = 16 };

/* Whether one state stands for all iterations of a loop that the block is in and, inside of it, the
 * iteration of loops that are unrolled. */
static void note_iteration(const struct worklist *w, int block)
{
    const struct code *c = w->fr->code;
    struct flow *f = w->f;
    for (int i = 0; i < c->loop_heads.count && c->loop_heads.items[i] <= block; i++) {
        int head = c->loop_heads.items[i];
        if (c->loop_end[head] < block || !w->blocks[head].count)
            continue;
        const struct work_item *at = &w->blocks[head].items[0];
        bool joins = at->ways || (w->blocks[head].count > 1 && at[1].ways);
        f->round = joins ? 0 : f->joins_iterations ? f->round * ROUNDS_TOLD_APART + at->rounds : 0;
        f->joins_iterations |= joins;
        f->round = f->round < ROUNDS_TOLD_APART * ROUNDS_TOLD_APART ? f->round : 0;
    }
}

/* How often the block is run at least, where it is run: as often as the function is, and in each
 * iteration of the loops that it is in, if none of them is left early or skips it. A loop whose
 * length is not known has one. What code that is not shown does is a part of the call that led
 * there. */
static double rounds_at(const struct worklist *w, int block)
{
    const struct code *c = w->fr->code;
    double rounds = w->f->rounds;
    int outer = -1;
    if (c->unit->module)
        return rounds;
    for (int i = 0; i < c->loop_heads.count && c->loop_heads.items[i] <= block && rounds; i++) {
        int head = c->loop_heads.items[i];
        if (c->loop_end[head] < block)
            continue;
        const struct work_item *at = w->blocks[head].count ? &w->blocks[head].items[0] : NULL;
        bool is_certain = at && c->ends_once[head] &&
                          (outer >= 0 || rounds > 1 ? block_is_always_run(c, outer, head) : true);
        rounds = !is_certain ? 0 : at->trips > 0 ? rounds * at->trips : rounds;
        outer = head;
    }
    bool is_certain = (outer < 0 && rounds <= 1) || block_is_always_run(c, outer, block);
    return is_certain ? rounds : 0;
}

static void run_waiting(struct worklist *w)
{
    struct flow *f = w->f;
    struct work_item *now = &w->blocks[w->block].items[w->item];
    if (now->done && now->next)
        policy_for_iteration(w, w->block, now);
    if (now->done)
        return;
    bool joins = f->joins_iterations;
    int round = f->round;
    double rounds = f->rounds;
    note_iteration(w, w->block);
    f->rounds = rounds_at(w, w->block);
    now->done = true;
    now->left = f->left;
    now->picked = f->picked;
    now->compared = f->compared;
    w->runs++;
    w->times_run[w->block]++;
    if (!now->state) {
        now->state = arrivals_merged(w, w->block, now->past);
        if (f->merges && !w->is_dynamic && w->fr->code->loop_head[w->block])
            loop_foresee(f, w->fr, w->block, now->state);
        now->since = (term_id)term_total(guard_conditions(now->state->guards));
    }
    if (f->merges)
        state_forget(now->state);
    if (!w->entry)
        w->entry = now->state;
    struct path p = {.f = f,
                     .fr = w->fr,
                     .block = w->block,
                     .s = state_fork_counted(f, now->state),
                     .raised = w->is_dynamic ? w->raised : NULL};
    p.regs = arena_array(f->scratch, struct value, w->fr->code->fn->blocks.items[w->block].count);
    run_block(w, p);
    f->joins_iterations = joins;
    f->round = round;
    f->rounds = rounds;
}

void run_code_from(struct flow *f, const struct frame *fr, int block, struct state *entry,
                   exit_list *exits, exit_list *raised)
{
    const struct ir_function *fn = fr->code->fn;
    exit_list lost = {0};
    struct worklist w = {.f = f,
                         .fr = fr,
                         .exits = exits,
                         .raised = raised ? raised : &lost,
                         .is_dynamic = fr->code->unit->is_dynamic};
    w.blocks = arena_alloc(f->scratch, sizeof *w.blocks * (size_t)fn->blocks.count);
    w.contrasts = arena_array(f->scratch, struct contrasts *, fn->blocks.count);
    w.arrivals = arena_alloc(f->scratch, sizeof *w.arrivals * (size_t)fn->blocks.count);
    w.times_run = arena_array(f->scratch, int, fn->blocks.count);
    worklist_add(&w, block, entry);
    while (!budget_is_spent(f) && worklist_next(&w))
        run_waiting(&w);
    for (int i = 0; i < w.leaving.count; i++)
        add_exit(&w, (struct exit_state){w.leaving.items[i].state, w.leaving.items[i].value});
    if (budget_is_spent(f))
        cut_short(f, span_shown(fr, fn->span));
}

void run_code(struct flow *f, const struct frame *fr, struct state *entry, exit_list *exits,
              exit_list *raised)
{
    run_code_from(f, fr, 0, entry, exits, raised);
}
