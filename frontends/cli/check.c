/* miscast check: finds, fixes and reports. */
#include "frontends/cli/cli.h"

#include "frontends/driver/check/report_files.h"
#include "frontends/driver/shards/summary.h"

#include <string.h>
#include <unistd.h>

/* A name for standard input whose language nobody said. No C file is without a semicolon, a brace
 * or a directive. */
static const char *name_of_text(const char *text)
{
    static const char *const python[] = {"import ", "from ", "def ", "class ", "@"};
    if (text[strspn(text, " \t\n")] && !strpbrk(text, ";{}#"))
        return "stdin.py";
    for (const char *line = text, *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        for (int i = 0; i < COUNT(python); i++)
            if (!strncmp(line, python[i], strlen(python[i])))
                return "stdin.py";
    }
    return "stdin.c";
}

/* Reads standard input; among the paths, "-" stands for it. */
static bool read_input(struct arena *a, struct request *request, struct error *e)
{
    bool dash = request->paths.count == 1 && !strcmp(request->paths.items[0], "-");
    if (!request->unsaved_file && !dash)
        return true;
    if (request->paths.count && !dash)
        return error_set(e, "--stdin-filename is for one file, which comes from standard input");
    request->paths.count = 0;
    request->unsaved = stream_read(a, STDIN_FILENO, "standard input", &request->unsaved_length, e);
    if (request->unsaved && !request->unsaved_file)
        request->unsaved_file = name_of_text(request->unsaved);
    return request->unsaved;
}

static void say_fixed(const struct fixed *f)
{
    if (!f->findings)
        return;
    for (int i = 0; i < f->lines.count; i++)
        print_shown(stderr, "%s\n", f->lines.items[i]);
    print_shown(stderr, "miscast: fixed %d finding%s", f->findings, f->findings == 1 ? "" : "s");
    for (int i = 0; i < f->files.count; i++) {
        fputs(!i ? " in " : ", ", stderr);
        print_shown(stderr, "%s", f->files.items[i]);
    }
    fputc('\n', stderr);
}

/* Standard input may be Python that does not look like it. */
static void say_guess(const struct options *o, const struct request *request, enum exit_code code)
{
    bool is_guess = request->unsaved && !o->request.unsaved_file;
    if (is_guess && code == EXIT_PARTIAL && file_language(request->unsaved_file) == LANGUAGE_C)
        print_shown(stderr, "miscast: standard input is read as C; with --stdin-filename x.py, as "
                            "Python\n");
}

/* Options that would have no effect are errors. */
static bool is_of_use(const struct request *request, struct error *e)
{
    const struct {
        bool given;
        const char *option;
        bool is_served;
        const char *by;
    } rows[] = {
        {request->shard.depfile, "--depfile", request->shard.count, "--shard I/N"},
        {request->shard.root, "--root", request->shard.count, "--shard I/N"},
        {request->verify.keep, "--keep", request->verify.wanted, "--verify"},
        {request->verify.timeout, "--timeout", request->verify.wanted, "--verify"},
        {request->verify.commands.count, "--run", request->verify.wanted, "--verify"},
        {request->verify.uncontained, "--uncontained", request->verify.wanted, "--verify"},
        {request->unsafe_fixes, "--unsafe-fixes", request->fix || request->diff, "--fix"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].given && !rows[i].is_served)
            return error_set(e, "%s is for %s", rows[i].option, rows[i].by);
    return !request->shard.count || !request->formats.count ||
           error_set(e, "--shard reports nothing yet: --format is for 'miscast link'");
}

static enum exit_code check_shard(const struct options *o)
{
    struct request request = o->request;
    request.shard.output = o->output;
    return shard_run(&request);
}

enum exit_code check_run(const struct options *o)
{
    struct arena *a = arena_new();
    struct checking c = {0};
    struct request request = o->request;
    struct error e = {0};
    struct outputs outputs = {.arena = a};
    struct fixed fixed = {.arena = a};
    if (!is_of_use(&request, &e) || request.shard.count) {
        arena_free(a);
        return e.message[0] ? say_error(&e) : check_shard(o);
    }
    bool ok = read_input(a, &request, &e) && check_fixing(a, &c, &request, &outputs, &fixed, &e);
    say_fixed(&fixed);
    c.outputs = outputs;
    enum exit_code code = ok ? check_tell(&c, &e) : say_error(&e);
    outputs_close(&c.outputs);
    enum exit_code closed = c.arena ? check_end(&c) : EXIT_CLEAN;
    say_guess(o, &request, code ? code : closed);
    arena_free(a);
    return code ? code : closed;
}

const struct command check_command = {
    .name = "check",
    .task = TASK_FIND,
    .operands = "[PATH...] [-- FLAG...]",
    .summary = "Finds tensors whose dtype or device is wrong.",
    .options = PROGRAM_OPTIONS | RULE_OPTIONS | FIX_OPTIONS | RUN_OPTIONS | BASELINE_OPTIONS |
               CONFIG_OPTIONS | EXIT_OPTIONS | CACHE_OPTIONS | OPT(FORMAT) | OPT(STATISTICS) |
               OPT(STDIN_FILENAME) | OPT(VERIFY) | OPT(OUTPUT) | OPT(DEPFILE) | OPT(ROOT) |
               OPT(SHARD),
    .least = 0,
    .most = -1,
    .takes_flags = true,
    .run = check_run,
    .more = "\n"
            "Paths are files or folders (default: the current folder), or '-' for standard input, "
            "which is read as Python or C, as it looks; --stdin-filename decides. All files of the "
            "compilation database are read; findings in other files are reported if the dtype or "
            "device was decided in one of these. FLAGs are a compiler's, and are used instead of a "
            "database. 'miscast explain RULE' describes a rule.\n",
};
