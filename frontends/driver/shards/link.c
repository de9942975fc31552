/* Summaries come in, and a check continues from there: nothing is parsed, libclang is not loaded.
 * The output is that of one check of all their units, to the byte. The sources must be present and
 * unchanged, since reports show them. */
#include "frontends/driver/shards/summary.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct linking {
    struct arena *arena;
    struct tree tree;
    LIST(struct summary) summaries;
    struct checking check;
    int missing;         /* dependencies below the root that are missing here */
    const char *example; /* one of them */
};

/* ---- whether they fit ----------------------------------------------------------------------- */

static bool check_part(const struct linking *l, const struct summary *s, struct summary **seen,
                       struct error *e)
{
    const struct summary *first = &l->summaries.items[0];
    if (s->part < 1 || s->part > first->parts || s->parts != first->parts ||
        !digest_same(s->whole, first->whole))
        return error_at(e, s->path, 0, 0,
                        "belongs to another run than %s: other files, or another number of shards",
                        first->path);
    if (seen[s->part - 1] && !strcmp(seen[s->part - 1]->path, s->path))
        return error_at(e, s->path, 0, 0, "is given twice");
    if (seen[s->part - 1])
        return error_at(e, s->path, 0, 0, "is shard %d of %d, like %s", s->part, s->parts,
                        seen[s->part - 1]->path);
    seen[s->part - 1] = (struct summary *)(uintptr_t)s;
    return true;
}

static bool check_parts(struct linking *l, struct error *e)
{
    const struct summary *first = &l->summaries.items[0];
    int parts = first->parts > 0 ? first->parts : 0;
    struct summary **seen = arena_array(l->arena, struct summary *, parts + 1);
    for (int i = 0; i < l->summaries.count; i++) {
        const struct summary *s = &l->summaries.items[i];
        if (!s->parts != !parts)
            return error_at(e, s->path, 0, 0,
                            "a shard can only be linked with the other shards of its run");
        if (parts && !check_part(l, s, seen, e))
            return false;
    }
    for (int i = 0; i < parts; i++)
        if (!seen[i])
            return error_set(e, "shard %d of %d is missing", i + 1, parts);
    return true;
}

/* Only files below the root: system headers need not be on this machine. */
static bool check_file_of(struct linking *l, const struct summary *s, const struct store_read *f,
                          struct error *e)
{
    struct error unread;
    size_t length, used = arena_used(l->arena);
    if (!tree_has(f->path))
        return true;
    const char *path = tree_local(&l->tree, l->arena, f->path);
    const char *text = access(path, R_OK) ? NULL : file_read(l->arena, path, &length, &unread);
    bool same = text && digest_same(digest_bytes(text, length), f->digest);
    arena_rewind(l->arena, used);
    if (!text) {
        l->missing++;
        l->example = f->path;
    }
    return same || !text ||
           error_at(e, s->path, 0, 0, "was made from another %s than the one here: make it again",
                    f->path);
}

static bool check_files(struct linking *l, struct error *e)
{
    struct map *seen = map_new(l->arena);
    for (int i = 0; i < l->summaries.count; i++)
        for (int k = 0; k < l->summaries.items[i].files.count; k++) {
            const struct summary *s = &l->summaries.items[i];
            const struct store_read *f = &s->files.items[k];
            uint64_t key = hash_words(hash_bytes(f->path, strlen(f->path), 0), f->digest.low, 0);
            if (map_get(seen, key))
                continue;
            map_put(seen, key, l);
            if (!check_file_of(l, s, f, e))
                return false;
        }
    return true;
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Files of a unit get the names they would have if it were parsed here. */
struct unit_names {
    const struct tree *tree;
    const char *portable, *file; /* the unit's own */
};

static const char *local(void *context, struct arena *a, const char *portable)
{
    const struct unit_names *n = context;
    if (!strcmp(portable, n->portable))
        return n->file;
    const char *path = tree_local(n->tree, a, portable);
    size_t length = strlen(n->tree->here);
    bool below = !strncmp(path, n->tree->here, length) && path[length] == '/';
    return below && n->file[0] != '/' ? path + length + 1 : path;
}

/* ---- inputs --------------------------------------------------------------------------------- */

static void take_error(struct linking *l, const struct summary_unit *u, struct input *in)
{
    const char *file = u->error_file ? tree_local(&l->tree, l->arena, u->error_file) : in->file;
    error_at(&in->error, file, 0, 0, "%s", u->error);
}

static void take_unit(struct linking *l, const struct summary_unit *u)
{
    struct project *p = &l->check.project;
    struct input in = {.file = project_shown(p, tree_local(&l->tree, p->arena, u->file)),
                       .language = file_language(u->file),
                       .is_given = true,
                       .text = u->ir,
                       .flags_left_out = u->flags_left_out};
    struct unit_names *names = arena_one(p->arena, struct unit_names);
    struct ir_naming *naming = arena_one(p->arena, struct ir_naming);
    *names = (struct unit_names){&l->tree, u->file, in.file};
    *naming = (struct ir_naming){local, names};
    in.naming = naming;
    if (!u->ir)
        take_error(l, u, &in);
    p->flags_left_out += u->flags_left_out;
    LIST_ADD(p->arena, &p->inputs, in);
}

static bool is_twice(struct project *p, struct error *e)
{
    for (int i = 1; i < p->inputs.count; i++)
        if (p->inputs.items[i].file == p->inputs.items[i - 1].file)
            return !error_at(e, p->inputs.items[i].file, 0, 0, "is in two of the summaries");
    return false;
}

static bool take_units(struct linking *l, struct error *e)
{
    struct project *p = &l->check.project;
    p->summaries = l->summaries.count;
    p->shares = l->summaries.items[0].parts;
    for (int i = 0; i < l->summaries.count; i++)
        for (int k = 0; k < l->summaries.items[i].units.count; k++)
            take_unit(l, &l->summaries.items[i].units.items[k]);
    project_sort(p);
    return !is_twice(p, e);
}

/* ---- the command ---------------------------------------------------------------------------- */

static const char *near_of(struct linking *l)
{
    const struct summary *s = &l->summaries.items[0];
    const char *near = s->near ? s->near : s->units.count ? s->units.items[0].file : ".";
    return tree_local(&l->tree, l->arena, near);
}

static bool configure(struct linking *l, const struct request *request, struct error *e)
{
    struct checking *c = &l->check;
    if (!check_configure(c, request, near_of(l), e) || !check_select(c, e))
        return false;
    for (int i = 0; i < l->summaries.count; i++)
        for (int k = 0; k < l->summaries.items[i].asked.count; k++)
            LIST_ADD(c->arena, &c->effective.found,
                     tree_local(&l->tree, c->arena, l->summaries.items[i].asked.items[k]));
    return true;
}

static bool read_one(struct linking *l, const char *path, struct error *e)
{
    struct summary s;
    if (!summary_read(l->arena, path, &s, e))
        return false;
    LIST_ADD(l->arena, &l->summaries, s);
    return true;
}

/* A file of names, one per line: a program may have more units than fit on a command line. */
static bool read_names(struct linking *l, const char *path, struct error *e)
{
    char *at = file_read(l->arena, path, NULL, e);
    if (!at)
        return false;
    while (*at) {
        size_t n = strcspn(at, "\r\n");
        bool more = at[n];
        at[n] = '\0';
        if (n && !read_one(l, at, e))
            return false;
        at += n + more;
    }
    return l->summaries.count || error_at(e, path, 0, 0, "names no summaries");
}

static bool read_all(struct linking *l, const struct request *request, struct error *e)
{
    bool ok = true;
    for (int i = 0; i < request->paths.count && ok; i++) {
        const char *name = request->paths.items[i];
        ok = name[0] == '@' ? read_names(l, name + 1, e) : read_one(l, name, e);
    }
    return ok;
}

static bool link_all(struct linking *l, const struct request *request, struct error *e)
{
    const text_list none = {0};
    return tree_find(l->arena, request, &l->tree, e) && read_all(l, request, e) &&
           check_parts(l, e) && check_files(l, e) && configure(l, request, e) &&
           project_ask(&l->check.project, &l->check.effective, &none, e) && take_units(l, e) &&
           check_infer(&l->check, e);
}

static void say_missing(const struct linking *l)
{
    if (l->missing == 1)
        print_shown(stderr, "miscast: note: %s is missing: its lines are not shown\n", l->example);
    else if (l->missing)
        print_shown(
            stderr,
            "miscast: note: %d files that units were made from are missing, such as %s: their "
            "lines are not shown\n",
            l->missing, l->example);
}

enum exit_code link_run(const struct request *request)
{
    struct linking l = {.arena = arena_new()};
    struct error e = {0};
    bool ok = link_all(&l, request, &e);
    enum exit_code code = ok ? check_tell(&l.check, &e) : say_error(&e);
    if (ok)
        say_missing(&l);
    enum exit_code closed = ok ? project_close(&l.check.project) : EXIT_CLEAN;
    if (!ok && l.check.project.arena)
        project_free(&l.check.project);
    if (l.check.arena)
        arena_free(l.check.arena);
    arena_free(l.arena);
    return code ? code : closed;
}
