/* From libclang's types to the IR's. Typedefs, qualifiers and attributes are dropped, enums become
 * ints, and what the IR cannot express (vectors, complex numbers) becomes unknown.
 *
 * A record is opaque until its fields are needed, so that a pointer to FILE does not bring in all
 * of stdio. Unnamed records are named after where they are: "model.as" is the type of the field
 * `as` of model. */
#include "frontends/clang/cpp.h"

#include <stdio.h>
#include <string.h>

struct record {
    struct type *type;
    CXType ctype;
    uint64_t key;
    bool is_complete;
    struct symbol *inside; /* the unnamed field of another record that has this type */
    int *bits;             /* by field: width of a bit-field; 0: not one */
};

/* ---- numbers -------------------------------------------------------------------------------- */

enum number { NOT_A_NUMBER, SIGNED_INT, UNSIGNED_INT, REAL, BRAIN };

static enum number number_kind(enum CXTypeKind k)
{
    static const unsigned char kinds[CXType_LastBuiltin + 1] = {
        [CXType_Char_U] = UNSIGNED_INT,  [CXType_UChar] = UNSIGNED_INT,
        [CXType_Char16] = UNSIGNED_INT,  [CXType_Char32] = UNSIGNED_INT,
        [CXType_UShort] = UNSIGNED_INT,  [CXType_UInt] = UNSIGNED_INT,
        [CXType_ULong] = UNSIGNED_INT,   [CXType_ULongLong] = UNSIGNED_INT,
        [CXType_UInt128] = UNSIGNED_INT, [CXType_Char_S] = SIGNED_INT,
        [CXType_SChar] = SIGNED_INT,     [CXType_WChar] = SIGNED_INT,
        [CXType_Short] = SIGNED_INT,     [CXType_Int] = SIGNED_INT,
        [CXType_Long] = SIGNED_INT,      [CXType_LongLong] = SIGNED_INT,
        [CXType_Int128] = SIGNED_INT,    [CXType_Half] = REAL,
        [CXType_Float16] = REAL,         [CXType_Float] = REAL,
        [CXType_Double] = REAL,          [CXType_LongDouble] = REAL,
        [CXType_Float128] = REAL,        [CXType_Ibm128] = REAL,
        [CXType_BFloat16] = BRAIN,
    };
    return k <= CXType_LastBuiltin ? kinds[k] : NOT_A_NUMBER;
}

static const struct type *number_type(struct lower *l, CXType t, enum number kind)
{
    long long size = l->c->Type_getSizeOf(t);
    int bits = size > 0 && size <= 16 ? (int)size * 8 : 32;
    if (kind == REAL || kind == BRAIN)
        return type_float(l->unit, bits, kind == BRAIN);
    return type_int(l->unit, bits, kind == SIGNED_INT);
}

/* ---- names of records ----------------------------------------------------------------------- */

static struct record *record_of(struct lower *l, CXCursor declaration, const char *hint);

/* "struct (unnamed at model.c:3:20)" and the like. */
static bool is_nameless(const char *spelling)
{
    return !*spelling || strchr(spelling, '(');
}

static const char *name_by_place(struct lower *l, CXCursor declaration)
{
    struct span s = span_of_cursor(l, declaration);
    const char *slash = s.file ? strrchr(s.file, '/') : NULL;
    return arena_printf(l->scratch, "(%s:%d:%d)",
                        slash    ? slash + 1
                        : s.file ? s.file
                                 : "",
                        s.line, s.column);
}

/* Several records of one name, as in two functions: the later ones get a number. */
static const char *distinct_name(struct lower *l, const char *name)
{
    const char *distinct = name_of(l->unit->names, name);
    for (int i = 2; map_get(l->record_names, (uint64_t)(uintptr_t)distinct); i++)
        distinct = name_of(l->unit->names, arena_printf(l->scratch, "%s#%d", name, i));
    return distinct;
}

static const char *record_name(struct lower *l, CXCursor declaration, const char *hint)
{
    const char *spelling = clang_text(l->c, l->scratch, l->c->getCursorSpelling(declaration));
    if (l->is_cpp && !is_nameless(spelling))
        spelling = class_name(l, declaration);
    if (!is_nameless(spelling))
        return distinct_name(l, spelling);
    return distinct_name(l, hint ? hint : name_by_place(l, declaration));
}

/* ---- records -------------------------------------------------------------------------------- */

static void complete_record(struct lower *l, struct record *r);

static bool is_record_kind(enum CXCursorKind k)
{
    return k == CXCursor_StructDecl || k == CXCursor_UnionDecl || k == CXCursor_ClassDecl;
}

/* An unnamed record inside another is named when the outer one is completed. */
static struct record *named_by_parent(struct lower *l, CXCursor declaration, uint64_t key)
{
    CXCursor parent = l->c->getCursorSemanticParent(declaration);
    if (!is_record_kind(parent.kind))
        return NULL;
    CXString s = l->c->getCursorSpelling(declaration);
    bool nameless = is_nameless(l->c->getCString(s));
    l->c->disposeString(s);
    if (nameless)
        complete_record(l, record_of(l, parent, NULL));
    return map_get(l->records, key);
}

static struct record *record_of(struct lower *l, CXCursor declaration, const char *hint)
{
    declaration = l->c->getCanonicalCursor(declaration);
    uint64_t key = declaration_key(declaration);
    struct record *r = map_get(l->records, key);
    if (!r && !hint)
        r = named_by_parent(l, declaration, key);
    if (r)
        return r;
    r = arena_one(l->scratch, struct record);
    const char *name = record_name(l, declaration, hint);
    *r = (struct record){
        .type = type_record(l->unit, name), .ctype = l->c->getCursorType(declaration), .key = key};
    const char *spelled = type_spelling(l, r->ctype);
    if (!is_nameless(spelled) && strcmp(spelled, name) != 0)
        r->type->spelled = name_of(l->unit->names, spelled);
    map_put(l->records, key, r);
    map_put(l->record_names, (uint64_t)(uintptr_t)name, r);
    map_put(l->record_info, (uint64_t)(uintptr_t)r->type, r);
    return r;
}

struct field_visit {
    struct lower *l;
    struct record *record;
    LIST(struct field) fields;
    LIST(int) bits;
};

/* The unnamed record that is a field's type, or its element or target type, is named after the
 * field. */
static struct record *name_field_type(struct lower *l, struct record *outer, CXCursor field,
                                      const char *name, int index)
{
    CXType t = l->c->getCanonicalType(l->c->getCursorType(field));
    for (;;) {
        if (t.kind == CXType_Pointer)
            t = l->c->getCanonicalType(l->c->getPointeeType(t));
        else if (t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray)
            t = l->c->getCanonicalType(l->c->getArrayElementType(t));
        else
            break;
    }
    if (t.kind != CXType_Record)
        return NULL;
    char number[16];
    snprintf(number, sizeof number, "(%d)", index);
    const char *hint = arena_printf(l->scratch, "%s.%s", outer->type->name, *name ? name : number);
    return record_of(l, l->c->getTypeDeclaration(t), hint);
}

static unsigned field_flags(struct lower *l, const struct symbol *s, CXCursor field)
{
    CXType to = l->c->getPointeeType(l->c->getCanonicalType(l->c->getCursorType(field)));
    bool is_const = l->is_cpp && l->c->isConstQualifiedType(to);
    return (s->is_reference ? FIELD_FIXED : 0u) | (is_const ? FIELD_TO_CONST : 0u);
}

struct constants_visit {
    struct lower *l;
    struct text text;
};

static enum CXChildVisitResult visit_enumerator(CXCursor c, CXCursor parent, CXClientData data)
{
    struct constants_visit *v = data;
    (void)parent;
    if (c.kind == CXCursor_EnumConstantDecl)
        text_printf(&v->text, "%s%s %lld", v->text.length ? ", " : "",
                    clang_text(v->l->c, v->l->scratch, v->l->c->getCursorSpelling(c)),
                    v->l->c->getEnumConstantDeclValue(c));
    return CXChildVisit_Continue;
}

/* Of a field that is an enumeration. What a library's constants are depends on the version that the
 * program is compiled with. */
static const char *constants_of(struct lower *l, CXCursor field)
{
    struct constants_visit v = {.l = l};
    CXType t = l->c->getCanonicalType(l->c->getCursorType(field));
    if (t.kind != CXType_Enum)
        return NULL;
    l->c->visitChildren(l->c->getTypeDeclaration(t), visit_enumerator, &v);
    const char *constants = v.text.length ? name_of(l->unit->names, v.text.data) : NULL;
    text_free(&v.text);
    return constants;
}

static enum CXVisitorResult visit_field(CXCursor cursor, CXClientData data)
{
    struct field_visit *v = data;
    struct lower *l = v->l;
    char *name = clang_text(l->c, l->scratch, l->c->getCursorSpelling(cursor));
    if (is_nameless(name))
        *name = '\0';
    if (!*name && l->c->Cursor_isBitField(cursor))
        return CXVisit_Continue; /* padding */
    struct symbol *s = symbol_new(l, SYMBOL_FIELD, cursor);
    s->index = v->fields.count;
    s->bits = l->c->Cursor_isBitField(cursor) ? l->c->getFieldDeclBitWidth(cursor) : 0;
    s->record = v->record->type;
    struct record *inner = name_field_type(l, v->record, cursor, name, s->index);
    /* Unnamed fields are distinguished by number. */
    s->name = name_of(l->unit->names, *name ? name : arena_printf(l->scratch, "(%d)", s->index));
    s->type = type_of(l, l->c->getCursorType(cursor));
    s->is_reference = is_reference_type(l, l->c->getCursorType(cursor));
    if (!*name && inner)
        inner->inside = s;
    map_put(l->symbols, declaration_key(cursor), s);
    LIST_ADD(
        l->scratch, &v->fields,
        ((struct field){s->name, s->type, field_flags(l, s, cursor), constants_of(l, cursor)}));
    LIST_ADD(l->scratch, &v->bits, s->bits);
    return CXVisit_Continue;
}

/* Those that C++ has besides the ones that are written. */
static void add_class_fields(struct field_visit *v)
{
    class_field_list hidden = {0};
    class_begin(v->l, v->record->type, v->record->ctype, &hidden);
    for (int i = 0; i < hidden.count; i++) {
        LIST_ADD(v->l->scratch, &v->fields, hidden.items[i]);
        LIST_ADD(v->l->scratch, &v->bits, 0);
    }
}

static bool has_fields(const struct type *t, bool is_union, const struct field *fields, int count)
{
    bool same = t->is_union == is_union && t->field_count == count;
    for (int i = 0; i < count && same; i++)
        same = t->fields[i].type == fields[i].type && t->fields[i].flags == fields[i].flags &&
               t->fields[i].constants == fields[i].constants &&
               !strcmp(t->fields[i].name, fields[i].name);
    return same;
}

static void complete_record(struct lower *l, struct record *r)
{
    if (r->is_complete)
        return;
    r->is_complete = true;
    struct field_visit v = {.l = l, .record = r};
    if (l->is_cpp)
        add_class_fields(&v);
    struct class *class = l->is_cpp ? class_of(l, r->type) : NULL;
    if (!class || (!class->model && !class->is_closure))
        l->c->Type_visitFields(r->ctype, visit_field, &v);
    r->bits = v.bits.items;
    bool is_union = l->c->getTypeDeclaration(r->ctype).kind == CXCursor_UnionDecl;
    if (l->piecewise)
        LIST_ADD(l->scratch, &l->piecewise->records, r->type->name);
    if (l->piecewise && r->type->field_count)
        l->piecewise->differs |= !has_fields(r->type, is_union, v.fields.items, v.fields.count);
    else if (v.fields.count)
        record_define(l->unit, r->type, is_union, v.fields.items, v.fields.count);
    for (int i = 0; i < v.fields.count; i++)
        complete(l, v.fields.items[i].type);
}

void complete(struct lower *l, const struct type *t)
{
    while (t->kind == TYPE_ARRAY)
        t = t->of;
    struct record *r =
        t->kind == TYPE_RECORD ? map_get(l->record_info, (uint64_t)(uintptr_t)t) : NULL;
    if (r)
        complete_record(l, r);
}

struct symbol *field_of(struct lower *l, CXCursor field)
{
    struct symbol *s = map_get(l->symbols, declaration_key(field));
    CXCursor parent = l->c->getCursorSemanticParent(field);
    use_name(l, parent);
    if (s)
        return s;
    if (is_record_kind(parent.kind))
        complete_record(l, record_of(l, parent, NULL));
    return map_get(l->symbols, declaration_key(field));
}

int field_bits(struct lower *l, const struct type *record, int field)
{
    struct record *r = map_get(l->record_info, (uint64_t)(uintptr_t)record);
    return r && r->bits ? r->bits[field] : 0;
}

struct symbol *enclosing_field(struct lower *l, const struct type *record)
{
    struct record *r = map_get(l->record_info, (uint64_t)(uintptr_t)record);
    return r ? r->inside : NULL;
}

/* ---- the others ----------------------------------------------------------------------------- */

static const struct type *function_type(struct lower *l, CXType t)
{
    int count = t.kind == CXType_FunctionProto ? l->c->getNumArgTypes(t) : 0;
    LIST(struct field) params = {0};
    for (int i = 0; i < count; i++) {
        struct field p = {"", type_of(l, l->c->getArgType(t, (unsigned)i)), 0, NULL};
        LIST_ADD(l->scratch, &params, p);
    }
    bool variadic = t.kind == CXType_FunctionNoProto || l->c->isFunctionTypeVariadic(t);
    return type_function(l->unit, type_of(l, l->c->getResultType(t)), params.items, count,
                         variadic);
}

static const struct type *array_type(struct lower *l, CXType t)
{
    int64_t count = t.kind == CXType_ConstantArray ? l->c->getArraySize(t) : -1;
    return type_array(l->unit, type_of(l, l->c->getArrayElementType(t)), count);
}

static const struct type *type_of_canonical(struct lower *l, CXType t)
{
    enum number number = number_kind(t.kind);
    if (number)
        return number_type(l, t, number);
    if (t.kind == CXType_Void || t.kind == CXType_Bool)
        return type_simple(l->unit, t.kind == CXType_Void ? TYPE_VOID : TYPE_BOOL);
    if (t.kind == CXType_Pointer)
        return type_pointer(l->unit, type_of(l, l->c->getPointeeType(t)));
    if (l->is_cpp && (t.kind == CXType_LValueReference || t.kind == CXType_RValueReference))
        return type_pointer(l->unit, type_of(l, l->c->getPointeeType(t)));
    if (t.kind == CXType_NullPtr)
        return type_pointer(l->unit, type_simple(l->unit, TYPE_VOID));
    if (t.kind == CXType_Record)
        return record_of(l, l->c->getTypeDeclaration(t), NULL)->type;
    if (t.kind == CXType_Enum)
        return type_of(l, l->c->getEnumDeclIntegerType(l->c->getTypeDeclaration(t)));
    if (t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray ||
        t.kind == CXType_VariableArray)
        return array_type(l, t);
    if (t.kind == CXType_FunctionProto || t.kind == CXType_FunctionNoProto)
        return function_type(l, t);
    if (t.kind == CXType_Atomic)
        return type_of(l, l->c->Type_getValueType(t));
    return type_simple(l->unit, TYPE_UNKNOWN);
}

/* Nested too deeply, it is unknown. */
static const struct type *type_within(struct lower *l, CXType canonical)
{
    if (l->type_depth >= MAX_TYPE_DEPTH) {
        ir_note_add(l->unit, (struct span){0}, "a type is nested too deeply");
        return type_simple(l->unit, TYPE_UNKNOWN);
    }
    l->type_depth++;
    const struct type *t = type_of_canonical(l, canonical);
    l->type_depth--;
    return t;
}

const struct type *type_of(struct lower *l, CXType t)
{
    uint64_t key = (uint64_t)(uintptr_t)t.data[0];
    const struct type *known = map_get(l->types, key);
    if (known)
        return known;
    CXType canonical = l->c->getCanonicalType(t);
    uint64_t canonical_key = (uint64_t)(uintptr_t)canonical.data[0];
    known = map_get(l->types, canonical_key);
    if (!known)
        known = type_within(l, canonical);
    map_put(l->types, canonical_key, (void *)(uintptr_t)known);
    map_put(l->types, key, (void *)(uintptr_t)known);
    return known;
}

/* ---- how types are written ------------------------------------------------------------------ */

enum { MOST_PARTS = 1000 };

/* Whether its spelling has few parts and levels. */
static bool is_short(struct lower *l, CXType t, int levels, int *parts)
{
    for (; levels > 0 && --*parts > 0; levels--) {
        bool array = t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray ||
                     t.kind == CXType_VariableArray;
        bool function = t.kind == CXType_FunctionProto || t.kind == CXType_FunctionNoProto;
        int count = t.kind == CXType_FunctionProto ? l->c->getNumArgTypes(t) : 0;
        for (int i = 0; i < count; i++)
            if (!is_short(l, l->c->getArgType(t, (unsigned)i), levels - 1, parts))
                return false;
        bool pointer = t.kind == CXType_Pointer || t.kind == CXType_LValueReference ||
                       t.kind == CXType_RValueReference;
        if (pointer)
            t = l->c->getPointeeType(t);
        else if (array)
            t = l->c->getArrayElementType(t);
        else if (function)
            t = l->c->getResultType(t);
        else
            return true;
    }
    return false;
}

char *type_spelling(struct lower *l, CXType t)
{
    int parts = MOST_PARTS;
    return is_short(l, t, MAX_TYPE_DEPTH, &parts)
               ? clang_text(l->c, l->scratch, l->c->getTypeSpelling(t))
               : arena_printf(l->scratch, "%s", "");
}

/* libclang exposes a parameter written as an array as one, and every expression whose type comes
 * from it. Only the parameter's own type is an array: the others are addresses of first elements.
 */
static bool is_array(struct lower *l, struct node *n)
{
    struct node *inner = nth_expression(n, 0);
    switch ((int)n->cursor.kind) {
    case CXCursor_DeclRefExpr:
        return l->c->getCursorReferenced(n->cursor).kind != CXCursor_ParmDecl;
    case CXCursor_UnaryOperator:
        if (l->c->getCursorUnaryOperatorKind(n->cursor) == CXUnaryOperator_Deref)
            return true;
        return l->c->getCursorUnaryOperatorKind(n->cursor) == CXUnaryOperator_Extension && inner &&
               node_type(l, inner)->kind == TYPE_ARRAY;
    case CXCursor_ParenExpr:
        return !inner || node_type(l, inner)->kind == TYPE_ARRAY;
    case CXCursor_UnexposedExpr: /* __func__ */
        return inner && inner->cursor.kind == CXCursor_StringLiteral;
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_StringLiteral:
    case CXCursor_CompoundLiteralExpr:
    case CXCursor_InitListExpr:
    case CXCursor_GenericSelectionExpr:
    case CXCursor_VarDecl:
        return true;
    default: /* libclang has many more kinds */
        return false;
    }
}

const struct type *node_type(struct lower *l, struct node *n)
{
    if (n->type)
        return n->type;
    const struct type *t = type_of(l, l->c->getCursorType(n->cursor));
    n->type = t; /* for recursive queries */
    if (t->kind == TYPE_ARRAY && !is_array(l, n))
        n->type = type_pointer(l->unit, t->of);
    return n->type;
}

const struct type *object_type(struct lower *l, CXType t)
{
    const struct type *type = type_of(l, t);
    complete(l, type);
    return type;
}

bool is_reference_type(struct lower *l, CXType t)
{
    enum CXTypeKind k = l->c->getCanonicalType(t).kind;
    return k == CXType_LValueReference || k == CXType_RValueReference;
}

bool is_aggregate(const struct type *t)
{
    return t->kind == TYPE_RECORD || t->kind == TYPE_ARRAY;
}
