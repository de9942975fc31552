/* A run: a build and its launch come in; it runs in the sandbox, and its events go out. */
#include "analyzer/verify/run.h"

#include "analyzer/verify/channel.h"
#include "analyzer/verify/runner.h"
#include "analyzer/verify/scratch.h"
#include "runtime/trace/protocol.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *sandbox_held_text(struct arena *a, unsigned held)
{
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {{SANDBOX_NAMESPACES, "namespaces"},
                 {SANDBOX_LANDLOCK, "landlock"},
                 {SANDBOX_SECCOMP, "seccomp"},
                 {SANDBOX_RLIMITS, "limits"}};
    struct text t = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (held & names[i].bit)
            text_printf(&t, "%s%s", t.length ? ", " : "", names[i].name);
    return t.length ? text_keep(a, &t) : "nothing";
}

/* Of one file that it writes, stdout and stderr among them. */
enum { FILE_BYTES = 16 << 20 };

static bool start(struct verifier *v, const struct launch *l, const char *folder,
                  struct channel *channel, struct run *r, struct error *e)
{
    struct sandbox_channel ends = channel_ends(channel);
    struct process p = v->in->runner->process_of(v, r->build, l, folder);
    r->entry = arena_printf(v->arena, "%s", p.label); /* its own: it identifies the run */
    int wall_ms = v->in->limits.wall_ms + v->in->runner->start_ms;
    struct sandbox_run how = {
        .argv = p.argv,
        .environment = p.environment,
        .cwd = l->in_room  ? NULL
               : l->folder ? l->folder
                           : r->directory,
        .input = l->input,
        .room = folder,
        .hidden = v->in->hidden,
        .channel = &ends,
        .keeps = v->in->keep,
        .uncontained = v->in->uncontained,
        .limits = {.wall_ms = wall_ms,
                   .cpu_seconds = wall_ms / 1000 + 1,
                   .memory_bytes = v->in->limits.bytes,
                   .file_bytes = FILE_BYTES},
    };
    r->end = v->in->runner->execute ? v->in->runner->execute(v, &how) : sandbox_execute(&how);
    return r->end.how != SANDBOX_NOT_STARTED || error_set(e, "%s", r->end.why);
}

/* Whether its end was reported: a program that was killed may not have sent everything. */
static bool is_complete(const struct run *r)
{
    bool by_itself = r->end.how == SANDBOX_EXITED ||
                     (r->end.how == SANDBOX_SIGNALLED && r->end.status != SIGKILL);
    return r->closed && by_itself && !r->unknown;
}

/* "Net(dim=8).forward(x=float32 [2, 8])": what a harness called, if it says so. */
static void name_called(struct verifier *v, struct run *r)
{
    const char *called = json_string_value(json_object_get(r->last, "called"));
    if (called)
        r->entry = arena_printf(v->arena, "%s", called);
}

/* "train.py --half, without torch.compile": what it asked for and did not get. */
static void name_missing(struct verifier *v, struct run *r)
{
    const json_t *without = json_object_get(r->last, "without");
    for (size_t i = 0; i < json_array_size(without); i++)
        r->entry = arena_printf(v->arena, "%s%s%s", r->entry, i ? ", " : ", without ",
                                json_string_value(json_array_get(without, i)));
}

static void take_events(struct verifier *v, const struct channel *c, struct run *r)
{
    struct error e = {0};
    const char *trouble = channel_trouble(c, 0);
    r->cut = channel_is_cut(c, 0);
    if (!trouble && !events_read(v, channel_text(c, 0), r->directory, r, &e))
        trouble = e.message;
    if (trouble)
        r->broken = arena_printf(v->arena, "%s", trouble);
    r->complete = is_complete(r);
    name_called(v, r);
    name_missing(v, r);
}

/* For people to read. */
static void keep_events(struct verifier *v, const char *folder, const struct channel *c)
{
    const char *text = channel_text(c, 0);
    FILE *f = text ? fopen(arena_printf(v->arena, "%s/events", folder), "wx") : NULL;
    if (f) {
        (void)fputs(text, f);
        (void)fclose(f);
    }
}

static bool run_in(struct verifier *v, const char *folder, const struct launch *l, struct run *r,
                   struct error *e)
{
    struct channel *c = channel_new(v->arena,
                                    (l->shadows ? CHANNEL_SHADOW : 0u) |
                                        (v->in->runner->seals_digest ? CHANNEL_DIGEST : 0u),
                                    e);
    bool ran = c && start(v, l, folder, c, r, e);
    if (ran) {
        v->held = sandbox_held_text(v->arena, r->end.held);
        take_events(v, c, r);
        if (v->in->keep)
            keep_events(v, folder, c);
    }
    if (c)
        channel_free(c);
    return ran;
}

void pass_variables(struct arena *a, const char *const *names, int count, text_list *out)
{
    for (int i = 0; i < count; i++) {
        const char *value = getenv(names[i]);
        if (value)
            LIST_ADD(a, out, arena_printf(a, "%s=%s", names[i], value));
    }
}

const char *launch_label(struct arena *a, const char *program, const struct launch *l)
{
    struct text t = {0};
    for (const char *const *w = l->environment; w && *w; w++)
        text_printf(&t, "%s ", *w);
    text_add(&t, program);
    for (const char *const *w = l->arguments; *w; w++)
        text_printf(&t, " %s", *w);
    if (l->reads)
        text_printf(&t, " (%s)", l->reads);
    if (l->unlikely)
        text_add(&t, ", with unlikely random numbers,");
    return text_keep(a, &t);
}

struct run *run_build(struct verifier *v, const struct build *b, const struct launch *l,
                      const char *directory, struct error *e)
{
    struct run *r = arena_one(v->arena, struct run);
    const char *folder = make_folder(v, "run");
    *r = (struct run){.build = b,
                      .directory = directory,
                      .simulated = true,
                      .shadows = l->shadows,
                      .past_errors = l->past_errors};
    if (!folder) {
        error_set(e, "cannot make a folder in %s", v->room);
        return NULL;
    }
    bool ran = run_in(v, folder, l, r, e);
    if (!v->in->keep)
        remove_tree(folder);
    return ran ? r : NULL;
}

const char *run_trouble(struct verifier *v, const struct run *r)
{
    if (r->end.how == SANDBOX_EXITED)
        return NULL;
    if (r->end.how == SANDBOX_SIGNALLED)
        return arena_printf(v->arena, "ended by signal %d (%s)", r->end.status,
                            strsignal(r->end.status));
    return arena_printf(v->arena, "was ended: %s",
                        *r->end.why ? r->end.why : sandbox_how_name(r->end.how));
}
