/* The tokens of the text form: names, numbers and marks, and the line and column of the first
 * error. */
#include "analyzer/ir/scan.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/ir/private.h"

void scan_fail(struct scanner *s, const char *where, const char *fmt, ...)
{
    char message[sizeof s->error->message];
    int line = 1, column = 1;
    if (s->failed)
        return;
    for (const char *c = s->text; c < where; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    error_at(s->error, NULL, line, column, "%s", message);
    s->failed = true;
}

/* ---- marks and lines ------------------------------------------------------------------------- */

char scan_peek(struct scanner *s)
{
    if (s->failed)
        return '\0';
    while (*s->at == ' ' || *s->at == '\t' || *s->at == '\r')
        s->at++;
    if (*s->at == ';')
        s->at += strcspn(s->at, "\n");
    return *s->at;
}

bool scan_char(struct scanner *s, char c)
{
    if (scan_peek(s) != c)
        return false;
    s->at++;
    return true;
}

static void fail_expected(struct scanner *s, const char *wanted)
{
    char c = scan_peek(s);
    if (c == '\0' || c == '\n')
        scan_fail(s, s->at, "expected %s before the end of the %s", wanted, c ? "line" : "text");
    else if (isprint((unsigned char)c))
        scan_fail(s, s->at, "expected %s, not '%c'", wanted, c);
    else
        scan_fail(s, s->at, "expected %s, not byte %d", wanted, (unsigned char)c);
}

void scan_expect(struct scanner *s, char c)
{
    char wanted[] = {'\'', c, '\'', '\0'};
    if (!scan_char(s, c))
        fail_expected(s, wanted);
}

void scan_blank_lines(struct scanner *s)
{
    while (scan_char(s, '\n'))
        ;
}

void scan_line_end(struct scanner *s)
{
    char c = scan_peek(s);
    if (c != '\0' && c != '\n')
        fail_expected(s, "the end of the line");
    scan_blank_lines(s);
}

/* ---- names ----------------------------------------------------------------------------------- */

const char *scan_plain(struct scanner *s, size_t *length)
{
    char c = scan_peek(s);
    const char *start = s->at;
    *length = isalpha((unsigned char)c) || c == '_' ? plain_length(start) : 0;
    s->at += *length;
    return start;
}

bool scan_word(struct scanner *s, const char *word)
{
    size_t length;
    const char *start = scan_plain(s, &length);
    if (length == strlen(word) && memcmp(start, word, length) == 0)
        return true;
    s->at = start;
    return false;
}

bool scan_at_name(struct scanner *s)
{
    char c = scan_peek(s);
    return isalpha((unsigned char)c) || c == '_' || c == '"';
}

const char *scan_name(struct scanner *s)
{
    size_t length;
    if (scan_peek(s) == '"')
        return scan_string(s);
    const char *start = scan_plain(s, &length);
    if (length == 0)
        fail_expected(s, "a name");
    return name_of_range(s->names, start, length);
}

/* ---- strings --------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* After \x: two digits, not both zero, since strings end with a zero. */
static char unescape_hex(struct scanner *s)
{
    int high = hex_digit(s->at[0]), low = high < 0 ? -1 : hex_digit(s->at[1]);
    if (low < 0 || high + low == 0) {
        scan_fail(s, s->at, "expected two hexadecimal digits, not both 0");
        return '\0';
    }
    s->at += 2;
    return (char)(high * 16 + low);
}

/* After a backslash. */
static char unescape(struct scanner *s)
{
    char c = *s->at;
    if (c == '\0' || !strchr("nt\"\\x", c)) {
        scan_fail(s, s->at, "expected one of n t x \" \\ behind a backslash");
        return '\0';
    }
    s->at++;
    if (c == 'x')
        return unescape_hex(s);
    return c == 'n' ? '\n' : c == 't' ? '\t' : c;
}

/* The closing quote, or the end of the line or text. */
static const char *string_end(const char *at)
{
    while (*at != '"' && *at != '\n' && *at != '\0')
        at += at[0] == '\\' && at[1] != '\0' && at[1] != '\n' ? 2 : 1;
    return at;
}

const char *scan_string(struct scanner *s)
{
    size_t length = 0;
    if (!scan_char(s, '"')) {
        fail_expected(s, "a string");
        return name_of(s->names, "");
    }
    const char *end = string_end(s->at);
    char *to = arena_alloc(s->arena, (size_t)(end - s->at) + 1);
    while (s->at < end && !s->failed) {
        char c = *s->at++;
        to[length++] = c == '\\' ? unescape(s) : c;
    }
    if (*end != '"')
        scan_fail(s, end, "expected '\"' before the end of the %s", *end ? "line" : "text");
    s->at = end + (*end == '"');
    return name_of_range(s->names, to, s->failed ? 0 : length);
}

/* ---- numbers --------------------------------------------------------------------------------- */

int64_t scan_integer(struct scanner *s)
{
    char c = scan_peek(s), *end;
    if (!isdigit((unsigned char)c) && !(c == '-' && isdigit((unsigned char)s->at[1]))) {
        fail_expected(s, "a number");
        return 0;
    }
    errno = 0;
    long long value = strtoll(s->at, &end, 10);
    if (errno == ERANGE)
        scan_fail(s, s->at, "the number does not fit into 64 bits");
    s->at = end;
    return value;
}

int scan_count(struct scanner *s)
{
    scan_peek(s);
    const char *where = s->at;
    int64_t value = scan_integer(s);
    if (value < 0 || value > INT32_MAX)
        scan_fail(s, where, "the number is not between 0 and %d", INT32_MAX);
    return s->failed ? 0 : (int)value;
}

/* After "nan:": its bits. */
static double scan_nan(struct scanner *s)
{
    uint64_t bits = 0;
    double real;
    const char *start = s->at;
    for (int digit; (digit = hex_digit(*s->at)) >= 0; s->at++)
        bits = bits << 4 | (uint64_t)digit;
    memcpy(&real, &bits, sizeof real);
    if (s->at - start != 16 || !isnan(real))
        scan_fail(s, start, "expected the 16 hexadecimal digits of a NaN");
    return real;
}

double scan_real(struct scanner *s)
{
    char c = scan_peek(s), *end;
    if (strncmp(s->at, "nan:", 4) == 0 && c) {
        s->at += 4;
        return scan_nan(s);
    }
    size_t length = strspn(s->at, "0123456789abcdefABCDEFxXpPinf.+-");
    double real = c ? strtod(s->at, &end) : 0;
    if (c == '\0' || c == '\n' || length == 0 || end != s->at + length || isnan(real)) {
        fail_expected(s, "a real number");
        return 0;
    }
    s->at = end;
    return real;
}
