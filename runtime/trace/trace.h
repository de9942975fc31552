/* runtime/trace: what ops did, where and for how long. core/op.c hands every finished or failed op
 * in; out come lines of JSON (MISCAST_TRACE) and a table at exit (MISCAST_PROFILE).
 *
 *     MISCAST_TRACE=FILE    appends one JSON object a line for each op; "-" is stderr
 *     MISCAST_PROFILE=1     prints a table to stderr when the program ends; FILE writes it there
 *
 * In a file's name %p stands for the process id and %% for a percent sign. A file that cannot be
 * written costs one line on stderr, and nothing is traced. */
#ifndef RUNTIME_TRACE_H
#define RUNTIME_TRACE_H

#include "runtime/core/core.h"

enum trace_state { TRACE_UNDECIDED, TRACE_OFF, TRACE_ON };

extern atomic_int trace_state; /* read through trace_enabled, written once by trace_decide */
bool trace_decide(void);       /* asks the environment, the first time */

/* Is anybody looking? One relaxed load when off. */
static inline bool trace_enabled(void)
{
    int state = atomic_load_explicit(&trace_state, memory_order_relaxed);
    return state != TRACE_OFF && (state == TRACE_ON || trace_decide());
}

/* Notes what the running op needs to tell its own time from that of ops inside it. Returns now. */
uint64_t trace_begin(struct op *op);
/* Records an op that began at op->start_ns and is done or has failed: once an op, while its
 * operands and result are still alive, and before an error handler runs. result and error may be
 * NULL. */
void trace_op(const struct op *op, const mc_tensor *result, const mc_error *error);

/* Prints the table now, if it was asked for and was not printed yet. Runs at exit by itself;
 * whoever is about to abort() calls it before. */
void trace_finish(void);

/* ---- between the files of this folder ------------------------------------------------------ */

/* One op as it is recorded. */
struct trace_event {
    const struct op *op;
    const mc_tensor *result;
    const mc_error *error;
    uint64_t ns;
    uint64_t self_ns; /* without ops that ran inside this one: backward goes through many */
};

/* A descriptor for what the variable named, or -1 after the warning. */
int trace_open(const char *variable, const char *name);
/* All of it, or false with errno. */
bool trace_write(int fd, const char *text, size_t size);

bool profile_begin(const char *setting); /* false: not asked for, or impossible */
void profile_add(const struct trace_event *event);
void profile_print(void);

#endif
