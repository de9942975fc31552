/* Who includes a file, by reading only #include lines. A name matches every file whose path ends
 * with it: that may find too many, which costs time, but never too few, unless a macro makes the
 * name. */
#include "frontends/hook/hook.h"

#include <string.h>
#include <unistd.h>

struct node {
    const char *path; /* absolute */
    text_list names;  /* names it includes: "../layers/norm.h" */
    text_list ends;   /* what the path of such a file ends with: "layers/norm.h" */
    bool reached;     /* it is changed, or includes a reached one */
};

struct graph {
    struct staged *s;
    LIST(struct node) nodes;
};

static bool is_blank(char c)
{
    return c && strchr(" \t\f\v", c);
}

/* Past a line end behind a backslash, and nothing else. */
static const char *skip_joint(const char *at)
{
    while (*at == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n')))
        at += at[1] == '\n' ? 2 : 3;
    return at;
}

/* Past all that can be between two words of a directive. */
static const char *skip_blank(const char *at)
{
    for (;;) {
        const char *end = at[0] == '/' && at[1] == '*' ? strstr(at + 2, "*/") : NULL;
        const char *joint = skip_joint(at);
        if (end)
            at = end + 2;
        else if (joint != at)
            at = joint;
        else if (is_blank(*at))
            at++;
        else
            return at;
    }
}

/* Past the word, which may go on in the next line; NULL: it is another. */
static const char *skip_word(const char *at, const char *word)
{
    for (; *word; word++, at++)
        if (*(at = skip_joint(at)) != *word)
            return NULL;
    return at;
}

/* "../a/b.h" matches the same paths as "a/b.h", and so does "a/c/..//./b.h". */
static const char *plain(struct arena *a, const char *name)
{
    char *tidy = arena_printf(a, "/%s", name);
    path_tidy(tidy);
    return tidy + 1;
}

/* at: after the '#'. */
static void take_include(struct arena *a, struct node *n, const char *at)
{
    const char *word = skip_blank(at), *after = skip_word(word, "include");
    if (!after && !(after = skip_word(word, "import")))
        return;
    const char *next = skip_word(after, "_next");
    at = skip_blank(next ? next : after);
    if (*at != '"' && *at != '<')
        return;
    size_t length = strcspn(at + 1, "\">\r\n");
    LIST_ADD(a, &n->names, arena_text(a, at + 1, length));
    LIST_ADD(a, &n->ends, plain(a, n->names.items[n->names.count - 1]));
}

/* Past what can be before a directive in its line: a comment may begin in one before. */
static const char *directive_of(const char *line)
{
    size_t length = strcspn(line, "\r\n");
    const char *at = skip_blank(line);
    const char *comment = memmem(line, length, "*/", 2);
    if (*at != '#' && *at != '%' && comment)
        at = skip_blank(comment + 2);
    return *at == '#' ? at + 1 : at[0] == '%' && at[1] == ':' ? at + 2 : NULL;
}

static void read_names(struct staged *s, struct node *n)
{
    struct error unread;
    struct arena *scratch = arena_new();
    const struct overlaid *o = overlay_find(&s->overlay, n->path);
    const char *text = o ? o->text : file_read(scratch, n->path, NULL, &unread);
    for (const char *line = text; line && *line; line += strcspn(line, "\r\n")) {
        line += strspn(line, "\r\n");
        const char *directive = directive_of(line);
        if (directive)
            take_include(s->arena, n, directive);
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

static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

/* A folder in the name may be a link. */
static bool leads_to(struct arena *a, const char *from, const char *name, const char *path)
{
    if (last_part(name) == name || strcmp(last_part(name), last_part(path)) != 0)
        return false;
    const char *folder = arena_text(a, from, (size_t)(last_part(from) - from));
    return !strcmp(path_resolve(a, arena_printf(a, "%s%s", folder, name)), path);
}

static bool includes(const struct graph *g, const struct node *n, const char *path)
{
    for (int i = 0; i < n->names.count; i++)
        if (ends_with(path, n->ends.items[i]) ||
            leads_to(g->s->arena, n->path, n->names.items[i], path))
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
            if (!includes(g, n, next.items[k]))
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
