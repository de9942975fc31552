/* Constants: literals, sizes, strings. Plain numbers are read from the source text; libclang
 * evaluates all other constant expressions, which costs as much as lowering a statement. */
#include "frontends/clang/lower.h"

#include <stdio.h>
#include <string.h>

bool evaluate_int(struct lower *l, CXCursor c, int64_t *value)
{
    CXEvalResult r = l->c->Cursor_Evaluate(c);
    bool found = r && l->c->EvalResult_getKind(r) == CXEval_Int;
    if (found && l->c->EvalResult_isUnsignedInt(r))
        *value = (int64_t)l->c->EvalResult_getAsUnsigned(r);
    else if (found)
        *value = l->c->EvalResult_getAsLongLong(r);
    if (r)
        l->c->EvalResult_dispose(r);
    return found;
}

/* The number at the location; in a macro, where the macro spells it. */
static bool written_integer(struct lower *l, CXCursor c, int64_t *value)
{
    CXSourceLocation place = l->c->getCursorLocation(c);
    struct source *s = source_of(l, place);
    return s && s->text && source_integer(s->text, s->size, place.int_data - s->base, value);
}

static bool integer_value(struct lower *l, CXCursor c, int64_t *value)
{
    return written_integer(l, c, value) || evaluate_int(l, c, value);
}

/* Whether a command-line flag may define a macro as this number. */
static bool is_in_flags(const struct lower *l, int64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)value);
    for (int i = 0; i < l->flag_count; i++)
        if (strstr(l->flags[i], digits))
            return true;
    return false;
}

/* Whether the number may be __LINE__: the compiler wrote it, so its location is in no file. The
 * same is true of numbers defined by flags or by the compiler, and of pasted tokens. */
static bool is_own_line(struct lower *l, struct node *n, int64_t value)
{
    CXFile file;
    CXSourceLocation place = l->c->getCursorLocation(n->cursor);
    struct span s = span_of(l, n);
    if (value < s.line || value > s.end_line || !(place.int_data & IN_MACRO) ||
        l->c->getCursorType(n->cursor).kind != CXType_Int || is_in_flags(l, value))
        return false;
    l->c->getSpellingLocation(place, &file, NULL, NULL, NULL);
    return !file;
}

/* Line numbers (as in assert) are lowered as unknown, so that code is the same wherever it is in
 * the file. */
ir_value lower_integer(struct lower *l, struct node *n)
{
    int64_t value;
    if (!integer_value(l, n->cursor, &value))
        return emit_anything(l, n, node_type(l, n), "a number too large", NULL, 0);
    if (is_own_line(l, n, value))
        return emit_some(l, n, node_type(l, n), "the line");
    return emit_int(l, n, node_type(l, n), value);
}

bool evaluate_real(struct lower *l, CXCursor c, double *value)
{
    CXEvalResult r = l->c->Cursor_Evaluate(c);
    bool found = r && l->c->EvalResult_getKind(r) == CXEval_Float;
    if (found)
        *value = l->c->EvalResult_getAsDouble(r);
    if (r)
        l->c->EvalResult_dispose(r);
    return found;
}

ir_value lower_real(struct lower *l, struct node *n)
{
    double value;
    if (!evaluate_real(l, n->cursor, &value))
        return emit_anything(l, n, node_type(l, n), "a number of an unusual type", NULL, 0);
    return emit_real(l, n, node_type(l, n), value);
}

/* ---- texts ---------------------------------------------------------------------------------- */

static char escaped_letter(char c)
{
    static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
    const char *at = c ? strchr(from, c) : NULL;
    return at ? to[at - from] : c;
}

/* Reads what follows a backslash: up to three octal digits, or a letter. */
static const char *read_escape(const char *in, char *out)
{
    int value = 0, digits = 0;
    while (digits < 3 && in[digits] >= '0' && in[digits] <= '7')
        value = value * 8 + (in[digits++] - '0');
    *out = (char)(digits ? value : escaped_letter(*in));
    return in + (digits ? digits : *in != '\0');
}

/* libclang spells concatenated pieces as one string, in quotes, with escapes of its own choice. */
const char *text_value(struct lower *l, struct node *n)
{
    char *quoted = clang_text(l->c, l->scratch, l->c->getCursorSpelling(n->cursor));
    char *begin = strchr(quoted, '"'), *end = strrchr(quoted, '"'), *out = quoted;
    if (!begin || end == begin)
        return quoted;
    for (const char *in = begin + 1; in < end; out++)
        if (*in == '\\')
            in = read_escape(in + 1, out);
        else
            *out = *in++;
    *out = '\0';
    return quoted;
}

ir_value lower_text(struct lower *l, struct node *n)
{
    struct ir_inst inst = {
        .op = IR_TEXT, .type = pointer_to(l, node_type(l, n)), .name = text_value(l, n)};
    return emit(l, n, inst);
}

ir_value lower_size(struct lower *l, struct node *n)
{
    int64_t value;
    if (evaluate_int(l, n->cursor, &value))
        return emit_int(l, n, node_type(l, n), value);
    return emit_anything(l, n, node_type(l, n), "size of a variable-length array", NULL, 0);
}

bool literal_value(struct lower *l, struct node *n, int64_t *value)
{
    n = core(l, n);
    if (n->cursor.kind == CXCursor_IntegerLiteral || n->cursor.kind == CXCursor_CXXBoolLiteralExpr)
        return integer_value(l, n->cursor, value);
    return false;
}
