/* The compiler and the linker: a unit with its own flags comes in, an object goes out; objects come
 * in, an executable goes out. Without optimisation, which costs time and proves nothing. Only the
 * compiler is ever run here, never what a compile database names. */
#include "analyzer/verify/c/private.h"
#include "analyzer/verify/tool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

const char *compiler_of(const struct verifier *v)
{
    return c_tools(v)->compiler ? c_tools(v)->compiler : "cc";
}

static void add_words(struct verifier *v, text_list *l, const char *const *words)
{
    for (; *words; words++)
        LIST_ADD(v->arena, l, *words);
}

/* ---- running it ------------------------------------------------------------------------------ */

/* The first error in what it printed; else its first line. */
static void first_words(struct verifier *v, const char *log, struct error *e, const char *what)
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

/* Its temporary files go into our folder, and are removed with it. */
static char *const *compiler_environment(struct verifier *v)
{
    LIST(const char *) words = {0};
    for (char **at = environ; *at; at++)
        if (strncmp(*at, "TMPDIR=", 7) != 0)
            LIST_ADD(v->arena, &words, *at);
    LIST_ADD(v->arena, &words, arena_printf(v->arena, "TMPDIR=%s", v->room));
    LIST_ADD(v->arena, &words, NULL);
    return (char *const *)(uintptr_t)words.items;
}

/* Runs it in a folder, with its output in a log. */
static bool run_compiler(struct verifier *v, const char *const *argv, const char *directory,
                         const char *what, struct error *e)
{
    const char *log = arena_printf(v->arena, "%s/log%d", v->room, v->made++);
    const struct tool_command command = {argv, compiler_environment(v), directory, log, true};
    const char *trouble = tool_run(v, &command);
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

/* ---- sources --------------------------------------------------------------------------------- */

/* The text of a file that is not saved, in a file of its own with the name of the original. */
static const char *unsaved_file(struct verifier *v, const char *real, struct error *e)
{
    const char *path = arena_printf(v->arena, "%s/unsaved%d.c", v->room, v->made++);
    const char *text = arena_printf(v->arena, "#line 1 \"%s\"\n%s", real, v->in->unsaved_text);
    return write_text(path, text, e) ? path : NULL;
}

static bool is_unsaved(struct verifier *v, const char *real)
{
    return v->in->unsaved && path_real(v, NULL, v->in->unsaved) == real;
}

/* A harness includes the file it is for by its real path. */
static const char *with_unsaved(struct verifier *v, const char *text, const char *real,
                                struct error *e)
{
    const char *included = arena_printf(v->arena, "#include \"%s\"\n", real);
    const char *at = strstr(text, included), *path = at ? unsaved_file(v, real, e) : NULL;
    return path ? arena_printf(v->arena, "%.*s#include \"%s\"\n%s", (int)(at - text), text, path,
                               at + strlen(included))
                : text;
}

static const char *source_file(struct verifier *v, const char *text, const char *real,
                               struct error *e)
{
    const char *path = arena_printf(v->arena, "%s/source%d.c", v->room, v->made++);
    text = is_unsaved(v, real) ? with_unsaved(v, text, real, e) : text;
    return write_text(path, text, e) ? path : NULL;
}

/* Compilers use a precompiled header only for the first include, before any declaration: with this
 * in front, for none. One that is next to a header need not have been made from it. */
static const char *first_header(struct verifier *v, struct error *e)
{
    const char *path = arena_printf(v->arena, "%s/first.h", v->room);
    if (!access(path, F_OK))
        return path;
    return write_text(path, FIRST_HEADER, e) ? path : NULL;
}

/* ---- objects and executables ------------------------------------------------------------------
 */

const char *compile(struct verifier *v, const struct compiling *how, struct error *e)
{
    const struct verify_unit *u = how->unit;
    const char *object = arena_printf(v->arena, "%s/object%d.o", v->room, v->made++);
    const char *file = path_real(v, NULL, u->file);
    const char *first = first_header(v, e);
    text_list argv = {0};
    if (!first)
        return NULL;
    add_words(v, &argv, (const char *[]){compiler_of(v), "-include", first, NULL});
    for (int i = 0; i < u->flag_count; i++)
        LIST_ADD(v->arena, &argv, u->flags[i]);
    /* In later versions of DWARF addr2line takes an included file for the one that includes it. */
    add_words(v, &argv,
              (const char *[]){"-O0", "-gdwarf-4", "-w", "-fno-omit-frame-pointer", "-pthread",
                               how->sanitizes ? "-fsanitize=address" : NULL, NULL});
    LIST_ADD(v->arena, &argv, arena_printf(v->arena, "-I%s", c_tools(v)->include));
    if (how->renames_main)
        LIST_ADD(v->arena, &argv, OTHER_MAIN);
    if (how->text || is_unsaved(v, file)) {
        const char *folder = arena_printf(v->arena, "%.*s", (int)(strrchr(file, '/') - file), file);
        LIST_ADD(v->arena, &argv, arena_printf(v->arena, "-iquote%s", folder));
        file = how->text ? source_file(v, how->text, file, e) : unsaved_file(v, file, e);
        if (!file)
            return NULL;
    }
    add_words(v, &argv, (const char *[]){"-c", file, "-o", object, NULL});
    LIST_ADD(v->arena, &argv, NULL);
    return run_compiler(v, argv.items, u->directory, "it does not compile", e) ? object : NULL;
}

/* Undefined names are ignored: what is not called does no harm, and what is called ends the run
 * with a status of its own. */
const char *link_objects(struct verifier *v, const text_list *objects, bool sanitizes,
                         struct error *e)
{
    const char *out = arena_printf(v->arena, "%s/program%d", v->room, v->made++);
    const char *library = c_tools(v)->library;
    text_list argv = {0};
    LIST_ADD(v->arena, &argv, compiler_of(v));
    for (int i = 0; i < objects->count; i++)
        LIST_ADD(v->arena, &argv, objects->items[i]);
    /* Even where nothing of it is called: it reports the end. */
    add_words(v, &argv, (const char *[]){"-Wl,--no-as-needed", library, NULL});
    size_t n = strlen(library);
    bool shared = n < 2 || strcmp(library + n - 2, ".a") != 0;
    if (shared)
        LIST_ADD(v->arena, &argv,
                 arena_printf(v->arena, "-Wl,-rpath,%.*s", (int)(strrchr(library, '/') - library),
                              library));
    /* What a shared library needs is found when the program starts: to resolve it here would take
     * longer than everything else. */
    if (shared)
        LIST_ADD(v->arena, &argv, "-Wl,--unresolved-symbols=ignore-all");
    else
        add_words(v, &argv,
                  (const char *[]){"-Wl,--unresolved-symbols=ignore-in-object-files", "-lopenblas",
                                   NULL});
    add_words(v, &argv,
              (const char *[]){"-lm", "-ldl", "-pthread", "-rdynamic", "-Wl,-z,lazy",
                               sanitizes ? "-fsanitize=address" : NULL, NULL});
    add_words(v, &argv, (const char *[]){"-o", out, NULL});
    LIST_ADD(v->arena, &argv, NULL);
    return run_compiler(v, argv.items, NULL, "it does not link", e) ? out : NULL;
}
