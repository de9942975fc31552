/* Statements that end with their line, as in Python: a logical line goes on while brackets are open
 * and behind a backslash. */
#include "analyzer/source/lexer.h"

#include <ctype.h>
#include <string.h>

struct logical_line {
    size_t from, to; /* without its end; comments behind the code are not a part of it */
    bool several;    /* statements are on it, or the body of one */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f';
}

static int nesting(const struct language *l, char c)
{
    return (c && strchr(l->open, c)) - (c && strchr(l->close, c));
}

/* The logical line that the offset is on; false: none, as between two. */
static bool find_line(const struct source *s, size_t at, struct logical_line *out)
{
    struct lexer l = lexer_at(s, 0);
    size_t from = 0, end = 0; /* end: behind its last code; 0: it has none yet */
    int open = 0;
    bool several = false;
    for (struct token t; lexer_next(&l, &t);)
        for (size_t i = t.from; i < t.to && t.kind != TOKEN_COMMENT; i++) {
            char c = s->text[i];
            bool is_code = t.kind == TOKEN_CODE;
            open += is_code ? nesting(s->language, c) : 0;
            if (is_code && c == '\n' && open <= 0 && !line_is_joined(s->text, i)) {
                if (end && at < i) {
                    *out = (struct logical_line){from, end, several};
                    return at >= from;
                }
                end = 0;
                open = 0;
                several = false;
                continue;
            }
            several |= is_code && c == ';' && open <= 0;
            if (!(is_code &&
                  (is_blank(c) || c == '\n' ||
                   (c == '\\' && i + 1 < s->length && strchr("\r\n", s->text[i + 1]))))) {
                from = end ? from : i;
                end = i + 1;
            }
        }
    *out = (struct logical_line){from, end, several};
    return end && at >= from;
}

static bool begins_with_word(const char *text, size_t length, const char *word)
{
    size_t n = strlen(word);
    return length >= n && !memcmp(text, word, n) &&
           (length == n || !(isalnum((unsigned char)text[n]) || text[n] == '_'));
}

bool line_statement_around(const struct source *s, const struct span *at, struct span *out)
{
    struct logical_line line;
    if (!find_line(s, source_offset(s, at->line, at->column), &line) || line.several ||
        source_offset(s, at->end_line, at->end_column) > line.to)
        return false;
    for (int i = 0; s->language->clauses && s->language->clauses[i]; i++)
        if (begins_with_word(s->text + line.from, line.to - line.from, s->language->clauses[i]))
            return false;
    *out = *at;
    source_place(s, line.from, &out->line, &out->column);
    source_place(s, line.to, &out->end_line, &out->end_column);
    return true;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The columns of what is before the first code of the line; -1: it has none. */
static int indent_of(const struct source *s, int n)
{
    size_t length;
    const char *line = source_line(s, n, &length);
    int columns = 0;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '#' || !is_blank(line[i]))
            return line[i] == '#' ? -1 : columns;
        columns = line[i] == '\t' ? (columns / 8 + 1) * 8 : columns + 1;
    }
    return -1;
}

/* Whether another line with code, in a direction, is as far in before one is less so. */
static bool has_neighbour(const struct source *s, int from, int by, int indent)
{
    for (int n = from + by; n >= 1 && n <= source_lines(s); n += by) {
        int here = indent_of(s, n);
        if (here >= 0 && here <= indent)
            return here == indent;
    }
    return false;
}

bool is_alone_in_block(const struct source *s, const struct span *statement)
{
    int indent = indent_of(s, statement->line);
    return indent > 0 && !has_neighbour(s, statement->line, -1, indent) &&
           !has_neighbour(s, statement->end_line, 1, indent);
}
