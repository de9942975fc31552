/* Lambdas. A closure is a record with a field for each variable that the body uses: its address, or
 * a copy of it. The body is a function that takes the closure as `this`. */
#include "frontends/clang/cpp.h"

#include <string.h>

struct capture {
    uint64_t variable; /* its declaration; 0: `this` */
    CXCursor cursor;
    int field;
    bool by_address;
    bool is_made;            /* [x = y]: the lambda's own variable */
    const struct type *type; /* of the variable */
};

struct lambda {
    struct type *record;
    LIST(struct capture) captures;
    const struct type *outer; /* what the captured `this` points to; NULL: it is not */
};

/* ---- what is captured ----------------------------------------------------------------------- */

struct capture_visit {
    struct lower *l;
    struct lambda *lambda;
    bool all_by_address, all_by_copy;
};

/* "[&x": an address. */
static bool has_ampersand(struct lower *l, CXCursor reference)
{
    size_t at, size;
    const char *text = text_at(l, l->c->getCursorLocation(reference), &at, &size);
    while (text && at > 0 && strchr(" \t\n", text[at - 1]))
        at--;
    return text && at > 0 && text[at - 1] == '&';
}

static void note_default(struct capture_visit *v, CXCursor lambda)
{
    size_t at, size;
    const char *text = text_at(v->l, v->l->c->getCursorLocation(lambda), &at, &size);
    if (!text || at >= size || text[at] != '[')
        return;
    do
        at++;
    while (at < size && strchr(" \t\n", text[at]));
    if (at + 1 >= size)
        return;
    char after = text[at + 1];
    v->all_by_copy = text[at] == '=';
    v->all_by_address = text[at] == '&' && (after == ']' || after == ',' || after == ' ');
}

static struct capture *capture_of(struct lambda *lambda, uint64_t variable)
{
    for (int i = 0; i < lambda->captures.count; i++)
        if (lambda->captures.items[i].variable == variable)
            return &lambda->captures.items[i];
    return NULL;
}

static void add_capture(struct capture_visit *v, CXCursor variable, bool by_address)
{
    uint64_t key = declaration_key(variable);
    if (capture_of(v->lambda, key))
        return;
    struct capture c = {.variable = key,
                        .cursor = variable,
                        .field = v->lambda->captures.count,
                        .by_address = by_address};
    CXType t = v->l->c->getCursorType(variable);
    c.type = type_of(v->l, t);
    if (is_reference_type(v->l, t))
        c.type = c.type->of;
    LIST_ADD(v->l->scratch, &v->lambda->captures, c);
}

static bool is_outer_local(struct lower *l, CXCursor variable)
{
    struct symbol *s = map_get(l->symbols, declaration_key(variable));
    return (variable.kind == CXCursor_VarDecl || variable.kind == CXCursor_ParmDecl ||
            variable.kind == CXCursor_UnexposedDecl) &&
           s && s->kind == SYMBOL_LOCAL;
}

static void capture_this(struct capture_visit *v)
{
    struct lower *l = v->l;
    if (v->lambda->outer || !l->cpp)
        return;
    const struct type *outer = l->cpp->lambda ? l->cpp->lambda->outer : l->cpp->record;
    if (!outer)
        return;
    v->lambda->outer = outer;
    struct capture c = {.field = v->lambda->captures.count, .type = pointer_to(l, outer)};
    LIST_ADD(l->scratch, &v->lambda->captures, c);
}

static bool has_object(CXCursor member, struct lower *l);

static enum CXChildVisitResult visit_use(CXCursor c, CXCursor parent, CXClientData data)
{
    struct capture_visit *v = data;
    struct lower *l = v->l;
    (void)parent;
    if (c.kind == CXCursor_DeclRefExpr) {
        CXCursor variable = l->c->getCursorReferenced(c);
        bool is_mine =
            is_outer_local(l, variable) ||
            (l->cpp && l->cpp->lambda && capture_of(l->cpp->lambda, declaration_key(variable)));
        if (is_mine && (v->all_by_address || v->all_by_copy))
            add_capture(v, variable, v->all_by_address);
    }
    if (c.kind == CXCursor_CXXThisExpr || (c.kind == CXCursor_MemberRefExpr && !has_object(c, l)))
        capture_this(v);
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_any(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(bool *)data |= c.kind >= CXCursor_FirstExpr && c.kind <= CXCursor_LastExpr;
    return CXChildVisit_Break;
}

static bool has_object(CXCursor member, struct lower *l)
{
    bool has = false;
    l->c->visitChildren(member, visit_any, &has);
    return has;
}

static void add_made(struct capture_visit *v, CXCursor variable)
{
    add_capture(v, variable, false);
    struct capture *made = capture_of(v->lambda, declaration_key(variable));
    made->is_made = true;
    made->type = type_of(v->l, v->l->c->getCursorType(variable));
}

static enum CXChildVisitResult visit_part(CXCursor c, CXCursor parent, CXClientData data)
{
    struct capture_visit *v = data;
    (void)parent;
    if (c.kind == CXCursor_VariableRef) {
        CXCursor variable = v->l->c->getCursorReferenced(c);
        if (is_outer_local(v->l, variable) ||
            (v->l->cpp && v->l->cpp->lambda &&
             capture_of(v->l->cpp->lambda, declaration_key(variable))))
            add_capture(v, variable, has_ampersand(v->l, c));
        else if (variable.kind == CXCursor_VarDecl)
            add_made(v, variable);
    } else if (c.kind == CXCursor_CompoundStmt) {
        v->l->c->visitChildren(c, visit_use, v);
    }
    return CXChildVisit_Continue;
}

/* ---- closures ------------------------------------------------------------------------------- */

static void define_closure(struct lower *l, struct lambda *lambda)
{
    LIST(struct field) fields = {0};
    for (int i = 0; i < lambda->captures.count; i++) {
        const struct capture *c = &lambda->captures.items[i];
        const char *name = c->variable ? plain_name(l, c->cursor) : "this";
        const struct type *t = c->by_address ? pointer_to(l, c->type) : c->type;
        LIST_ADD(l->scratch, &fields, ((struct field){name_of(l->unit->names, name), t, 0, NULL}));
    }
    if (!lambda->record->field_count && fields.count)
        record_define(l->unit, lambda->record, false, fields.items, fields.count);
}

static ir_value captured_now(struct lower *l, struct node *at, const struct capture *c)
{
    if (!c->variable)
        return emit_this(l, at);
    ir_value inner = captured_address(l, at, c->cursor);
    if (inner)
        return inner;
    struct symbol *s = symbol_of(l, c->cursor);
    ir_value address = emit_local(l, at, s->index);
    return s->is_reference ? emit_load(l, at, address, s->type) : address;
}

static void set_made(struct lower *l, struct node *n, const struct capture *c, ir_value to)
{
    struct node *init = initialiser(l, tree_more(l, c->cursor));
    bool is_reference = is_reference_type(l, l->c->getCursorType(c->cursor));
    if (!init)
        emit_anything(l, n, type_simple(l->unit, TYPE_VOID), "a capture with an initialiser", &to,
                      1);
    else if (is_reference)
        emit_store(l, n, to, address_of(l, init));
    else if (is_aggregate(c->type))
        construct_at(l, init, to, c->type);
    else
        emit_store(l, n, to, value_as(l, init, c->type));
}

ir_value lower_lambda(struct lower *l, struct node *n)
{
    const struct type *t = node_type(l, n);
    if (t->kind != TYPE_RECORD)
        return not_modelled(l, n, "a lambda that is not modelled");
    struct lambda *lambda = map_get(l->lambdas, (uint64_t)(uintptr_t)t);
    if (!lambda) {
        lambda = arena_one(l->scratch, struct lambda);
        *lambda = (struct lambda){.record = type_record(l->unit, t->name)};
        map_put(l->lambdas, (uint64_t)(uintptr_t)t, lambda);
        struct capture_visit v = {.l = l, .lambda = lambda};
        note_default(&v, n->cursor);
        l->c->visitChildren(n->cursor, visit_part, &v);
        define_closure(l, lambda);
    }
    ir_value closure = emit_temporary(l, n, t);
    for (int i = 0; i < lambda->captures.count; i++) {
        const struct capture *c = &lambda->captures.items[i];
        const struct field *f = &t->fields[c->field];
        struct symbol field = {.name = f->name, .type = f->type, .index = c->field};
        if (c->is_made) {
            set_made(l, n, c, emit_field(l, n, closure, &field));
            continue;
        }
        ir_value from = captured_now(l, n, c), to = emit_field(l, n, closure, &field);
        if (!c->by_address && c->variable)
            from = emit_load(l, n, from, c->type);
        if (is_aggregate(f->type))
            emit_object_copy(l, n, to, from);
        else
            emit_store(l, n, to, emit_convert(l, n, from, f->type));
    }
    return closure;
}

/* ---- the body ------------------------------------------------------------------------------- */

struct lambda *lambda_of(struct lower *l, CXCursor method)
{
    if (method.kind != CXCursor_CXXMethod)
        return NULL;
    return map_get(l->lambdas, (uint64_t)(uintptr_t)parent_record(l, method));
}

static ir_value captured_field(struct lower *l, struct node *n, const struct capture *c)
{
    struct cpp_function *f = l->cpp;
    const struct type *t = l->f->locals.items[f->this_local].type;
    ir_value self = emit_load(l, n, emit_local(l, n, f->this_local), t);
    const struct field *in = &f->lambda->record->fields[c->field];
    struct symbol field = {.name = in->name, .type = in->type, .index = c->field};
    ir_value at = emit_field(l, n, self, &field);
    bool is_reference = c->is_made && is_reference_type(l, l->c->getCursorType(c->cursor));
    return c->by_address || is_reference ? emit_load(l, n, at, in->type) : at;
}

ir_value captured_address(struct lower *l, struct node *n, CXCursor variable)
{
    struct capture *c =
        l->cpp && l->cpp->lambda ? capture_of(l->cpp->lambda, declaration_key(variable)) : NULL;
    return c ? captured_field(l, n, c) : 0;
}

bool is_captured(struct lower *l, CXCursor variable)
{
    return capture_of(l->cpp->lambda, declaration_key(variable)) != NULL;
}

ir_value lambda_outer_this(struct lower *l, struct node *n)
{
    struct capture *c = capture_of(l->cpp->lambda, 0);
    return c ? emit_load(l, n, captured_field(l, n, c), c->type) : 0;
}

const struct type *lambda_outer(const struct lambda *lambda)
{
    return lambda->outer;
}

/* ---- as a function -------------------------------------------------------------------------- */

struct body_visit {
    struct lower *l;
    CXCursor body;
};

static enum CXChildVisitResult visit_body(CXCursor c, CXCursor parent, CXClientData data)
{
    struct body_visit *v = data;
    (void)parent;
    if (c.kind != CXCursor_CXXMethod || strcmp(plain_name(v->l, c), "operator()") != 0)
        return CXChildVisit_Continue;
    v->body = c;
    return CXChildVisit_Break;
}

/* Its parameters, which are of simple types, with nothing captured; false: there are others. */
static bool pass_on(struct lower *l, struct node *at, const struct type *function, value_list *args)
{
    for (int i = 0; i < function->field_count; i++) {
        const struct type *t = function->fields[i].type;
        if (is_aggregate(t))
            return false;
        LIST_ADD(l->scratch, args, emit_load(l, at, emit_local(l, at, i), t));
    }
    return !is_aggregate(function->of);
}

void lower_invoker(struct lower *l, struct node *at, const struct symbol *s)
{
    struct body_visit v = {.l = l, .body = {.kind = CXCursor_InvalidFile}};
    if (!l->cpp->lambda || strcmp(plain_name(l, s->cursor), "__invoke") != 0)
        return;
    l->c->visitChildren(l->c->getCursorSemanticParent(s->cursor), visit_body, &v);
    value_list args = {0};
    if (v.body.kind != CXCursor_CXXMethod)
        return;
    LIST_ADD(l->scratch, &args, emit_null(l, at, pointer_to(l, parent_record(l, s->cursor))));
    if (!pass_on(l, at, l->f->type, &args))
        return;
    CXType result = l->c->getResultType(l->c->getCursorType(v.body));
    ir_value got = emit_named_call(l, at, symbol_of(l, v.body), result, &args, false);
    emit(l, at, (struct ir_inst){.op = IR_RETURN, .args = &got, .arg_count = got ? 1 : 0});
    l->block = NOWHERE;
}
