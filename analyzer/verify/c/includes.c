/* Which files a unit is made of: itself, and what it includes outside of the system's folders. The
 * text is read, not preprocessed: an include in a branch that is never taken counts, too, which at
 * worst runs a finding once more. A unit comes in, real paths go out, the unit's own first. */
#include "analyzer/verify/c/private.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FILES = 4096 };

struct search {
    struct verifier *v;
    const struct verify_unit *unit;
    struct map *seen;
    text_list *out;
    text_list folders; /* of -I and similar flags, absolute */
};

static const char *unit_path(struct search *s, const char *path)
{
    return path_real(s->v, *path == '/' ? NULL : s->unit->directory, path);
}

/* The value of a flag, attached to it or not: "-Iinclude", "-I include". */
static const char *flag_value(const struct verify_unit *u, int i, const char *flag)
{
    size_t n = strlen(flag);
    if (strncmp(u->flags[i], flag, n) != 0)
        return NULL;
    if (u->flags[i][n])
        return u->flags[i] + n + (u->flags[i][n] == '=');
    return i + 1 < u->flag_count ? u->flags[i + 1] : NULL;
}

static void find_folders(struct search *s)
{
    static const char *const flags[] = {"-iquote", "-isystem", "-idirafter", "-I"};
    for (int i = 0; i < s->unit->flag_count; i++)
        for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
            const char *value = flag_value(s->unit, i, flags[k]);
            if (value)
                LIST_ADD(s->v->arena, &s->folders, unit_path(s, value));
        }
}

/* System headers change with the system. */
static bool is_systems(const char *path)
{
    return !strncmp(path, "/usr/", 5) || !strncmp(path, "/lib/", 5);
}

static void take_file(struct search *s, const char *path);

static void take_named(struct search *s, const char *folder, const char *name)
{
    struct verifier *v = s->v;
    const char *path = *name == '/' ? name : arena_printf(v->arena, "%s/%s", folder, name);
    if (!access(path, R_OK)) {
        take_file(s, path_real(v, NULL, path));
        return;
    }
    for (int i = 0; i < s->folders.count; i++) {
        path = arena_printf(v->arena, "%s/%s", s->folders.items[i], name);
        if (!access(path, R_OK)) {
            take_file(s, path_real(v, NULL, path));
            return;
        }
    }
}

/* # include "name" */
static void take_line(struct search *s, const char *folder, const char *line)
{
    line += strspn(line, " \t");
    if (*line != '#')
        return;
    line += 1 + strspn(line + 1, " \t");
    if (strncmp(line, "include", 7) != 0)
        return;
    line += 7;
    line += strncmp(line, "_next", 5) ? 0 : 5;
    line += strspn(line, " \t");
    size_t n = *line == '"' || *line == '<' ? strcspn(line + 1, "\">\n") : 0;
    if (n)
        take_named(s, folder, arena_text(s->v->arena, line + 1, n));
}

static void take_file(struct search *s, const char *path)
{
    uint64_t key = hash_bytes(path, strlen(path), 0);
    const struct source *text = NULL;
    if (map_get(s->seen, key) || s->out->count >= MAX_FILES || is_systems(path))
        return;
    map_put(s->seen, key, s);
    LIST_ADD(s->v->arena, s->out, path);
    text = sources_get(s->v->sources, path);
    const char *slash = strrchr(path, '/');
    const char *folder = arena_text(s->v->arena, path, slash ? (size_t)(slash - path) : 0);
    for (int i = 1; text && i <= source_lines(text); i++) {
        size_t length;
        take_line(s, folder, source_line(text, i, &length));
    }
}

void c_unit_files(struct verifier *v, const struct verify_unit *u, text_list *out)
{
    struct search s = {.v = v, .unit = u, .seen = map_new(v->arena), .out = out};
    find_folders(&s);
    take_file(&s, path_real(v, NULL, u->file));
    for (int i = 0; i < u->flag_count; i++) {
        const char *name = flag_value(u, i, "-include");
        if (name)
            take_named(&s, u->directory ? u->directory : ".", name);
    }
}
