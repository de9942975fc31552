/* Operators: arithmetic, comparisons and logic, and assignments that compute. */
#include "frontends/python/lower.h"

#include <string.h>

struct mark {
    const char *text;
    enum ir_protocol plain, in_place;
};

static const struct mark marks[] = {
    {"+", PROTOCOL_ADD, PROTOCOL_IADD},        {"-", PROTOCOL_SUB, PROTOCOL_ISUB},
    {"*", PROTOCOL_MUL, PROTOCOL_IMUL},        {"@", PROTOCOL_MATMUL, PROTOCOL_IMATMUL},
    {"/", PROTOCOL_DIV, PROTOCOL_IDIV},        {"//", PROTOCOL_FLOORDIV, PROTOCOL_IFLOORDIV},
    {"%", PROTOCOL_MOD, PROTOCOL_IMOD},        {"**", PROTOCOL_POW, PROTOCOL_IPOW},
    {"&", PROTOCOL_AND, PROTOCOL_IAND},        {"|", PROTOCOL_OR, PROTOCOL_IOR},
    {"^", PROTOCOL_XOR, PROTOCOL_IXOR},        {"<<", PROTOCOL_LSHIFT, PROTOCOL_ILSHIFT},
    {">>", PROTOCOL_RSHIFT, PROTOCOL_IRSHIFT}, {"==", PROTOCOL_EQ, PROTOCOL_EQ},
    {"!=", PROTOCOL_NE, PROTOCOL_NE},          {"<>", PROTOCOL_NE, PROTOCOL_NE},
    {"<", PROTOCOL_LT, PROTOCOL_LT},           {"<=", PROTOCOL_LE, PROTOCOL_LE},
    {">", PROTOCOL_GT, PROTOCOL_GT},           {">=", PROTOCOL_GE, PROTOCOL_GE},
    {"is", PROTOCOL_IS, PROTOCOL_IS},          {"is not", PROTOCOL_ISNOT, PROTOCOL_ISNOT},
    {"in", PROTOCOL_IN, PROTOCOL_IN},          {"not in", PROTOCOL_NOTIN, PROTOCOL_NOTIN},
};

/* "+=" is found as "+". */
static const struct mark *mark_of(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (strlen(marks[i].text) == length && memcmp(marks[i].text, text, length) == 0)
            return &marks[i];
    return NULL;
}

static ir_value apply_mark(struct lower *l, TSNode n, const struct mark *m, bool in_place,
                           ir_value x, ir_value y)
{
    if (!m)
        return py_emit_anything(l, n, "an unknown operator");
    return py_emit_apply(l, n, in_place ? m->in_place : m->plain, x, y, 0);
}

static ir_value binary(struct lower *l, TSNode n)
{
    const char *mark = node_word(py_field_of(l, n, FIELD_operator));
    ir_value x = py_lower_expr(l, py_field_of(l, n, FIELD_left));
    ir_value y = py_lower_expr(l, py_field_of(l, n, FIELD_right));
    return apply_mark(l, n, mark_of(mark, strlen(mark)), false, x, y);
}

static ir_value unary(struct lower *l, TSNode n)
{
    char mark = node_word(py_field_of(l, n, FIELD_operator))[0];
    ir_value x = py_lower_expr(l, py_field_of(l, n, FIELD_argument));
    enum ir_protocol p = mark == '-' ? PROTOCOL_NEG : mark == '+' ? PROTOCOL_POS : PROTOCOL_INVERT;
    return py_emit_apply(l, n, p, x, 0, 0);
}

/* a and b: a, if it is false. */
static ir_value logical(struct lower *l, TSNode n)
{
    bool is_and = py_is_text(l, py_field_of(l, n, FIELD_operator), "and");
    int result = py_new_temporary(l), next = py_new_block(l), done = py_new_block(l);
    ir_value x = py_lower_expr(l, py_field_of(l, n, FIELD_left));
    py_emit_set(l, n, result, x);
    ir_value truth = py_emit_apply(l, n, PROTOCOL_TRUTH, x, 0, 0);
    py_emit_branch(l, n, truth, is_and ? next : done, is_and ? done : next);
    py_begin_block(l, next);
    py_emit_set(l, n, result, py_lower_expr(l, py_field_of(l, n, FIELD_right)));
    py_emit_jump(l, n, done);
    py_begin_block(l, done);
    return py_emit_get(l, n, result);
}

/* Operands and marks between them, in order. */
struct comparison {
    struct nodes operands;
    struct nodes marks;
};

static ir_value compare(struct lower *l, TSNode n, const struct comparison *c, int i, ir_value x,
                        ir_value y)
{
    const char *mark = node_word(c->marks.items[i]);
    return apply_mark(l, n, mark_of(mark, strlen(mark)), false, x, y);
}

/* a < b < c: b is evaluated once, and c only if a < b. */
static ir_value chain(struct lower *l, TSNode n, const struct comparison *c)
{
    int result = py_new_temporary(l), done = py_new_block(l);
    ir_value x = py_lower_expr(l, c->operands.items[0]);
    for (int i = 0; i < c->marks.count; i++) {
        ir_value y = py_lower_expr(l, c->operands.items[i + 1]), is = compare(l, n, c, i, x, y);
        py_emit_set(l, n, result, is);
        if (i + 1 < c->marks.count) {
            int next = py_new_block(l);
            py_emit_branch(l, n, py_emit_apply(l, n, PROTOCOL_TRUTH, is, 0, 0), next, done);
            py_begin_block(l, next);
        }
        x = y;
    }
    py_emit_jump(l, n, done);
    py_begin_block(l, done);
    return py_emit_get(l, n, result);
}

static ir_value comparison(struct lower *l, TSNode n)
{
    struct comparison c = {node_children(l->arena, n),
                           node_all(l->grammar, l->arena, n, FIELD_operators)};
    if (c.operands.count != c.marks.count + 1)
        return py_emit_anything(l, n, "a comparison that is not complete");
    if (c.marks.count > 1)
        return chain(l, n, &c);
    ir_value x = py_lower_expr(l, c.operands.items[0]), y = py_lower_expr(l, c.operands.items[1]);
    return compare(l, n, &c, 0, x, y);
}

ir_value py_lower_operator(struct lower *l, TSNode n)
{
    switch (py_kind_of(l, n)) {
    case NODE_unary_operator:
        return unary(l, n);
    case NODE_not_operator:
        return py_emit_apply(l, n, PROTOCOL_NOT,
                             py_lower_expr(l, py_field_of(l, n, FIELD_argument)), 0, 0);
    case NODE_boolean_operator:
        return logical(l, n);
    case NODE_comparison_operator:
        return comparison(l, n);
    default:
        return binary(l, n);
    }
}

/* ---- x += y ---------------------------------------------------------------------------------- */

static ir_value computed(struct lower *l, TSNode n, ir_value old)
{
    const char *mark = node_word(py_field_of(l, n, FIELD_operator));
    ir_value y = py_lower_expr(l, py_field_of(l, n, FIELD_right));
    if (!y) /* "x += y: int", which the grammar accepts */
        y = py_emit_anything(l, n, "an expression is missing");
    return apply_mark(l, n, mark_of(mark, *mark ? strlen(mark) - 1 : 0), true, old, y);
}

/* What is assigned to is evaluated once. */
ir_value py_lower_augmented(struct lower *l, TSNode n)
{
    TSNode to = py_field_of(l, n, FIELD_left);
    ir_value of, index, v;
    switch (py_kind_of(l, to)) {
    case NODE_attribute:
        of = py_lower_expr(l, py_field_of(l, to, FIELD_object));
        const char *name = node_name(l, py_field_of(l, to, FIELD_attribute));
        v = computed(l, n, py_emit_attr(l, to, of, name));
        py_emit_setattr(l, n, of, name, v);
        return v;
    case NODE_subscript:
        of = py_lower_expr(l, py_field_of(l, to, FIELD_value));
        index = py_lower_index(l, to);
        v = computed(l, n, py_emit_apply(l, to, PROTOCOL_GETITEM, of, index, 0));
        py_emit_apply(l, n, PROTOCOL_SETITEM, of, index, v);
        return v;
    default:
        v = computed(l, n, py_lower_expr(l, to));
        py_lower_assign(l, to, v);
        return v;
    }
}
