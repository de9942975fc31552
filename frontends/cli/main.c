/* The program: arguments come in, one command runs, its exit code goes out. A command is a row. */
#include "frontends/cli/cli.h"

#include <string.h>

#ifndef MISCAST_VERSION
#define MISCAST_VERSION "0"
#endif

const struct command commands[] = {
    {.name = "types",
     .operands = "FILE...",
     .summary = "Shows the source with each tensor's dtype and device beside it.",
     .options = "p12j3",
     .least = 1,
     .most = -1,
     .run = types_run,
     .more = "\nSets of dtypes are written f16|f32; ints, floats and f8 stand for all of their "
             "kind. A call\n"
             "that cannot work says so, and nothing behind it is reached. For each MC_REVEAL(x) a "
             "note follows\n"
             "the source.\n"},
    {.name = "trace",
     .operands = "FILE:LINE:COL",
     .summary = "Shows how the tensor at a place came to its dtype and device.",
     .options = "p12j",
     .least = 1,
     .most = 1,
     .run = trace_run,
     .more = "\nEach chain leads from there back to where it was decided, across calls and files; "
             "the shortest\n"
             "comes first.\n"},
    {.name = "contracts",
     .operands = "FILE...",
     .summary = "Shows what functions that nobody calls need of their arguments.",
     .options = "p12j3",
     .least = 1,
     .most = -1,
     .run = contracts_run,
     .more = "\nA call that works with some of what an argument could be, and fails with the rest, "
             "makes a need.\n"},
    {.name = "ir",
     .operands = "FILE...",
     .summary = "Shows the program as the analysis sees it.",
     .options = "pj",
     .least = 1,
     .most = -1,
     .run = ir_run,
     .more = ""},
};
const int command_count = sizeof commands / sizeof *commands;

enum exit_code say_error(const struct error *e)
{
    fflush(stdout);
    fputs("miscast: error: ", stderr);
    if (e->file[0])
        fputs(e->file, stderr);
    if (e->line)
        fprintf(stderr, ":%d", e->line);
    if (e->line && e->column)
        fprintf(stderr, ":%d", e->column);
    fprintf(stderr, "%s%s\n", e->file[0] ? ": " : "", e->message);
    return EXIT_TROUBLE;
}

static enum exit_code run(const struct options *o)
{
    if (o->version)
        return printf("miscast %s\n", MISCAST_VERSION) > 0 ? EXIT_CLEAN : EXIT_TROUBLE;
    if (o->help) {
        options_help(o->command, stdout);
        return EXIT_CLEAN;
    }
    return o->command->run(o);
}

static enum exit_code usage(const struct options *o, const struct error *e)
{
    say_error(e);
    fprintf(stderr, "miscast: see 'miscast %s%s--help'\n", o->command ? o->command->name : "",
            o->command ? " " : "");
    return EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
    struct arena *arena = arena_new();
    struct options o;
    struct error e = {0};
    enum exit_code code = options_parse(arena, argc, argv, &o, &e) ? run(&o) : usage(&o, &e);
    arena_free(arena);
    if (fflush(stdout) || ferror(stdout)) {
        fputs("miscast: error: cannot write to standard output\n", stderr);
        code = EXIT_TROUBLE;
    }
    return code;
}
