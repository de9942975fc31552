/* Algorithms of the standard library that go over a range: loops that call what they are passed.
 * Where the order of items becomes another, any of them may be any other. */
#include "frontends/clang/std.h"

/* ---- ranges --------------------------------------------------------------------------------- */

/* Where a loop is: pointers in locals, to an item and behind the last. */
struct walk {
    struct std_call *c;
    const struct type *t; /* of the pointers */
    bool is_counted;      /* the items follow each other */
    int at, end;
    struct label head, in, next, out;
};

static ir_value pointer_of(struct lower *l, struct node *n)
{
    if (node_type(l, n)->kind == TYPE_POINTER)
        return value_of(l, n);
    return std_passed_pointer(l, n);
}

static int keep(struct std_call *c, ir_value v)
{
    struct lower *l = c->l;
    int local = ir_local_new(l->unit, l->f, "", inst_of(l, v)->type, span_of(l, c->n));
    emit_store(l, c->n, emit_local(l, c->n, local), v);
    return local;
}

static ir_value kept(struct walk *w, int local)
{
    return emit_load(w->c->l, w->c->n, emit_local(w->c->l, w->c->n, local), w->t);
}

static bool walk_set(struct walk *w, struct std_call *c, int first)
{
    struct lower *l = c->l;
    *w = (struct walk){.c = c};
    if (c->args.count < first + 2)
        return false;
    ir_value from = pointer_of(l, c->args.items[first]);
    ir_value to = from ? pointer_of(l, c->args.items[first + 1]) : 0;
    if (!to)
        return false;
    w->t = inst_of(l, from)->type;
    w->is_counted = !std_is_cursor(l, node_type(l, c->args.items[first]));
    w->at = keep(c, from);
    w->end = keep(c, emit_convert(l, c->n, to, w->t));
    return true;
}

/* The head of the loop; the body follows. */
static void walk_begin(struct walk *w)
{
    struct lower *l = w->c->l;
    place_head(l, &w->head);
    ir_value at = kept(w, w->at), end = kept(w, w->end);
    branch_to(l, w->c->n,
              emit_binary(l, w->c->n, ARITH_NE, type_simple(l->unit, TYPE_BOOL), at, end), &w->in,
              &w->out);
    place(l, &w->in);
}

/* One of the items from there on. */
static ir_value some_item(struct std_call *c, ir_value at)
{
    struct lower *l = c->l;
    return emit_element(l, c->n, at, emit_some(l, c->n, std_size_type(l), "any of a range"));
}

static ir_value one_on(struct std_call *c, ir_value at, bool is_counted)
{
    struct lower *l = c->l;
    if (is_counted)
        return emit_element(l, c->n, at, emit_int(l, c->n, std_size_type(l), 1));
    return std_or_null(l, c->n, some_item(c, at));
}

static void walk_end(struct walk *w)
{
    struct lower *l = w->c->l;
    place(l, &w->next);
    if (is_live(l)) {
        ir_value to = one_on(w->c, kept(w, w->at), w->is_counted);
        emit_store(l, w->c->n, emit_local(l, w->c->n, w->at), to);
    }
    jump_to(l, NULL, &w->head);
    place(l, &w->out);
}

/* ---- where results go ----------------------------------------------------------------------- */

/* An iterator, or back_inserter(x). */
struct sink {
    int at;
    const struct type *t; /* of the pointer in there */
    bool is_counted;
    struct std_call container; /* object 0: there is none */
};

static bool inserts_behind(struct lower *l, struct node *n, struct std_call *out)
{
    n = core(l, n);
    struct node *made = construction(l, n);
    for (n = made ? made : n; n; n = nth_expression(n, 0)) {
        CXCursor callee = l->c->getCursorReferenced(n->cursor);
        if (n->cursor.kind == CXCursor_CallExpr && is_function_kind(callee.kind) &&
            is_library(l, callee) &&
            plain_name(l, callee) == name_of(l->unit->names, "back_inserter"))
            break;
    }
    struct node *of = n ? n->last : NULL;
    const struct type *t = of && is_expression(of) ? node_type(l, of) : NULL;
    struct class *class = t && t->kind == TYPE_RECORD ? class_of(l, t) : NULL;
    if (!class || !class->model || class->model->layout != STD_SEQUENCE)
        return false;
    *out = (struct std_call){.l = l, .n = n, .t = t, .object = address_of(l, of)};
    return out->object;
}

static bool sink_set(struct sink *s, struct std_call *c, struct node *n)
{
    *s = (struct sink){0};
    if (inserts_behind(c->l, n, &s->container))
        return true;
    ir_value to = pointer_of(c->l, n);
    if (!to)
        return false;
    s->t = inst_of(c->l, to)->type;
    s->is_counted = !std_is_cursor(c->l, node_type(c->l, n));
    s->at = keep(c, to);
    return true;
}

/* v: the value, or the address of an object. */
static void put(struct std_call *c, struct sink *s, ir_value v)
{
    struct lower *l = c->l;
    ir_value place = s->container.object ? std_new_item(&s->container)
                                         : emit_load(l, c->n, emit_local(l, c->n, s->at), s->t);
    const struct type *t = inst_of(l, place)->type->of;
    if (!v)
        emit_anything(l, c->n, type_simple(l->unit, TYPE_VOID), "an item that is not known", &place,
                      1);
    else if (is_aggregate(t))
        emit_object_copy(l, c->n, place, v);
    else
        emit_store(l, c->n, place, emit_convert(l, c->n, v, t));
    if (!s->container.object)
        emit_store(l, c->n, emit_local(l, c->n, s->at), one_on(c, place, s->is_counted));
}

static ir_value item_value(struct std_call *c, ir_value at)
{
    const struct type *t = inst_of(c->l, at)->type->of;
    return is_aggregate(t) ? at : emit_load(c->l, c->n, at, t);
}

/* ---- algorithms ----------------------------------------------------------------------------- */

static ir_value as_result(struct std_call *c, ir_value pointer)
{
    const struct type *t = node_type(c->l, c->n);
    return t->kind == TYPE_POINTER ? emit_convert(c->l, c->n, pointer, t)
                                   : std_iterator_to(c->l, c->n, t, pointer);
}

/* for_each(a, b, f) */
static bool for_each(struct std_call *c, CXCursor callee)
{
    struct walk w;
    struct std_callable f;
    if (c->args.count != 3 || !walk_set(&w, c, 0) || !std_callable(c, c->args.items[2], callee, &f))
        return false;
    walk_begin(&w);
    ir_value item = kept(&w, w.at);
    std_call_callable(c, &f, &item, 1);
    walk_end(&w);
    return true;
}

/* transform(a, b, to, f), transform(a, b, other, to, f) */
static bool transform(struct std_call *c, CXCursor callee)
{
    struct walk w;
    struct sink to;
    struct std_callable f;
    int count = c->args.count - 3;
    struct sink other = {0};
    if (count < 1 || count > 2 || !walk_set(&w, c, 0) ||
        (count == 2 && !sink_set(&other, c, c->args.items[2])) ||
        !sink_set(&to, c, c->args.items[count + 1]) ||
        !std_callable(c, c->args.items[count + 2], callee, &f) || other.container.object)
        return false;
    walk_begin(&w);
    ir_value items[2] = {kept(&w, w.at)};
    if (count == 2) {
        items[1] = emit_load(c->l, c->n, emit_local(c->l, c->n, other.at), other.t);
        emit_store(c->l, c->n, emit_local(c->l, c->n, other.at),
                   one_on(c, items[1], other.is_counted));
    }
    put(c, &to, std_call_callable(c, &f, items, count));
    walk_end(&w);
    return true;
}

static bool copy(struct std_call *c)
{
    struct walk w;
    struct sink to;
    if (c->args.count != 3 || !walk_set(&w, c, 0) || !sink_set(&to, c, c->args.items[2]))
        return false;
    walk_begin(&w);
    put(c, &to, item_value(c, kept(&w, w.at)));
    walk_end(&w);
    return true;
}

/* The loop ends where the test is as wanted: is_found says whether it did, w->at where. */
static bool search(struct std_call *c, CXCursor callee, struct walk *w, bool wanted, int *is_found)
{
    struct lower *l = c->l;
    const struct type *truth = type_simple(l->unit, TYPE_BOOL);
    struct std_callable f;
    struct label yes = {0};
    if (c->args.count != 3 || !walk_set(w, c, 0) || !std_callable(c, c->args.items[2], callee, &f))
        return false;
    *is_found = keep(c, emit_int(l, c->n, truth, 0));
    walk_begin(w);
    ir_value item = kept(w, w->at), v = std_call_callable(c, &f, &item, 1);
    if (!v)
        v = emit_some(l, c->n, truth, "what a test says");
    branch_to(l, c->n, v, wanted ? &yes : &w->next, wanted ? &w->next : &yes);
    place(l, &yes);
    emit_store(l, c->n, emit_local(l, c->n, *is_found), emit_int(l, c->n, truth, 1));
    jump_to(l, NULL, &w->out);
    walk_end(w);
    return true;
}

static struct std_result find_if(struct std_call *c, CXCursor callee, bool wanted)
{
    struct walk w;
    int is_found;
    if (!search(c, callee, &w, wanted, &is_found))
        return (struct std_result){0};
    return std_value(as_result(c, kept(&w, w.at)));
}

/* any_of: whether one is true; all_of: whether none is false */
static struct std_result whether(struct std_call *c, CXCursor callee, bool wanted, bool is_negated)
{
    struct lower *l = c->l;
    const struct type *truth = type_simple(l->unit, TYPE_BOOL);
    struct walk w;
    int is_found;
    if (!search(c, callee, &w, wanted, &is_found))
        return (struct std_result){0};
    ir_value v = emit_load(l, c->n, emit_local(l, c->n, is_found), truth);
    return std_value(
        is_negated ? emit_binary(l, c->n, ARITH_EQ, truth, v, emit_int(l, c->n, truth, 0)) : v);
}

/* sort, reverse, …: each item may become any other. The order that a test makes does not matter. */
static bool permute(struct std_call *c)
{
    struct lower *l = c->l;
    ir_value first = c->args.count >= 2 ? pointer_of(l, c->args.items[0]) : 0;
    if (!first)
        return false;
    const struct type *t = inst_of(l, first)->type->of;
    effect_of(l, c->args.items[1]);
    ir_value from = some_item(c, first);
    ir_value v = is_aggregate(t) ? emit_temporary(l, c->n, t) : emit_load(l, c->n, from, t);
    if (is_aggregate(t))
        emit_object_copy(l, c->n, v, from);
    ir_value to = some_item(c, first);
    if (is_aggregate(t))
        emit_object_copy(l, c->n, to, v);
    else
        emit_store(l, c->n, to, v);
    return true;
}

/* max_element, min_element: any of them */
static struct std_result any_item(struct std_call *c)
{
    struct lower *l = c->l;
    ir_value first = c->args.count >= 2 ? pointer_of(l, c->args.items[0]) : 0;
    if (!first)
        return (struct std_result){0};
    effect_of(l, c->args.items[1]);
    return std_value(as_result(c, some_item(c, first)));
}

/* fill(a, b, x) */
static bool fill(struct std_call *c)
{
    struct walk w;
    if (c->args.count != 3 || !walk_set(&w, c, 0))
        return false;
    walk_begin(&w);
    std_set_item_to(c, kept(&w, w.at), c->args.items[2]);
    walk_end(&w);
    return true;
}

/* generate(a, b, f) */
static bool generate(struct std_call *c, CXCursor callee)
{
    struct walk w;
    struct sink to;
    struct std_callable f;
    if (c->args.count != 3 || !walk_set(&w, c, 0) || !sink_set(&to, c, c->args.items[0]) ||
        !std_callable(c, c->args.items[2], callee, &f))
        return false;
    walk_begin(&w);
    put(c, &to, std_call_callable(c, &f, NULL, 0));
    walk_end(&w);
    return true;
}

/* accumulate(a, b, x, f): x = f(x, item) for each */
static struct std_result accumulate(struct std_call *c, CXCursor callee)
{
    struct lower *l = c->l;
    const struct type *t = node_type(l, c->n);
    struct walk w;
    struct std_callable f;
    if (c->args.count != 4 || is_aggregate(t) || t->kind == TYPE_VOID || !walk_set(&w, c, 0))
        return (struct std_result){0};
    int sum = keep(c, value_as(l, c->args.items[2], t));
    if (!std_callable(c, c->args.items[3], callee, &f))
        return (struct std_result){0};
    walk_begin(&w);
    ir_value items[] = {emit_local(l, c->n, sum), kept(&w, w.at)};
    ir_value v = std_call_callable(c, &f, items, 2);
    if (v)
        emit_store(l, c->n, emit_local(l, c->n, sum), emit_convert(l, c->n, v, t));
    walk_end(&w);
    return std_value(emit_load(l, c->n, emit_local(l, c->n, sum), t));
}

/* What most of them yield is used by nobody: an iterator behind the last, or what was passed. */
static struct std_result done(struct std_call *c, bool is_done)
{
    const struct type *t = node_type(c->l, c->n);
    if (!is_done || t->kind == TYPE_VOID)
        return (struct std_result){.is_done = is_done};
    if (t->kind == TYPE_RECORD)
        complete(c->l, t);
    return std_value(emit_some(c->l, c->n, value_type(c->l, t), "what an algorithm yields"));
}

struct std_result std_run_algorithm(struct std_call *c, enum std_algorithm which, CXCursor callee)
{
    switch (which) {
    case ALGORITHM_FOR_EACH:
        return done(c, for_each(c, callee));
    case ALGORITHM_TRANSFORM:
        return done(c, transform(c, callee));
    case ALGORITHM_COPY:
        return done(c, copy(c));
    case ALGORITHM_FIND_IF:
        return find_if(c, callee, true);
    case ALGORITHM_FIND_IF_NOT:
        return find_if(c, callee, false);
    case ALGORITHM_ANY_OF:
        return whether(c, callee, true, false);
    case ALGORITHM_ALL_OF:
        return whether(c, callee, false, true);
    case ALGORITHM_NONE_OF:
        return whether(c, callee, true, true);
    case ALGORITHM_PERMUTE:
        return done(c, permute(c));
    case ALGORITHM_ANY_ITEM:
        return any_item(c);
    case ALGORITHM_FILL:
        return done(c, fill(c));
    case ALGORITHM_GENERATE:
        return done(c, generate(c, callee));
    case ALGORITHM_ACCUMULATE:
        return accumulate(c, callee);
    }
    return (struct std_result){0};
}
