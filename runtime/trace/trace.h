/* runtime/trace: what ops did, where and for how long. Every op that ends or fails comes in through
 * core's hooks; out go lines of JSON (MISCAST_TRACE, MISCAST_PROBE) and a table at exit
 * (MISCAST_PROFILE).
 *
 *     trace.c     decides what is recorded, and writes the events of MISCAST_TRACE
 *     event.c     the fields of an event, for these and those of MISCAST_PROBE
 *     profile.c   the table
 *     probe.c     the events of MISCAST_PROBE (probe.h), for which
 *     repeats.c   detects ops that a program repeats,
 *     measure.c   compares results with wide ones,
 *     inputs.c    reports what a program compares its inputs with, and
 *     elements.c  reads the contents of tensors (elements.h)
 *     fault.c     reports invalid memory accesses
 *     line.c      lines of JSON (line.h)
 *     losses.c    what was lost, at the end of a program that ran with shadow values (shadow/);
 *     losses_text.c   the same as text (losses.h)
 *     program.c   which program a process is, for commands that start several
 *     channel.c   sends events to `miscast verify` (channel.h, protocol.h, siphash.h)
 *
 *     MISCAST_TRACE=FILE    appends one line of JSON per op; "-" is stderr
 *     MISCAST_TRACE_ELEMENTS=1     with the least and the greatest element of each result
 *     MISCAST_PROFILE=1     prints a table to stderr when the program ends; FILE writes it there
 *     MISCAST_PROBE=FILE    as MISCAST_TRACE, with more about tensors, and events that are not ops
 *     MISCAST_PROBE_LIMIT=N        at most N events, then errors only; default 200,000
 *     MISCAST_PROBE_FULL=N         after N events, ops like many before them are written in a short
 *                                  form: which tensors they read and made; default: never
 *     MISCAST_PROBE_DRAWS=ends     many random numbers are the least or the greatest (core/rng.h)
 *     MISCAST_PROBE_ERRORS=go-on   an error without a handler does not end the program
 *     MISCAST_PROBE_SHADOW=1       with what was lost (shadow/shadow.h), at the end
 *     MISCAST_RUN=FILE      appends what was lost (shadow/shadow.h) when the program ends; 1:
 * prints it to stderr, for people MISCAST_RUN_THRESHOLD=E      the relative error above which a
 * result is reported; default 0.01 MISCAST_GUARD=1       memory that faults when it is overrun
 * (core/watch.h); faults are reported
 *
 * In a file name %p stands for the process id and %% for a percent sign. If a file cannot be
 * written, there is one line on stderr and nothing is traced. */
#ifndef RUNTIME_TRACE_H
#define RUNTIME_TRACE_H

#include "runtime/core/hooks.h"

bool trace_decide(void); /* reads the environment on the first call */

/* Notes what is needed to separate the op's own time from that of ops inside it. Returns the time.
 */
uint64_t trace_begin(struct op *op);
/* Records an op that began at op->start_ns and has ended or failed: once per op, while its
 * operands and result are still alive, and before an error handler runs. result and error may be
 * NULL. */
void trace_op(const struct op *op, const mc_tensor *result, const mc_error *error);

/* Writes what is written at the end, now, unless that was done. Runs at exit by itself; before an
 * abort() it must be called. */
void trace_finish(void);

/* ---- probes: notes of running ops ----------------------------------------------------------- */

void probe_note(const struct op *op, struct note note);

/* x is about to be written in place: its contents are compared afterwards. */
void probe_writes(const struct op *op, const mc_tensor *x);

/* What notes of running ops (core/hooks.h) are passed on to. */
void trace_writes(const struct op *op, const mc_tensor *x);
void trace_exposes(const mc_tensor *x);
void trace_numbers(mc_arg a, mc_arg b);

/* An event that is not an op and has no source location. */
void probe_mark(const char *name);

/* Whether an error without a handler does not end the program; and whether errors are ignored,
 * inside mc_probe_wide_begin. */
bool probe_goes_on(void);
bool probe_is_wide(void);

/* ---- between the files of this folder ------------------------------------------------------ */

struct conversions {
    uint64_t count, bytes, ns;
};

/* One op, as recorded. */
struct trace_event {
    const struct op *op;
    const mc_tensor *result;
    const mc_error *error;
    uint64_t ns;
    uint64_t self_ns;         /* without the ops that ran inside this one, such as backward's */
    struct conversions total; /* of the process, up to this op */
};

/* Opens the file that the variable names; -1 after a warning. (line.c) */
int trace_open(const char *variable, const char *name);
/* Writes all of it, or returns false with errno set. */
bool trace_write(int fd, const char *text, size_t size);

/* The format of an event: how a tensor is written, and what follows. */
struct line;
struct event_format {
    void (*tensor)(struct line *l, const struct op *op, const mc_tensor *t, bool is_result);
    void (*more)(struct line *l, const struct trace_event *e); /* NULL: nothing */
};
/* (event.c) */
void put_event(struct line *l, const struct trace_event *e, const struct event_format *how);
/* "dtype":…,"device":…,"shape":[…] */
void put_kind(struct line *l, const mc_tensor *t);
/* How many elements are NaN or infinite, the least and the greatest of the others. */
void put_survey(struct line *l, const mc_tensor *t);
/* A freed tensor may be an operand of a failed op, but cannot be described. */
static inline bool is_alive(const mc_tensor *t)
{
    return t && t->magic == TENSOR_ALIVE;
}

bool profile_begin(const char *setting); /* false: not requested, or impossible */
void profile_add(const struct trace_event *event);
void profile_print(void);

void program_write(void); /* the first record of a process: which program it is (program.c) */

bool losses_begin(void); /* the same */
void losses_end(void);
void losses_op_ended(void); /* an op has ended: a signal may have waited for that */

bool probe_begin(void); /* the same; also if only guard pages are requested */
void probe_enter(const struct op *op);
void probe_event(const struct trace_event *event);
void probe_end(void);

#endif
