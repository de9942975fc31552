/* Names of C++ in the IR, the same in every unit: with their scopes, and for functions with the
 * types of their parameters, so that overloads differ. What is extern "C" keeps its plain name, by
 * which packs know it. */
#include "frontends/clang/cpp.h"

#include <string.h>

const char *plain_name(struct lower *l, CXCursor c)
{
    CXString s = l->c->getCursorSpelling(c);
    const char *text = l->c->getCString(s);
    const char *name = name_of(l->unit->names, text ? text : "");
    l->c->disposeString(s);
    return name;
}

/* ---- scopes --------------------------------------------------------------------------------- */

static bool is_class_kind(enum CXCursorKind k)
{
    return k == CXCursor_ClassDecl || k == CXCursor_StructDecl || k == CXCursor_UnionDecl;
}

/* Of a type, without what a reader does not need: "net::block". */
static const char *type_name(struct lower *l, CXType t)
{
    static const char unnamed[] = "(anonymous namespace)::";
    char *text = clang_text(l->c, l->scratch, l->c->getTypeSpelling(l->c->getCanonicalType(t)));
    for (char *at; (at = strstr(text, unnamed));)
        memmove(at, at + strlen(unnamed), strlen(at + strlen(unnamed)) + 1);
    return text;
}

const char *class_name(struct lower *l, CXCursor declaration)
{
    return type_name(l, l->c->getCursorType(declaration));
}

/* "net::block::"; "": none. */
static const char *scope_of(struct lower *l, CXCursor c)
{
    CXCursor parent = l->c->getCursorSemanticParent(c);
    if (is_class_kind(parent.kind))
        return arena_printf(l->scratch, "%s::", class_name(l, parent));
    if (parent.kind != CXCursor_Namespace)
        return "";
    const char *name = plain_name(l, parent);
    return *name ? arena_printf(l->scratch, "%s%s::", scope_of(l, parent), name)
                 : scope_of(l, parent);
}

const char *variable_name(struct lower *l, CXCursor variable)
{
    const char *scope = scope_of(l, variable);
    return name_of(l->unit->names,
                   arena_printf(l->scratch, "%s%s", scope, plain_name(l, variable)));
}

/* ---- functions ------------------------------------------------------------------------------ */

/* Compilers give a C name to what is extern "C", and to main. */
static bool has_c_name(struct lower *l, CXCursor function, const char *name)
{
    if (function.kind != CXCursor_FunctionDecl)
        return false;
    CXString s = l->c->Cursor_getMangling(function);
    const char *mangled = l->c->getCString(s);
    bool is_c = mangled && strcmp(mangled, name) == 0;
    l->c->disposeString(s);
    return is_c;
}

/* A type as libclang's identifiers write it, if it is a class ("$@N@net@S@block"), or one of these;
 * else as it is there. */
static const char *decoded(struct lower *l, const char *code, size_t size)
{
    static const char *const words[] = {"f\0float", "d\0double",  "i\0int",
                                        "b\0bool",  "l\0long",    "L\0unsigned long",
                                        "c\0char",  "s\0short",   "S\0unsigned short",
                                        "C\0char",  "I\0unsigned"};
    for (int i = 0; size == 1 && i < COUNT(words); i++)
        if (words[i][0] == code[0])
            return words[i] + 2;
    const char *text = "";
    size_t at = 1;
    while (size && code[0] == '$' && at + 3 < size && code[at] == '@' && code[at + 2] == '@') {
        size_t end = at + 3;
        while (end < size && code[end] != '@')
            end++;
        text = arena_printf(l->scratch, "%s%s%.*s", text, *text ? "::" : "", (int)(end - at - 3),
                            code + at + 3);
        at = end;
    }
    return *text && at == size ? text : arena_printf(l->scratch, "%.*s", (int)size, code);
}

/* The same of a method, whose arguments libclang exposes in its identifier only: "add<#f#$@S@a>".
 */
static const char *method_template_part(struct lower *l, CXCursor method)
{
    const char *usr = clang_text(l->c, l->scratch, l->c->getCursorUSR(method)), *text = "";
    const char *begin = strstr(usr, arena_printf(l->scratch, "@%s<#", plain_name(l, method)));
    if (!begin)
        return *usr ? arena_printf(l->scratch, "<%s>", usr) : "";
    begin = strchr(begin, '<') + 1;
    int depth = 1;
    for (const char *at = begin, *from = begin + 1; depth && *at; at++) {
        depth += *at == '<' ? 1 : *at == '>' ? -1 : 0;
        bool is_end = !depth || (depth == 1 && *at == '#' && at > begin);
        if (!is_end)
            continue;
        text = arena_printf(l->scratch, "%s%s%s", text, *text ? ", " : "<",
                            decoded(l, from, (size_t)(at - from)));
        from = at + 1;
    }
    return arena_printf(l->scratch, "%s>", text);
}

/* "<float, 4>" of what a template was made into; "": none. */
static const char *template_part(struct lower *l, CXCursor function)
{
    bool is_method = function.kind == CXCursor_CXXMethod || function.kind == CXCursor_Constructor ||
                     function.kind == CXCursor_ConversionFunction;
    if (is_method)
        return l->c->getSpecializedCursorTemplate(function).kind == CXCursor_FunctionTemplate
                   ? method_template_part(l, function)
                   : "";
    int count = l->c->Cursor_getNumTemplateArguments(function);
    const char *text = "";
    for (int i = 0; i < count; i++) {
        const char *between = i ? ", " : "<";
        enum CXTemplateArgumentKind kind =
            l->c->Cursor_getTemplateArgumentKind(function, (unsigned)i);
        if (kind == CXTemplateArgumentKind_Type)
            text = arena_printf(
                l->scratch, "%s%s%s", text, between,
                type_name(l, l->c->Cursor_getTemplateArgumentType(function, (unsigned)i)));
        else
            text = arena_printf(l->scratch, "%s%s%lld", text, between,
                                l->c->Cursor_getTemplateArgumentValue(function, (unsigned)i));
    }
    return count > 0 ? arena_printf(l->scratch, "%s>", text) : "";
}

const char *function_name(struct lower *l, CXCursor function)
{
    const char *name = plain_name(l, function);
    if (has_c_name(l, function, name))
        return name;
    CXType t = l->c->getCursorType(function);
    const char *text = arena_printf(l->scratch, "%s%s%s(", scope_of(l, function), name,
                                    template_part(l, function));
    int count = l->c->getNumArgTypes(t);
    for (int i = 0; i < count; i++)
        text = arena_printf(l->scratch, "%s%s%s", text, i ? ", " : "",
                            type_name(l, l->c->getArgType(t, (unsigned)i)));
    bool is_const = function.kind == CXCursor_CXXMethod && l->c->CXXMethod_isConst(function);
    return name_of(l->unit->names,
                   arena_printf(l->scratch, "%s)%s", text, is_const ? " const" : ""));
}

bool is_library(struct lower *l, CXCursor declaration)
{
    static const char *const own[] = {"min", "max", "exchange", "clamp", NULL};
    CXCursor parent = l->c->getCursorSemanticParent(declaration), top = parent;
    for (; is_class_kind(parent.kind) || parent.kind == CXCursor_Namespace;
         parent = l->c->getCursorSemanticParent(parent))
        top = parent;
    const char *name = top.kind == CXCursor_Namespace ? plain_name(l, top) : "";
    if (strcmp(name, "std") != 0 && strcmp(name, "__gnu_cxx") != 0)
        return false;
    bool is_function = declaration.kind == CXCursor_FunctionDecl;
    const char *plain = is_function ? plain_name(l, declaration) : "";
    for (int i = 0; is_function && own[i]; i++)
        if (!strcmp(plain, own[i]))
            return false; /* its body says what it does */
    return true;
}
