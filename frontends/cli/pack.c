/* miscast pack: for people who write packs. test holds a pack against its examples; coverage lists
 * the functions that a program calls and that no pack describes. */
#include "frontends/cli/cli.h"

#include <string.h>

static enum exit_code test(const struct options *o)
{
    struct error e = {0};
    text_list files = o->operands;
    int wrong = 0;
    files.items++;
    files.count--;
    return !packs_test(&files, &wrong, &e) ? say_error(&e) : wrong ? EXIT_FINDINGS : EXIT_CLEAN;
}

static enum exit_code coverage(const struct options *o)
{
    struct arena *a = arena_new();
    struct project p = {0};
    struct request request, asked = o->request;
    struct error e = {0};
    text_list files = {0}, paths = o->operands;
    paths.items++;
    paths.count--;
    asked.paths = paths;
    bool ok = folders_configure(a, &asked, &paths, &request, &files, &e) &&
              project_analyse(&p, &request, &files, &e);
    if (ok)
        coverage_list_missing(&p, stdout);
    if (ok && !p.counts.missing.count)
        print_shown(stderr, "miscast: packs know every function that is called with tensors\n");
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e), closed = project_close(&p);
    arena_free(a);
    return code ? code : closed;
}

/* The first operand is the action. */
static enum exit_code pack_run(const struct options *o)
{
    struct error e = {0};
    const char *action = o->operands.items[0];
    bool is_test = strcmp(action, "test") == 0;
    if (!is_test && strcmp(action, "coverage") != 0) {
        error_set(&e, "'pack' needs test or coverage, not '%s'", action);
        return say_error(&e);
    }
    if (o->operands.count == 1) {
        error_set(&e, is_test ? "'pack test' needs a pack" : "'pack coverage' needs a path");
        return say_error(&e);
    }
    return is_test ? test(o) : coverage(o);
}

const struct command pack_command = {
    .name = "pack",
    .task = TASK_SETUP,
    .operands = "test FILE...|coverage PATH... [-- FLAG...]",
    .summary = "Tests a pack with its examples, or lists calls that no pack knows.",
    .options = PROGRAM_OPTIONS | CONFIG_OPTIONS,
    .least = 1,
    .most = -1,
    .takes_flags = true,
    .run = pack_run,
    .more = "\n"
            "test prints the examples of a pack that do not come out as they say, and exits with 1 "
            "if there are any.\n"
            "coverage lists the functions that are called where tensors are, and that neither the "
            "program nor a pack\n"
            "describes, with the number of calls.\n",
};
