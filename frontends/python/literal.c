/* Numbers and texts as the source writes them. */
#include "frontends/python/lower.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

/* Without underscores. */
static char *digits_of(struct lower *l, TSNode n)
{
    size_t length, kept = 0;
    const char *text = node_text(l, n, &length);
    char *digits = arena_alloc(l->arena, length + 1);
    for (size_t i = 0; i < length; i++)
        if (text[i] != '_')
            digits[kept++] = text[i];
    return digits;
}

/* Takes "0x", "0o" or "0b" away. */
static int base_of(char **digits)
{
    char mark = (*digits)[0] == '0' ? (char)((*digits)[1] | 0x20) : '\0';
    int base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    *digits += base == 10 ? 0 : 2;
    return base;
}

static ir_value real(struct lower *l, TSNode n, const char *digits)
{
    return py_emit(l, n, (struct ir_inst){.op = IR_REAL, .real = strtod(digits, NULL)});
}

static ir_value imaginary(struct lower *l, TSNode n, const char *digits)
{
    struct operands o = {0};
    py_operand_add(l, &o, real(l, n, digits), NULL);
    return py_emit_make(l, n, KIND_COMPLEX, &o);
}

/* Python's integers have no bounds; beyond 64 bits only that it is one is kept. */
static ir_value number(struct lower *l, TSNode n)
{
    char *digits = digits_of(l, n), *end;
    size_t length = strlen(digits);
    bool is_hex = digits[0] == '0' && length > 1 && (digits[1] | 0x20) == 'x';
    if (length && (digits[length - 1] | 0x20) == 'j')
        return imaginary(l, n, digits);
    if (!is_hex && py_kind_of(l, n) == NODE_float)
        return real(l, n, digits);
    int base = base_of(&digits);
    errno = 0;
    long long value = strtoll(digits, &end, base);
    if (errno == ERANGE || end == digits)
        return py_emit_anything(l, n, "an integer beyond 64 bits");
    return py_emit_int(l, n, value);
}

ir_value py_lower_literal(struct lower *l, TSNode n)
{
    struct operands none = {0};
    switch (py_kind_of(l, n)) {
    case NODE_true:
    case NODE_false:
        return py_emit_bool(l, n, py_kind_of(l, n) == NODE_true);
    case NODE_none:
        return py_emit_none(l, n);
    case NODE_ellipsis:
        return py_emit_make(l, n, KIND_ELLIPSIS, &none);
    default:
        return number(l, n);
    }
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* A literal, or several next to each other: constant text, and what is between. */
struct parts {
    struct operands all;
    struct text constant; /* not yet among all */
    bool is_raw, is_bytes, has_zero;
};

static unsigned hex_value(const char *at, int digits)
{
    unsigned value = 0;
    for (int i = 0; i < digits; i++) {
        unsigned c = (unsigned char)at[i];
        value = value * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

static void add_utf8(struct parts *p, unsigned code)
{
    static const unsigned lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    char out[4];
    int n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = n - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(lead[n] | code);
    p->has_zero |= n == 1 && !out[0];
    text_add_range(&p->constant, out, (size_t)n);
}

static void add_octal(struct parts *p, const char *at, size_t length)
{
    unsigned code = 0;
    for (size_t i = 1; i < length; i++)
        code = code * 8 + (unsigned)(at[i] - '0');
    add_utf8(p, code);
}

/* "\n", "\x41", "\u00e9", "\101", a continued line; what is none of these stays as it is. */
static void add_escape(struct parts *p, const char *at, size_t length)
{
    static const char marks[] = "abfnrtv\\'\"", meaning[] = "\a\b\f\n\r\t\v\\'\"";
    const char *known = length > 1 ? strchr(marks, at[1]) : NULL;
    if (length > 1 && (at[1] == '\n' || at[1] == '\r'))
        return;
    if (known && *known)
        add_utf8(p, (unsigned char)meaning[known - marks]);
    else if (length > 3 && (at[1] == 'x' || at[1] == 'u' || at[1] == 'U'))
        add_utf8(p, hex_value(at + 2, (int)length - 2));
    else if (length > 1 && at[1] >= '0' && at[1] <= '7')
        add_octal(p, at, length);
    else
        text_add_range(&p->constant, at, length);
}

static void end_constant(struct lower *l, struct parts *p, TSNode at)
{
    if (p->constant.length)
        py_operand_add(l, &p->all, py_emit_text(l, at, p->constant.data), NULL);
    text_free(&p->constant);
    p->constant = (struct text){0};
}

/* What is between escapes is copied. */
static void add_content(struct lower *l, struct parts *p, TSNode n)
{
    size_t length;
    const char *text = node_text(l, n, &length);
    uint32_t from = ts_node_start_byte(n), at = 0;
    struct nodes escapes = node_children(l->arena, n);
    for (int i = 0; i < escapes.count && !p->is_raw; i++) {
        uint32_t begin = ts_node_start_byte(escapes.items[i]) - from;
        uint32_t end = ts_node_end_byte(escapes.items[i]) - from;
        if (begin < at || end > length)
            continue;
        text_add_range(&p->constant, text + at, begin - at);
        if (py_kind_of(l, escapes.items[i]) == NODE_escape_interpolation)
            text_add_range(&p->constant, text + begin, 1); /* {{ */
        else
            add_escape(p, text + begin, end - begin);
        at = end;
    }
    text_add_range(&p->constant, text + at, length - at);
    p->has_zero |= memchr(text, '\0', length) != NULL;
}

static void add_interpolation(struct lower *l, struct parts *p, TSNode n)
{
    TSNode format = py_field_of(l, n, FIELD_format_specifier);
    end_constant(l, p, n);
    py_operand_add(l, &p->all, py_lower_expr(l, py_field_of(l, n, FIELD_expression)), NULL);
    if (node_is_null(format))
        return;
    struct nodes inner = node_children(l->arena, format); /* f"{x:{width}}" */
    for (int i = 0; i < inner.count; i++)
        if (py_kind_of(l, inner.items[i]) == NODE_format_expression ||
            py_kind_of(l, inner.items[i]) == NODE_interpolation)
            py_operand_add(l, &p->all,
                           py_lower_expr(l, py_field_of(l, inner.items[i], FIELD_expression)),
                           NULL);
}

static void read_prefix(struct lower *l, struct parts *p, TSNode start)
{
    size_t length;
    const char *text = node_text(l, start, &length);
    p->is_raw = false;
    for (size_t i = 0; i < length; i++) {
        p->is_raw |= (text[i] | 0x20) == 'r';
        p->is_bytes |= (text[i] | 0x20) == 'b';
    }
}

static void add_literal(struct lower *l, struct parts *p, TSNode n)
{
    struct nodes all = node_children(l->arena, n);
    for (int i = 0; i < all.count; i++) {
        enum node_kind kind = py_kind_of(l, all.items[i]);
        if (kind == NODE_string_start)
            read_prefix(l, p, all.items[i]);
        else if (kind == NODE_string_content)
            add_content(l, p, all.items[i]);
        else if (kind == NODE_interpolation)
            add_interpolation(l, p, all.items[i]);
    }
}

static ir_value whole_text(struct lower *l, TSNode n, struct parts *p)
{
    bool is_constant = p->all.values.count == 0;
    const char *constant = p->constant.length ? p->constant.data : "";
    ir_value v = is_constant ? py_emit_text(l, n, constant) : 0;
    if (!is_constant) {
        end_constant(l, p, n);
        v = py_emit_make(l, n, KIND_TEXT, &p->all);
    }
    if (!p->is_bytes)
        return v;
    struct operands o = {0};
    py_operand_add(l, &o, v, NULL);
    return py_emit_make(l, n, KIND_BYTES, &o);
}

ir_value py_lower_string(struct lower *l, TSNode n)
{
    struct parts p = {0};
    struct nodes several = node_children(l->arena, n);
    if (py_kind_of(l, n) == NODE_concatenated_string)
        for (int i = 0; i < several.count; i++)
            add_literal(l, &p, several.items[i]);
    else
        add_literal(l, &p, n);
    ir_value v = p.has_zero ? py_emit_anything(l, n, "text with a zero") : whole_text(l, n, &p);
    text_free(&p.constant);
    return v;
}
