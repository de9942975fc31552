/* Reading a bundle back: what the runtime wrote on another machine comes in, and is judged here as
 * if it had run here. A case of code that has changed since says nothing any more. */
#include "analyzer/verify/bundle.h"

#include "runtime/trace/seal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a run writes is less than this. */
enum { MOST_EVENTS = CHANNEL_EVENTS + 1000 };

static json_t *load(struct verifying *v, const char *folder, const char *name, struct error *e)
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

/* A file of the case; NULL: it is not there. */
static const char *file_of(struct verifying *v, const char *name, const char *file)
{
    struct error unread;
    size_t length;
    const char *path = arena_printf(v->arena, "%s/%s/%s", v->in->import, name, file);
    return file_read_kind(v->arena, path, FILE_RESULTS, &length, &unread);
}

/* name: of the case, and of its program, which says what its addresses are if it came along. */
static bool judge_case(struct verifying *v, struct finding *f, const char *name, const json_t *said,
                       const json_t *happened, struct error *e)
{
    const char *executable = arena_printf(v->arena, "%s/build/bin/%s", v->in->import, name);
    const char *entry = json_string_value(json_object_get(said, "entry"));
    const char *backend = json_string_value(json_object_get(happened, "backend"));
    const json_t *events = json_object_get(happened, "events");
    struct run *r = arena_one(v->arena, struct run);
    if (!entry || !backend || !json_is_array(events) || json_array_size(events) > MOST_EVENTS)
        return error_set(e, "no entry, backend or events, or too many of them");
    r->entry = arena_printf(v->arena, "%s", entry);
    r->directory = v->in->root;
    r->is_harness = json_is_true(json_object_get(said, "harness"));
    r->simulated = !strcmp(backend, "sim");
    r->executable = access(executable, R_OK) ? NULL : executable;
    r->places = file_of(v, name, "places");
    r->complete = true; /* as far as can be known: nothing guards what is written there */
    r->end = end_of((int)json_integer_value(json_object_get(happened, "status")));
    for (size_t i = 0; i < json_array_size(events); i++)
        event_take(v, json_incref(json_array_get(events, i)), r->directory, r);
    r->sanitized = json_is_true(json_object_get(said, "sanitized"));
    sanitizer_read(v, file_of(v, name, "stderr"), r);
    judge_run(v, f, r);
    run_free(r);
    return true;
}

bool bundle_judge(struct verifying *v, struct finding *f, uint64_t state, struct error *e)
{
    const char *name = arena_printf(v->arena, "%s-%016" PRIx64, f->rule, f->identity);
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
