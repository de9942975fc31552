/* Text changes that do not change the meaning: comments, whitespace, and lines of nothing else.
 * Code after such a change only moves to other lines. */
#include "frontends/clang/open_unit.h"

#include <string.h>

/* What may continue from one line to the next. */
struct reach {
    bool comment, line_comment; /* open */
    bool continued;             /* the previous line ends in a backslash */
    bool is_behind_code;        /* in a line that may be a directive and has not ended */
};

struct scanner {
    const char *text;
    size_t at, end;
    size_t from; /* where the change begins: only what precedes it counts */
    struct reach reach;
    size_t code; /* bytes before the change that are neither comment nor whitespace */
    bool is_plain;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Whether the line ending there continues on the next; whitespace may follow the backslash. */
static bool goes_on(const struct scanner *s)
{
    size_t i = s->at;
    while (i > 0 && is_space(s->text[i - 1]))
        i--;
    return i > 0 && s->text[i - 1] == '\\';
}

static void take_code(struct scanner *s, size_t n)
{
    s->is_plain &= s->at + n <= s->from;
    s->code += n;
    s->reach.is_behind_code = true;
    s->at += n;
}

static void end_line(struct scanner *s)
{
    s->reach.continued = goes_on(s);
    s->reach.is_behind_code &= s->reach.continued;
    s->reach.line_comment &= s->reach.continued;
}

static void scan_comment(struct scanner *s)
{
    const char *t = s->text + s->at;
    if (s->reach.comment && t[0] == '*' && t[1] == '/') {
        s->reach.comment = false;
        s->at += 2;
        return;
    }
    if (s->reach.comment && t[0] == '*' && t[1] == '\\')
        s->is_plain = false; /* a two-byte line end may be split */
    if (s->reach.line_comment && t[0] == '\n')
        end_line(s);
    s->at++;
}

/* How much a backslash consumes: the next character, or the rest of its line. */
static size_t escape_length(const char *text, size_t at, size_t end)
{
    size_t n = 1;
    while (at + n < end && is_space(text[at + n]))
        n++;
    n = at + n < end && text[at + n] == '\n' ? n + 1 : 2;
    return at + n <= end ? n : end - at;
}

static void scan_quoted(struct scanner *s)
{
    const char *t = s->text;
    char quote = t[s->at];
    size_t n = 1;
    while (s->at + n < s->end && t[s->at + n] != quote && t[s->at + n] != '\n')
        n += t[s->at + n] == '\\' ? escape_length(t, s->at + n, s->end) : 1;
    n += s->at + n < s->end && t[s->at + n] == quote;
    take_code(s, n);
}

/* A file name in a directive contains no comments: <a//b.h>. 1: there is none. */
static size_t name_length(const struct scanner *s)
{
    size_t begin = s->at, end = s->at;
    while (begin > 0 && s->text[begin - 1] != '\n')
        begin--;
    while (is_space(s->text[begin]))
        begin++;
    while (end < s->end && s->text[end] != '>' && s->text[end] != '\n')
        end++;
    return s->text[begin] == '#' && end < s->end && s->text[end] == '>' ? end + 1 - s->at : 1;
}

static void scan_code(struct scanner *s)
{
    const char *t = s->text + s->at;
    if (*t == '\n') {
        end_line(s);
        s->at++;
    } else if (is_space(*t)) {
        s->at++;
    } else if (*t == '/' && (t[1] == '*' || t[1] == '/')) {
        s->reach.comment = t[1] == '*';
        s->reach.line_comment = t[1] == '/';
        s->at += 2;
    } else if (*t == '"' || *t == '\'') {
        scan_quoted(s);
    } else if (*t == '<') {
        take_code(s, name_length(s));
    } else {
        s->is_plain &= *t != '/' || t[1] != '\\';
        take_code(s, 1);
    }
}

/* To the compiler, a lone carriage return is a line end, and ??/ is a backslash. */
static bool is_usual(const char *text, size_t begin, size_t end)
{
    return !text_has_bare_return(text + begin, end - begin) &&
           !memmem(text + begin, end - begin, "?\?/", 3);
}

static struct scanner scan(const char *text, size_t begin, size_t from, size_t end)
{
    struct scanner s = {.text = text, .at = begin, .end = end, .from = from, .is_plain = true};
    s.reach.is_behind_code = begin > 0;
    while (s.at < end)
        if (s.reach.comment || s.reach.line_comment)
            scan_comment(&s);
        else
            scan_code(&s);
    s.is_plain &= s.at == end;
    return s;
}

/* The end of the line containing this offset, or the offset itself at the start of a line. */
static size_t line_behind(const char *text, size_t length, size_t at)
{
    if (at == 0 || text[at - 1] == '\n')
        return at;
    const char *end = memchr(text + at, '\n', length - at);
    return end ? (size_t)(end - text) + 1 : length;
}

/* No comment is open there, since code was lowered from there on. */
static size_t begin_of(const struct whole *w, size_t at)
{
    size_t begin = 0;
    for (int i = 0; i < w->bodies.count; i++) {
        const struct body *b = &w->bodies.items[i];
        if (b->begin <= at && b->begin > begin)
            begin = b->begin;
        if (b->end <= at && b->end > begin)
            begin = b->end;
    }
    return begin;
}

bool is_idle_change(const struct whole *w, const char *text, size_t length, size_t same,
                    size_t rest, struct idle *out)
{
    size_t was = w->length - rest, now = length - rest;
    size_t was_end = line_behind(w->text, w->length, was), now_end = line_behind(text, length, now);
    if (was_end - was != now_end - now) { /* one of them is at the start of a line already */
        was_end = was_end == was ? line_behind(w->text, w->length, was + 1) : was_end;
        now_end = now_end == now ? line_behind(text, length, now + 1) : now_end;
    }
    if (was_end > w->length || now_end > length || was_end - was != now_end - now)
        return false;
    size_t begin = begin_of(w, same), front = same > 2 ? same - 2 : 0;
    struct scanner a = scan(w->text, begin, same, was_end), b = scan(text, begin, same, now_end);
    *out = (struct idle){.was_end = was_end, .now_end = now_end};
    return a.is_plain && b.is_plain && a.code == b.code && a.reach.comment == b.reach.comment &&
           a.reach.line_comment == b.reach.line_comment && a.reach.continued == b.reach.continued &&
           a.reach.is_behind_code == b.reach.is_behind_code && is_usual(w->text, front, was_end) &&
           is_usual(text, front, now_end);
}
