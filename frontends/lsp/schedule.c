/* When to check, which results to keep, and work done ahead of time. Findings are computed at once;
 * facts about every tensor take longer, and are computed on request or when idle. Results are only
 * kept for the program in use; for others, only what was published. */
#include "frontends/lsp/lsp.h"

#include "frontends/driver/project/session.h"

#include <malloc.h>
#include <string.h>
#include <unistd.h>

enum { WARM_AFTER_MS = 100, FACTS_AFTER_MS = 600, FACTS_MAX_MS = 30000, HELD_MAX = 1 };

/* ---- what is held --------------------------------------------------------------------------- */

void run_let_go(struct run *r)
{
    if (r->facts != r->last)
        looked_free(r->facts);
    looked_free(r->last);
    r->last = r->facts = NULL;
}

/* Facts are kept until new ones replace them. */
static void take_last(struct run *r, struct looked *l)
{
    if (r->facts != r->last)
        looked_free(r->last);
    r->last = l;
    if (!l->check.project.flow)
        return;
    looked_free(r->facts);
    r->facts = l;
}

/* Results of programs that have not been used for long are dropped, and recomputed on request. */
static void let_old_go(struct server *s)
{
    struct run *oldest = NULL;
    int held = 0;
    for (struct run *r = s->runs; r; r = r->next) {
        held += r->last != NULL;
        if (r->last && (!oldest || r->used < oldest->used))
            oldest = r;
    }
    if (held <= HELD_MAX)
        return;
    run_let_go(oldest);
    for (int i = 0; i < oldest->documents.count; i++)
        session_let_go(s->session, oldest->documents.items[i]->path);
}

/* ---- a check -------------------------------------------------------------------------------- */

/* Reports it once: the next keystroke would report it again. */
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

/* What follows may hang: the supervisor is told which file would be responsible, the one that
 * changed last. */
static void risk_begin(struct server *s, const struct run *r)
{
    const struct document *d = s->documents;
    for (bool found = false; d && !found; d = found ? d : d->next)
        for (int i = 0; i < r->documents.count && !found; i++)
            found = r->documents.items[i] == d && !left_alone(s, d->path);
    if (s->shared) {
        snprintf(s->shared->subject, sizeof s->shared->subject, "%s", d ? d->path : "");
        s->shared->busy = now_ms();
    }
}

static void risk_end(struct server *s)
{
    if (s->shared)
        s->shared->busy = 0;
}

static struct looked *look_at(struct server *s, struct run *r, bool facts, struct error *e)
{
    copy_give_up(s);
    int64_t begin = now_ms();
    risk_begin(s, r);
    aside_allow(s, r, facts ? r->facts_ms : r->check_ms);
    struct looked *l = look(s, r, facts, e);
    aside_forbid(s);
    session_settle(s->session);
    risk_end(s);
    *(facts ? &r->facts_ms : &r->check_ms) = now_ms() - begin;
    return l;
}

static bool has_any_to_look_at(const struct server *s, const struct run *r)
{
    for (int i = 0; i < r->documents.count; i++)
        if (!left_alone(s, r->documents.items[i]->path))
            return true;
    return false;
}

static void check_run_of(struct server *s, struct run *r)
{
    struct error e = {0};
    copy_give_up(s);
    r->is_stale = false;
    if (!has_any_to_look_at(s, r)) {
        run_let_go(r);
        diagnostics_publish_none(s, r);
        return;
    }
    struct looked *l = look_at(s, r, false, &e);
    s->warm_at = now_ms() + WARM_AFTER_MS;
    if (!l) {
        tell_error(s, r, &e);
        return;
    }
    take_last(r, l);
    r->has_other_units = l->check.project.inputs.count > r->documents.count;
    r->used = ++s->uses;
    r->error = (struct error){0};
    diagnostics_publish(s, r);
    let_old_go(s);
}

void runs_check(struct server *s)
{
    s->due = 0;
    for (struct run *r = s->runs; r; r = r->next)
        if (r->is_stale)
            check_run_of(s, r);
}

/* Facts about every tensor. */
static bool find_facts(struct server *s, struct run *r)
{
    struct error e = {0};
    if (r->last && r->last->check.project.flow)
        return true;
    struct looked *l = has_any_to_look_at(s, r) ? look_at(s, r, true, &e) : NULL;
    if (!l)
        return false;
    take_last(r, l);
    return true;
}

/* ---- ahead of time -------------------------------------------------------------------------- */

/* Typing should not wait for facts: the longer they take, the later they are computed. */
static int64_t facts_due(const struct server *s, const struct run *r)
{
    int64_t wait = 4 * r->facts_ms;
    wait = wait < FACTS_AFTER_MS ? FACTS_AFTER_MS : wait > FACTS_MAX_MS ? FACTS_MAX_MS : wait;
    return s->last_change + wait;
}

/* What hovers use. */
static void find_mentions(struct server *s, struct run *r)
{
    if (!find_facts(s, r))
        return;
    risk_begin(s, r);
    for (int i = 0; i < r->documents.count; i++)
        looked_mentions(r->last, r->documents.items[i]->path);
    risk_end(s);
    if (r->gave_old_hints && s->client.refreshes_hints)
        server_request(s, "workspace/inlayHint/refresh", NULL);
    r->gave_old_hints = false;
}

/* When there is more to compute; 0: nothing. */
static int64_t find_all_mentions(struct server *s)
{
    int64_t next = 0;
    for (struct run *r = s->runs; r; r = r->next) {
        if (!r->last || r->is_stale)
            continue;
        int64_t due = r->last->check.project.flow ? 0 : facts_due(s, r);
        if (due <= now_ms())
            find_mentions(s, r);
        else
            next = !next || due < next ? due : next;
    }
    return next;
}

/* Headers of open files are precompiled while idle, so that the first edit is as fast as later
 * ones. */
static bool warm_run(struct server *s, struct run *r)
{
    struct project *p = r->last ? &r->last->check.project : NULL;
    bool warmed = false;
    risk_begin(s, r);
    for (int i = 0; p && i < p->inputs.count && !warmed; i++)
        warmed = is_asked_for(p, &p->inputs.items[i]) && run_enter(r->folder) &&
                 session_warm(s->session, p, &p->inputs.items[i]);
    risk_end(s);
    return warmed;
}

void runs_warm(struct server *s)
{
    s->warm_at = 0;
    for (struct run *r = s->runs; r; r = r->next)
        if (warm_run(s, r)) {
            s->warm_at = now_ms();
            return;
        }
    s->warm_at = find_all_mentions(s);
    malloc_trim(0); /* return what the check allocated */
}

/* ---- what is asked for ---------------------------------------------------------------------- */

static struct run *run_with(struct server *s, const struct document *d)
{
    for (struct run *r = s->runs; r && d; r = r->next)
        for (int i = 0; i < r->documents.count; i++)
            if (r->documents.items[i] == d)
                return r;
    return NULL;
}

struct run *run_told(struct server *s, const struct document *d)
{
    struct run *r = run_with(s, d);
    if (r && (r->is_stale || !r->told))
        check_run_of(s, r);
    return r && r->told ? r : NULL;
}

struct run *run_of(struct server *s, const struct document *d)
{
    struct run *r = run_with(s, d);
    if (!r)
        return NULL;
    if (r->is_stale || !r->last)
        check_run_of(s, r);
    r->used = ++s->uses;
    return r->last ? r : NULL;
}

struct run *run_with_facts(struct server *s, const struct document *d)
{
    struct run *r = run_of(s, d);
    return r && find_facts(s, r) ? r : NULL;
}

struct looked *facts_for(struct server *s, const struct document *d, struct run **r)
{
    struct run *known = *r = run_with(s, d);
    bool takes_long = known && (s->is_aside || known->facts_ms >= s->settings.patience);
    if (known && known->facts && takes_long && (known->is_stale || known->facts != known->last))
        return known->facts;
    *r = run_with_facts(s, d);
    return *r ? (*r)->last : NULL;
}
