/* Expressions in the text of a file: brackets around one, and where its last code is. */
#include "analyzer/source/lexer.h"

#include <ctype.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* ---- brackets around it ---------------------------------------------------------------------- */

static bool is_name_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Whether the word that ends there is one that an expression follows. */
static bool is_keyword_before(const struct source *s, size_t end)
{
    size_t from = end;
    while (from && is_name_part(s->text[from - 1]))
        from--;
    const char *const *words = s->language->before_expression;
    for (int i = 0; words && words[i]; i++)
        if (strlen(words[i]) == end - from && !memcmp(s->text + from, words[i], end - from))
            return true;
    return false;
}

/* Whether what opens there only groups: nothing is called or indexed. */
static bool is_grouping(const struct source *s, size_t open)
{
    size_t end = open;
    while (end && (s->text[end - 1] == ' ' || s->text[end - 1] == '\t'))
        end--;
    char before = end ? s->text[end - 1] : '\n';
    if (end < open && is_name_part(before))
        return is_keyword_before(s, end);
    return !is_name_part(before) && !strchr(")]}\"'", before);
}

struct span expression_with_brackets(const struct source *s, const struct span *at)
{
    const char *const *mark = s->language->arguments;
    struct span all = *at;
    size_t from = source_offset(s, at->line, at->column);
    size_t to = source_offset(s, at->end_line, at->end_column);
    while (from && is_blank(s->text[from - 1]))
        from--;
    while (to < s->length && is_blank(s->text[to]))
        to++;
    if (!from || to >= s->length || s->text[from - 1] != *mark[0] || s->text[to] != *mark[1] ||
        !is_grouping(s, from - 1))
        return all;
    source_place(s, from - 1, &all.line, &all.column);
    source_place(s, to + 1, &all.end_line, &all.end_column);
    return all;
}

/* ---- places in it ---------------------------------------------------------------------------- */

bool is_inside_string(const struct source *s, size_t at)
{
    struct lexer l = lexer_at(s, 0);
    for (struct token t; lexer_next(&l, &t) && t.from < at;)
        if (at < t.to)
            return t.kind == TOKEN_STRING;
    return false;
}

size_t last_code_before(const struct source *s, size_t from, size_t to)
{
    struct lexer l = lexer_at(s, from);
    size_t last = from;
    for (struct token t; l.at < to && lexer_next(&l, &t);)
        for (size_t i = t.from; t.kind != TOKEN_COMMENT && i < t.to && i < to; i++)
            last = is_blank(s->text[i]) ? last : i + 1;
    return last;
}
