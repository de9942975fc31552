/* Bundles: a finding that was run becomes a case, of which the runner writes what is built; the
 * events of its run on another machine come in and are judged as if it had run here. A case whose
 * code has changed since says nothing any more. */
#include "analyzer/verify/bundle.h"

#include "analyzer/verify/judge.h"
#include "analyzer/verify/runner.h"
#include "runtime/trace/protocol.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- recipes --------------------------------------------------------------------------------- */

struct recipe {
    const struct build *build;
    struct launch launch;
    bool is_harness, checks_memory;
};

/* A run is identified by its entry, a text that no other run shares and that verdicts keep. */
void bundle_record(struct verifier *v, const struct run *r, const struct launch *l)
{
    struct recipe recipe = {r->build, *l, r->is_harness, r->checks_memory};
    if (v->in->emit)
        map_put(v->recipes, (uint64_t)(uintptr_t)r->entry,
                arena_copy(v->arena, &recipe, sizeof recipe));
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool make_folders(struct verifier *v, const char *path, struct error *e)
{
    char *copy = arena_printf(v->arena, "%s", path);
    for (char *at = copy + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        if (mkdir(copy, 0777) && errno != EEXIST)
            return error_at(e, copy, 0, 0, "%s", strerror(errno));
        *at = '/';
    }
    return true;
}

bool bundle_write(struct verifier *v, const char *path, const char *text, size_t length,
                  struct error *e)
{
    return written_below(v->in->emit, path, e) && make_folders(v, path, e) &&
           written_whole(path, text, length, e);
}

bool bundle_write_files(struct verifier *v, const char *folder, const struct launch *l,
                        struct error *e)
{
    bool ok = true;
    for (int i = 0; i < l->file_count && ok; i++) {
        const struct line_file *f = &l->files[i];
        const char *name = *f->name ? f->name : "stdin";
        ok = bundle_write(v, arena_printf(v->arena, "%s/files/%s", folder, name), f->content->text,
                          f->content->length, e);
    }
    return ok;
}

const char *bundle_place(struct verifier *v, const char *path)
{
    size_t n = strlen(v->in->root);
    bool below = !strncmp(path, v->in->root, n) && path[n] == '/';
    return below ? path + n + 1 : arena_printf(v->arena, "outside%s", path);
}

static bool write_text(struct verifier *v, const char *folder, const char *name, const char *text,
                       struct error *e)
{
    return bundle_write(v, arena_printf(v->arena, "%s/%s", folder, name), text, strlen(text), e);
}

static bool write_finding(struct verifier *v, const char *folder, const struct finding *f,
                          const struct recipe *r, uint64_t state, struct error *e)
{
    struct text out = {0};
    text_printf(&out,
                "{\"finding\": \"%016" PRIx64 "\", \"state\": \"%016" PRIx64
                "\", \"harness\": %s, \"sanitized\": %s, \"entry\": ",
                f->identity, state, r->is_harness ? "true" : "false",
                r->checks_memory ? "true" : "false");
    text_add_json(&out, f->verdict.entry);
    text_add(&out, "}\n");
    const char *expected = arena_printf(v->arena, "%s:%d: %s [%s]\n",
                                        bundle_place(v, path_real(v, NULL, f->span.file)),
                                        f->span.line, f->message, f->rule);
    return write_text(v, folder, "finding.json", text_keep(v->arena, &out), e) &&
           write_text(v, folder, "expected", expected, e);
}

/* Of the folder of its case. */
static const char *case_name(struct verifier *v, const struct finding *f)
{
    return arena_printf(v->arena, "%s-%016" PRIx64, f->rule, f->identity);
}

bool bundle_add(struct verifier *v, const struct finding *f, uint64_t state, struct error *e)
{
    const struct recipe *r =
        f->verdict.entry ? map_get(v->recipes, (uint64_t)(uintptr_t)f->verdict.entry) : NULL;
    const char *name = case_name(v, f);
    const char *folder = arena_printf(v->arena, "%s/%s", v->in->emit, name);
    return !r || (v->in->runner->bundle_case(v, folder, name, r->build, &r->launch, e) &&
                  write_finding(v, folder, f, r, state, e));
}

/* ---- reading --------------------------------------------------------------------------------- */

/* A run has fewer events than this. */
enum { MOST_EVENTS = CHANNEL_EVENTS + 1000 };

static json_t *load(struct verifier *v, const char *folder, const char *name, struct error *e)
{
    json_error_t wrong;
    size_t length;
    const char *path = arena_printf(v->arena, "%s/%s", folder, name);
    const char *text = file_read_kind(v->arena, path, FILE_RESULTS, &length, e);
    if (!text)
        return NULL;
    json_t *o = json_loadb(text, length, 0, &wrong);
    if (!json_is_object(o)) {
        json_decref(o);
        error_at(e, path, 0, 0, "is not to be read: %s", wrong.text);
        return NULL;
    }
    return o;
}

static struct sandbox_end end_of(int status)
{
    struct sandbox_end end = {.how = SANDBOX_EXITED, .status = status};
    if (status == 124)
        end.how = SANDBOX_TIMED_OUT;
    else if (status > 128)
        end = (struct sandbox_end){.how = SANDBOX_SIGNALLED, .status = status - 128};
    return end;
}

/* What the program printed; NULL: it is not there. */
static const char *printed_by(struct verifier *v, const char *folder)
{
    struct error unread;
    size_t length;
    return file_read_kind(v->arena, arena_printf(v->arena, "%s/stderr", folder), FILE_RESULTS,
                          &length, &unread);
}

/* said: finding.json; happened: verdict.json */
static struct run *read_run(struct verifier *v, const char *name, const json_t *said,
                            const json_t *happened)
{
    const struct runner *runner = v->in->runner;
    const char *folder = arena_printf(v->arena, "%s/%s", v->in->import, name);
    const json_t *events = json_object_get(happened, "events");
    struct run *r = arena_one(v->arena, struct run);
    r->entry = arena_printf(v->arena, "%s", json_string_value(json_object_get(said, "entry")));
    r->directory = v->in->root;
    r->build = runner->bundle_build(v, name);
    r->is_harness = json_is_true(json_object_get(said, "harness"));
    r->checks_memory = json_is_true(json_object_get(said, "sanitized"));
    r->simulated = !strcmp(json_string_value(json_object_get(happened, "backend")), "sim");
    const char *version = json_string_value(json_object_get(happened, "version"));
    r->version = version ? arena_printf(v->arena, "%s", version) : NULL;
    r->complete = true; /* as far as is known: nothing guards what is written there */
    r->end = end_of((int)json_integer_value(json_object_get(happened, "status")));
    for (size_t i = 0; i < json_array_size(events); i++)
        event_take(v, json_incref(json_array_get(events, i)), r->directory, r);
    if (runner->read_memory_report)
        runner->read_memory_report(v, printed_by(v, folder), r);
    return r;
}

static bool judge_case(struct verifier *v, struct finding *f, const char *name, const json_t *said,
                       const json_t *happened, struct error *e)
{
    const json_t *events = json_object_get(happened, "events");
    if (!json_is_string(json_object_get(said, "entry")) ||
        !json_is_string(json_object_get(happened, "backend")) || !json_is_array(events) ||
        json_array_size(events) > MOST_EVENTS)
        return error_set(e, "no entry, backend or events, or too many of them");
    struct run *r = read_run(v, name, said, happened);
    judge_run(v, f, r);
    run_free(r);
    return true;
}

bool bundle_judge(struct verifier *v, struct finding *f, uint64_t state, struct error *e)
{
    const char *name = case_name(v, f);
    const char *folder = arena_printf(v->arena, "%s/%s", v->in->import, name);
    if (access(arena_printf(v->arena, "%s/verdict.json", folder), F_OK))
        return error_set(e, "it is not in %s, or was not run there", v->in->import);
    json_t *said = load(v, folder, "finding.json", e);
    json_t *happened = said ? load(v, folder, "verdict.json", e) : NULL;
    const char *now = arena_printf(v->arena, "%016" PRIx64, state);
    const char *then = json_string_value(json_object_get(said, "state"));
    bool ok = happened;
    if (ok && (!then || strcmp(now, then) != 0))
        ok = error_set(e, "its code has changed since it went to %s", v->in->import);
    ok = ok && judge_case(v, f, name, said, happened, e);
    json_decref(said);
    json_decref(happened);
    return ok;
}
