/* Calls: direct or through a pointer, with arguments passed as C passes them; compiler builtins
 * that do not behave like functions; and the function that _Generic selected. */
#include "frontends/clang/cpp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- _Generic ------------------------------------------------------------------------------- */

/* The type an association is written for: the text between the preceding comma and the association,
 * without whitespace. */
static char *association_text(struct lower *l, const struct node *n)
{
    size_t at, size;
    const char *text = text_at(l, l->c->getCursorLocation(n->cursor), &at, &size);
    while (text && at > 0 && isspace((unsigned char)text[at - 1]))
        at--;
    if (!text || at == 0 || text[at - 1] != ':')
        return NULL;
    size_t end = --at;
    while (at > 0 && !strchr(",;{}", text[at - 1]))
        at--;
    char *out = arena_text(l->scratch, text + at, end - at), *to = out;
    for (char *from = out; *from; from++)
        if (!isspace((unsigned char)*from) && *from != '\\')
            *to++ = *from;
    *to = '\0';
    return out;
}

static bool is_spelled(struct lower *l, CXType t, const char *without_blanks)
{
    char *text = type_spelling(l, t), *to = text;
    for (char *from = text; *from; from++)
        if (!isspace((unsigned char)*from))
            *to++ = *from;
    *to = '\0';
    return strcmp(text, without_blanks) == 0;
}

/* Among several associations for one type: the one written for the type in question. */
static struct node *chosen_by_text(struct lower *l, const struct node *n, CXType result)
{
    CXType asked = l->c->getCursorType(n->first->cursor);
    for (struct node *child = n->first->next; child; child = child->next) {
        CXType t = l->c->getCanonicalType(l->c->getCursorType(child->cursor));
        char *text = t.data[0] == result.data[0] ? association_text(l, child) : NULL;
        if (text &&
            (is_spelled(l, asked, text) || is_spelled(l, l->c->getCanonicalType(asked), text)))
            return child;
    }
    return NULL;
}

static const void *named(struct lower *l, struct node *n)
{
    CXCursor c = l->c->getCursorReferenced(core(l, n)->cursor);
    return c.data[0];
}

/* libclang exposes the type of the selection, which is that of the selected expression, and all
 * associations. */
struct node *chosen(struct lower *l, struct node *n)
{
    CXType result = l->c->getCanonicalType(l->c->getCursorType(n->cursor));
    struct node *found = NULL;
    bool is_clear = true;
    for (struct node *child = n->first ? n->first->next : NULL; child; child = child->next) {
        CXType t = l->c->getCanonicalType(l->c->getCursorType(child->cursor));
        if (t.data[0] != result.data[0])
            continue;
        if (found && (!named(l, child) || named(l, child) != named(l, found)))
            is_clear = false;
        found = found ? found : child;
    }
    return is_clear ? found : chosen_by_text(l, n, result);
}

struct symbol *named_function(struct lower *l, struct node *n)
{
    for (; n; n = n->first) {
        n = core(l, n);
        if (n->cursor.kind == CXCursor_GenericSelectionExpr) {
            struct node *choice = chosen(l, n);
            return choice ? named_function(l, choice) : NULL;
        }
        if (n->cursor.kind == CXCursor_DeclRefExpr) {
            CXCursor c = l->c->getCursorReferenced(n->cursor);
            return c.kind == CXCursor_FunctionDecl ? symbol_of(l, c) : NULL;
        }
        if (n->cursor.kind != CXCursor_UnaryOperator)
            return NULL;
        enum CXUnaryOperatorKind kind = l->c->getCursorUnaryOperatorKind(n->cursor);
        if (kind != CXUnaryOperator_AddrOf && kind != CXUnaryOperator_Deref)
            return NULL;
    }
    return NULL;
}

/* ---- builtins ------------------------------------------------------------------------------- */

enum builtin {
    CALL,       /* an ordinary function, possibly under its library name */
    FIRST,      /* yields its first argument */
    STOP,       /* does not return */
    CONSTANT,   /* a compile-time constant, or 0 */
    SPECIAL,    /* infinity or NaN */
    BY_ADDRESS, /* arguments are passed by address, without a copy */
    LIST_START, /* of variadic arguments */
    LIST_COPY,
    PLAIN /* numbers in, a number out: the result is unknown */
};

struct builtin_row {
    const char *name;
    enum builtin what;
    const char *library;
};

/* clang-format off */
static const struct builtin_row builtins[] = { /* sorted by name */
    {"__builtin___memcpy_chk",            CALL,    "memcpy"},
    {"__builtin___memmove_chk",           CALL,    "memmove"},
    {"__builtin___memset_chk",            CALL,    "memset"},
    {"__builtin_abort",                   STOP,    NULL},
    {"__builtin_alloca",                  CALL,    "alloca"},
    {"__builtin_assume_aligned",          FIRST,   NULL},
    {"__builtin_bcopy",                   CALL,    "bcopy"},
    {"__builtin_bzero",                   CALL,    "bzero"},
    {"__builtin_calloc",                  CALL,    "calloc"},
    {"__builtin_constant_p",              CONSTANT, NULL},
    {"__builtin_debugtrap",               CALL,    NULL},
    {"__builtin_exit",                    STOP,    NULL},
    {"__builtin_expect",                  FIRST,   NULL},
    {"__builtin_expect_with_probability", FIRST,   NULL},
    {"__builtin_fprintf",                 CALL,    "fprintf"},
    {"__builtin_free",                    CALL,    "free"},
    {"__builtin_huge_val",                SPECIAL, NULL},
    {"__builtin_huge_valf",               SPECIAL, NULL},
    {"__builtin_huge_vall",               SPECIAL, NULL},
    {"__builtin_inf",                     SPECIAL, NULL},
    {"__builtin_inff",                    SPECIAL, NULL},
    {"__builtin_infl",                    SPECIAL, NULL},
    {"__builtin_malloc",                  CALL,    "malloc"},
    {"__builtin_memchr",                  CALL,    "memchr"},
    {"__builtin_memcmp",                  CALL,    "memcmp"},
    {"__builtin_memcpy",                  CALL,    "memcpy"},
    {"__builtin_memcpy_inline",           CALL,    "memcpy"},
    {"__builtin_memmove",                 CALL,    "memmove"},
    {"__builtin_mempcpy",                 CALL,    "mempcpy"},
    {"__builtin_memset",                  CALL,    "memset"},
    {"__builtin_nan",                     SPECIAL, NULL},
    {"__builtin_nanf",                    SPECIAL, NULL},
    {"__builtin_nanl",                    SPECIAL, NULL},
    {"__builtin_printf",                  CALL,    "printf"},
    {"__builtin_realloc",                 CALL,    "realloc"},
    {"__builtin_snprintf",                CALL,    "snprintf"},
    {"__builtin_strchr",                  CALL,    "strchr"},
    {"__builtin_strcmp",                  CALL,    "strcmp"},
    {"__builtin_strcpy",                  CALL,    "strcpy"},
    {"__builtin_strlen",                  CALL,    "strlen"},
    {"__builtin_strncmp",                 CALL,    "strncmp"},
    {"__builtin_strncpy",                 CALL,    "strncpy"},
    {"__builtin_trap",                    STOP,    NULL},
    {"__builtin_unreachable",             STOP,    NULL},
    {"__builtin_va_copy",                 LIST_COPY, NULL},
    {"__builtin_va_end",                  BY_ADDRESS, NULL},
    {"__builtin_va_start",                LIST_START, NULL},
    {"__builtin_verbose_trap",            STOP,    NULL},
};
/* clang-format on */

static int compare_names(const void *name, const void *row)
{
    return strcmp(name, ((const struct builtin_row *)row)->name);
}

static const struct builtin_row *builtin_row(const char *name)
{
    return bsearch(name, builtins, sizeof builtins / sizeof builtins[0], sizeof builtins[0],
                   compare_names);
}

/* Not in the table: if it takes no address, it has no effect but its result. */
static bool is_plain(struct lower *l, struct node *n)
{
    const struct type *t = node_type(l, n);
    bool number = t->kind == TYPE_INT || t->kind == TYPE_FLOAT || t->kind == TYPE_BOOL;
    for (struct node *arg = n->first->next; arg && number; arg = arg->next)
        number = node_type(l, arg)->kind != TYPE_POINTER && !is_aggregate(node_type(l, arg));
    return number;
}

static enum builtin builtin_of(struct lower *l, struct node *n, const char **name)
{
    if (strncmp(*name, "__builtin_", strlen("__builtin_")) != 0)
        return CALL;
    const struct builtin_row *row = builtin_row(*name);
    if (!row)
        return is_plain(l, n) ? PLAIN : CALL;
    *name = row->library ? row->library : *name;
    return row->what;
}

/* ---- arguments ------------------------------------------------------------------------------ */

/* A literal that only records its source location: a record of __func__, strings and numbers,
 * written by a macro. It is not modelled; every call of an API may carry one. */
bool is_place(struct lower *l, struct node *n)
{
    bool has_function = false;
    struct node *list = n->last;
    if (!list || list->cursor.kind != CXCursor_InitListExpr ||
        source_of(l, l->c->getCursorLocation(n->cursor)))
        return false;
    for (struct node *item = list->first; item; item = item->next) {
        struct node *inner = core(l, item);
        enum CXCursorKind k = inner->cursor.kind;
        if (k != CXCursor_StringLiteral && k != CXCursor_IntegerLiteral)
            return false;
        has_function |= k == CXCursor_StringLiteral && (inner->parent != item || l->is_cpp) &&
                        inner->parent->cursor.kind == CXCursor_UnexposedExpr &&
                        l->c->getCursorType(inner->parent->cursor).kind == CXType_ConstantArray;
    }
    return has_function;
}

/* A record is passed as the address of a copy; a temporary created for the call needs no copy. */
static ir_value lower_record_argument(struct lower *l, struct node *n)
{
    struct node *inner = core(l, n);
    const struct type *t = node_type(l, n);
    enum CXCursorKind k = inner->cursor.kind;
    if (k == CXCursor_CompoundLiteralExpr && is_place(l, inner))
        return emit_null(l, n->parent, pointer_to(l, t));
    ir_value from = value_as(l, n, t);
    if (k == CXCursor_CompoundLiteralExpr || k == CXCursor_CallExpr)
        return from;
    complete(l, t);
    ir_value copy = emit_temporary(l, n, t);
    emit_copy(l, n, copy, from);
    return copy;
}

static ir_value lower_argument(struct lower *l, struct node *n, bool by_address)
{
    const struct type *t = node_type(l, n);
    if (by_address && t->kind == TYPE_RECORD)
        return address_of(l, n);
    if (t->kind == TYPE_RECORD)
        return lower_record_argument(l, n);
    ir_value v = value_of(l, n);
    return v ? v : emit_anything(l, n, int_type(l), "an argument without a value", NULL, 0);
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* A record is returned as the address of one. */
static const struct type *result_type(struct lower *l, struct node *n)
{
    const struct type *t = node_type(l, n);
    if (t->kind != TYPE_VOID)
        complete(l, t);
    return value_type(l, t);
}

static ir_value emit_call(struct lower *l, struct node *n, struct symbol *callee, const char *name,
                          bool by_address)
{
    LIST(ir_value) args = {0};
    span_of(l, n); /* compute the call's span first: spans of arguments in a macro depend on it */
    if (!name) {
        ir_value function = value_of(l, n->first);
        if (!function)
            function = emit_anything(l, n, int_type(l), "a call of nothing", NULL, 0);
        LIST_ADD(l->scratch, &args, function);
    }
    for (struct node *arg = n->first->next; arg; arg = arg->next)
        if (is_expression(arg))
            LIST_ADD(l->scratch, &args, lower_argument(l, arg, by_address));
    struct ir_inst inst = {.op = IR_CALL,
                           .type = result_type(l, n),
                           .name = name,
                           .args = args.items,
                           .arg_count = args.count};
    ir_value v = emit(l, n, inst);
    if (callee && callee->no_return) {
        emit_stop(l, n);
        return inst.type ? emit_some(l, n, node_type(l, n), "after a call that does not return")
                         : 0;
    }
    return inst.type ? v : 0;
}

static ir_value lower_constant_question(struct lower *l, struct node *n)
{
    int64_t value = 0;
    evaluate_int(l, n->cursor, &value);
    return emit_int(l, n, node_type(l, n), value);
}

static ir_value lower_stop(struct lower *l, struct node *n)
{
    for (struct node *arg = n->first->next; arg; arg = arg->next)
        if (is_expression(arg))
            effect_of(l, arg);
    emit_stop(l, n);
    return 0;
}

static ir_value lower_plain(struct lower *l, struct node *n, const char *name)
{
    LIST(ir_value) args = {0};
    for (struct node *arg = n->first->next; arg; arg = arg->next)
        if (is_expression(arg))
            LIST_ADD(l->scratch, &args, lower_argument(l, arg, false));
    return emit_some_of(l, n, node_type(l, n), name, args.items, args.count);
}

/* Infinity or NaN: the argument is a string. */
static ir_value lower_special(struct lower *l, struct node *n)
{
    double value;
    if (evaluate_real(l, n->cursor, &value))
        return emit_real(l, n, node_type(l, n), value);
    return emit_some(l, n, node_type(l, n), "a number that is none");
}

/* va_start or va_copy. */
static ir_value lower_list(struct lower *l, struct node *n, enum builtin builtin)
{
    struct node *first = nth_expression(n, 1), *second = nth_expression(n, 2);
    ir_value to = first ? list_address(l, first) : 0;
    ir_value from = builtin == LIST_COPY && second ? list_address(l, second) : 0;
    if (to && from)
        emit_list_copy(l, n, to, from);
    else if (to && builtin == LIST_START)
        emit_list_start(l, n, to);
    return 0;
}

/* Builtins are functions of C in C++, too. */
static bool is_builtin(struct lower *l, struct node *n)
{
    CXString s = l->c->getCursorSpelling(n->cursor);
    const char *text = l->c->getCString(s);
    bool is = text && strncmp(text, "__builtin_", strlen("__builtin_")) == 0;
    l->c->disposeString(s);
    return is;
}

ir_value lower_call(struct lower *l, struct node *n)
{
    if (is_cpp_call(l, n) && !is_builtin(l, n))
        return lower_cpp_call(l, n, false);
    if (!n->first || !is_expression(n->first))
        return emit_anything(l, n, node_type(l, n), "a call of nothing", NULL, 0);
    struct symbol *callee = named_function(l, n->first);
    if (!callee)
        return emit_call(l, n, NULL, NULL, false);
    const char *name = callee->name;
    enum builtin builtin = builtin_of(l, n, &name);
    switch (builtin) {
    case CALL:
        break;
    case FIRST:
        if (nth_expression(n, 1))
            return value_as(l, nth_expression(n, 1), node_type(l, n));
        break;
    case STOP:
        return lower_stop(l, n);
    case CONSTANT:
        return lower_constant_question(l, n);
    case SPECIAL:
        return lower_special(l, n);
    case PLAIN:
        return lower_plain(l, n, name);
    case LIST_START:
    case LIST_COPY:
        return lower_list(l, n, builtin);
    case BY_ADDRESS:
        return emit_call(l, n, callee, name, true);
    }
    return emit_call(l, n, callee, name, false);
}
