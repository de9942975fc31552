/* analyzer/verify: findings are run. A finding comes in; the program that it is in, or a harness
 * around the function that it is in, is compiled with its own flags, linked with the runtime and
 * run, contained; what the runtime saw at the place of the finding is the verdict.
 *
 *   verify.c        the stages
 *   program.c       which units belong together, what can be run
 *   state.c         all that goes into a run, as one number
 *   attempt.c       one run after the other, until its findings are settled
 *   command_line.c  which command line to try next
 *   run.c           a run in the sandbox
 *   channel.c       what the runtime sends, distinguished from what the program sends
 *   events.c        what the runtime sent → events
 *   judge.c         findings and events → verdicts
 *   proof.c         which way findings of a rule are proven (proof.def)
 *   proof_*.c       what each way looks for: in tensors, regions, values, memory
 *   verdict.c       verdicts kept from run to run
 *   import.c        results of runs on another machine
 *   scratch.c       the folder for all of it, and those that killed runs left
 *   tool.c          compilers and other tools, run with limits
 *   interrupt.c     what Ctrl-C leaves behind: nothing
 *
 *   c/              how C is run: harnesses, measurements, compiling, linking, bundles */
#ifndef ANALYZER_VERIFY_H
#define ANALYZER_VERIFY_H

#include "analyzer/verify/verdict.h"
#include "rules/rules.h"

/* A unit as it is compiled: flags without the compiler's name, the file and -o, -c. */
struct verify_unit {
    const char *file;      /* as findings name it */
    const char *directory; /* relative paths in the flags are below it */
    const char *const *flags;
    int flag_count;
    const struct ir_unit *unit;
};

struct verify_limits {
    int wall_ms;         /* of one run */
    int runs;            /* of one program or harness */
    uint64_t bytes;      /* of memory */
    int compile_seconds; /* of CPU time, for the compiler; 0: 60. By the clock four times that */
};

struct verify_input {
    struct arena *arena; /* of the verdicts */
    const struct verify_unit *units;
    int unit_count;
    const struct flow *flow;
    const char *include, *library; /* of the runtime: folder, file */
    const char *compiler;          /* NULL: cc */
    const char *const *hidden;     /* what programs that run do not see; NULL-terminated */
    struct verify_limits limits;
    int jobs;
    struct verdicts *kept; /* what is known from before, and takes what is new; NULL: nothing */
    uint64_t world;        /* a hash of what else decides about findings: packs, version */
    const char *unsaved;   /* a file that is taken to contain unsaved_text; NULL: none */
    const char *unsaved_text;
    const char *root;   /* of the project, absolute; for the next two */
    const char *emit;   /* a folder for what was run, for another machine; NULL: none */
    const char *import; /* such a folder, run there: nothing is run here; NULL: none */
    bool uncontained;   /* run even where nothing contains it */
    const char *keep;   /* what was built and written stays there; NULL: it goes */
    /* How far it is; NULL: nobody wants to know. */
    void (*progress)(void *context, int done, int count, const struct finding *f);
    void *context;
};

/* Gives each finding its verdict. False: nothing could be run; e says why. */
bool verify_findings(const struct verify_input *in, const finding_list *findings, struct error *e);

/* Runs nothing: findings whose verdict is kept, and whose code did not change, have it. */
void verify_recall(const struct verify_input *in, const finding_list *findings);

#endif
