/* The open texts, as the editor has them: sent as a whole, or change by change. */
#include "frontends/lsp/lsp.h"

#include "frontends/driver/project/session.h"

#include <stdlib.h>
#include <string.h>

static const char *uri_in(const json_t *params)
{
    const json_t *uri = json_at(params, "textDocument.uri");
    const char *text = json_string_value(uri);
    return text && strlen(text) == json_string_length(uri) ? text : NULL;
}

struct document *document_of(struct server *s, const json_t *params)
{
    const char *uri = uri_in(params);
    for (struct document *d = s->documents; d && uri; d = d->next)
        if (!strcmp(d->uri, uri))
            return d;
    return NULL;
}

struct document *document_at(struct server *s, const char *path)
{
    for (struct document *d = s->documents; d; d = d->next)
        if (!strcmp(d->path, path))
            return d;
    return NULL;
}

/* A file that is not open, by the name the client would use: through the symbolic link it came by.
 */
static const char *named_path(const struct server *s, struct arena *a, const char *path)
{
    const struct folder *f = folder_of(s, path);
    return f && f->real[1] && strcmp(f->real, f->named) != 0
               ? arena_printf(a, "%s%s", f->named, path + strlen(f->real))
               : path;
}

static struct spelled *spelled_at(struct server *s, const char *path)
{
    for (int i = 0; i < s->spelled.count; i++)
        if (!strcmp(s->spelled.items[i].path, path))
            return &s->spelled.items[i];
    return NULL;
}

static void remember_spelling(struct server *s, const struct document *d)
{
    struct spelled *known = spelled_at(s, d->path);
    struct spelled new = {
        known ? known->path : arena_printf(s->arena, "%s", d->path),
        known && !strcmp(known->uri, d->uri) ? known->uri : arena_printf(s->arena, "%s", d->uri)};
    if (known)
        *known = new;
    else
        LIST_ADD(s->arena, &s->spelled, new);
}

json_t *document_uri(struct server *s, struct arena *a, const char *path)
{
    const struct document *d = document_at(s, path);
    const struct spelled *known = d ? NULL : spelled_at(s, path);
    return d       ? json_string(d->uri)
           : known ? json_string(known->uri)
                   : uri_of(a, named_path(s, a, path));
}

static void document_free(struct document *d)
{
    text_free(&d->text);
    free((char *)(uintptr_t)d->uri);
    free((char *)(uintptr_t)d->path);
    free(d);
}

void documents_free(struct server *s)
{
    while (s->documents) {
        struct document *d = s->documents;
        s->documents = d->next;
        document_free(d);
    }
}

static void take_version(struct document *d, const json_t *params)
{
    const json_t *version = json_at(params, "textDocument.version");
    d->has_version = json_is_integer(version);
    d->version = json_integer_value(version);
}

/* ---- open and close ------------------------------------------------------------------------- */

/* The real path; for a file that does not exist yet, that of its folder. */
static char *real_path_of(const char *path)
{
    char *real = realpath(path, NULL);
    const char *slash = strrchr(path, '/');
    if (real || !slash)
        return real ? real : strdup(path);
    char *folder = strndup(path, (size_t)(slash - path)),
         *of = realpath(*folder ? folder : "/", NULL);
    struct text t = {0};
    text_printf(&t, "%s%s", of && of[1] ? of : "", of ? slash : path);
    free(folder);
    free(of);
    return t.data;
}

static void open_document(struct server *s, const json_t *params, const char *text, size_t length)
{
    struct arena *a = arena_new();
    const char *path = path_of_uri(a, uri_in(params));
    struct document *d = path ? calloc(1, sizeof *d) : NULL;
    if (d) {
        d->uri = strdup(uri_in(params));
        d->path = real_path_of(path);
        text_add_range(&d->text, text, length);
        take_version(d, params);
        try_again(s, d->path);
        diagnostics_withdraw(s, d->path, d->uri);
        remember_spelling(s, d);
        d->next = s->documents;
        s->documents = d;
        runs_arrange(s);
        runs_touch(s, d);
    }
    arena_free(a);
}

static void close_document(struct server *s, struct document *d)
{
    struct document **at = &s->documents;
    while (*at != d)
        at = &(*at)->next;
    try_again(s, d->path);
    runs_touch(s, d);
    *at = d->next;
    if (document_at(s, d->path)) /* under another name */
        diagnostics_end(s, d->uri);
    session_forget(s->session, d->path);
    runs_arrange(s);
    document_free(d);
}

void on_open(struct server *s, const json_t *params)
{
    const json_t *text = json_at(params, "textDocument.text");
    struct document *old = document_of(s, params);
    if (!uri_in(params) || !json_is_string(text))
        return;
    if (old)
        close_document(s, old);
    open_document(s, params, json_string_value(text), json_string_length(text));
}

void on_close(struct server *s, const json_t *params)
{
    struct document *d = document_of(s, params);
    if (d)
        close_document(s, d);
}

/* Saved: the file is now the open text, so only what depends on the file itself may have changed.
 */
void on_save(struct server *s, const json_t *params)
{
    struct document *d = document_of(s, params);
    if (d)
        runs_touch(s, d);
}

/* ---- changes -------------------------------------------------------------------------------- */

static void replace(struct text *t, size_t from, size_t to, const char *with, size_t length)
{
    struct text out = {0};
    text_add_range(&out, t->data ? t->data : "", from);
    text_add_range(&out, with, length);
    text_add_range(&out, (t->data ? t->data : "") + to, t->length - to);
    text_free(t);
    *t = out;
}

/* False: not a change. */
static bool apply(struct server *s, struct document *d, const json_t *change)
{
    const json_t *text = json_object_get(change, "text"), *range = json_object_get(change, "range");
    size_t from = 0, to = d->text.length;
    int64_t line[2], character[2];
    if (!json_is_string(text))
        return false;
    if (range && !json_is_null(range)) {
        if (!read_position(json_object_get(range, "start"), &line[0], &character[0]) ||
            !read_position(json_object_get(range, "end"), &line[1], &character[1]))
            return false;
        const char *now = d->text.data ? d->text.data : "";
        from = offset_at(now, d->text.length, line[0], character[0], s->client.utf8);
        to = offset_at(now, d->text.length, line[1], character[1], s->client.utf8);
    }
    if (to < from) { /* reversed, it is the same range */
        size_t end = from;
        from = to;
        to = end;
    }
    replace(&d->text, from, to, json_string_value(text), json_string_length(text));
    return true;
}

/* If a file is open under two names, the text that changed last is the file's. */
static void put_first(struct server *s, struct document *d)
{
    struct document **at = &s->documents;
    while (*at != d)
        at = &(*at)->next;
    *at = d->next;
    d->next = s->documents;
    s->documents = d;
}

void on_change(struct server *s, const json_t *params)
{
    struct document *d = document_of(s, params);
    const json_t *changes = json_object_get(params, "contentChanges");
    if (!d || !json_is_array(changes))
        return;
    bool good = true;
    for (size_t i = 0; i < json_array_size(changes) && good; i++)
        good = apply(s, d, json_array_get(changes, i));
    if (!good)
        tell_log(s, MESSAGE_ERROR, "a change of %s was not understood", d->path);
    take_version(d, params);
    try_again(s, d->path);
    put_first(s, d);
    runs_touch(s, d);
}
