/* Calls in C++: of functions, methods and operators. References are passed as addresses, arguments
 * that are left out have the values that the declaration says, and what a virtual method does is
 * found in the object. */
#include "frontends/clang/cpp.h"

#include <string.h>

/* ---- arguments ------------------------------------------------------------------------------ */

/* The function itself is among the children: first, or where the operator is written. */
static bool is_callee(struct lower *l, struct node *n, CXCursor callee)
{
    struct node *inner = core(l, n);
    enum CXCursorKind k = inner->cursor.kind;
    return (k == CXCursor_DeclRefExpr || k == CXCursor_MemberRefExpr) &&
           declaration_key(l->c->getCursorReferenced(inner->cursor)) == declaration_key(callee);
}

void call_arguments(struct lower *l, struct node *n, CXCursor callee, node_list *out)
{
    bool is_met = callee.kind == CXCursor_Constructor;
    for (struct node *child = n->first; child; child = child->next) {
        if (!is_expression(child))
            continue;
        if (!is_met && is_callee(l, child, callee))
            is_met = true;
        else
            LIST_ADD(l->scratch, out, child);
    }
}

/* The value that a parameter has if nothing is passed; NULL: it has none. */
static struct node *default_argument(struct lower *l, CXCursor callee, int i)
{
    CXCursor ways[] = {callee, l->c->getCanonicalCursor(callee), l->c->getCursorDefinition(callee)};
    for (int k = 0; k < COUNT(ways); k++) {
        CXCursor p = is_function_kind(ways[k].kind) ? l->c->Cursor_getArgument(ways[k], (unsigned)i)
                                                    : ways[k];
        struct node *tree = p.kind == CXCursor_ParmDecl ? tree_more(l, p) : NULL;
        if (tree && tree->last && is_expression(tree->last))
            return tree->last;
    }
    return NULL;
}

/* libclang has a node without children, in no file, for what is left out. */
bool argument_is_left_out(struct lower *l, const struct node *n)
{
    return n->cursor.kind == CXCursor_UnexposedExpr && !n->first &&
           l->c->getCursorLocation(n->cursor).int_data == 0;
}

static ir_value lower_object_argument(struct lower *l, struct node *n, const struct type *t)
{
    struct node *inner = core(l, n);
    complete(l, t);
    if (inner->last && is_place(l, inner))
        return emit_null(l, n->parent, pointer_to(l, t));
    ir_value copy = emit_temporary(l, n, t);
    construct_at(l, n, copy, t);
    return copy;
}

ir_value lower_passed(struct lower *l, struct node *call, struct node *n, CXCursor callee, int i)
{
    CXType type = l->c->getCursorType(callee);
    int count = l->c->getNumArgTypes(type);
    CXType param = l->c->getArgType(type, (unsigned)i);
    bool is_known = i < count;
    if (!n || argument_is_left_out(l, n))
        n = default_argument(l, callee, i);
    const struct type *t = is_known ? type_of(l, param) : int_type(l);
    if (!n)
        return emit_anything(l, call, value_type(l, t), "an argument that is left out", NULL, 0);
    if (is_known && is_reference_type(l, param))
        return address_of(l, n);
    if (!is_known)
        t = node_type(l, n);
    if (t->kind == TYPE_RECORD)
        return lower_object_argument(l, n, t);
    ir_value v = is_known && t->kind != TYPE_UNKNOWN ? value_as(l, n, t) : value_of(l, n);
    return v ? v : emit_anything(l, n, int_type(l), "an argument without a value", NULL, 0);
}

/* ---- objects -------------------------------------------------------------------------------- */

static struct node *member_called(struct lower *l, struct node *n)
{
    struct node *first = n->first ? core(l, n->first) : NULL;
    bool is_member = first && first->cursor.kind == CXCursor_MemberRefExpr &&
                     is_function_kind(l->c->getCursorReferenced(first->cursor).kind);
    return is_member ? first : NULL;
}

/* An operator has its object as its first argument. */
struct node *called_object(struct lower *l, struct node *n, node_list *args)
{
    struct node *member = member_called(l, n);
    if (member)
        return nth_expression(member, 0);
    if (!args->count)
        return NULL;
    args->count--;
    args->room--;
    return *args->items++;
}

ir_value method_object(struct lower *l, struct node *n, CXCursor callee, node_list *args)
{
    struct node *object = called_object(l, n, args);
    const struct type *to = parent_record(l, callee), *t;
    if (!object) {
        ir_value self = emit_this(l, n);
        return self && l->cpp->record ? emit_base(l, n, self, l->cpp->record, to) : 0;
    }
    t = node_type(l, object);
    bool is_pointer = t->kind == TYPE_POINTER;
    ir_value at = is_pointer ? value_of(l, object) : address_of(l, object);
    const struct type *from = is_pointer ? t->of : t;
    return at && from->kind == TYPE_RECORD ? emit_base(l, n, at, from, to) : at;
}

ir_value address_of_value(struct lower *l, struct node *n, ir_value v)
{
    const struct type *t = node_type(l, n);
    if (is_aggregate(t))
        return v;
    ir_value at = emit_temporary(l, n, inst_of(l, v)->type);
    emit_store(l, n, at, v);
    return at;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static ir_value result_of(struct lower *l, struct node *n, ir_value v, CXType result,
                          bool is_address)
{
    if (!is_reference_type(l, result))
        return v;
    return is_address ? v : emit_load(l, n, v, type_of(l, result)->of);
}

static const struct type *returned_type(struct lower *l, CXType result)
{
    const struct type *t = type_of(l, result);
    if (t->kind == TYPE_RECORD)
        complete(l, t);
    return value_type(l, t);
}

static bool is_read_only(struct lower *l, CXCursor callee, int i)
{
    int first = is_instance_method(l, callee);
    CXType type = l->c->getCursorType(callee);
    if (i < first)
        return callee.kind == CXCursor_CXXMethod && l->c->CXXMethod_isConst(callee);
    if (i - first >= l->c->getNumArgTypes(type))
        return false;
    CXType to =
        l->c->getPointeeType(l->c->getCanonicalType(l->c->getArgType(type, (unsigned)(i - first))));
    return l->c->isConstQualifiedType(to);
}

const char **const_labels(struct lower *l, CXCursor callee, int before, int count)
{
    const char **labels = NULL;
    for (int i = 0; i + before < count; i++) {
        if (!is_read_only(l, callee, i))
            continue;
        if (!labels)
            labels = arena_array(l->scratch, const char *, count);
        labels[i + before] = LABEL_CONST;
    }
    return labels;
}

ir_value emit_named_call(struct lower *l, struct node *n, struct symbol *callee, CXType result,
                         const value_list *args, bool is_address)
{
    struct ir_inst inst = {.op = IR_CALL,
                           .type = returned_type(l, result),
                           .name = callee->name,
                           .args = args->items,
                           .labels = const_labels(l, callee->cursor, 0, args->count),
                           .arg_count = args->count};
    ir_value v = emit(l, n, inst);
    if (callee->no_return) {
        emit_stop(l, n);
        return inst.type ? emit_some(l, n, node_type(l, n), "after a call that does not return")
                         : 0;
    }
    return inst.type ? result_of(l, n, v, result, is_address) : 0;
}

struct qualifier_visit {
    bool is_found;
};

static enum CXChildVisitResult visit_qualifier(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    ((struct qualifier_visit *)data)->is_found |= c.kind == CXCursor_TypeRef;
    return CXChildVisit_Continue;
}

/* base::forward(x) runs that of the base, whatever the object is. */
static bool is_qualified(struct lower *l, struct node *n)
{
    struct qualifier_visit v = {false};
    struct node *member = member_called(l, n);
    if (member)
        l->c->visitChildren(member->cursor, visit_qualifier, &v);
    return v.is_found;
}

/* A variable or member that is an object itself, and no reference, is of exactly its class. */
static bool is_of_exact_class(struct lower *l, struct node *n)
{
    struct node *member = member_called(l, n);
    struct node *object = member ? nth_expression(member, 0) : NULL;
    object = object ? core(l, object) : NULL;
    if (!object || (object->cursor.kind != CXCursor_DeclRefExpr &&
                    object->cursor.kind != CXCursor_MemberRefExpr))
        return false;
    CXCursor declared = l->c->getCursorReferenced(object->cursor);
    bool is_variable = declared.kind == CXCursor_VarDecl || declared.kind == CXCursor_ParmDecl ||
                       declared.kind == CXCursor_FieldDecl;
    return is_variable &&
           l->c->getCanonicalType(l->c->getCursorType(declared)).kind == CXType_Record;
}

static ir_value call_virtual(struct lower *l, struct node *n, CXCursor callee, value_list *args,
                             bool is_address)
{
    CXType result = l->c->getResultType(l->c->getCursorType(callee));
    value_list all = {0};
    ir_value function =
        emit_virtual(l, n, args->items[0], this_record(l, callee), introduced_by(l, callee));
    if (!function)
        return emit_named_call(l, n, symbol_of(l, callee), result, args, is_address);
    LIST_ADD(l->scratch, &all, function);
    for (int i = 0; i < args->count; i++)
        LIST_ADD(l->scratch, &all, args->items[i]);
    struct ir_inst inst = {.op = IR_CALL,
                           .type = returned_type(l, result),
                           .args = all.items,
                           .labels = const_labels(l, callee, 1, all.count),
                           .arg_count = all.count};
    ir_value v = emit(l, n, inst);
    return inst.type ? result_of(l, n, v, result, is_address) : 0;
}

/* An argument of code that is not modelled: an object, or a variable that it may set. */
static ir_value lower_given(struct lower *l, struct node *arg, CXCursor callee, int i)
{
    CXType type = l->c->getCursorType(callee);
    bool is_place =
        i < l->c->getNumArgTypes(type) && is_reference_type(l, l->c->getArgType(type, (unsigned)i));
    is_place |= node_type(l, arg)->kind == TYPE_RECORD;
    return is_place ? address_of(l, arg) : value_of(l, arg);
}

/* What it gets as const, it does not change. */
static ir_value not_called(struct lower *l, struct node *n, CXCursor callee, ir_value object,
                           const node_list *args, bool is_address)
{
    LIST(ir_value) all = {0};
    CXType result = l->c->getResultType(l->c->getCursorType(callee));
    const struct type *t = type_of(l, result);
    int first = is_instance_method(l, callee);
    if (object && !is_read_only(l, callee, 0))
        LIST_ADD(l->scratch, &all, object);
    for (int i = 0; i < args->count; i++) {
        struct node *arg = args->items[i];
        if (argument_is_left_out(l, arg))
            continue;
        ir_value v = lower_given(l, arg, callee, i);
        if (v && !is_read_only(l, callee, i + first))
            LIST_ADD(l->scratch, &all, v);
    }
    if (t->kind == TYPE_RECORD)
        complete(l, t);
    ir_value v = emit_anything(l, n, t, "a function of the standard library that is not modelled",
                               all.items, all.count);
    return v ? result_of(l, n, v, result, is_address) : 0;
}

bool is_cpp_call(struct lower *l, struct node *n)
{
    return l->is_cpp && is_function_kind(l->c->getCursorReferenced(n->cursor).kind);
}

ir_value lower_cpp_call(struct lower *l, struct node *n, bool is_address)
{
    CXCursor callee = l->c->getCursorReferenced(n->cursor);
    CXType type = l->c->getCursorType(callee), result = l->c->getResultType(type);
    node_list nodes = {0};
    value_list args = {0};
    ir_value v = 0, object = 0;
    span_of(l, n);
    if (callee.kind == CXCursor_Constructor)
        return lower_construction(l, n);
    if (lower_std_call(l, n, callee, is_address, &v))
        return v;
    call_arguments(l, n, callee, &nodes);
    bool is_method = is_instance_method(l, callee);
    if (is_method)
        object = method_object(l, n, callee, &nodes);
    if (is_method && object && nodes.count && l->c->CXXMethod_isDefaulted(callee) &&
        !strcmp(plain_name(l, callee), "operator=")) {
        emit_object_copy(l, n, object, address_of(l, nodes.items[0]));
        return object;
    }
    if (is_library(l, callee))
        return not_called(l, n, callee, object, &nodes, is_address);
    if (is_method) {
        if (!object)
            return not_modelled(l, n, "a method of an object that is not known");
        object = emit_base(l, n, object, parent_record(l, callee), this_record(l, callee));
        if (!object)
            return not_modelled(l, n, "a method of an object that is not known");
        LIST_ADD(l->scratch, &args, object);
    }
    int count = l->c->getNumArgTypes(type);
    for (int i = 0; i < nodes.count || i < count; i++)
        LIST_ADD(l->scratch, &args,
                 lower_passed(l, n, i < nodes.count ? nodes.items[i] : NULL, callee, i));
    bool is_virtual = is_method && callee.kind != CXCursor_Constructor &&
                      l->c->CXXMethod_isVirtual(callee) && !is_qualified(l, n) &&
                      !is_of_exact_class(l, n);
    if (is_virtual)
        return call_virtual(l, n, callee, &args, is_address);
    return emit_named_call(l, n, symbol_of(l, callee), result, &args, is_address);
}
