/* Places: from libclang's locations to spans as the user would point at them. What a macro made is
 * where the macro was used; what the user handed to a macro is where it was written.
 *
 * In a file, a location is a number that grows by one a byte (checked once a unit), so that line
 * and column come from a table of our own: asking libclang costs ten times as much. */
#include "frontends/clang/lower.h"
#include "frontends/clang/paths.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IN_MACRO 0x80000000u /* this bit of a location's number */

/* ---- names of files ------------------------------------------------------------------------- */

/* If the user named the file by a relative path, so are headers below the current folder. */
static const char *shown_name(const struct lower *l, const char *name)
{
    char path[PATH_MAX], current[PATH_MAX];
    if (!getcwd(current, sizeof current))
        return name;
    const char *folder = l->directory ? l->directory : current;
    if (snprintf(path, sizeof path, "%s/%s", *name == '/' ? "" : folder, name) >= (int)sizeof path)
        return name;
    path_tidy(path);
    size_t n = strlen(current);
    bool below = strncmp(path, current, n) == 0 && path[n] == '/';
    const char *shown = below && l->main_name[0] != '/' ? path + n + 1 : path;
    return name_of(l->unit->names, shown);
}

const char *file_name(struct lower *l, CXFile file)
{
    for (int i = 0; i < l->sources.count; i++)
        if (l->sources.items[i]->file == file)
            return l->sources.items[i]->name;
    CXString s = l->c->getFileName(file);
    const char *text = l->c->getCString(s);
    bool is_main = !text || strcmp(text, l->main_path) == 0;
    const char *name = name_of(l->unit->names, is_main ? l->main_name : shown_name(l, text));
    l->c->disposeString(s);
    return name;
}

/* ---- inclusions ----------------------------------------------------------------------------- */

static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return n && strncmp(path, folder, n) == 0 && path[n] == '/';
}

static struct source *source_new(struct lower *l, CXSourceLocation place, CXFile file,
                                 unsigned offset)
{
    struct source *s = arena_one(l->scratch, struct source);
    CXString name = l->c->getFileName(file);
    const char *path = l->c->getCString(name);
    s->file = file;
    s->name = file_name(l, file);
    s->text = l->c->getFileContents(l->tu, file, &s->size);
    s->base = place.int_data - offset;
    s->end = s->base + (unsigned)s->size;
    s->is_main = path && strcmp(path, l->main_path) == 0;
    s->is_system = l->c->Location_isInSystemHeader(place);
    s->is_compilers = path && is_below(path, l->c->resource);
    l->c->disposeString(name);
    LIST_ADD(l->scratch, &l->sources, s);
    return s;
}

static bool is_within(const struct source *s, CXSourceLocation place)
{
    return place.int_data >= s->base && place.int_data <= s->end;
}

struct source *source_of(struct lower *l, CXSourceLocation place)
{
    CXFile file;
    unsigned line, column, offset;
    if (place.int_data & IN_MACRO || place.int_data == 0 || l->slow_places)
        return NULL;
    if (l->last_source && is_within(l->last_source, place))
        return l->last_source;
    for (int i = 0; i < l->sources.count; i++)
        if (is_within(l->sources.items[i], place))
            return l->last_source = l->sources.items[i];
    l->c->getFileLocation(place, &file, &line, &column, &offset);
    return file ? l->last_source = source_new(l, place, file, offset) : NULL;
}

/* By file: the first inclusion stands for all. Asking libclang takes time by all there are. */
static struct source *source_of_file(struct lower *l, CXFile file, unsigned offset)
{
    for (int i = 0; i < l->sources.count; i++)
        if (l->sources.items[i]->file == file)
            return l->sources.items[i];
    return source_new(l, l->c->getLocationForOffset(l->tu, file, offset), file, offset);
}

struct source *source_of_use(struct lower *l, CXSourceLocation place)
{
    CXFile file;
    unsigned line, column, offset;
    l->c->getFileLocation(place, &file, &line, &column, &offset);
    return file ? source_of_file(l, file, offset) : NULL;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void find_lines(struct lower *l, struct source *s)
{
    LIST(unsigned) lines = {0};
    LIST_ADD(l->scratch, &lines, 0u);
    const char *end = s->text + s->size, *p = s->text;
    while (p && (p = memchr(p, '\n', (size_t)(end - p))))
        LIST_ADD(l->scratch, &lines, (unsigned)(++p - s->text));
    s->lines = lines.items;
    s->line_count = lines.count;
}

/* The line the offset is on, from 0. Questions come close to one another. */
static int line_of(struct source *s, unsigned offset)
{
    int low = 0, high = s->line_count - 1, near = s->last_line;
    if (offset >= s->lines[near]) {
        if (near == high || offset < s->lines[near + 1])
            return near;
        low = near + 1;
        if (low == high || offset < s->lines[low + 1])
            return s->last_line = low;
    }
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (s->lines[middle] <= offset)
            low = middle;
        else
            high = middle - 1;
    }
    return s->last_line = low;
}

static struct span span_within(struct lower *l, struct source *s, unsigned begin, unsigned end)
{
    if (!s->lines)
        find_lines(l, s);
    int first = line_of(s, begin), last = line_of(s, end);
    return (struct span){s->name, first + 1, (int)(begin - s->lines[first]) + 1, last + 1,
                         (int)(end - s->lines[last]) + 1};
}

/* ---- places in macros ----------------------------------------------------------------------- */

struct spot {
    CXFile file;
    unsigned line, column, offset;
    bool from_body; /* spelled in the macro, not by its user */
};

/* Where the user wrote it. */
static struct spot spot_of(const struct lower *l, CXSourceLocation place)
{
    struct spot s = {0}, spelled = {0};
    l->c->getFileLocation(place, &s.file, &s.line, &s.column, &s.offset);
    if (place.int_data & IN_MACRO) {
        l->c->getSpellingLocation(place, &spelled.file, &spelled.line, &spelled.column,
                                  &spelled.offset);
        s.from_body = spelled.file != s.file || spelled.offset != s.offset;
    }
    return s;
}

/* The user's line and column, counted on from a known spot over the text. */
static void step(const char *text, size_t from, size_t to, unsigned *line, unsigned *column)
{
    for (; from < to; from++) {
        bool next = text[from] == '\n';
        *line += next;
        *column = next ? 1 : *column + 1;
    }
}

/* Behind a macro's name and arguments: libclang knows the end of the outermost one only. One use
 * may make a whole function, so the last is remembered. */
static struct spot end_of_use(struct lower *l, const struct spot *begin)
{
    struct spot end = *begin;
    if (l->last_use.file == begin->file && l->last_use.begin == begin->offset) {
        end.offset = l->last_use.end;
        end.line = l->last_use.line;
        end.column = l->last_use.column;
        return end;
    }
    struct source *s = source_of_file(l, begin->file, begin->offset);
    if (!s->text || begin->offset >= s->size)
        return end;
    end.offset = (unsigned)source_macro_use(s->text, s->size, begin->offset);
    step(s->text, begin->offset, end.offset, &end.line, &end.column);
    l->last_use = (struct macro_use){begin->file, begin->offset, end.offset, end.line, end.column};
    return end;
}

static struct span slow_span(struct lower *l, CXSourceRange range)
{
    struct spot begin = spot_of(l, l->c->getRangeStart(range));
    struct spot end = spot_of(l, l->c->getRangeEnd(range));
    if (!begin.file)
        return (struct span){0};
    if (begin.from_body || end.file != begin.file || end.offset <= begin.offset) {
        struct spot use = end_of_use(l, &begin);
        if (end.file != begin.file || end.offset < use.offset)
            end = use;
    }
    return (struct span){file_name(l, begin.file), (int)begin.line, (int)begin.column,
                         (int)end.line, (int)end.column};
}

/* ---- spans ---------------------------------------------------------------------------------- */

static struct span span_of_range(struct lower *l, CXSourceRange range)
{
    CXSourceLocation begin = l->c->getRangeStart(range);
    struct source *s = source_of(l, begin);
    if (!s || range.end_int_data < range.begin_int_data || range.end_int_data > s->end)
        return slow_span(l, range);
    return span_within(l, s, range.begin_int_data - s->base, range.end_int_data - s->base);
}

struct span span_of_cursor(struct lower *l, CXCursor c)
{
    return span_of_range(l, l->c->getCursorExtent(c));
}

struct span span_of(struct lower *l, struct node *n)
{
    while (n->cursor.kind == CXCursor_UnexposedExpr && n->first && !n->first->next &&
           is_expression(n->first))
        n = n->first; /* a conversion is where its operand is */
    if (n->span.line == 0)
        n->span = span_of_cursor(l, n->cursor);
    return n->span;
}

static bool is_before(int line, int column, int other_line, int other_column)
{
    return line < other_line || (line == other_line && column < other_column);
}

/* In attributes and macros, what libclang takes for the declaration may end before the name. */
struct span span_of_variable(struct lower *l, CXCursor c)
{
    struct span all = span_of_cursor(l, c);
    struct spot name = spot_of(l, l->c->getCursorLocation(c));
    int line = (int)name.line, column = (int)name.column;
    if (!name.file || !all.line || is_before(line, column, all.line, all.column))
        return all;
    all.line = line;
    all.column = column;
    if (is_before(all.end_line, all.end_column, line, column)) {
        struct spot end = end_of_use(l, &name);
        all.end_line = (int)end.line;
        all.end_column = (int)end.column;
    }
    return all;
}

const char *text_at(struct lower *l, CXSourceLocation place, size_t *offset, size_t *size)
{
    struct source *s = source_of(l, place);
    if (s) {
        *offset = place.int_data - s->base;
        *size = s->size;
        return s->text;
    }
    CXFile file;
    unsigned line, column, at;
    l->c->getSpellingLocation(place, &file, &line, &column, &at);
    s = file ? source_of_file(l, file, at) : NULL;
    *offset = at;
    *size = s ? s->size : 0;
    return s && at < s->size ? s->text : NULL;
}

bool starts_with(struct lower *l, const struct node *n, const char *word)
{
    size_t at, size;
    const char *text = text_at(l, l->c->getCursorLocation(n->cursor), &at, &size);
    return text && at + strlen(word) <= size && memcmp(text + at, word, strlen(word)) == 0;
}
