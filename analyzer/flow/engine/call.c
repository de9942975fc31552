/* Calls: the callee is run in a frame of its own. Recursion is followed to a small depth, then
 * summarised by what the function returned so far. Functions that are not known. */
#include "analyzer/flow/engine/engine.h"

#include <string.h>

/* The budget of a root is in fixpoint.c. The depth is limited by the stack alone: a level of
 * calls takes about two kilobytes of it, five with sanitizers. */
enum { MAX_DEPTH = 400, MAX_SAME = 2, MAX_DECIDED = 8, MAX_ARGUMENTS = 24 };

/* ---- frames ---------------------------------------------------------------------------------- */

/* The number of a chain of calls. */
static uint64_t context_at(struct flow *f, const struct frame *outer, ir_value call,
                           const struct code *code)
{
    struct key key = {.kind = KEY_CONTEXT,
                      .of = outer ? outer->context : 0,
                      .at = (uint64_t)call,
                      .more = (uint64_t)code->order};
    uintptr_t context = (uintptr_t)key_map_get(f->contexts, key);
    if (!context)
        key_map_put(f->contexts, key, (void *)(context = ++f->context_count));
    return context;
}

/* The calls that lead to a callee of the frame, as they are shown: whatever code that is not shown
 * calls is called by the program's own call, and what the analysis starts by nobody. */
static const struct frame_place *called_from(struct flow *f, const struct frame *fr, struct span at)
{
    if (!at.line || (fr->code->unit->module && fr->outer))
        return fr->called;
    struct frame_place *p = arena_one(f->arena, struct frame_place);
    *p = (struct frame_place){at, fr->code->fn, fr->called};
    return p;
}

static struct frame *frame_in(struct flow *f, const struct code *code, const struct frame *outer,
                              ir_value call, struct span at, uint64_t context)
{
    struct frame *fr = arena_one(f->scratch, struct frame);
    fr->code = code;
    fr->outer = outer;
    fr->depth = outer ? outer->depth + 1 : 0;
    fr->is_partial = code->fn->is_partial || (outer && outer->is_partial);
    fr->context = context;
    fr->call = call;
    fr->called = outer ? called_from(f, outer, at) : NULL;
    fr->locals = arena_array(f->scratch, struct object *, code->fn->locals.count);
    for (int i = 0; i < code->fn->locals.count; i++) {
        const struct ir_local *l = &code->fn->locals.items[i];
        struct key key = l->is_static ? key_of(KEY_STATIC_LOCAL, (uint64_t)code->order, (uint64_t)i)
                                      : key_of(KEY_LOCAL, fr->context, (uint64_t)i);
        fr->locals[i] = object_at(f->heap, key, OBJECT_LOCAL, code->local_names[i], l->type);
        bool outlives = l->is_static || code->is_cell[i];
        fr->locals[i]->frame = outlives ? NULL : (const void *)(uintptr_t)fr->context;
        fr->locals[i]->local = i;
    }
    fr->regs = object_at(f->heap, key_of(KEY_REGISTERS, fr->context, 0), OBJECT_LOCAL, "", NULL);
    fr->regs->frame = (const void *)(uintptr_t)fr->context;
    fr->arguments = arena_array(f->scratch, struct value, code->fn->param_count);
    return fr;
}

struct frame *frame_new(struct flow *f, const struct code *code, const struct frame *outer,
                        ir_value call, struct span at)
{
    return frame_in(f, code, outer, call, at, context_at(f, outer, call, code));
}

struct frame *frame_again(struct flow *f, const struct code *code, const struct frame *outer,
                          ir_value call, uint64_t context)
{
    return frame_in(f, code, outer, call, outer->code->fn->insts.items[call].span, context);
}

struct call_mark call_begin(const struct flow *f)
{
    return (struct call_mark){arena_used(f->scratch), f->stamps};
}

static struct exit_state *move_exits(struct arena *a, const struct exit_state *from, int count,
                                     uint64_t since)
{
    struct exit_state *all = arena_copy(a, from, sizeof *all * (size_t)count);
    for (int k = 0; k < count; k++)
        all[k].state = state_move(a, all[k].state, since);
    return all;
}

void call_end(struct flow *f, struct call_mark since, exit_list *exits, exit_list *raised)
{
    struct arena *aside = arena_new();
    exit_list *lists[] = {exits, raised};
    for (int i = 0; i < COUNT(lists) && lists[i]; i++)
        lists[i]->items = move_exits(aside, lists[i]->items, lists[i]->count, since.stamp);
    arena_rewind(f->scratch, since.used);
    for (int i = 0; i < COUNT(lists) && lists[i]; i++) {
        lists[i]->items = move_exits(f->scratch, lists[i]->items, lists[i]->count, since.stamp);
        lists[i]->room = lists[i]->count;
    }
    arena_free(aside);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool too_deep(const struct path *p)
{
    return p->fr->depth >= MAX_DEPTH;
}

/* The step for a tensor that a function returned whose code is missing. */
static const struct step *missing_step(const struct path *p, const struct ir_inst *i)
{
    if (!is_tensor_type(p->f, i->type))
        return NULL;
    return step_at(p->f, p->fr,
                   &(struct step){.function = p->fr->code->fn,
                                  .span = i->span,
                                  .place = &place_result,
                                  .fact = fact_unknown(),
                                  .when = state_when(p->f->arena, p->s),
                                  .called = p->fr->called});
}

/* A function that is not followed: it may change all that its arguments lead to. */
struct value unfollowed(struct path *p, ir_value n, const struct ir_inst *i, int first)
{
    bool reaches = false;
    for (int k = first; k < i->arg_count; k++) {
        struct value v = path_argument(p, i, k);
        if (i->labels && i->labels[k] && !strcmp(i->labels[k], LABEL_CONST))
            memory_forget_pointed(p->f, p->s, &v);
        else
            memory_forget_reached(p->f, p->s, &v);
        reaches |= v.kind != VALUE_NUMBER && v.kind != VALUE_NOTHING;
    }
    if (reaches) { /* it may change elements and gradients, too */
        p->f->own.escaped = true;
        state_forget_ranges(p->s);
        gradients_may_be(p->s);
    }
    return i->type ? unknown_value(p->f, p->s, i->type,
                                   key_of(KEY_UNKNOWN_RESULT, p->fr->context, (uint64_t)n),
                                   missing_step(p, i), &place_result)
                   : value_any;
}

/* Arguments behind the last parameter are elements of a local. */
static void bind_variadic(struct path *p, const struct frame *callee, const struct ir_inst *i,
                          int first)
{
    const struct ir_function *fn = callee->code->fn;
    int at = fn->param_count;
    while (at < fn->locals.count && strcmp(fn->locals.items[at].name, "...") != 0)
        at++;
    for (int k = first + fn->param_count; at < fn->locals.count && k < i->arg_count; k++)
        memory_write(p->f, p->s,
                     loc_element(p->f->heap, loc_root(p->f->heap, callee->locals[at]),
                                 k - first - fn->param_count),
                     path_argument(p, i, k));
}

static void bind_arguments(struct path *p, const struct frame *callee, const struct ir_inst *i,
                           int first)
{
    const struct ir_function *fn = callee->code->fn;
    for (int k = 0; k < fn->param_count; k++) {
        const struct loc *to = loc_root(p->f->heap, callee->locals[k]);
        struct value v = first + k < i->arg_count ? path_argument(p, i, first + k) : value_any;
        bool record = fn->locals.items[k].type && fn->locals.items[k].type->kind == TYPE_RECORD;
        struct value at = value_of_loc(to);
        if (record && v.kind == VALUE_ADDRESS)
            memory_copy(p->f, p->fr, p->s, &at, &v, fn->locals.items[k].type);
        else
            memory_write(p->f, p->s, to, v);
    }
    if (first + fn->param_count < i->arg_count)
        bind_variadic(p, callee, i, first);
}

static void join_exit(void *context, void *into, const void *from)
{
    struct flow *f = context;
    struct exit_state *x = into;
    const struct exit_state *y = from;
    if (f->merges) {
        struct in_use of_x = {&x->value, 1, *guards_in_use(f->guards)},
                      of_y = {&y->value, 1, &of_x};
        *guards_in_use(f->guards) = &of_y;
        diagram which = state_merge(f->scratch, x->state, y->state);
        *guards_in_use(f->guards) = of_x.others;
        x->value = guard_choose(x->state, which, &x->value, &y->value);
        return;
    }
    state_join_for_room(f->scratch, x->state, y->state, false);
    x->value = value_join(f->scratch, x->state, &x->value, &y->value);
}

void join_exits(struct flow *f, const struct frame *fr, exit_list *exits, int room)
{
    exits->count =
        policy_for_list(f, fr, STATE_RECORDS(*exits, struct exit_state, state), room, join_exit, f);
}

/* The join of what the function returned at all its exits so far, without exits past an error if
 * it was entered before one. True: something was added. */
static bool note_returned(struct code *c, const exit_list *exits, bool past)
{
    struct fact before = c->returned;
    bool known = c->returned_known;
    for (int k = 0; k < exits->count; k++) {
        const struct state *s = exits->items[k].state;
        value_list all = guard_values(s->arena, s, &exits->items[k].value);
        for (int i = 0; i < all.count && (past || !s->past); i++) {
            struct fact f = state_fact(s, all.items[i], NULL, NULL);
            if (all.items[i]->kind != VALUE_TENSOR || !all.items[i]->count)
                continue;
            fact_join(&c->returned, &f);
            c->returned_known = true;
        }
    }
    return known != c->returned_known || memcmp(&before, &c->returned, sizeof before) != 0;
}

static int instances(const struct frame *fr, const struct code *c)
{
    int n = 0;
    for (; fr; fr = fr->outer)
        n += fr->code == c;
    return n;
}

static const struct frame *last_instance(const struct frame *fr, const struct code *c)
{
    while (fr && fr->code != c)
        fr = fr->outer;
    return fr;
}

/* Whether an instance stands for all below it. */
static bool is_summarised(const struct frame *fr, const struct code *c)
{
    const struct frame *last = last_instance(fr, c);
    return last && last->entry;
}

/* One number, or one place that is no other in another instance. */
static bool is_exact(const struct value *v)
{
    int64_t n;
    return number_exact(v, &n) ||
           (v->kind == VALUE_ADDRESS && v->count == 1 && v->null == TRI_NO &&
            !v->as.loc[0]->some_any && !v->as.loc[0]->object->many && !v->as.loc[0]->object->again);
}

/* Whether an argument is known, and another one than in each instance before: a counter, or a node
 * of a tree. Such a recursion ends where that says, and is followed. */
static bool is_decided(struct path *p, const struct ir_inst *i, const struct code *callee,
                       int first)
{
    for (int k = 0; p->f->merges && k < callee->fn->param_count && first + k < i->arg_count; k++) {
        struct value v = path_argument(p, i, first + k);
        bool is_new = is_exact(&v);
        for (const struct frame *fr = p->fr; fr && is_new; fr = fr->outer)
            is_new = fr->code != callee || !value_equal(&fr->arguments[k], &v);
        if (is_new)
            return true;
    }
    return false;
}

/* Below the depth that is followed, counters may have any value; arguments passed on unchanged
 * keep theirs. */
static void widen_arguments(struct path *p, const struct frame *callee)
{
    const struct ir_function *fn = callee->code->fn;
    const struct frame *before = last_instance(callee->outer, callee->code);
    for (int k = 0; k < fn->param_count; k++) {
        const struct loc *l = loc_root(p->f->heap, callee->locals[k]);
        const struct value *v = state_get_guarded(p->s, l);
        struct value any;
        if (!v || value_equal(v, &before->arguments[k]))
            continue;
        if (guard_is_number(p->s, v) && counter_widen(p, callee, k, v, &any))
            memory_write(p->f, p->s, l, any);
        else if (v->kind == VALUE_NUMBER)
            memory_write(
                p->f, p->s, l,
                unknown_value(p->f, p->s, fn->locals.items[k].type, (struct key){0}, NULL, NULL));
    }
}

static void note_arguments(struct path *p, struct frame *callee)
{
    for (int k = 0; k < callee->code->fn->param_count; k++) {
        const struct value *v = state_get(p->s, loc_root(p->f->heap, callee->locals[k]));
        callee->arguments[k] = v ? *v : value_any;
    }
}

bool frame_returns_record(const struct frame *fr)
{
    const struct type *type = fr->code->fn->type;
    if (!fr->outer || !type || !type->of || type->of->kind != TYPE_RECORD)
        return false;
    const struct type *result = fr->outer->code->fn->insts.items[fr->call].type;
    return result && result->kind == TYPE_POINTER;
}

struct value frame_record_result(struct flow *f, const struct frame *fr, struct state *s,
                                 const struct value *v)
{
    const struct type *type = fr->code->fn->type->of;
    if (v->kind != VALUE_ADDRESS || !v->count)
        return *v;
    struct object *o =
        object_at(f->heap, key_of(KEY_RECORD_RESULT, fr->outer->context, (uint64_t)fr->call),
                  OBJECT_MADE, "", type);
    o->frame = fr->outer->regs->frame;
    o->local = fr->call;
    struct value to = value_of_loc(loc_root(f->heap, o));
    memory_copy(f, fr, s, &to, v, type);
    return to;
}

/* ---- recursion ------------------------------------------------------------------------------- */

static struct recursive_entry *recursive_entry_of(struct flow *f, struct code *c,
                                                  struct digest path, bool make)
{
    struct recursive_entry *d = c->recursive_entries;
    while (d && !(d->path.low == path.low && d->path.high == path.high))
        d = d->next;
    if (!d && make) {
        d = arena_one(f->kept, struct recursive_entry);
        *d = (struct recursive_entry){.path = path, .next = c->recursive_entries};
        c->recursive_entries = d;
    }
    return d;
}

/* Records that are passed are kept aside, since they are in the frames that are dropped, or moved
 * from there to the parameters. */
static void move_records(struct path *p, const struct ir_inst *i, const struct frame *last,
                         int first, bool aside)
{
    const struct ir_function *fn = last->code->fn;
    for (int k = 0; k < fn->param_count && first + k < i->arg_count; k++) {
        const struct type *type = fn->locals.items[k].type;
        struct value v = path_argument(p, i, first + k);
        if (!type || type->kind != TYPE_RECORD || v.kind != VALUE_ADDRESS)
            continue;
        struct object *o =
            object_at(p->f->heap, key_of(KEY_RECORD_ARGUMENT, last->context, (uint64_t)k),
                      OBJECT_MADE, "", type);
        struct value to = value_of_loc(loc_root(p->f->heap, last->locals[k]));
        struct value kept = value_of_loc(loc_root(p->f->heap, o));
        memory_copy(p->f, p->fr, p->s, aside ? &kept : &to, aside ? &v : &kept, type);
        if (!aside)
            state_drop_object(p->s, o);
    }
}

/* The entry state of the last instance, if this were its call. */
static struct state *entry_like(struct path *p, const struct ir_inst *i, const struct frame *last,
                                int first)
{
    struct path q = *p;
    q.s = state_fork_counted(p->f, p->s);
    move_records(&q, i, last, first, true);
    for (const struct frame *fr = p->fr; fr; fr = fr == last ? NULL : fr->outer)
        state_drop_frame(q.s, (const void *)(uintptr_t)fr->context);
    bind_arguments(&q, last, i, first);
    move_records(&q, i, last, first, false);
    widen_arguments(&q, last);
    state_prune(q.s, NULL);
    return q.s;
}

/* The state stands for another entry, too. With merged states it does as a loop head stands for its
 * iterations. True: it did not before. */
static bool add_entry(struct flow *f, struct arena *a, const struct frame *last, struct state *into,
                      struct state *s)
{
    if (!f->merges)
        return state_join(a, into, s, true);
    struct ways *w = ways_new(a, (term_id)last->since);
    w->entered = w->since;
    w->is_recursion = true;
    w->heap = f->heap;
    bool grew = state_widen_ranges(a, into, s);
    grew |= state_add_ways(a, into, s, w);
    if (w->flattened)
        limit_note(f, last->code, 0, FLOW_LIMIT_STATES);
    return grew;
}

static void note_recursive_entry(struct path *p, const struct ir_inst *i, struct code *callee,
                                 int first)
{
    const struct frame *last = last_instance(p->fr, callee);
    if (!last->entry || (p->s->past && !last->entry->past))
        return;
    struct state *s = entry_like(p, i, last, first);
    if (state_subsumes(last->entry, s))
        return;
    struct recursive_entry *d = recursive_entry_of(p->f, callee, last->path, true);
    if (!d->state) {
        d->state = state_copy(p->f->kept, s);
        callee->grew = true;
    } else if (!state_subsumes(d->state, s)) {
        callee->grew |= add_entry(p->f, p->f->kept, last, d->state, s);
    }
}

static bool is_several(const struct fact *f)
{
    return f->dtypes & (f->dtypes - 1) || f->devices & (f->devices - 1);
}

/* A recursive call beyond the depth that is followed: it returns what the function returned so
 * far. */
static void recur(struct path *p, ir_value n, const struct ir_inst *i, struct code *callee,
                  int first, exit_list *exits)
{
    struct exit_state e = {p->s, value_nothing};
    bool for_room = p->f->sampling || p->f->joined;
    callee->asked = true;
    /* Results of other paths are included. */
    p->s->blurred |= for_room || (!p->f->merges && is_several(&callee->returned));
    if (for_room && !p->s->joined)
        limit_note(p->f, p->fr->code, p->block, FLOW_LIMIT_STATES);
    p->s->joined |= for_room;
    note_recursive_entry(p, i, callee, first);
    if (is_tensor_type(p->f, i->type)) {
        int id = tensor_name(p->f->heap, key_of(KEY_RECURSIVE_TENSOR, p->fr->context, (uint64_t)n));
        if (p->f->merges ? !returned_put(p->f, p->s, callee, id) : !callee->returned_known)
            return; /* nothing was returned yet: neither does this call return */
        if (!p->f->merges)
            state_tensor_put(p->f->scratch, p->s,
                             (struct tensor){.id = id, .fact = callee->returned});
        e.value = value_of_tensor(id);
    } else if (i->type) {
        e.value = unknown_value(p->f, p->s, i->type,
                                key_of(KEY_RECURSIVE_RESULT, p->fr->context, (uint64_t)n), NULL,
                                &place_result);
    }
    LIST_ADD(p->f->scratch, exits, e);
}

enum { MAX_ROUNDS = 6 };

static struct digest path_key_add(struct digest d, uint64_t at, uint64_t number)
{
    return (struct digest){hash_words(d.low, at, number), hash_words(at, d.high, ~number)};
}

/* What distinguishes paths that are followed separately: numbers outside of the function. Merged
 * states are one. */
static struct digest path_key(const struct flow *f, const struct state *s, const struct frame *fr)
{
    struct digest h = {fr->context, ~fr->context};
    if (f->merges)
        return h;
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_at(s, w)); cursor_on(s, &w)) {
        bool own = cell->loc->object->frame == (const void *)(uintptr_t)fr->context;
        for (int k = 0; k < cell->value.count && cell->value.kind == VALUE_NUMBER && !own; k++)
            h = path_key_add(h, (uint64_t)cell->loc->id, (uint64_t)cell->value.as.number[k]);
    }
    return h;
}

/* The last instance that is followed stands for all below it. */
static void begin_last(struct path *p, struct frame *fr, struct code *callee)
{
    fr->path = path_key(p->f, p->s, fr);
    const struct recursive_entry *d = recursive_entry_of(p->f, callee, fr->path, false);
    if (d && !p->f->merges)
        state_mix(p->s, d->state);
    if (d)
        add_entry(p->f, p->f->scratch, fr, p->s, d->state);
    fr->entry = state_copy(p->f->kept, p->s);
}

/* Where there is still something new after so many rounds, not all that belongs together is known
 * to: a call that fails only from there on may fail in no run. */
enum { MAX_CERTAIN = 2 };

/* What the last instance makes is, like what an iteration of a loop makes that stands for all of
 * them, the latest or one of those before. */
static void run_instance(struct flow *f, struct frame *fr, struct state *entry, bool is_last,
                         exit_list *exits)
{
    bool joins = f->joins_iterations, was_open = f->in_open_recursion;
    int round = f->round;
    f->in_open_recursion |= is_last && f->merges && fr->code->rounds >= MAX_CERTAIN;
    f->joins_iterations |= is_last;
    f->round = is_last ? 0 : round;
    run_code(f, fr, entry, exits, NULL);
    f->in_open_recursion = was_open;
    f->joins_iterations = joins;
    f->round = round;
}

/* Runs the callee on a copy of the state; its exit states are added to exits. A recursive
 * function is run again until it returns nothing new. */
static void enter(struct path *p, ir_value n, const struct ir_inst *i, struct code *callee,
                  int first, exit_list *exits)
{
    struct call_mark before = call_begin(p->f);
    bool was_spent = budget_is_spent(p->f);
    int terms = p->f->merges ? term_total(guard_conditions(p->s->guards)) : 0;
    code_prepare(p->f, callee);
    struct frame *fr = frame_new(p->f, callee, p->fr, n, i->span);
    exit_list own = {0};
    struct path q = *p;
    int before_it = instances(p->fr, callee);
    fr->is_past = p->s->past;
    fr->since = before_it ? last_instance(p->fr, callee)->since : terms;
    bool again = true, outermost = !before_it;
    bool is_last = before_it && !(before_it < MAX_DECIDED && is_decided(p, i, callee, first));
    if (outermost)
        callee->returns = NULL;
    for (int round = 0; again && round < MAX_ROUNDS; round++) {
        own.count = 0;
        q.s = state_fork_counted(p->f, p->s);
        bind_arguments(&q, fr, i, first);
        if (is_last)
            live_drop_locals(p->f->scratch, p->fr, n, q.s);
        if (is_last)
            widen_arguments(&q, fr);
        note_arguments(&q, fr);
        if (is_last)
            begin_last(&q, fr, callee);
        if (outermost) {
            callee->grew = false;
            callee->rounds = round;
        }
        run_instance(p->f, fr, q.s, is_last, &own);
        bool more = p->f->merges ? returned_note(p->f, fr, callee, &own, p->s->past)
                                 : note_returned(callee, &own, p->s->past);
        more &= callee->asked;
        again = outermost && (more || callee->grew);
    }
    if (p->f->merges && !p->f->divides && !budget_is_spent(p->f))
        callee->finished = p->f->root;
    p->f->is_divisible |= callee->finished != p->f->root && !was_spent;
    if (again)
        limit_note(p->f, callee, 0, FLOW_LIMIT_RECURSION);
    for (int k = 0; k < own.count; k++)
        state_drop_frame(own.items[k].state, (const void *)(uintptr_t)fr->context);
    lookup_note_return(p->f, callee, p->s, &own);
    pure_result(p, i, callee, first, terms, &own);
    call_end(p->f, before, &own, NULL);
    for (int k = 0; k < own.count; k++)
        LIST_ADD(p->f->scratch, exits, own.items[k]);
}

/* Whether anything about the call depends on the argument; printf prints it. */
static bool is_asked_about(const struct pack_function *fn, int argument)
{
    if (fn->effects || fn->returns_tensor || fn->field_count || fn->object_role != ROLE_NONE)
        return true;
    for (int i = 0; i < fn->param_count; i++)
        if (fn->params[i].argument == argument ||
            (fn->params[i].argument < argument && param_has_further(&fn->params[i])))
            return true;
    return false;
}

static bool call_packed(struct path *p, ir_value n, const struct ir_inst *i, int first,
                        const struct pack_function *fn, struct exit_state *e)
{
    struct value args[MAX_ARGUMENTS];
    int count = i->arg_count - first < MAX_ARGUMENTS ? i->arg_count - first : MAX_ARGUMENTS;
    if (count < i->arg_count - first)
        limit_note(p->f, p->fr->code, n, FLOW_LIMIT_ARGUMENTS);
    for (int k = 0; k < count; k++)
        args[k] = is_asked_about(fn, k) || text_depends_on(p->fr->code->fn, i, first, fn, k)
                      ? path_argument(p, i, first + k)
                      : value_any;
    struct pack_call call = {.f = p->f,
                             .fr = p->fr,
                             .s = e->state,
                             .inst = n,
                             .fn = fn,
                             .args = args,
                             .arg_count = count};
    return run_pack_call(&call, &e->value);
}

/* A call of a pack function, as it is run for each case of what it reads. */
struct packed_call {
    ir_value inst;
    const struct ir_inst *i;
    int first;
    const struct pack_function *fn;
};

static bool packed_in_case(struct path *p, void *context, struct exit_state *e)
{
    const struct packed_call *c = context;
    return call_packed(p, c->inst, c->i, c->first, c->fn, e);
}

static void run_packed(struct path *p, ir_value n, const struct ir_inst *i, int first,
                       const struct pack_function *fn, exit_list *exits)
{
    struct exit_state e = {p->s, value_any};
    gradients_before(fn, p->s);
    outside_test(p, n, i, first, fn);
    if (p->f->merges)
        call_by_cases(p, packed_in_case, &(struct packed_call){n, i, first, fn}, exits);
    else if (call_packed(p, n, i, first, fn, &e))
        LIST_ADD(p->f->scratch, exits, e);
}

/* Called through a pointer, and not defined in the program: a pack function, if there is one. */
static void run_pointed(struct path *p, ir_value n, const struct ir_inst *i,
                        const struct ir_function *to, exit_list *exits)
{
    const struct pack_function *fn =
        to->has_body ? NULL : packs_find(p->f->packs, name_of(p->f->names, to->name));
    struct path q = *p;
    q.s = state_fork_counted(p->f, p->s);
    if (fn)
        run_packed(&q, n, i, 1, fn, exits);
}

/* Continues behind code that is missing. It may have set any global, and may never return: a
 * failure behind it on one side of a branch may be on a side that always ends there. */
static void go_on_behind_missing(struct flow *f, struct state *s)
{
    memory_forget_globals(f, s);
    s->blurred |= s->when != NULL;
    s->missing = s->junctions;
}

/* A function with missing parts: what it does with its arguments is followed, but its result is
 * not known. */
static void run_partial(struct path *p, ir_value n, const struct ir_inst *i, struct code *to,
                        int first, exit_list *exits)
{
    exit_list seen = {0};
    struct path q = *p;
    if (instances(p->fr, to) < MAX_SAME && !too_deep(p)) {
        q.s = state_fork_counted(p->f, p->s);
        enter(&q, n, i, to, first, &seen);
    }
    q.s = state_fork_counted(p->f, p->s);
    go_on_behind_missing(p->f, q.s);
    struct exit_state e = {q.s, unfollowed(&q, n, i, first)};
    LIST_ADD(p->f->scratch, exits, e);
}

/* What needs more than its share is called as if it were not known, and what is behind it is run.
 */
static void enter_with_share(struct path *p, ir_value n, const struct ir_inst *i, struct code *to,
                             int first, int among, exit_list *exits)
{
    struct call_mark mark = call_begin(p->f);
    struct allowance outer;
    exit_list own = {0};
    allowance_begin_among(p->f, among, &outer);
    enter(p, n, i, to, first, &own);
    if (allowance_end(p->f, &outer)) {
        struct path q = *p;
        arena_rewind(p->f->scratch, mark.used);
        q.s = state_fork_counted(p->f, p->s);
        own.count = 0;
        struct exit_state e = {q.s, unfollowed(&q, n, i, first)};
        LIST_ADD(p->f->scratch, exits, e);
    }
    for (int k = 0; k < own.count; k++)
        LIST_ADD(p->f->scratch, exits, own.items[k]);
}

void run_known(struct path *p, ir_value n, const struct ir_inst *i, struct code *to, int first,
               exit_list *exits)
{
    if (to->fn->is_partial) {
        run_partial(p, n, i, to, first, exits);
    } else if (is_summarised(p->fr, to)) {
        recur(p, n, i, to, first, exits);
    } else if (!too_deep(p)) {
        int among = allowance_among(p->f, p->fr->code, to);
        if (among)
            enter_with_share(p, n, i, to, first, among, exits);
        else
            enter(p, n, i, to, first, exits);
    } else {
        struct path q = *p;
        q.s = state_fork_counted(p->f, p->s);
        cut_short(p->f, i->span);
        struct exit_state e = {q.s, unfollowed(&q, n, i, first)};
        LIST_ADD(p->f->scratch, exits, e);
    }
}

/* A call through a pointer that is one of several. */
struct pointed_call {
    ir_value inst;
    const struct ir_inst *i;
    exit_list *exits;
};

static void call_one(void *context, struct path *p, const struct value *callee)
{
    const struct pointed_call *c = context;
    (void)callee; /* it is decided by the path */
    run_call(p, c->inst, c->i, c->exits);
}

/* All exit states of the call. */
void run_call(struct path *p, ir_value n, const struct ir_inst *i, exit_list *exits)
{
    struct flow *f = p->f;
    const struct code *c = p->fr->code;
    struct exit_state e = {p->s, value_any};
    int first = c->names[n] ? 0 : 1;
    struct value callee = first ? path_get(p, i->args[0]) : value_nothing;
    f->own.counts.calls++;
    if (c->packed[n] && f->callbacks->run(p, n, i, exits))
        return;
    if (c->packed[n]) {
        run_packed(p, n, i, 0, c->packed[n], exits);
        f->callbacks->start(p, n, i, exits);
        return;
    }
    if (c->callee[n]) {
        run_known(p, n, i, c->callee[n], 0, exits);
        return;
    }
    if (value_is_open(&callee)) {
        each_case(p, &callee, call_one, &(struct pointed_call){n, i, exits});
        join_exits(f, p->fr, exits, states_allowed(f));
        return;
    }
    if (callee.kind == VALUE_FUNCTION && callee.count) {
        for (int k = 0; k < callee.count; k++) {
            struct code *to = code_of(f, value_functions(&callee)[k]);
            if (to && to->fn->has_body)
                run_known(p, n, i, to, 1, exits);
            else
                run_pointed(p, n, i, value_functions(&callee)[k], exits);
        }
        join_exits(f, p->fr, exits, states_allowed(f));
        return;
    }
    missing_note(f, c, n);
    memory_forget_texts(f, p->s);
    if (f->options.incomplete)
        go_on_behind_missing(f, p->s);
    outside_test(p, n, i, first, NULL);
    e.value = unfollowed(p, n, i, first);
    LIST_ADD(f->scratch, exits, e);
}
