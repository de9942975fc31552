/* Expressions that only C++ has: this, new and delete, named casts, throw; and conversions between
 * classes, which change the address. */
#include "frontends/clang/cpp.h"

#include <string.h>

/* ---- this ----------------------------------------------------------------------------------- */

ir_value emit_this(struct lower *l, struct node *at)
{
    struct cpp_function *f = l->cpp;
    if (!f || f->this_local < 0)
        return 0;
    if (f->lambda)
        return lambda_outer_this(l, at);
    ir_value address = emit_local(l, at, f->this_local);
    return emit_load(l, at, address, l->f->locals.items[f->this_local].type);
}

ir_value lower_this(struct lower *l, struct node *n)
{
    ir_value v = emit_this(l, n);
    return v ? emit_convert(l, n, v, node_type(l, n))
             : emit_anything(l, n, node_type(l, n), "this, outside of a method", NULL, 0);
}

/* ---- conversions ---------------------------------------------------------------------------- */

/* From a derived class to one of its bases, of an address. Backward, the address stays what it is:
 * the analysis knows which object a base is part of. */
ir_value convert_class(struct lower *l, struct node *n, ir_value v, const struct type *to)
{
    const struct type *from = v ? inst_of(l, v)->type : NULL;
    if (!from || from->kind != TYPE_POINTER || to->kind != TYPE_POINTER || from == to ||
        from->of->kind != TYPE_RECORD || to->of->kind != TYPE_RECORD)
        return 0;
    if (inst_of(l, v)->op == IR_NULL || !is_base(l, from->of, to->of))
        return 0;
    return emit_base(l, n, v, from->of, to->of);
}

/* Whether something else is done with the variable than to follow it: x->y. */
static bool is_looked_at(struct lower *l, struct node *n, uint64_t variable)
{
    for (struct node *child = n->first; child; child = child->next) {
        struct node *inner = core(l, child);
        bool is_name = inner->cursor.kind == CXCursor_DeclRefExpr &&
                       declaration_key(l->c->getCursorReferenced(inner->cursor)) == variable;
        bool is_followed =
            n->cursor.kind == CXCursor_MemberRefExpr ||
            (n->cursor.kind == CXCursor_CallExpr &&
             !strcmp(plain_name(l, l->c->getCursorReferenced(n->cursor)), "operator->"));
        if ((is_name && !is_followed) || (!is_name && is_looked_at(l, child, variable)))
            return true;
    }
    return false;
}

/* Whether the program asks if what the cast yields is NULL. */
static bool is_tested(struct lower *l, struct node *cast)
{
    struct node *n = cast->parent, *top;
    for (; n && n->cursor.kind != CXCursor_VarDecl; n = n->parent) {
        bool passes = n->cursor.kind == CXCursor_UnexposedExpr ||
                      n->cursor.kind == CXCursor_ParenExpr || construction(l, n);
        if (n->cursor.kind == CXCursor_MemberRefExpr)
            return false;
        if (!passes)
            return true;
    }
    if (!n)
        return true;
    for (top = n->parent; top && top->cursor.kind == CXCursor_DeclStmt; top = top->parent)
        ;
    return !top || top->cursor.kind != CXCursor_CompoundStmt ||
           is_looked_at(l, top, declaration_key(n->cursor));
}

ir_value emit_or_null(struct lower *l, struct node *n, ir_value v, struct label *yes,
                      struct label *no)
{
    struct label end = {0};
    const struct type *t = inst_of(l, v)->type;
    int result = ir_local_new(l->unit, l->f, "", t, span_of(l, n));
    place(l, yes);
    emit_store(l, n, emit_local(l, n, result), v);
    jump_to(l, NULL, &end);
    place(l, no);
    emit_store(l, n, emit_local(l, n, result), emit_null(l, n, t));
    jump_to(l, NULL, &end);
    place(l, &end);
    return emit_load(l, n, emit_local(l, n, result), t);
}

/* v if it points to such an object, otherwise NULL. */
static ir_value emit_if_is(struct lower *l, struct node *n, ir_value v)
{
    struct label set = {0}, yes = {0}, no = {0};
    const struct type *t = inst_of(l, v)->type, *truth = type_simple(l->unit, TYPE_BOOL);
    branch_to(l, n, emit_binary(l, n, ARITH_NE, truth, v, emit_null(l, n, t)), &set, &no);
    place(l, &set);
    ir_value mark = t->of->kind == TYPE_RECORD ? emit_mark(l, n, v, t->of) : 0;
    branch_to(l, n, mark ? mark : emit_some(l, n, truth, "what a dynamic_cast finds"), &yes, &no);
    return emit_or_null(l, n, v, &yes, &no);
}

ir_value emit_dynamic_cast(struct lower *l, struct node *n, ir_value v, const struct type *to)
{
    ir_value base = convert_class(l, n, v, to);
    if (base)
        return base;
    v = emit_convert(l, n, v, to);
    return is_tested(l, n) ? emit_if_is(l, n, v) : v;
}

ir_value lower_named_cast(struct lower *l, struct node *n)
{
    struct node *operand = n->last;
    const struct type *t = node_type(l, n);
    if (!operand || !is_expression(operand))
        return lower_scalar_value(l, n);
    if (t->kind == TYPE_VOID) {
        effect_of(l, operand);
        return 0;
    }
    if (n->cursor.kind == CXCursor_CXXDynamicCastExpr && t->kind == TYPE_POINTER) {
        ir_value v = value_of(l, operand);
        if (!v)
            return emit_anything(l, n, t, "a dynamic_cast", NULL, 0);
        return emit_dynamic_cast(l, n, v, t);
    }
    if (is_aggregate(t)) {
        complete(l, t);
        ir_value address = emit_temporary(l, n, t);
        construct_at(l, operand, address, t);
        return address;
    }
    if (operand->cursor.kind == CXCursor_InitListExpr)
        return operand->first ? value_as(l, operand->first, t) : emit_int(l, n, t, 0);
    return value_as(l, operand, t);
}

/* int(), or a value that is left out of a list. */
ir_value lower_scalar_value(struct lower *l, struct node *n)
{
    const struct type *t = node_type(l, n);
    int64_t value;
    bool number = t->kind == TYPE_INT || t->kind == TYPE_BOOL;
    if (number && evaluate_int(l, n->cursor, &value))
        return emit_int(l, n, t, value);
    return emit_anything(l, n, t, "an expression that is not modelled", NULL, 0);
}

/* ---- both of a choice ----------------------------------------------------------------------- */

ir_value conditional_address(struct lower *l, struct node *n)
{
    struct label yes = {0}, no = {0}, end = {0};
    const struct type *t = pointer_to(l, node_type(l, n));
    struct label *sides[] = {&yes, &no};
    int result = ir_local_new(l->unit, l->f, "", t, span_of(l, n));
    if (child_count(n) != 3)
        return 0;
    branch_on(l, nth(n, 0), &yes, &no);
    for (int i = 0; i < 2; i++) {
        place(l, sides[i]);
        if (!is_live(l))
            continue;
        ir_value v = emit_convert(l, n, address_of(l, nth(n, i + 1)), t);
        emit_store(l, n, emit_local(l, n, result), v);
        jump_to(l, NULL, &end);
    }
    place(l, &end);
    return emit_load(l, n, emit_local(l, n, result), t);
}

/* ---- lists and texts ------------------------------------------------------------------------ */

ir_value lower_list_object(struct lower *l, struct node *n, struct node *inner)
{
    const struct type *t = node_type(l, n);
    struct class *c = class_of(l, t);
    inner = c && c->model ? std_list_in(l, inner) : NULL;
    if (!inner)
        return 0;
    ir_value address = emit_temporary(l, n, t);
    if (!std_construct_list(l, n, address, t, inner))
        emit_anything(l, n, type_simple(l->unit, TYPE_VOID),
                      "a constructor of the standard library that is not modelled", &address, 1);
    return address;
}

const char *written_text(struct lower *l, struct node *n)
{
    for (; n; n = n->first) {
        n = bare(l, n);
        enum CXCursorKind k = n->cursor.kind;
        if (k == CXCursor_StringLiteral)
            return text_value(l, n);
        bool is_made = k == CXCursor_CallExpr &&
                       l->c->getCursorReferenced(n->cursor).kind == CXCursor_Constructor;
        if (k != CXCursor_UnexposedExpr && k != CXCursor_CXXFunctionalCastExpr && !is_made)
            return NULL;
    }
    return NULL;
}

/* ---- throw ---------------------------------------------------------------------------------- */

/* To the handler around it; otherwise what follows is not reached. */
ir_value lower_throw(struct lower *l, struct node *n)
{
    struct node *operand = nth_expression(n, 0);
    const struct type *t = operand ? node_type(l, operand) : NULL;
    struct class *c = t && t->kind == TYPE_RECORD ? class_of(l, t) : NULL;
    if (operand && !(c && c->model)) /* what is said does not matter */
        effect_of(l, operand);
    if (l->cpp && l->cpp->handler)
        jump_to(l, n, l->cpp->handler);
    else
        emit_stop(l, n);
    return 0;
}

/* ---- names and members ---------------------------------------------------------------------- */

/* What a reference names is where its value points to. */
ir_value referred(struct lower *l, struct node *n, const struct symbol *s, ir_value address)
{
    return s->is_reference ? emit_load(l, n, address, s->type) : address;
}

/* A constant of a function may be used in a lambda that does not capture it. */
ir_value local_value(struct lower *l, struct node *n, const struct symbol *s)
{
    int64_t value;
    const struct type *t = node_type(l, n);
    bool is_outside =
        s->kind == SYMBOL_LOCAL && s->function != l->f &&
        !(l->cpp && l->cpp->lambda && is_captured(l, l->c->getCursorReferenced(n->cursor)));
    if (is_outside && t->kind == TYPE_INT && evaluate_int(l, n->cursor, &value))
        return emit_int(l, n, t, value);
    return emit_load(l, n, address_of(l, n), t);
}

/* The record that the field is in, or the one around it if that has no name. */
static const struct type *record_around(struct lower *l, const struct symbol *field)
{
    const struct type *t = field->record;
    for (const struct symbol *outer; (outer = enclosing_field(l, t));)
        t = outer->record;
    return t;
}

/* Of this object, or of a base. */
ir_value member_of_class(struct lower *l, struct node *n, struct node *base, struct symbol *field)
{
    const struct type *around = record_around(l, field), *t = base ? node_type(l, base) : NULL;
    bool is_pointer = t && t->kind == TYPE_POINTER;
    const struct type *from = !base ? (l->cpp ? l->cpp->record : NULL) : is_pointer ? t->of : t;
    ir_value object = !base        ? emit_this(l, n)
                      : is_pointer ? value_of(l, base)
                                   : address_of(l, base);
    if (object && from && from->kind == TYPE_RECORD)
        object = emit_base(l, n, object, from, around);
    if (!object)
        return not_modelled(l, n, "a field that is not known");
    ir_value at = field_address(l, n, object, around, field);
    return referred(l, n, field, at);
}

/* Conversions between classes and their bases, and lists that become objects; 0: another one. */
ir_value class_value(struct lower *l, struct node *n, struct node *inner)
{
    const struct type *t = node_type(l, n), *from = node_type(l, inner);
    if (t->kind == TYPE_RECORD) {
        if (from == t)
            return value_of(l, inner);
        if (from->kind == TYPE_RECORD && is_base(l, from, t))
            return emit_base(l, n, address_of(l, inner), from, t);
        return lower_list_object(l, n, inner);
    }
    if (from->kind != TYPE_POINTER || from == t || t->of->kind != TYPE_RECORD ||
        from->of->kind != TYPE_RECORD)
        return 0;
    ir_value v = value_of(l, inner), as = convert_class(l, n, v, t);
    return as ? as : emit_convert(l, n, v, t);
}

/* static_cast<T &>(x) */
ir_value cast_address(struct lower *l, struct node *n)
{
    struct node *inner = n->last;
    if (!inner || !is_expression(inner))
        return 0;
    const struct type *t = node_type(l, n), *from = node_type(l, inner);
    if (t == from && !is_aggregate(t))
        return address_of(l, inner);
    if (t->kind != TYPE_RECORD || from->kind != TYPE_RECORD)
        return 0;
    if (is_base(l, from, t))
        return emit_base(l, n, address_of(l, inner), from, t);
    return is_base(l, t, from) ? emit_convert(l, n, address_of(l, inner), pointer_to(l, t)) : 0;
}

ir_value call_address(struct lower *l, struct node *n)
{
    if (!is_cpp_call(l, n))
        return 0;
    CXType result = l->c->getResultType(l->c->getCursorType(l->c->getCursorReferenced(n->cursor)));
    return is_reference_type(l, result) ? lower_cpp_call(l, n, true) : 0;
}

ir_value choice_address(struct lower *l, struct node *n)
{
    return l->is_cpp && !is_aggregate(node_type(l, n)) ? conditional_address(l, n) : 0;
}

ir_value lower_list_value(struct lower *l, struct node *n)
{
    const struct type *t = node_type(l, n);
    if (!l->is_cpp || !is_aggregate(t))
        return nth_expression(n, 0) ? value_of(l, nth_expression(n, 0))
               : l->is_cpp          ? emit_int(l, n, t, 0)
                                    : not_modelled(l, n, "an empty expression");
    complete(l, t);
    ir_value address = emit_temporary(l, n, t);
    initialise(l, address, t, n, false);
    return address;
}
