/* Functions that a library calls: what it starts in a thread, what it runs at the end of the
 * program, what computes a tensor, and what compares two elements of an array, to sort it or to
 * find one. */
#include "analyzer/flow/engine/engine.h"

enum { MAX_ENDS = 4, MAX_SORTED = 32, MAX_SEARCHED = 64, MAX_GIVEN = 16 };

static struct code *code_at(struct flow *f, const struct value *v, int k)
{
    struct code *c =
        v->kind == VALUE_FUNCTION && k < v->count ? code_of(f, value_functions(v)[k]) : NULL;
    return c && c->fn->has_body ? c : NULL;
}

/* ---- threads --------------------------------------------------------------------------------- */

/* A function that a call starts in a thread is run as if before the call returns, outside of the
 * regions that are open there. The caller continues in any case. */
static void run_thread(struct path *p, ir_value n, const struct ir_inst *i, exit_list *exits)
{
    const struct pack_callback *c = &p->fr->code->packed[n]->callback;
    struct value start = c->function < i->arg_count ? path_get(p, i->args[c->function]) : value_any;
    for (int e = 0, before = exits->count; e < before; e++) {
        exit_list own = {0};
        struct path q = *p;
        q.s = state_fork_counted(p->f, exits->items[e].state);
        regions_begin(p->f, q.s);
        for (int k = 0; k < start.count; k++)
            if (code_at(p->f, &start, k))
                run_known(&q, n, i, code_at(p->f, &start, k), c->with, &own);
        join_exits(p->f, p->fr, &own, 1);
        if (own.count) {
            regions_copy(p->f, own.items[0].state, exits->items[e].state);
            exits->items[e].state = own.items[0].state;
        }
    }
}

/* ---- computing ------------------------------------------------------------------------------- */

/* The result, the operands, numbers that are not known, such as which part is to be computed, and
 * at last what the program passes. False: it takes something else. */
static bool computing_arguments(struct path *p, ir_value n, const struct ir_inst *i,
                                const struct code *to, const struct value *result,
                                struct value *given)
{
    const struct pack_callback *c = &p->fr->code->packed[n]->callback;
    int operands = c->function - c->operand, count = to->fn->param_count;
    if (count < operands + 2 || count > MAX_GIVEN || c->with >= i->arg_count)
        return false;
    for (int k = 0; k < count; k++)
        given[k] = value_any;
    given[0] = *result;
    for (int k = 0; k < operands; k++)
        given[1 + k] = path_get(p, i->args[c->operand + k]);
    given[count - 1] = path_get(p, i->args[c->with]);
    return true;
}

/* It runs later, when the graph is computed, so that what it changes is not kept: only what it does
 * with the operands is followed. */
static void run_computing(struct path *p, ir_value n, const struct ir_inst *i,
                          const exit_list *exits)
{
    const struct pack_callback *c = &p->fr->code->packed[n]->callback;
    struct value by = c->function < i->arg_count ? path_get(p, i->args[c->function]) : value_any;
    struct value given[MAX_GIVEN];
    for (int e = 0; e < exits->count; e++)
        for (int k = 0; !exits->items[e].state->past && k < by.count; k++) {
            struct code *to = code_at(p->f, &by, k);
            struct path q = *p;
            q.s = exits->items[e].state;
            if (!to || !computing_arguments(&q, n, i, to, &exits->items[e].value, given))
                continue;
            exit_list own = {0};
            struct ir_inst call = *i;
            call.arg_count = to->fn->param_count;
            call.args = NULL;
            call.labels = NULL;
            call.type = to->fn->type ? to->fn->type->of : NULL;
            q.s = state_fork_counted(p->f, q.s);
            q.given = given;
            run_known(&q, n, &call, to, 0, &own);
        }
}

static void run_started(struct path *p, ir_value n, const struct ir_inst *i, exit_list *exits)
{
    enum callback kind = p->fr->code->packed[n]->callback.kind;
    if (kind == CALLBACK_THREAD)
        run_thread(p, n, i, exits);
    if (kind == CALLBACK_COMPUTE)
        run_computing(p, n, i, exits);
}

/* ---- the end of the program ------------------------------------------------------------------ */

/* Functions to be run are elements of an object that no program can name, in the order in which
 * they were given; 0 where there is none. */
static const struct loc *end_at(struct flow *f, int k)
{
    struct object *o = object_at(f->heap, key_of(KEY_ENDS, 0, 0), OBJECT_MADE, "", NULL);
    return loc_element(f->heap, loc_root(f->heap, o), k);
}

void ends_begin(struct flow *f, struct state *s)
{
    for (int k = 0; k < MAX_ENDS; k++)
        state_put(f->scratch, s, end_at(f, k), value_int(0));
}

static bool is_free(const struct value *v)
{
    int64_t n;
    return v && number_exact(v, &n) && n == 0;
}

bool ends_are_given(struct flow *f, const exit_list *exits)
{
    for (int k = 0; k < exits->count; k++) {
        const struct value *v = state_get_guarded(exits->items[k].state, end_at(f, 0));
        if (v && !is_free(v))
            return true;
    }
    return false;
}

static void end_add(struct path *p, const struct value *function)
{
    for (int k = 0; k < MAX_ENDS; k++) {
        const struct value *now = state_get_guarded(p->s, end_at(p->f, k));
        if (!now) /* this is not where the program begins */
            return;
        if (is_free(now)) {
            state_put(p->f->scratch, p->s, end_at(p->f, k), *function);
            return;
        }
    }
    limit_note(p->f, p->fr->code, p->block, FLOW_LIMIT_STATES);
}

void run_alone(struct flow *f, struct code *c, struct state *s)
{
    exit_list exits = {0};
    code_prepare(f, c);
    struct frame *fr = frame_new(f, c, NULL, 0, c->fn->span);
    run_code(f, fr, state_fork(f->scratch, s), &exits, NULL);
    join_exits(f, fr, &exits, 1);
    if (exits.count)
        *s = *exits.items[0].state;
    state_drop_frame(s, (const void *)(uintptr_t)fr->context);
}

static void run_end(void *context, struct path *p, const struct value *v)
{
    exit_list *exits = context;
    for (int k = 0; v->kind == VALUE_FUNCTION && k < v->count; k++)
        if (code_at(p->f, v, k) && !code_at(p->f, v, k)->fn->param_count)
            run_alone(p->f, code_at(p->f, v, k), p->s);
    LIST_ADD(p->f->scratch, exits, ((struct exit_state){p->s, value_nothing}));
}

void run_at_end(struct path *p)
{
    struct path q = *p;
    q.s = state_fork_counted(p->f, p->s);
    for (int k = MAX_ENDS - 1; k >= 0; k--) {
        const struct value *v = state_get_guarded(q.s, end_at(p->f, k));
        exit_list exits = {0};
        if (!v || is_free(v))
            continue;
        struct value function = *v;
        if (value_is_open(&function))
            each_case(&q, &function, run_end, &exits);
        else
            run_end(&exits, &q, &function);
        join_exits(p->f, p->fr, &exits, 1);
        if (!exits.count)
            return;
        q.s = exits.items[0].state;
    }
    p->s = q.s;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* A sorted array, or one that is to be; and what is called to compare. */
struct array {
    const struct loc *first; /* or the array itself */
    const struct type *type; /* of an element */
    int64_t count;
    struct code *compare;
    struct ir_inst call; /* a call of it, which no instruction makes */
};

static const struct loc *element(struct flow *f, const struct array *a, int64_t k)
{
    const struct loc *l = a->first;
    const struct type *type = loc_type(l);
    bool is_inside = l->parent && !l->field && !(type && type->kind == TYPE_ARRAY);
    return is_inside ? loc_element(f->heap, l->parent, l->element + k) : loc_element(f->heap, l, k);
}

/* False: it is not known which elements there are. */
static bool array_of(struct path *p, ir_value n, const struct ir_inst *i, int64_t most,
                     struct array *a)
{
    const struct pack_callback *c = &p->fr->code->packed[n]->callback;
    struct value array = path_get(p, i->args[c->array]), count = path_get(p, i->args[c->count]),
                 size = path_get(p, i->args[c->size]), compare = path_get(p, i->args[c->function]);
    int64_t bytes;
    *a = (struct array){.compare = compare.count == 1 ? code_at(p->f, &compare, 0) : NULL};
    if (array.kind != VALUE_ADDRESS || array.count != 1 || !number_exact(&count, &a->count) ||
        a->count < 0 || a->count > most || !number_exact(&size, &bytes) || !a->compare)
        return false;
    a->first = array.as.loc[0];
    const struct type *type = loc_type(a->first);
    a->type = type && type->kind == TYPE_ARRAY ? type->of : type;
    a->call = *i;
    a->call.arg_count = 2;
    a->call.args = NULL;
    a->call.labels = NULL;
    a->call.type = a->compare->fn->type ? a->compare->fn->type->of : NULL;
    return a->type && layout_size(a->type) == bytes && !a->first->some_any &&
           !a->first->object->many && !a->first->object->again;
}

/* What the comparison gives, and the state behind it; false: it does not return. */
static bool compare(struct path *p, ir_value n, const struct array *a, const struct value *x,
                    const struct value *y, struct exit_state *out)
{
    struct value given[] = {*x, *y};
    exit_list exits = {0};
    struct path q = *p;
    q.s = state_fork_counted(p->f, p->s);
    q.given = given;
    run_known(&q, n, &a->call, a->compare, 0, &exits);
    join_exits(p->f, p->fr, &exits, 1);
    if (exits.count)
        *out = exits.items[0];
    return exits.count;
}

/* ---- sorting --------------------------------------------------------------------------------- */

/* Whether x comes behind y; false: that is not known. */
static bool is_behind(struct path *p, ir_value n, const struct array *a, int64_t x, int64_t y,
                      bool *answer)
{
    struct value of_x = value_of_loc(element(p->f, a, x)), of_y = value_of_loc(element(p->f, a, y));
    struct exit_state e;
    if (!compare(p, n, a, &of_x, &of_y, &e) || !guard_is_number(e.state, &e.value))
        return false;
    struct value v = guard_union(e.state, &e.value);
    if (v.kind != VALUE_NUMBER || v.is_real)
        return false;
    *answer = value_low(&v) > 0;
    return *answer || value_high(&v) <= 0;
}

/* False: the order is not known. */
static bool order_of(struct path *p, ir_value n, const struct array *a, int64_t *order)
{
    for (int64_t k = 0; k < a->count; k++) {
        int64_t at = k;
        for (; at > 0; at--) {
            bool behind;
            if (!is_behind(p, n, a, order[at - 1], k, &behind))
                return false;
            if (!behind)
                break;
            order[at] = order[at - 1];
        }
        order[at] = k;
    }
    return true;
}

/* The elements are moved by way of copies, all of which are made first. */
static bool sort(struct path *p, ir_value n, const struct ir_inst *i)
{
    struct array a;
    int64_t order[MAX_SORTED];
    struct object *copies[MAX_SORTED];
    if (!array_of(p, n, i, MAX_SORTED, &a) || !order_of(p, n, &a, order))
        return false;
    for (int64_t k = 0; k < a.count; k++) {
        copies[k] = object_at(p->f->heap, key_of(KEY_SORTED, p->fr->context, (uint64_t)k),
                              OBJECT_MADE, "", a.type);
        struct value from = value_of_loc(element(p->f, &a, order[k])),
                     to = value_of_loc(loc_root(p->f->heap, copies[k]));
        memory_copy(p->f, p->fr, p->s, &to, &from, a.type);
    }
    for (int64_t k = 0; k < a.count; k++) {
        struct value from = value_of_loc(loc_root(p->f->heap, copies[k])),
                     to = value_of_loc(element(p->f, &a, k));
        memory_copy(p->f, p->fr, p->s, &to, &from, a.type);
        state_drop_object(p->s, copies[k]);
    }
    return true;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Where a comparison leads: to an element, or on. */
struct search {
    exit_list *found, others;
    struct value element;
};

static void go_on_by(void *context, struct path *p, const struct value *v)
{
    struct search *s = context;
    bool can_be[] = {value_can_be_zero(v), value_can_be_nonzero(v)};
    struct state *sides[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        sides[k] = can_be[k] ? state_fork_counted(p->f, p->s) : NULL;
        if (can_be[0] && can_be[1] && !refine(p->f, sides[k], v, k))
            sides[k] = NULL;
    }
    if (p->f->merges)
        guard_separate(sides, 2, p->s->guards);
    if (sides[0])
        LIST_ADD(p->f->scratch, s->found, ((struct exit_state){sides[0], s->element}));
    if (sides[1])
        LIST_ADD(p->f->scratch, &s->others, ((struct exit_state){sides[1], value_nothing}));
}

static bool find(struct path *p, ir_value n, const struct ir_inst *i, exit_list *exits)
{
    struct array a;
    exit_list found = {0};
    struct path q = *p;
    struct exit_state e;
    if (!array_of(p, n, i, MAX_SEARCHED, &a))
        return false;
    struct value key = path_get(p, i->args[p->fr->code->packed[n]->callback.key]);
    for (int64_t k = 0; k < a.count && q.s; k++) {
        struct search s = {&found, {0}, value_of_loc(element(p->f, &a, k))};
        if (!compare(&q, n, &a, &key, &s.element, &e) || !guard_is_number(e.state, &e.value))
            return false;
        q.s = e.state;
        if (value_is_open(&e.value))
            each_case(&q, &e.value, go_on_by, &s);
        else
            go_on_by(&s, &q, &e.value);
        join_exits(p->f, p->fr, &s.others, 1);
        q.s = s.others.count ? s.others.items[0].state : NULL;
    }
    for (int k = 0; k < found.count; k++)
        LIST_ADD(p->f->scratch, exits, found.items[k]);
    if (q.s && found.count)
        lookup_note_nothing(p->f, q.s);
    if (q.s)
        LIST_ADD(p->f->scratch, exits, ((struct exit_state){q.s, value_null()}));
    join_exits(p->f, p->fr, exits, states_allowed(p->f));
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool run_calling_back(struct path *p, ir_value n, const struct ir_inst *i, exit_list *exits);

/* An argument that is one of several. */
struct open_call {
    ir_value inst;
    const struct ir_inst *i;
    exit_list *exits;
};

static void call_in_case(void *context, struct path *p, const struct value *v)
{
    const struct open_call *c = context;
    (void)v; /* it is decided by the path */
    run_calling_back(p, c->inst, c->i, c->exits);
}

static bool has_arguments(const struct pack_callback *c, const struct ir_inst *i)
{
    return c->function < i->arg_count && c->array < i->arg_count && c->count < i->arg_count &&
           c->size < i->arg_count && c->key < i->arg_count;
}

static void run_on_array(struct path *p, ir_value n, const struct ir_inst *i, exit_list *exits)
{
    const struct pack_callback *c = &p->fr->code->packed[n]->callback;
    const int open[] = {c->array, c->count};
    for (int k = 0; k < 2; k++) {
        struct value v = path_get(p, i->args[open[k]]);
        if (value_is_open(&v)) {
            each_case(p, &v, call_in_case, &(struct open_call){n, i, exits});
            join_exits(p->f, p->fr, exits, states_allowed(p->f));
            return;
        }
    }
    if (c->kind == CALLBACK_FIND && find(p, n, i, exits))
        return;
    struct exit_state e = {p->s, value_any};
    if (c->kind == CALLBACK_FIND || !sort(p, n, i))
        e.value = unfollowed(p, n, i, 0);
    LIST_ADD(p->f->scratch, exits, e);
}

static bool run_calling_back(struct path *p, ir_value n, const struct ir_inst *i, exit_list *exits)
{
    const struct pack_callback *c = &p->fr->code->packed[n]->callback;
    struct value function;
    if (!has_arguments(c, i))
        return false;
    switch (c->kind) {
    case CALLBACK_SORT:
    case CALLBACK_FIND:
        run_on_array(p, n, i, exits);
        return true;
    case CALLBACK_AT_END:
        function = path_get(p, i->args[c->function]);
        end_add(p, &function);
        return false;
    case CALLBACK_RUN_ENDS:
        run_at_end(&(struct path){.f = p->f, .fr = p->fr, .block = p->block, .s = p->s});
        return false;
    case CALLBACK_THREAD:
    case CALLBACK_COMPUTE:
    case CALLBACK_NONE:
        return false;
    }
    return false;
}

const struct callbacks callbacks = {run_calling_back, run_started};
