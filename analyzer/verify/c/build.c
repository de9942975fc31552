/* Compiling and linking: a program (program.c) comes in, an executable goes out. Units are compiled
 * with their own flags, each once; optimisation is left away, as it costs time and proves nothing.
 * Only the compiler is ever run here, never what a database names. */
#include "analyzer/verify/bundle.h"
#include "analyzer/verify/c/object.h"
#include "analyzer/verify/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/* ---- names ---------------------------------------------------------------------------------- */

const char *make_folder(struct verifying *v, const char *name)
{
    const char *path = arena_printf(v->arena, "%s/%s%d", v->room, name, v->made++);
    return mkdir(path, 0700) ? NULL : path;
}

const char *path_real(struct verifying *v, const char *directory, const char *path)
{
    if (directory && *path != '/')
        path = arena_printf(v->arena, "%s/%s", directory, path);
    uint64_t key = hash_bytes(path, strlen(path), 0);
    const char *known = map_get(v->real, key);
    if (known)
        return known;
    char *real = realpath(path, NULL);
    const char *kept = arena_printf(v->arena, "%s", real ? real : path);
    free(real);
    uint64_t own = hash_bytes(kept, strlen(kept), 0);
    const char *first = map_get(v->real, own);
    first = first ? first : kept;
    map_put(v->real, own, (void *)(uintptr_t)first);
    map_put(v->real, key, (void *)(uintptr_t)first);
    return first;
}

/* ---- the compiler -----------------------------------------------------------------------------
 */

static const char *compiler(const struct verifying *v)
{
    return v->in->compiler ? v->in->compiler : "cc";
}

/* The first line of what it said that tells of an error; else its first line. */
static void first_words(struct verifying *v, const char *log, struct error *e, const char *what)
{
    struct error unread;
    size_t length;
    const char *text = file_read(v->arena, log, &length, &unread);
    const char *at = text ? strstr(text, "error: ") : NULL;
    if (text && !at)
        at = strstr(text, "undefined reference");
    at = at ? at : text ? text + strspn(text, "\n") : "";
    error_set(e, "%s: %.*s", what, (int)strcspn(at, "\n"), at);
}

/* What it makes on the way goes into our folder, and away with it. */
static char *const *compiler_environment(struct verifying *v)
{
    LIST(const char *) words = {0};
    for (char **at = environ; *at; at++)
        if (strncmp(*at, "TMPDIR=", 7) != 0)
            LIST_ADD(v->arena, &words, *at);
    LIST_ADD(v->arena, &words, arena_printf(v->arena, "TMPDIR=%s", v->room));
    LIST_ADD(v->arena, &words, NULL);
    return (char *const *)(uintptr_t)words.items;
}

/* Runs it in a folder, with what it says in a log. */
static bool run_compiler(struct verifying *v, const char *const *argv, const char *directory,
                         const char *what, struct error *e)
{
    const char *log = arena_printf(v->arena, "%s/log%d", v->room, v->made++);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (directory)
        posix_spawn_file_actions_addchdir_np(&actions, directory);
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    const char *trouble = tool_run(v, argv, compiler_environment(v), &actions);
    posix_spawn_file_actions_destroy(&actions);
    if (trouble && *trouble)
        error_set(e, "%s: %s", what, trouble);
    else if (trouble)
        first_words(v, log, e, what);
    return !trouble;
}

static bool write_text(const char *path, const char *text, struct error *e)
{
    FILE *f = fopen(path, "w");
    bool ok = f && fputs(text, f) >= 0;
    ok = f && fclose(f) == 0 && ok;
    return ok || error_at(e, path, 0, 0, "cannot be written: %s", strerror(errno));
}

/* ---- objects ----------------------------------------------------------------------------------
 */

typedef LIST(const char *) word_list;

/* The text of a file that is not saved, in a file of its own that says where it belongs. */
static const char *unsaved_file(struct verifying *v, const char *real, struct error *e)
{
    const char *path = arena_printf(v->arena, "%s/unsaved%d.c", v->room, v->made++);
    const char *text = arena_printf(v->arena, "#line 1 \"%s\"\n%s", real, v->in->unsaved_text);
    return write_text(path, text, e) ? path : NULL;
}

static bool is_unsaved(struct verifying *v, const char *real)
{
    return v->in->unsaved && path_real(v, NULL, v->in->unsaved) == real;
}

/* A harness includes the file it is for by its real path. */
static const char *with_unsaved(struct verifying *v, const char *text, const char *real,
                                struct error *e)
{
    const char *included = arena_printf(v->arena, "#include \"%s\"\n", real);
    const char *at = strstr(text, included), *path = at ? unsaved_file(v, real, e) : NULL;
    return path ? arena_printf(v->arena, "%.*s#include \"%s\"\n%s", (int)(at - text), text, path,
                               at + strlen(included))
                : text;
}

static const char *source_file(struct verifying *v, const char *text, const char *real,
                               struct error *e)
{
    const char *path = arena_printf(v->arena, "%s/source%d.c", v->room, v->made++);
    text = is_unsaved(v, real) ? with_unsaved(v, text, real, e) : text;
    return write_text(path, text, e) ? path : NULL;
}

/* A precompiled header is taken only for what is included first, before anything is declared: with
 * this in front, by no compiler. One that lies next to a header need not be made from it. */
static const char *first_header(struct verifying *v, struct error *e)
{
    const char *path = arena_printf(v->arena, "%s/first.h", v->room);
    if (!access(path, F_OK))
        return path;
    return write_text(path, FIRST_HEADER, e) ? path : NULL;
}

/* text: what stands in the file instead; NULL: what does. */
static const char *compile(struct verifying *v, const struct verify_unit *u, const char *text,
                           bool renames_main, struct error *e)
{
    const char *object = arena_printf(v->arena, "%s/object%d.o", v->room, v->made++);
    const char *file = path_real(v, NULL, u->file);
    const char *first = first_header(v, e);
    word_list argv = {0};
    if (!first)
        return NULL;
    LIST_ADD(v->arena, &argv, compiler(v));
    LIST_ADD(v->arena, &argv, "-include");
    LIST_ADD(v->arena, &argv, first);
    for (int i = 0; i < u->flag_count; i++)
        LIST_ADD(v->arena, &argv, u->flags[i]);
    /* Of later forms addr2line takes a file that is included for the one that includes it. */
    static const char *const ours[] = {"-O0", "-gdwarf-4", "-w", "-fno-omit-frame-pointer",
                                       "-pthread"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        LIST_ADD(v->arena, &argv, ours[i]);
    if (v->sanitizes)
        LIST_ADD(v->arena, &argv, "-fsanitize=address");
    LIST_ADD(v->arena, &argv, arena_printf(v->arena, "-I%s", v->in->include));
    if (renames_main)
        LIST_ADD(v->arena, &argv, "-Dmain=miscast_other_main");
    if (text || is_unsaved(v, file)) {
        const char *folder = arena_printf(v->arena, "%.*s", (int)(strrchr(file, '/') - file), file);
        LIST_ADD(v->arena, &argv, arena_printf(v->arena, "-iquote%s", folder));
        file = text ? source_file(v, text, file, e) : unsaved_file(v, file, e);
        if (!file)
            return NULL;
    }
    LIST_ADD(v->arena, &argv, "-c");
    LIST_ADD(v->arena, &argv, file);
    LIST_ADD(v->arena, &argv, "-o");
    LIST_ADD(v->arena, &argv, object);
    LIST_ADD(v->arena, &argv, NULL);
    return run_compiler(v, argv.items, u->directory, "it does not compile", e) ? object : NULL;
}

/* An object of the program; what is ours is allowed more. */
static const char *compile_plain(struct verifying *v, const struct verify_unit *u, const char *text,
                                 bool renames_main, struct error *e)
{
    const char *object = compile(v, u, text, renames_main, e);
    return object && object_is_plain(v, object, e) ? object : NULL;
}

/* As it stands in the file: once is enough. */
static const char *object_of(struct verifying *v, const struct verify_unit *u, bool renames_main,
                             struct error *e)
{
    uint64_t key =
        hash_bytes(u->file, strlen(u->file), (renames_main ? 2 : 1) + (v->sanitizes ? 2 : 0));
    const char *object = map_get(v->objects, key);
    if (!object && (object = compile_plain(v, u, NULL, renames_main, e)))
        map_put(v->objects, key, (void *)(uintptr_t)object);
    return object;
}

/* Names that nobody defines are left to chance: what is not called does no harm, and what is ends
 * the run in a way that can be told. */
static const char *link_objects(struct verifying *v, const word_list *objects, struct error *e)
{
    const char *out = arena_printf(v->arena, "%s/program%d", v->room, v->made++);
    word_list argv = {0};
    LIST_ADD(v->arena, &argv, compiler(v));
    for (int i = 0; i < objects->count; i++)
        LIST_ADD(v->arena, &argv, objects->items[i]);
    /* Even where nothing of it is called: it tells of the end. */
    LIST_ADD(v->arena, &argv, "-Wl,--no-as-needed");
    LIST_ADD(v->arena, &argv, v->in->library);
    size_t n = strlen(v->in->library);
    bool shared = n < 2 || strcmp(v->in->library + n - 2, ".a") != 0;
    if (shared)
        LIST_ADD(v->arena, &argv,
                 arena_printf(v->arena, "-Wl,-rpath,%.*s",
                              (int)(strrchr(v->in->library, '/') - v->in->library),
                              v->in->library));
    /* What a shared library needs is not looked into, which would take longer than all else. */
    LIST_ADD(v->arena, &argv,
             shared ? "-Wl,--unresolved-symbols=ignore-all"
                    : "-Wl,--unresolved-symbols=ignore-in-object-files");
    static const char *const rest[] = {"-lopenblas", "-lm",       "-ldl",
                                       "-pthread",   "-rdynamic", "-Wl,-z,lazy"};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        LIST_ADD(v->arena, &argv, rest[i]);
    if (v->sanitizes)
        LIST_ADD(v->arena, &argv, "-fsanitize=address");
    LIST_ADD(v->arena, &argv, "-o");
    LIST_ADD(v->arena, &argv, out);
    LIST_ADD(v->arena, &argv, NULL);
    return run_compiler(v, argv.items, NULL, "it does not link", e) ? out : NULL;
}

/* In place of a library that is not here, and that would not say what was wrong. */
static bool add_stand_in(struct verifying *v, const struct program *p, word_list *objects,
                         struct error *e)
{
    static const char *const no_flags[] = {NULL};
    const struct verify_unit unit = {
        .file = p->entry->file, .directory = p->entry->directory, .flags = no_flags};
    const char *text = stand_in_for(v, p);
    const char *object = text ? compile(v, &unit, text, false, e) : NULL;
    if (object)
        LIST_ADD(v->arena, objects, object);
    return object || !text;
}

const char *build_program(struct verifying *v, const struct program *p, const struct compiling *how,
                          struct error *e)
{
    word_list objects = {0};
    v->sanitizes = how->sanitizes;
    for (int i = 0; i < p->units.count; i++) {
        const struct verify_unit *u = p->units.items[i];
        bool own_text = u == how->unit;
        bool renames = function_of(u, "main") && (how->no_main ? !own_text : u != p->entry);
        const char *object =
            own_text ? compile_plain(v, u, how->text, renames, e) : object_of(v, u, renames, e);
        if (!object)
            return NULL;
        LIST_ADD(v->arena, &objects, object);
    }
    if (!add_stand_in(v, p, &objects, e))
        return NULL;
    const char *out = link_objects(v, &objects, e);
    if (out)
        recipe_built(v, out, p, how);
    return out;
}
