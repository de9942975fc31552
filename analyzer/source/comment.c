/* The comments of a source file, and whether code stands on their lines. */
#include "analyzer/source/lexer.h"

struct scanner {
    struct arena *arena;
    const struct source *source;
    comment_list *out;
    int line;
    size_t line_start;
    bool code;     /* something else than comments stands on this line */
    int open_from; /* comments from here on may still get code behind them on their last line */
};

static void end_line(struct scanner *s, size_t next)
{
    s->line++;
    s->line_start = next;
    s->code = false;
    s->open_from = s->out->count;
}

static void see_code(struct scanner *s)
{
    s->code = true;
    for (; s->open_from < s->out->count; s->open_from++)
        s->out->items[s->open_from].alone = false;
}

static void see_text(struct scanner *s, const struct token *t)
{
    for (size_t i = t->from; i < t->to; i++) {
        char c = s->source->text[i];
        if (c == '\n')
            end_line(s, i + 1);
        else if (t->kind == TOKEN_STRING || (c != ' ' && c != '\t' && c != '\r'))
            see_code(s);
    }
}

static void add_comment(struct scanner *s, const struct token *t)
{
    const char *text = s->source->text;
    struct comment c = {.line = s->line,
                        .column = (int)(t->from - s->line_start) + 1,
                        .alone = !s->code,
                        .text = text + t->text_from,
                        .length = t->text_to - t->text_from,
                        .whole = text + t->from,
                        .whole_length = t->to - t->from};
    for (size_t i = t->from; i < t->to; i++)
        if (text[i] == '\n')
            end_line(s, i + 1);
    c.end_line = s->line;
    LIST_ADD(s->arena, s->out, c);
}

void comments_find(struct arena *a, const struct source *source, comment_list *out)
{
    struct scanner s = {.arena = a, .source = source, .out = out, .line = 1};
    struct lexer l = lexer_at(source, 0);
    for (struct token t; lexer_next(&l, &t);)
        if (t.kind == TOKEN_COMMENT)
            add_comment(&s, &t);
        else
            see_text(&s, &t);
}

const char *comment_text(struct arena *a, const struct language *l, const char *text)
{
    const struct comment_form *c = &l->comments[0];
    return arena_printf(a, "%s %s%s%s", c->begin, text, c->end ? " " : "", c->end ? c->end : "");
}

void branches_find(struct arena *a, const struct source *s, branch_list *out)
{
    if (s->language->find_branches)
        s->language->find_branches(a, s, out);
}
