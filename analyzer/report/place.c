/* Places in the conventions of other tools: columns in UTF-16 units instead of bytes, paths
 * relative to the report's folder or as URIs. */
#include "analyzer/report/private.h"

#include <stdlib.h>
#include <string.h>

static const char *absolute(const struct report *r, const char *file)
{
    char *real = realpath(file, NULL);
    const char *path = arena_printf(r->arena, "%s", real ? real : file);
    free(real);
    return path;
}

const char *place_path(const struct report *r, const char *file)
{
    const char *path = absolute(r, file);
    size_t n = r->root ? strlen(r->root) : 0;
    if (n > 1 && !strncmp(path, r->root, n) && path[n] == '/')
        return path + n + 1;
    return path;
}

int place_cell(const struct report *r, struct span *s)
{
    const struct source *in = is_notebook(s->file) ? sources_get(r->sources, s->file) : NULL;
    int first = s->line, cell = in ? source_cell(in, s->line, &first) : 0;
    s->end_line -= cell ? s->line - first : 0;
    s->line = first;
    return cell;
}

const char *place_line(const struct report *r, const char *file, struct span s)
{
    int cell = place_cell(r, &s);
    return cell ? arena_printf(r->arena, "%s:cell %d:%d", file, cell, s.line)
                : arena_printf(r->arena, "%s:%d", file, s.line);
}

const char *place_shown(const struct report *r, const char *file)
{
    struct text out = {0};
    text_add_line(&out, file, strlen(file));
    return text_keep(r->arena, &out);
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("-._~/", c);
}

const char *place_uri(const struct report *r, const char *file)
{
    const char *path = place_path(r, file);
    struct text out = {0};
    text_add(&out, *path == '/' ? "file://" : "");
    for (; *path; path++)
        if (is_plain(*path))
            text_add_range(&out, path, 1);
        else
            text_printf(&out, "%%%02X", (unsigned char)*path);
    return text_keep(r->arena, &out);
}

/* A character counts one unit, one beyond the Basic Multilingual Plane two. */
static int units_in(const char *text, size_t length)
{
    int units = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        units += (c & 0xc0) == 0x80 ? 0 : c >= 0xf0 ? 2 : 1;
    }
    return units;
}

/* In a line that is as long as a file, which may have very many findings, units are counted once:
 * before each of its parts. */
enum { PART = 4096 };

static const int *units_before_parts(const struct report *r, const char *text, size_t length)
{
    uint64_t key = (uint64_t)(uintptr_t)text;
    int *units = map_get(r->long_lines, key);
    if (!units) {
        map_put(r->long_lines, key, units = arena_array(r->arena, int, length / PART + 1));
        for (size_t i = 0; i < length / PART; i++)
            units[i + 1] = units[i] + units_in(text + i * PART, PART);
    }
    return units;
}

int place_column(const struct report *r, const char *file, int line, int column)
{
    const struct source *s = sources_get(r->sources, file);
    size_t length = 0, before = 0, to = (size_t)column - 1;
    const char *text = s ? source_line(s, line, &length) : "";
    int units = 1;
    if (!s || column < 1)
        return s ? units : column;
    to = to < length ? to : length;
    if (to > PART && r->long_lines) {
        before = to / PART * PART;
        units += units_before_parts(r, text, length)[to / PART];
    }
    return units + units_in(text + before, to - before);
}

/* "x + self.scale(" is no name of a function: the whole is an operation. */
static bool has_blank(const char *line, size_t from, size_t to)
{
    return memchr(line + from, ' ', to - from) != NULL;
}

struct span place_called(const struct source *s, const struct span *call)
{
    size_t length;
    const char *line = source_line(s, call->line, &length);
    struct span head = *call;
    size_t from = (size_t)call->column - 1, to = from;
    if (call->end_line == call->line && (size_t)call->end_column - 1 < length)
        length = (size_t)call->end_column - 1;
    while (to < length && line[to] != *s->language->arguments[0])
        to++;
    head.end_line = call->line;
    bool inside = call->end_line > call->line || to < (size_t)call->end_column - 1;
    bool is_name = to < length && to > from && inside && !has_blank(line, from, to);
    head.end_column = is_name                        ? (int)to + 1
                      : call->end_line == call->line ? call->end_column
                                                     : (int)length + 1;
    return head;
}
