/* analyzer/verify: findings are run. A finding comes in; the program that it is in, or a harness
 * around its function, is built and run in the sandbox; what the runtime saw at the place of the
 * finding is the verdict. How code of a language is built and started is its runner's; everything
 * here is the same for all languages.
 *
 *   verify.c        the stages, and the threads that do them
 *   verifier.c      what one thread has
 *   tasks.c         which programs and functions are run for which findings
 *   program.c       which unit a finding is in, which functions lead there, and which file is meant
 *   state.c         everything that goes into a run, as one number
 *   attempt.c       one run after the other, until findings are settled
 *   command_line.c  which command line to try next
 *   wish.c          what a finding wishes for on a command line
 *   guide.c         which input to try next, by what runs did with those before
 *   change.c        inputs that differ in what a run looked for
 *   run.c           a run in the sandbox
 *   command.c       a command of the user, with all its processes
 *   channel.c       packets of the runtime, with their seals checked
 *   events.c        what the runtime sent → events
 *   judge.c         findings and events → verdicts
 *   evidence.c      where events happened, and what they show
 *   proof.c         how findings that raise no error are proven, by rule (proof.def, proof.h)
 *   look.c          which of these functions searches for which proof:
 *   proof_tensor.c, proof_region.c, proof_value.c, proof_loss.c, proof_memory.c, proof_training.c
 *                   what each proof looks for
 *   control.c       which branches lead to a place
 *   branch.c        which branch a finding that was not reached needs
 *   verdict.c       verdicts kept from run to run
 *   bundle.c        runs on another machine, and their results
 *   scratch.c       the folder for everything that is built and run
 *   containment.c   what contains programs on this machine
 *   output_folder.c folders that --emit and --keep name
 *   tool.c          compilers and the like, run with limits
 *   interrupt.c     cleaning up after Ctrl-C
 *   runner.h        what the runner of a language provides
 *
 *   c/              the runner of C
 *   python/         the runner of Python */
#ifndef ANALYZER_VERIFY_H
#define ANALYZER_VERIFY_H

#include "analyzer/verify/verdict.h"
#include "rules/rules.h"

/* Is in folders that --emit and --keep wrote, so that a check of the one above leaves them out. */
#define MADE_MARK ".miscast-made"
#define MADE_TEXT "Written by miscast. A check of the folder above leaves this one out.\n"

/* A unit, with the flags that its language's tools need: of C without the compiler's name, the
 * file, -o and -c. */
struct verify_unit {
    const char *file;      /* as findings name it */
    const char *directory; /* relative paths in the flags are below it */
    const char *const *flags;
    int flag_count;
    const struct ir_unit *unit;
};

struct verify_limits {
    int wall_ms;      /* of one run */
    int runs;         /* of one program or harness */
    uint64_t bytes;   /* of memory */
    int tool_seconds; /* of CPU time, for a compiler; 0: 60. By the clock four times that */
};

/* A command that runs the program, or its tests: of the user, or offered by the project. */
struct verify_command {
    const char *text;   /* for the shell */
    const char *folder; /* where it starts, absolute */
    int wall_ms;
    bool is_offered; /* nobody asked for it: it runs last, for what nothing else has reached */

    /* How it went. */
    bool ran, shadows;
    int status;          /* its exit status; -1: it was ended */
    int processes;       /* that used the library */
    const char *library; /* that a process has to use: "the runtime" */
    const char *why;     /* it did not run, was ended, or is not believed; else NULL */
    const char *said;    /* the last line that it printed as an error, if it failed; else NULL */
};

struct runner;

struct verify_input {
    struct arena *arena; /* of the verdicts */
    const struct verify_unit *units;
    int unit_count;
    const struct flow *flow;
    const struct runner *runner; /* of their language */
    const void *tools;           /* what that runner needs: for C struct c_tools (c/c.h) */
    const char *const *hidden;   /* files that programs cannot see; NULL-terminated */
    struct verify_limits limits;
    struct verify_command *commands; /* get how they went */
    int command_count;
    int jobs;
    struct verdicts *kept; /* of earlier runs; gets the new ones; NULL: none */
    bool recalls;          /* nothing is run: for verify_recall */
    uint64_t world;        /* a hash of what else determines findings: packs, version */
    const char *unsaved;   /* a file whose contents are unsaved_text; NULL: none */
    const char *unsaved_text;
    const char *root;   /* of the project, absolute; for the next two */
    const char *emit;   /* a folder to write a bundle to; NULL: none */
    const char *import; /* a bundle that was run elsewhere: nothing is run here; NULL: none */
    bool is_what_if;    /* facts were assumed: a run without them refutes nothing */
    bool uncontained;   /* run even where nothing can contain it */
    const char *keep;   /* what was built and written is kept there; NULL: removed */
    /* Called with the number of tasks done; NULL: not called. */
    void (*progress)(void *context, int done, int count, const struct finding *f);
    void *context;
};

/* Gives each finding its verdict. False: nothing could be run, and e says why. */
bool verify_findings(const struct verify_input *in, const finding_list *findings, struct error *e);

/* Runs nothing: findings with a kept verdict whose code did not change get it. */
void verify_recall(const struct verify_input *in, const finding_list *findings);

/* What contains programs on this machine: "namespaces, landlock, seccomp, limits". */
const char *verify_containment(struct arena *a);

#endif
