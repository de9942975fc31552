/* Checks a program with its current texts: open documents replace the files. If most of the program
 * has never been parsed, only the open files are checked, and another process parses the rest. */
#include "frontends/lsp/lsp.h"

#include "frontends/driver/project/cache.h"

#include <string.h>
#include <unistd.h>

struct mentions_of {
    const char *path;
    mention_list list;
    struct mentions_of *next;
};

/* ---- texts ---------------------------------------------------------------------------------- */

/* A document that equals its file needs no overlay: results can then be cached. */
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

/* Copies: documents keep changing while results are queried. */
static struct overlay *overlay_of(struct server *s, struct arena *a)
{
    struct overlay *o = arena_one(a, struct overlay);
    for (struct document *d = s->documents; d; d = d->next) {
        if (document_at(s, d->path) != d || is_saved(a, d))
            continue;
        struct overlaid f = {arena_printf(a, "%s", d->path),
                             arena_text(a, d->text.data ? d->text.data : "", d->text.length),
                             d->text.length};
        LIST_ADD(a, &o->files, f);
    }
    return o;
}

bool is_asked_for(const struct project *p, const struct input *in)
{
    for (int i = 0; i < p->asked.count; i++)
        if (p->asked.items[i] == in->file)
            return true;
    return false;
}

/* ---- the rest of the program ---------------------------------------------------------------- */

/* Up to this many units besides the open ones are parsed here; more by another process. */
enum { PARSE_MAX = 4 };

static int count_to_parse(const struct project *p)
{
    int count = 0;
    for (int i = 0; i < p->inputs.count; i++)
        count += !p->inputs.items[i].is_cached && !is_asked_for(p, &p->inputs.items[i]);
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

/* The same check as a command: what it parses is cached, and found by the next check here. */
static void start_indexing(struct server *s, struct run *r)
{
    text_list arguments = run_arguments(s, r, "check");
    LIST_ADD(s->scratch, &arguments, r->documents.items[0]->path);
    r->indexer = child_start(s, r->folder, &arguments, indexed);
    r->is_indexed = !r->indexer;
    if (r->indexer)
        r->indexer->note = note_begin(s, "miscast: reading the program");
}

/* Until the rest is known, only the open files are checked. */
static void leave_open_ones(struct project *p)
{
    int kept = 0;
    for (int i = 0; i < p->inputs.count; i++)
        if (is_asked_for(p, &p->inputs.items[i]))
            p->inputs.items[kept++] = p->inputs.items[i];
    p->inputs.count = kept;
}

/* Rules about suppression comments depend on all findings: they wait. */
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
    if (!check_find_units(&l->check, &l->request, e))
        return false;
    bool alone = p->cache && !r->is_indexed && count_to_parse(p) > PARSE_MAX;
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

/* ---- a look --------------------------------------------------------------------------------- */

struct looked *look(struct server *s, struct run *r, bool facts, struct error *e)
{
    struct arena *a = arena_new();
    struct looked *l = arena_one(a, struct looked);
    l->arena = a;
    l->request = r->request;
    l->request.facts = facts;
    for (int i = 0; i < r->documents.count; i++) {
        const char *path = arena_printf(a, "%s", r->documents.items[i]->path);
        if (left_alone(s, path))
            LIST_ADD(a, &l->request.dropped, path);
        else
            LIST_ADD(a, &l->request.paths, path);
    }
    text_list programs = importers_of(a, r->folder, &l->request.paths);
    for (int i = 0; i < programs.count; i++)
        LIST_ADD(a, &l->request.paths, programs.items[i]);
    l->request.overlay = overlay_of(s, a);
    if ((run_enter(r->folder) || error_at(e, r->folder, 0, 0, "cannot be entered")) &&
        find_findings(s, r, l, e)) {
        if (!l->request.overlay->files.count)
            check_recall_verdicts(&l->check);
        return l;
    }
    looked_free(l);
    return NULL;
}

void looked_free(struct looked *l)
{
    if (!l)
        return;
    check_free(&l->check);
    arena_free(l->arena);
}

/* ---- what came of it ------------------------------------------------------------------------ */

const struct source *looked_source(struct looked *l, const char *path)
{
    return project_source(&l->check.project, path);
}

/* Copies: verification stores its verdict in the finding. */
finding_list looked_told(struct looked *l)
{
    finding_list told = {0};
    const finding_list *all = &l->check.findings;
    for (int i = 0; i < all->count; i++)
        LIST_ADD(l->arena, &told, arena_copy(l->arena, all->items[i], sizeof *all->items[i]));
    findings_fold(l->arena, &told);
    return told;
}

const mention_list *looked_mentions(struct looked *l, const char *path)
{
    if (l->check.project.packs) /* another program may have been looked at since */
        packs_use(l->check.project.packs);
    for (struct mentions_of *m = l->mentions; m; m = m->next)
        if (!strcmp(m->path, path))
            return &m->list;
    struct mentions_of *m = arena_one(l->arena, struct mentions_of);
    const struct source *source = looked_source(l, path);
    m->path = arena_printf(l->arena, "%s", path);
    m->next = l->mentions;
    l->mentions = m;
    if (source)
        mentions_find(&l->check.project, source, &m->list);
    return &m->list;
}
