/* Programs: open documents that `miscast check` would see as one program are checked together, in
 * their workspace folder, with the nearest configuration. A file in no database is a program of its
 * own, but files of a dynamic language may import each other, and belong together. */
#include "frontends/lsp/lsp.h"

#include "frontends/driver/project/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A change after a pause is checked at once. */
enum { QUIET_MS = 400 };

/* ---- what changed --------------------------------------------------------------------------- */

static void set_due(struct server *s)
{
    int64_t now = now_ms();
    bool quiet = now - s->last_change > QUIET_MS;
    s->last_change = now;
    s->due = now + (quiet ? 0 : s->settings.debounce);
    s->due += s->due == 0;
}

static bool has_unit(struct run *r, const char *path)
{
    struct project *p = &r->last->check.project;
    const char *name = name_of(p->names, path);
    for (int i = 0; i < p->inputs.count; i++)
        if (project_same_file(p, name, p->inputs.items[i].file))
            return true;
    return false;
}

/* Paths of a check are relative to the folder of its run: whatever looks at files for a run enters
 * that folder first, and only here is the current folder of the server changed. */
bool run_enter(const char *folder)
{
    return chdir(folder) == 0;
}

/* Any program may include a header; a unit belongs to the programs that have it. */
static bool concerns(struct run *r, const struct document *d)
{
    if (!d || is_header_file(d->path))
        return true;
    for (int i = 0; i < r->documents.count; i++)
        if (r->documents.items[i] == d)
            return true;
    return r->last ? has_unit(r, d->path) : r->has_other_units;
}

void runs_touch(struct server *s, const struct document *d)
{
    for (struct run *r = s->runs; r; r = r->next)
        r->is_stale |= concerns(r, d);
    set_due(s);
}

/* Files that the check depends on, and that are not open. */
void on_watched(struct server *s, const json_t *params)
{
    const json_t *changes = json_object_get(params, "changes");
    if (!json_array_size(changes))
        return;
    try_again(s, NULL);
    session_forget(s->session, NULL); /* a new header may hide another */
    runs_arrange(s);
    runs_touch(s, NULL);
}

/* ---- settings ------------------------------------------------------------------------------- */

const struct folder *folder_of(const struct server *s, const char *path)
{
    const struct folder *best = NULL;
    for (int i = 0; i < s->folders.count; i++) {
        const struct folder *f = &s->folders.items[i];
        if (path_is_below(path, f->real) && (!best || strlen(f->real) > strlen(best->real)))
            best = f;
    }
    return best;
}

/* Of the workspace, or else of the file. */
static const char *folder_for(struct server *s, struct arena *a, const char *path)
{
    const struct folder *f = folder_of(s, path);
    const char *slash = strrchr(path, '/');
    return f ? f->real : slash && slash > path ? arena_text(a, path, (size_t)(slash - path)) : "/";
}

static const char *setting_below(struct arena *a, const char *folder, const char *path)
{
    return !path || *path == '/' ? path : arena_printf(a, "%s/%s", folder, path);
}

/* The request of a check in that folder. */
static struct request request_for(struct server *s, struct arena *a, const char *folder)
{
    const struct settings *t = &s->settings;
    struct request request = {.select = t->select,
                              .ignore = t->ignore,
                              .extend_select = t->extend_select,
                              .assume = t->assume,
                              .config = setting_below(a, folder, t->config),
                              .database = setting_below(a, folder, t->database),
                              .is_database_configured =
                                  true, /* settings may come with the workspace */
                              .cache_dir = setting_below(a, folder, t->cache_dir),
                              .no_cache = t->no_cache,
                              .limits.jobs = t->jobs,
                              .verify.timeout = t->timeout,
                              .session = s->session};
    for (int i = 0; i < t->packs.count; i++)
        LIST_ADD(a, &request.packs, setting_below(a, folder, t->packs.items[i]));
    return request;
}

/* ---- which run ------------------------------------------------------------------------------ */

struct belonging {
    const char *folder, *config, *database, *key;
};

static struct belonging belonging_of(struct server *s, struct arena *a, const struct document *d)
{
    struct belonging b = {.folder = folder_for(s, a, d->path)};
    struct request request = request_for(s, a, b.folder);
    struct config c = {0};
    struct error ignored = {0};
    if (run_enter(b.folder) && config_find(a, &request, d->path, &c, &ignored)) {
        b.config = c.path;
        if (!frontend_of(LANGUAGE_C)->flags->find(a, c.database, d->path, &b.database, &ignored))
            b.database = NULL;
    }
    bool imports = frontend_of(file_language(d->path))->is_dynamic;
    bool together = b.database && (is_header_file(d->path) || is_unit_of(s, b.database, d->path));
    b.key = arena_printf(a, "%s\n%s\n%s\n%s", b.folder, b.config ? b.config : "",
                         imports      ? "imports"
                         : b.database ? b.database
                                      : "",
                         imports || together ? "" : d->path);
    return b;
}

static struct run *run_for(struct server *s, const struct belonging *b)
{
    for (struct run *r = s->runs; r; r = r->next)
        if (!strcmp(r->key, b->key))
            return r;
    struct arena *a = arena_new();
    struct run *r = arena_one(a, struct run);
    r->arena = a;
    r->key = arena_printf(a, "%s", b->key);
    r->folder = arena_printf(a, "%s", b->folder);
    r->request = request_for(s, a, r->folder);
    r->is_stale = true;
    r->next = s->runs;
    s->runs = r;
    return r;
}

static int compare_documents(const void *x, const void *y)
{
    const struct document *a = *(struct document *const *)x, *b = *(struct document *const *)y;
    return strcmp(a->path, b->path);
}

/* A process that is still parsing for it continues; its result is ignored. */
static void run_free(struct run *r)
{
    run_let_go(r);
    json_decref(r->told);
    if (r->published_arena)
        arena_free(r->published_arena);
    arena_free(r->arena);
}

void runs_free(struct server *s)
{
    while (s->runs) {
        struct run *r = s->runs;
        s->runs = r->next;
        run_free(r);
    }
    databases_free(s);
}

void runs_forget(struct server *s)
{
    for (struct run *r = s->runs; r; r = r->next)
        diagnostics_clear(s, r);
    runs_free(s);
}

/* Programs without documents are dropped, and their diagnostics cleared. */
static void drop_empty(struct server *s)
{
    for (struct run **at = &s->runs; *at;) {
        struct run *r = *at;
        if (r->documents.count) {
            at = &r->next;
            continue;
        }
        *at = r->next;
        diagnostics_clear(s, r);
        run_free(r);
    }
}

void runs_arrange(struct server *s)
{
    struct arena *a = arena_new();
    for (struct run *r = s->runs; r; r = r->next) {
        r->count_before = r->documents.count;
        r->documents.count = 0;
    }
    for (struct document *d = s->documents; d; d = d->next) {
        struct belonging b = belonging_of(s, a, d);
        struct run *r = run_for(s, &b);
        LIST_ADD(r->arena, &r->documents, d);
    }
    drop_empty(s);
    for (struct run *r = s->runs; r; r = r->next) {
        r->is_stale |= r->documents.count != r->count_before;
        qsort(r->documents.items, (size_t)r->documents.count, sizeof *r->documents.items,
              compare_documents);
    }
    arena_free(a);
}
