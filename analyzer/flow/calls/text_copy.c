/* Calls that copy a text or format one: what is known by the original is known by the copy. A text
 * that is formatted from what is known is a literal; else it is the same each time that it is
 * formatted from the same. */
#include "analyzer/flow/calls/calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- formats --------------------------------------------------------------------------------- */

enum { MAX_WIDTH = 64, MAX_FORMATTED = 512 };

/* A part of a format: characters, or the conversion of an argument. */
struct part {
    const char *from;
    int length;      /* -1: it is not understood */
    char conversion; /* 0: characters */
    bool is_left, has_zeros, is_long;
    int width, precision; /* precision -1: none */
};

static int number_at(const char **at)
{
    char *end;
    long n = strtol(*at, &end, 10);
    bool is_number = **at >= '0' && **at <= '9';
    *at = is_number ? end : *at;
    return is_number && n <= MAX_WIDTH ? (int)n : is_number ? MAX_WIDTH + 1 : 0;
}

static void read_conversion(struct part *p)
{
    const char *at = p->from + 1;
    for (; *at == '-' || *at == '0'; at++)
        *(*at == '-' ? &p->is_left : &p->has_zeros) = true;
    p->width = number_at(&at);
    p->precision = -1;
    if (*at == '.') {
        at++;
        p->precision = number_at(&at);
    }
    p->is_long = *at && strchr("lzjt", *at);
    at += strspn(at, "hlzjt");
    p->conversion = *at;
    bool is_number = *at && strchr("diuxXo", *at) && p->precision < 0;
    bool is_known = is_number || *at == 'c' || *at == 's' || (*at == '%' && at == p->from + 1);
    p->length = is_known && p->width <= MAX_WIDTH ? (int)(at + 1 - p->from) : -1;
}

/* False: the end, or a part that is not understood. */
static bool next_part(const char *at, struct part *p)
{
    *p = (struct part){.from = at, .length = (int)strcspn(at, "%")};
    if (*at == '%')
        read_conversion(p);
    return p->length > 0;
}

static bool is_understood(const char *format)
{
    struct part p;
    while (next_part(format, &p))
        format += p.length;
    return p.length >= 0;
}

/* The literal that is the format of a call; NULL: it is not known, or not understood. */
static const char *format_of(const struct ir_function *caller, const struct ir_inst *call,
                             int argument)
{
    if (argument < 0 || argument >= call->arg_count)
        return NULL;
    const struct ir_inst *i = &caller->insts.items[call->args[argument]];
    while (i->op == IR_CONVERT || i->op == IR_ELEMENT) /* as arrays become pointers */
        i = &caller->insts.items[i->args[0]];
    return i->op == IR_TEXT && i->name && is_understood(i->name) ? i->name : NULL;
}

bool text_depends_on(const struct ir_function *caller, const struct ir_inst *call, int first,
                     const struct pack_function *fn, int argument)
{
    const struct pack_text *t = &fn->text;
    if (fn->named.is_written && argument == fn->named.text)
        return true;
    if (!t->is_written)
        return false;
    if (t->format >= 0 && argument > t->format)
        return format_of(caller, call, first + t->format);
    return argument == t->to || argument == t->onto || argument == t->from ||
           argument == t->format || argument == t->size || argument == t->most;
}

/* ---- formatting ------------------------------------------------------------------------------ */

/* A text that is formatted; at first all of it is known. */
struct formatting {
    const struct pack_call *call;
    char text[MAX_FORMATTED];
    int length; /* of what is known at its beginning */
    bool is_unknown;
    struct computation c;
    char pattern[MAX_FORMATTED];
    int pattern_length; /* MAX_FORMATTED: it is too long */
};

static void append_pattern(struct formatting *to, const char *what, int length)
{
    if (to->pattern_length + length >= MAX_FORMATTED) {
        to->pattern_length = MAX_FORMATTED;
        return;
    }
    memcpy(to->pattern + to->pattern_length, what, (size_t)length);
    to->pattern_length += length;
}

static const char *pattern_made(const struct formatting *to)
{
    return to->pattern_length < MAX_FORMATTED
               ? arena_text(to->call->f->kept, to->pattern, (size_t)to->pattern_length)
               : NULL;
}

static void append(struct formatting *to, const struct part *p, const char *what, int length)
{
    int pad = p->width > length ? p->width - length : 0;
    bool has_sign = p->has_zeros && *what == '-';
    append_pattern(to, what, length);
    if (to->is_unknown || to->length + pad + length >= MAX_FORMATTED) {
        to->is_unknown = true;
        return;
    }
    char *at = to->text + to->length;
    to->length += pad + length;
    if (p->is_left) {
        memset(at + length, ' ', (size_t)pad);
        memcpy(at, what, (size_t)length);
        return;
    }
    memset(at, p->has_zeros ? '0' : ' ', (size_t)pad + has_sign);
    memcpy(at + pad + has_sign, what + has_sign, (size_t)(length - has_sign));
    *at = has_sign ? '-' : *at;
}

static void append_number(struct formatting *to, const struct part *p, int64_t n)
{
    char digits[32] = {(char)n};
    uint64_t bits = p->is_long ? (uint64_t)n : (uint32_t)n;
    if (p->conversion == 'd' || p->conversion == 'i')
        snprintf(digits, sizeof digits, "%" PRId64, n);
    else if (p->conversion == 'u')
        snprintf(digits, sizeof digits, "%" PRIu64, bits);
    else if (p->conversion == 'x')
        snprintf(digits, sizeof digits, "%" PRIx64, bits);
    else if (p->conversion == 'X')
        snprintf(digits, sizeof digits, "%" PRIX64, bits);
    else if (p->conversion == 'o')
        snprintf(digits, sizeof digits, "%" PRIo64, bits);
    append(to, p, digits, (int)strlen(digits));
}

static void append_text(struct formatting *to, const struct part *p, const char *text)
{
    int length = (int)strlen(text) < MAX_FORMATTED ? (int)strlen(text) : MAX_FORMATTED;
    append(to, p, text, p->precision >= 0 && p->precision < length ? p->precision : length);
}

static void append_unknown(struct formatting *to, const struct unknown_text *u)
{
    const char hole[] = {TEXT_HOLE, 0}, *pattern = u && u->pattern ? u->pattern : hole;
    to->is_unknown = true;
    append_pattern(to, pattern, (int)strlen(pattern));
}

static void append_argument(struct formatting *to, const struct part *p, const struct value *v)
{
    struct flow *f = to->call->f;
    int64_t n;
    bool is_text = p->conversion == 's';
    struct value string = is_text ? string_at(f, to->call->s, v) : value_any;
    computation_add(f, to->call->s, &to->c, v, is_text);
    if (is_text && string_literal(&string))
        append_text(to, p, string_literal(&string));
    else if (!is_text && number_exact(v, &n))
        append_number(to, p, n);
    else
        append_unknown(to, string_unknown(&string));
}

/* Each part of the format in turn. */
static void append_all(struct formatting *to, const char *format, int argument)
{
    struct part p;
    for (; next_part(format, &p); format += p.length) {
        const struct part plain = {.precision = -1};
        if (!p.conversion)
            append(to, &plain, p.from, p.length);
        else if (p.conversion == '%')
            append(to, &plain, "%", 1);
        else if (argument < to->call->arg_count)
            append_argument(to, &p, &to->call->args[argument++]);
        else
            to->c.is_unknown = true;
    }
}

static struct value formatted(const struct pack_call *call)
{
    const struct ir_function *caller = call->fr->code->fn;
    const struct ir_inst *i = &caller->insts.items[call->inst];
    int argument = call->fn->text.format;
    const char *format = format_of(caller, i, argument + !i->name);
    if (!format)
        return value_any;
    if (!strcmp(format, "%s") && argument + 1 < call->arg_count)
        return string_copied(call->f, call->s, &call->args[argument + 1]);
    struct formatting *to = arena_one(call->f->scratch, struct formatting);
    to->call = call;
    to->c = computation_of(COMPUTATION_FORMAT, 0, NULL);
    computation_add_text(&to->c, format);
    append_all(to, format, argument + 1);
    if (!to->is_unknown)
        return string_of(call->f, to->text, (size_t)to->length);
    return string_formatted(
        call->f, &to->c, arena_text(call->f->kept, to->text, (size_t)to->length), pattern_made(to));
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* The text that is there, and the other behind it. */
static struct value appended(const struct pack_call *call, const struct value *string)
{
    const struct value *to = &call->args[call->fn->text.onto];
    struct value before = string_copied(call->f, call->s, to);
    const char *x = string_literal(&before), *y = string_literal(string);
    if (x && y)
        return string_joined(call->f, x, strlen(x), y);
    if (before.kind != VALUE_ADDRESS || string->kind != VALUE_ADDRESS)
        return value_any;
    struct computation c = computation_of(COMPUTATION_FORMAT, 1, NULL);
    computation_add(call->f, call->s, &c, &before, true);
    computation_add(call->f, call->s, &c, string, true);
    return string_formatted(call->f, &c, x ? x : string_unknown(&before)->prefix, NULL);
}

/* The number that is passed as an argument; false: it is not known. INT64_MAX: there is none. */
static bool passed(const struct pack_call *call, int argument, int64_t *n)
{
    *n = INT64_MAX;
    return argument < 0 ||
           (argument < call->arg_count && number_exact(&call->args[argument], n) && *n >= 0);
}

static int written_argument(const struct pack_text *t)
{
    return t->to >= 0 ? t->to : t->onto;
}

static struct value combined(const struct pack_call *call, const struct value *string)
{
    const struct pack_text *t = &call->fn->text;
    if (t->onto >= 0)
        return appended(call, string);
    return t->to >= 0 ? string_behind(call->f, call->s, &call->args[t->to], string) : *string;
}

struct text_made text_make(const struct pack_call *call)
{
    const struct pack_text *t = &call->fn->text;
    struct text_made made = {.string = value_any, .length = -1};
    int64_t size, most;
    if (!call->f->merges || !t->is_written || call->arg_count <= t->from ||
        call->arg_count <= written_argument(t))
        return made;
    struct value string =
        t->format >= 0 ? formatted(call) : string_copied(call->f, call->s, &call->args[t->from]);
    const char *text = string_literal(&string);
    made.length = text && t->onto < 0 ? (int64_t)strlen(text) : -1;
    if (!passed(call, t->size, &size) || !passed(call, t->most, &most) || !size)
        return made;
    made.spelled = text && t->to >= 0 && (int64_t)strlen(text) >= most ? text : NULL;
    made.most = most;
    if (made.spelled)
        made.string = string_overlaid(call->f, call->s, &call->args[t->to], text, most);
    if (made.spelled)
        return made;
    if (most < INT64_MAX)
        string = string_cut(call->f, &string, most);
    if (size < INT64_MAX && t->onto < 0)
        string = string_cut(call->f, &string, size - 1);
    made.string = combined(call, &string);
    if (size < INT64_MAX && t->onto >= 0)
        made.string = string_cut(call->f, &made.string, size - 1);
    return made;
}

void text_put(const struct pack_call *call, const struct text_made *t, struct value *result)
{
    int argument = written_argument(&call->fn->text);
    const struct value *to = argument >= 0 ? &call->args[argument] : result;
    if (t->string.kind != VALUE_ANY)
        string_write(call->f, call->s, to, t->string);
    else if (t->spelled)
        string_spell(call->f, call->s, to, t->spelled, t->most);
    if (t->length >= 0 && call->fn->returns_number)
        *result = value_int(t->length);
}
