/* Records the findings of a run in the store. A run with the same findings as the last one of its
 * kind, at the same revision, is not recorded: that is most of them. Runs are of one kind if they
 * have the same arguments. */
#include "frontends/driver/history/history.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Runs in the first format only have fixed. */
enum { FIRST_FORMAT = 1, FORMAT = 2 };

/* ---- bytes ---------------------------------------------------------------------------------- */

void identities_put(struct text *to, const identity_list *l)
{
    record_number(to, l->count);
    for (int i = 0; i < l->count; i++)
        record_number(to, (int64_t)l->items[i]);
}

void identities_read(struct record_reader *r, struct arena *a, identity_list *l)
{
    for (int n = record_read_count(r); n > 0 && !r->failed; n--)
        LIST_ADD(a, l, (uint64_t)record_read_number(r));
}

void run_print(const struct run *r, struct text *to)
{
    record_number(to, FORMAT);
    record_number(to, r->time);
    record_text(to, r->revision);
    record_text(to, r->of);
    record_number(to, r->first);
    for (int i = 0; i < SEVERITY_COUNT; i++)
        record_number(to, r->counts[i]);
    identities_put(to, &r->introduced);
    identities_put(to, &r->fixed);
    identities_put(to, &r->present);
    identities_put(to, &r->baselined);
    identities_put(to, &r->suppressed);
    identities_put(to, &r->left_out);
}

bool run_read(struct arena *a, const char *data, size_t length, struct run *r)
{
    struct record_reader d = record_open(data, length);
    int64_t format = record_read_number(&d);
    d.failed |= format != FIRST_FORMAT && format != FORMAT;
    *r = (struct run){.time = record_read_number(&d)};
    r->revision = record_read_text(&d, a);
    r->of = record_read_text(&d, a);
    r->first = record_read_number(&d);
    for (int i = 0; i < SEVERITY_COUNT; i++)
        r->counts[i] = record_read_int(&d);
    identities_read(&d, a, &r->introduced);
    identities_read(&d, a, &r->fixed);
    identities_read(&d, a, &r->present);
    if (format == FORMAT) {
        identities_read(&d, a, &r->baselined);
        identities_read(&d, a, &r->suppressed);
        identities_read(&d, a, &r->left_out);
    }
    return record_ended(&d) && r->of;
}

/* ---- sets ----------------------------------------------------------------------------------- */

static int compare(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static void take_present(struct checking *c, struct run *r)
{
    for (int i = 0; i < c->findings.count; i++) {
        LIST_ADD(c->arena, &r->present, c->findings.items[i]->identity);
        r->counts[c->findings.items[i]->severity]++;
    }
    if (r->present.count)
        qsort(r->present.items, (size_t)r->present.count, sizeof *r->present.items, compare);
}

/* The difference a - b; both are sorted. */
static void subtract(struct arena *arena, const identity_list *a, const identity_list *b,
                     identity_list *out)
{
    for (int i = 0, k = 0; i < a->count; i++) {
        while (k < b->count && b->items[k] < a->items[i])
            k++;
        if (k == b->count || b->items[k] != a->items[i])
            LIST_ADD(arena, out, a->items[i]);
    }
}

static bool is_same(const identity_list *a, const identity_list *b)
{
    return a->count == b->count &&
           (!a->count || !memcmp(a->items, b->items, (size_t)a->count * sizeof *a->items));
}

/* ---- what was asked ------------------------------------------------------------------------- */

static void add_words(struct text *to, const char *option, const text_list *l)
{
    for (int i = 0; i < l->count; i++)
        text_printf(to, "%s%s%s%s", to->length ? " " : "", option, *option ? " " : "", l->items[i]);
}

/* As a command line; paths are relative to the root. */
static const char *asked_of(struct checking *c)
{
    const struct request *request = c->request;
    struct text t = {0};
    text_list paths = {0};
    for (int i = 0; i < request->paths.count; i++)
        LIST_ADD(c->arena, &paths, check_file(c, request->paths.items[i]));
    if (!paths.count)
        LIST_ADD(c->arena, &paths, check_file(c, "."));
    for (int i = 0; i < paths.count; i++)
        if (!strcmp(paths.items[i], c->root))
            paths.items[i] = ".";
    add_words(&t, "", &paths);
    add_words(&t, "--select", &request->select);
    add_words(&t, "--ignore", &request->ignore);
    add_words(&t, "--extend-select", &request->extend_select);
    add_words(&t, "--assume", &request->assume);
    add_words(&t, "--pack", &request->packs);
    if (request->config)
        text_printf(&t, " --config %s", request->config);
    if (request->baseline)
        text_printf(&t, " --baseline %s", request->baseline);
    if (request->isolated)
        text_add(&t, " --isolated");
    if (request->strict)
        text_add(&t, " --strict");
    if (request->no_baseline)
        text_add(&t, " --no-baseline");
    return text_keep(c->arena, &t);
}

/* ---- noting --------------------------------------------------------------------------------- */

static struct digest remembered_key(struct digest kind)
{
    struct text t = {0};
    record_text(&t, "remembered");
    record_digest(&t, kind);
    return record_key(&t);
}

static void keep(struct checking *c, struct run *r, const struct remembered *m, struct digest kind)
{
    struct text t = {0}, key = {0}, more = {0};
    struct timespec now;
    struct store *s = c->project.cache->store;
    clock_gettime(CLOCK_REALTIME, &now);
    r->time = now.tv_sec;
    record_digest(&key, kind);
    record_number(&key, now.tv_sec);
    record_number(&key, now.tv_nsec);
    run_print(r, &t);
    remembered_print(m, &more);
    store_put(s, STORE_RUN, record_key(&key), t.data, t.length);
    store_put(s, STORE_LAST_RUN, kind, t.data, t.length);
    store_put(s, STORE_LAST_RUN, remembered_key(kind), more.data, more.length);
    text_free(&t);
    text_free(&more);
}

static void compare_runs(struct checking *c, const struct run *last, const struct remembered *m,
                         struct digest kind, struct run *now)
{
    size_t length;
    struct remembered before;
    identity_list gone = {0};
    const char *data =
        store_get(c->project.cache->store, c->arena, STORE_LAST_RUN, remembered_key(kind), &length);
    remembered_read(c->arena, data, length, &before);
    subtract(c->arena, &now->present, &last->present, &now->introduced);
    subtract(c->arena, &last->present, &now->present, &gone);
    gone_sort(c, &gone, &before, m, now);
}

const struct run *history_note(struct checking *c)
{
    struct project *p = &c->project;
    struct run now = {0}, last = {0};
    struct remembered m;
    size_t length;
    if (!p->cache || p->overlay.files.count || c->request->findings.count)
        return NULL;
    now.of = asked_of(c);
    struct digest kind = digest_bytes(now.of, strlen(now.of));
    const char *data = store_get(p->cache->store, c->arena, STORE_LAST_RUN, kind, &length);
    now.first = !data || !run_read(c->arena, data, length, &last);
    take_present(c, &now);
    bool same = !now.first && is_same(&now.present, &last.present);
    if (same && c->is_replayed)
        return NULL;
    now.revision = revision_of(c->arena, c->root);
    if (same &&
        (now.revision ? last.revision && !strcmp(now.revision, last.revision) : !last.revision))
        return NULL;
    run_remember(c, &m);
    if (!now.first)
        compare_runs(c, &last, &m, kind, &now);
    keep(c, &now, &m, kind);
    return arena_copy(c->arena, &now, sizeof now);
}

struct listing {
    struct checking *c;
    const char *of;
    run_list *out;
};

static void take(void *context, const char *data, size_t length)
{
    struct listing *l = context;
    struct run r;
    if (run_read(l->c->arena, data, length, &r) && !strcmp(r.of, l->of))
        LIST_ADD(l->c->arena, l->out, r);
}

void history_list(struct checking *c, run_list *out)
{
    struct listing l = {.c = c, .of = asked_of(c), .out = out};
    if (c->project.cache)
        store_each(c->project.cache->store, STORE_RUN, take, &l);
}
