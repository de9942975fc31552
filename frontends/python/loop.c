/* for and while. What follows "else" runs when a loop ends by itself, not after "break". */
#include "frontends/python/lower.h"

/* Where a handler waits for it, the user may end a loop at any time: "while True" has no other end.
 * One look per round is enough, in the outermost loop. */
static void lower_interrupt(struct lower *l, TSNode n)
{
    int interrupted = py_new_block(l), goes_on = py_new_block(l);
    ir_value may_be = py_emit(l, n, (struct ir_inst){.op = IR_ANYTHING, .name = "interrupted"});
    struct operands none = {0};
    py_emit_branch(l, n, may_be, interrupted, goes_on);
    py_begin_block(l, interrupted);
    py_emit_raise(l, n, py_emit_call(l, n, py_emit_name(l, n, "KeyboardInterrupt"), &none));
    py_begin_block(l, goes_on);
}

static void loop_body(struct lower *l, TSNode n, int again, int done)
{
    struct body *b = l->scope->body;
    struct loop loop = {b->loop, again, done, b->cleanup};
    b->loop = &loop;
    py_lower_statements(l, py_field_of(l, n, FIELD_body));
    b->loop = loop.outer;
    py_emit_jump(l, n, again);
}

void py_lower_loop(struct lower *l, TSNode n)
{
    bool is_for = py_kind_of(l, n) == NODE_for_statement;
    bool is_interruptible = l->scope->body->is_interruptible;
    TSNode target = py_field_of(l, n, FIELD_left), other = py_field_of(l, n, FIELD_alternative);
    TSNode over = py_field_of(l, n, FIELD_right);
    ir_value it = is_for ? py_lower_expr(l, over) : 0;
    it = is_for ? py_emit_apply(l, over, PROTOCOL_ITER, it, 0, 0) : 0;
    int head = py_new_block(l), body = py_new_block(l), after = py_new_block(l),
        done = py_new_block(l);
    py_emit_jump(l, n, head);
    py_begin_block(l, head);
    if (is_interruptible)
        lower_interrupt(l, n);
    if (is_for)
        py_emit_branch(l, target, py_emit_apply(l, target, PROTOCOL_MORE, it, 0, 0), body, after);
    else
        py_lower_condition(l, py_field_of(l, n, FIELD_condition), body, after);
    py_begin_block(l, body);
    if (is_for)
        py_lower_assign(l, target, py_emit_apply(l, target, PROTOCOL_NEXT, it, 0, 0));
    l->scope->body->is_interruptible = false;
    loop_body(l, n, head, done);
    l->scope->body->is_interruptible = is_interruptible;
    py_begin_block(l, after);
    if (!node_is_null(other))
        py_lower_statements(l, py_field_of(l, other, FIELD_body));
    py_emit_jump(l, n, done);
    py_begin_block(l, done);
}
