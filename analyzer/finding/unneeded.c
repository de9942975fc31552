/* Removes suppressions that are no longer needed: single rules where others of the list are still
 * needed, otherwise the comment, with its line if nothing else is on it. */
#include "analyzer/finding/finding.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Replaces the bytes from..to. */
static struct edit replace(const struct source *s, size_t from, size_t to, const char *text)
{
    struct edit e = {.span.file = s->path, .text = text};
    source_place(s, from, &e.span.line, &e.span.column);
    source_place(s, to, &e.span.end_line, &e.span.end_column);
    return e;
}

/* From the blanks before it to its end; the whole line if nothing else is on it. */
static struct edit without_comment(const struct source *s, const struct suppression *u)
{
    size_t from = (size_t)(u->comment - s->text), to = from + u->comment_length;
    to -= s->text[to - 1] == '\r' ? 1 : 0; /* part of the line ending */
    size_t before = from, after = to;
    while (before && is_blank(s->text[before - 1]))
        before--;
    while (after < s->length && is_blank(s->text[after]))
        after++;
    bool begins = !before || s->text[before - 1] == '\n';
    bool ends = after == s->length || s->text[after] == '\n';
    if (begins && ends)
        return replace(s, before, after + (after < s->length), "");
    if (ends)
        return replace(s, before, to, ""); /* keeps the line ending */
    if (begins || strchr(s->language->open, s->text[from - 1]))
        return replace(s, from, after, "");
    /* The words around it must not be joined. */
    return replace(s, from, to, before == from && after == to ? " " : "");
}

static const char *names_left(struct arena *a, const struct suppression *s, uint64_t names)
{
    struct text left = {0};
    for (int i = 0; i < s->rules.count; i++)
        if (!(i < 64 && names >> i & 1))
            text_printf(&left, "%s%s", left.length ? ", " : "", s->rules.items[i]);
    return left.length ? text_keep(a, &left) : NULL;
}

struct fix suppression_unneeded(struct arena *a, const struct source *source,
                                const struct suppression *s, uint64_t names)
{
    struct fix fix = {.safe = true};
    const char *left = names_left(a, s, names);
    size_t list = s->list ? (size_t)(s->list - source->text) : 0;
    if (!s->whole)
        return fix;
    if (left) {
        fix.what = "remove the rules that are not reported here";
        LIST_ADD(a, &fix.edits, replace(source, list, list + s->list_length, left));
    } else {
        fix.what = "remove the comment";
        LIST_ADD(a, &fix.edits, without_comment(source, s));
    }
    return fix;
}
