/* Objects come into being: by a constructor of the program, which is a function that takes the
 * address, or by what C++ does without one. A constructor starts with its bases, its virtual
 * functions and its members, each as its initialiser says, or as the class does. */
#include "frontends/clang/cpp.h"

#include <string.h>

/* ---- what is constructed -------------------------------------------------------------------- */

static bool is_constructor_call(struct lower *l, const struct node *n)
{
    return n->cursor.kind == CXCursor_CallExpr &&
           l->c->getCursorReferenced(n->cursor).kind == CXCursor_Constructor;
}

struct node *construction(struct lower *l, struct node *n)
{
    for (struct node *at = n; at;) {
        at = bare(l, at);
        enum CXCursorKind k = at->cursor.kind;
        if (is_constructor_call(l, at) || k == CXCursor_InitListExpr || k == CXCursor_LambdaExpr)
            return at;
        bool passes = k == CXCursor_UnexposedExpr || k == CXCursor_CXXFunctionalCastExpr ||
                      k == CXCursor_CXXStaticCastExpr;
        struct node *inner = passes ? at->last : NULL;
        at = inner && is_expression(inner) && node_type(l, inner) == node_type(l, n) ? inner : NULL;
    }
    return NULL;
}

/* "T()" and "T{}" start from zero, "T x;" does not. */
static bool is_zeroing(struct lower *l, struct node *n)
{
    size_t at, size;
    CXSourceRange r = l->c->getCursorExtent(n->cursor);
    const char *text = text_at(l, l->c->getRangeEnd(r), &at, &size);
    return text && at > 0 && at <= size && (text[at - 1] == ')' || text[at - 1] == '}');
}

void emit_object_copy(struct lower *l, struct node *at, ir_value to, ir_value from)
{
    emit_copy(l, at, to, from);
}

/* What constructs the object from the arguments is not known. */
static void pass_to_unknown(struct lower *l, struct node *n, ir_value address,
                            const node_list *args, const char *why)
{
    value_list passed = {0};
    LIST_ADD(l->scratch, &passed, address);
    for (int i = 0; i < args->count; i++) {
        ir_value v = value_of(l, args->items[i]);
        if (v)
            LIST_ADD(l->scratch, &passed, v);
    }
    emit_anything(l, n, type_simple(l->unit, TYPE_VOID), why, passed.items, passed.count);
}

/* Without the arguments of a template. */
static bool has_name_of(struct lower *l, CXCursor constructor, CXCursor class)
{
    const char *a = plain_name(l, constructor), *b = plain_name(l, class);
    size_t size = strcspn(b, "<");
    return strcspn(a, "<") == size && strncmp(a, b, size) == 0;
}

/* A constructor of a base that a class takes over ("using base::base") has the base's name. */
static bool is_inherited(struct lower *l, CXCursor callee)
{
    CXCursor class = l->c->getCursorSemanticParent(callee);
    return *plain_name(l, class) && !has_name_of(l, callee, class);
}

static void construct_inherited(struct lower *l, struct node *n, ir_value address,
                                CXCursor inherited, const node_list *args);

static void call_constructor(struct lower *l, struct node *n, ir_value address, CXCursor callee,
                             const node_list *nodes)
{
    value_list args = {0};
    if (is_inherited(l, callee)) {
        construct_inherited(l, n, address, callee, nodes);
        return;
    }
    LIST_ADD(l->scratch, &args, address);
    int count = l->c->getNumArgTypes(l->c->getCursorType(callee));
    for (int i = 0; i < nodes->count || i < count; i++)
        LIST_ADD(l->scratch, &args,
                 lower_passed(l, n, i < nodes->count ? nodes->items[i] : NULL, callee, i));
    emit_named_call(l, n, symbol_of(l, callee), l->c->getResultType(l->c->getCursorType(callee)),
                    &args, false);
}

static void set_part(struct lower *l, struct node *n, ir_value address, const struct type *t, int i,
                     struct node *from)
{
    const struct field *f = &t->fields[i];
    struct symbol field = {.name = f->name, .type = f->type, .index = i};
    ir_value to = emit_field(l, n, address, &field);
    if (is_aggregate(f->type))
        construct_at(l, from, to, f->type);
    else
        emit_store(l, n, to, value_as(l, from, f->type));
}

/* Each object of an array. */
static void construct_array(struct lower *l, struct node *n, ir_value address, const struct type *t)
{
    const struct type *size = type_int(l->unit, 64, true);
    ir_value first = emit_decay(l, n, address, t);
    for (int64_t i = 0; i < t->count && i < 16; i++)
        construct_default(l, n, emit_element(l, n, first, emit_int(l, n, size, i)), t->of, false);
}

/* By a call of a constructor, written or not. */
static void construct_by(struct lower *l, struct node *n, ir_value address, const struct type *t)
{
    CXCursor callee = l->c->getCursorReferenced(n->cursor);
    struct class *c = class_of(l, t);
    node_list args = {0};
    bool copies = l->c->CXXConstructor_isCopyConstructor(callee) ||
                  l->c->CXXConstructor_isMoveConstructor(callee);
    call_arguments(l, n, callee, &args);
    if (c && c->model) {
        if (!std_construct(l, n, address, t, callee))
            pass_to_unknown(l, n, address, &args,
                            "a constructor of the standard library that is not modelled");
    } else if (is_library(l, callee) && args.count == t->field_count) {
        for (int i = 0; i < args.count; i++) /* a pair */
            set_part(l, n, address, t, i, args.items[i]);
    } else if (!l->c->CXXMethod_isDefaulted(callee) && !is_library(l, callee)) {
        call_constructor(l, n, address, callee, &args);
    } else if (copies && args.count) {
        emit_object_copy(l, n, address, address_of(l, args.items[0]));
    } else {
        construct_default(l, n, address, t, is_zeroing(l, n));
    }
}

void construct_at(struct lower *l, struct node *n, ir_value address, const struct type *t)
{
    struct node *made = construction(l, n), *list;
    struct class *c = class_of(l, t);
    if (c && c->model && (list = std_list_in(l, n)) && std_construct_list(l, n, address, t, list))
        return;
    if (!made) {
        emit_object_copy(l, n, address, value_as(l, n, t));
    } else if (made->cursor.kind == CXCursor_LambdaExpr) {
        emit_object_copy(l, n, address, lower_lambda(l, made));
    } else if (made->cursor.kind == CXCursor_InitListExpr && has_constructors(l, t)) {
        construct_item(l, made, address, t);
    } else if (made->cursor.kind == CXCursor_InitListExpr) {
        initialise(l, address, t, made, false);
    } else if (t->kind == TYPE_ARRAY) {
        construct_array(l, made, address, t);
    } else {
        construct_by(l, made, address, t);
    }
}

ir_value lower_construction(struct lower *l, struct node *n)
{
    const struct type *t = node_type(l, n);
    complete(l, t);
    ir_value address = emit_temporary(l, n, t);
    construct_by(l, n, address, t);
    return address;
}

/* ---- from arguments that a template passes on ----------------------------------------------- */

struct arity_visit {
    struct lower *l;
    int count;
    bool has_any;
    int found;  /* that take so many */
    int longer; /* that take more, some of which have defaults */
    CXCursor constructor, longer_one;
};

/* It takes all items of a list as one. */
static bool takes_list(struct lower *l, CXCursor constructor)
{
    CXType t = l->c->getCursorType(constructor);
    const struct type *first = l->c->getNumArgTypes(t) ? type_of(l, l->c->getArgType(t, 0)) : NULL;
    struct class *c = first && first->kind == TYPE_RECORD ? class_of(l, first) : NULL;
    return c && c->model && !strcmp(c->model->name, "initializer_list");
}

static enum CXChildVisitResult visit_arity(CXCursor c, CXCursor parent, CXClientData data)
{
    struct arity_visit *v = data;
    (void)parent;
    if (c.kind != CXCursor_Constructor || v->l->c->CXXMethod_isDefaulted(c))
        return CXChildVisit_Continue;
    v->has_any = true;
    int takes = v->l->c->Cursor_getNumArguments(c);
    bool copies = v->l->c->CXXConstructor_isCopyConstructor(c) ||
                  v->l->c->CXXConstructor_isMoveConstructor(c);
    if (copies || takes_list(v->l, c))
        return CXChildVisit_Continue;
    if (takes == v->count) {
        v->found++;
        v->constructor = c;
    } else if (takes > v->count) {
        v->longer++;
        v->longer_one = c;
    }
    return CXChildVisit_Continue;
}

static struct arity_visit constructors_of(struct lower *l, const struct class *c, int count)
{
    struct arity_visit v = {.l = l, .count = count};
    l->c->visitChildren(l->c->getTypeDeclaration(c->ctype), visit_arity, &v);
    return v;
}

bool construct_with(struct lower *l, struct node *n, ir_value address, const struct type *t,
                    CXCursor constructor, const node_list *args)
{
    bool copies = l->c->CXXConstructor_isCopyConstructor(constructor) ||
                  l->c->CXXConstructor_isMoveConstructor(constructor);
    if (!l->c->CXXMethod_isDefaulted(constructor))
        call_constructor(l, n, address, constructor, args);
    else if (copies && args->count == 1)
        emit_object_copy(l, n, address, address_of(l, args->items[0]));
    else if (!args->count)
        construct_default(l, n, address, t, true);
    else
        return false;
    return true;
}

bool construct_from(struct lower *l, struct node *n, ir_value address, const struct type *t,
                    const node_list *args)
{
    struct class *c = class_of(l, t);
    if (!c || c->model)
        return false;
    struct arity_visit v = constructors_of(l, c, args->count);
    if (v.found == 1)
        call_constructor(l, n, address, v.constructor, args);
    else if (!v.found && v.longer == 1 && args->count)
        call_constructor(l, n, address, v.longer_one, args);
    else if (!v.has_any && !args->count)
        construct_default(l, n, address, t, true);
    else
        return false;
    return true;
}

bool has_constructors(struct lower *l, const struct type *t)
{
    struct class *c = t->kind == TYPE_RECORD ? class_of(l, t) : NULL;
    return c && !c->model && !c->is_closure && constructors_of(l, c, 0).has_any;
}

void construct_item(struct lower *l, struct node *n, ir_value address, const struct type *t)
{
    node_list args = {0};
    bool is_list = n->cursor.kind == CXCursor_InitListExpr;
    if (!is_list && (construction(l, n) || node_type(l, n) == t)) {
        construct_at(l, n, address, t);
        return;
    }
    for (struct node *item = is_list ? n->first : n; item; item = is_list ? item->next : NULL)
        LIST_ADD(l->scratch, &args, item);
    if (!args.count)
        construct_default(l, n, address, t, true);
    else if (!construct_from(l, n, address, t, &args))
        pass_to_unknown(l, n, address, &args, "a constructor that is one of several");
}

/* ---- members -------------------------------------------------------------------------------- */

/* The constructor of a base that a class takes over, and what is passed to it. */
struct inherited {
    CXCursor constructor;
    const node_list *args;
};

struct member_visit {
    struct lower *l;
    struct node *tree;                 /* of the constructor; NULL: there is none */
    const struct inherited *inherited; /* NULL: it has none */
    struct node *at;                   /* where it is said */
    ir_value object;
    const struct type *record;
    bool is_zeroed;
    int set; /* how many */
};

/* The initialiser that the constructor has for the field, or for the base of that type. */
static struct node *written(struct member_visit *v, const struct symbol *field,
                            const struct type *base)
{
    struct node *n = v->tree ? v->tree->first : NULL;
    for (; n; n = n->next) {
        bool is_field = n->cursor.kind == CXCursor_MemberRef;
        if (is_field && field && n->next &&
            declaration_key(v->l->c->getCursorReferenced(n->cursor)) ==
                declaration_key(field->cursor))
            return n->next;
        if (is_field)
            n = n->next;
        else if (base && is_expression(n) && node_type(v->l, n) == base)
            return n;
        if (!n)
            break;
    }
    return NULL;
}

/* Not the size of an array, or the width of a bit-field. What makes an object of a list begins at
 * the sign. */
static bool is_behind_equals(struct lower *l, const struct node *n)
{
    size_t at, size;
    CXSourceRange r = l->c->getCursorExtent(n->cursor);
    const char *text = text_at(l, l->c->getRangeStart(r), &at, &size);
    if (text && at < size && text[at] == '=')
        return true;
    while (text && at > 0 && strchr(" \t\n", text[at - 1]))
        at--;
    return text && at > 0 && text[at - 1] == '=';
}

/* The initialiser that the class has for the field: int n = 4. */
static struct node *default_of(struct lower *l, CXCursor field)
{
    struct node *last = tree_more(l, field)->last;
    bool is_value = last && is_expression(last) &&
                    (last->cursor.kind == CXCursor_InitListExpr || is_behind_equals(l, last));
    return is_value ? last : NULL;
}

/* It is written, but libclang does not expose it: in a template. */
static bool has_hidden_default(struct lower *l, CXCursor field)
{
    size_t at, size;
    const char *text = text_at(l, l->c->getCursorLocation(field), &at, &size);
    if (!text)
        return false;
    at += source_token(text, size, at);
    while (at < size && strchr(" \t\n", text[at]))
        at++;
    return at < size && (text[at] == '=' || text[at] == '{');
}

static void set_unknown(struct lower *l, struct node *at, ir_value to, const struct symbol *field)
{
    ir_value v =
        emit_anything(l, at, field->type, "the default of a member of a template", NULL, 0);
    if (is_aggregate(field->type))
        emit_copy(l, at, to, v);
    else
        emit_store(l, at, to, v);
}

static void set_member(struct lower *l, struct node *at, ir_value to, const struct symbol *field,
                       struct node *init)
{
    if (field->is_reference)
        emit_store(l, at, to, address_of(l, init));
    else if (is_aggregate(field->type))
        construct_at(l, init, to, field->type);
    else
        initialise(l, to, field->type, init, false);
}

static bool is_constant(const struct node *init)
{
    switch ((int)init->cursor.kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_DeclRefExpr:
        return true;
    default:
        return false;
    }
}

/* The default of a member: its `this` is the object that it is a member of, whatever the function
 * is that makes the object. */
static void set_to_default(const struct member_visit *v, ir_value to, const struct symbol *field,
                           struct node *init)
{
    struct lower *l = v->l;
    struct cpp_function *outer = l->cpp, own = {.record = v->record};
    if (v->tree || is_constant(init)) {
        set_member(l, v->at, to, field, init);
        return;
    }
    const struct type *t = pointer_to(l, v->record);
    own.this_local = ir_local_new(l->unit, l->f, "", t, span_of(l, v->at));
    own.handler = outer ? outer->handler : NULL;
    emit_store(l, v->at, emit_local(l, v->at, own.this_local), v->object);
    l->cpp = &own;
    set_member(l, v->at, to, field, init);
    l->cpp = outer;
}

static enum CXVisitorResult visit_member(CXCursor c, CXClientData data)
{
    struct member_visit *v = data;
    struct lower *l = v->l;
    struct symbol *field = field_of(l, c);
    if (!field || field->kind != SYMBOL_FIELD || field->record != v->record)
        return CXVisit_Continue;
    struct node *own = written(v, field, NULL), *init = own ? own : default_of(l, c);
    const struct type *inner = field->type;
    while (inner->kind == TYPE_ARRAY)
        inner = inner->of;
    bool is_hidden = !init && has_hidden_default(l, c);
    if (!init && inner->kind != TYPE_RECORD && !is_hidden)
        return CXVisit_Continue;
    ir_value to = emit_field(l, v->at, v->object, field);
    v->set++;
    if (own)
        set_member(l, v->at, to, field, own);
    else if (init)
        set_to_default(v, to, field, init);
    else if (is_hidden)
        set_unknown(l, v->at, to, field);
    else
        construct_default(l, v->at, to, field->type, v->is_zeroed);
    return CXVisit_Continue;
}

struct same_visit {
    struct lower *l;
    CXType type;
    CXCursor found;
    bool is_found;
};

/* But for what it says about exceptions. */
static bool takes_same(struct lower *l, CXType a, CXType b)
{
    int count = l->c->getNumArgTypes(a);
    bool is_same = l->c->getNumArgTypes(b) == count;
    for (int i = 0; is_same && i < count; i++)
        is_same = l->c->equalTypes(l->c->getCanonicalType(l->c->getArgType(a, (unsigned)i)),
                                   l->c->getCanonicalType(l->c->getArgType(b, (unsigned)i)));
    return is_same;
}

static enum CXChildVisitResult visit_same(CXCursor c, CXCursor parent, CXClientData data)
{
    struct same_visit *v = data;
    (void)parent;
    if (c.kind != CXCursor_Constructor || !takes_same(v->l, v->l->c->getCursorType(c), v->type))
        return CXChildVisit_Continue;
    v->found = c;
    v->is_found = true;
    return CXChildVisit_Break;
}

/* Whether a constructor that was taken over is one of the base's own. */
static bool find_own(struct lower *l, const struct type *base, CXCursor taken, CXCursor *out)
{
    struct class *c = class_of(l, base);
    struct same_visit v = {.l = l, .type = l->c->getCursorType(taken)};
    if (!c || c->model || !has_name_of(l, taken, l->c->getTypeDeclaration(c->ctype)))
        return false;
    l->c->visitChildren(l->c->getTypeDeclaration(c->ctype), visit_same, &v);
    *out = v.found;
    return v.is_found;
}

/* Whether it is that of one of the base's own bases, which the base took over itself. */
static bool is_from_further_up(struct lower *l, const struct type *base, CXCursor taken)
{
    struct class *c = class_of(l, base);
    CXCursor own;
    bool is_found = false;
    for (int i = 0; c && !is_found && i < c->bases.count; i++)
        is_found = find_own(l, c->bases.items[i].type, taken, &own) ||
                   is_from_further_up(l, c->bases.items[i].type, taken);
    return is_found;
}

static void set_members(struct member_visit *v);

/* A base, by the constructor that was taken over; false: it is that of another base. libclang does
 * not expose those of templates: it may then be that of any base. */
static bool construct_taken_over(struct member_visit *v, ir_value to, const struct type *base)
{
    CXCursor own;
    if (!is_from_further_up(v->l, v->record, v->inherited->constructor)) {
        pass_to_unknown(v->l, v->at, to, v->inherited->args, "a constructor of a template");
        return true;
    }
    if (find_own(v->l, base, v->inherited->constructor, &own)) {
        call_constructor(v->l, v->at, to, own, v->inherited->args);
        return true;
    }
    if (!is_from_further_up(v->l, base, v->inherited->constructor))
        return false;
    set_members(&(struct member_visit){
        .l = v->l, .inherited = v->inherited, .at = v->at, .object = to, .record = base});
    return true;
}

static void construct_inherited(struct lower *l, struct node *n, ir_value address,
                                CXCursor inherited, const node_list *args)
{
    const struct type *t = parent_record(l, inherited);
    complete(l, t);
    set_members(&(struct member_visit){.l = l,
                                       .inherited = &(struct inherited){inherited, args},
                                       .at = n,
                                       .object = address,
                                       .record = t});
}

static void set_members(struct member_visit *v)
{
    struct lower *l = v->l;
    struct class *c = class_of(l, v->record);
    for (int i = 0; c && i < c->bases.count; i++) {
        const struct class_base *b = &c->bases.items[i];
        struct node *init = written(v, NULL, b->type);
        ir_value to = emit_base(l, v->at, v->object, v->record, b->type);
        if (init)
            construct_at(l, init, to, b->type);
        else if (!v->inherited || !construct_taken_over(v, to, b->type))
            construct_default(l, v->at, to, b->type, v->is_zeroed);
    }
    emit_slots(l, v->at, v->object, v->record);
    if (c && !c->model)
        l->c->Type_visitFields(c->ctype, visit_member, v);
}

/* ---- without arguments ---------------------------------------------------------------------- */

struct default_visit {
    struct lower *l;
    CXCursor found;
    bool is_found;
};

static enum CXChildVisitResult visit_default(CXCursor c, CXCursor parent, CXClientData data)
{
    struct default_visit *v = data;
    (void)parent;
    if (c.kind != CXCursor_Constructor || !v->l->c->CXXConstructor_isDefaultConstructor(c) ||
        v->l->c->CXXMethod_isDefaulted(c))
        return CXChildVisit_Continue;
    v->found = c;
    v->is_found = true;
    return CXChildVisit_Break;
}

void construct_default(struct lower *l, struct node *at, ir_value address, const struct type *t,
                       bool is_zeroed)
{
    struct class *c = class_of(l, t);
    struct default_visit v = {.l = l};
    if (t->kind == TYPE_ARRAY && t->count > 0)
        construct_array(l, at, address, t);
    if (!c || t->is_union)
        return;
    if (c->model) {
        std_construct_default(l, at, address, c);
        return;
    }
    l->c->visitChildren(l->c->getTypeDeclaration(c->ctype), visit_default, &v);
    if (v.is_found) {
        call_constructor(l, at, address, v.found, &(node_list){0});
        return;
    }
    if (is_zeroed)
        emit_zero(l, at, address);
    set_members(&(struct member_visit){.l = l, .at = at, .object = address, .record = t});
}

bool construct_defaults(struct lower *l, struct node *at, ir_value address, const struct type *t)
{
    struct member_visit v = {.l = l, .at = at, .object = address, .record = t};
    struct class *c = class_of(l, t);
    if (c && !c->model && !t->is_union)
        l->c->Type_visitFields(c->ctype, visit_member, &v);
    return v.set;
}

/* A constructor may leave all of it to another one of its class. */
void lower_members(struct lower *l, struct node *tree)
{
    const struct type *t = l->cpp->record;
    struct member_visit v = {
        .l = l, .tree = tree, .at = tree, .object = emit_this(l, tree), .record = t};
    struct node *other = written(&v, NULL, t);
    if (other)
        construct_at(l, other, v.object, t);
    else
        set_members(&v);
}
