/* Runs: open documents that `miscast check` would see as one program are checked together, in the
 * folder of the workspace that they are in, with the configuration that is nearest to them. A file
 * that no database has is a program of its own. */
#include "frontends/lsp/lsp.h"

#include "frontends/clang/database.h"
#include "frontends/cli/kept.h"
#include "frontends/cli/session.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A change after a quiet time is looked at at once. */
enum { QUIET_MS = 400, WARM_AFTER_MS = 100, FACTS_AFTER_MS = 600, LOOKED_MAX = 3 };

struct mentions_of {
    const char *path;
    mention_list list;
    struct mentions_of *next;
};

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

static bool is_header(const char *path)
{
    size_t n = strlen(path);
    return n > 2 && !strcmp(path + n - 2, ".h");
}

/* Any run may include a header; a unit belongs to runs that have it. */
static bool concerns(struct run *r, const struct document *d)
{
    if (!d || is_header(d->path))
        return true;
    for (int i = 0; i < r->documents.count; i++)
        if (r->documents.items[i] == d)
            return true;
    return r->last && has_unit(r, d->path);
}

void runs_touch(struct server *s, const struct document *d)
{
    for (struct run *r = s->runs; r; r = r->next)
        r->is_stale |= concerns(r, d);
    set_due(s);
}

/* Files that the check rests on, and that are not open. */
void on_watched(struct server *s, const json_t *params)
{
    const json_t *changes = json_object_get(params, "changes");
    if (!json_array_size(changes))
        return;
    session_forget(s->session, NULL); /* headers may have appeared before others */
    runs_arrange(s);
    runs_touch(s, NULL);
}

/* ---- settings ------------------------------------------------------------------------------- */

static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return !strncmp(path, folder, n) && (path[n] == '/' || (n == 1 && *folder == '/'));
}

/* The innermost folder of the workspace, else the one that the file is in. */
static const char *folder_for(struct server *s, struct arena *a, const char *path)
{
    const char *best = NULL, *slash = strrchr(path, '/');
    for (int i = 0; i < s->folders.count; i++)
        if (is_below(path, s->folders.items[i]) &&
            (!best || strlen(s->folders.items[i]) > strlen(best)))
            best = s->folders.items[i];
    return best ? best : slash && slash > path ? arena_text(a, path, (size_t)(slash - path)) : "/";
}

static const char *setting_below(struct arena *a, const char *folder, const char *path)
{
    return !path || *path == '/' ? path : arena_printf(a, "%s/%s", folder, path);
}

/* What a check in that folder is told. */
static struct options options_for(struct server *s, struct arena *a, const char *folder)
{
    const struct settings *t = &s->settings;
    struct options o = {.select = t->select,
                        .ignore = t->ignore,
                        .extend_select = t->extend_select,
                        .assume = t->assume,
                        .config = setting_below(a, folder, t->config),
                        .database = setting_below(a, folder, t->database),
                        .cache_dir = setting_below(a, folder, t->cache_dir),
                        .no_cache = t->no_cache,
                        .jobs = t->jobs,
                        .timeout = t->timeout,
                        .session = s->session};
    for (int i = 0; i < t->packs.count; i++)
        LIST_ADD(a, &o.packs, setting_below(a, folder, t->packs.items[i]));
    return o;
}

/* ---- databases: which units they have, read again when the file changes ---------------------- */

struct units_known {
    struct arena *arena;
    const char *database;
    struct stat seen;
    struct map *units; /* by a hash of the real path */
    struct units_known *next;
};

static uint64_t key_of(const char *path)
{
    return hash_bytes(path, strlen(path), 0);
}

/* One that cannot be read has none; the check says why. */
static void read_units(struct server *s, struct units_known *k)
{
    struct error ignored = {0};
    struct clang *c = session_clang(s->session, &ignored);
    struct database *d = NULL;
    int count = 0;
    k->arena = arena_new();
    k->units = map_new(k->arena);
    if (c && database_read(&d, c, k->database, &ignored)) {
        struct compile *all = database_all(d, k->arena, &count);
        for (int i = 0; i < count; i++) {
            char *real = realpath(all[i].file, NULL);
            map_put(k->units, key_of(real ? real : all[i].file), k);
            free(real);
        }
    }
    database_close(d);
}

static bool is_as_seen(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool is_unit_of(struct server *s, const char *database, const char *path)
{
    struct units_known *k = s->databases;
    struct stat now = {0};
    stat(database, &now);
    while (k && strcmp(k->database, database) != 0)
        k = k->next;
    if (!k) {
        k = arena_one(s->arena, struct units_known);
        k->database = arena_printf(s->arena, "%s", database);
        k->next = s->databases;
        s->databases = k;
    }
    if (!k->arena || !is_as_seen(&k->seen, &now)) {
        if (k->arena)
            arena_free(k->arena);
        k->seen = now;
        read_units(s, k);
    }
    return map_get(k->units, key_of(path));
}

static void databases_free(struct server *s)
{
    for (struct units_known *k = s->databases; k; k = k->next)
        arena_free(k->arena);
    s->databases = NULL;
}

/* ---- which run ------------------------------------------------------------------------------ */

struct belonging {
    const char *folder, *config, *database, *key;
};

static struct belonging belonging_of(struct server *s, struct arena *a, const struct document *d)
{
    struct belonging b = {.folder = folder_for(s, a, d->path)};
    struct options o = options_for(s, a, b.folder);
    struct config c = {0};
    struct error ignored = {0};
    if (chdir(b.folder) == 0 && config_find(a, &o, d->path, &c, &ignored)) {
        b.config = c.path;
        if (!database_find(a, c.database, d->path, &b.database, &ignored))
            b.database = NULL;
    }
    bool together = b.database && (is_header(d->path) || is_unit_of(s, b.database, d->path));
    b.key = arena_printf(a, "%s\n%s\n%s\n%s", b.folder, b.config ? b.config : "",
                         b.database ? b.database : "", together ? "" : d->path);
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
    r->options = options_for(s, a, r->folder);
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

static void looked_free(struct looked *l)
{
    if (!l)
        return;
    project_free(&l->check.project);
    if (l->check.arena)
        arena_free(l->check.arena);
    arena_free(l->arena);
}

/* A process that still reads for it goes on, for nobody. */
static void run_free(struct run *r)
{
    looked_free(r->last);
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

/* Those without documents go, and what the client shows of them. */
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

/* ---- checking ------------------------------------------------------------------------------- */

/* What is on the disk needs no text of ours: it can then be kept. */
static bool is_saved(struct arena *a, const struct document *d)
{
    struct error ignored;
    size_t length, before = arena_used(a);
    const char *text = file_read(a, d->path, &length, &ignored);
    bool same =
        text && length == d->text.length && !memcmp(text, d->text.data ? d->text.data : "", length);
    arena_rewind(a, before);
    return same;
}

/* Copies: the documents go on changing while what was found is asked for. */
static struct overlay *overlay_of(struct server *s, struct arena *a)
{
    struct overlay *o = arena_one(a, struct overlay);
    for (struct document *d = s->documents; d; d = d->next) {
        if (is_saved(a, d))
            continue;
        struct overlaid f = {arena_printf(a, "%s", d->path),
                             arena_text(a, d->text.data ? d->text.data : "", d->text.length),
                             d->text.length};
        LIST_ADD(a, &o->files, f);
    }
    return o;
}

/* Says it once: the next keystroke would say it again. */
static void tell_error(struct server *s, struct run *r, const struct error *e)
{
    bool same = !strcmp(r->error.message, e->message) && !strcmp(r->error.file, e->file);
    r->error = *e;
    if (same)
        return;
    char place[600] = "";
    if (e->file[0] && e->line)
        snprintf(place, sizeof place, "%s:%d: ", e->file, e->line);
    else if (e->file[0])
        snprintf(place, sizeof place, "%s: ", e->file);
    tell_user(s, MESSAGE_ERROR, "miscast: %s%s", place, e->message);
}

static bool is_asked(const struct project *p, const struct input *in)
{
    for (int i = 0; i < p->asked.count; i++)
        if (p->asked.items[i] == in->file)
            return true;
    return false;
}

/* ---- the rest of the program ---------------------------------------------------------------- */

/* So many units besides the open ones are parsed on the way; more by another process. */
enum { PARSE_MAX = 4 };

static int count_to_parse(const struct project *p)
{
    int count = 0;
    for (int i = 0; i < p->inputs.count; i++)
        count += !p->inputs.items[i].is_kept && !is_asked(p, &p->inputs.items[i]);
    return count;
}

static void indexed(struct server *s, struct child *c)
{
    note_end(s, &c->note, "done");
    for (struct run *r = s->runs; r; r = r->next)
        if (r->indexer == c) {
            r->indexer = NULL;
            r->is_indexed = true;
            r->is_stale = true;
            s->due = now_ms();
        }
}

/* The same check as a command: what it parses is kept, and found by the next check here. */
static void start_indexing(struct server *s, struct run *r)
{
    text_list arguments = run_arguments(s, r, "check");
    LIST_ADD(s->scratch, &arguments, r->documents.items[0]->path);
    r->indexer = child_start(s, r->folder, &arguments, indexed);
    r->is_indexed = !r->indexer;
    if (r->indexer)
        r->indexer->note = note_begin(s, "miscast: reading the program");
}

/* Until the rest is known, what is open is checked alone. */
static void leave_open_ones(struct project *p)
{
    int kept = 0;
    for (int i = 0; i < p->inputs.count; i++)
        if (is_asked(p, &p->inputs.items[i]))
            p->inputs.items[kept++] = p->inputs.items[i];
    p->inputs.count = kept;
}

/* What is said of comments rests on all that is found: it is left for later. */
static void leave_out_upkeep(finding_list *l)
{
    int kept = 0;
    for (int i = 0; i < l->count; i++)
        if (rule_find(l->items[i]->code)->group != GROUP_UPKEEP)
            l->items[kept++] = l->items[i];
    l->count = kept;
}

static bool find_findings(struct server *s, struct run *r, struct looked *l, struct error *e)
{
    struct project *p = &l->check.project;
    if (!check_find_units(&l->check, &l->options, e))
        return false;
    bool alone = p->kept && !r->is_indexed && count_to_parse(p) > PARSE_MAX;
    if (alone && !r->indexer)
        start_indexing(s, r);
    alone = alone && r->indexer;
    if (alone)
        leave_open_ones(p);
    if (!check_infer(&l->check, e))
        return false;
    if (alone)
        leave_out_upkeep(&l->check.findings);
    return true;
}

/* ---- a check -------------------------------------------------------------------------------- */

/* facts: of all; without, findings are enough, and only what a change concerns is run again. */
static struct looked *look(struct server *s, struct run *r, bool facts, struct error *e)
{
    struct arena *a = arena_new();
    struct looked *l = arena_one(a, struct looked);
    l->arena = a;
    l->options = r->options;
    l->options.facts = facts;
    for (int i = 0; i < r->documents.count; i++)
        LIST_ADD(a, &l->options.operands, arena_printf(a, "%s", r->documents.items[i]->path));
    l->options.overlay = overlay_of(s, a);
    if ((chdir(r->folder) == 0 || error_at(e, r->folder, 0, 0, "cannot be entered")) &&
        find_findings(s, r, l, e))
        return l;
    looked_free(l);
    return NULL;
}

static void check_run_of(struct server *s, struct run *r)
{
    struct error e = {0};
    struct looked *l = look(s, r, false, &e);
    session_settle(s->session);
    r->is_stale = false;
    s->warm_at = now_ms() + WARM_AFTER_MS;
    if (!l) {
        tell_error(s, r, &e);
        return;
    }
    if (!l->options.overlay->files.count)
        verifying_recall(&l->check);
    looked_free(r->last);
    r->last = l;
    r->used = now_ms();
    r->error = (struct error){0};
    diagnostics_publish(s, r);
}

/* What is known of every tensor, which takes longer than what is wrong with some. */
static bool find_facts(struct server *s, struct run *r)
{
    struct error e = {0};
    if (r->last && r->last->check.project.flow)
        return true;
    struct looked *l = look(s, r, true, &e);
    if (!l)
        return false;
    looked_free(r->last);
    r->last = l;
    return true;
}

/* What was found is held for the runs that were used last; of others it is found again when it is
 * asked for. */
static void forget_old(struct server *s)
{
    struct run *oldest = NULL;
    int held = 0;
    for (struct run *r = s->runs; r; r = r->next) {
        held += r->last != NULL;
        if (r->last && (!oldest || r->used < oldest->used))
            oldest = r;
    }
    if (held <= LOOKED_MAX)
        return;
    looked_free(oldest->last);
    oldest->last = NULL;
}

void runs_check(struct server *s)
{
    s->due = 0;
    for (struct run *r = s->runs; r; r = r->next)
        if (r->is_stale)
            check_run_of(s, r);
    forget_old(s);
}

/* What hovers look into. */
static void find_mentions(struct server *s, struct run *r)
{
    for (int i = 0; r->last && find_facts(s, r) && i < r->documents.count; i++)
        run_mentions(r, r->documents.items[i]->path);
}

/* Headers of open files are precompiled while nobody waits, so that the first change is told as
 * quickly as those after it. */
void runs_warm(struct server *s)
{
    int64_t later = s->last_change + FACTS_AFTER_MS;
    bool is_early = now_ms() < later, waits = false;
    s->warm_at = 0;
    for (struct run *r = s->runs; r; r = r->next)
        if (is_early && r->last && !r->last->check.project.flow)
            waits = true; /* nobody should wait for these who goes on typing */
        else
            find_mentions(s, r);
    for (struct run *r = s->runs; r; r = r->next) {
        struct project *p = r->last ? &r->last->check.project : NULL;
        for (int i = 0; p && i < p->inputs.count; i++)
            if (is_asked(p, &p->inputs.items[i]) && chdir(r->folder) == 0 &&
                session_warm(s->session, p, &p->inputs.items[i])) {
                s->warm_at = now_ms();
                return;
            }
    }
    malloc_trim(0); /* what a check needed on its way is given back */
    s->warm_at = waits ? later : 0;
}

struct run *run_of(struct server *s, const struct document *d)
{
    for (struct run *r = s->runs; r && d; r = r->next)
        for (int i = 0; i < r->documents.count; i++)
            if (r->documents.items[i] == d) {
                if (r->is_stale || !r->last)
                    check_run_of(s, r);
                r->used = now_ms();
                return r->last ? r : NULL;
            }
    return NULL;
}

struct run *run_with_facts(struct server *s, const struct document *d)
{
    struct run *r = run_of(s, d);
    return r && find_facts(s, r) ? r : NULL;
}

/* ---- what came of it ------------------------------------------------------------------------ */

const struct source *run_source(struct run *r, const char *path)
{
    return project_source(&r->last->check.project, path);
}

const mention_list *run_mentions(struct run *r, const char *path)
{
    struct looked *l = r->last;
    for (struct mentions_of *m = l->mentions; m; m = m->next)
        if (!strcmp(m->path, path))
            return &m->list;
    struct mentions_of *m = arena_one(l->arena, struct mentions_of);
    const struct source *source = run_source(r, path);
    m->path = arena_printf(l->arena, "%s", path);
    m->next = l->mentions;
    l->mentions = m;
    if (source)
        mentions_find(&l->check.project, source, &m->list);
    return &m->list;
}
