/* The previous results of a program, and its units. On disk there is one, the last; a session has
 * several, since half-written code changes much that is soon as before. */
#include "frontends/driver/incremental/dependencies.h"
#include "frontends/driver/project/session.h"

enum { FORMAT = 7 };

/* Everything but the units; in a session, with their names. */
static struct digest key_of(struct checking *c, const struct session *session)
{
    struct text t = {0};
    record_number(&t, FORMAT);
    record_digest(&t, c->project.cache->world);
    record_bytes(&t, c->selected, sizeof c->selected);
    record_number(&t, c->effective.past_errors);
    record_number(&t, c->effective.strict);
    record_text(&t, c->project.database_path);
    record_number(&t, c->project.linked);
    record_number(&t, c->project.is_part);
    for (int i = 0; session && i < c->project.inputs.count; i++)
        record_text(&t, project_real(&c->project, c->project.inputs.items[i].file));
    cached_result_add_packs(c, &t);
    return record_key(&t);
}

/* A session has unsaved contents: their results are its own. */
static void put(struct checking *c, enum store_kind kind, struct digest key, const struct text *t)
{
    if (c->request->session)
        session_note(c->request->session, kind, key, t->data, t->length);
    else
        store_put(c->project.cache->store, kind, key, t->data, t->length);
}

/* NULL: it has none, or there is none. */
static const char *get_noted(struct checking *c, enum store_kind kind, struct digest key,
                             size_t *length)
{
    struct session *s = c->request->session;
    return s ? session_noted(s, c->arena, kind, key, length) : NULL;
}

/* A session starts from the results of saved files. */
static const char *get(struct checking *c, enum store_kind kind, struct digest key, size_t *length)
{
    const char *noted = get_noted(c, kind, key, length);
    return noted ? noted : store_get(c->project.cache->store, c->arena, kind, key, length);
}

void last_put_parts(struct checking *c, struct digest key, const struct text *t)
{
    put(c, STORE_PARTS, key, t);
}

const char *last_parts(struct checking *c, const struct last *l, size_t *length)
{
    return get(c, STORE_PARTS, l->parts, length);
}

/* ---- which a session has -------------------------------------------------------------------- */

struct noted_last {
    struct digest key, parts;
    bool has_errors; /* of the compiler's */
};
typedef LIST(struct noted_last) noted_list;

/* The newest first. */
static noted_list read_noted(struct checking *c)
{
    size_t length;
    noted_list l = {0};
    const char *data = get_noted(c, STORE_PROGRAM, key_of(c, c->request->session), &length);
    struct record_reader r = record_open(data, data ? length : 0);
    for (int n = record_read_count(&r); n > 0 && !r.failed; n--) {
        struct noted_last one = {record_read_digest(&r), record_read_digest(&r), false};
        one.has_errors = record_read_number(&r);
        LIST_ADD(c->arena, &l, one);
    }
    return l;
}

/* One with errors is dropped before one without. */
static int least_of(const noted_list *l)
{
    for (int i = l->count - 1; i > 0; i--)
        if (l->items[i].has_errors)
            return i;
    return l->count - 1;
}

/* Unchanged parts are taken from the newer one. */
static void drop(struct checking *c, const struct noted_last *old, const struct noted_last *now)
{
    if (!digest_same(old->key, now->key))
        session_unnote(c->request->session, STORE_PROGRAM, old->key);
    if (!digest_same(old->parts, now->parts))
        session_unnote(c->request->session, STORE_PARTS, old->parts);
}

static void put_noted(struct checking *c, struct noted_last now)
{
    noted_list before = read_noted(c), l = {0};
    struct text t = {0};
    LIST_ADD(c->arena, &l, now);
    for (int i = 0; i < before.count; i++)
        if (!digest_same(before.items[i].parts, now.parts))
            LIST_ADD(c->arena, &l, before.items[i]);
        else
            drop(c, &before.items[i], &now);
    if (l.count > LASTS_MAX) {
        int least = least_of(&l);
        drop(c, &l.items[least], &now);
        memmove(&l.items[least], &l.items[least + 1],
                sizeof *l.items * (size_t)(--l.count - least));
    }
    record_number(&t, l.count);
    for (int i = 0; i < l.count; i++) {
        record_digest(&t, l.items[i].key);
        record_digest(&t, l.items[i].parts);
        record_number(&t, l.items[i].has_errors);
    }
    put(c, STORE_PROGRAM, key_of(c, c->request->session), &t);
    text_free(&t);
}

/* ---- one of them ---------------------------------------------------------------------------- */

void last_put(struct checking *c, struct digest parts, const struct version *units,
              const struct flow_counts *counts, const finding_list *found)
{
    struct project *p = &c->project;
    struct text t = {0};
    struct noted_last now = {.parts = parts};
    record_digest(&t, parts);
    record_number(&t, p->inputs.count);
    for (int i = 0; i < p->inputs.count; i++) {
        record_text(&t, units[i].file);
        record_digest(&t, units[i].key);
        record_digest(&t, units[i].contents);
        record_digest(&t, units[i].digest);
        anchors_put(&t, &units[i].anchors, units[i].file);
        record_number(&t, units[i].errors);
        record_number(&t, units[i].notes);
        record_text(&t, units[i].first_error);
        now.has_errors |= units[i].errors > 0;
    }
    counts_put(&t, counts);
    findings_put(&t, found);
    now.key = c->request->session ? digest_bytes(t.data, t.length) : key_of(c, NULL);
    put(c, STORE_PROGRAM, now.key, &t);
    if (c->request->session)
        put_noted(c, now);
    text_free(&t);
}

static struct last *read_last(struct checking *c, const char *data, size_t length)
{
    struct last *l = arena_one(c->arena, struct last);
    struct record_reader r = record_open(data, data ? length : 0);
    l->parts = record_read_digest(&r);
    for (int n = record_read_count(&r); n > 0 && !r.failed; n--) {
        struct version v = {.file = record_read_word(&r, c->arena)};
        v.key = record_read_digest(&r);
        v.contents = record_read_digest(&r);
        v.digest = record_read_digest(&r);
        anchors_read(&r, c->arena, &v.anchors, v.file);
        v.errors = record_read_int(&r);
        v.notes = record_read_int(&r);
        v.first_error = record_read_text(&r, c->arena);
        LIST_ADD(c->arena, &l->units, v);
    }
    counts_read(&r, c->arena, &l->counts);
    findings_read(c, &r, &l->found);
    return data && record_ended(&r) ? l : NULL;
}

/* Those with errors after those without. */
int lasts_read(struct checking *c, struct last *out[LASTS_MAX])
{
    noted_list noted = read_noted(c);
    size_t length;
    int count = 0;
    for (int errors = 0; errors < 2; errors++)
        for (int i = 0; i < noted.count && count < LASTS_MAX; i++) {
            if (noted.items[i].has_errors != errors)
                continue;
            const char *data = get_noted(c, STORE_PROGRAM, noted.items[i].key, &length);
            out[count] = data ? read_last(c, data, length) : NULL;
            count += out[count] != NULL;
        }
    if (!count) {
        const char *data = get(c, STORE_PROGRAM, key_of(c, NULL), &length);
        out[0] = data ? read_last(c, data, length) : NULL;
        count = out[0] != NULL;
    }
    return count;
}
