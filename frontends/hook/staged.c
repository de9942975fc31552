/* What a commit changes, and what files will contain after it. The index decides: files that are
 * staged as they are in the working tree are read from there, the others are overlaid with their
 * staged text. Files in no index (build outputs) are taken from the working tree, and so are
 * symbolic links and submodules. */
#include "frontends/hook/hook.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what git says -------------------------------------------------------------------------- */

/* against: a commit, or NULL for the working tree. */
static bool differences(struct staged *s, const char *against, change_list *out, struct error *e)
{
    return git_differences(s->arena, against ? "--cached" : NULL,
                           against && *against ? against : NULL, out) ||
           error_set(e, "git cannot say what is staged");
}

/* ---- what is changed ------------------------------------------------------------------------ */

static const char *below_top(struct staged *s, const char *path)
{
    return git_path(s->arena, s->top, path);
}

/* A symbolic link stands for the file it leads to, if any. */
static const char *file_of(struct staged *s, const struct change *c)
{
    struct stat st;
    const char *path = below_top(s, c->path);
    if (IS_FILE(c->mode[1]))
        return path;
    char *real = IS_LINK(c->mode[1]) ? realpath(path, NULL) : NULL;
    path =
        real && !stat(real, &st) && S_ISREG(st.st_mode) ? arena_printf(s->arena, "%s", real) : NULL;
    free(real);
    return path;
}

static void take_change(struct staged *s, const struct change *c)
{
    const char *path = c->status == 'D' ? below_top(s, c->path) : file_of(s, c);
    if (!path || !is_text_file(c->path))
        return;
    if (c->status == 'D')
        LIST_ADD(s->arena, &s->deleted, path);
    else
        LIST_ADD(s->arena, &s->changed, path);
}

/* For a merge, only what it decided itself: what is neither side's. */
static bool is_of_other_side(const struct map *other, const struct change *c)
{
    return other && !map_get(other, hash_bytes(c->path, strlen(c->path), 0));
}

static bool read_other_side(struct staged *s, struct map **out, struct error *e)
{
    static const char *const words[] = {"rev-parse", "-q", "--verify", "MERGE_HEAD^{commit}", NULL};
    struct text name = {0};
    change_list found = {0};
    bool merging = git_read(words, false, &name);
    const char *other = merging ? arena_text(s->arena, name.data, strcspn(name.data, "\n")) : NULL;
    text_free(&name);
    if (!merging)
        return true;
    if (!differences(s, other, &found, e))
        return false;
    *out = map_new(s->arena);
    for (int i = 0; i < found.count; i++)
        map_put(*out, hash_bytes(found.items[i].path, strlen(found.items[i].path), 0), s);
    return true;
}

/* Before the first commit there is nothing to compare with. */
static bool read_changes(struct staged *s, struct error *e)
{
    change_list found = {0};
    struct map *other = NULL;
    if (!differences(s, "", &found, e) || (found.count && !read_other_side(s, &other, e)))
        return false;
    for (int i = 0; i < found.count; i++)
        if (!is_of_other_side(other, &found.items[i])) {
            LIST_ADD(s->arena, &s->found, found.items[i]);
            take_change(s, &found.items[i]);
        }
    return true;
}

/* ---- what files contain --------------------------------------------------------------------- */

static bool overlay_staged(struct staged *s, struct git_objects *objects, const struct change *c,
                           struct error *e)
{
    struct overlaid o = {.path = below_top(s, c->path)};
    if (!IS_FILE(c->mode[0]) || !is_text_file(c->path))
        return true;
    o.text = git_object(objects, s->arena, c->name[0], &o.length);
    if (!o.text)
        return error_at(e, c->path, 0, 0, "git cannot say what is staged of it");
    LIST_ADD(s->arena, &s->overlay.files, o);
    return true;
}

/* What differs from the working tree. A file added with -N is not in the index yet, an unmerged one
 * is in it more than once. */
static bool overlay_differences(struct staged *s, struct git_objects *objects, struct error *e)
{
    change_list found = {0};
    bool ok = differences(s, NULL, &found, e);
    for (int i = 0; ok && i < found.count; i++)
        ok =
            !strchr("MDT", found.items[i].status) || overlay_staged(s, objects, &found.items[i], e);
    return ok;
}

static bool overlay_not_compared(struct staged *s, struct git_objects *objects, struct error *e)
{
    change_list found = {0};
    struct stat st;
    bool ok = git_not_compared(s->arena, &found) || error_set(e, "git cannot say what is staged");
    for (int i = 0; ok && i < found.count; i++)
        if (!lstat(below_top(s, found.items[i].path), &st))
            ok = overlay_staged(s, objects, &found.items[i], e);
    return ok;
}

/* Whether the working tree has these bytes, and no link. */
static bool is_in_tree(const struct overlaid *o)
{
    struct arena *scratch = arena_new();
    struct stat st;
    struct error unread;
    size_t length;
    bool is_file = !lstat(o->path, &st) && S_ISREG(st.st_mode);
    const char *text = is_file ? file_read(scratch, o->path, &length, &unread) : NULL;
    bool same = text && length == o->length && !memcmp(text, o->text, length);
    arena_free(scratch);
    return same;
}

/* What git takes to be the same can be other text: it is compared after a conversion. */
static bool overlay_changes(struct staged *s, struct git_objects *objects, struct error *e)
{
    bool ok = true;
    for (int i = 0; ok && i < s->found.count; i++) {
        struct change c = s->found.items[i];
        if (!strchr("AMT", c.status) || overlay_find(&s->overlay, below_top(s, c.path)))
            continue;
        int count = s->overlay.files.count;
        c.mode[0] = c.mode[1], c.name[0] = c.name[1];
        ok = overlay_staged(s, objects, &c, e);
        if (s->overlay.files.count > count && is_in_tree(&s->overlay.files.items[count]))
            s->overlay.files.count = count;
    }
    return ok;
}

static bool read_overlay(struct staged *s, struct error *e)
{
    struct git_objects objects = {0};
    s->overlay.are_files = true;
    bool ok = overlay_differences(s, &objects, e) && overlay_not_compared(s, &objects, e) &&
              overlay_changes(s, &objects, e);
    git_objects_close(&objects);
    return ok;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Whether git has it, or the last commit had; then it may be missing from the working tree. */
static bool is_known(const char *file)
{
    const char *const words[] = {"ls-files", "--error-unmatch", "--", file, NULL};
    const char *const before[] = {"ls-files", "--with-tree=HEAD", "--error-unmatch", "--", file,
                                  NULL};
    struct text out = {0};
    bool known = git_read(words, false, &out) || git_read(before, false, &out);
    text_free(&out);
    return known;
}

/* What is staged is a file, even where the working tree has a link by that name, or nothing. */
static const char *absolute_of(struct staged *s, const char *file)
{
    const char *named = path_absolute(s->arena, NULL, file), *slash = strrchr(named, '/');
    const char *folder = arena_text(s->arena, named, (size_t)(slash - named + 1));
    const char *real = arena_printf(s->arena, "%s%s", path_resolve(s->arena, folder), slash);
    if (overlay_find(&s->overlay, named))
        return named;
    return overlay_find(&s->overlay, real) ? real : path_resolve(s->arena, file);
}

static bool is_module(struct staged *s, const char *folder)
{
    return !access(arena_printf(s->arena, "%s/.git", folder), F_OK);
}

/* Files that git knows may be named even if they are deleted or broken links; but a wrong name must
 * not look like a clean file. */
static bool take_named(struct staged *s, const text_list *files, struct error *e)
{
    for (int i = 0; i < files->count; i++) {
        struct stat st;
        const char *file = files->items[i];
        bool is_there = !lstat(file, &st);
        if (!is_there && errno != ENOENT && errno != ENOTDIR)
            return error_at(e, file, 0, 0, "cannot be read: %s", strerror(errno));
        if (!is_there && !is_known(file))
            return error_at(e, file, 0, 0, "there is no such file, in the tree or staged");
        if (is_there && S_ISDIR(st.st_mode) && !is_module(s, file))
            return error_at(e, file, 0, 0,
                            "is a folder: name files, or none for all that is staged");
        const char *path = absolute_of(s, file);
        bool is_file = is_there && !stat(path, &st) && S_ISREG(st.st_mode);
        if (is_file || overlay_find(&s->overlay, path))
            LIST_ADD(s->arena, &s->changed, path);
    }
    return true;
}

bool staged_read(struct staged *s, const text_list *files, struct error *e)
{
    *s = (struct staged){.arena = s->arena};
    if (!(s->top = git_top(s->arena, e)) || !read_changes(s, e))
        return false;
    if (!files->count)
        return !s->changed.count || read_overlay(s, e);
    s->changed.count = 0;
    return read_overlay(s, e) && take_named(s, files, e);
}
