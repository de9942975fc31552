/* Where statements begin and end in the text of a file. */
#include "analyzer/source/lexer.h"

#include <ctype.h>
#include <string.h>

/* Brackets that are opened minus those that are closed. */
static int nesting(const struct language *l, char c)
{
    return (c && strchr(l->open, c)) - (c && strchr(l->close, c));
}

static bool is_bound(const struct language *l, char c)
{
    return c && strchr(l->bounds, c);
}

/* "x: int = 3": what is before the bound is a name, and no word that begins a block. */
static bool is_annotated(const char *line, size_t from, size_t to)
{
    static const char *const blocks[] = {"else", "try", "finally"};
    while (from < to && (line[from] == ' ' || line[from] == '\t'))
        from++;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (to - from == strlen(blocks[i]) && !memcmp(line + from, blocks[i], to - from))
            return false;
    while (from < to && (isalnum((unsigned char)line[from]) || strchr("_.", line[from])))
        from++;
    return from == to;
}

/* What is left to do on the way to where the brackets of a statement are closed. */
struct closing {
    const struct source *source;
    size_t to, most; /* behind to, so many bytes at most */
    int open;
    bool ended; /* by a bound, or because it is too long */
    size_t end;
};

static void close_in(struct closing *c, const struct token *t)
{
    const struct language *l = c->source->language;
    for (size_t i = t->from; i < t->to; i++) {
        bool behind = i >= c->to;
        if (behind && c->open <= 0)
            return;
        char byte = t->kind == TOKEN_CODE ? c->source->text[i] : '\0';
        bool is_end = is_bound(l, byte) && (c->open <= 0 || !l->ends_with_line);
        c->ended = behind && (i - c->to >= c->most || is_end);
        if (c->ended)
            return;
        c->open += nesting(l, byte);
        c->end = behind ? i + 1 : c->to;
    }
}

/* Where the brackets that are open in from..to are closed; to: they are not, in the statement. */
static size_t closed_at(const struct source *s, size_t from, size_t to, size_t most, bool *is_open)
{
    struct closing c = {.source = s, .to = to, .most = most, .end = to};
    struct lexer l = lexer_at(s, from);
    for (struct token t; !c.ended && (l.at < to || c.open > 0) && lexer_next(&l, &t);)
        close_in(&c, &t);
    *is_open = c.open > 0;
    return c.open > 0 ? to : c.end;
}

/* Where the statement begins in the line that has it. In languages whose statements end with the
 * line, a bound between brackets is none, nor is one behind a name, which has an annotation then.
 */
static size_t begin_in(const struct source *s, const char *line, size_t to)
{
    const struct language *l = s->language;
    size_t from = to;
    while (!l->ends_with_line && from && !is_bound(l, line[from - 1]))
        from--;
    if (!l->ends_with_line)
        return from;
    int open = 0;
    from = 0;
    for (size_t i = 0; i < to; i++) {
        open += nesting(l, line[i]);
        if (open <= 0 && is_bound(l, line[i]) && !is_annotated(line, from, i))
            from = i + 1;
    }
    return from;
}

/* Behind the end of the line, if all of it is assigned to what is at from..to. */
static size_t assigned_to(const struct source *s, size_t from, size_t to)
{
    size_t at = to;
    while (at < s->length && s->text[at] == ' ')
        at++;
    bool is_assigned = s->language->ends_with_line && at > from && at + 1 < s->length &&
                       s->text[at] == '=' && s->text[at + 1] != '=';
    while (is_assigned && to < s->length && s->text[to] != '\n' && s->text[to] != '#')
        to++;
    while (is_assigned && s->text[to - 1] == ' ')
        to--;
    return to;
}

struct span statement_span(const struct source *s, const struct span *at, size_t most,
                           bool *is_open)
{
    struct span all = *at;
    size_t length = 0, from = (size_t)at->column - 1;
    const char *line = source_line(s, at->line, &length);
    from = from < length ? from : 0;
    from = begin_in(s, line, from);
    all.column = (int)from + 1;
    size_t begin = source_offset(s, all.line, all.column);
    size_t to = assigned_to(s, begin, source_offset(s, all.end_line, all.end_column));
    size_t end = closed_at(s, begin, to, most, is_open);
    source_place(s, end, &all.end_line, &all.end_column);
    return all;
}

int statement_last_line(const struct source *s, int line)
{
    struct lexer l = lexer_at(s, source_offset(s, line, 1));
    int open = 0;
    if (!s->language->ends_with_line)
        return line;
    for (struct token t; lexer_next(&l, &t);)
        for (size_t i = t.from; i < t.to; i++) {
            char c = s->text[i];
            open += t.kind == TOKEN_CODE ? nesting(s->language, c) : 0;
            bool is_inside = t.kind == TOKEN_STRING || open > 0;
            if (c == '\n' && !is_inside && !line_is_joined(s->text, i))
                return line;
            line += c == '\n';
        }
    return line;
}

/* ---- a call on its own ---------------------------------------------------------------------- */

static bool is_blank(const struct language *l, char c)
{
    return c == ' ' || c == '\t' || c == '\r' || (c == '\n' && !l->ends_with_line);
}

/* Whether brackets are open before the offset. */
static bool is_in_brackets(const struct source *s, size_t at)
{
    struct lexer l = lexer_at(s, 0);
    int open = 0;
    for (struct token t; lexer_next(&l, &t) && t.from < at;)
        for (size_t i = t.from; t.kind == TOKEN_CODE && i < t.to && i < at; i++)
            open += nesting(s->language, s->text[i]);
    return open > 0;
}

static bool begins_comment(const struct source *s, size_t at)
{
    struct lexer l = lexer_at(s, at);
    struct token t;
    return lexer_next(&l, &t) && t.kind == TOKEN_COMMENT;
}

static bool begins_at(const struct source *s, size_t at)
{
    const struct language *l = s->language;
    char before = at ? s->text[at - 1] : '\n';
    if (before == '\n')
        return l->ends_with_line && !(at && line_is_joined(s->text, at - 1));
    return before && strchr(l->before, before);
}

static bool ends_at(const struct source *s, size_t at)
{
    const struct language *l = s->language;
    char behind = at < s->length ? s->text[at] : '\n';
    if (behind == '\n')
        return l->ends_with_line;
    return (behind && strchr(l->behind, behind)) || (l->ends_with_line && begins_comment(s, at));
}

/* Behind the last code before the offset, comments left out. */
static size_t code_before(const struct source *s, size_t at)
{
    struct lexer l = lexer_at(s, 0);
    size_t end = 0;
    for (struct token t; lexer_next(&l, &t) && t.from < at;)
        for (size_t i = t.from; t.kind != TOKEN_COMMENT && i < t.to && i < at; i++)
            end = is_blank(s->language, s->text[i]) ? end : i + 1;
    return end;
}

bool is_statement_at(const struct source *s, const struct span *call)
{
    const struct language *l = s->language;
    size_t before = code_before(s, source_offset(s, call->line, call->column));
    size_t behind = source_offset(s, call->end_line, call->end_column);
    while (behind < s->length && is_blank(l, s->text[behind]))
        behind++;
    return begins_at(s, before) && ends_at(s, behind) &&
           !(l->ends_with_line && is_in_brackets(s, before));
}

/* ---- a whole statement ------------------------------------------------------------------------
 */

/* The scan for its ends: where the code of the last statement ended, and the first bound behind. */
struct whole {
    const struct source *source;
    size_t at, end_at; /* of the place */
    size_t from, to;   /* of the statement; to 0: not found yet */
    int open;
};

static bool is_round(const struct language *l, char c)
{
    return nesting(l, c) && !is_bound(l, c);
}

static void scan(struct whole *w, const struct token *t)
{
    const struct language *l = w->source->language;
    for (size_t i = t->from; i < t->to && !w->to; i++) {
        char c = w->source->text[i];
        bool code = t->kind == TOKEN_CODE && !is_blank(l, c) && c != '\n';
        w->open += t->kind == TOKEN_CODE && is_round(l, c) ? nesting(l, c) : 0;
        if (t->kind == TOKEN_CODE && is_bound(l, c) && i < w->at && w->open <= 0)
            w->from = 0;
        else if (t->kind == TOKEN_CODE && is_bound(l, c) && i >= w->end_at && w->open <= 0)
            w->to = i + 1;
        else if (code && !w->from && i <= w->at)
            w->from = i + 1; /* 1 more, so that 0 is none */
    }
}

static bool begins_with_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    return !strncmp(text, word, n) &&
           !strchr("_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", text[n]);
}

static bool is_clause(const struct language *l, const char *text)
{
    for (int i = 0; l->clauses && l->clauses[i]; i++)
        if (begins_with_word(text, l->clauses[i]))
            return true;
    return false;
}

bool statement_around(const struct source *s, const struct span *at, struct span *out)
{
    struct whole w = {.source = s,
                      .at = source_offset(s, at->line, at->column),
                      .end_at = source_offset(s, at->end_line, at->end_column)};
    struct lexer l = lexer_at(s, 0);
    if (s->language->ends_with_line)
        return line_statement_around(s, at, out);
    for (struct token t; !w.to && lexer_next(&l, &t);)
        scan(&w, &t);
    if (!w.from || !w.to || s->text[w.to - 1] != ';' ||
        is_clause(s->language, s->text + w.from - 1) ||
        memchr(s->text + w.from - 1, '#', w.at - (w.from - 1)))
        return false;
    *out = *at;
    source_place(s, w.from - 1, &out->line, &out->column);
    source_place(s, w.to, &out->end_line, &out->end_column);
    return true;
}

bool is_result_discarded(const struct source *s, const struct span *call)
{
    size_t from = source_offset(s, call->line, 1);
    size_t to = source_offset(s, call->line, call->column);
    const char *discard = s->language->discard;
    for (size_t n = discard ? strlen(discard) : 0, i = from; n && i + n <= to; i++)
        if (!memcmp(s->text + i, discard, n))
            return true;
    return false;
}

/* ---- arguments ------------------------------------------------------------------------------ */

static bool is_balanced(const struct source *s, size_t from, size_t to)
{
    struct lexer l = lexer_at(s, from);
    int open = 0;
    for (struct token t; open >= 0 && l.at < to && lexer_next(&l, &t);)
        for (size_t i = t.from; t.kind == TOKEN_CODE && open >= 0 && i < t.to && i < to; i++)
            open += nesting(s->language, s->text[i]);
    return !open;
}

bool is_argument_at(const struct source *s, const struct span *call, const char *function,
                    const struct span *operand)
{
    const char *open = s->language->arguments[0];
    size_t name = strlen(function), n = name + strlen(open);
    size_t at = source_offset(s, call->line, call->column);
    size_t end = source_offset(s, call->end_line, call->end_column);
    size_t from = source_offset(s, operand->line, operand->column);
    size_t to = source_offset(s, operand->end_line, operand->end_column);
    return end > at + n && !memcmp(s->text + at, function, name) &&
           !memcmp(s->text + at + name, open, n - name) && from >= at + n && to > from &&
           to < end && is_balanced(s, from, to);
}
