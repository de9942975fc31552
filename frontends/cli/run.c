/* miscast run: a program's own command line comes in; the program runs, and the numbers that it
 * lost are reported by source line. */
#include "frontends/cli/cli.h"

static enum exit_code run(const struct options *o)
{
    struct run_request request = {.command = o->operands,
                                  .formats = o->request.formats,
                                  .threshold = o->threshold,
                                  .exit_zero = o->request.exit_zero};
    return run_run(&request);
}

const struct command run_command = {
    .name = "run",
    .task = TASK_FIND,
    .operands = "[--] COMMAND...",
    .summary = "Runs a program, and reports where its numbers lost their values.",
    .options = OPT(THRESHOLD) | OPT(FORMAT) | OPT(EXIT_ZERO),
    .least = 1,
    .most = -1,
    .takes_command = true,
    .run = run,
    .more = "\n"
            "A Python program on PyTorch, or one that is linked with the runtime, runs as it is. "
            "Next to every tensor\n"
            "there is the value that it would have in f64, integers in i64, computed by the same "
            "operations. Reported\n"
            "are overflow, underflow, wrap-around, truncation, integers that a float cannot hold, "
            "updates that change\n"
            "nothing, and results whose error is above --threshold, relative to the largest "
            "element; worst first, with\n"
            "the error that arose in that line apart from what its operands brought. Rounding "
            "that a dtype implies is\n"
            "not reported.\n"
            "With a format other than text on standard output, the program's own output goes to "
            "standard error.\n"
            "Exit code 1: there are findings; 3: there are none, but the program failed.\n",
};
