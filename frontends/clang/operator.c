/* Operators: arithmetic, comparison, increments and assignments. Pointers move by elements, bit-
 * fields keep only their bits. */
#include "frontends/clang/lower.h"

/* ---- bit-fields ----------------------------------------------------------------------------- */

ir_value cut_to_bits(struct lower *l, struct node *at, ir_value v, int bits)
{
    const struct type *t = inst_of(l, v)->type;
    if (!bits || t->kind != TYPE_INT || bits >= t->bits)
        return v;
    ir_value cut = emit_convert(l, at, v, type_int(l->unit, bits, t->is_signed));
    return emit_convert(l, at, cut, t);
}

/* The value truncated to the width of the place it is stored to. */
static ir_value fitted(struct lower *l, struct node *to, ir_value v)
{
    to = bare(l, to);
    if (!v || to->cursor.kind != CXCursor_MemberRefExpr || node_type(l, to)->kind != TYPE_INT)
        return v;
    CXCursor c = l->c->getCursorReferenced(to->cursor);
    struct symbol *field = c.kind == CXCursor_FieldDecl ? field_of(l, c) : NULL;
    return field ? cut_to_bits(l, to, v, field->bits) : v;
}

/* ---- one operand ---------------------------------------------------------------------------- */

/* Adds a number of elements or units. */
static ir_value stepped(struct lower *l, struct node *n, ir_value old, const struct type *t,
                        int64_t by)
{
    if (t->kind == TYPE_POINTER)
        return emit_element(l, n, old, emit_int(l, n, type_int(l->unit, 64, true), by));
    if (t->kind == TYPE_UNKNOWN)
        return emit_anything(l, n, t, "arithmetic on a type that is not modelled", &old, 1);
    ir_value one = emit_int(l, n, t, 1);
    return emit_binary(l, n, by < 0 ? ARITH_SUB : ARITH_ADD, t, old, one);
}

static ir_value lower_step(struct lower *l, struct node *n, int64_t by, bool is_post)
{
    struct node *operand = nth_expression(n, 0);
    const struct type *t = node_type(l, operand);
    ir_value address = address_of(l, operand);
    ir_value old = emit_load(l, operand, address, t);
    if (!old)
        return not_modelled(l, n, "a step of something without a value");
    ir_value new = fitted(l, operand, stepped(l, n, old, t, by));
    emit_store(l, n, address, new);
    return is_post ? old : new;
}

ir_value lower_unary(struct lower *l, struct node *n)
{
    struct node *operand = nth_expression(n, 0);
    enum CXUnaryOperatorKind kind = l->c->getCursorUnaryOperatorKind(n->cursor);
    const struct type *t = node_type(l, n);
    if (!operand)
        return not_modelled(l, n, "an operator without an operand");
    switch (kind) {
    case CXUnaryOperator_PostInc:
        return lower_step(l, n, 1, true);
    case CXUnaryOperator_PostDec:
        return lower_step(l, n, -1, true);
    case CXUnaryOperator_PreInc:
        return lower_step(l, n, 1, false);
    case CXUnaryOperator_PreDec:
        return lower_step(l, n, -1, false);
    case CXUnaryOperator_AddrOf:
        return emit_convert(l, n, address_of(l, operand), t);
    case CXUnaryOperator_Deref:
        return load_from(l, n, value_of(l, operand), t);
    case CXUnaryOperator_Plus:
    case CXUnaryOperator_Extension:
        return value_of(l, operand);
    case CXUnaryOperator_Minus:
    case CXUnaryOperator_Not:
    case CXUnaryOperator_LNot:
        break;
    case CXUnaryOperator_Invalid:
    case CXUnaryOperator_Real:
    case CXUnaryOperator_Imag:
    case CXUnaryOperator_Coawait:
        return not_modelled(l, n, "an operator that is not modelled");
    }
    ir_value v = value_of(l, operand);
    if (!v || t->kind == TYPE_UNKNOWN)
        return emit_anything(l, n, t, "arithmetic on a type that is not modelled", &v, v ? 1 : 0);
    enum ir_arith arith = kind == CXUnaryOperator_Minus ? ARITH_NEG
                          : kind == CXUnaryOperator_Not ? ARITH_NOT
                                                        : ARITH_LNOT;
    return emit_unary(l, n, arith, t, v);
}

/* ---- two operands --------------------------------------------------------------------------- */

/* What the operator computes; ARITH_COUNT: not in the table. */
static enum ir_arith arith_of(enum CXBinaryOperatorKind kind)
{
    static const unsigned char plain[] = {
        [CXBinaryOperator_Mul] = ARITH_MUL + 1,       [CXBinaryOperator_Div] = ARITH_DIV + 1,
        [CXBinaryOperator_Rem] = ARITH_REM + 1,       [CXBinaryOperator_Add] = ARITH_ADD + 1,
        [CXBinaryOperator_Sub] = ARITH_SUB + 1,       [CXBinaryOperator_Shl] = ARITH_SHL + 1,
        [CXBinaryOperator_Shr] = ARITH_SHR + 1,       [CXBinaryOperator_LT] = ARITH_LT + 1,
        [CXBinaryOperator_GT] = ARITH_GT + 1,         [CXBinaryOperator_LE] = ARITH_LE + 1,
        [CXBinaryOperator_GE] = ARITH_GE + 1,         [CXBinaryOperator_EQ] = ARITH_EQ + 1,
        [CXBinaryOperator_NE] = ARITH_NE + 1,         [CXBinaryOperator_And] = ARITH_AND + 1,
        [CXBinaryOperator_Xor] = ARITH_XOR + 1,       [CXBinaryOperator_Or] = ARITH_OR + 1,
        [CXBinaryOperator_MulAssign] = ARITH_MUL + 1, [CXBinaryOperator_DivAssign] = ARITH_DIV + 1,
        [CXBinaryOperator_RemAssign] = ARITH_REM + 1, [CXBinaryOperator_AddAssign] = ARITH_ADD + 1,
        [CXBinaryOperator_SubAssign] = ARITH_SUB + 1, [CXBinaryOperator_ShlAssign] = ARITH_SHL + 1,
        [CXBinaryOperator_ShrAssign] = ARITH_SHR + 1, [CXBinaryOperator_AndAssign] = ARITH_AND + 1,
        [CXBinaryOperator_XorAssign] = ARITH_XOR + 1, [CXBinaryOperator_OrAssign] = ARITH_OR + 1,
    };
    int row = (int)kind >= 0 && (int)kind < COUNT(plain) ? plain[kind] : 0;
    return row ? (enum ir_arith)(row - 1) : ARITH_COUNT;
}

/* a op b with both evaluated, where the result is a pointer. */
static ir_value pointer_arithmetic(struct lower *l, struct node *n, enum ir_arith arith, ir_value a,
                                   ir_value b)
{
    bool swapped = inst_of(l, a)->type->kind != TYPE_POINTER;
    ir_value base = swapped ? b : a, by = swapped ? a : b;
    if (arith == ARITH_SUB)
        by = emit_unary(l, n, ARITH_NEG, inst_of(l, by)->type, by);
    return emit_element(l, n, base, by);
}

ir_value compute(struct lower *l, struct node *n, enum ir_arith arith, const struct type *t,
                 ir_value a, ir_value b)
{
    ir_value args[] = {a, b};
    if (!a || !b || t->kind == TYPE_UNKNOWN || is_aggregate(t))
        return emit_anything(l, n, t, "arithmetic on a type that is not modelled",
                             a ? args : args + 1, (a != 0) + (b != 0));
    if (t->kind == TYPE_POINTER)
        return pointer_arithmetic(l, n, arith, a, b);
    return emit_binary(l, n, arith, t, a, b);
}

static ir_value lower_assign(struct lower *l, struct node *n)
{
    struct node *to = nth(n, 0), *from = nth(n, 1);
    const struct type *t = node_type(l, to);
    ir_value v = fitted(l, to, value_as(l, from, t));
    ir_value address = address_of(l, to);
    if (is_aggregate(t)) {
        emit_copy(l, n, address, v);
        return address;
    }
    emit_store(l, n, address, v);
    return v;
}

/* libclang does not expose the type the operation is computed in; the right side was converted to
 * it. */
ir_value lower_compound_assign(struct lower *l, struct node *n)
{
    struct node *to = nth(n, 0), *from = nth(n, 1);
    enum CXBinaryOperatorKind kind = l->c->getCursorBinaryOperatorKind(n->cursor);
    const struct type *t = node_type(l, to), *in = node_type(l, from);
    bool shifts = kind == CXBinaryOperator_ShlAssign || kind == CXBinaryOperator_ShrAssign;
    if (t->kind == TYPE_POINTER)
        in = t;
    else if (shifts)
        in = t->kind == TYPE_INT && t->bits >= 32 ? t : int_type(l);
    ir_value by = value_of(l, from);
    ir_value address = address_of(l, to);
    ir_value old = emit_convert(l, n, emit_load(l, to, address, t), in);
    ir_value new = compute(l, n, arith_of(kind), in, old, by);
    new = fitted(l, to, emit_convert(l, n, new, t));
    if (new)
        emit_store(l, n, address, new);
    return new;
}

ir_value lower_binary(struct lower *l, struct node *n)
{
    enum CXBinaryOperatorKind kind = l->c->getCursorBinaryOperatorKind(n->cursor);
    struct node *a = nth(n, 0), *b = nth(n, 1);
    if (!a || !b)
        return not_modelled(l, n, "an operator without an operand");
    if (kind == CXBinaryOperator_Assign)
        return lower_assign(l, n);
    if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr)
        return lower_logical(l, n);
    if (kind == CXBinaryOperator_Comma) {
        effect_of(l, a);
        return value_of(l, b);
    }
    enum ir_arith arith = arith_of(kind);
    if (arith == ARITH_COUNT)
        return not_modelled(l, n, "an operator that is not modelled");
    ir_value x = value_of(l, a), y = value_of(l, b);
    return compute(l, n, arith, node_type(l, n), x, y);
}
