/* Source files as lines and spans of text. Spans count bytes, as compilers do. */
#include "analyzer/source/source.h"

#include <string.h>

/* ---- files ---------------------------------------------------------------------------------- */

struct source *source_open(struct arena *a, const char *path, struct error *e)
{
    size_t length;
    const char *text = file_read(a, path, &length, e);
    return text ? source_of_text(a, path, text, length) : NULL;
}

struct source *source_of_text(struct arena *a, const char *path, const char *text, size_t length)
{
    struct source *s = arena_one(a, struct source);
    struct error ignored;
    const char *code =
        path && is_notebook(path) ? notebook_code(a, path, text, &length, &ignored) : NULL;
    text = code ? code : text;
    s->path = path;
    s->language = language_of_file(path);
    s->text = text;
    s->length = length;
    for (size_t at = 0; at < s->length;) {
        LIST_ADD(a, &s->starts, at);
        const char *end = memchr(s->text + at, '\n', s->length - at);
        at = end ? (size_t)(end - s->text) + 1 : s->length;
    }
    return s;
}

int source_lines(const struct source *s)
{
    return s->starts.count;
}

const char *source_line(const struct source *s, int n, size_t *length)
{
    *length = 0;
    if (n < 1 || n > s->starts.count)
        return "";
    size_t from = s->starts.items[n - 1];
    size_t to = n < s->starts.count ? s->starts.items[n] : s->length;
    while (to > from && (s->text[to - 1] == '\n' || s->text[to - 1] == '\r'))
        to--;
    *length = to - from;
    return s->text + from;
}

int source_cell(const struct source *s, int line, int *in_cell)
{
    for (int n = line; is_notebook(s->path) && n >= 1; n--) {
        size_t length;
        const char *text = source_line(s, n, &length);
        int cell = notebook_cell(text, length);
        if (cell && in_cell)
            *in_cell = line - n;
        if (cell)
            return cell;
    }
    return 0;
}

size_t source_offset(const struct source *s, int line, int column)
{
    if (line < 1 || line > s->starts.count || column < 1)
        return s->length;
    size_t at = s->starts.items[line - 1] + (size_t)column - 1;
    return at < s->length ? at : s->length;
}

/* The last line that begins there or before. */
void source_place(const struct source *s, size_t offset, int *line, int *column)
{
    int low = 0, high = s->starts.count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (s->starts.items[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    *line = low + 1;
    *column = (int)(offset - s->starts.items[low]) + 1;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
}

const char *source_text(struct arena *a, const struct source *s, const struct span *span)
{
    size_t from = source_offset(s, span->line, span->column);
    size_t to = source_offset(s, span->end_line, span->end_column);
    if (!span->line || to <= from)
        return "";
    char *text = arena_text(a, s->text + from, to - from), *end = text;
    for (const char *c = text; *c; c++) {
        if (!is_space(*c) || (*c == '\\' && c[1] != '\n'))
            *end++ = *c;
        else if (end > text && end[-1] != ' ')
            *end++ = ' ';
    }
    while (end > text && end[-1] == ' ')
        end--;
    *end = '\0';
    return text;
}

struct sources {
    struct arena *arena;
    struct map *by_path; /* a source without text: it cannot be read */
};

struct sources *sources_new(struct arena *a)
{
    struct sources *s = arena_one(a, struct sources);
    s->arena = a;
    s->by_path = map_new(a);
    return s;
}

const struct source *sources_get(struct sources *s, const char *path)
{
    if (!path)
        return NULL;
    uint64_t key = hash_bytes(path, strlen(path), 0);
    struct source *known = map_get(s->by_path, key);
    struct error ignored = {0};
    if (!known) {
        path = arena_text(s->arena, path, strlen(path));
        known = source_open(s->arena, path, &ignored);
        known = known ? known : arena_one(s->arena, struct source);
        map_put(s->by_path, key, known);
    }
    return known->text ? known : NULL;
}

void sources_put(struct sources *s, const char *path, const char *text, size_t length)
{
    map_put(s->by_path, hash_bytes(path, strlen(path), 0),
            source_of_text(s->arena, path, text, length));
}

const char *text_keep(struct arena *a, struct text *t)
{
    const char *kept = arena_text(a, t->data ? t->data : "", t->length);
    text_free(t);
    return kept;
}

const char *span_place(struct arena *a, struct sources *all, const struct span *s)
{
    const struct source *in = is_notebook(s->file) ? sources_get(all, s->file) : NULL;
    int line = s->line, cell = in ? source_cell(in, s->line, &line) : 0;
    return cell ? arena_printf(a, "%s:cell %d:%d:%d", s->file, cell, line, s->column)
                : arena_printf(a, "%s:%d:%d", s->file, s->line, s->column);
}
