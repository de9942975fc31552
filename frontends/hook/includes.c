/* Who includes a file, by reading only #include lines. A name matches every file whose path ends
 * with it: that may find too many, which costs time, but never too few, unless a macro makes the
 * name. */
#include "frontends/hook/hook.h"

#include <string.h>
#include <unistd.h>

struct node {
    const char *path; /* absolute */
    text_list names;  /* names it includes: "layers/norm.h" */
    bool reached;     /* it is changed, or includes a reached one */
};

struct graph {
    struct staged *s;
    LIST(struct node) nodes;
};

static const char *skip_blank(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* "../a/b.h" matches the same paths as "a/b.h". */
static const char *plain(const char *name)
{
    for (;;)
        if (!strncmp(name, "../", 3))
            name += 3;
        else if (!strncmp(name, "./", 2))
            name += 2;
        else
            return name;
}

/* at: after the '#'. */
static void take_include(struct arena *a, struct node *n, const char *at)
{
    at = skip_blank(at);
    if (strncmp(at, "include", 7) != 0)
        return;
    at = skip_blank(at + 7 + (strncmp(at + 7, "_next", 5) == 0 ? 5 : 0));
    if (*at != '"' && *at != '<')
        return;
    size_t length = strcspn(at + 1, "\">\n");
    LIST_ADD(a, &n->names, plain(arena_text(a, at + 1, length)));
}

static void read_names(struct staged *s, struct node *n)
{
    struct error unread;
    struct arena *scratch = arena_new();
    const struct overlaid *o = overlay_find(&s->overlay, n->path);
    const char *text = o ? o->text : file_read(scratch, n->path, NULL, &unread);
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line = skip_blank(line + (*line == '\n'));
        if (*line == '#')
            take_include(s->arena, n, line + 1);
        else if (!*line)
            break;
    }
    arena_free(scratch);
}

/* All files that git knows with matching names; absolute. */
static bool list_files(struct staged *s, bool (*fits)(const char *path), text_list *out,
                       struct error *e)
{
    static const char *const words[] = {"ls-files", "-z", "--full-name", "--", ":/", NULL};
    struct text all = {0};
    bool ok = git_read(words, true, &all);
    for (const char *at = all.data, *end = text_end(&all); at < end; at += strlen(at) + 1)
        if (fits(at))
            LIST_ADD(s->arena, out, git_path(s->arena, s->top, at));
    text_free(&all);
    return ok || error_set(e, "git cannot say which files there are");
}

static bool is_here(const struct staged *s, const char *path)
{
    return overlay_find(&s->overlay, path) || !access(path, R_OK);
}

bool units_below(struct staged *s, const char *folder, text_list *out, struct error *e)
{
    text_list all = {0};
    size_t n = strlen(folder);
    bool ok = list_files(s, is_unit_file, &all, e);
    for (int i = 0; i < all.count; i++) {
        const char *path = all.items[i];
        if (!strncmp(path, folder, n) && path[n] == '/' && is_here(s, path))
            LIST_ADD(s->arena, out, path);
    }
    return ok;
}

static size_t folder_length(const char *path)
{
    return (size_t)(strrchr(path, '/') - path);
}

static bool is_beside_changed(const struct staged *s, const char *path)
{
    size_t n = folder_length(path);
    for (int i = 0; i < s->changed.count; i++)
        if (folder_length(s->changed.items[i]) == n && !strncmp(s->changed.items[i], path, n))
            return true;
    return false;
}

bool units_beside(struct staged *s, text_list *out, struct error *e)
{
    text_list all = {0};
    bool ok = list_files(s, is_unit_file, &all, e);
    for (int i = 0; i < all.count; i++)
        if (is_beside_changed(s, all.items[i]) && is_here(s, all.items[i]))
            LIST_ADD(s->arena, out, all.items[i]);
    return ok;
}

static bool read_nodes(struct graph *g, struct error *e)
{
    text_list files = {0};
    bool ok = list_files(g->s, is_text_file, &files, e);
    for (int i = 0; i < files.count; i++) {
        struct node n = {.path = files.items[i]};
        read_names(g->s, &n);
        LIST_ADD(g->s->arena, &g->nodes, n);
    }
    return ok;
}

static bool ends_with(const char *path, const char *name)
{
    size_t n = strlen(name), all = strlen(path);
    return n && all > n && path[all - n - 1] == '/' && !strcmp(path + all - n, name);
}

static bool includes(const struct node *n, const char *path)
{
    for (int i = 0; i < n->names.count; i++)
        if (ends_with(path, n->names.items[i]))
            return true;
    return false;
}

/* Marks all files that include it, transitively. */
static bool reach(struct graph *g, const char *path)
{
    bool any = false;
    text_list next = {0};
    LIST_ADD(g->s->arena, &next, path);
    for (int k = 0; k < next.count; k++)
        for (int i = 0; i < g->nodes.count; i++) {
            struct node *n = &g->nodes.items[i];
            if (!includes(n, next.items[k]))
                continue;
            any |= is_unit_file(n->path);
            if (!n->reached)
                LIST_ADD(g->s->arena, &next, n->path);
            n->reached = true;
        }
    return any;
}

bool includes_find(struct staged *s, text_list *units, text_list *alone, struct error *e)
{
    struct graph g = {.s = s};
    if (!read_nodes(&g, e))
        return false;
    for (int i = 0; i < s->changed.count; i++) {
        for (int k = 0; k < g.nodes.count; k++)
            g.nodes.items[k].reached = false;
        if (!reach(&g, s->changed.items[i]) && !is_unit_file(s->changed.items[i]))
            LIST_ADD(s->arena, alone, s->changed.items[i]);
        for (int k = 0; k < g.nodes.count; k++)
            if (g.nodes.items[k].reached && is_unit_file(g.nodes.items[k].path))
                LIST_ADD(s->arena, units, g.nodes.items[k].path);
    }
    return true;
}
