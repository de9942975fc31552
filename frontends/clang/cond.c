/* Conditions. Short-circuit operators become control flow, so that each operand is a branch of its
 * own; where the result is needed as a value, it is stored in a temporary. */
#include "frontends/clang/lower.h"

#include <string.h>

static enum CXBinaryOperatorKind binary_kind(struct lower *l, const struct node *n)
{
    return n->cursor.kind == CXCursor_BinaryOperator ? l->c->getCursorBinaryOperatorKind(n->cursor)
                                                     : CXBinaryOperator_Invalid;
}

static bool is_not(struct lower *l, const struct node *n)
{
    return n->cursor.kind == CXCursor_UnaryOperator &&
           l->c->getCursorUnaryOperatorKind(n->cursor) == CXUnaryOperator_LNot;
}

static bool is_unsure(const struct type *t)
{
    return t->kind == TYPE_UNKNOWN || t->kind == TYPE_VOID || is_aggregate(t) ||
           t->kind == TYPE_FUNCTION;
}

/* Whether the conversion maps zero to zero and everything else to nonzero: no bits are cut off. */
static bool keeps_truth(const struct type *from, const struct type *to)
{
    if (is_unsure(from) || is_unsure(to))
        return false;
    if (to->kind == TYPE_BOOL || from->kind == TYPE_BOOL)
        return true;
    return from->kind == to->kind && (from->kind == TYPE_POINTER || to->bits >= from->bits);
}

static bool is_expect(struct lower *l, struct node *n)
{
    struct symbol *s =
        n->cursor.kind == CXCursor_CallExpr && n->first ? named_function(l, n->first) : NULL;
    return s && strcmp(s->name, "__builtin_expect") == 0 && nth_expression(n, 1);
}

/* The expression that the truth value depends on. */
static struct node *tested(struct lower *l, struct node *n)
{
    for (;;) {
        n = bare(l, n);
        struct node *inner = NULL;
        if (n->cursor.kind == CXCursor_UnexposedExpr && child_count(n) == 1 &&
            is_expression(n->first) && keeps_truth(node_type(l, n->first), node_type(l, n)))
            inner = n->first;
        else if (is_expect(l, n))
            inner = nth_expression(n, 1);
        if (!inner)
            return n;
        n = inner;
    }
}

static void branch_on_pair(struct lower *l, struct node *n, bool is_and, struct label *yes,
                           struct label *no)
{
    struct label middle = {0};
    if (is_and)
        branch_on(l, nth(n, 0), &middle, no);
    else
        branch_on(l, nth(n, 0), yes, &middle);
    place(l, &middle);
    if (is_live(l))
        branch_on(l, nth(n, 1), yes, no);
}

static void branch_on_choice(struct lower *l, struct node *n, struct label *yes, struct label *no)
{
    struct label first = {0}, second = {0};
    branch_on(l, nth(n, 0), &first, &second);
    place(l, &first);
    if (is_live(l))
        branch_on(l, nth(n, 1), yes, no);
    place(l, &second);
    if (is_live(l))
        branch_on(l, nth(n, 2), yes, no);
}

static void branch_on_value(struct lower *l, struct node *n, struct label *yes, struct label *no)
{
    int64_t constant;
    if (core(l, n)->cursor.kind == CXCursor_StringLiteral) { /* the message of an assertion */
        jump_to(l, n, yes);
        return;
    }
    ir_value v = value_of(l, n);
    if (!v)
        v = emit_anything(l, n, int_type(l), "a condition without a value", NULL, 0);
    if (is_int(l, v, &constant)) {
        take_back(l, v);
        jump_to(l, n, constant ? yes : no);
    } else {
        branch_to(l, n, v, yes, no);
    }
}

void branch_on(struct lower *l, struct node *n, struct label *yes, struct label *no)
{
    n = tested(l, n);
    if (n->depth > MAX_DEPTH) {
        branch_on_value(l, n, yes, no);
        return;
    }
    enum CXBinaryOperatorKind kind = binary_kind(l, n);
    if (is_not(l, n) && n->first) {
        branch_on(l, nth(n, 0), no, yes);
    } else if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr) {
        branch_on_pair(l, n, kind == CXBinaryOperator_LAnd, yes, no);
    } else if (kind == CXBinaryOperator_Comma) {
        effect_of(l, nth(n, 0));
        branch_on(l, nth(n, 1), yes, no);
    } else if (n->cursor.kind == CXCursor_ConditionalOperator && child_count(n) == 3) {
        branch_on_choice(l, n, yes, no);
    } else {
        branch_on_value(l, n, yes, no);
    }
}

/* ---- as values ------------------------------------------------------------------------------ */

/* If the condition is constant, only one side is lowered. */
static ir_value join_truth(struct lower *l, struct node *n, struct label *yes, struct label *no,
                           int place_of_result)
{
    struct label end = {0};
    const struct type *t = node_type(l, n);
    struct label *sides[] = {no, yes};
    for (int truth = 1; truth >= 0; truth--) {
        place(l, sides[truth]);
        if (!is_live(l))
            continue;
        ir_value to = emit_local(l, n, place_of_result);
        emit_store(l, n, to, emit_int(l, n, t, truth));
        jump_to(l, NULL, &end);
    }
    place(l, &end);
    return emit_load(l, n, emit_local(l, n, place_of_result), t);
}

ir_value lower_logical(struct lower *l, struct node *n)
{
    struct label yes = {0}, no = {0};
    int result = ir_local_new(l->unit, l->f, "", node_type(l, n), span_of(l, n));
    branch_on(l, n, &yes, &no);
    return join_truth(l, n, &yes, &no, result);
}

/* Stores the value of an arm in the temporary; aggregates are copied. */
static void keep(struct lower *l, struct node *n, int result, ir_value v)
{
    const struct type *t = l->f->locals.items[result].type;
    if (!v)
        return;
    ir_value to = emit_local(l, n, result);
    if (is_aggregate(t))
        emit_copy(l, n, to, v);
    else
        emit_store(l, n, to, v);
}

static void lower_arm(struct lower *l, struct node *arm, int result, bool is_used)
{
    if (!is_live(l))
        return;
    if (!is_used) {
        effect_of(l, arm);
        return;
    }
    ir_value v = value_as(l, arm, l->f->locals.items[result].type);
    if (is_live(l))
        keep(l, arm, result, v);
}

ir_value lower_conditional(struct lower *l, struct node *n, bool is_used)
{
    struct label yes = {0}, no = {0}, end = {0};
    const struct type *t = node_type(l, n);
    is_used &= t->kind != TYPE_VOID;
    int result = is_used ? ir_local_new(l->unit, l->f, "", t, span_of(l, n)) : 0;
    branch_on(l, nth(n, 0), &yes, &no);
    place(l, &yes);
    lower_arm(l, nth(n, 1), result, is_used);
    jump_to(l, NULL, &end);
    place(l, &no);
    lower_arm(l, nth(n, 2), result, is_used);
    place(l, &end);
    return is_used ? emit_load(l, n, emit_local(l, n, result), t) : 0;
}

/* libclang exposes a ?: b as a, a, a, b. */
ir_value lower_short_conditional(struct lower *l, struct node *n, bool is_used)
{
    struct label yes = {0}, no = {0}, end = {0};
    const struct type *t = node_type(l, n);
    is_used &= t->kind != TYPE_VOID;
    int result = is_used ? ir_local_new(l->unit, l->f, "", t, span_of(l, n)) : 0;
    ir_value v = value_of(l, nth(n, 0));
    if (!v)
        v = emit_anything(l, n, int_type(l), "a condition without a value", NULL, 0);
    branch_to(l, n, v, &yes, &no);
    place(l, &yes);
    if (is_used)
        keep(l, n, result, emit_convert(l, n, v, t));
    jump_to(l, NULL, &end);
    place(l, &no);
    lower_arm(l, nth(n, 3), result, is_used);
    place(l, &end);
    return is_used ? emit_load(l, n, emit_local(l, n, result), t) : 0;
}
