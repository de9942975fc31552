/* A run: an executable and its arguments come in; it runs in the sandbox, and out goes what the
 * runtime saw. */
#include "analyzer/verify/bundle.h"
#include "analyzer/verify/interrupt.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_BYTES = 256 << 20 };

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
    LIST_ADD(v->arena, &words, arena_printf(v->arena, "MISCAST_PROBE=%s/events", folder));
    LIST_ADD(v->arena, &words, "MISCAST_PROBE_FULL=8000");
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

/* What it left in its room; NULL: nothing, or nothing that is a file. */
static const char *left_behind(struct verifying *v, struct arena *a, const char *folder,
                               const char *name)
{
    struct error unread;
    size_t length;
    int fd = sandbox_open(folder, name);
    if (fd < 0)
        return NULL;
    const char *path = arena_printf(v->arena, "/proc/self/fd/%d", fd);
    const char *text = file_read(a, path, &length, &unread);
    close(fd);
    return text;
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
                  const char *folder, const char *directory, const struct run_way *way,
                  struct run *r, struct error *e)
{
    word_list argv = {0};
    LIST_ADD(v->arena, &argv, executable);
    for (; arguments && *arguments; arguments++)
        LIST_ADD(v->arena, &argv, *arguments);
    LIST_ADD(v->arena, &argv, NULL);
    struct sandbox_run how = {
        .argv = argv.items,
        .environment = environment(v, folder, way),
        .cwd = way->in_room ? NULL : directory,
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
    if (!start(v, executable, arguments, folder, directory, way, r, e))
        return NULL;
    recipe_run(v, r->entry, executable, arguments, way);
    struct error unread;
    v->held = held_text(v, r->end.held);
    struct arena *read = arena_new();
    events_read(v, left_behind(v, read, folder, "events"), directory, r, &unread);
    sanitizer_read(v, left_behind(v, read, folder, "stderr"), r);
    arena_free(read);
    if (!v->in->keep)
        remove_tree(folder);
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
