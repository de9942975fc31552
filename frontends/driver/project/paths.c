/* Paths of a project: which file one really is, how the user would name it, and the text at a span.
 * Each path is resolved once. */
#include "frontends/driver/project/project.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* NULL: there is no such file. */
static const char *ask_real_path(struct project *p, const char *path)
{
    char *real = realpath(path, NULL);
    const char *known = real ? name_of(p->names, real) : NULL;
    free(real);
    return known;
}

static const char *real_path(struct project *p, const char *path);

/* Of a file that is not a symbolic link: only its folder has to be resolved. */
static const char *follow_folder(struct project *p, const char *full)
{
    const char *slash = strrchr(full, '/');
    const char *folder = name_of_range(p->names, full, (size_t)(slash - full));
    const char *real = real_path(p, folder);
    return name_of(p->names, arena_printf(p->arena, "%s%s", real[1] ? real : "", slash));
}

static bool is_plain(const char *full)
{
    const char *slash = strrchr(full, '/');
    return slash && slash > full && slash[1] && slash[1] != '.';
}

/* Most files of a folder are not symbolic links. */
static const char *find_real_path(struct project *p, const char *full)
{
    char target[2];
    if (!is_plain(full) || readlink(full, target, sizeof target) >= 0 || errno != EINVAL)
        return ask_real_path(p, full);
    return follow_folder(p, full);
}

static const char *remember_path(struct project *p, const char *path, const char *real)
{
    map_put(p->real_paths, (uint64_t)(uintptr_t)path, (void *)(uintptr_t)real);
    return real;
}

static const char *full_path(struct project *p, const char *path)
{
    return name_of(p->names, *path == '/' ? path : arena_printf(p->arena, "%s/%s", p->here, path));
}

/* By the address of the name, then by the name. */
static const char *real_path(struct project *p, const char *path)
{
    const char *known = map_get(p->real_paths, (uint64_t)(uintptr_t)path);
    if (known)
        return known;
    const char *full = full_path(p, path);
    known = map_get(p->real_paths, (uint64_t)(uintptr_t)full);
    if (!known && (known = find_real_path(p, full)))
        remember_path(p, full, known);
    return remember_path(p, path, known ? known : full);
}

void project_is_file(struct project *p, const char *path)
{
    const char *full = full_path(p, path);
    remember_path(p, full, full);
}

void project_is_no_link(struct project *p, const char *path)
{
    const char *full = full_path(p, path);
    if (is_plain(full) && !map_get(p->real_paths, (uint64_t)(uintptr_t)full))
        remember_path(p, full, follow_folder(p, full));
}

bool project_same_file(struct project *p, const char *a, const char *b)
{
    return a && b && (a == b || real_path(p, a) == real_path(p, b));
}

const char *project_real(struct project *p, const char *path)
{
    return real_path(p, name_of(p->names, path));
}

/* As the user would name it: below the current directory by a relative path. */
const char *project_shown(struct project *p, const char *path)
{
    const char *real = real_path(p, path);
    size_t n = strlen(p->here);
    if (n > 1 && !strncmp(real, p->here, n) && real[n] == '/')
        return name_of(p->names, real + n + 1);
    return real;
}

const struct source *project_source(struct project *p, const char *path)
{
    return sources_get(p->sources, real_path(p, path));
}

const char *project_text(struct project *p, const struct span *span, int columns)
{
    const struct source *s = span->line ? project_source(p, span->file) : NULL;
    return s ? text_cut(p->arena, source_text(p->arena, s, span), columns) : "?";
}

const char *project_condition(struct project *p, const struct condition *c, int columns)
{
    return condition_text(p->arena, c, project_text(p, &c->span, columns));
}

static int compare_texts(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

bool project_asks_for(const struct project *p, const char *file)
{
    return p->asked.count && bsearch(&file, p->asked.items, (size_t)p->asked.count,
                                     sizeof *p->asked.items, compare_texts);
}
