/* Expressions: values and addresses. An aggregate has no value, only an address. C's implicit
 * conversions are nodes of their own ("unexposed") in libclang, which does not expose their kind:
 * it follows from the types. */
#include "frontends/clang/cpp.h"

#include <string.h>

#define ROW(kind) [kind - CXCursor_FirstExpr]

typedef ir_value lowering(struct lower *l, struct node *n);

/* ---- what is not modelled ------------------------------------------------------------------- */

/* All operands are evaluated, and what they point to escapes. */
ir_value not_modelled(struct lower *l, struct node *n, const char *why)
{
    LIST(ir_value) args = {0};
    for (struct node *child = n->first; child; child = child->next) {
        ir_value v = is_expression(child) && child->depth <= MAX_DEPTH ? value_of(l, child) : 0;
        if (v)
            LIST_ADD(l->scratch, &args, v);
    }
    return emit_anything(l, n, node_type(l, n), why, args.items, args.count);
}

/* ---- names ---------------------------------------------------------------------------------- */

static ir_value function_address(struct lower *l, struct node *n, const struct symbol *s)
{
    return emit(
        l, n, (struct ir_inst){.op = IR_FUNCTION, .type = pointer_to(l, s->type), .name = s->name});
}

static ir_value name_address(struct lower *l, struct node *n)
{
    ir_value captured =
        l->is_cpp ? captured_address(l, n, l->c->getCursorReferenced(n->cursor)) : 0;
    if (captured)
        return captured;
    struct symbol *s = node_symbol(l, n);
    switch (s->kind) {
    case SYMBOL_LOCAL:
        if (l->is_cpp && s->function != l->f)
            break;
        if (s->is_reference)
            return referred(l, n, s, emit_local(l, n, s->index));
        if (s->index < l->f->locals.count && s->type == l->f->locals.items[s->index].type)
            return emit_local(l, n, s->index);
        break;
    case SYMBOL_GLOBAL:
        return referred(l, n, s, emit_global(l, n, s->global));
    case SYMBOL_FUNCTION:
        return function_address(l, n, s);
    case SYMBOL_CONSTANT: /* bound to a reference */
        return address_of_value(l, n, emit_int(l, n, node_type(l, n), s->value));
    case SYMBOL_FIELD:
    case SYMBOL_LABEL:
    case SYMBOL_OTHER:
        break;
    }
    return emit_anything(l, n, pointer_to(l, node_type(l, n)), "a name that is not known", NULL, 0);
}

static bool is_volatile(struct lower *l, struct node *n)
{
    return l->c->isVolatileQualifiedType(l->c->getCanonicalType(l->c->getCursorType(n->cursor)));
}

/* A volatile one is changed by others. */
ir_value load_from(struct lower *l, struct node *n, ir_value address, const struct type *t)
{
    bool is_scalar = t->kind != TYPE_VOID && t->kind != TYPE_ARRAY && t->kind != TYPE_RECORD &&
                     t->kind != TYPE_FUNCTION;
    return is_scalar && is_volatile(l, n) ? emit_some(l, n, t, "a volatile variable")
                                          : emit_load(l, n, address, t);
}

/* A number that a library sets, such as errno: any of its functions may. A text, such as optarg, is
 * another one only after a call of which nothing is known. */
static bool is_of_library(struct lower *l, const struct symbol *s)
{
    const struct source *in =
        s->type->kind == TYPE_INT && s->global->is_extern && !s->global->is_const
            ? source_of(l, l->c->getCursorLocation(s->cursor))
            : NULL;
    return in && in->is_system;
}

static ir_value global_value(struct lower *l, struct node *n, const struct symbol *s)
{
    return is_of_library(l, s) ? emit_some(l, n, s->type, "a variable of a library")
                               : load_from(l, n, name_address(l, n), s->type);
}

static ir_value name_value(struct lower *l, struct node *n)
{
    struct symbol *s = node_symbol(l, n);
    if (s->kind == SYMBOL_CONSTANT)
        return emit_int(l, n, node_type(l, n), s->value);
    if (s->kind == SYMBOL_OTHER)
        return emit_anything(l, n, node_type(l, n), "a name that is not known", NULL, 0);
    if (s->is_reference || (l->is_cpp && s->kind == SYMBOL_LOCAL))
        return local_value(l, n, s);
    if (s->kind == SYMBOL_GLOBAL)
        return global_value(l, n, s);
    if (s->kind == SYMBOL_LOCAL) /* which nothing else changes, volatile or not */
        return emit_load(l, n, name_address(l, n), s->type);
    return name_address(l, n);
}

/* ---- fields and elements -------------------------------------------------------------------- */

/* A field may be in unnamed records inside the record: these are the fields on the path to it. */
ir_value field_address(struct lower *l, struct node *at, ir_value base, const struct type *record,
                       struct symbol *field)
{
    struct symbol *outer = field->record == record ? NULL : enclosing_field(l, field->record);
    if (outer)
        base = field_address(l, at, base, record, outer);
    return emit_field(l, at, base, field);
}

static ir_value member_address(struct lower *l, struct node *n)
{
    struct node *base = nth_expression(n, 0);
    CXCursor referenced = l->c->getCursorReferenced(n->cursor);
    if (l->is_cpp && referenced.kind == CXCursor_VarDecl) {
        struct symbol *s = symbol_of(l, referenced);
        return referred(l, n, s, emit_global(l, n, s->global));
    }
    if (l->is_cpp && referenced.kind == CXCursor_FieldDecl) {
        struct symbol *field = field_of(l, referenced);
        return field && field->kind == SYMBOL_FIELD
                   ? member_of_class(l, n, base, field)
                   : not_modelled(l, n, "a field that is not known");
    }
    struct symbol *field = referenced.kind == CXCursor_FieldDecl ? field_of(l, referenced) : NULL;
    if (!base || !field || field->kind != SYMBOL_FIELD)
        return not_modelled(l, n, "a field that is not known");
    const struct type *t = node_type(l, base);
    bool is_pointer = t->kind == TYPE_POINTER;
    ir_value from = is_pointer ? value_of(l, base) : address_of(l, base);
    return field_address(l, n, from, is_pointer ? t->of : t, field);
}

static ir_value element_address(struct lower *l, struct node *n)
{
    struct node *base = nth_expression(n, 0), *index = nth_expression(n, 1);
    if (!base || !index)
        return not_modelled(l, n, "an element of something not known");
    if (node_type(l, base)->kind != TYPE_POINTER && node_type(l, index)->kind == TYPE_POINTER) {
        struct node *other = base;
        base = index;
        index = other;
    }
    if (node_type(l, base)->kind != TYPE_POINTER) {
        const struct type *t = pointer_to(l, node_type(l, n));
        ir_value args[] = {address_of(l, base), value_of(l, index)};
        return emit_anything(l, n, t, "an element of a vector", args, args[1] ? 2 : 1);
    }
    ir_value from = value_of(l, base), by = value_of(l, index);
    return emit_element(l, n, from, by);
}

static ir_value load_member(struct lower *l, struct node *n)
{
    return load_from(l, n, member_address(l, n), node_type(l, n));
}

static ir_value load_element(struct lower *l, struct node *n)
{
    return load_from(l, n, element_address(l, n), node_type(l, n));
}

static ir_value pass_value(struct lower *l, struct node *n)
{
    struct node *inner = nth_expression(n, 0);
    return inner ? value_of(l, inner) : not_modelled(l, n, "an empty expression");
}

static ir_value pass_address(struct lower *l, struct node *n)
{
    struct node *inner = nth_expression(n, 0);
    return inner ? address_of(l, inner) : not_modelled(l, n, "an empty expression");
}

/* ---- conversions and the like --------------------------------------------------------------- */

static ir_value lower_cast(struct lower *l, struct node *n)
{
    const struct type *t = node_type(l, n);
    struct node *operand = n->last;
    if (!operand || !is_expression(operand))
        return not_modelled(l, n, "a cast of nothing");
    if (t->kind == TYPE_VOID) {
        effect_of(l, operand);
        return 0;
    }
    if (is_aggregate(t) && node_type(l, operand) != t)
        return not_modelled(l, n, "a cast to a union");
    return value_as(l, operand, t);
}

ir_value list_address(struct lower *l, struct node *n)
{
    return node_type(l, n)->kind == TYPE_RECORD ? address_of(l, n) : value_of(l, n);
}

static ir_value lower_next_argument(struct lower *l, struct node *n, struct node *list)
{
    ir_value at = is_aggregate(node_type(l, n)) ? 0 : list_address(l, list);
    return at ? emit_list_next(l, n, at, node_type(l, n))
              : not_modelled(l, n, "a variadic argument");
}

/* Identified by the number of operands and by the types, since libclang exposes no name. */
static ir_value lower_several(struct lower *l, struct node *n)
{
    int64_t choice;
    int count = child_count(n);
    if (starts_with(l, n, "__atomic_") || starts_with(l, n, "__c11_atomic_"))
        return lower_atomic(l, n);
    if (count == 4 && node_type(l, nth(n, 0)) == node_type(l, nth(n, 1)))
        return lower_short_conditional(l, n, true);
    if (count == 3 && starts_with(l, n, "__builtin_choose_expr") &&
        evaluate_int(l, nth(n, 0)->cursor, &choice))
        return value_of(l, nth(n, choice ? 1 : 2));
    if (evaluate_int(l, n->cursor, &choice))
        return emit_int(l, n, node_type(l, n), choice);
    return not_modelled(l, n, "an expression that is not modelled");
}

static ir_value lower_none(struct lower *l, struct node *n)
{
    int64_t value;
    const struct type *t = node_type(l, n);
    bool number = t->kind == TYPE_INT || t->kind == TYPE_BOOL;
    if (number && evaluate_int(l, n->cursor, &value))
        return emit_int(l, n, t, value);
    return not_modelled(l, n, "an expression that is not modelled");
}

static ir_value lower_unexposed(struct lower *l, struct node *n)
{
    struct node *inner = n->first;
    if (!inner || !is_expression(inner))
        return lower_none(l, n);
    if (inner->next)
        return lower_several(l, n);
    const struct type *t = node_type(l, n), *from = node_type(l, inner);
    if (l->is_cpp && (t->kind == TYPE_RECORD || t->kind == TYPE_POINTER)) {
        ir_value v = class_value(l, n, inner);
        if (v)
            return v;
    }
    if (is_argument_list(from) && !is_argument_list(t))
        return lower_next_argument(l, n, inner);
    if (t->kind == TYPE_VOID) {
        effect_of(l, inner);
        return 0;
    }
    if (t->kind == TYPE_UNKNOWN && from->kind != TYPE_UNKNOWN)
        return not_modelled(l, n, "an expression that is not modelled");
    if (t->kind == TYPE_ARRAY)
        return emit_load(l, n, address_of(l, inner), t);
    return value_as(l, inner, t);
}

static ir_value unexposed_address(struct lower *l, struct node *n)
{
    struct node *inner = n->first;
    bool is_text = inner && inner->cursor.kind == CXCursor_StringLiteral; /* __func__ */
    if (is_text && node_type(l, n)->kind == TYPE_ARRAY)
        return address_of(l, inner);
    if (!l->is_cpp || !inner || !is_expression(inner) || inner->next)
        return 0;
    const struct type *t = node_type(l, n), *from = node_type(l, inner);
    if (t == from)
        return address_of(l, inner);
    bool is_part = t->kind == TYPE_RECORD && from->kind == TYPE_RECORD && is_base(l, from, t);
    return is_part ? emit_base(l, n, address_of(l, inner), from, t) : 0;
}

static ir_value lower_selection(struct lower *l, struct node *n)
{
    int64_t value;
    struct node *choice = chosen(l, n);
    if (choice)
        return value_as(l, choice, node_type(l, n));
    if (evaluate_int(l, n->cursor, &value))
        return emit_int(l, n, node_type(l, n), value);
    return emit_anything(l, n, node_type(l, n), "a _Generic whose choice is not clear", NULL, 0);
}

static ir_value selection_address(struct lower *l, struct node *n)
{
    struct node *choice = chosen(l, n);
    return choice ? address_of(l, choice) : 0;
}

static ir_value lower_conditional_value(struct lower *l, struct node *n)
{
    return lower_conditional(l, n, true);
}

static ir_value lower_statement_expression(struct lower *l, struct node *n)
{
    return n->first ? lower_block_value(l, n->first) : 0;
}

static ir_value lower_null(struct lower *l, struct node *n)
{
    return emit_int(l, n, node_type(l, n), 0);
}

static ir_value lower_label_address(struct lower *l, struct node *n)
{
    CXCursor label = n->first ? l->c->getCursorReferenced(n->first->cursor) : n->cursor;
    struct symbol *s = map_get(l->symbols, declaration_key(label));
    ir_value number = emit_int(l, n, type_int(l->unit, 64, true), s ? s->index : 0);
    return emit_convert(l, n, number, node_type(l, n));
}

static ir_value text_pointer(struct lower *l, struct node *n)
{
    return emit_load(l, n, lower_text(l, n), node_type(l, n));
}

static ir_value load_literal(struct lower *l, struct node *n)
{
    return emit_load(l, n, lower_compound_literal(l, n), node_type(l, n));
}

/* ---- the tables ----------------------------------------------------------------------------- */

static lowering *const values[] = {
    ROW(CXCursor_UnexposedExpr) = lower_unexposed,
    ROW(CXCursor_DeclRefExpr) = name_value,
    ROW(CXCursor_MemberRefExpr) = load_member,
    ROW(CXCursor_CallExpr) = lower_call,
    ROW(CXCursor_IntegerLiteral) = lower_integer,
    ROW(CXCursor_FloatingLiteral) = lower_real,
    ROW(CXCursor_StringLiteral) = text_pointer,
    ROW(CXCursor_CharacterLiteral) = lower_integer,
    ROW(CXCursor_ParenExpr) = pass_value,
    ROW(CXCursor_UnaryOperator) = lower_unary,
    ROW(CXCursor_ArraySubscriptExpr) = load_element,
    ROW(CXCursor_BinaryOperator) = lower_binary,
    ROW(CXCursor_CompoundAssignOperator) = lower_compound_assign,
    ROW(CXCursor_ConditionalOperator) = lower_conditional_value,
    ROW(CXCursor_CStyleCastExpr) = lower_cast,
    ROW(CXCursor_CompoundLiteralExpr) = load_literal,
    ROW(CXCursor_InitListExpr) = lower_list_value,
    ROW(CXCursor_AddrLabelExpr) = lower_label_address,
    ROW(CXCursor_StmtExpr) = lower_statement_expression,
    ROW(CXCursor_GenericSelectionExpr) = lower_selection,
    ROW(CXCursor_GNUNullExpr) = lower_null,
    ROW(CXCursor_CXXBoolLiteralExpr) = lower_integer,
    ROW(CXCursor_CXXNullPtrLiteralExpr) = lower_null,
    ROW(CXCursor_UnaryExpr) = lower_size,
    ROW(CXCursor_CXXStaticCastExpr) = lower_named_cast,
    ROW(CXCursor_CXXDynamicCastExpr) = lower_named_cast,
    ROW(CXCursor_CXXReinterpretCastExpr) = lower_named_cast,
    ROW(CXCursor_CXXConstCastExpr) = lower_named_cast,
    ROW(CXCursor_CXXFunctionalCastExpr) = lower_named_cast,
    ROW(CXCursor_CXXThisExpr) = lower_this,
    ROW(CXCursor_CXXThrowExpr) = lower_throw,
    ROW(CXCursor_CXXNewExpr) = lower_new,
    ROW(CXCursor_CXXDeleteExpr) = lower_delete,
    ROW(CXCursor_LambdaExpr) = lower_lambda,
};

/* Expressions that have an address. A handler may return 0 if this one has none. */
static lowering *const addresses[] = {
    ROW(CXCursor_UnexposedExpr) = unexposed_address,
    ROW(CXCursor_DeclRefExpr) = name_address,
    ROW(CXCursor_MemberRefExpr) = member_address,
    ROW(CXCursor_StringLiteral) = lower_text,
    ROW(CXCursor_ParenExpr) = pass_address,
    ROW(CXCursor_ArraySubscriptExpr) = element_address,
    ROW(CXCursor_CompoundLiteralExpr) = lower_compound_literal,
    ROW(CXCursor_GenericSelectionExpr) = selection_address,
    ROW(CXCursor_CallExpr) = call_address,
    ROW(CXCursor_ConditionalOperator) = choice_address,
    ROW(CXCursor_CXXStaticCastExpr) = cast_address,
    ROW(CXCursor_CXXConstCastExpr) = cast_address,
};

ir_value value_of(struct lower *l, struct node *n)
{
    int row = (int)n->cursor.kind - CXCursor_FirstExpr;
    if (n->depth > MAX_DEPTH)
        return emit_anything(l, n, node_type(l, n), "nested too deeply", NULL, 0);
    if (row >= 0 && row < COUNT(values) && values[row])
        return values[row](l, n);
    return not_modelled(l, n, "an expression that is not modelled");
}

ir_value value_as(struct lower *l, struct node *n, const struct type *t)
{
    ir_value from = value_of(l, n), as = l->is_cpp ? convert_class(l, n, from, t) : 0;
    ir_value v = as ? as : emit_convert(l, n, from, t);
    if (!v && t->kind != TYPE_VOID)
        v = emit_anything(l, n, t, "an expression without a value", NULL, 0);
    return v;
}

static ir_value dereferenced(struct lower *l, struct node *n)
{
    if (n->cursor.kind != CXCursor_UnaryOperator || !n->first)
        return 0;
    enum CXUnaryOperatorKind kind = l->c->getCursorUnaryOperatorKind(n->cursor);
    if (kind == CXUnaryOperator_Deref)
        return value_of(l, n->first);
    return kind == CXUnaryOperator_Extension ? address_of(l, n->first) : 0;
}

ir_value address_of(struct lower *l, struct node *n)
{
    int row = (int)n->cursor.kind - CXCursor_FirstExpr;
    const struct type *t = node_type(l, n);
    ir_value v = 0;
    if (n->depth > MAX_DEPTH)
        return emit_anything(l, n, pointer_to(l, t), "nested too deeply", NULL, 0);
    if (row >= 0 && row < COUNT(addresses) && addresses[row])
        v = addresses[row](l, n);
    if (!v)
        v = dereferenced(l, n);
    if (!v && is_aggregate(t))
        return value_as(l, n, t);
    if (!v) { /* an rvalue */
        ir_value value = value_as(l, n, t->kind == TYPE_VOID ? int_type(l) : t);
        v = emit_temporary(l, n, inst_of(l, value)->type);
        emit_store(l, n, v, value);
    }
    return v;
}

/* ---- effects -------------------------------------------------------------------------------- */

static void effect_of_logical(struct lower *l, struct node *n)
{
    struct label yes = {0};
    branch_on(l, n, &yes, &yes);
    place(l, &yes);
}

void effect_of(struct lower *l, struct node *n)
{
    n = core(l, n);
    enum CXCursorKind k = n->cursor.kind;
    if (n->depth > MAX_DEPTH)
        value_of(l, n);
    else if (k == CXCursor_DeclRefExpr || k == CXCursor_IntegerLiteral || k == CXCursor_UnaryExpr)
        return;
    else if (k == CXCursor_CStyleCastExpr && n->last && is_expression(n->last))
        effect_of(l, n->last);
    else if (k == CXCursor_ConditionalOperator)
        lower_conditional(l, n, false);
    else if (k == CXCursor_BinaryOperator &&
             (l->c->getCursorBinaryOperatorKind(n->cursor) == CXBinaryOperator_LAnd ||
              l->c->getCursorBinaryOperatorKind(n->cursor) == CXBinaryOperator_LOr))
        effect_of_logical(l, n);
    else
        value_of(l, n);
}
