/* Probes, between the files that make them: events (probe.c), measurements (measure.c), faults
 * (fault.c), repetitions (often.c). What a thread has open is kept here. */
#ifndef RUNTIME_PROBE_H
#define RUNTIME_PROBE_H

#include "runtime/trace/line.h"
#include "runtime/trace/trace.h"

enum { NOTES = 6, FRAMES = 16, PENDING = 64 };

/* An op that runs: what it has said so far. */
struct frame {
    const struct op *op;
    uintptr_t stack; /* where it lies */
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

/* The thread as it was before mc_probe_wide_begin. */
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
};

/* Made when first asked for; NULL: no memory. */
struct probe_thread *probe_self(void);

/* The beginning of an event's line, with its number; put a field, then probe_line_close. NULL: no
 * events are wanted now. */
struct line *probe_line(void);
void probe_line_close(struct line *l);

/* Whether ops like it, called there with such operands, were told a few times before; counts it.
 * Under the line's lock. (often.c) */
bool often_seen(const struct op *op);

/* Handles faults from now on; a fault is written to fd. guards: even where somebody else does. */
void fault_install(int fd, bool guards);
void fault_near(mc_place at);
/* An address of code as the executable's own symbols have it; 0: it is not in the executable. */
uintptr_t fault_code(const void *at);

#endif
