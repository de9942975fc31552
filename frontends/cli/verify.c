/* miscast verify: a check whose findings are run; of some findings, where operands name them. */
#include "frontends/cli/cli.h"

static enum exit_code verify_run(const struct options *given)
{
    struct arena *a = arena_new();
    struct options o = *given;
    struct error e = {0};
    o.request.verify.wanted = true;
    enum exit_code code = naming_split(a, &o.request, &e) ? check_run(&o) : say_error(&e);
    arena_free(a);
    return code;
}

const struct command verify_command = {
    .name = "verify",
    .operands = "[PATH...|FINDING...]",
    .summary = "Checks, and runs the code of every finding to see whether it is true.",
    .options = PROGRAM_OPTIONS | RULE_OPTIONS | FIX_OPTIONS | RUN_OPTIONS | BASELINE_OPTIONS |
               CONFIG_OPTIONS | EXIT_OPTIONS | CACHE_OPTIONS | OPT(FORMAT) | OPT(STATISTICS) |
               OPT(EMIT) | OPT(IMPORT),
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
        "program did not change is not run again. With --fix, only fixes that cure are made.\n",
};
