/* A run: an executable and its arguments come in; it runs in the sandbox, and out goes what the
 * runtime saw. */
#include "analyzer/verify/bundle.h"
#include "analyzer/verify/channel.h"
#include "analyzer/verify/scratch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of one file that it writes, what it prints among them. */
enum { FILE_BYTES = 16 << 20 };

typedef LIST(const char *) word_list;

/* What programs and the runtime read. Nothing else of the user's environment comes along. */
static const char *const passed_on[] = {"PATH", "LANG", "LC_ALL", "HOME", "LD_LIBRARY_PATH"};

static const char *const *environment(struct verifying *v, const char *folder,
                                      const struct run_way *way)
{
    word_list words = {0};
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) {
        const char *value = getenv(passed_on[i]);
        if (value)
            LIST_ADD(v->arena, &words, arena_printf(v->arena, "%s=%s", passed_on[i], value));
    }
    LIST_ADD(v->arena, &words, arena_printf(v->arena, "TMPDIR=%s", folder));
    LIST_ADD(v->arena, &words, "MISCAST_CUDA=sim"); /* the sandbox shows no GPU */
    LIST_ADD(v->arena, &words, "MISCAST_SIM_DEVICES=8");
    LIST_ADD(v->arena, &words, "ASAN_OPTIONS=detect_leaks=0");
    LIST_ADD(v->arena, &words, "OPENBLAS_NUM_THREADS=1");
    LIST_ADD(v->arena, &words, "MISCAST_THREADS=1");
    if (way->setting)
        LIST_ADD(v->arena, &words, way->setting);
    LIST_ADD(v->arena, &words, NULL);
    return words.items;
}

static const char *held_text(struct verifying *v, unsigned held)
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
    return t.length ? text_keep(v->arena, &t) : "nothing";
}

static bool start(struct verifying *v, const char *executable, const char *const *arguments,
                  const char *folder, const struct run_way *way, struct channel *channel,
                  struct run *r, struct error *e)
{
    word_list argv = {0};
    struct sandbox_channel ends = channel_ends(channel);
    LIST_ADD(v->arena, &argv, executable);
    for (; arguments && *arguments; arguments++)
        LIST_ADD(v->arena, &argv, *arguments);
    LIST_ADD(v->arena, &argv, NULL);
    struct sandbox_run how = {
        .argv = argv.items,
        .environment = environment(v, folder, way),
        .cwd = way->in_room ? NULL : r->directory,
        .room = folder,
        .hidden = v->in->hidden,
        .channel = &ends,
        .keeps = v->in->keep,
        .uncontained = v->in->uncontained,
        .limits = {.wall_ms = v->in->limits.wall_ms,
                   .cpu_seconds = v->in->limits.wall_ms / 1000 + 1,
                   .memory_bytes = v->in->limits.bytes,
                   .file_bytes = FILE_BYTES},
    };
    r->end = sandbox_execute(&how);
    return r->end.how != SANDBOX_NOT_STARTED || error_set(e, "%s", r->end.why);
}

/* Whether it came to an end that was told: whoever is killed may have kept something back. */
static bool is_complete(const struct run *r)
{
    bool by_itself = r->end.how == SANDBOX_EXITED ||
                     (r->end.how == SANDBOX_SIGNALLED && r->end.status != SIGKILL);
    return r->closed && by_itself;
}

static void take_events(struct verifying *v, const struct channel *c, struct run *r)
{
    struct error e = {0};
    const char *trouble = channel_trouble(c);
    r->cut = channel_is_cut(c);
    if (!trouble && !events_read(v, channel_text(c), r->directory, r, &e))
        trouble = e.message;
    if (trouble)
        r->broken = arena_printf(v->arena, "%s", trouble);
    r->complete = is_complete(r);
}

/* For people to read. */
static void keep_events(struct verifying *v, const char *folder, const struct channel *c)
{
    const char *text = channel_text(c);
    FILE *f = text ? fopen(arena_printf(v->arena, "%s/events", folder), "wx") : NULL;
    if (f) {
        (void)fputs(text, f);
        (void)fclose(f);
    }
}

static bool run_in(struct verifying *v, const char *folder, const char *const *arguments,
                   const struct run_way *way, struct run *r, struct error *e)
{
    struct channel *c = channel_new(v->arena, e);
    bool ran = c && start(v, r->executable, arguments, folder, way, c, r, e);
    if (ran) {
        v->held = held_text(v, r->end.held);
        take_events(v, c, r);
        if (v->in->keep)
            keep_events(v, folder, c);
    }
    if (c)
        channel_free(c);
    return ran;
}

struct run *run_program(struct verifying *v, const char *executable, const char *const *arguments,
                        const char *entry, const char *directory, const struct run_way *way,
                        struct error *e)
{
    struct run *r = arena_one(v->arena, struct run);
    const char *folder = make_folder(v, "run");
    r->entry = arena_printf(v->arena, "%s", entry); /* its own: it stands for the run */
    r->directory = directory;
    r->executable = executable;
    r->simulated = true;
    if (!folder) {
        error_set(e, "cannot make a folder in %s", v->room);
        return NULL;
    }
    bool ran = run_in(v, folder, arguments, way, r, e);
    if (ran)
        recipe_run(v, r->entry, executable, arguments, way);
    if (!v->in->keep)
        remove_tree(folder);
    return ran ? r : NULL;
}

const char *run_trouble(struct verifying *v, const struct run *r)
{
    if (r->end.how == SANDBOX_EXITED)
        return NULL;
    if (r->end.how == SANDBOX_SIGNALLED)
        return arena_printf(v->arena, "it ended by signal %d (%s)", r->end.status,
                            strsignal(r->end.status));
    return arena_printf(v->arena, "it was ended: %s",
                        *r->end.why ? r->end.why : sandbox_how_name(r->end.how));
}
