/* What a name in the source refers to: a local, a global, a function, an enum constant. Created at
 * the first reference; functions and globals with a body or an initialiser are put on the queue of
 * things to lower. */
#include "frontends/clang/cpp.h"

#include <string.h>

struct symbol *symbol_new(struct lower *l, enum symbol_kind kind, CXCursor c)
{
    struct symbol *s = arena_one(l->scratch, struct symbol);
    s->kind = kind;
    s->cursor = c;
    return s;
}

bool is_function_kind(enum CXCursorKind k)
{
    return k == CXCursor_FunctionDecl || k == CXCursor_CXXMethod || k == CXCursor_Constructor ||
           k == CXCursor_Destructor || k == CXCursor_ConversionFunction;
}

void queue_symbol(struct lower *l, struct symbol *s)
{
    if (s->is_queued)
        return;
    s->is_queued = true;
    LIST_ADD(l->scratch, &l->queue, s);
}

static const char *spelling(struct lower *l, CXCursor c)
{
    CXString s = l->c->getCursorSpelling(c);
    const char *text = l->c->getCString(s);
    const char *name = name_of(l->unit->names, text ? text : "");
    l->c->disposeString(s);
    return name;
}

/* ---- functions that do not return ----------------------------------------------------------- */

static bool is_no_return_word(struct lower *l, CXCursor attribute)
{
    size_t at, size;
    const char *text = text_at(l, l->c->getCursorLocation(attribute), &at, &size);
    return text &&
           (source_word(text, size, at, "_Noreturn") || source_word(text, size, at, "noreturn") ||
            source_word(text, size, at, "__noreturn__"));
}

struct attribute_visit {
    struct lower *l;
    bool found;
};

static enum CXChildVisitResult visit_attribute(CXCursor c, CXCursor parent, CXClientData data)
{
    struct attribute_visit *v = data;
    (void)parent;
    if (c.kind >= CXCursor_FirstAttr && c.kind <= CXCursor_LastAttr && is_no_return_word(v->l, c))
        v->found = true;
    return v->found ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* The GNU attribute becomes part of the type, the C keyword stays with the declaration. */
static bool does_not_return(struct lower *l, CXCursor function)
{
    bool found = strstr(type_spelling(l, l->c->getCursorType(function)), "noreturn");
    struct attribute_visit v = {l, found};
    if (!found)
        l->c->visitChildren(function, visit_attribute, &v);
    return v.found;
}

/* ---- functions ------------------------------------------------------------------------------ */

/* Bodies in the compiler's own headers are intrinsics over builtins, and are not lowered. */
static bool has_body_for_us(struct lower *l, CXCursor definition)
{
    struct source *s = source_of(l, l->c->getCursorLocation(definition));
    return is_function_kind(definition.kind) && !(s && s->is_compilers) &&
           !(l->is_cpp && is_library(l, definition));
}

static struct symbol *function_of(struct lower *l, CXCursor declaration)
{
    struct symbol *s = symbol_new(l, SYMBOL_FUNCTION, declaration);
    CXCursor definition = l->c->getCursorDefinition(declaration);
    bool has_body = has_body_for_us(l, definition);
    s->cursor = has_body ? definition : declaration;
    s->name = l->is_cpp ? function_name(l, declaration) : spelling(l, declaration);
    s->type =
        l->is_cpp ? function_type_of(l, s->cursor) : type_of(l, l->c->getCursorType(s->cursor));
    s->no_return = does_not_return(l, declaration);
    s->function = ir_function_find(l->unit, s->name);
    if (!s->function)
        s->function = ir_function_new(l->unit, s->name, s->type);
    s->function->is_internal = l->c->getCursorLinkage(declaration) != CXLinkage_External;
    if (has_body && !s->function->has_body)
        queue_symbol(l, s);
    return s;
}

/* ---- variables ------------------------------------------------------------------------------ */

/* A static local is a global that no other function can name: "step.count". */
static const char *global_name(struct lower *l, CXCursor variable)
{
    const char *name = spelling(l, variable);
    CXCursor parent = l->c->getCursorSemanticParent(variable);
    bool is_extern = l->c->Cursor_getStorageClass(variable) == CX_SC_Extern;
    if (!is_function_kind(parent.kind) || is_extern)
        return l->is_cpp ? variable_name(l, variable) : name;
    const char *inside = l->is_cpp ? function_name(l, parent) : spelling(l, parent);
    const char *full = arena_printf(l->scratch, "%s.%s", inside, name);
    const char *distinct = full;
    for (int i = 2; ir_global_find(l->unit, distinct); i++)
        distinct = arena_printf(l->scratch, "%s#%d", full, i);
    return distinct;
}

static bool is_const(struct lower *l, CXType t)
{
    return l->c->isConstQualifiedType(
        l->c->getCanonicalType(t)); /* an array is const if its elements are */
}

struct symbol *global_of(struct lower *l, CXCursor variable)
{
    struct symbol *s = symbol_new(l, SYMBOL_GLOBAL, variable);
    if (l->piecewise && is_function_kind(l->c->getCursorSemanticParent(variable).kind))
        l->piecewise->differs = true; /* its initialiser is outside of the function */
    s->name = global_name(l, variable);
    CXCursor definition = l->c->getCursorDefinition(variable);
    bool is_defined = definition.kind == CXCursor_VarDecl;
    if (is_defined)
        s->cursor = definition;
    CXType type = l->c->getCursorType(s->cursor);
    s->type = object_type(l, type);
    s->is_reference = is_reference_type(l, type);
    s->global = ir_global_find(l->unit, s->name);
    if (!s->global) {
        s->global = ir_global_new(l->unit, s->name, s->type, span_of_variable(l, s->cursor, NULL));
        s->global->is_internal = l->c->getCursorLinkage(variable) < CXLinkage_UniqueExternal;
        s->global->is_extern =
            !is_defined && l->c->Cursor_getStorageClass(variable) == CX_SC_Extern;
        s->global->is_const = is_const(l, type);
    }
    if (is_defined)
        queue_symbol(l, s);
    return s;
}

struct symbol *local_of(struct lower *l, CXCursor variable, struct node *init)
{
    struct symbol *s = symbol_new(l, SYMBOL_LOCAL, variable);
    const struct type *t = object_type(l, l->c->getCursorType(variable));
    bool param = variable.kind == CXCursor_ParmDecl;
    if (t->kind == TYPE_VOID || (t->kind == TYPE_FUNCTION && !param))
        t = type_simple(l->unit, TYPE_UNKNOWN); /* after an error */
    else if (param && (t->kind == TYPE_ARRAY || t->kind == TYPE_FUNCTION))
        t = pointer_to(l, t->kind == TYPE_ARRAY ? t->of : t);
    s->type = t;
    s->is_reference = is_reference_type(l, l->c->getCursorType(variable));
    s->name = spelling(l, variable);
    s->function = l->f;
    s->index = ir_local_new(l->unit, l->f, s->name, t, span_of_variable(l, variable, init));
    map_put(l->symbols, declaration_key(variable), s);
    return s;
}

static bool is_local(struct lower *l, CXCursor variable)
{
    if (variable.kind == CXCursor_ParmDecl)
        return true;
    enum CX_StorageClass storage = l->c->Cursor_getStorageClass(variable);
    return storage != CX_SC_Static && storage != CX_SC_Extern &&
           is_function_kind(l->c->getCursorSemanticParent(variable).kind);
}

/* ---- all ------------------------------------------------------------------------------------ */

/* The names a function refers to decide what else is in the unit. */
static struct symbol *met(struct lower *l, struct symbol *s)
{
    if (l->piecewise)
        LIST_ADD(l->scratch, &l->piecewise->met, s->name);
    return s;
}

static struct symbol *symbol_made(struct lower *l, CXCursor c)
{
    if (is_function_kind(c.kind))
        return met(l, function_of(l, c));
    if (c.kind == CXCursor_VarDecl)
        return met(l, global_of(l, c));
    struct symbol *s = symbol_new(l, SYMBOL_OTHER, c);
    if (c.kind == CXCursor_EnumConstantDecl) {
        s->kind = SYMBOL_CONSTANT;
        s->name = spelling(l, c);
        s->value = l->c->getEnumConstantDeclValue(c);
    }
    return s;
}

/* A function or global may be declared several times: all declarations are one symbol. */
struct symbol *symbol_of(struct lower *l, CXCursor declaration)
{
    uint64_t key = declaration_key(declaration);
    struct symbol *s = map_get(l->symbols, key);
    if (s)
        return s;
    bool is_variable =
        declaration.kind == CXCursor_VarDecl || declaration.kind == CXCursor_ParmDecl;
    if (is_variable && is_local(l, declaration))
        return local_of(l, declaration, NULL);
    CXCursor canonical = l->c->getCanonicalCursor(declaration);
    s = map_get(l->symbols, declaration_key(canonical));
    if (!s) {
        s = symbol_made(l, declaration);
        map_put(l->symbols, declaration_key(canonical), s);
    }
    map_put(l->symbols, key, s);
    return s;
}

struct symbol *node_symbol(struct lower *l, struct node *n)
{
    if (n->symbol)
        return n->symbol;
    CXCursor declaration = l->c->getCursorReferenced(n->cursor);
    n->symbol = symbol_of(l, declaration);
    if (n->symbol->kind == SYMBOL_GLOBAL || n->symbol->kind == SYMBOL_CONSTANT)
        use_name(l, declaration);
    return n->symbol;
}
