/* Reads JSON text step by step, unescaping strings in place. Text of a file that cannot be trusted
 * comes in; what the caller asks for goes out, or a problem with its place in the file. */
#include "runtime/io/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool json_fail(struct json *j, const char *fmt, ...)
{
    char text[200];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return PROBLEM(j->problem, "header, byte %llu: %s",
                   (unsigned long long)(j->base + (uint64_t)(j->at - j->begin)), text);
}

static void skip_blanks(struct json *j)
{
    while (j->at < j->end && (*j->at == ' ' || *j->at == '\n' || *j->at == '\r' || *j->at == '\t'))
        j->at++;
}

bool json_take(struct json *j, char c)
{
    skip_blanks(j);
    if (j->at == j->end || *j->at != c)
        return false;
    j->at++;
    return true;
}

bool json_need(struct json *j, char c)
{
    return json_take(j, c) || json_fail(j, "'%c' expected", c);
}

bool json_next(struct json *j, char close, bool *first, bool *well)
{
    if (!*well)
        return false;
    if (*first && json_take(j, close))
        return false;
    if (*first || json_take(j, ',')) {
        *first = false;
        return true;
    }
    if (!json_take(j, close))
        *well = json_fail(j, "',' or '%c' expected", close);
    return false;
}

bool json_end(struct json *j)
{
    skip_blanks(j);
    return j->at == j->end || json_fail(j, "more follows where the header should end");
}

/* ---- numbers ------------------------------------------------------------------------------- */

static bool is_digit(const struct json *j)
{
    return j->at < j->end && *j->at >= '0' && *j->at <= '9';
}

bool json_size(struct json *j, int64_t *value)
{
    skip_blanks(j);
    const char *start = j->at;
    *value = 0;
    if (!is_digit(j))
        return json_fail(j, "a size expected: a whole number, not negative");
    for (; is_digit(j); j->at++)
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, *j->at - '0', value))
            return json_fail(j, "the number is too large");
    if (*start == '0' && j->at - start > 1)
        return json_fail(j, "a number begins with 0");
    if (j->at < j->end && (*j->at == '.' || *j->at == 'e' || *j->at == 'E'))
        return json_fail(j, "a size is a whole number");
    return true;
}

/* ---- strings ------------------------------------------------------------------------------- */

/* The first byte determines the length and, for the second, the range that excludes overlong
 * forms, surrogates and code points beyond Unicode. */
static const struct utf8_row {
    unsigned char first, last; /* of the first byte */
    unsigned char low, high;   /* of the second */
    unsigned char length;
} utf8_rows[] = {
    {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

static bool fits(const struct utf8_row *row, const unsigned char *text, size_t room)
{
    if (text[0] < row->first || text[0] > row->last || room < row->length)
        return false;
    if (row->length > 1 && (text[1] < row->low || text[1] > row->high))
        return false;
    for (size_t i = 2; i < row->length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return false;
    return true;
}

size_t utf8_length(const char *text, size_t room)
{
    for (size_t i = 0; room && i < sizeof utf8_rows / sizeof utf8_rows[0]; i++)
        if (fits(&utf8_rows[i], (const unsigned char *)text, room))
            return utf8_rows[i].length;
    return 0;
}

bool utf8_valid(const char *text)
{
    size_t room = strlen(text), n = 1;
    for (; room && n; text += n, room -= n)
        n = utf8_length(text, room);
    return n != 0;
}

static void utf8_put(char **to, uint32_t c)
{
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    int n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int i = n - 1; i > 0; i--, c >>= 6)
        (*to)[i] = (char)(0x80 | (c & 0x3f));
    (*to)[0] = (char)(lead[n] | c);
    *to += n;
}

static bool take_hex4(struct json *j, uint32_t *value)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    *value = 0;
    for (int i = 0; i < 4; i++, j->at++) {
        const char *d = j->at < j->end && *j->at ? strchr(digits, *j->at) : NULL;
        if (!d)
            return json_fail(j, "four hexadecimal digits expected");
        uint32_t digit = (uint32_t)(d - digits);
        *value = *value << 4 | (digit < 16 ? digit : digit - 6);
    }
    return true;
}

/* After \u. A character beyond 16 bits is written as two, a high and a low surrogate. */
static bool take_unicode(struct json *j, char **to)
{
    uint32_t c, low;
    if (!take_hex4(j, &c))
        return false;
    if (c >= 0xd800 && c < 0xdc00) {
        if (j->end - j->at < 2 || j->at[0] != '\\' || j->at[1] != 'u')
            return json_fail(j, "half of a surrogate pair");
        j->at += 2;
        if (!take_hex4(j, &low))
            return false;
        if (low < 0xdc00 || low > 0xdfff)
            return json_fail(j, "half of a surrogate pair");
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    if (c == 0 || (c >= 0xdc00 && c < 0xe000))
        return json_fail(j, c ? "half of a surrogate pair" : "a string holds a zero");
    utf8_put(to, c);
    return true;
}

/* No escape is shorter than the character it stands for, so writing never overtakes reading. */
static bool take_escape(struct json *j, char **to)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    j->at++;
    char c = j->at < j->end ? *j->at : 0;
    const char *letter = c ? strchr(letters, c) : NULL;
    if (c != 'u' && !letter)
        return json_fail(j, "an escape that JSON does not have");
    j->at++;
    if (c == 'u')
        return take_unicode(j, to);
    *(*to)++ = values[letter - letters];
    return true;
}

static bool take_character(struct json *j, char **to)
{
    if (*j->at == '\\')
        return take_escape(j, to);
    if ((unsigned char)*j->at < 0x20)
        return json_fail(j, "a control character in a string");
    size_t n = utf8_length(j->at, (size_t)(j->end - j->at));
    if (!n)
        return json_fail(j, "a string is not UTF-8");
    memmove(*to, j->at, n);
    *to += n;
    j->at += n;
    return true;
}

char *json_string(struct json *j)
{
    if (!json_need(j, '"'))
        return NULL;
    char *start = j->at, *to = start;
    while (j->at < j->end && *j->at != '"')
        if (!take_character(j, &to))
            return NULL;
    if (!json_need(j, '"'))
        return NULL;
    *to = 0;
    return start;
}
