/* miscast verify: a check whose findings are run; if operands name findings, only those. */
#include "frontends/cli/cli.h"

#include <string.h>

static enum exit_code verify_run(const struct options *given)
{
    struct arena *a = arena_new();
    struct options o = *given;
    struct error e = {0};
    o.request.verify.wanted = true;
    enum exit_code code = named_findings_split(a, &o.request, &e) ? check_run(&o) : say_error(&e);
    arena_free(a);
    return code;
}

const struct command verify_command = {
    .name = "verify",
    .task = TASK_FIND,
    .operands = "[PATH...|FINDING...] [-- FLAG...]",
    .summary = "Checks, and runs the code of every finding to confirm or refute it.",
    .options = PROGRAM_OPTIONS | RULE_OPTIONS | FIX_OPTIONS | RUN_OPTIONS | BASELINE_OPTIONS |
               CONFIG_OPTIONS | EXIT_OPTIONS | CACHE_OPTIONS | OPT(FORMAT) | OPT(STATISTICS) |
               OPT(EMIT) | OPT(IMPORT) | OPT(OUTPUT),
    .least = 0,
    .most = -1,
    .takes_flags = true,
    .run = verify_run,
    .more = "\n"
            "Programs are compiled with their own flags and run as they are, functions that nobody "
            "calls from a\n"
            "harness; in a sandbox, without network, writing only to a folder of their own. A "
            "finding is confirmed (the\n"
            "failure happened), refuted (the code ran there and did not fail), not reached, or not "
            "run. A refuted finding\n"
            "is a mistake of miscast and does not fail the run. FINDING is FILE:LINE[:COL], or the "
            "fingerprint that\n"
            "--format json shows; then only that finding is run and reported. Verdicts are cached "
            "until the program\n"
            "changes. With --fix, only fixes that work when they are run are applied.\n"
            "\n"
            "--run says how the program or its tests are run: './train --half', 'ctest --test-dir "
            "build'. Every process\n"
            "of the command that is linked with the runtime is observed. Without it, tests of "
            "CTest, or 'make check', are\n"
            "run for findings that nothing else has reached.\n",
};
