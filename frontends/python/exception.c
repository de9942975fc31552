/* try and with: what is raised in their blocks is handled in another, and what they clean up is
 * copied to every way out, as CPython does. */
#include "frontends/python/lower.h"

/* ---- ways out -------------------------------------------------------------------------------- */

static void clean_up(struct lower *l, const struct cleanup *c)
{
    if (c->manager)
        py_emit_apply(l, c->at, PROTOCOL_EXIT, c->manager, 0, 0);
    else
        py_lower_statements(l, c->at);
}

/* A cleanup is not protected by its own handler, but by the one around. */
void py_leave_cleanups(struct lower *l, const struct cleanup *down_to)
{
    struct body *b = l->scope->body;
    struct cleanup *keep = b->cleanup;
    int catch = b->catch;
    for (struct cleanup *c = keep; c != down_to && py_is_reachable(l); c = c->outer) {
        int out = py_new_block(l);
        py_emit_jump(l, c->at, out);
        b->cleanup = c->outer;
        b->catch = c->catch;
        py_begin_block(l, out);
        clean_up(l, c);
    }
    b->cleanup = keep;
    b->catch = catch;
}

static void push(struct body *b, struct cleanup *c)
{
    c->outer = b->cleanup;
    c->catch = b->catch;
    b->cleanup = c;
}

/* From here on, what is raised is handled there. */
static void protect(struct lower *l, TSNode at, int handler)
{
    int body = py_new_block(l);
    py_emit_jump(l, at, body);
    l->scope->body->catch = handler;
    py_begin_block(l, body);
}

static void unprotect(struct lower *l, TSNode at, int handler)
{
    struct body *b = l->scope->body;
    b->catch = handler;
    if (!py_is_reachable(l))
        return;
    int after = py_new_block(l);
    py_emit_jump(l, at, after);
    py_begin_block(l, after);
}

/* ---- try ------------------------------------------------------------------------------------- */

struct attempt {
    TSNode node, other, last; /* the statement, the blocks behind else and finally */
    struct nodes clauses;
    struct cleanup cleanup; /* if there is a "finally" */
    int done, outer;        /* blocks: behind it, and where it is in */
};

static void read_clauses(struct lower *l, struct attempt *a)
{
    a->clauses = node_children(l->arena, a->node);
    for (int i = 0; i < a->clauses.count; i++) {
        enum node_kind kind = py_kind_of(l, a->clauses.items[i]);
        struct nodes inside = node_children(l->arena, a->clauses.items[i]);
        if (kind == NODE_else_clause)
            a->other = py_field_of(l, a->clauses.items[i], FIELD_body);
        if (kind == NODE_finally_clause && inside.count)
            a->last = inside.items[inside.count - 1];
    }
}

/* The end of a block of it: what follows "finally", and on. */
static void finish(struct lower *l, struct attempt *a)
{
    if (!node_is_null(a->last) && py_is_reachable(l))
        py_leave_cleanups(l, a->cleanup.outer);
    py_emit_jump(l, a->node, a->done);
}

struct clause {
    TSNode type, alias, block;
};

static struct clause read_clause(struct lower *l, TSNode n)
{
    struct nodes inside = node_children(l->arena, n);
    struct clause c = {.alias = py_field_of(l, n, FIELD_alias)};
    if (inside.count)
        c.block = inside.items[inside.count - 1];
    if (inside.count > 1)
        c.type = inside.items[0];
    if (py_kind_of(l, c.type) == NODE_as_pattern) {
        c.alias = py_alias_of(l, c.type);
        c.type = node_child(c.type, 0);
    }
    return c;
}

/* The name of what is handled ends with its block. */
static void handle(struct lower *l, const struct clause *c, ir_value caught)
{
    struct body *b = l->scope->body;
    ir_value outer = b->caught;
    if (!node_is_null(c->alias))
        py_lower_assign(l, c->alias, caught);
    b->caught = caught;
    py_lower_statements(l, c->block);
    b->caught = outer;
    if (!node_is_null(c->alias) && py_is_reachable(l))
        py_lower_assign(l, c->alias, py_emit(l, c->alias, (struct ir_inst){.op = IR_UNDEF}));
}

static void lower_clause(struct lower *l, struct attempt *a, TSNode n, ir_value caught)
{
    struct clause c = read_clause(l, n);
    int yes = py_new_block(l), no = py_new_block(l);
    if (node_is_null(c.type)) {
        py_emit_jump(l, n, yes);
    } else {
        ir_value type = py_lower_expr(l, c.type);
        py_emit_branch(l, c.type, py_emit_apply(l, c.type, PROTOCOL_ISA, caught, type, 0), yes, no);
    }
    py_begin_block(l, yes);
    handle(l, &c, caught);
    finish(l, a);
    py_begin_block(l, no);
}

static bool names_interrupt(struct lower *l, TSNode type)
{
    struct nodes each = {0};
    if (py_kind_of(l, type) == NODE_tuple)
        each = node_children(l->arena, type);
    for (int i = 0; i < each.count; i++)
        if (names_interrupt(l, each.items[i]))
            return true;
    return py_kind_of(l, type) == NODE_identifier &&
           (py_is_text(l, type, "KeyboardInterrupt") || py_is_text(l, type, "BaseException"));
}

static bool handles_interrupt(struct lower *l, const struct attempt *a)
{
    for (int i = 0; i < a->clauses.count; i++)
        if (py_kind_of(l, a->clauses.items[i]) == NODE_except_clause &&
            names_interrupt(l, read_clause(l, a->clauses.items[i]).type))
            return true;
    return false;
}

/* Blocks of handlers are themselves protected by "finally". */
static void handlers(struct lower *l, struct attempt *a, int handler, int last)
{
    struct body *b = l->scope->body;
    b->catch = last ? last : a->outer;
    py_begin_block(l, handler);
    ir_value caught = py_emit(l, a->node, (struct ir_inst){.op = IR_CAUGHT});
    for (int i = 0; i < a->clauses.count; i++)
        if (py_kind_of(l, a->clauses.items[i]) == NODE_except_clause ||
            py_kind_of(l, a->clauses.items[i]) == NODE_except_group_clause)
            lower_clause(l, a, a->clauses.items[i], caught);
    py_emit_raise(l, a->node, caught);
    b->catch = a->outer;
}

/* What no clause handles, or one raises: "finally" runs, and it goes on. */
static void raise_again(struct lower *l, struct attempt *a, int last)
{
    py_begin_block(l, last);
    ir_value caught = py_emit(l, a->node, (struct ir_inst){.op = IR_CAUGHT});
    py_lower_statements(l, a->last);
    if (py_is_reachable(l))
        py_emit_raise(l, a->node, caught);
}

void py_lower_try(struct lower *l, TSNode n)
{
    struct body *b = l->scope->body;
    struct attempt a = {.node = n, .done = py_new_block(l), .outer = b->catch};
    int handler = py_new_block(l), last = 0;
    read_clauses(l, &a);
    if (!node_is_null(a.last)) {
        last = py_new_block(l);
        a.cleanup.at = a.last;
        push(b, &a.cleanup);
    }
    protect(l, n, handler);
    bool is_interruptible = b->is_interruptible;
    b->is_interruptible |= handles_interrupt(l, &a);
    py_lower_statements(l, py_field_of(l, n, FIELD_body));
    b->is_interruptible = is_interruptible;
    unprotect(l, n, last ? last : a.outer);
    if (!node_is_null(a.other) && py_is_reachable(l))
        py_lower_statements(l, a.other);
    finish(l, &a);
    handlers(l, &a, handler, last);
    if (last) {
        b->cleanup = a.cleanup.outer;
        raise_again(l, &a, last);
    }
    py_begin_block(l, a.done);
}

/* ---- with ------------------------------------------------------------------------------------ */

enum { MAX_ITEMS = 400 }; /* CPython: 20 */

/* Each item is one "with" around those behind it. */
static void with_item(struct lower *l, TSNode n, struct nodes items, int i)
{
    struct body *b = l->scope->body;
    if (i == MAX_ITEMS)
        py_emit_anything(l, n, "nested too deeply");
    if (i == items.count || i == MAX_ITEMS) {
        py_lower_statements(l, py_field_of(l, n, FIELD_body));
        return;
    }
    TSNode item = items.items[i], value = py_field_of(l, item, FIELD_value);
    ir_value manager = py_lower_expr(l, value);
    ir_value entered = py_emit_apply(l, value, PROTOCOL_ENTER, manager, 0, 0);
    struct cleanup c = {.at = item, .manager = manager};
    int handler = py_new_block(l), done = py_new_block(l);
    push(b, &c);
    protect(l, item, handler);
    if (py_kind_of(l, value) == NODE_as_pattern)
        py_lower_assign(l, py_alias_of(l, value), entered);
    with_item(l, n, items, i + 1);
    py_leave_cleanups(l, c.outer);
    b->cleanup = c.outer;
    b->catch = c.catch;
    py_emit_jump(l, item, done);
    py_begin_block(l, handler);
    ir_value caught = py_emit(l, item, (struct ir_inst){.op = IR_CAUGHT});
    ir_value swallows = py_emit_apply(l, item, PROTOCOL_EXIT, manager, caught, 0);
    int again = py_new_block(l);
    py_emit_branch(l, item, py_emit_apply(l, item, PROTOCOL_TRUTH, swallows, 0, 0), done, again);
    py_begin_block(l, again);
    py_emit_raise(l, item, caught);
    py_begin_block(l, done);
}

void py_lower_with(struct lower *l, TSNode n)
{
    with_item(l, n, node_children(l->arena, node_child(n, 0)), 0);
}
