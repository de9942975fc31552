/* One run of a build: how it is started, how it ended, and its events. */
#ifndef ANALYZER_VERIFY_RUN_H
#define ANALYZER_VERIFY_RUN_H

#include "analyzer/sandbox/sandbox.h"
#include "analyzer/verify/events.h"

struct build;    /* something that can be run; the runner knows what it is */
struct branches; /* branch.h */

/* How a build is started. A language that reads a condition from its environment or from files gets
 * those here, too. */
struct line_file;
struct launch {
    const char *const *arguments;   /* without the program's name; NULL-terminated */
    const char *const *environment; /* variables besides the usual: "AMP=1"; NULL: none */
    const char *folder; /* where it starts, with files for it; NULL: where it was built */
    const char *reads;  /* what it finds in them, for reports; NULL: nothing */
    const char *input;  /* a file, for standard input; NULL: it is empty */
    const struct line_file *files; /* all of these, for a bundle */
    int file_count;
    bool in_room;       /* in a folder where it may write, not where it was built */
    bool past_errors;   /* the first error does not end it */
    bool guards_memory; /* tensors' memory cannot be touched beyond its ends */
    bool shadows;       /* with shadow values, to see what is lost */
    bool unlikely;      /* the random numbers that it draws are often the least or the greatest */
};

struct run {
    struct arena *arena;   /* of its events; NULL: it has none yet */
    const char *entry;     /* "main --half" */
    const char *directory; /* files in events are relative to it; NULL: to that of some unit */
    const struct build *build;
    struct sandbox_end end;
    LIST(struct event) events;
    json_t *lines;       /* what events point into */
    const json_t *first; /* the first record, where there are several processes; else NULL */
    const json_t *last;  /* the closing record; NULL: it could not be sent */
    int64_t built;       /* when, in nanoseconds; 0: for this run */
    int64_t numbered;    /* events that have a number */
    bool cut;            /* there were more events than are kept */
    bool closed;         /* the end, or what ended it, was reported */
    bool complete;       /* everything was reported: what is missing did not happen */
    const char *unknown; /* why what happened after some point says nothing; NULL: it does */
    const char *broken;  /* why nothing in it is believed; NULL: it is */
    int resolved;        /* how many events' frames were resolved */
    bool brief;          /* some events have the brief form */
    bool simulated;      /* cuda was */
    const char *version; /* of the library, where it ran elsewhere; NULL: that which is here */
    bool is_harness;     /* the arguments of the function are ours */
    bool checks_memory;  /* a memory checker watched the program's own memory */
    bool shadows;        /* it ran with shadow values */
    bool past_errors;    /* the first error did not end it, as it ends the program otherwise */
    const struct branches *branches; /* that it reports; NULL: none */
};

/* Adds those of the user's variables that programs may see. */
void pass_variables(struct arena *a, const char *const *names, int count, text_list *out);
/* "AMP=1 main --half (reads config.txt)": a program and how it is started. */
const char *launch_label(struct arena *a, const char *program, const struct launch *l);
/* Runs it in the sandbox. NULL: it was not started, and e says why. */
struct run *run_build(struct verifier *v, const struct build *b, const struct launch *l,
                      const char *directory, struct error *e);
/* "namespaces, landlock, seccomp, limits" */
const char *sandbox_held_text(struct arena *a, unsigned held);
void run_free(struct run *r);
/* "it ended by signal 11 (Segmentation fault)"; NULL: it exited. */
const char *run_trouble(struct verifier *v, const struct run *r);

#endif
