/* A commit, without checking it out: files that differ from it are overlaid with their contents
 * then, new files are left out, and deleted ones are included. Files that git does not know (build
 * outputs) are taken from the working tree, and so are symbolic links and submodules. */
#include "frontends/diff/diff.h"

#include "frontends/git/git.h"

#include <string.h>

static bool find_commit(struct side *s, struct error *e)
{
    const char *const words[] = {"rev-parse", "-q", "--verify",
                                 arena_printf(s->arena, "%s^{commit}", s->name), NULL};
    struct text found = {0};
    bool ok = s->name[0] && s->name[0] != '-' && git_read(words, false, &found);
    if (ok)
        s->commit = arena_text(s->arena, found.data, strcspn(found.data, "\n"));
    text_free(&found);
    return ok || error_set(e, "'%s' is neither a commit here nor a result of 'check --format json'",
                           s->name);
}

/* Whether a check of the current folder covers it. */
static bool is_below_here(const struct side *s, const char *path)
{
    size_t n = strlen(s->here);
    return n < 2 || (!strncmp(path, s->here, n) && path[n] == '/');
}

static bool take_text(struct side *s, struct git_objects *g, const char *path,
                      const struct change *c, struct error *e)
{
    struct overlaid o = {.path = path};
    o.text = git_object(g, s->arena, c->name[0], &o.length);
    if (!o.text)
        return error_at(e, c->path, 0, 0, "git cannot say what %s has of it", s->name);
    LIST_ADD(s->arena, &s->overlay.files, o);
    return true;
}

static bool take_change(struct side *s, struct git_objects *g, const char *top,
                        const struct change *c, struct error *e)
{
    const char *path = git_path(s->arena, top, c->path);
    bool was_file = IS_FILE(c->mode[0]);
    if (!is_text_file(c->path))
        return true;
    if (c->status == 'A' && is_unit_file(path))
        LIST_ADD(s->arena, &s->request.dropped, path);
    if (c->status == 'A' || !was_file)
        return true;
    if (c->status == 'D' && is_unit_file(path) && is_below_here(s, path))
        LIST_ADD(s->arena, &s->request.added, path);
    return take_text(s, g, path, c, e);
}

static bool read_changes(struct side *s, const char *top, struct error *e)
{
    change_list found = {0};
    struct git_objects objects = {0};
    bool ok = git_differences(s->arena, NULL, s->commit, &found) ||
              error_set(e, "git cannot say what differs from %s", s->name);
    for (int i = 0; ok && i < found.count; i++)
        ok = take_change(s, &objects, top, &found.items[i], e);
    git_objects_close(&objects);
    return ok;
}

/* What differs is checked on both sides, whether or not it is in the database: otherwise the result
 * would depend on what is checked out. */
static void take_difference(struct side *s, const char *top, const struct change *c, bool is_after)
{
    const char *path = git_path(s->arena, top, c->path);
    if (!c->mode[is_after] && is_unit_file(path))
        LIST_ADD(s->arena, &s->request.dropped, path);
    if (IS_FILE(c->mode[is_after]) && is_unit_file(path) && is_below_here(s, path))
        LIST_ADD(s->arena, &s->request.added, path);
}

bool commits_compare(struct side *a, struct side *b, struct error *e)
{
    change_list found = {0};
    if (!a->commit || b->is_saved)
        return true;
    const char *top = git_top(a->arena, e);
    if (!top)
        return false;
    if (!git_differences(a->arena, a->commit, b->commit, &found))
        return error_set(e, "git cannot say what differs from %s", a->name);
    for (int i = 0; i < found.count; i++) {
        take_difference(a, top, &found.items[i], false);
        take_difference(b, top, &found.items[i], true);
    }
    return true;
}

bool commit_read(struct side *s, struct error *e)
{
    struct error why = {0};
    const char *top = git_top(s->arena, &why);
    LIST_ADD(s->arena, &s->request.paths, ".");
    if (!top && why.file[0]) {
        *e = why;
        return false;
    }
    if (!top)
        return error_set(e, "'%s' is not a result of 'check --format json', and %s", s->name,
                         why.message);
    if (!find_commit(s, e) || !read_changes(s, top, e))
        return false;
    s->overlay.are_files = true;
    s->request.overlay = &s->overlay;
    return true;
}
