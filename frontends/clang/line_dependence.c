/* Whether a unit depends on its line numbers other than in its spans: __LINE__ does, in a string, a
 * name or a constant, and so do the names of unnamed records. Such a unit cannot be moved to other
 * lines. False positives are fine. */
#include "frontends/clang/open_unit.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

struct lines {
    const struct whole *whole;
    const struct ir_unit *unit;
    LIST(size_t) starts; /* offsets of the text's lines */
    struct arena *scratch;
};

static void find_starts(struct lines *l)
{
    const char *text = l->whole->text, *end = text + l->whole->length;
    LIST_ADD(l->scratch, &l->starts, 0);
    for (const char *c = text; (c = memchr(c, '\n', (size_t)(end - c))); c++)
        LIST_ADD(l->scratch, &l->starts, (size_t)(c + 1 - text));
    LIST_ADD(l->scratch, &l->starts, l->whole->length);
}

/* Whether the number is one of these lines. */
static bool is_written(const struct lines *l, const struct span *s, const char *digits)
{
    int last = s->end_line < l->starts.count ? s->end_line : l->starts.count - 1;
    if (s->line > last)
        return false;
    const char *at = l->whole->text + l->starts.items[s->line - 1];
    const char *end = l->whole->text + l->starts.items[last];
    return memmem(at, (size_t)(end - at), digits, strlen(digits)) != NULL;
}

static bool is_in_file(const struct lines *l, const struct span *s)
{
    return s->line && s->file && (s->file == l->unit->file || !strcmp(s->file, l->unit->file));
}

static bool says_number(const struct lines *l, const struct span *s, int64_t n)
{
    char digits[24];
    if (n < s->line || n > s->end_line || !is_in_file(l, s))
        return false;
    snprintf(digits, sizeof digits, "%d", (int)n);
    return !is_written(l, s, digits);
}

static bool says_text(const struct lines *l, const struct span *s, const char *text)
{
    char digits[24];
    if (!text || !strpbrk(text, "0123456789") || !is_in_file(l, s))
        return false;
    for (int line = s->line; line <= s->end_line; line++) {
        snprintf(digits, sizeof digits, "%d", line);
        if (strstr(text, digits) && !is_written(l, s, digits))
            return true;
    }
    return false;
}

/* An unnamed record is named after its location: "(model.c:3:20)". */
static bool says_record(const struct lines *l, const struct type *t)
{
    const char *slash = strrchr(l->unit->file, '/'), *file = slash ? slash + 1 : l->unit->file;
    size_t n = strlen(file);
    return t->name[0] == '(' && !strncmp(t->name + 1, file, n) && t->name[n + 1] == ':';
}

static bool says_type(const struct lines *l, const struct span *s, const struct type *t)
{
    for (; t && (t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY); t = t->of)
        if (t->kind == TYPE_ARRAY && says_number(l, s, t->count))
            return true;
    return t && t->kind == TYPE_RECORD && says_record(l, t);
}

/* Line numbers are between 0 and INT_MAX: no infinity, no NaN. */
static bool says_real(const struct lines *l, const struct span *s, double r)
{
    return r >= 0 && r <= INT_MAX && says_number(l, s, (int64_t)r);
}

static bool says_inst(const struct lines *l, const struct ir_inst *i)
{
    return (i->op == IR_INT && says_number(l, &i->span, i->integer)) ||
           (i->op == IR_REAL && says_real(l, &i->span, i->real)) ||
           (i->op == IR_TEXT && says_text(l, &i->span, i->name)) || says_type(l, &i->span, i->type);
}

/* The locations of cases are not known: any line of the function may be meant. */
static bool says_cases(const struct lines *l, const struct ir_function *f, const struct ir_inst *i)
{
    for (int k = 0; k < i->case_count; k++)
        if (says_number(l, &f->span, i->cases[k].low) || says_number(l, &f->span, i->cases[k].high))
            return true;
    return false;
}

static bool says_function(const struct lines *l, const struct ir_function *f)
{
    for (int i = 0; i < f->locals.count; i++)
        if (says_text(l, &f->locals.items[i].span, f->locals.items[i].name) ||
            says_type(l, &f->locals.items[i].span, f->locals.items[i].type))
            return true;
    for (int i = 1; i < f->insts.count; i++)
        if (says_inst(l, &f->insts.items[i]) || says_cases(l, f, &f->insts.items[i]))
            return true;
    return false;
}

static bool says_any(const struct lines *l)
{
    const struct ir_unit *u = l->unit;
    for (int i = 0; i < u->records.count; i++)
        if (says_record(l, u->records.items[i]))
            return true;
    for (int i = 0; i < u->globals.count; i++)
        if (says_text(l, &u->globals.items[i]->span, u->globals.items[i]->name) ||
            says_type(l, &u->globals.items[i]->span, u->globals.items[i]->type))
            return true;
    for (int i = 0; i < u->functions.count; i++)
        if (u->functions.items[i]->has_body &&
            (says_text(l, &u->functions.items[i]->span, u->functions.items[i]->name) ||
             says_function(l, u->functions.items[i])))
            return true;
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\\';
}

/* As an argument it is an unknown number, or part of a string or a name. */
static bool is_argument(const char *text, const char *word)
{
    const char *before = word, *behind = word + strlen("__LINE__");
    while (before > text && is_blank(before[-1]))
        before--;
    while (is_blank(*behind))
        behind++;
    return before > text && strchr("(,", before[-1]) && *behind && strchr("),", *behind);
}

/* Directives are evaluated before anything is lowered, and #line changes line numbers. */
static bool is_about_lines(const char *directive, const char *end)
{
    const char *word = directive + strspn(directive, " \t");
    if (!strncmp(word, "line", 4) || (*word >= '0' && *word <= '9'))
        return true;
    return (!strncmp(word, "if", 2) || !strncmp(word, "el", 2)) &&
           memmem(word, (size_t)(end - word), "__LINE__", strlen("__LINE__"));
}

static bool has_lines_in_directives(const char *text, size_t length)
{
    for (const char *at = text, *end = text + length; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        newline = newline ? newline : end;
        const char *first = at + strspn(at, " \t");
        if (*first == '#' && is_about_lines(first + 1, newline))
            return true;
        at = newline + 1;
    }
    return false;
}

static bool asks_for_lines(const char *text)
{
    for (const char *at = text; (at = strstr(at, "__LINE__")); at++)
        if (!is_argument(text, at))
            return true;
    return false;
}

bool is_free_of_lines(const struct whole *w, const struct ir_unit *u)
{
    struct lines l = {.whole = w, .unit = u, .scratch = arena_new()};
    find_starts(&l);
    bool any = text_has_bare_return(w->text, w->length) || asks_for_lines(w->text) ||
               has_lines_in_directives(w->text, w->length) || says_any(&l);
    arena_free(l.scratch);
    return !any;
}
