/* Commands: what code actions do beyond edits. A finding is identified by its file and fingerprint.
 * Only these run code of the workspace, and only if it is trusted. */
#include "frontends/lsp/lsp.h"

#include "frontends/driver/project/cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct asked_finding {
    struct run *r;
    const struct document *d;
    struct finding *f;
    char identity[17];
};

static struct finding *finding_named(const struct run *r, const char *identity)
{
    const finding_list *l = &r->last->check.findings;
    for (int i = 0; i < l->count; i++) {
        char own[17];
        snprintf(own, sizeof own, "%016" PRIx64, l->items[i]->identity);
        if (!strcmp(own, identity))
            return l->items[i];
    }
    return NULL;
}

static bool find_finding(struct server *s, const json_t *arguments, struct asked_finding *out)
{
    const char *uri = json_string_value(json_array_get(arguments, 0));
    const char *identity = json_string_value(json_array_get(arguments, 1));
    *out = (struct asked_finding){0};
    for (struct document *d = s->documents; d && uri; d = d->next)
        if (!strcmp(d->uri, uri))
            out->d = d;
    if (!out->d || !identity) {
        server_fail(s, LSP_INVALID_PARAMS, "expected the URI of an open file and a fingerprint");
        return false;
    }
    snprintf(out->identity, sizeof out->identity, "%s", identity);
    out->r = run_of(s, out->d);
    out->f = out->r ? finding_named(out->r, identity) : NULL;
    if (!out->f)
        server_fail(s, LSP_REQUEST_FAILED, "there is no such finding any more");
    return out->f;
}

/* ---- baseline ------------------------------------------------------------------------------- */

static void add_to_baseline(struct server *s, const json_t *arguments)
{
    struct asked_finding q;
    struct error e = {0};
    const char *path;
    if (!find_finding(s, arguments, &q))
        return;
    if (!baseline_append(&q.r->last->check, q.f, &path, &e)) {
        server_fail(s, LSP_REQUEST_FAILED, "%s: %s", e.file, e.message);
        return;
    }
    if (!q.r->last->check.config.baseline)
        tell_user(s, MESSAGE_INFO, "miscast: written to %s; %s makes checks leave it out", path,
                  baseline_setting(&q.r->last->check, path));
    runs_touch(s, NULL);
    server_reply(s, NULL);
}

/* ---- verify --------------------------------------------------------------------------------- */

static void add_option(struct arena *a, text_list *out, const char *name, const char *value)
{
    if (value)
        LIST_ADD(a, out, arena_printf(a, "--%s=%s", name, value));
}

static void add_options(struct arena *a, text_list *out, const char *name, const text_list *values)
{
    for (int i = 0; i < values->count; i++)
        add_option(a, out, name, values->items[i]);
}

/* The same check as the program's. */
text_list run_arguments(struct server *s, const struct run *r, const char *command)
{
    struct arena *a = s->scratch;
    const struct request *request = &r->request;
    text_list out = {0};
    LIST_ADD(a, &out, command);
    add_options(a, &out, "select", &request->select);
    add_options(a, &out, "ignore", &request->ignore);
    add_options(a, &out, "extend-select", &request->extend_select);
    add_options(a, &out, "pack", &request->packs);
    add_options(a, &out, "assume", &request->assume);
    add_option(a, &out, "config", request->config);
    add_option(a, &out, "database", request->database);
    add_option(a, &out, "cache-dir", request->cache_dir);
    if (request->no_cache)
        LIST_ADD(a, &out, "--no-cache");
    if (request->verify.timeout)
        add_option(a, &out, "timeout", arena_printf(a, "%d", request->verify.timeout));
    LIST_ADD(a, &out, "--format=json");
    LIST_ADD(a, &out, "--exit-zero");
    return out;
}

/* The requested finding among those of the other process. */
static const json_t *finding_in(const json_t *report, const char *identity)
{
    const json_t *list = json_object_get(report, "findings");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *f = json_array_get(list, i);
        const char *own = json_string_value(json_object_get(f, "fingerprint"));
        if (own && !strcmp(own, identity))
            return f;
    }
    return NULL;
}

static void tell_verdict(struct server *s, const json_t *f)
{
    const json_t *v = json_object_get(f, "verdict");
    const char *kind = json_string_value(json_object_get(v, "kind"));
    const char *text = json_string_value(json_object_get(v, "text"));
    const char *message = json_string_value(json_object_get(f, "message"));
    tell_user(s, MESSAGE_INFO, "miscast: %s: %s (%s)", kind ? kind : "not run", text ? text : "",
              message ? message : "");
}

static void verified(struct server *s, struct child *c)
{
    json_t *report = json_loadb(c->output.data ? c->output.data : "", c->output.length, 0, NULL);
    const json_t *f = finding_in(report, c->identity);
    json_t *verdict = json_object_get(f, "verdict");
    note_end(s, &c->note, f ? "done" : "not done");
    s->id = c->id;
    if (!f) {
        server_fail(s, LSP_REQUEST_FAILED, "the finding could not be verified");
    } else {
        tell_verdict(s, f);
        server_reply(s, verdict ? json_incref(verdict) : NULL);
        runs_touch(s, NULL);
    }
    json_decref(report);
}

/* Only what is saved can be run: a verdict about another text would be meaningless. */
static bool may_run(struct server *s, const struct asked_finding *q)
{
    if (!s->settings.trusted)
        server_fail(s, LSP_REQUEST_FAILED,
                    "the workspace is not trusted (setting 'trusted'): its code is not run");
    else if (q->r->last->request.overlay->files.count)
        server_fail(s, LSP_REQUEST_FAILED, "what is run is what is saved: save all files first");
    else
        return true;
    return false;
}

static struct child *start(struct server *s, const struct asked_finding *q,
                           const text_list *arguments, const char *title,
                           void (*done)(struct server *s, struct child *c))
{
    struct child *c = child_start(s, q->r->folder, arguments, done);
    if (!c) {
        server_fail(s, LSP_REQUEST_FAILED, "no process could be started for it");
        return NULL;
    }
    memcpy(c->identity, q->identity, sizeof c->identity);
    c->id = json_deep_copy(s->id);
    c->note = note_begin(s, title);
    s->id = NULL; /* answered when finished */
    return c;
}

static void verify(struct server *s, const json_t *arguments)
{
    struct asked_finding q;
    if (!find_finding(s, arguments, &q) || !may_run(s, &q))
        return;
    text_list out = run_arguments(s, q.r, "verify");
    LIST_ADD(s->scratch, &out, q.identity);
    start(s, &q, &out, "miscast: verifying a finding", verified);
}

/* ---- reproducer ----------------------------------------------------------------------------- */

const char *reproducers_folder(struct arena *a, struct run *r)
{
    struct project *p = &r->last->check.project;
    struct cache_place places[CACHE_PLACES];
    const struct state_folder *state = cache_folder(p);
    if (!state)
        cache_places(p, places);
    const char *kept = state ? state->path : places[0].path;
    return *kept == '/' ? arena_printf(a, "%s/reproducers", kept)
                        : arena_printf(a, "%s/%s/reproducers", r->folder, kept);
}

struct case_place {
    const char *path;
    json_int_t line; /* from 0 */
};

/* The line of main; 0: there is none. */
static json_int_t line_of_main(const char *text)
{
    const char *main_at = text ? strstr(text, "\nint main(") : NULL;
    json_int_t line = 0;
    for (const char *c = text; main_at && c <= main_at; c++)
        line += *c == '\n';
    return line;
}

/* The harness written for the finding's function; if the program itself was run, the finding's file
 * in the bundle; otherwise its command line. */
static struct case_place case_place(struct server *s, const struct child *c, const json_t *f)
{
    struct arena *a = s->scratch;
    const char *file = json_string_value(json_object_get(f, "file"));
    const char *folder = arena_printf(a, "%s/%s-%s", c->folder,
                                      json_string_value(json_object_get(f, "rule")), c->identity);
    const char *there = arena_printf(a, "%s/src/%s", folder, file);
    const char *driver = arena_printf(a, "%s.run.c", there);
    struct error ignored;
    size_t length;
    if (!access(driver, R_OK))
        return (struct case_place){driver, line_of_main(file_read(a, driver, &length, &ignored))};
    if (!access(there, R_OK))
        return (struct case_place){there, json_integer_value(json_object_get(f, "line")) - 1};
    return (struct case_place){arena_printf(a, "%s/case.sh", folder), 0};
}

static void reproduced(struct server *s, struct child *c)
{
    json_t *report = json_loadb(c->output.data ? c->output.data : "", c->output.length, 0, NULL);
    const json_t *f = finding_in(report, c->identity);
    note_end(s, &c->note, f ? "done" : "not done");
    s->id = c->id;
    if (!f) {
        server_fail(s, LSP_REQUEST_FAILED, "the program could not be made");
        json_decref(report);
        return;
    }
    struct case_place p = case_place(s, c, f);
    json_t *uri = uri_of(s->scratch, p.path);
    if (s->client.shows_documents)
        server_request(s, "window/showDocument",
                       json_pack("{s:O, s:b, s:{s:{s:I, s:i}, s:{s:I, s:i}}}", "uri", uri,
                                 "takeFocus", 1, "selection", "start", "line", p.line, "character",
                                 0, "end", "line", p.line, "character", 0));
    tell_user(s, MESSAGE_INFO, "miscast: run.sh builds and runs it, in %s", c->folder);
    server_reply(s, json_pack("{s:o, s:o}", "uri", uri, "folder", text_json(c->folder)));
    json_decref(report);
}

/* A symbolic link that came with the code might lead anywhere. */
static bool may_write(struct server *s, struct run *r, const char *folder)
{
    struct stat st;
    if (cache_folder(&r->last->check.project) && (lstat(folder, &st) || S_ISDIR(st.st_mode)))
        return true;
    server_fail(s, LSP_REQUEST_FAILED, "there is no folder of yours to write it to");
    return false;
}

static void show_reproducer(struct server *s, const json_t *arguments)
{
    struct asked_finding q;
    if (!find_finding(s, arguments, &q) || !may_run(s, &q))
        return;
    const char *all = reproducers_folder(s->scratch, q.r);
    if (!may_write(s, q.r, all))
        return;
    const char *folder = arena_printf(s->scratch, "%s/%s", all, q.identity);
    text_list out = run_arguments(s, q.r, "verify");
    add_option(s->scratch, &out, "emit", folder);
    LIST_ADD(s->scratch, &out, q.identity);
    struct child *c = start(s, &q, &out, "miscast: making a reproducer", reproduced);
    if (c)
        c->folder = arena_printf(c->arena, "%s", folder);
}

/* ---- all ------------------------------------------------------------------------------------ */

static const struct lsp_command {
    const char *name;
    void (*run)(struct server *s, const json_t *arguments);
} table[] = {
    {"miscast.verify", verify},
    {"miscast.addToBaseline", add_to_baseline},
    {"miscast.showReproducer", show_reproducer},
};
enum { COMMAND_COUNT = sizeof table / sizeof *table };

json_t *command_names(void)
{
    json_t *list = json_array();
    for (int i = 0; i < COMMAND_COUNT; i++)
        json_array_append_new(list, json_string(table[i].name));
    return list;
}

void on_command(struct server *s, const json_t *params)
{
    const char *name = json_string_value(json_object_get(params, "command"));
    for (int i = 0; i < COMMAND_COUNT && name; i++)
        if (!strcmp(table[i].name, name)) {
            table[i].run(s, json_object_get(params, "arguments"));
            return;
        }
    server_fail(s, LSP_INVALID_PARAMS, "there is no such command");
}
