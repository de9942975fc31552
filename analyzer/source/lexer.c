/* Splits the text of a file into comments, strings and code, as its language's description says. An
 * unterminated comment goes on to the end of the text, an unterminated string to the end of its
 * line, unless it may span lines. */
#include "analyzer/source/lexer.h"

#include <string.h>

struct lexer lexer_at(const struct source *s, size_t at)
{
    struct lexer l = {.language = s->language, .text = s->text, .length = s->length, .at = at};
    for (const struct comment_form *c = s->language->comments; c->begin; c++)
        l.starts[(unsigned char)*c->begin] = true;
    for (const struct string_form *f = s->language->strings; f->mark; f++)
        l.starts[(unsigned char)*f->mark] = true;
    return l;
}

static bool is_at(const struct lexer *l, size_t at, const char *mark)
{
    size_t n = strlen(mark);
    return l->length - at >= n && !memcmp(l->text + at, mark, n);
}

static const struct comment_form *comment_at(const struct lexer *l)
{
    for (const struct comment_form *c = l->language->comments; c->begin; c++)
        if (is_at(l, l->at, c->begin))
            return c;
    return NULL;
}

static const struct string_form *string_at(const struct lexer *l)
{
    for (const struct string_form *f = l->language->strings; f->mark; f++)
        if (is_at(l, l->at, f->mark))
            return f;
    return NULL;
}

bool line_is_joined(const char *text, size_t end)
{
    if (end && text[end - 1] == '\r')
        end--;
    return end && text[end - 1] == '\\';
}

static size_t line_end(const struct lexer *l, size_t at)
{
    while (at < l->length &&
           (l->text[at] != '\n' || (l->language->joins_comments && line_is_joined(l->text, at))))
        at++;
    return at;
}

static void lex_comment(struct lexer *l, const struct comment_form *form, struct token *t)
{
    size_t at = t->text_from = l->at + strlen(form->begin);
    if (!form->end)
        at = line_end(l, at);
    else
        while (at < l->length && !is_at(l, at, form->end))
            at++;
    t->kind = TOKEN_COMMENT;
    t->text_to = at;
    l->at = at + (form->end && at < l->length ? strlen(form->end) : 0);
}

static void lex_string(struct lexer *l, const struct string_form *form, struct token *t)
{
    size_t at = l->at + strlen(form->mark);
    while (at < l->length && !is_at(l, at, form->mark) &&
           (form->spans_lines || l->text[at] != '\n'))
        at += l->text[at] == '\\' && at + 1 < l->length ? 2 : 1;
    t->kind = TOKEN_STRING;
    l->at = at < l->length && is_at(l, at, form->mark) ? at + strlen(form->mark) : at;
}

/* Whoever asks about a statement needs no more than that: all the code of a file would be gone
 * through for each of them. */
enum { CODE_MOST = 256 };

static void lex_code(struct lexer *l, struct token *t)
{
    t->kind = TOKEN_CODE;
    do
        l->at++;
    while (l->at < l->length && l->at - t->from < CODE_MOST &&
           !(l->starts[(unsigned char)l->text[l->at]] && (comment_at(l) || string_at(l))));
}

bool lexer_next(struct lexer *l, struct token *t)
{
    if (l->at >= l->length)
        return false;
    const struct comment_form *comment = comment_at(l);
    const struct string_form *string = comment ? NULL : string_at(l);
    *t = (struct token){.from = l->at};
    if (comment)
        lex_comment(l, comment, t);
    else if (string)
        lex_string(l, string, t);
    else
        lex_code(l, t);
    t->to = l->at;
    return true;
}
