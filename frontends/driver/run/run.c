/* miscast run: the program runs as it is, then the report of what its numbers lost. */
#include "frontends/driver/run/run.h"

#include "frontends/driver/check/report_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the file that the runtime writes ------------------------------------------------------- */

static const char *temporary(struct arena *a, struct error *e)
{
    const char *folder = getenv("TMPDIR");
    char *path = arena_printf(a, "%s/miscast-run-XXXXXX", folder && *folder ? folder : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0) {
        error_at(e, path, 0, 0, "cannot be written: %s", strerror(errno));
        return NULL;
    }
    close(fd);
    return path;
}

/* A percent sign would start a pattern in it. */
static const char *escaped(struct arena *a, const char *path)
{
    struct text out = {0};
    for (; *path; path++)
        text_add_range(&out, *path == '%' ? "%%" : path, *path == '%' ? 2 : 1);
    const char *text = arena_text(a, out.data, out.length);
    text_free(&out);
    return text;
}

/* ---- what is reported ----------------------------------------------------------------------- */

static bool goes_to_stdout(const text_list *formats)
{
    for (int i = 0; i < formats->count; i++)
        if (!strchr(formats->items[i], '=') && strcmp(formats->items[i], "text") != 0)
            return true;
    return false;
}

static const char *many(int64_t n)
{
    return n == 1 ? "" : "s";
}

static void say_ending(const char *program, const struct ending *ending)
{
    if (WIFSIGNALED(ending->status))
        print_shown(stderr, "miscast: %s was killed by signal %d (%s)\n", program,
                    WTERMSIG(ending->status), strsignal(WTERMSIG(ending->status)));
    else if (WEXITSTATUS(ending->status))
        print_shown(stderr, "miscast: %s exited with %d\n", program, WEXITSTATUS(ending->status));
}

static void say_coverage(const struct observed *o, int findings)
{
    print_shown(stderr, "miscast: %d finding%s\n", findings, many(findings));
    print_shown(stderr, "miscast: %lld operation%s ran with shadow values", (long long)o->ops,
                many(o->ops));
    if (o->uncovered) {
        print_shown(stderr, "; %lld result%s had none", (long long)o->uncovered,
                    many(o->uncovered));
        for (int i = 0; i < o->names.count; i++)
            print_shown(stderr, "%s%s", i ? ", " : ": ", o->names.items[i]);
    }
    fputc('\n', stderr);
}

/* Nothing was written: it says why. */
static enum exit_code say_nothing(const char *program, const struct ending *ending)
{
    if (WIFSIGNALED(ending->status) || WEXITSTATUS(ending->status))
        print_shown(stderr, "miscast: error: nothing was recorded: %s ended early\n", program);
    else
        print_shown(
            stderr,
            "miscast: error: nothing was recorded: %s ran no tensor operation, or is neither "
            "linked with this version of the runtime nor a Python program with PyTorch\n",
            program);
    return EXIT_PARTIAL;
}

static bool failed(const struct ending *ending)
{
    return WIFSIGNALED(ending->status) || WEXITSTATUS(ending->status);
}

static enum exit_code report(struct checking *c, const struct observed *o,
                             const struct run_request *request, const struct ending *ending,
                             struct error *e)
{
    c->project.sources = o->sources;
    c->findings = o->findings;
    c->root = path_resolve(c->arena, ".");
    c->rules = loss_rules;
    c->rule_count = loss_rule_count;
    if (!output_run(c, e))
        return say_error(e);
    fflush(stdout);
    say_ending(request->command.items[0], ending);
    if (!o->processes && !o->findings.count)
        return say_nothing(request->command.items[0], ending);
    say_coverage(o, o->findings.count);
    if (o->findings.count && !request->exit_zero)
        return EXIT_FINDINGS;
    return failed(ending) ? EXIT_PARTIAL : EXIT_CLEAN;
}

static enum exit_code run_in(struct checking *c, const struct run_request *request,
                             const char *file, struct error *e)
{
    struct observed o = {
        .arena = c->arena, .sources = sources_new(c->arena), .program = request->command.items[0]};
    struct ending ending = {0};
    if (!outputs_begin(c, e) ||
        !program_run(request, escaped(c->arena, file), goes_to_stdout(&request->formats), &ending,
                     e) ||
        !observed_read(&o, file, e))
        return say_error(e);
    return report(c, &o, request, &ending, e);
}

enum exit_code run_run(const struct run_request *request)
{
    struct arena *a = arena_new();
    struct request none = {.formats = request->formats};
    struct checking c = {.arena = a, .request = &none};
    struct error e = {0};
    const char *file = temporary(a, &e);
    c.config.formats = request->formats;
    c.project.arena = a;
    enum exit_code code = file ? run_in(&c, request, file, &e) : say_error(&e);
    if (file)
        unlink(file);
    outputs_close(&c.outputs);
    arena_free(a);
    return code;
}
