/* Files: which one a location is in, what the user calls it, its text, its lines.
 *
 * In libclang a location in a file is a number that grows by one per byte (checked once per unit),
 * so file, line and column come from our own tables: asking libclang costs ten times as much. */
#include "frontends/clang/lower.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- names of files ------------------------------------------------------------------------- */

/* If the user named the file by a relative path, headers below the current folder are named that
 * way too. */
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
    struct source *known = map_get(l->files, (uint64_t)(uintptr_t)file);
    if (known)
        return known->name;
    CXString s = l->c->getFileName(file);
    const char *text = l->c->getCString(s);
    bool is_main = !text || strcmp(text, l->main_path) == 0;
    const char *name = name_of(l->unit->names, is_main ? l->main_name : shown_name(l, text));
    l->c->disposeString(s);
    return name;
}

/* ---- inclusions ----------------------------------------------------------------------------- */

/* What is known about a header of an open unit: it does not change, and finding it among the
 * precompiled ones takes libclang long. */
static struct header_known *header_known(struct lower *l, const char *path)
{
    return l->ahead && path ? map_get(l->ahead->headers, hash_bytes(path, strlen(path), 0)) : NULL;
}

/* The main file keeps changing, and so may what it includes later on; files that share their
 * beginning are lowered one after the other, while none changes. */
static void remember_header(struct lower *l, const char *path, const struct source *s)
{
    bool remembers = l->ahead && (l->ahead->is_noting || l->ahead->files.count);
    if (!remembers || !path || s->is_main)
        return;
    struct arena *a = l->ahead->arena;
    struct header_known *h = arena_one(a, struct header_known);
    *h = (struct header_known){s->text ? arena_text(a, s->text, s->size) : NULL, s->size,
                               s->is_system};
    map_put(l->ahead->headers, hash_bytes(path, strlen(path), 0), h);
}

/* place: any location in the file, or in a macro used there; NULL: unknown. */
static void look_into(struct lower *l, const CXSourceLocation *place, CXFile file, const char *path,
                      struct source *s)
{
    const struct header_known *known = header_known(l, path);
    if (known) {
        s->text = known->text;
        s->size = known->size;
        s->is_system = known->is_system;
        return;
    }
    s->text = l->c->getFileContents(l->tu, file, &s->size);
    s->is_system = l->c->Location_isInSystemHeader(
        place ? *place : l->c->getLocationForOffset(l->tu, file, 0));
    remember_header(l, path, s);
}

static struct source *source_new(struct lower *l, const CXSourceLocation *place, CXFile file)
{
    struct source *s = arena_one(l->scratch, struct source);
    uint64_t key = (uint64_t)(uintptr_t)file;
    CXString name = l->c->getFileName(file);
    const char *path = l->c->getCString(name);
    s->name = file_name(l, file);
    s->is_main = path && strcmp(path, l->main_path) == 0;
    s->is_compilers = path && *l->c->resource && path_is_below(path, l->c->resource);
    look_into(l, place, file, path, s);
    l->c->disposeString(name);
    if (!map_get(l->files, key))
        map_put(l->files, key, s);
    return s;
}

static bool is_within(const struct source *s, unsigned number)
{
    return number >= s->base && number <= s->end;
}

struct source *source_at(struct lower *l, unsigned number)
{
    if (number & IN_MACRO || number == 0 || l->slow_places)
        return NULL;
    if (l->last_source && is_within(l->last_source, number))
        return l->last_source;
    for (int i = 0; i < l->sources.count; i++)
        if (is_within(l->sources.items[i], number))
            return l->last_source = l->sources.items[i];
    return NULL;
}

struct source *source_of(struct lower *l, CXSourceLocation place)
{
    CXFile file;
    unsigned offset;
    struct source *known = source_at(l, place.int_data);
    if (known || place.int_data & IN_MACRO || place.int_data == 0 || l->slow_places)
        return known;
    l->c->getFileLocation(place, &file, NULL, NULL, &offset);
    if (!file)
        return NULL;
    struct source *s = source_new(l, &place, file);
    s->base = place.int_data - offset;
    s->end = s->base + (unsigned)s->size;
    LIST_ADD(l->scratch, &l->sources, s);
    return l->last_source = s;
}

/* The first inclusion of a file represents all. libclang's answer takes time proportional to all
 * inclusions and macro uses in the file. */
struct source *source_of_file(struct lower *l, CXFile file)
{
    struct source *known = map_get(l->files, (uint64_t)(uintptr_t)file);
    if (known)
        return known;
    return source_new(l, NULL, file);
}

struct source *source_of_use(struct lower *l, CXSourceLocation place)
{
    CXFile file;
    l->c->getFileLocation(place, &file, NULL, NULL, NULL);
    struct source *known = map_get(l->files, (uint64_t)(uintptr_t)file);
    return known || !file ? known : source_new(l, &place, file);
}

/* ---- whether places are numbers that count bytes -------------------------------------------- */

struct distance {
    struct lower *l;
    bool counts_bytes;
};

/* Of the first declaration written in a file, both ends: the distance must be the same by
 * libclang's answer and by the numbers. */
static enum CXChildVisitResult compare_ends(CXCursor c, CXCursor parent, CXClientData data)
{
    struct distance *d = data;
    const struct clang *clang = d->l->c;
    CXSourceRange range = clang->getCursorExtent(c);
    CXSourceLocation begin = clang->getRangeStart(range), end = clang->getRangeEnd(range);
    CXFile files[2];
    unsigned offsets[2];
    (void)parent;
    if ((begin.int_data | end.int_data) & IN_MACRO || begin.int_data >= end.int_data)
        return CXChildVisit_Continue;
    clang->getFileLocation(begin, &files[0], NULL, NULL, &offsets[0]);
    clang->getFileLocation(end, &files[1], NULL, NULL, &offsets[1]);
    d->counts_bytes = files[0] && files[0] == files[1] &&
                      end.int_data - begin.int_data == offsets[1] - offsets[0];
    return CXChildVisit_Break;
}

bool places_count_bytes(struct lower *l)
{
    struct distance d = {.l = l};
    l->c->visitChildren(l->c->getTranslationUnitCursor(l->tu), compare_ends, &d);
    return d.counts_bytes;
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

/* The line of the offset, from 0. Consecutive queries are close together. */
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

struct span source_span(struct lower *l, struct source *s, unsigned begin, unsigned end)
{
    if (!s->lines)
        find_lines(l, s);
    int first = line_of(s, begin), last = line_of(s, end);
    return (struct span){s->name, first + 1, (int)(begin - s->lines[first]) + 1, last + 1,
                         (int)(end - s->lines[last]) + 1};
}
