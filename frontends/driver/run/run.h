/* frontends/driver/run: a program, run with shadow values (runtime/shadow). A command comes in;
 * findings about the numbers that were lost go out, worst first.
 *
 *   run.c        the command, from start to exit code
 *   program.c    starts the program, waits for it
 *   observed.c   what the runtime wrote → findings
 *   losses.def   the kinds of losses */
#ifndef FRONTENDS_DRIVER_RUN_H
#define FRONTENDS_DRIVER_RUN_H

#include "frontends/driver/check/check.h"

struct run_request {
    text_list command;     /* the program and its arguments */
    text_list formats;     /* as request.formats */
    const char *threshold; /* NULL: the runtime's own */
    bool exit_zero;
};
enum exit_code run_run(const struct run_request *request);

/* ---- between the files of this folder ------------------------------------------------------ */

/* How a program ended. */
struct ending {
    bool started;
    int status; /* of waitpid */
};
/* Runs it with the runtime writing to that file; quiet: its standard output goes to standard error.
 */
bool program_run(const struct run_request *request, const char *file, bool quiet,
                 struct ending *ending, struct error *e);

/* What the runtime wrote. */
struct observed {
    struct arena *arena;
    struct sources *sources;
    const char *program; /* source files are searched for above it, too */
    finding_list findings;
    int64_t ops, kernels, uncovered;
    int processes;   /* that ended and wrote everything */
    text_list names; /* of ops that were not covered */
};
bool observed_read(struct observed *o, const char *file, struct error *e);

extern const struct rule loss_rules[];
extern const int loss_rule_count;

#endif
