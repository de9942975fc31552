/* What the files of analyzer/verify share. */
#ifndef ANALYZER_VERIFY_VERIFIER_H
#define ANALYZER_VERIFY_VERIFIER_H

#include "analyzer/sandbox/sandbox.h"
#include "analyzer/verify/verify.h"

#include <jansson.h>

struct verifying {
    const struct verify_input *in;
    struct arena *arena;  /* until all verdicts are there */
    const char *room;     /* folder for all that is built and run */
    struct map *objects;  /* by unit and way of compiling (build.c) */
    struct map *defined;  /* units by what they define (program.c) */
    struct map *real;     /* paths by how they were written */
    struct map *reserved; /* names that are the runtime's (object.c); NULL: not looked up yet */
    struct map *places;   /* of addresses (frames.c) */
    struct map *recipes;  /* what was built and run (bundle.h) */
    int made;             /* folders and files so far, for their names */
    const char *held;     /* what contained the last run */
    struct sources *sources;
    bool sanitizes; /* what is being built (build.c) */
};

/* ---- programs (program.c) ------------------------------------------------------------------ */

/* Units that make a program together. */
struct program {
    const struct verify_unit *entry;        /* in which main is, or the function a harness calls */
    LIST(const struct verify_unit *) units; /* the entry first */
};

void programs_index(struct verifying *v);
/* The unit, and all that it needs of others. */
struct program *program_of(struct verifying *v, const struct verify_unit *entry);
/* Where the function of a finding is defined; NULL: nowhere. */
const struct verify_unit *unit_of(struct verifying *v, const struct finding *f);
const struct ir_function *function_of(const struct verify_unit *u, const char *name);
bool program_holds(const struct program *p, const struct verify_unit *u);
/* Whether calls lead from one function to another; the program's units are looked at. */
bool program_leads(struct verifying *v, const struct program *p, const char *from, const char *to);

/* ---- building (build.c) ---------------------------------------------------------------------- */

/* How a program is compiled, beside its units' own flags. */
struct compiling {
    const struct verify_unit *unit; /* one whose text is not that of its file; NULL: none */
    const char *text;
    bool no_main;   /* the text has a main of its own */
    bool sanitizes; /* with AddressSanitizer */
};

/* What is included first, here and in bundles: a declaration (build.c). */
#define FIRST_HEADER "struct miscast_first; /* no precompiled header is used behind this */\n"

/* The text of what is compiled along for a library that the program calls; NULL: it calls none
 * (stand_in.c). */
const char *stand_in_for(struct verifying *v, const struct program *p);
bool stand_in_has(const char *name); /* whether a stand-in tells of calls by that name */
/* An executable; NULL: e says what the compiler or linker said first. */
const char *build_program(struct verifying *v, const struct program *p, const struct compiling *how,
                          struct error *e);
/* A folder of its own below the room. */
const char *make_folder(struct verifying *v, const char *name);
/* Absolute, without links. */
const char *path_real(struct verifying *v, const char *directory, const char *path);

/* ---- runs and events (events.c, run.c) --------------------------------------------------------
 */

enum { EVENT_TENSORS = 12, EVENT_DIMS = 8 };

struct event_tensor {
    const char *name, *dtype, *device; /* dtype NULL: there is none */
    int64_t shape[EVENT_DIMS];
    int ndim;
    int64_t id, storage, version, bytes;
    bool requires_grad;
    const char *before, *after; /* of what an op wrote: hashes of its elements */
    int64_t nan, inf;
};

/* A place that the program had come through. */
struct event_frame {
    const char *file; /* real path */
    int line;
};

/* Something that the runtime did, or that a sanitizer saw. */
struct event {
    const char *op, *file, *function; /* file: real path; op "": no op but what raw says */
    int line, depth;
    uint64_t ns;
    struct event_tensor *operands, result;
    struct event_tensor written; /* the first; its dtype is NULL: it wrote into none */
    int operand_count;
    bool backward, skipped, in_place;
    const char *error_kind, *error;  /* NULL: it worked */
    LIST(struct event_frame) frames; /* of a fault, innermost first */
    const json_t *raw; /* all of it; NULL: the runtime did not write it, or only briefly */
};

struct run {
    struct arena *arena;   /* of its events; NULL: they have none yet */
    const char *entry;     /* "main --half" */
    const char *directory; /* files in events are below it */
    const char *executable;
    struct sandbox_end end;
    LIST(struct event) events;
    json_t *lines;      /* what events point into */
    const json_t *last; /* what the runtime said at the end; NULL: it could not */
    int64_t told;       /* events that have a number */
    bool cut;           /* there were more events */
    bool closed;        /* told its end, or what ended it */
    bool complete;      /* all that happened was told: what was not told did not happen */
    const char *broken; /* why nothing in it is believed; NULL: it is */
    int resolved;       /* how many events' places were asked for (frames.c) */
    bool brief;         /* some were told briefly */
    bool simulated;     /* cuda was */
    bool is_harness;    /* the arguments of the function are ours */
    bool sanitized;     /* AddressSanitizer looked on */
    const char *places; /* of its events, resolved where it ran: "#", "FILE:LINE"…; or NULL */
};

/* Where the program was when it touched memory that it must not; adds to e (frames.c). */
void frames_of_fault(struct verifying *v, struct run *r, struct event *e);
/* What AddressSanitizer told on stderr, as the last event. */
void sanitizer_read(struct verifying *v, const char *said, struct run *r);
#define EVENT_MEMORY "memory" /* error_kind of what it told */

/* Reads what the runtime wrote, line by line; files in it are below the directory. text NULL: it
 * wrote nothing. */
bool events_read(struct verifying *v, const char *text, const char *directory, struct run *r,
                 struct error *e);
/* One of them, which then belongs to the run. */
void event_take(struct verifying *v, json_t *o, const char *directory, struct run *r);

/* How an executable is run, beside its arguments. */
struct run_way {
    const char *setting; /* "NAME=value" for its environment beside the usual; NULL: none */
    bool in_room;        /* not where it was compiled, but where it may write */
};
/* NULL: e says why it was not started. */
struct run *run_program(struct verifying *v, const char *executable, const char *const *arguments,
                        const char *entry, const char *directory, const struct run_way *way,
                        struct error *e);
void run_free(struct run *r);
/* "it was ended after 5 s", "SIGSEGV ended it"; NULL: it came to its own end. */
const char *run_trouble(struct verifying *v, const struct run *r);

/* ---- verdicts (judge.c, proof.c) ----------------------------------------------------------------
 */

/* What is looked for in a run. */
struct judging {
    struct verifying *v;
    const struct finding *finding;
    const struct run *run;
    const char *op;        /* what the runtime calls what is called there; NULL: not known */
    const char *directory; /* where the program was compiled */
    struct verdict *verdict;
};

/* The packed call that a finding is proven at; NULL: none. */
const struct flow_call *call_of(struct verifying *v, const struct finding *f);
/* A run speaks about a finding. What was known before is replaced if this is more. */
void judge_run(struct verifying *v, struct finding *f, const struct run *r);
/* Whether no further run can change the verdict. */
bool is_settled(const struct finding *f);
bool event_is_at(const struct judging *j, const struct event *e);
/* The verdict of this run; e: on what it rests, NULL: on nothing. */
void judge_set(const struct judging *j, enum verdict_kind kind, const struct event *e,
               const char *what);
/* "raised … here" */
const char *event_raised(struct verifying *v, const struct event *e);
/* "x f16 [4, 8] cpu, weight f32 [4, 8] cpu" */
const char *event_inputs(struct verifying *v, const struct event *e);
int verdict_strength(enum verdict_kind k); /* which of two is kept */

/* Findings of rules that raise nothing: whether and how they can be proven. */
bool proof_exists(const struct finding *f);
const char *proof_missing(const struct finding *f); /* why not */
void proof_look(const struct judging *j);
/* Where it is to be seen: at the finding, or at what it names. */
const struct span *proof_span(const struct finding *f);

/* What is put into the source at that place, so that more is to be seen (c/measure.c). */
enum instrument {
    INSTRUMENT_NONE,
    INSTRUMENT_WIDE,   /* the call again, as wide as it comes */
    INSTRUMENT_FLOAT,  /* the same, where integers that are written to are floats, too */
    INSTRUMENT_INDEX,  /* the call again with i64 indices */
    INSTRUMENT_MEMORY, /* memory: what its pointers point to, or what it really holds */
};
enum instrument proof_instrument(const struct finding *f);

/* Whether the memory that an operand points to holds pointers instead of elements (c/measure.c). */
bool holds_pointers(const struct flow_call *c, int operand);

/* The source of a unit with a measurement at the calls of as many findings as possible, which are
 * told; NULL: none of them can have one (c/measure.c). */
const char *measured_source(struct verifying *v, const struct verify_unit *u,
                            const finding_list *findings, finding_list *measured);

/* ---- driving (attempt.c, c/harness.c)
 * ----------------------------------------------------------------- */

/* Each finding gets what could be found out about it. */
void drive_program(struct verifying *v, const struct verify_unit *entry, finding_list *findings);
void drive_function(struct verifying *v, const struct verify_unit *entry, const char *function,
                    finding_list *findings);

#endif
