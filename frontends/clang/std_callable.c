/* Calls of what is passed to a function of the standard library: a lambda, an object with
 * operator(), a std::function, or a function. */
#include "frontends/clang/std.h"

#include <string.h>

enum { MAX_INSIDE = 6 }; /* functions of the library that call each other */

struct operator_visit {
    struct lower *l;
    const struct type *closure;
    CXCursor found;
    int depth;
};

static enum CXChildVisitResult visit_call_operator(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct operator_visit *v = data;
    if (c.kind != CXCursor_CXXMethod || strcmp(plain_name(v->l, c), "operator()") != 0)
        return CXChildVisit_Continue;
    v->found = c;
    return CXChildVisit_Break;
}

/* Where the library calls it, a generic lambda has its types. */
static enum CXChildVisitResult visit_use(CXCursor c, CXCursor parent, CXClientData data)
{
    struct operator_visit *v = data;
    struct lower *l = v->l;
    (void)parent;
    CXCursor callee = l->c->getCursorReferenced(c);
    if (c.kind != CXCursor_CallExpr || !is_function_kind(callee.kind))
        return CXChildVisit_Recurse;
    if (callee.kind == CXCursor_CXXMethod && parent_record(l, callee) == v->closure &&
        !strcmp(plain_name(l, callee), "operator()")) {
        v->found = callee;
        return CXChildVisit_Break;
    }
    CXCursor inside = l->c->getCursorDefinition(callee);
    if (v->depth < MAX_INSIDE && is_function_kind(inside.kind) && is_library(l, callee)) {
        v->depth++;
        l->c->visitChildren(inside, visit_use, v);
        v->depth--;
    }
    return v->found.kind == CXCursor_CXXMethod ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool std_callable(struct std_call *c, struct node *from, CXCursor algorithm,
                  struct std_callable *out)
{
    struct lower *l = c->l;
    struct node *made = construction(l, from);
    struct node *n = made ? made : from;
    const struct type *t = node_type(l, n);
    *out = (struct std_callable){.method = {.kind = CXCursor_InvalidFile}};
    if (t->kind == TYPE_FUNCTION || (t->kind == TYPE_POINTER && t->of->kind == TYPE_FUNCTION)) {
        out->function = t->kind == TYPE_FUNCTION ? address_of(l, from) : value_of(l, from);
        out->type = t->kind == TYPE_FUNCTION ? t : t->of;
        return out->function;
    }
    if (t->kind != TYPE_RECORD)
        return false;
    out->object = address_of(l, n);
    struct class *class = class_of(l, t);
    if (!out->object || (class && class->model))
        return false;
    struct operator_visit v = {.l = l, .closure = t, .found = {.kind = CXCursor_InvalidFile}};
    CXType ctype = l->c->getCanonicalType(l->c->getCursorType(n->cursor));
    l->c->visitChildren(l->c->getTypeDeclaration(ctype), visit_call_operator, &v);
    if (v.found.kind != CXCursor_CXXMethod)
        l->c->visitChildren(l->c->getCursorDefinition(algorithm), visit_use, &v);
    out->method = v.found;
    return v.found.kind == CXCursor_CXXMethod;
}

/* What is at the address, as a parameter takes it. */
static ir_value passed(struct std_call *c, ir_value at, const struct type *t, bool is_reference)
{
    struct lower *l = c->l;
    const struct type *of = inst_of(l, at)->type->of;
    if (is_reference)
        return emit_convert(l, c->n, at, t);
    if (!is_aggregate(of))
        return emit_convert(l, c->n, emit_load(l, c->n, at, of), t);
    ir_value copy = emit_temporary(l, c->n, of);
    emit_object_copy(l, c->n, copy, at);
    return copy;
}

ir_value std_call_callable(struct std_call *c, const struct std_callable *f, const ir_value *items,
                           int count)
{
    struct lower *l = c->l;
    value_list args = {0};
    if (f->function) {
        if (f->type->field_count != count)
            return not_modelled(l, c->n, "a function object that is not known");
        LIST_ADD(l->scratch, &args, f->function);
        for (int i = 0; i < count; i++) {
            const struct type *t = f->type->fields[i].type;
            bool is_reference = t->kind == TYPE_POINTER && inst_of(l, items[i])->type == t;
            LIST_ADD(l->scratch, &args, passed(c, items[i], t, is_reference));
        }
        struct ir_inst inst = {.op = IR_CALL,
                               .type = value_type(l, f->type->of),
                               .args = args.items,
                               .arg_count = args.count};
        ir_value v = emit(l, c->n, inst);
        return inst.type ? v : 0;
    }
    CXType type = l->c->getCursorType(f->method);
    LIST_ADD(l->scratch, &args, f->object);
    for (int i = 0; i < count && i < l->c->getNumArgTypes(type); i++) {
        CXType param = l->c->getArgType(type, (unsigned)i);
        LIST_ADD(l->scratch, &args,
                 passed(c, items[i], type_of(l, param), is_reference_type(l, param)));
    }
    return emit_named_call(l, c->n, symbol_of(l, f->method), l->c->getResultType(type), &args,
                           false);
}
