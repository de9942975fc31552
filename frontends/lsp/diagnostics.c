/* Findings → diagnostics: pushed after each check, with the version of the text, or returned on
 * request. They are what `miscast check` reports. */
#include "frontends/lsp/lsp.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- one finding ---------------------------------------------------------------------------- */

const char *finding_path(struct run *r, const struct finding *f)
{
    return project_real(&r->last->check.project, f->span.file);
}

json_t *location_of(struct server *s, struct looked *l, const struct span *span)
{
    const char *path = project_real(&l->check.project, span->file);
    return json_pack("{s:o, s:o}", "uri", document_uri(s, l->arena, path), "range",
                     range_of(s, looked_source(l, path), span));
}

static const char *origin_text(struct arena *a, const struct origin *o)
{
    const char *when = o->when ? arena_printf(a, " when %s", o->when) : "";
    return o->span.line ? arena_printf(a, "%s%s", o->what, when)
                        : arena_printf(a, "%s%s, from outside", o->what, when);
}

/* Each place that decided something, and the call that led to its function. */
static json_t *related_of(struct server *s, struct run *r, const struct finding *f)
{
    json_t *list = json_array();
    for (int i = 0; i < f->origins.count; i++) {
        const struct origin *o = &f->origins.items[i];
        if (o->span.line)
            json_array_append_new(list, json_pack("{s:o, s:o}", "location",
                                                  location_of(s, r->last, &o->span), "message",
                                                  shown_json(origin_text(r->last->arena, o))));
        if (o->called.line)
            json_array_append_new(list, json_pack("{s:o, s:s}", "location",
                                                  location_of(s, r->last, &o->called), "message",
                                                  "called from here"));
    }
    return list;
}

static void add_lineage(struct arena *a, const struct finding *f, struct text *out)
{
    for (int i = 0; i < f->origins.count; i++) {
        const struct origin *o = &f->origins.items[i];
        text_show(out, "\n%s", origin_text(a, o));
        if (o->span.line)
            text_show(out, " (%s:%d)", o->span.file, o->span.line);
        if (o->called.line)
            text_show(out, ", called from %s:%d", o->called.file, o->called.line);
    }
}

/* The verdict is part of the message; the lineage only if there is no other place for it. */
static json_t *message_of(struct server *s, struct run *r, const struct finding *f)
{
    struct text out = {0};
    text_show(&out, "%s", f->message); /* what follows is on lines of its own */
    if (!s->client.related)
        add_lineage(r->last->arena, f, &out);
    else
        for (int i = 0; i < f->origins.count; i++)
            if (!f->origins.items[i].span.line)
                text_show(&out, "\n%s", origin_text(r->last->arena, &f->origins.items[i]));
    if (f->verdict.kind)
        text_show(&out, "\n%s: %s", verdict_name(f->verdict.kind),
                  verdict_text(r->last->arena, &f->verdict));
    json_t *message = shown_json(out.data);
    text_free(&out);
    return message;
}

enum lsp_severity { SHOWN_ERROR = 1, SHOWN_WARNING, SHOWN_INFORMATION };

static enum lsp_severity severity_of(enum severity s)
{
    static const enum lsp_severity shown[SEVERITY_COUNT] = {[SEVERITY_NOTE] = SHOWN_INFORMATION,
                                                            [SEVERITY_WARNING] = SHOWN_WARNING,
                                                            [SEVERITY_ERROR] = SHOWN_ERROR};
    return shown[s];
}

/* Code without effect. */
static bool is_unnecessary(const struct finding *f)
{
    static const char *const which[] = {"discarded-cast", "redundant-cast", "unused-suppression"};
    for (size_t i = 0; i < sizeof which / sizeof *which; i++)
        if (!strcmp(f->rule, which[i]))
            return true;
    return false;
}

static void add_link(struct server *s, struct run *r, const struct finding *f, json_t *out)
{
    const char *folder = s->client.code_description ? installed_docs(r->last->arena) : NULL;
    if (folder)
        json_object_set_new(
            out, "codeDescription",
            json_pack(
                "{s:o}", "href",
                uri_of(r->last->arena, arena_printf(r->last->arena, "%s/%s.md", folder, f->rule))));
}

json_t *diagnostic_of(struct server *s, struct run *r, const struct finding *f)
{
    char identity[17];
    snprintf(identity, sizeof identity, "%016" PRIx64, f->identity);
    json_t *out =
        json_pack("{s:o, s:i, s:s, s:s, s:o, s:{s:s, s:s, s:o}}", "range",
                  range_of(s, looked_source(r->last, finding_path(r, f)), &f->span), "severity",
                  severity_of(f->severity), "code", f->rule, "source", "miscast", "message",
                  message_of(s, r, f), "data", "fingerprint", identity, "code", f->code, "verdict",
                  f->verdict.kind ? shown_json(verdict_name(f->verdict.kind)) : json_null());
    add_link(s, r, f, out);
    if (s->client.related && f->origins.count)
        json_object_set_new(out, "relatedInformation", related_of(s, r, f));
    if (s->client.unnecessary && is_unnecessary(f))
        json_object_set_new(out, "tags", json_pack("[i]", 1));
    return out;
}

/* ---- files ---------------------------------------------------------------------------------- */

static json_t *not_checked(const char *why)
{
    struct text message = {0};
    text_printf(&message, "not checked: %s; it is tried again when the file changes", why);
    json_t *out = json_pack("{s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:i, s:s, s:o}", "range", "start",
                            "line", 0, "character", 0, "end", "line", 0, "character", 0, "severity",
                            SHOWN_ERROR, "source", "miscast", "message", text_json(message.data));
    text_free(&message);
    return out;
}

/* A file that could not be parsed has no findings, but must not look clean. */
static void add_failures(struct run *r, const char *path, json_t *list)
{
    struct project *p = &r->last->check.project;
    for (int i = 0; i < p->inputs.count; i++) {
        const struct input *in = &p->inputs.items[i];
        if (!in->is_parsed && is_asked_for(p, in) && !strcmp(project_real(p, in->file), path)) {
            json_array_append_new(list, not_checked(in->error.message));
            return; /* with other flags it would be the same */
        }
    }
}

static json_t *diagnostics_in(struct server *s, struct run *r, const char *path)
{
    json_t *list = json_array();
    if (path_is_below(path, reproducers_folder(r->last->arena, r)))
        return list; /* the harness of a finding is not meant to be fixed */
    finding_list told = looked_told(r->last);
    for (int i = 0; i < told.count; i++)
        if (!strcmp(finding_path(r, told.items[i]), path))
            json_array_append_new(list, diagnostic_of(s, r, told.items[i]));
    add_failures(r, path, list);
    return list;
}

/* Takes the URI. */
static void publish_as(struct server *s, json_t *uri, const struct document *d, json_t *list)
{
    json_t *params = json_pack("{s:o, s:O}", "uri", uri, "diagnostics", list);
    if (d && d->has_version)
        json_object_set_new(params, "version", json_integer(d->version));
    server_notify(s, "textDocument/publishDiagnostics", params);
}

/* Under each name that the file is open by. Takes the list. */
static void publish(struct server *s, struct arena *a, const char *path, json_t *list)
{
    if (!document_at(s, path))
        publish_as(s, document_uri(s, a, path), NULL, list);
    for (const struct document *d = s->documents; d; d = d->next)
        if (!strcmp(d->path, path))
            publish_as(s, json_string(d->uri), d, list);
    json_decref(list);
}

/* Diagnostics that only say that a file is not checked. */
static const json_t *identity_of(const json_t *diagnostic)
{
    const json_t *own = json_at(diagnostic, "data.fingerprint");
    return own ? own : json_object_get(diagnostic, "message");
}

static bool has_finding(const json_t *list, size_t count, const json_t *diagnostic)
{
    for (size_t i = 0; i < count; i++)
        if (json_equal(identity_of(json_array_get(list, i)), identity_of(diagnostic)))
            return true;
    return false;
}

/* From all programs: a header in no database is checked by itself and by those that include it. */
static json_t *told_of(const struct server *s, const char *path)
{
    json_t *all = json_array();
    for (const struct run *r = s->runs; r; r = r->next) {
        const json_t *list = json_object_get(r->told, path);
        size_t others = json_array_size(all);
        for (size_t i = 0; i < json_array_size(list); i++)
            if (!has_finding(all, others, json_array_get(list, i)))
                json_array_append(all, json_array_get(list, i));
    }
    const struct left_alone *l = left_alone(s, path);
    if (l)
        json_array_append_new(all, not_checked(l->why));
    return all;
}

/* For an open file, a client that pulls is answered when it asks. */
static void tell(struct server *s, struct arena *a, const char *path)
{
    if (!s->client.pulls || !document_at(s, path))
        publish(s, a, path, told_of(s, path));
}

/* Open files, and others with something that was decided in an open one. A file that also belongs
 * to another program is left to the one that has it open, if that one sees all of its program. */
static void find_files(struct server *s, struct run *r, text_list *files)
{
    struct arena *a = r->last->arena;
    const finding_list *l = &r->last->check.findings;
    for (int i = 0; i < r->documents.count; i++)
        if (!text_list_has(files, r->documents.items[i]->path))
            LIST_ADD(a, files, r->documents.items[i]->path);
    for (int i = 0; i < l->count; i++) {
        const char *path = finding_path(r, l->items[i]);
        if (!text_list_has(files, path) && (is_header_file(path) || !document_at(s, path)))
            LIST_ADD(a, files, path);
    }
}

static void remember(struct run *r, const text_list *files)
{
    struct arena *a = arena_new();
    text_list kept = {0};
    for (int i = 0; i < files->count; i++)
        LIST_ADD(a, &kept, arena_printf(a, "%s", files->items[i]));
    if (r->published_arena)
        arena_free(r->published_arena);
    r->published_arena = a;
    r->published = kept;
}

void diagnostics_publish(struct server *s, struct run *r)
{
    text_list files = {0};
    find_files(s, r, &files);
    json_decref(r->told);
    r->told = json_object();
    for (int i = 0; i < files.count; i++) {
        json_t *list = diagnostics_in(s, r, files.items[i]);
        json_object_set_new_nocheck(r->told, files.items[i], list);
        tell(s, r->last->arena, files.items[i]);
    }
    for (int i = 0; i < r->published.count; i++)
        if (!text_list_has(&files, r->published.items[i]))
            tell(s, r->last->arena, r->published.items[i]);
    remember(r, &files);
    if (s->client.pulls && s->client.refreshes_pulled && !s->id)
        server_request(s, "workspace/diagnostic/refresh", NULL);
}

void diagnostics_publish_none(struct server *s, struct run *r)
{
    text_list files = {0};
    for (int i = 0; i < r->documents.count; i++)
        LIST_ADD(s->scratch, &files, r->documents.items[i]->path);
    json_decref(r->told);
    r->told = json_object();
    for (int i = 0; i < files.count; i++)
        tell(s, s->scratch, files.items[i]);
    for (int i = 0; i < r->published.count; i++)
        if (!text_list_has(&files, r->published.items[i]))
            tell(s, s->scratch, r->published.items[i]);
    remember(r, &files);
    if (s->client.pulls && s->client.refreshes_pulled && !s->id)
        server_request(s, "workspace/diagnostic/refresh", NULL);
}

void diagnostics_clear(struct server *s, struct run *r)
{
    json_decref(r->told);
    r->told = NULL;
    for (int i = 0; i < r->published.count; i++)
        tell(s, s->scratch, r->published.items[i]);
    remember(r, &(text_list){0});
}

void diagnostics_end(struct server *s, const char *uri)
{
    json_t *none = json_array();
    if (!s->client.pulls)
        publish_as(s, json_string(uri), NULL, none);
    json_decref(none);
}

/* A client keeps pulled and pushed diagnostics separately, and shows both; the same goes for two
 * names of a file. */
void diagnostics_withdraw(struct server *s, const char *path, const char *uri)
{
    json_t *before = document_uri(s, s->scratch, path);
    bool same = !s->client.pulls && !strcmp(json_string_value(before), uri);
    json_decref(before);
    for (const struct run *r = s->runs; r && !same && !document_at(s, path); r = r->next)
        if (text_list_has(&r->published, path)) {
            publish(s, s->scratch, path, json_array());
            return;
        }
}

/* ---- asked for ------------------------------------------------------------------------------ */

static const char *result_id(struct arena *a, const json_t *list)
{
    char *text = json_dumps(list, JSON_COMPACT | JSON_SORT_KEYS);
    const char *id = arena_printf(a, "%016" PRIx64, text ? hash_bytes(text, strlen(text), 0) : 0);
    free(text);
    return id;
}

void on_pull(struct server *s, const json_t *params)
{
    struct document *d = document_of(s, params);
    struct run *r = d ? run_told(s, d) : NULL;
    const char *known = json_string_value(json_object_get(params, "previousResultId"));
    json_t *list = r ? told_of(s, d->path) : json_array();
    const char *id = result_id(s->scratch, list);
    if (known && !strcmp(known, id)) {
        json_decref(list);
        server_reply(s, json_pack("{s:s, s:s}", "kind", "unchanged", "resultId", id));
        return;
    }
    server_reply(s, json_pack("{s:s, s:s, s:o}", "kind", "full", "resultId", id, "items", list));
}
