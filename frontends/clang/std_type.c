/* Classes of the standard library as records: what std.def says they consist of, with the types of
 * their template arguments. The names of these fields are in brackets, and are not shown. */
#include "frontends/clang/cpp.h"

#include <string.h>

static const struct std_model models[] = {
#define STD_CLASS(name, layout) {name, STD_##layout},
#include "frontends/clang/std.def"
#undef STD_CLASS
};

static const struct std_model opaque = {"", STD_OPAQUE};

static bool is_plain_record(const char *name)
{
    return !strcmp(name, "pair");
}

const struct std_model *std_model_of(struct lower *l, CXCursor declaration)
{
    if (!is_library(l, declaration))
        return NULL;
    const char *name = plain_name(l, declaration);
    for (int i = 0; i < COUNT(models); i++)
        if (!strcmp(name, models[i].name))
            return &models[i];
    return is_plain_record(name) ? NULL : &opaque;
}

static void add(struct lower *l, class_field_list *out, const char *name, const struct type *t)
{
    LIST_ADD(l->scratch, out, ((struct field){name_of(l->unit->names, name), t, 0, NULL}));
}

static const struct type *argument(struct lower *l, CXType t, int i)
{
    CXType a = l->c->Type_getTemplateArgumentAsType(t, (unsigned)i);
    const struct type *of =
        a.kind == CXType_Invalid ? type_simple(l->unit, TYPE_UNKNOWN) : type_of(l, a);
    return of->kind == TYPE_VOID || of->kind == TYPE_FUNCTION ? type_simple(l->unit, TYPE_UNKNOWN)
                                                              : of;
}

/* Pairs of a key and a value, with the names that std::pair has: iterators point to such. */
static const struct type *pair_type(struct lower *l, CXType t)
{
    const struct type *key = argument(l, t, 0), *value = argument(l, t, 1);
    const char *name =
        arena_printf(l->scratch, "(pair of %s)", type_spelling(l, l->c->getCanonicalType(t)));
    struct type *pair = type_record(l->unit, name_of(l->unit->names, name));
    struct field fields[] = {{name_of(l->unit->names, "first"), key, 0, NULL},
                             {name_of(l->unit->names, "second"), value, 0, NULL}};
    if (!pair->field_count)
        record_define(l->unit, pair, false, fields, 2);
    complete(l, key);
    complete(l, value);
    return pair;
}

/* Of std::function<R(A, B)>: a function that takes the object first. */
static const struct type *call_type(struct lower *l, CXType t)
{
    CXType f = l->c->getCanonicalType(l->c->Type_getTemplateArgumentAsType(t, 0));
    LIST(struct field) params = {0};
    struct field object = {"", pointer_to(l, type_simple(l->unit, TYPE_VOID)), 0, NULL};
    if (f.kind != CXType_FunctionProto)
        return type_simple(l->unit, TYPE_UNKNOWN);
    LIST_ADD(l->scratch, &params, object);
    for (int i = 0; i < l->c->getNumArgTypes(f); i++)
        LIST_ADD(l->scratch, &params,
                 ((struct field){"", type_of(l, l->c->getArgType(f, (unsigned)i)), 0, NULL}));
    return pointer_to(l, type_function(l->unit, type_of(l, l->c->getResultType(f)), params.items,
                                       params.count, false));
}

static int64_t fixed_count(struct lower *l, CXType t)
{
    CXCursor c = l->c->getTypeDeclaration(t);
    return l->c->Cursor_getTemplateArgumentKind(c, 1) == CXTemplateArgumentKind_Integral
               ? l->c->Cursor_getTemplateArgumentValue(c, 1)
               : -1;
}

static const struct type *pointed_type(struct lower *l, CXType t)
{
    const struct type *of = argument(l, t, 0);
    return pointer_to(l, of->kind == TYPE_ARRAY ? of->of : of);
}

static const struct type *iterated_type(struct lower *l, enum std_layout layout, CXType t)
{
    const struct type *of = argument(l, t, 0);
    return layout == STD_ITERATOR && of->kind == TYPE_POINTER ? of : pointer_to(l, of);
}

void std_fields(struct lower *l, const struct std_model *m, CXType t, class_field_list *out)
{
    t = l->c->getCanonicalType(t);
    const struct type *size = type_int(l->unit, 64, true);
    switch (m->layout) {
    case STD_SEQUENCE:
        add(l, out, "(size)", size);
        add(l, out, "(items)", type_array(l->unit, argument(l, t, 0), -1));
        break;
    case STD_FIXED:
        add(l, out, "(items)", type_array(l->unit, argument(l, t, 0), fixed_count(l, t)));
        break;
    case STD_MAPPING:
        add(l, out, "(size)", size);
        add(l, out, "(items)", type_array(l->unit, pair_type(l, t), -1));
        break;
    case STD_TUPLE:
        for (int i = 0; i < l->c->Type_getNumTemplateArguments(t); i++)
            add(l, out, arena_printf(l->scratch, "(%d)", i), argument(l, t, i));
        break;
    case STD_POINTER:
        add(l, out, "(pointer)", pointed_type(l, t));
        break;
    case STD_OPTIONAL:
        add(l, out, "(has)", type_simple(l->unit, TYPE_BOOL));
        add(l, out, "(value)", argument(l, t, 0));
        break;
    case STD_TEXT:
        add(l, out, "(text)", pointer_to(l, argument(l, t, 0)));
        break;
    case STD_FUNCTION:
        add(l, out, "(object)", pointer_to(l, type_simple(l->unit, TYPE_VOID)));
        add(l, out, "(call)", call_type(l, t));
        break;
    case STD_ITERATOR:
    case STD_CURSOR:
        add(l, out, "(pointer)", iterated_type(l, m->layout, t));
        break;
    case STD_OPAQUE:
        break;
    }
}

ir_value emit_hidden(struct lower *l, struct node *at, ir_value object, const struct type *record,
                     const char *name)
{
    complete(l, record);
    for (int i = 0; i < record->field_count; i++) {
        const struct field *f = &record->fields[i];
        struct symbol field = {.name = f->name, .type = f->type, .index = i};
        if (!strcmp(f->name, name))
            return emit_field(l, at, object, &field);
    }
    return 0;
}
