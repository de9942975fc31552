/* Instructions by cases: what an instruction reads may be one of several, by a condition. It is run
 * once for each case of what it reads, on a state that looks like that of a single path, and the
 * results are merged again. */
#include "analyzer/flow/engine/engine.h"

bool value_is_open(const struct value *v)
{
    return v->kind == VALUE_GUARDED;
}

static bool reads_guarded(struct path *p, const struct ir_inst *i)
{
    for (int k = 0; k < i->arg_count; k++) {
        struct value v = path_get(p, i->args[k]);
        if (value_is_open(&v))
            return true;
    }
    return false;
}

/* There were more cases than are run one by one. */
static void note_cases(struct path *p, const struct cases *k)
{
    if (k->count >= MAX_CASES || k->was_cut)
        limit_note(p->f, p->fr->code, p->block, FLOW_LIMIT_STATES);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The results of the cases so far, as one value. */
struct chosen {
    struct value value;
    diagram covered; /* the cases that it is of */
};

/* Of what is covered with the case at hand: where it was covered before. */
static diagram cover_also(const struct state *s, diagram *covered, diagram care)
{
    struct conditions *all = guard_conditions(s->guards);
    diagram before = *covered;
    *covered = condition_or(all, before, care);
    return diagram_simplify(all, before, *covered);
}

static void choose_also(const struct state *s, struct chosen *c, diagram care,
                        const struct value *v)
{
    if (c->covered == DIAGRAM_NO) {
        *c = (struct chosen){*v, care};
        return;
    }
    diagram which = cover_also(s, &c->covered, care);
    c->value = guard_choose(s, which, &c->value, v);
}

/* What it reads of tensors is kept, as it is in one case, in the state. */
static bool reads_tensors(const struct ir_inst *i)
{
    return i->op == IR_LOAD ||
           (i->op == IR_BINARY && (i->arith == ARITH_EQ || i->arith == ARITH_NE));
}

/* Tensors from outside that were read for the first time. */
static void keep_new_tensors(struct flow *f, struct state *s, const struct state *read)
{
    for (int i = 0; i < read->tensors.count && s->tensors.count < read->tensors.count; i++) {
        const struct tensor *t = state_tensor_raw(read, i);
        int at = state_tensor_from(s, t->id);
        if (at == s->tensors.count || s->tensors.items[at].id != t->id)
            state_tensor_put(f->scratch, s, *t);
    }
}

static bool are_numbers(struct path *p, const struct value *v)
{
    value_list all = guard_values(p->f->scratch, p->s, v);
    for (int k = 0; k < all.count; k++)
        if (all.items[k]->kind != VALUE_NUMBER)
            return false;
    return true;
}

/* Of many numbers that are not known with as many others, each comparison has an answer of its own:
 * what follows would depend on all of them. Beyond so many it is not known which is taken. */
enum { MAX_ANSWERS = 16 };
static bool has_many_answers(struct path *p, const struct ir_inst *i, const struct value *v)
{
    diagram leaves[MAX_ANSWERS + 1];
    bool compares = i->op == IR_BINARY && i->arith >= ARITH_EQ && i->arith <= ARITH_GE;
    return compares && value_is_open(v) &&
           diagram_leaves(guard_conditions(p->s->guards), v->as.guard.cases, leaves,
                          COUNT(leaves)) > MAX_ANSWERS;
}

static struct value any_answer(void)
{
    struct value yes = value_int(1), no = value_int(0);
    return value_either(&yes, &no);
}

/* An instruction that changes nothing but its own result. A number that is not known in some cases
 * is still one number. */
static void compute_by_cases(struct path *p, ir_value n, const struct ir_inst *i)
{
    struct cases k = cases_begin(p->s);
    bool blurred = p->s->blurred, joined = p->s->joined;
    struct chosen result = {value_nothing, DIAGRAM_NO};
    bool is_lost = false;
    while (!is_lost && cases_next(&k, p->s)) {
        struct path q = *p;
        q.s = reads_tensors(i) ? state_fork_counted(p->f, p->s) : p->s;
        q.s->cases = &k;
        struct value v = inst_result(&q, n, i);
        q.s->cases = NULL;
        keep_new_tensors(p->f, p->s, q.s);
        choose_also(p->s, &result, k.care, &v);
        is_lost = has_many_answers(p, i, &result.value);
    }
    note_cases(p, &k);
    if (is_lost) {
        limit_note(p->f, p->fr->code, p->block, FLOW_LIMIT_STATES);
        result.value = any_answer();
    }
    if (are_numbers(p, &result.value)) {
        p->s->blurred = blurred;
        p->s->joined = joined;
    }
    p->s->guarded |= result.value.kind == VALUE_GUARDED;
    path_set(p, n, result.value);
}

/* ---- states ---------------------------------------------------------------------------------- */

/* An instruction that writes memory; its result, if it has one, is the same in all that follows. */
static void write_by_cases(struct path *p, ir_value n, const struct ir_inst *i)
{
    struct cases k = cases_begin(p->s);
    struct state *before = p->s, *after = NULL;
    struct value result = value_nothing, *place = &p->regs[p->fr->code->place_in[n]];
    diagram covered = DIAGRAM_NO;
    while (cases_next(&k, before)) {
        struct path q = *p;
        q.s = state_fork_counted(p->f, before);
        q.s->cases = &k;
        run_inst(&q, n, i);
        cases_end(q.s, before, &k);
        if (after) {
            diagram which = cover_also(before, &covered, k.care);
            state_merge_where(p->f->scratch, after, q.s, which);
            result = guard_choose(after, which, &result, place);
        } else {
            after = q.s;
            result = *place;
            covered = k.care;
        }
    }
    note_cases(p, &k);
    p->s = after;
    *place = result;
}

static bool is_one_place(const struct value *at)
{
    return at->kind == VALUE_ADDRESS && at->count == 1 && !at->as.loc[0]->some_any &&
           !at->as.loc[0]->object->many && !at->as.loc[0]->object->again;
}

/* A number that is no choice, for an element that is not known: memory keeps which numbers the
 * elements can be, whatever the condition. */
static bool is_number_for_some(struct path *p, const struct value *at, const struct value *v)
{
    return at->kind == VALUE_ADDRESS && at->count == 1 && at->as.loc[0]->some_any &&
           !loc_is_choice(at->as.loc[0]) && guard_is_number(p->s, v);
}

/* Whether it moves what it reads as it is, whichever of several that is. */
static bool is_moved(struct path *p, const struct ir_inst *i)
{
    struct value at = i->arg_count ? path_get(p, i->args[0]) : value_nothing;
    if (i->op == IR_LOAD && at.kind == VALUE_TENSOR) /* asks what the tensor is in each case */
        return false;
    if (i->op == IR_LOAD)
        return !value_is_open(&at) &&
               (!is_one_place(&at) || state_get_guarded(p->s, at.as.loc[0]) ||
                !at.as.loc[0]->has_element);
    if (i->op == IR_STORE) {
        struct value v = path_get(p, i->args[1]);
        return (is_one_place(&at) || is_number_for_some(p, &at, &v)) && !p->s->has_memory;
    }
    return i->op == IR_COPY && !reads_guarded(p, i);
}

static bool is_own_element(const struct value *at)
{
    const struct loc *l = at->kind == VALUE_ADDRESS && at->count == 1 ? at->as.loc[0] : NULL;
    bool is_own = l && (l->object->kind != OBJECT_UNKNOWN || l->object->memory);
    return is_own && !l->object->many && !l->object->again && (l->has_element || l->object->memory);
}

/* Reads where the elements of a tensor are, which then are memory. */
static bool finds_elements(struct path *p, const struct ir_inst *i)
{
    const struct pack_function *asker = tensor_field(p, i->args[0]);
    return asker && asker->question == QUESTION_DATA;
}

/* The numbers that a pointer may point to are read before the cases, for all of them: the unknown
 * one that an element holds is then the same in each, and whenever it is read again. */
static void name_numbers(struct path *p, const struct ir_inst *i)
{
    struct value at = path_get(p, i->args[0]);
    if (!p->f->merges || !i->type || i->type->kind != TYPE_INT)
        return;
    value_list all = guard_values(p->f->scratch, p->s, &at);
    for (int k = 0; k < all.count; k++)
        if (is_own_element(all.items[k]))
            memory_read(p->f, p->fr, p->s, all.items[k]->as.loc[0], i->type);
}

void run_inst_by_cases(struct path *p, ir_value n, const struct ir_inst *i)
{
    bool writes = i->op == IR_STORE || i->op == IR_COPY || i->op == IR_ZERO;
    bool loads = i->op == IR_LOAD;
    if (loads)
        name_numbers(p, i);
    if (is_moved(p, i) || (!loads && !writes && !reads_guarded(p, i)))
        run_inst(p, n, i);
    else if (writes || (loads && (p->s->has_memory || finds_elements(p, i))))
        write_by_cases(p, n, i);
    else
        compute_by_cases(p, n, i);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The exits of cases that got there, of those past an error, and of those behind a contract that
 * did not hold. */
struct case_exit {
    struct exit_state exit;
    diagram covered;
};

static void merge_exit(struct flow *f, struct case_exit *to, struct exit_state e, diagram care)
{
    if (!to->exit.state) {
        *to = (struct case_exit){e, care};
        return;
    }
    diagram which = cover_also(e.state, &to->covered, care);
    state_merge_where(f->scratch, to->exit.state, e.state, which);
    to->exit.value = guard_choose(to->exit.state, which, &to->exit.value, &e.value);
}

/* The path is that of the state before, if all its runs are there. */
static void add_exit(struct flow *f, const struct case_exit *from, bool are_all, exit_list *exits)
{
    struct state *s = from->exit.state;
    if (!s)
        return;
    if (!are_all)
        state_narrow(s, from->covered);
    LIST_ADD(f->scratch, exits, from->exit);
}

void call_by_cases(struct path *p, case_call *call, void *context, exit_list *exits)
{
    struct cases k = cases_begin(p->s);
    struct case_exit ends[2] = {0}, broken = {0};
    struct state *before = p->s;
    bool all_return = true, all_break = true;
    while (cases_next(&k, before)) {
        struct path q = *p;
        struct exit_state e = {state_fork_counted(p->f, before), value_any};
        q.s = e.state;
        e.state->cases = &k;
        bool returns = call(&q, context, &e);
        cases_end(e.state, before, &k);
        all_return &= returns && !e.state->ends;
        all_break &= returns && e.state->ends;
        if (returns)
            merge_exit(p->f, e.state->ends ? &broken : &ends[e.state->past], e, k.care);
    }
    note_cases(p, &k);
    if (broken.exit.state && (ends[0].exit.state || ends[1].exit.state)) {
        if (path_goes_on(p->f, broken.exit.state))
            merge_exit(p->f, &ends[1], broken.exit, broken.covered);
    } else {
        add_exit(p->f, &broken, all_break, exits);
    }
    bool is_one = all_return && !(ends[0].exit.state && ends[1].exit.state);
    for (int i = 0; i < COUNT(ends); i++)
        add_exit(p->f, &ends[i], is_one, exits);
}

/* ---- branches -------------------------------------------------------------------------------- */

void each_case(struct path *p, const struct value *v, case_run *run, void *context)
{
    struct cases k = cases_begin(p->s);
    struct state *before = p->s;
    while (cases_next(&k, before)) {
        struct path q = *p;
        before->cases = &k;
        struct value one = *guard_read(before, v);
        before->cases = NULL;
        q.s = state_fork_counted(p->f, before);
        state_narrow(q.s, k.care);
        run(context, &q, &one);
    }
    note_cases(p, &k);
}
