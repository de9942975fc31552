/* Probes, as shared by the files that implement them: events (probe.c), measurements (measure.c),
 * faults (fault.c), repetitions (repeats.c); and the state of a thread. */
#ifndef RUNTIME_PROBE_H
#define RUNTIME_PROBE_H

#include "runtime/trace/line.h"
#include "runtime/trace/trace.h"

enum { NOTES = 6, FRAMES = 16, PENDING = 64 };

/* A running op: what it has noted so far. */
struct frame {
    const struct op *op;
    uintptr_t stack; /* its address */
    int note_count, written_count;
    struct note notes[NOTES];
    struct {
        const mc_tensor *tensor;
        uint64_t before;
    } written[LINE_WRITTEN];
};

/* What mc_probe_got is to be compared with. */
struct pending {
    mc_tensor *wide; /* a header of its own; NULL: the wide run failed, or there was no memory */
    char reason[512];
};

/* The thread's state before mc_probe_wide_begin. */
struct before_wide {
    bool no_grad, has_error, autocast_on[2];
    struct rng rng;
    mc_error last_error;
};

struct probe_thread {
    int depth; /* of frames; those beyond FRAMES are only counted */
    struct frame frames[FRAMES];
    int wide; /* how many mc_probe_wide_begin are open */
    struct before_wide before;
    int pending_count; /* those beyond PENDING are only counted */
    struct pending pending[PENDING];
    const char *given; /* mc_probe_given */
    bool lost;         /* by the last measurement */
};

/* Allocated on first use; NULL: out of memory. */
struct probe_thread *probe_self(void);

/* The start of an event's line, with its number; put a field, then probe_line_close. NULL: no
 * events are wanted now. */
struct line *probe_line(void);
/* The same at the end of the program, even if there were too many events before. */
struct line *probe_line_last(void);
void probe_line_close(struct line *l);

/* Whether similar ops, called there with such operands, were reported a few times before; counts
 * it. Under the line's lock. (repeats.c) */
bool repeats_seen(const struct op *op);

/* Handles faults from now on; they are written to fd. guards: even if there is another handler. */
void fault_install(int fd, bool guards);
void fault_near(mc_place at);
/* Sends AddressSanitizer's reports through the channel, if the program was built with it. */
void fault_watch_sanitizer(void);
/* A code address relative to the executable, as in its symbol table; 0: it is not in the
 * executable. */
uintptr_t fault_code(const void *at);

#endif
