/* The branches of conditional compilation in a C file, found in its text alone: which of them were
 * compiled is for others to say. Comments are no directives, and a backslash at the end of a line
 * goes on. */
#include "analyzer/source/source.h"

#include <string.h>

struct scan {
    struct arena *arena;
    branch_list *out;
    LIST(int) open; /* branches that have not ended, the innermost last */
};

/* A line end that a backslash takes away; it still counts as a line. */
enum { JOINED = '\1' };

/* The text without comments, as long as it was. */
static char *without_comments(struct arena *a, const struct source *s)
{
    comment_list comments = {0};
    char *text = arena_text(a, s->text, s->length);
    comments_find(a, s, &comments);
    for (int i = 0; i < comments.count; i++) {
        size_t from = (size_t)(comments.items[i].text - s->text) - 2;
        bool is_block = s->text[from + 1] == '*';
        size_t to = from + 2 + comments.items[i].length + (is_block ? 2 : 0);
        for (size_t k = from; k < to && k < s->length; k++)
            text[k] = text[k] == '\n' ? JOINED : ' ';
    }
    for (size_t k = 0; k + 1 < s->length; k++) {
        size_t end = k + 1 + (text[k + 1] == '\r' && k + 2 < s->length);
        if (text[k] == '\\' && text[end] == '\n') {
            text[k] = ' ';
            text[end] = JOINED;
        }
    }
    return text;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (strchr(" \t\f\v\r", *at) || *at == JOINED))
        at++;
    return at;
}

static bool is_word(const char *at, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - at) >= n && !memcmp(at, word, n);
}

static void open_branch(struct scan *s, int line)
{
    LIST_ADD(s->arena, &s->open, s->out->count);
    LIST_ADD(s->arena, s->out, ((struct branch){line, line}));
}

static void close_branch(struct scan *s, int line)
{
    if (s->open.count)
        s->out->items[s->open.items[--s->open.count]].last = line;
}

/* "#ifdef", "#elif", …; other directives are none of its matter. */
static void see_line(struct scan *s, const char *at, const char *end, int line)
{
    at = skip_blanks(at, end);
    if (at == end || (*at != '#' && !is_word(at, end, "%:")))
        return;
    at = skip_blanks(at + (*at == '#' ? 1 : 2), end);
    if (is_word(at, end, "if")) {
        open_branch(s, line);
    } else if (is_word(at, end, "el") && s->open.count) {
        close_branch(s, line);
        open_branch(s, line);
    } else if (is_word(at, end, "endif")) {
        close_branch(s, line);
    }
}

void branches_find(struct arena *a, const struct source *source, branch_list *out)
{
    struct scan s = {.arena = a, .out = out};
    const char *text = without_comments(a, source), *end = text + source->length;
    int line = 1;
    for (const char *at = text; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        see_line(&s, at, stop, line);
        for (; at < stop; at++)
            line += *at == JOINED;
        at++;
        line++;
    }
    while (s.open.count)
        close_branch(&s, line);
}
