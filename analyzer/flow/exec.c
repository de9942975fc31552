/* Running code: blocks until nothing new comes in, instructions one by one, calls by running the
 * callee.
 *
 * A block keeps the states that reach it apart while there are few; then those that agree about
 * tensors are joined first. At loop heads numbers are widened, so that loops end. */
#include "analyzer/flow/run.h"

#include <string.h>

enum { MAX_DEPTH = 24, MAX_SAME = 2 };

/* ---- frames --------------------------------------------------------------------------------- */

struct frame *frame_new(struct flow *f, const struct code *code, const struct frame *outer,
                        ir_value call, struct span at)
{
    struct frame *fr = arena_one(f->scratch, struct frame);
    fr->code = code;
    fr->outer = outer;
    fr->depth = outer ? outer->depth + 1 : 0;
    fr->context = key_of(outer ? outer->context : 1, (uint64_t)call, (uint64_t)code->order);
    if (outer) {
        struct frame_place *p = arena_one(f->arena, struct frame_place);
        *p = (struct frame_place){at, outer->code->fn, outer->called};
        fr->called = p;
    }
    fr->locals = arena_array(f->scratch, struct object *, code->fn->locals.count);
    for (int i = 0; i < code->fn->locals.count; i++) {
        const struct ir_local *l = &code->fn->locals.items[i];
        uint64_t where = l->is_static ? (uint64_t)code->order + 1 : fr->context;
        fr->locals[i] = object_at(f->heap, key_of(where, (uint64_t)i, 3), OBJECT_LOCAL,
                                  name_of(f->names, l->name), l->type);
        fr->locals[i]->frame = l->is_static ? NULL : (const void *)(uintptr_t)fr->context;
        fr->locals[i]->local = i;
    }
    fr->regs = object_at(f->heap, key_of(fr->context, 0, 5), OBJECT_LOCAL, "", NULL);
    fr->regs->frame = (const void *)(uintptr_t)fr->context;
    fr->given = arena_array(f->scratch, struct value, code->fn->param_count);
    return fr;
}

/* ---- results -------------------------------------------------------------------------------- */

static bool is_same_way(const struct step *a, const struct step *b)
{
    return a->fact.dtypes == b->fact.dtypes && a->fact.devices == b->fact.devices;
}

/* One way for each thing it can be is enough to tell how it came to that. */
static void record_way(struct flow_value *r, const struct step *how)
{
    bool known = r->how && is_same_way(r->how, how);
    for (int i = 0; i < r->other_way_count && !known; i++)
        known = is_same_way(r->other_ways[i], how);
    if (!r->how)
        r->how = how;
    else if (!known && r->other_way_count < FLOW_OTHER_WAYS)
        r->other_ways[r->other_way_count++] = how;
}

void record_value(struct flow *f, const struct frame *fr, ir_value inst, const struct state *s,
                  const struct value *v, const struct fact *limit)
{
    bool null = v->kind == VALUE_ADDRESS && !v->count && v->null == TRI_YES &&
                is_tensor_type(f, fr->code->fn->insts.items[inst].type);
    if ((v->kind != VALUE_TENSOR || !v->count) && !null)
        return;
    uint64_t key = key_of((uint64_t)(uintptr_t)fr->code->fn, (uint64_t)inst, 11);
    struct flow_value *r = map_get(f->values, key);
    struct fact fact = null ? (struct fact){.null = TRI_YES} : state_fact(s, v, NULL, NULL);
    if (limit && !null && limit->dtypes & fact.dtypes && limit->devices & fact.devices) {
        fact.dtypes &= limit->dtypes;
        fact.devices &= limit->devices;
    }
    if (!r) {
        r = arena_one(f->arena, struct flow_value);
        *r = (struct flow_value){.function = fr->code->fn, .inst = inst};
        map_put(f->values, key, r);
        LIST_ADD(f->arena, &f->value_list, r);
    }
    fact_join(&r->fact, &fact);
    for (int i = 0; i < v->count && !null; i++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[i]);
        if (t && t->how)
            record_way(r, t->how);
    }
}

/* ---- states --------------------------------------------------------------------------------- */

/* Copying and comparing so many slots takes as long as an instruction. */
enum { SLOTS_A_VISIT = 4 };

static struct state *fork_state(struct flow *f, const struct state *s)
{
    f->left -= s->slots.count / SLOTS_A_VISIT;
    return state_copy(f->scratch, s);
}

/* Once what a root may cost is spent, paths are no longer kept apart: that ends soon, and loses no
 * path. Only where even that takes long the root is left unfinished. */
enum { TIMES_JOINED = 4 };

static int room_for_states(const struct flow *f)
{
    return f->left >= 0 ? f->options.max_states : 1;
}

static bool is_spent(const struct flow *f)
{
    return f->left < -TIMES_JOINED * f->options.max_visits;
}

/* Gives back all that was taken since, but for the ways out. */
static void hand_over(struct flow *f, size_t since, const exit_list *from, exit_list *to)
{
    struct arena *aside = arena_new();
    struct exit_state *all = arena_copy(aside, from->items, sizeof *all * (size_t)from->count);
    int count = from->count;
    for (int k = 0; k < count; k++)
        all[k].state = state_copy(aside, all[k].state);
    arena_rewind(f->scratch, since);
    for (int k = 0; k < count; k++) {
        all[k].state = state_copy(f->scratch, all[k].state);
        LIST_ADD(f->scratch, to, all[k]);
    }
    arena_free(aside);
}

/* ---- one instruction --------------------------------------------------------------------------
 */

struct path {
    struct flow *f;
    const struct frame *fr;
    int block;
    struct value *regs; /* of this block's instructions, by place */
    struct state *s;
};

static struct value get(struct path *p, ir_value n)
{
    const struct code *c = p->fr->code;
    if (!n)
        return value_nothing;
    if (c->block_of[n] == p->block)
        return p->regs[c->place_in[n]];
    const struct value *v =
        state_get(p->s, loc_element(p->f->heap, loc_root(p->f->heap, p->fr->regs), n));
    return v ? *v : value_any;
}

static void set(struct path *p, ir_value n, struct value v)
{
    const struct code *c = p->fr->code;
    p->regs[c->place_in[n]] = v;
    if (c->crosses[n])
        state_put(p->f->scratch, p->s,
                  loc_element(p->f->heap, loc_root(p->f->heap, p->fr->regs), n), v);
}

static struct value field_of(struct path *p, const struct value *at, const char *name)
{
    struct value v = *at;
    if (v.kind != VALUE_ADDRESS)
        return value_any;
    v.origin = NULL;
    for (int i = 0; i < v.count; i++)
        v.as.loc[i] = loc_field(p->f->heap, v.as.loc[i], name);
    return v;
}

/* An element of an array, or pointer arithmetic: 0 is the place itself. */
static struct value element_of(struct path *p, const struct value *at, const struct value *index)
{
    struct value v = *at;
    if (v.kind != VALUE_ADDRESS)
        return value_any;
    v.origin = NULL;
    int64_t n =
        index->kind == VALUE_NUMBER && index->count == 1 ? index->as.number[0] : ELEMENT_ANY;
    for (int i = 0; i < v.count; i++) {
        const struct loc *l = v.as.loc[i];
        bool inside = l->parent && !l->field; /* already an element: move along */
        if (n == 0 && inside)
            continue;
        int64_t to = !inside                                         ? n
                     : n == ELEMENT_ANY || l->element == ELEMENT_ANY ? ELEMENT_ANY
                                                                     : l->element + n;
        v.as.loc[i] = loc_element(p->f->heap, inside ? l->parent : l, to < 0 ? ELEMENT_ANY : to);
    }
    return v;
}

/* A pointer to the first element and to the array are one address: what is kept at [0] may be read
 * without. */
static const struct loc *settle(struct path *p, const struct loc *l, const struct type *type)
{
    bool array = l->object->type && !l->parent && l->object->type->kind == TYPE_ARRAY && type &&
                 type->kind != TYPE_ARRAY;
    return array ? loc_element(p->f->heap, l, 0) : l;
}

static struct value load(struct path *p, ir_value n, const struct ir_inst *i)
{
    struct value at = get(p, i->args[0]), v = value_nothing;
    if (at.kind != VALUE_ADDRESS || !at.count)
        return unknown_value(p->f, p->s, i->type, key_of(p->fr->context, (uint64_t)n, 19), NULL,
                             "?");
    for (int k = 0; k < at.count; k++) {
        struct value one =
            memory_read(p->f, p->fr, p->s, settle(p, at.as.loc[k], i->type), i->type);
        v = value_join(p->f->scratch, p->s, &v, &one);
    }
    if (v.kind == VALUE_ANY && i->type)
        v = unknown_value(p->f, p->s, i->type, key_of(p->fr->context, (uint64_t)n, 23), NULL, "?");
    if (at.count > 1)
        v.origin = NULL;
    record_value(p->f, p->fr, n, p->s, &v, NULL);
    return v;
}

static void store(struct path *p, const struct ir_inst *i)
{
    struct value at = get(p, i->args[0]), v = get(p, i->args[1]);
    if (at.kind != VALUE_ADDRESS)
        return;
    for (int k = 0; k < at.count; k++) {
        const struct loc *l = settle(p, at.as.loc[k], NULL);
        if (at.count == 1) {
            memory_write(p->f, p->s, l, v);
        } else {
            struct value before = memory_read(p->f, p->fr, p->s, l, NULL);
            memory_write(p->f, p->s, l, value_join(p->f->scratch, p->s, &before, &v));
        }
    }
}

static void copy(struct path *p, const struct ir_inst *i)
{
    struct value to = get(p, i->args[0]), from = get(p, i->args[1]);
    const struct type *t = p->fr->code->fn->insts.items[i->args[0]].type;
    memory_copy(p->f, p->fr, p->s, &to, &from, t ? t->of : NULL);
}

static bool exact(const struct value *v, int64_t *n)
{
    *n = v->kind == VALUE_NUMBER && !v->is_real && v->count == 1 ? v->as.number[0] : 0;
    return v->kind == VALUE_NUMBER && !v->is_real && v->count == 1;
}

static struct value arithmetic(const struct ir_inst *i, const struct value *x,
                               const struct value *y)
{
    int64_t a, b, r = 0;
    bool real = i->type && i->type->kind == TYPE_FLOAT;
    if (real)
        return value_unknown_real();
    if (!exact(x, &a) || !exact(y, &b))
        return value_range(INT64_MIN, INT64_MAX);
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    switch (i->arith) {
    case ARITH_ADD:
        r = (int64_t)(ua + ub);
        break;
    case ARITH_SUB:
        r = (int64_t)(ua - ub);
        break;
    case ARITH_MUL:
        r = (int64_t)(ua * ub);
        break;
    case ARITH_DIV:
    case ARITH_REM:
        if (b == 0 || b == -1)
            return value_range(INT64_MIN, INT64_MAX);
        r = i->arith == ARITH_DIV ? a / b : a % b;
        break;
    case ARITH_AND:
        r = a & b;
        break;
    case ARITH_OR:
        r = a | b;
        break;
    case ARITH_XOR:
        r = a ^ b;
        break;
    case ARITH_SHL:
        r = b >= 0 && b < 63 ? (int64_t)(ua << b) : 0;
        break;
    case ARITH_SHR:
        r = b >= 0 && b < 63 ? a >> b : 0;
        break;
    case ARITH_EQ:
    case ARITH_NE:
    case ARITH_LT:
    case ARITH_LE:
    case ARITH_GT:
    case ARITH_GE:
    case ARITH_NEG:
    case ARITH_NOT:
    case ARITH_LNOT:
    case ARITH_COUNT:
        return value_range(INT64_MIN, INT64_MAX);
    }
    return value_int(r);
}

static struct value unary(struct path *p, const struct ir_inst *i)
{
    struct value x = get(p, i->args[0]), zero = value_int(0);
    int64_t n;
    if (i->arith == ARITH_LNOT)
        return compare_values(p->f, ARITH_EQ, &x, &zero);
    if (x.kind == VALUE_NUMBER && x.is_real && i->arith == ARITH_NEG)
        return x.has_real ? value_real(-x.as.real) : x;
    if (!exact(&x, &n))
        return i->type && i->type->kind == TYPE_FLOAT ? value_unknown_real()
                                                      : value_range(INT64_MIN, INT64_MAX);
    return value_int(i->arith == ARITH_NEG ? (int64_t)(0 - (uint64_t)n) : ~n);
}

static struct value convert(const struct value *x, const struct type *to)
{
    struct value v = *x;
    int64_t n;
    if (!to)
        return v;
    if (to->kind == TYPE_POINTER && v.kind == VALUE_NUMBER && exact(&v, &n) && n == 0)
        return value_null();
    if (v.kind != VALUE_NUMBER)
        return v;
    if (to->kind == TYPE_FLOAT && !v.is_real)
        return exact(&v, &n) ? value_real((double)n) : value_unknown_real();
    if (to->kind == TYPE_INT && v.is_real)
        return v.has_real && v.as.real > -9e18 && v.as.real < 9e18
                   ? value_int((int64_t)v.as.real)
                   : value_range(INT64_MIN, INT64_MAX);
    v.is_bool = to->kind == TYPE_BOOL;
    if (to->kind == TYPE_INT && to->bits < 64 && to->bits > 0 && exact(&v, &n)) {
        uint64_t mask = ((uint64_t)1 << to->bits) - 1, low = (uint64_t)n & mask;
        bool negative = to->is_signed && low >> (to->bits - 1);
        v.as.number[0] = (int64_t)(negative ? low | ~mask : low);
    }
    return v;
}

static struct value simple(struct path *p, ir_value n, const struct ir_inst *i)
{
    const char *name = p->fr->code->names[n];
    struct value x, y;
    switch (i->op) {
    case IR_INT:
        return value_int(i->integer);
    case IR_REAL:
        return value_real(i->real);
    case IR_NULL:
        return value_null();
    case IR_LOCAL:
        return value_of_loc(loc_root(p->f->heap, p->fr->locals[i->integer]));
    case IR_GLOBAL:
        return value_of_loc(
            loc_root(p->f->heap, global_object(p->f, name, i->type ? i->type->of : NULL)));
    case IR_FUNCTION:
        return p->fr->code->callee[n] ? value_of_function(p->fr->code->callee[n]->fn) : value_any;
    case IR_FIELD:
        x = get(p, i->args[0]);
        return field_of(p, &x, name);
    case IR_ELEMENT:
        x = get(p, i->args[0]);
        y = get(p, i->args[1]);
        return element_of(p, &x, &y);
    case IR_LOAD:
        return load(p, n, i);
    case IR_UNARY:
        return unary(p, i);
    case IR_BINARY:
        x = get(p, i->args[0]);
        y = get(p, i->args[1]);
        return i->arith >= ARITH_EQ && i->arith <= ARITH_GE ? compare_values(p->f, i->arith, &x, &y)
                                                            : arithmetic(i, &x, &y);
    case IR_CONVERT:
        x = get(p, i->args[0]);
        return convert(&x, i->type);
    case IR_TEXT:
    case IR_UNDEF:
    case IR_ANYTHING:
    case IR_STORE:
    case IR_COPY:
    case IR_ZERO:
    case IR_CALL:
    case IR_JUMP:
    case IR_BRANCH:
    case IR_SWITCH:
    case IR_RETURN:
    case IR_STOP:
    case IR_OP_COUNT:
        break;
    }
    return value_any;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static bool too_deep(const struct path *p)
{
    return p->fr->depth >= MAX_DEPTH;
}

/* A function that is neither here nor in a pack: it may change what it is given the address of. */
static struct value unmodelled(struct path *p, ir_value n, const struct ir_inst *i, int first)
{
    uint64_t key = key_of((uint64_t)(uintptr_t)p->fr->code->fn, (uint64_t)n, 29);
    if (!map_get(p->f->counted, key)) {
        map_put(p->f->counted, key, p->f);
        p->f->counts.calls_unmodelled++;
    }
    for (int k = first; k < i->arg_count; k++) {
        struct value v = get(p, i->args[k]);
        memory_forget(p->f, p->s, &v);
    }
    return i->type ? unknown_value(p->f, p->s, i->type, key_of(p->fr->context, (uint64_t)n, 31),
                                   NULL, "a result")
                   : value_any;
}

static void bind_arguments(struct path *p, const struct frame *callee, const struct ir_inst *i,
                           int first)
{
    const struct ir_function *fn = callee->code->fn;
    for (int k = 0; k < fn->param_count; k++) {
        const struct loc *to = loc_root(p->f->heap, callee->locals[k]);
        struct value v = first + k < i->arg_count ? get(p, i->args[first + k]) : value_any;
        bool record = fn->locals.items[k].type && fn->locals.items[k].type->kind == TYPE_RECORD;
        struct value at = value_of_loc(to);
        if (record && v.kind == VALUE_ADDRESS)
            memory_copy(p->f, p->fr, p->s, &at, &v, fn->locals.items[k].type);
        else
            memory_write(p->f, p->s, to, v);
    }
}

static void join_exits(struct flow *f, exit_list *exits, int room)
{
    while (exits->count > room) {
        struct exit_state *last = &exits->items[exits->count - 1], *into = &exits->items[0];
        int least = state_distance(into->state, last->state);
        for (int i = 1; i < exits->count - 1; i++) {
            int distance = state_distance(exits->items[i].state, last->state);
            if (distance < least) {
                least = distance;
                into = &exits->items[i];
            }
        }
        state_join(f->scratch, into->state, last->state, false);
        into->value = value_join(f->scratch, into->state, &into->value, &last->value);
        exits->count--;
    }
}

/* What the function returns, over all its exits so far. True: something was added. */
static bool note_returned(struct code *c, const exit_list *exits)
{
    struct fact before = c->returned;
    bool known = c->returned_known;
    for (int k = 0; k < exits->count; k++) {
        const struct value *v = &exits->items[k].value;
        struct fact f = state_fact(exits->items[k].state, v, NULL, NULL);
        if (v->kind != VALUE_TENSOR || !v->count)
            continue;
        fact_join(&c->returned, &f);
        c->returned_known = true;
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

/* A call of what is running already, deeper than is followed: it returns what it was seen to
 * return. */
static void recur(struct path *p, ir_value n, const struct ir_inst *i, struct code *callee,
                  exit_list *exits)
{
    struct exit_state e = {p->s, value_nothing};
    callee->asked = true;
    if (is_tensor_type(p->f, i->type)) {
        if (!callee->returned_known)
            return; /* nothing has come back yet: this way does not, either */
        int id = tensor_name(p->f->heap, key_of(p->fr->context, (uint64_t)n, 83));
        state_tensor_put(p->f->scratch, p->s, (struct tensor){.id = id, .fact = callee->returned});
        e.value = value_of_tensor(id);
    } else if (i->type) {
        e.value = unknown_value(p->f, p->s, i->type, key_of(p->fr->context, (uint64_t)n, 89), NULL,
                                "a result");
    }
    LIST_ADD(p->f->scratch, exits, e);
}

/* Deeper down, counters may have any value; what is passed on as it came stays. */
static void widen_arguments(struct path *p, const struct frame *callee)
{
    const struct ir_function *fn = callee->code->fn;
    const struct frame *before = callee->outer;
    while (before->code != callee->code)
        before = before->outer;
    for (int k = 0; k < fn->param_count; k++) {
        const struct loc *l = loc_root(p->f->heap, callee->locals[k]);
        const struct value *v = state_get(p->s, l);
        if (v && v->kind == VALUE_NUMBER && !value_equal(v, &before->given[k]))
            memory_write(p->f, p->s, l,
                         unknown_value(p->f, p->s, fn->locals.items[k].type, 0, NULL, ""));
    }
}

static void note_given(struct path *p, struct frame *callee)
{
    for (int k = 0; k < callee->code->fn->param_count; k++) {
        const struct value *v = state_get(p->s, loc_root(p->f->heap, callee->locals[k]));
        callee->given[k] = v ? *v : value_any;
    }
}

enum { MAX_ROUNDS = 6 };

/* Runs the callee on a copy of the state; what it returns is joined to exits. A function that calls
 * itself is run again until it returns nothing new. */
static void enter(struct path *p, ir_value n, const struct ir_inst *i, struct code *callee,
                  int first, exit_list *exits)
{
    size_t before = arena_used(p->f->scratch);
    code_prepare(p->f, callee);
    struct frame *fr = frame_new(p->f, callee, p->fr, n, i->span);
    exit_list own = {0};
    struct path q = *p;
    bool again = true, outermost = !instances(p->fr, callee);
    for (int round = 0; again && round < MAX_ROUNDS; round++) {
        own.count = 0;
        q.s = fork_state(p->f, p->s);
        bind_arguments(&q, fr, i, first);
        if (!outermost)
            widen_arguments(&q, fr);
        note_given(&q, fr);
        run_code(p->f, fr, q.s, &own);
        again = note_returned(callee, &own) && callee->asked && outermost;
    }
    for (int k = 0; k < own.count; k++) {
        struct exit_state e = own.items[k];
        bool record = i->type && i->type->kind == TYPE_POINTER && callee->fn->type &&
                      callee->fn->type->of && callee->fn->type->of->kind == TYPE_RECORD;
        if (record && e.value.kind == VALUE_ADDRESS && e.value.count) {
            struct object *o = object_at(p->f->heap, key_of(p->fr->context, (uint64_t)n, 37),
                                         OBJECT_MADE, "", callee->fn->type->of);
            o->frame = p->fr->regs->frame;
            o->local = n;
            struct value to = value_of_loc(loc_root(p->f->heap, o));
            memory_copy(p->f, fr, e.state, &to, &e.value, callee->fn->type->of);
            e.value = to;
        }
        state_drop_frame(e.state, (const void *)(uintptr_t)fr->context);
        own.items[k] = e;
    }
    hand_over(p->f, before, &own, exits);
}

/* All ways the call can go on. */
static void call(struct path *p, ir_value n, const struct ir_inst *i, exit_list *exits)
{
    struct flow *f = p->f;
    const struct code *c = p->fr->code;
    struct exit_state e = {p->s, value_any};
    int first = c->names[n] ? 0 : 1;
    struct value callee = first ? get(p, i->args[0]) : value_nothing;
    f->counts.calls++;
    if (c->packed[n]) {
        struct value args[16];
        int count = i->arg_count < 16 ? i->arg_count : 16;
        for (int k = 0; k < count; k++)
            args[k] = get(p, i->args[k]);
        if (run_packed(f, p->fr, p->s, n, c->packed[n], args, count, &e.value))
            LIST_ADD(f->scratch, exits, e);
        return;
    }
    if (c->callee[n] && instances(p->fr, c->callee[n]) >= MAX_SAME) {
        recur(p, n, i, c->callee[n], exits);
        return;
    }
    if (c->callee[n] && !too_deep(p)) {
        enter(p, n, i, c->callee[n], 0, exits);
        return;
    }
    if (callee.kind == VALUE_FUNCTION && callee.count) {
        for (int k = 0; k < callee.count; k++) {
            struct code *to = code_of(f, callee.as.function[k]);
            if (to && to->fn->has_body && instances(p->fr, to) >= MAX_SAME)
                recur(p, n, i, to, exits);
            else if (to && to->fn->has_body && !too_deep(p))
                enter(p, n, i, to, 1, exits);
        }
        join_exits(f, exits, room_for_states(f));
        return;
    }
    f->counts.budgets += c->callee[n] != NULL;
    e.value = unmodelled(p, n, i, first);
    LIST_ADD(f->scratch, exits, e);
}

/* ---- blocks --------------------------------------------------------------------------------- */

struct waiting {
    struct state *state;
    bool done;
};

struct work {
    struct flow *f;
    const struct frame *fr;
    LIST(struct waiting) * blocks;
    exit_list *exits;
};

struct loop {
    const struct frame *fr;
    const bool *turned;
};

/* A local that the loop itself writes, or what is computed from it: a state that differs in nothing
 * else has come round. Flags from elsewhere keep states apart as they do outside of loops. */
static bool is_turned(const struct loc *at, const void *what)
{
    const struct loop *l = what;
    const struct ir_function *fn = l->fr->code->fn;
    if (at->object == l->fr->regs)
        return true;
    for (int i = 0; i < fn->locals.count && !at->parent; i++)
        if (l->fr->locals[i] == at->object)
            return l->turned[i];
    return false;
}

static void arrive(struct work *w, int block, struct state *s)
{
    struct flow *f = w->f;
    struct loop l = {w->fr, w->fr->code->turned[block]};
    bool head = w->fr->code->loop_head[block];
    struct waiting new = {s, false};
    live_drop(w->fr, block, s);
    state_prune(s, NULL);
    f->left -= (int64_t)s->slots.count * w->blocks[block].count / SLOTS_A_VISIT;
    for (int i = 0; i < w->blocks[block].count; i++) {
        struct waiting *old = &w->blocks[block].items[i];
        if (state_covers(old->state, s)) {
            state_join_conditions(old->state, s);
            return;
        }
        if (state_covers(s, old->state)) {
            state_join(f->scratch, old->state, s, head);
            old->done = false;
            return;
        }
        if (head && state_differs_in(old->state, s, is_turned, &l)) {
            if (state_join(f->scratch, old->state, s, true))
                old->done = false;
            return;
        }
    }
    if (w->blocks[block].count < room_for_states(f)) {
        LIST_ADD(f->scratch, &w->blocks[block], new);
        return;
    }
    struct waiting *into = &w->blocks[block].items[0];
    int least = state_distance(into->state, s);
    for (int i = 1; i < w->blocks[block].count; i++) {
        int distance = state_distance(w->blocks[block].items[i].state, s);
        if (distance < least) {
            least = distance;
            into = &w->blocks[block].items[i];
        }
    }
    if (state_join(f->scratch, into->state, s, head))
        into->done = false;
}

static void branch(struct work *w, struct path *p, const struct ir_inst *i)
{
    struct value v = get(p, i->args[0]);
    ir_value cond = i->args[0];
    struct span span = w->fr->code->fn->insts.items[cond].span;
    for (int side = 0; side < 2; side++) {
        bool truth = side == 0;
        if (truth ? !value_can_be_nonzero(&v) : !value_can_be_zero(&v))
            continue;
        bool open = value_can_be_nonzero(&v) && value_can_be_zero(&v);
        struct state *s = fork_state(w->f, p->s);
        if (open && !refine(w->f, s, &v, truth))
            continue;
        if (open)
            condition_add(w->f, s, (struct condition){.span = span, .truth = truth});
        arrive(w, i->target[side], s);
    }
}

static bool number_may_be(const struct value *v, int64_t low, int64_t high)
{
    if (v->kind != VALUE_NUMBER || v->is_real)
        return true;
    for (int i = 0; i < v->count; i++)
        if (v->as.number[i] >= low && v->as.number[i] <= high)
            return true;
    return !v->count && v->as.range.low <= high && v->as.range.high >= low;
}

static struct condition case_of(struct span span, bool truth, int64_t value)
{
    return (struct condition){.span = span, .truth = truth, .is_case = true, .value = value};
}

static void switch_to(struct work *w, struct path *p, const struct ir_inst *i)
{
    struct value v = get(p, i->args[0]);
    struct span span = w->fr->code->fn->insts.items[i->args[0]].span;
    bool rest = !(v.kind == VALUE_NUMBER && v.count), open = rest || v.count > 1;
    for (int k = 0; k < v.count && v.kind == VALUE_NUMBER && !rest; k++) {
        bool listed = false;
        for (int n = 0; n < i->case_count; n++)
            listed |= v.as.number[k] >= i->cases[n].low && v.as.number[k] <= i->cases[n].high;
        rest = !listed;
    }
    for (int n = 0; n < i->case_count; n++) {
        if (!number_may_be(&v, i->cases[n].low, i->cases[n].high))
            continue;
        struct state *s = fork_state(w->f, p->s);
        struct value constant = value_int(i->cases[n].low);
        struct value test = compare_values(w->f, ARITH_EQ, &v, &constant);
        if (i->cases[n].low == i->cases[n].high && !refine(w->f, s, &test, true))
            continue;
        if (open)
            condition_add(w->f, s, case_of(span, true, i->cases[n].low));
        arrive(w, i->cases[n].block, s);
    }
    struct state *s = fork_state(w->f, p->s);
    for (int n = 0; n < i->case_count && rest; n++) {
        struct value constant = value_int(i->cases[n].low);
        struct value test = compare_values(w->f, ARITH_NE, &v, &constant);
        if (i->cases[n].low == i->cases[n].high)
            rest = refine(w->f, s, &test, true);
    }
    if (!rest)
        return;
    if (open)
        condition_add(w->f, s, case_of(span, false, 0));
    arrive(w, i->target[0], s);
}

/* What the function keeps to itself no longer sets the ways out apart. A record that it returns is
 * still in its frame. */
static void forget_frame(struct work *w, struct exit_state *e)
{
    const struct type *type = w->fr->code->fn->type;
    if (!type || !type->of || type->of->kind != TYPE_RECORD)
        state_drop_frame(e->state, w->fr->regs->frame);
    state_prune(e->state, &e->value);
}

static bool exit_covers(const struct exit_state *a, const struct exit_state *b)
{
    return state_covers(a->state, b->state) &&
           value_covers(a->state, &a->value, b->state, &b->value);
}

static void leave(struct work *w, struct path *p, const struct ir_inst *i)
{
    struct exit_state e = {p->s, i->arg_count ? get(p, i->args[0]) : value_nothing};
    forget_frame(w, &e);
    for (int k = 0; k < w->exits->count; k++) {
        struct exit_state *old = &w->exits->items[k];
        bool covered = exit_covers(old, &e);
        if (!covered && !exit_covers(&e, old))
            continue;
        if (!covered)
            *old = e;
        state_join_conditions(old->state, e.state);
        return;
    }
    LIST_ADD(w->f->scratch, w->exits, e);
    join_exits(w->f, w->exits, room_for_states(w->f));
}

static void terminate(struct work *w, struct path *p, const struct ir_inst *i)
{
    if (i->op == IR_JUMP)
        arrive(w, i->target[0], p->s);
    else if (i->op == IR_BRANCH)
        branch(w, p, i);
    else if (i->op == IR_SWITCH)
        switch_to(w, p, i);
    else if (i->op == IR_RETURN)
        leave(w, p, i);
}

/* One instruction that neither calls nor ends the block. */
static void step(struct work *w, struct path *p, ir_value n, const struct ir_inst *i)
{
    if (i->op == IR_STORE) {
        store(p, i);
    } else if (i->op == IR_COPY) {
        copy(p, i);
    } else if (i->op == IR_ZERO) {
        struct value at = get(p, i->args[0]);
        for (int k = 0; k < at.count && at.kind == VALUE_ADDRESS; k++)
            memory_zero(w->f, p->s, at.as.loc[k]);
    } else {
        w->f->counts.anything += i->op == IR_ANYTHING;
        set(p, n, simple(p, n, i));
    }
}

typedef LIST(struct path) path_list;

/* The two become one: what holds of either. */
static void join_paths(struct work *w, struct path *into, const struct path *p, int count)
{
    struct arena *a = w->f->scratch;
    state_join(a, into->s, p->s, false);
    for (int k = 0; k < count; k++)
        into->regs[k] = value_join(a, into->s, &into->regs[k], &p->regs[k]);
}

/* Many paths become few: the last ones go to those that are nearest. */
static void join_most(struct work *w, path_list *paths, int room, int count)
{
    while (paths->count > room) {
        const struct path *last = &paths->items[--paths->count];
        struct path *into = &paths->items[0];
        int least = state_distance(into->s, last->s);
        for (int k = 1; k < paths->count; k++) {
            int distance = state_distance(paths->items[k].s, last->s);
            if (distance < least) {
                least = distance;
                into = &paths->items[k];
            }
        }
        join_paths(w, into, last, count);
    }
}

/* All ways that all paths can go on after a call. */
static path_list after_call(struct work *w, path_list *paths, int place, ir_value n,
                            const struct ir_inst *i)
{
    path_list after = {0};
    size_t regs = sizeof *paths->items->regs *
                  (size_t)w->fr->code->fn->blocks.items[paths->items[0].block].count;
    for (int k = 0; k < paths->count; k++) {
        exit_list exits = {0};
        call(&paths->items[k], n, i, &exits);
        for (int e = 0; e < exits.count; e++) {
            struct path q = paths->items[k];
            q.s = exits.items[e].state;
            if (exits.count > 1)
                q.regs = arena_copy(w->f->scratch, q.regs, regs);
            set(&q, n, exits.items[e].value);
            if (!w->fr->code->packed[n]) /* else it is recorded already */
                record_value(w->f, w->fr, n, q.s, &exits.items[e].value, NULL);
            LIST_ADD(w->f->scratch, &after, q);
        }
    }
    join_most(w, &after, room_for_states(w->f), place + 1);
    return after;
}

/* A block, from its first instruction to its last: a call can make several paths of one. */
static void run_block(struct work *w, struct path start)
{
    const struct ir_function *fn = w->fr->code->fn;
    const struct ir_block *b = &fn->blocks.items[start.block];
    path_list paths = {0};
    LIST_ADD(w->f->scratch, &paths, start);
    for (int place = 0; place < b->count && paths.count; place++) {
        ir_value n = b->insts[place];
        const struct ir_inst *i = &fn->insts.items[n];
        w->f->left -= paths.count;
        if (is_spent(w->f))
            return;
        if (i->op == IR_CALL)
            paths = after_call(w, &paths, place, n, i);
        else if (i->op >= IR_JUMP)
            for (int k = 0; k < paths.count; k++)
                terminate(w, &paths.items[k], i);
        else
            for (int k = 0; k < paths.count; k++)
                step(w, &paths.items[k], n, i);
    }
}

void run_code(struct flow *f, const struct frame *fr, struct state *entry, exit_list *exits)
{
    const struct ir_function *fn = fr->code->fn;
    struct work w = {f, fr, NULL, exits};
    w.blocks = arena_alloc(f->scratch, sizeof *w.blocks * (size_t)fn->blocks.count);
    arrive(&w, 0, entry);
    for (bool busy = true; busy && !is_spent(f);) {
        busy = false;
        for (int b = 0; b < fn->blocks.count && !busy; b++)
            for (int i = 0; i < w.blocks[b].count && !busy; i++) {
                if (w.blocks[b].items[i].done)
                    continue;
                busy = w.blocks[b].items[i].done = true;
                struct path p = {f, fr, b, NULL, fork_state(f, w.blocks[b].items[i].state)};
                p.regs = arena_array(f->scratch, struct value, fn->blocks.items[b].count);
                run_block(&w, p);
            }
    }
    if (is_spent(f))
        f->counts.budgets++;
}
