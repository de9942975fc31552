/* runtime/trace: what ops did, where and for how long. core/op.c hands every finished or failed op
 * in; out come lines of JSON (MISCAST_TRACE, MISCAST_PROBE) and a table at exit (MISCAST_PROFILE).
 *
 *     MISCAST_TRACE=FILE    appends one JSON object a line for each op; "-" is stderr
 *     MISCAST_PROFILE=1     prints a table to stderr when the program ends; FILE writes it there
 *     MISCAST_PROBE=FILE    as MISCAST_TRACE, with more of each tensor, and of what is no op
 *     MISCAST_PROBE_LIMIT=N        at most so many events, then errors only; by default 200,000
 *     MISCAST_PROBE_FULL=N         beyond so many, ops that are like many before are told briefly:
 *                                  which tensors they read and made; by default all in full
 *     MISCAST_PROBE_ERRORS=go-on   an error that no handler is there for ends nothing
 *     MISCAST_GUARD=1       memory that faults when it is overrun (core/watch.h); a fault is told
 *
 * In a file's name %p stands for the process id and %% for a percent sign. A file that cannot be
 * written costs one line on stderr, and nothing is traced. */
#ifndef RUNTIME_TRACE_H
#define RUNTIME_TRACE_H

#include "runtime/core/hooks.h"

bool trace_decide(void); /* asks the environment, the first time */

/* Notes what the running op needs to tell its own time from that of ops inside it. Returns now. */
uint64_t trace_begin(struct op *op);
/* Records an op that began at op->start_ns and is done or has failed: once an op, while its
 * operands and result are still alive, and before an error handler runs. result and error may be
 * NULL. */
void trace_op(const struct op *op, const mc_tensor *result, const mc_error *error);

/* Writes what is told at the end, now, if that has not been done. Runs at exit by itself; whoever
 * is about to abort() calls it before. */
void trace_finish(void);

/* ---- probes: what ops say of themselves, while they run ------------------------------------- */

void probe_note(const struct op *op, struct note note);

/* x is about to be written to in place: what it holds is compared with what it held. */
void probe_writes(const struct op *op, const mc_tensor *x);

/* An event that is no op, and knows no place. */
void probe_mark(const char *name);

/* Whether an error without a handler is let pass; and whether any is, inside mc_probe_wide_begin.
 */
bool probe_goes_on(void);
bool probe_is_wide(void);

/* ---- between the files of this folder ------------------------------------------------------ */

struct conversions {
    uint64_t count, bytes, ns;
};

/* One op as it is recorded. */
struct trace_event {
    const struct op *op;
    const mc_tensor *result;
    const mc_error *error;
    uint64_t ns;
    uint64_t self_ns;         /* without ops that ran inside this one: backward goes through many */
    struct conversions total; /* of the process, up to this op */
};

/* A descriptor for what the variable named, or -1 after the warning. (line.c) */
int trace_open(const char *variable, const char *name);
/* All of it, or false with errno. */
bool trace_write(int fd, const char *text, size_t size);

/* How an event is told: what is said of a tensor, and what besides. */
struct line;
struct telling {
    void (*tensor)(struct line *l, const struct op *op, const mc_tensor *t, bool is_result);
    void (*more)(struct line *l, const struct trace_event *e); /* NULL: nothing */
};
void put_event(struct line *l, const struct trace_event *e, const struct telling *how);
/* "dtype":…,"device":…,"shape":[…] */
void put_kind(struct line *l, const mc_tensor *t);
/* A tensor that was freed is there to be complained of, not to be described. */
static inline bool is_alive(const mc_tensor *t)
{
    return t && t->magic == TENSOR_ALIVE;
}

bool profile_begin(const char *setting); /* false: not asked for, or impossible */
void profile_add(const struct trace_event *event);
void profile_print(void);

bool probe_begin(void); /* the same; also where only guards are asked for */
void probe_enter(const struct op *op);
void probe_event(const struct trace_event *event);
void probe_end(void);

#endif
