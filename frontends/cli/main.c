/* The program: arguments come in, one command runs, its exit code goes out. A command is a row. */
#include "frontends/driver/driver.h"
#include "frontends/driver/process/terminal.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#ifndef MISCAST_VERSION
#define MISCAST_VERSION "0"
#endif

static enum exit_code help_run(const struct options *o);

const struct command commands[] = {
    {.name = "check",
     .operands = "[PATH...]",
     .summary = "Finds tensors whose dtype or device is wrong.",
     .options = "p12jR0SIXFMDUBNCOLZTQVKWEGAo567",
     .least = 0,
     .most = -1,
     .run = check_run,
     .more =
         "\nPaths are files or folders; without any, the current folder. All units of the compile "
         "database are\n"
         "read; what is found in other files is told when a tensor was decided in one of these. "
         "'miscast\n"
         "explain RULE' says more about a finding.\n"},
    {.name = "verify",
     .operands = "[PATH...|FINDING...]",
     .summary = "Checks, and runs the code of every finding to see whether it is true.",
     .options = "p12jR0SIXFMDUBNCOLZTKWEGAHJ",
     .least = 0,
     .most = -1,
     .run = verify_run,
     .more =
         "\nPrograms are compiled with their own flags and run as they are, functions nobody calls "
         "from a harness;\n"
         "without network, and without writing anywhere but to a folder of their own. A finding is "
         "confirmed\n"
         "(it happened there), refuted (it ran there, and did not), not reached, or not run. One "
         "that is refuted\n"
         "is a mistake of miscast, and does not fail the run. A finding is named FILE:LINE[:COL], "
         "or by the\n"
         "fingerprint that --format json shows; then only that is run and told. Verdicts are kept, "
         "and one whose\n"
         "program did not change is not run again. With --fix, only fixes that cure are made.\n"},
    {.name = "summarize",
     .operands = "FILE [-- FLAG...]|-- COMPILER...",
     .summary = "Reads one file as a step of a build, for 'miscast link'.",
     .options = "po56",
     .least = 0,
     .most = 1,
     .takes_flags = true,
     .run = summarize_run,
     .more =
         "\nThe flags are a compiler's; without '--' those of compile_commands.json. The summary "
         "depends on the\n"
         "file and what it includes, and on nothing else: --depfile says what that is. Paths below "
         "--root are\n"
         "kept relative to it, so that a summary can be linked on another machine. What cannot be "
         "parsed is told\n"
         "when all are linked. With no FILE, what stands behind '--' is a compiler's whole "
         "command, and the summary\n"
         "goes where its object would (-o), what was read where it would (-MF).\n"},
    {.name = "link",
     .operands = "SUMMARY...|@FILE",
     .summary = "Checks the program that summaries make, and parses nothing.",
     .options = "12jR0SIXFDUBNCOLZT6",
     .least = 1,
     .most = -1,
     .run = link_run,
     .more =
         "\nSummaries come from 'miscast summarize', one a file, or from 'miscast check --shard "
         "I/N', all N of\n"
         "them; @FILE has their names, one a line. What is told is what one check of all these "
         "files would tell.\n"
         "The sources have to be as they were when the summaries were made.\n"},
    {.name = "report",
     .operands = "[PATH...]",
     .summary = "Checks, and writes a page with all findings and pictures: -o DIR.",
     .options = "p12jR0SIXBNCOLZVWEGAo8",
     .least = 0,
     .most = -1,
     .run = report_run,
     .more = "\nDIR/index.html is all there is: it needs no network and no server. It has the "
             "findings with their\n"
             "sources, where each began, what came of running it (now, with --verify; else what "
             "is kept of that),\n"
             "and a picture of the dtype flow of every function.\n"},
    {.name = "explain",
     .operands = "RULE|GROUP",
     .summary = "Says what a rule looks for, why, and what to do; of a group, its rules.",
     .options = "",
     .least = 1,
     .most = 1,
     .run = explain_run,
     .more = ""},
    {.name = "rules",
     .operands = "[RULE...]",
     .summary = "Lists the rules: all, or those of names, codes or groups.",
     .options = "",
     .least = 0,
     .most = -1,
     .run = rules_run,
     .more = ""},
    {.name = "baseline",
     .operands = "write|prune|show [PATH...]",
     .summary = "Keeps the findings that were there before apart from new ones.",
     .options = "p12jR0SIXBCOGA",
     .least = 1,
     .most = -1,
     .run = baseline_run,
     .more = "\nwrite takes all that is found now; prune removes what is found no more; show lists "
             "it. 'baseline:\n"
             "FILE' in .miscast.yaml, or --baseline FILE, makes check leave out what stands in it. "
             "Without\n"
             "either, the file is .miscast-baseline.json.\n"},
    {.name = "hook",
     .operands = "run [FILE...]|install|uninstall",
     .summary = "Checks what is staged before every commit.",
     .options = "p12jR0SIXFBNCOLGAY",
     .least = 1,
     .most = -1,
     .run = hook_run,
     .more =
         "\nrun checks what the commit would change, as it is staged, as part of the whole "
         "program. "
         "Told is what is\n"
         "new against the baseline in the files that are staged, in units that include one of "
         "them, and where a\n"
         "tensor was decided in one of them; that, and a staged file that does not compile, stops "
         "the commit.\n"
         "FILEs are looked at instead of all that is staged, as pre-commit names them. install "
         "makes git run it,\n"
         "where no hook is yet; --force puts one that is there aside, and uninstall brings it "
         "back.\n"},
    {.name = "diff",
     .operands = "A [B]",
     .summary = "Tells what findings B has and A has not, of two commits or saved results.",
     .options = "p12jR0SIXFBNCOLZGA",
     .least = 1,
     .most = 2,
     .run = diff_run,
     .more =
         "\nA and B are commits, as git names them, or files of 'check --format json'; without B, "
         "the tree as it\n"
         "is. Commits are read from the repository, and checked with the flags, the configuration "
         "and the files\n"
         "that a build made as they are now. Findings are told apart by their fingerprints, which "
         "stay when lines\n"
         "move. Exit code 1: something was introduced. --format json has all, others what was "
         "introduced.\n"},
    {.name = "history",
     .operands = "[PATH...]",
     .summary = "Shows when findings were introduced, fixed, or set aside.",
     .options = "pCOG9",
     .least = 0,
     .most = -1,
     .run = history_run,
     .more =
         "\nA check that finds something else than the last one that was asked the same is "
         "noted, with the\n"
         "commit that is checked out. What is told no more was fixed, baselined, suppressed, or "
         "left out: its file\n"
         "is gone or not checked any more, or its rule is off. The last 500 are kept, until "
         "'miscast clean'.\n"},
    {.name = "clean",
     .operands = "[PATH...]",
     .summary = "Removes what is kept from run to run.",
     .options = "pCOG",
     .least = 0,
     .most = -1,
     .run = clean_run,
     .more = "\nThat is the folder .miscast beside compile_commands.json, else at the root of the "
             "repository, or one\n"
             "in the user's cache where that cannot be written. It is made again by the next "
             "run.\n"},
    {.name = "config",
     .operands = "[PATH]",
     .summary = "Shows the configuration that holds for a path, and where it comes from.",
     .options = "pSIXFBCOL1",
     .least = 0,
     .most = 1,
     .run = config_run,
     .more = ""},
    {.name = "doctor",
     .operands = "[FILE]",
     .summary = "Shows what miscast finds here: database, flags, libclang, packs, BLAS, CUDA.",
     .options = "pCO1",
     .least = 0,
     .most = 1,
     .run = doctor_run,
     .more = ""},
    {.name = "types",
     .operands = "FILE...",
     .summary = "Shows the source with each tensor's dtype and device beside it.",
     .options = "p12jR03GA",
     .least = 1,
     .most = -1,
     .run = types_run,
     .more = "\nSets of dtypes are written f16|f32; ints, floats and f8 stand for all of their "
             "kind. A call\n"
             "that cannot work says so, and nothing behind it is reached. For each MC_REVEAL(x) a "
             "note follows\n"
             "the source.\n"},
    {.name = "trace",
     .operands = "FILE:LINE:COL [FILE...]",
     .summary = "Shows how the tensor at a place came to its dtype and device.",
     .options = "p12jR0GA",
     .least = 1,
     .most = -1,
     .run = trace_run,
     .more =
         "\nEach chain leads from there back to where it was decided, across calls and files; "
         "the shortest\n"
         "comes first. Where no compile_commands.json names the other files of the program, they "
         "are given\n"
         "behind the place.\n"},
    {.name = "contracts",
     .operands = "FILE...",
     .summary = "Shows what functions that nobody calls need of their arguments.",
     .options = "p12jR03GA",
     .least = 1,
     .most = -1,
     .run = contracts_run,
     .more = "\nA call that works with some of what an argument could be, and fails with the rest, "
             "makes a need.\n"},
    {.name = "graph",
     .operands = "FILE...",
     .summary = "Draws the dtype flow of a function.",
     .options = "p12jR03oCOGA8",
     .least = 1,
     .most = -1,
     .run = graph_run,
     .more = "\nIn the terminal, or with -o into a file: .svg, or .dot for Graphviz. Values are "
             "nodes, with their\n"
             "dtype and device; what comes from outside, casts, functions and what goes out have "
             "shapes of their own.\n"
             "A dashed line is an operand that is converted, a red one is what a finding is "
             "about.\n"},
    {.name = "ir",
     .operands = "FILE...",
     .summary = "Shows the program as the analysis sees it.",
     .options = "pjR0",
     .least = 1,
     .most = -1,
     .run = ir_run,
     .more = ""},
    {.name = "lsp",
     .operands = "",
     .summary = "Serves an editor: the language server, over standard input and output.",
     .options = "P",
     .least = 0,
     .most = 0,
     .run = lsp_run,
     .more = "\nEditors start it; docs/editors.md has their settings.\n"},
    {.name = "completion",
     .operands = "bash|zsh|fish",
     .summary = "Writes a completion script for a shell.",
     .options = "",
     .least = 1,
     .most = 1,
     .run = completion_run,
     .more = "\nsource <(miscast completion bash) tries it; where shells look for such files they "
             "are installed to.\n"},
    {.name = "manual",
     .operands = "",
     .summary = "Writes the manual page, miscast(1).",
     .options = "",
     .least = 0,
     .most = 0,
     .run = manual_run,
     .more = "\nmiscast manual | man -l - shows it.\n"},
    {.name = "help",
     .operands = "[COMMAND]",
     .summary = "Says what a command does, as COMMAND --help; else which there are.",
     .options = "",
     .least = 0,
     .most = 1,
     .run = help_run,
     .more = ""},
};
const int command_count = sizeof commands / sizeof *commands;

enum exit_code say_error(const struct error *e)
{
    fflush(stdout);
    progress_end();
    fputs("miscast: error: ", stderr);
    print_shown(stderr, "%s", e->file);
    if (e->line)
        fprintf(stderr, ":%d", e->line);
    if (e->line && e->column)
        fprintf(stderr, ":%d", e->column);
    print_shown(stderr, "%s%s\n", e->file[0] ? ": " : "", e->message);
    return EXIT_TROUBLE;
}

static enum exit_code help_run(const struct options *o)
{
    struct error e = {0};
    const char *name = o->operands.count ? o->operands.items[0] : NULL;
    const struct command *command = name ? command_named(name, &e) : NULL;
    if (name && !command)
        return say_error(&e);
    options_help(command, stdout);
    return EXIT_CLEAN;
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
    print_shown(stderr, "miscast: see 'miscast %s%s--help'\n", o->command ? o->command->name : "",
                o->command ? " " : "");
    return EXIT_TROUBLE;
}

/* A file that is opened must not take the place of a standard stream that is not: what is written
 * there would go into it. One that cannot be used stands there instead. */
static void fill_streams(void)
{
    static const int useless[] = {
        [STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", useless[fd]) != fd)
            return; /* without it, too, all goes on */
}

int main(int argc, char **argv)
{
    struct arena *arena = arena_new();
    struct options o;
    struct error e = {0};
    fill_streams();
    terminal_begin();
    enum exit_code code = options_parse(arena, argc, argv, &o, &e) ? run(&o) : usage(&o, &e);
    arena_free(arena);
    if (fflush(stdout) || ferror(stdout)) {
        fputs("miscast: error: cannot write to standard output\n", stderr);
        code = EXIT_TROUBLE;
    }
    return code;
}
