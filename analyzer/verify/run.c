/* A run: an executable and its arguments come in; it runs in the sandbox, and out goes what the
 * runtime saw. */
#include "analyzer/verify/bundle.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_BYTES = 256 << 20, SAID_BYTES = 400 };

typedef LIST(const char *) word_list;

/* What programs and the runtime read. Nothing else of the user's environment comes along. */
static const char *const passed_on[] = {"PATH", "LANG", "LC_ALL", "HOME", "LD_LIBRARY_PATH"};

static const char *const *environment(struct verifying *v, const char *folder,
                                      const char *const *settings)
{
    word_list words = {0};
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) {
        const char *value = getenv(passed_on[i]);
        if (value)
            LIST_ADD(v->arena, &words, arena_printf(v->arena, "%s=%s", passed_on[i], value));
    }
    LIST_ADD(v->arena, &words, arena_printf(v->arena, "TMPDIR=%s", folder));
    LIST_ADD(v->arena, &words, arena_printf(v->arena, "MISCAST_PROBE=%s/events", folder));
    LIST_ADD(v->arena, &words, "MISCAST_SIM_DEVICES=8");
    LIST_ADD(v->arena, &words, "ASAN_OPTIONS=detect_leaks=0");
    LIST_ADD(v->arena, &words, "OPENBLAS_NUM_THREADS=1");
    LIST_ADD(v->arena, &words, "MISCAST_THREADS=1");
    for (; settings && *settings; settings++)
        if (strcmp(*settings, RUN_IN_ROOM) != 0)
            LIST_ADD(v->arena, &words, *settings);
    LIST_ADD(v->arena, &words, NULL);
    return words.items;
}

/* The last line of it that says something. */
static const char *last_words(struct verifying *v, const char *path)
{
    struct error e;
    size_t length;
    char *text = file_read(v->arena, path, &length, &e);
    if (!text)
        return "";
    while (length && text[length - 1] == '\n')
        text[--length] = '\0';
    char *line = strrchr(text, '\n');
    line = line ? line + 1 : text;
    return strlen(line) > SAID_BYTES ? line + strlen(line) - SAID_BYTES : line;
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
                  const char *folder, const char *directory, const char *const *settings,
                  struct run *r, struct error *e)
{
    word_list argv = {0};
    LIST_ADD(v->arena, &argv, executable);
    for (; arguments && *arguments; arguments++)
        LIST_ADD(v->arena, &argv, *arguments);
    LIST_ADD(v->arena, &argv, NULL);
    struct sandbox_run how = {
        .argv = argv.items,
        .environment = environment(v, folder, settings),
        .cwd = settings && *settings && !strcmp(*settings, RUN_IN_ROOM) ? NULL : directory,
        .room = folder,
        .hidden = v->in->hidden,
        .uncontained = v->in->uncontained,
        .limits = {.wall_ms = v->in->limits.wall_ms,
                   .cpu_seconds = v->in->limits.wall_ms / 1000 + 1,
                   .memory_bytes = v->in->limits.bytes,
                   .file_bytes = FILE_BYTES},
    };
    r->end = sandbox_execute(&how);
    return r->end.how != SANDBOX_NOT_STARTED || error_set(e, "%s", r->end.why);
}

struct run *run_program(struct verifying *v, const char *executable, const char *const *arguments,
                        const char *entry, const char *directory, const char *const *settings,
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
    if (!start(v, executable, arguments, folder, directory, settings, r, e))
        return NULL;
    recipe_run(v, r->entry, executable, arguments, settings);
    struct error unread;
    size_t length;
    v->held = held_text(v, r->end.held);
    r->output = last_words(v, arena_printf(v->arena, "%s/stderr", folder));
    events_read(v, arena_printf(v->arena, "%s/events", folder), directory, r, &unread);
    sanitizer_read(
        v, file_read(v->arena, arena_printf(v->arena, "%s/stderr", folder), &length, &unread), r);
    return r;
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
