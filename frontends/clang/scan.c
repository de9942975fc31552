/* Reads bits of the source text directly, for what libclang does not expose or is slow to answer:
 * where a macro use ends, which parts of a for statement are present, the value of a plain number.
 * Nothing is allocated. */
#include "frontends/clang/lower.h"

#include <ctype.h>
#include <string.h>

struct scan {
    const char *text;
    size_t size, at;
};

static char here(const struct scan *s)
{
    return s->at < s->size ? s->text[s->at] : '\0';
}

static char ahead(const struct scan *s)
{
    return s->at + 1 < s->size ? s->text[s->at + 1] : '\0';
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static void skip_comment(struct scan *s)
{
    bool line = ahead(s) == '/';
    s->at += 2;
    for (; s->at < s->size; s->at++) {
        if (line && here(s) == '\n' && s->text[s->at - 1] != '\\')
            return;
        if (!line && here(s) == '*' && ahead(s) == '/') {
            s->at += 2;
            return;
        }
    }
}

static void skip_blank(struct scan *s)
{
    for (;;) {
        if (isspace((unsigned char)here(s)) ||
            (here(s) == '\\' && isspace((unsigned char)ahead(s))))
            s->at++;
        else if (here(s) == '/' && (ahead(s) == '/' || ahead(s) == '*'))
            skip_comment(s);
        else
            return;
    }
}

static void skip_quoted(struct scan *s)
{
    char quote = s->text[s->at++];
    while (s->at < s->size && here(s) != quote && here(s) != '\n')
        s->at += here(s) == '\\' ? 2 : 1;
    s->at++;
}

static void skip_word(struct scan *s)
{
    while (s->at < s->size && is_word_char(here(s)))
        s->at++;
}

/* One token, or whitespace. */
static void skip_one(struct scan *s)
{
    if (here(s) == '"' || here(s) == '\'')
        skip_quoted(s);
    else if (is_word_char(here(s)))
        skip_word(s);
    else if (isspace((unsigned char)here(s)) || here(s) == '/') {
        size_t before = s->at;
        skip_blank(s);
        s->at += s->at == before;
    } else {
        s->at++;
    }
}

/* From an opening parenthesis to after the one that closes it; false if none does. */
static bool skip_parentheses(struct scan *s)
{
    int depth = 0;
    while (s->at < s->size) {
        char c = here(s);
        depth += (c == '(') - (c == ')');
        skip_one(s);
        if (c == ')' && depth == 0)
            return true;
    }
    return false;
}

size_t source_macro_use(const char *text, size_t size, size_t at)
{
    struct scan s = {text, size, at};
    skip_word(&s);
    size_t name_end = s.at;
    skip_blank(&s);
    if (name_end > at && here(&s) == '(' && skip_parentheses(&s))
        return s.at;
    return name_end;
}

bool source_word(const char *text, size_t size, size_t at, const char *word)
{
    size_t length = strlen(word);
    return at + length <= size && memcmp(text + at, word, length) == 0 &&
           (at + length == size || !is_word_char(text[at + length]));
}

/* A directive ends with its line, but a comment in it may continue. */
static void skip_directive(struct scan *s)
{
    while (s->at < s->size && here(s) != '\n') {
        if (here(s) == '/' && (ahead(s) == '*' || ahead(s) == '/'))
            skip_comment(s);
        else if (here(s) == '\\')
            s->at += ahead(s) == '\r' && s->at + 2 < s->size ? 3 : 2;
        else
            s->at++;
    }
    s->at = s->at < s->size ? s->at : s->size;
}

/* To a # that begins a line, which is neither in a comment nor in a string. */
static bool find_directive(struct scan *s)
{
    for (bool is_first = true; s->at < s->size;) {
        char c = here(s);
        bool is_comment = c == '/' && (ahead(s) == '/' || ahead(s) == '*');
        if (is_first && (c == '#' || (c == '%' && ahead(s) == ':')))
            return true;
        is_first =
            c == '\n' || (is_first && (isspace((unsigned char)c) || c == '\\' || is_comment));
        if (is_comment)
            skip_comment(s);
        else if (isspace((unsigned char)c))
            s->at++;
        else if (c == '\\')
            s->at += ahead(s) == '\r' ? 3 : 2;
        else
            skip_one(s);
    }
    return false;
}

bool source_directive(const char *text, size_t size, size_t *at, struct directive *out)
{
    struct scan s = {text, size, *at};
    if (!find_directive(&s))
        return false;
    out->begin = s.at;
    s.at += here(&s) == '#' ? 1 : 2;
    struct scan word = s;
    skip_blank(&word);
    skip_directive(&s);
    out->end = *at = s.at;
    out->word = word.at < s.at ? word.at : s.at;
    return true;
}

size_t source_next_word(const char *text, size_t size, size_t *at)
{
    struct scan s = {text, size, *at};
    while (s.at < s.size) {
        size_t begin = s.at;
        char c = here(&s);
        skip_one(&s);
        if (is_word_char(c) && !isdigit((unsigned char)c)) {
            *at = begin;
            return (s.at < size ? s.at : size) - begin;
        }
    }
    return 0;
}

bool source_is_blank(const char *text, size_t size, size_t at)
{
    struct scan s = {text, size, at};
    skip_blank(&s);
    return s.at >= size;
}

size_t source_beginning(const char *text, size_t size)
{
    struct scan s = {text, size, 0};
    for (;;) {
        skip_blank(&s);
        if (here(&s) != '#')
            return s.at < size ? s.at : size;
        skip_directive(&s);
    }
}

/* A number may also contain points, and signs after its exponent. */
static bool is_number_char(const struct scan *s, size_t begin)
{
    char before = s->at > begin ? s->text[s->at - 1] : '\0';
    bool sign = here(s) == '+' || here(s) == '-';
    return is_word_char(here(s)) || here(s) == '.' || (sign && before && strchr("eEpP", before));
}

/* Line continuations within a token and digit separators are left to the compiler. */
size_t source_token(const char *text, size_t size, size_t at)
{
    struct scan s = {text, size, at};
    bool number = isdigit((unsigned char)here(&s)) || here(&s) == '.';
    if (!number)
        skip_word(&s);
    else
        while (s.at < s.size && is_number_char(&s, at))
            s.at++;
    bool unusual = here(&s) == '\\' || (number && here(&s) == '\'');
    return unusual ? 0 : s.at - at;
}

size_t source_behind(const char *text, size_t size, size_t at, const char *next)
{
    struct scan s = {text, size, at};
    for (; *next; next++) {
        skip_blank(&s);
        if (here(&s) != *next)
            return 0;
        s.at++;
    }
    return s.at;
}

/* Up to the semicolon or parenthesis that ends a part; returns whether anything precedes it. */
static bool skip_part(struct scan *s, char end)
{
    int depth = 0;
    skip_blank(s);
    bool written = here(s) != end;
    while (s->at < s->size) {
        char c = here(s);
        if (depth == 0 && c == end)
            break;
        depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
        skip_one(s);
    }
    s->at++;
    return written;
}

bool source_for(const char *text, size_t size, size_t at, bool written[3])
{
    struct scan s = {text, size, at};
    if (!source_word(text, size, at, "for"))
        return false;
    skip_word(&s);
    skip_blank(&s);
    if (here(&s) != '(')
        return false;
    s.at++;
    written[0] = skip_part(&s, ';');
    written[1] = skip_part(&s, ';');
    written[2] = skip_part(&s, ')');
    return s.at <= s.size;
}

static bool scan_character(const struct scan *s, int64_t *value)
{
    const char *t = s->text + s->at;
    if (s->at + 3 > s->size || t[1] == '\\' || t[1] == '\'' || t[2] != '\'' || t[1] <= 0)
        return false;
    *value = t[1];
    return true;
}

static int digit_of(char c)
{
    return isdigit((unsigned char)c)   ? c - '0'
           : isalpha((unsigned char)c) ? tolower(c) - 'a' + 10
                                       : 99;
}

bool source_integer(const char *text, size_t size, size_t at, int64_t *value)
{
    struct scan s = {text, size, at};
    if (here(&s) == '\'')
        return scan_character(&s, value);
    int base = here(&s) == '0' && tolower(ahead(&s)) == 'x' ? 16 : 10;
    if (base == 10 && here(&s) == '0' && is_word_char(ahead(&s)) &&
        isdigit((unsigned char)ahead(&s)))
        return false; /* octal */
    s.at += base == 16 ? 2 : 0;
    size_t first = s.at;
    uint64_t n = 0;
    for (; digit_of(here(&s)) < base; s.at++)
        n = n * (uint64_t)base + (uint64_t)digit_of(here(&s));
    size_t digits = s.at - first;
    while (here(&s) && strchr("uUlL", here(&s)))
        s.at++;
    *value = (int64_t)n;
    return digits > 0 && digits <= (base == 16 ? 16 : 18) && !is_word_char(here(&s)) &&
           (here(&s) == '\0' || !strchr("'.\\", here(&s)));
}
