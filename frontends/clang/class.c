/* Classes: bases become members, virtual functions become pointers to functions that a constructor
 * sets, as programs in C write it. An overriding method takes the `this` of the class that
 * introduced the function, and converts it. */
#include "frontends/clang/cpp.h"

#include <string.h>

/* ---- what a class consists of --------------------------------------------------------------- */

struct class_visit {
    struct lower *l;
    struct class *class;
    class_field_list *hidden;
};

static bool overrides(struct lower *l, CXCursor method)
{
    CXCursor *list = NULL;
    unsigned count = 0;
    l->c->getOverriddenCursors(method, &list, &count);
    if (list)
        l->c->disposeOverriddenCursors(list);
    return count > 0;
}

static void add_base(struct class_visit *v, CXCursor specifier)
{
    struct lower *l = v->l;
    const struct type *t = type_of(l, l->c->getCursorType(specifier));
    if (t->kind != TYPE_RECORD)
        return;
    if (l->c->isVirtualBase(specifier))
        ir_note_add(l->unit, span_of_cursor(l, specifier), "a virtual base class");
    struct class_base base = {t, v->hidden->count};
    LIST_ADD(l->scratch, &v->class->bases, base);
    LIST_ADD(l->scratch, v->hidden, ((struct field){name_of(l->unit->names, t->name), t, 0, NULL}));
}

static void add_slot(struct class_visit *v, CXCursor method)
{
    struct lower *l = v->l;
    struct class_slot slot = {l->c->getCanonicalCursor(method), v->hidden->count};
    const char *name = arena_printf(l->scratch, "(%s %d)", plain_name(l, method), slot.field);
    struct field f = {name_of(l->unit->names, name), pointer_to(l, function_type_of(l, method)), 0,
                      NULL};
    LIST_ADD(l->scratch, &v->class->slots, slot);
    LIST_ADD(l->scratch, v->hidden, f);
}

static enum CXChildVisitResult visit_bases(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (c.kind == CXCursor_CXXBaseSpecifier)
        add_base(data, c);
    return CXChildVisit_Continue;
}

static bool is_method(enum CXCursorKind k)
{
    return k == CXCursor_CXXMethod || k == CXCursor_Destructor || k == CXCursor_ConversionFunction;
}

static enum CXChildVisitResult visit_methods(CXCursor c, CXCursor parent, CXClientData data)
{
    struct class_visit *v = data;
    (void)parent;
    if (is_method(c.kind) && v->l->c->CXXMethod_isVirtual(c) && !overrides(v->l, c))
        add_slot(v, c);
    return CXChildVisit_Continue;
}

/* A class with virtual functions has a field of its own, which is 1 in its objects and those of its
 * derived classes: dynamic_cast looks for it. */
static void add_mark(struct class_visit *v)
{
    struct lower *l = v->l;
    struct class *c = v->class;
    bool has_virtual = c->slots.count > 0;
    for (int i = 0; i < c->bases.count; i++) {
        struct class *base = class_of(l, c->bases.items[i].type);
        has_virtual = has_virtual || (base && base->mark);
    }
    if (!has_virtual)
        return;
    c->mark = name_of(l->unit->names, arena_printf(l->scratch, "(is %s)", c->type->name));
    LIST_ADD(l->scratch, v->hidden,
             ((struct field){c->mark, type_simple(l->unit, TYPE_BOOL), 0, NULL}));
}

void class_begin(struct lower *l, const struct type *record, CXType t, class_field_list *hidden)
{
    struct class *c = arena_one(l->scratch, struct class);
    CXCursor declaration = l->c->getTypeDeclaration(t);
    CXCursor definition = l->c->getCursorDefinition(declaration);
    *c = (struct class){.type = record, .ctype = t, .model = std_model_of(l, declaration)};
    map_put(l->classes, (uint64_t)(uintptr_t)record, c);
    struct class_visit v = {l, c, hidden};
    if (c->model) {
        std_fields(l, c->model, t, hidden);
        return;
    }
    c->is_closure =
        strstr(plain_name(l, declaration), "(lambda") || strstr(type_spelling(l, t), "(lambda at ");
    if (definition.kind == declaration.kind)
        declaration = definition;
    l->c->visitChildren(declaration, visit_bases, &v);
    CXCursor pattern = l->c->getSpecializedCursorTemplate(declaration);
    if (!c->bases.count && pattern.kind == CXCursor_ClassTemplate)
        l->c->visitChildren(pattern, visit_bases, &v); /* libclang lists none of the class itself */
    l->c->visitChildren(declaration, visit_methods, &v);
    add_mark(&v);
}

struct class *class_of(struct lower *l, const struct type *record)
{
    if (record->kind != TYPE_RECORD)
        return NULL;
    complete(l, record);
    return map_get(l->classes, (uint64_t)(uintptr_t)record);
}

/* ---- bases ---------------------------------------------------------------------------------- */

bool is_base(struct lower *l, const struct type *record, const struct type *base)
{
    if (record == base)
        return true;
    struct class *c = class_of(l, record);
    for (int i = 0; c && i < c->bases.count; i++)
        if (is_base(l, c->bases.items[i].type, base))
            return true;
    return false;
}

ir_value emit_base(struct lower *l, struct node *at, ir_value object, const struct type *record,
                   const struct type *base)
{
    if (record == base)
        return object;
    struct class *c = class_of(l, record);
    for (int i = 0; c && i < c->bases.count; i++) {
        const struct class_base *b = &c->bases.items[i];
        if (!is_base(l, b->type, base))
            continue;
        struct symbol field = {
            .name = record->fields[b->field].name, .type = b->type, .index = b->field};
        return emit_base(l, at, emit_field(l, at, object, &field), b->type, base);
    }
    return 0;
}

/* ---- methods -------------------------------------------------------------------------------- */

CXCursor introduced_by(struct lower *l, CXCursor method)
{
    for (;;) {
        CXCursor *list = NULL, next = method;
        unsigned count = 0;
        l->c->getOverriddenCursors(method, &list, &count);
        if (count)
            next = list[0];
        if (list)
            l->c->disposeOverriddenCursors(list);
        if (!count)
            return l->c->getCanonicalCursor(method);
        method = next;
    }
}

bool is_instance_method(struct lower *l, CXCursor function)
{
    return function.kind == CXCursor_Constructor || function.kind == CXCursor_Destructor ||
           function.kind == CXCursor_ConversionFunction ||
           (function.kind == CXCursor_CXXMethod && !l->c->CXXMethod_isStatic(function));
}

const struct type *parent_record(struct lower *l, CXCursor member)
{
    return type_of(l, l->c->getCursorType(l->c->getCursorSemanticParent(member)));
}

const struct type *this_record(struct lower *l, CXCursor method)
{
    bool is_virtual = method.kind != CXCursor_Constructor && l->c->CXXMethod_isVirtual(method);
    return parent_record(l, is_virtual ? introduced_by(l, method) : method);
}

const struct type *function_type_of(struct lower *l, CXCursor function)
{
    CXType t = l->c->getCursorType(function);
    LIST(struct field) params = {0};
    if (is_instance_method(l, function))
        LIST_ADD(l->scratch, &params,
                 ((struct field){"", pointer_to(l, this_record(l, function)), 0, NULL}));
    int count = l->c->getNumArgTypes(t);
    for (int i = 0; i < count; i++)
        LIST_ADD(l->scratch, &params,
                 ((struct field){"", type_of(l, l->c->getArgType(t, (unsigned)i)), 0, NULL}));
    return type_function(l->unit, type_of(l, l->c->getResultType(t)), params.items, params.count,
                         l->c->isFunctionTypeVariadic(t));
}

/* ---- virtual functions ---------------------------------------------------------------------- */

struct override_visit {
    struct lower *l;
    CXCursor slot, found;
    bool is_found;
};

static enum CXChildVisitResult visit_override(CXCursor c, CXCursor parent, CXClientData data)
{
    struct override_visit *v = data;
    (void)parent;
    if (!is_method(c.kind) || !v->l->c->CXXMethod_isVirtual(c))
        return CXChildVisit_Continue;
    if (declaration_key(introduced_by(v->l, c)) != declaration_key(v->slot))
        return CXChildVisit_Continue;
    v->found = c;
    v->is_found = true;
    return CXChildVisit_Break;
}

/* The method that an object of the class has in the slot: its own, or that of a base. */
static bool find_override(struct lower *l, const struct type *record, CXCursor slot, CXCursor *out)
{
    struct class *c = class_of(l, record);
    struct override_visit v = {.l = l, .slot = slot};
    if (!c)
        return false;
    l->c->visitChildren(l->c->getTypeDeclaration(c->ctype), visit_override, &v);
    *out = v.found;
    for (int i = 0; i < c->bases.count && !v.is_found; i++)
        v.is_found = find_override(l, c->bases.items[i].type, slot, out);
    return v.is_found;
}

static void emit_slots_of(struct lower *l, struct node *at, ir_value object,
                          const struct type *record, const struct type *exact)
{
    struct class *c = class_of(l, record);
    for (int i = 0; c && i < c->bases.count; i++) {
        const struct class_base *b = &c->bases.items[i];
        struct symbol field = {
            .name = record->fields[b->field].name, .type = b->type, .index = b->field};
        struct class *inner = class_of(l, b->type);
        if (inner && (inner->bases.count || inner->slots.count))
            emit_slots_of(l, at, emit_field(l, at, object, &field), b->type, exact);
    }
    for (int i = 0; c && i < c->slots.count; i++) {
        const struct class_slot *s = &c->slots.items[i];
        const struct field *f = &record->fields[s->field];
        CXCursor method;
        if (!find_override(l, exact, s->method, &method))
            continue;
        struct symbol *callee = symbol_of(l, method);
        struct symbol field = {.name = f->name, .type = f->type, .index = s->field};
        ir_value function =
            emit(l, at,
                 (struct ir_inst){
                     .op = IR_FUNCTION, .type = pointer_to(l, callee->type), .name = callee->name});
        ir_value to = emit_field(l, at, object, &field);
        emit_store(l, at, to, emit_convert(l, at, function, f->type));
    }
    if (c && c->mark)
        emit_store(l, at, emit_hidden(l, at, object, record, c->mark),
                   emit_int(l, at, type_simple(l->unit, TYPE_BOOL), 1));
}

void emit_slots(struct lower *l, struct node *at, ir_value object, const struct type *record)
{
    emit_slots_of(l, at, object, record, record);
}

ir_value emit_mark(struct lower *l, struct node *at, ir_value object, const struct type *record)
{
    struct class *c = class_of(l, record);
    return c && c->mark ? emit_load(l, at, emit_hidden(l, at, object, record, c->mark),
                                    type_simple(l->unit, TYPE_BOOL))
                        : 0;
}

ir_value emit_virtual(struct lower *l, struct node *at, ir_value object, const struct type *record,
                      CXCursor method)
{
    CXCursor first = introduced_by(l, method);
    struct class *c = class_of(l, record);
    for (int i = 0; c && i < c->slots.count; i++) {
        const struct class_slot *s = &c->slots.items[i];
        const struct field *f = &record->fields[s->field];
        if (declaration_key(s->method) != declaration_key(first))
            continue;
        struct symbol field = {.name = f->name, .type = f->type, .index = s->field};
        return emit_load(l, at, emit_field(l, at, object, &field), f->type);
    }
    return 0;
}
