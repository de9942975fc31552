/* The state that a server leaves to the next one: capabilities and settings of the client, the open
 * texts, and the files to skip. It is written whenever it changes, alternating between two places,
 * so that a complete one exists whenever a server dies. */
#include "frontends/lsp/lsp.h"

#include "analyzer/store/store.h"

#include <stdlib.h>
#include <string.h>

/* ---- writing --------------------------------------------------------------------------------- */

/* A complete set of settings replaces earlier ones: some clients send them again and again. */
static void drop_old_settings(json_t *said, const char *method, const json_t *params)
{
    if (strcmp(method, "workspace/didChangeConfiguration") != 0 ||
        !json_is_object(json_at(params, "settings.miscast")))
        return;
    for (size_t i = json_array_size(said); i-- > 0;)
        if (!strcmp(json_string_value(json_object_get(json_array_get(said, i), "method")), method))
            json_array_remove(said, i);
}

void estate_note(struct server *s, const char *method, const json_t *params)
{
    if (!s->said)
        s->said = json_array();
    drop_old_settings(s->said, method, params);
    json_array_append_new(
        s->said, json_pack("{s:s, s:O?}", "method", method, "params", (json_t *)(uintptr_t)params));
    free(s->said_text);
    s->said_text = json_dumps(s->said, JSON_COMPACT);
    s->is_estate_old = true;
}

static void put_document(struct text *out, const struct document *d)
{
    record_text(out, d->uri);
    record_bytes(out, d->text.data, d->text.length);
    record_number(out, d->has_version);
    record_number(out, d->version);
}

static void put_all(struct server *s, struct text *out)
{
    int count = 0;
    for (const struct document *d = s->documents; d; d = d->next)
        count++;
    record_number(out, s->next_id);
    record_text(out, s->said_text ? s->said_text : "[]");
    record_number(out, count);
    for (const struct document *d = s->documents; d; d = d->next)
        put_document(out, d);
    count = 0;
    for (const struct left_alone *l = s->left_alone; l; l = l->next)
        count++;
    record_number(out, count);
    for (const struct left_alone *l = s->left_alone; l; l = l->next) {
        record_text(out, l->path);
        record_text(out, l->why);
    }
}

/* A state that is too large is not saved: then the next server does not know the open texts. */
void estate_write(struct server *s, uint64_t done)
{
    struct shared *to = s->shared;
    if (!to)
        return;
    done = done ? done : shared_done(to);
    if (s->is_estate_old) {
        struct text out = {0};
        int other = !to->which;
        put_all(s, &out);
        to->length[other] = out.length <= ESTATE_MAX ? out.length : 0;
        if (out.length <= ESTATE_MAX)
            memcpy(to->estate[other], out.data, out.length);
        to->done[other] = done;
        to->which = other;
        text_free(&out);
        s->is_estate_old = false;
    }
    to->done[to->which] = done;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void read_said(struct server *s, message_function *repeat, const char *text)
{
    json_t *said = text ? json_loads(text, JSON_ALLOW_NUL, NULL) : NULL, *one;
    size_t i;
    json_array_foreach(said, i, one) repeat(s, one);
    json_decref(said);
}

static bool read_document(struct server *s, struct record_reader *r, struct arena *a)
{
    size_t length;
    const char *uri = record_read_text(r, a), *text = record_read_bytes(r, &length);
    bool has_version = record_read_number(r);
    json_int_t version = record_read_number(r);
    if (!uri || !text)
        return false;
    json_t *params =
        json_pack("{s:{s:s, s:o}}", "textDocument", "uri", uri, "text", json_stringn(text, length));
    if (has_version)
        json_object_set_new(json_object_get(params, "textDocument"), "version",
                            json_integer(version));
    on_open(s, params);
    json_decref(params);
    return true;
}

/* Each is prepended, so start with the last. */
static void read_documents(struct server *s, struct record_reader *r, struct arena *a)
{
    struct record_reader starts[DOCUMENTS_MAX];
    int count = record_read_count(r), kept = 0;
    for (int i = 0; i < count; i++) {
        size_t length;
        if (kept < DOCUMENTS_MAX)
            starts[kept++] = *r;
        record_read_text(r, a);
        record_read_bytes(r, &length);
        record_read_number(r);
        record_read_number(r);
    }
    while (kept-- && !r->failed)
        read_document(s, &starts[kept], a);
}

void estate_read(struct server *s, message_function *repeat)
{
    struct arena *a = arena_new();
    int which = s->shared->which;
    uint64_t length = s->shared->length[which];
    struct record_reader r = record_open(s->shared->estate[which], length);
    if (length) {
        s->next_id = record_read_number(&r);
        read_said(s, repeat, record_read_text(&r, a));
        read_documents(s, &r, a);
    }
    for (int i = length ? record_read_count(&r) : 0; i > 0; i--) {
        const char *path = record_read_text(&r, a), *why = record_read_text(&r, a);
        if (path && why)
            leave_alone(s, path, why);
    }
    arena_free(a);
}

/* ---- files that are left alone --------------------------------------------------------------- */

const struct left_alone *left_alone(const struct server *s, const char *path)
{
    for (const struct left_alone *l = s->left_alone; l; l = l->next)
        if (!strcmp(l->path, path))
            return l;
    return NULL;
}

void leave_alone(struct server *s, const char *path, const char *why)
{
    if (left_alone(s, path) || !document_at(s, path))
        return;
    struct left_alone *l = calloc(1, sizeof *l);
    if (!l)
        BUG("no memory for the name of a file");
    *l = (struct left_alone){strdup(path), strdup(why), s->left_alone};
    s->left_alone = l;
    s->is_estate_old = true;
}

void try_again(struct server *s, const char *path)
{
    for (struct left_alone **at = &s->left_alone; *at;) {
        struct left_alone *l = *at;
        if (path && strcmp(l->path, path) != 0) {
            at = &l->next;
            continue;
        }
        *at = l->next;
        free(l->path);
        free(l->why);
        free(l);
    }
    s->is_estate_old = true;
}
