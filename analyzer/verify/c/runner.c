/* The runner of C: its functions, and how an executable is started. */
#include "analyzer/verify/c/private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void *state_new(struct verifier *v)
{
    struct c_state *s = arena_one(v->arena, struct c_state);
    s->objects = map_new(v->arena);
    s->defined = map_new(v->arena);
    s->places = map_new(v->arena);
    v->runner_state = s;
    c_index(v);
    return s;
}

/* The library has megabytes, and reading it would take longer than some runs: which file it is, and
 * when it was written, is enough. */
static uint64_t hash_library(const char *path, uint64_t h)
{
    struct stat st;
    if (stat(path, &st))
        return hash_bytes("not there", sizeof "not there", h);
    int64_t look[] = {(int64_t)st.st_dev, (int64_t)st.st_ino, st.st_size,        st.st_mtim.tv_sec,
                      st.st_mtim.tv_nsec, st.st_ctim.tv_sec,  st.st_ctim.tv_nsec};
    return hash_bytes(look, sizeof look, h);
}

static uint64_t hash_tools(struct verifier *v, uint64_t h)
{
    const char *compiler = compiler_of(v);
    h = hash_library(c_tools(v)->library, h);
    return hash_bytes(compiler, strlen(compiler) + 1, h);
}

/* ---- starting ---------------------------------------------------------------------------------
 */

void launch_settings(struct verifier *v, const struct launch *l, text_list *out)
{
    if (l->past_errors)
        LIST_ADD(v->arena, out, "MISCAST_PROBE_ERRORS=go-on");
    if (l->guards_memory)
        LIST_ADD(v->arena, out, "MISCAST_GUARD=1");
    if (l->unlikely)
        LIST_ADD(v->arena, out, "MISCAST_PROBE_DRAWS=ends");
    for (const char *const *w = l->environment; w && *w; w++)
        LIST_ADD(v->arena, out, *w);
    if (l->shadows)
        LIST_ADD(v->arena, out, "MISCAST_PROBE_SHADOW=1");
}

/* What programs and the runtime read. Nothing else of the user's environment is passed on. */
static const char *const passed_on[] = {"PATH", "LANG", "LC_ALL", "HOME", "LD_LIBRARY_PATH"};

static const char *const *environment_of(struct verifier *v, const struct launch *l,
                                         const char *room)
{
    text_list words = {0};
    pass_variables(v->arena, passed_on, COUNT(passed_on), &words);
    LIST_ADD(v->arena, &words, arena_printf(v->arena, "TMPDIR=%s", room));
    LIST_ADD(v->arena, &words, "MISCAST_CUDA=sim"); /* the sandbox shows no GPU */
    LIST_ADD(v->arena, &words, "MISCAST_SIM_DEVICES=8");
    LIST_ADD(v->arena, &words, "ASAN_OPTIONS=detect_leaks=0");
    LIST_ADD(v->arena, &words, "OPENBLAS_NUM_THREADS=1");
    LIST_ADD(v->arena, &words, "MISCAST_THREADS=1");
    launch_settings(v, l, &words);
    LIST_ADD(v->arena, &words, NULL);
    return words.items;
}

/* "main --half", "forward()" */
static const char *label_of(struct verifier *v, const struct build *b, const struct launch *l)
{
    return b->function ? arena_printf(v->arena, "%s()", b->function)
                       : launch_label(v->arena, "main", l);
}

static struct process process_of(struct verifier *v, const struct build *b, const struct launch *l,
                                 const char *room)
{
    text_list argv = {0};
    LIST_ADD(v->arena, &argv, b->executable);
    for (const char *const *a = l->arguments; *a; a++)
        LIST_ADD(v->arena, &argv, *a);
    LIST_ADD(v->arena, &argv, NULL);
    return (struct process){
        .argv = argv.items, .environment = environment_of(v, l, room), .label = label_of(v, b, l)};
}

static struct build *build_of(struct verifier *v, const char *executable)
{
    struct build *b = arena_one(v->arena, struct build);
    b->executable = executable ? arena_printf(v->arena, "%s", executable) : NULL;
    return b;
}

static const char *explain_exit(int status)
{
    enum { NO_SUCH_FUNCTION = 127 }; /* the dynamic linker's status */
    return status == NO_SUCH_FUNCTION
               ? "it needs a library: only its own files and the runtime are linked"
               : NULL;
}

const struct runner c_runner = {
    .library = "the runtime",
    .start = "main",
    .shadows = true,
    .goes_past_errors = true,
    .state_new = state_new,
    .program_of = c_program_of,
    .unit_files = c_unit_files,
    .hash_tools = hash_tools,
    .choices_of = c_choices_of,
    .build = c_build,
    .process_of = process_of,
    .environment_of = environment_of,
    .command_variables = c_command_variables,
    .library_for = c_library_for,
    .unobserved = c_unobserved,
    .unseen = c_unseen,
    .read_process = c_read_process,
    .build_of = build_of,
    .inputs_for = c_inputs_for,
    .inputs_next = c_inputs_next,
    .distrust = c_distrust,
    .add_frames = c_add_frames,
    .read_memory_report = c_read_memory_report,
    .explain_exit = explain_exit,
    .bundle_case = c_bundle_case,
    .bundle_close = c_bundle_close,
    .bundle_build = c_bundle_build,
};
