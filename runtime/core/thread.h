/* The state of one thread, for the files of core/, autograd/, amp/ and optim/. */
#ifndef RUNTIME_THREAD_H
#define RUNTIME_THREAD_H

#include "runtime/core/core.h"

struct scope {
    uint64_t id;
    mc_tensor ring; /* only prev and next are used: the ends of the ring */
};

struct thread {
    struct scope *scopes;
    int depth, room; /* scopes[0..depth] are open */
    uint64_t last_id;
    struct rng rng;
    bool no_grad;                    /* nothing is recorded */
    struct autocast *autocast;       /* what ops check: NULL unless a region is enabled */
    struct autocast *autocast_state; /* the thread's own; NULL: no region was ever open */
    mc_error last_error;
    bool has_error;
};

/* The thread's state, if it has any; for signal handlers. */
struct thread *thread_if_any(void);
mc_tensor *scope_newest(struct thread *t);
/* Drops one reference; the last one frees. */
void tensor_unref(mc_tensor *x);
/* Takes x out of its scope and drops the scope's reference. */
void tensor_free(mc_tensor *x);
/* Whether x is a live tensor; otherwise raises an error of the named op. */
bool op_alive(mc_place at, const char *name, const mc_tensor *x);
/* Calls the handler with the thread's last error; without a handler, ends the program. */
void error_hand_over(struct thread *t);

#endif
