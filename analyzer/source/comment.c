/* The comments of a C file, with what stands beside them. Text in quotes is no comment, and a
 * backslash at the end of a line goes on. */
#include "analyzer/source/source.h"

#include <string.h>

struct scanner {
    struct arena *arena;
    const char *text;
    size_t length, at;
    int line;
    size_t line_start;
    bool code; /* something else than comments stands on this line */
    comment_list *out;
    int open_from; /* comments from here on may still get code behind them on their last line */
};

static char peek(const struct scanner *s, size_t ahead)
{
    return s->at + ahead < s->length ? s->text[s->at + ahead] : '\0';
}

static void end_line(struct scanner *s)
{
    s->line++;
    s->line_start = s->at;
    s->code = false;
    s->open_from = s->out->count;
}

static void step(struct scanner *s)
{
    bool ended = s->text[s->at++] == '\n';
    if (ended)
        end_line(s);
}

static void see_code(struct scanner *s)
{
    s->code = true;
    for (int i = s->open_from; i < s->out->count; i++)
        s->out->items[i].alone = false;
}

static void skip_quoted(struct scanner *s, char quote)
{
    see_code(s);
    step(s);
    while (s->at < s->length && peek(s, 0) != quote && peek(s, 0) != '\n') {
        if (peek(s, 0) == '\\' && s->at + 1 < s->length)
            step(s);
        step(s);
        s->code = true; /* after a line that goes on */
    }
    if (s->at < s->length)
        step(s);
}

static bool goes_on(const struct scanner *s)
{
    size_t back = s->at;
    if (back && s->text[back - 1] == '\r')
        back--;
    return back && s->text[back - 1] == '\\';
}

static void line_comment(struct scanner *s)
{
    while (s->at < s->length && (peek(s, 0) != '\n' || goes_on(s))) {
        bool ended = peek(s, 0) == '\n';
        s->at++;
        if (ended) {
            s->line++;
            s->line_start = s->at;
        }
    }
}

/* Behind the end; false: there is none. */
static bool block_comment(struct scanner *s)
{
    s->at += 2;
    while (s->at < s->length && !(peek(s, 0) == '*' && peek(s, 1) == '/')) {
        if (s->text[s->at++] == '\n') {
            s->line++;
            s->line_start = s->at;
        }
    }
    bool ended = s->at < s->length;
    s->at += ended ? 2 : 0;
    return ended;
}

static void add_comment(struct scanner *s)
{
    bool block = peek(s, 1) == '*', was_code = s->code;
    size_t from = s->at;
    struct comment c = {.line = s->line, .column = (int)(s->at - s->line_start) + 1};
    size_t marks = 0;
    if (block)
        marks = block_comment(s) ? 2 : 0;
    else
        line_comment(s);
    c.end_line = s->line;
    c.alone = !was_code;
    c.text = s->text + from + 2;
    c.length = s->at - from >= 2 + marks ? s->at - from - 2 - marks : 0;
    if (c.end_line != c.line) {
        s->code = false;
        s->open_from = s->out->count;
    }
    LIST_ADD(s->arena, s->out, c);
}

void comments_find(struct arena *a, const struct source *source, comment_list *out)
{
    struct scanner s = {
        .arena = a, .text = source->text, .length = source->length, .line = 1, .out = out};
    while (s.at < s.length) {
        char c = peek(&s, 0);
        if (c == '/' && (peek(&s, 1) == '/' || peek(&s, 1) == '*'))
            add_comment(&s);
        else if (c == '"' || c == '\'')
            skip_quoted(&s, c);
        else {
            if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
                see_code(&s);
            step(&s);
        }
    }
}
