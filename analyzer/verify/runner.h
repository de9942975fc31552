/* What a language brings so that its findings can be run. Judging calls these functions and knows
 * neither the language nor its tools. A runner prepares programs, says how a process is started and
 * explains what only it can read (addresses, reports of its tools); it never decides a verdict. The
 * sandbox, the channel of events and their seal are judging's, so that they are the same for all
 * languages.
 *
 * C compiles and links (c/). An interpreter builds nothing: its build is the file itself with a
 * list of places to measure, its command is the interpreter with a watcher that sends events, and
 * everything marked optional may be NULL. */
#ifndef ANALYZER_VERIFY_RUNNER_H
#define ANALYZER_VERIFY_RUNNER_H

#include "analyzer/verify/branch.h"
#include "analyzer/verify/command_line.h"
#include "analyzer/verify/program.h"
#include "analyzer/verify/run.h"

/* What is to be run. */
struct build_plan {
    const struct program *program;
    const char *function;           /* a harness calls it; NULL: the program starts as it does */
    const struct verify_unit *unit; /* measurements are made in it; NULL: there are none */
    const finding_list *findings;   /* to be measured: as many as one build can */
    finding_list *measured;         /* out: those that it does */
    bool checks_memory;             /* under a memory checker */
    const condition_list *branches; /* that it reports; NULL: none */
    bool follows;                   /* it reports what it does with what it reads, too */
    const finding_list *judged;     /* by its runs; NULL: not known */
};

struct build_error {
    struct error error;
    bool tampered; /* the program would get between the runtime and its events */
};

/* How a build is started with certain arguments. */
struct process {
    const char *const *argv, *const *environment; /* NULL-terminated */
    const char *label;                            /* for reports: "main --half" */
};

struct inputs; /* what a harness calls its function with, and how that is changed */

struct runner {
    const char *library;             /* that makes a process one that reports: "the runtime" */
    const char *start;               /* the function that a program starts with, in the IR */
    const struct language *language; /* that its users read; NULL: that of the runtime */
    bool is_dynamic;       /* what is called is only known when it runs; places have columns */
    bool measures_always;  /* measurements need no build of their own */
    bool shadows;          /* a program can be run with shadow values */
    bool goes_past_errors; /* a program can be run on after its first error */
    bool seals_digest;     /* what watches it computes seals slowly */
    bool makes_up_types;   /* a harness guesses what kind of thing an argument is */
    int start_ms;          /* what it takes to start, besides the run */

    /* State of one thread; in verifier.runner_state. Optional. */
    void *(*state_new)(struct verifier *v);
    void (*state_free)(struct verifier *v);

    /* ---- programs ---- */
    /* Whether a program starts with the unit; optional: all that have the function do. */
    bool (*is_entry)(struct verifier *v, const struct verify_unit *u);
    /* The units that run with the entry. */
    struct program *(*program_of)(struct verifier *v, const struct verify_unit *entry);
    /* The files that a unit is made of, except for the system's: real paths, its own first. */
    void (*unit_files)(struct verifier *v, const struct verify_unit *u, text_list *out);
    /* Adds the tools that decide about a run to a hash. */
    uint64_t (*hash_tools)(struct verifier *v, uint64_t h);
    /* What the program may understand on its command line. False: it reads none. */
    bool (*choices_of)(struct verifier *v, const struct program *p, choice_list *out);

    /* ---- building and starting ---- */
    /* NULL: e says why, unless a plan with findings has nothing measured. */
    struct build *(*build)(struct verifier *v, const struct build_plan *plan,
                           struct build_error *e);
    struct process (*process_of)(struct verifier *v, const struct build *b, const struct launch *l,
                                 const char *room);
    /* Runs a process of process_of as sandbox_execute does, which is the default. */
    struct sandbox_end (*execute)(struct verifier *v, const struct sandbox_run *how);
    /* What a process is started with, but for its arguments. */
    const char *const *(*environment_of)(struct verifier *v, const struct launch *l,
                                         const char *room);
    /* Variables by which the processes of a command report what these findings need; optional: they
     * report by themselves. */
    const char *const *(*command_variables)(struct verifier *v, const finding_list *findings);
    /* What its processes have to use for that; optional: the library. */
    const char *(*library_for)(struct verifier *v, const finding_list *findings);
    /* Why a process of a command cannot report such a finding, "": it uses another library; NULL:
     * it can. Optional. */
    const char *(*unobserved)(struct verifier *v, const struct finding *f, const struct run *r);
    /* Adds the events that follow from several records of a process. Optional. */
    void (*read_process)(struct verifier *v, struct run *r);
    /* A program that the user has built, for add_frames. Optional. */
    struct build *(*build_of)(struct verifier *v, const char *executable);
    /* Arguments for a harness, chosen for a finding; optional: functions are not called alone. */
    struct inputs *(*inputs_for)(struct verifier *v, const struct build *b,
                                 const struct finding *f);
    /* The next to try after a run with the last ones, or NULL before the first. NULL: no more. */
    const char *const *(*inputs_next)(struct inputs *i, const struct run *last);

    /* ---- reading what came of it; optional ---- */
    /* Why an event cannot come from what watches the program; NULL: it can. */
    const char *(*distrust)(const struct event *e);
    /* The kind of an error whose record does not name one; NULL: there is none. */
    const char *(*error_kind)(const struct event *e);
    /* Adds the frames of an event whose record has addresses. */
    void (*add_frames)(struct verifier *v, struct run *r, struct event *e);
    /* Adds the event that a memory checker's report is. */
    void (*read_memory_report)(struct verifier *v, const char *report, struct run *r);
    /* Why operations of such a function are never reported; NULL: they are. */
    const char *(*unseen)(const struct pack_function *callee);
    /* What a call may have gone well with although it fails with what the rules are about: another
     * version; NULL: there is no such difference. */
    const char *(*differs)(const struct verifier *v, const struct run *r);
    /* Why it may have exited so without the closing record; NULL: not known. */
    const char *(*explain_exit)(int status);

    /* ---- bundles (bundle.h); optional, all or none ---- */
    /* Writes what is needed to build and run it elsewhere into the folder of a case. */
    bool (*bundle_case)(struct verifier *v, const char *folder, const char *name,
                        const struct build *b, const struct launch *l, struct error *e);
    /* Writes what all cases share: run.sh, which builds and runs them. */
    bool (*bundle_close)(struct verifier *v, struct error *e);
    /* What ran elsewhere, for add_frames. */
    struct build *(*bundle_build)(struct verifier *v, const char *name);
};

#endif
