/* What was lost, by source line: the result of the run. */
#ifndef RUNTIME_SHADOW_LOSSES_H
#define RUNTIME_SHADOW_LOSSES_H

#include "runtime/core/core.h"

/* Worst first. */
enum loss_kind {
    LOSS_OVERFLOW,    /* infinite: the value does not fit the dtype */
    LOSS_NAN,         /* NaN, or infinite because of an operand, and it should not be */
    LOSS_WRAP,        /* an integer that does not fit its dtype */
    LOSS_UNDERFLOW,   /* zero: the value is too small for the dtype */
    LOSS_STUCK,       /* an update in place changed nothing */
    LOSS_TRUNCATED,   /* a fraction that an integer cannot hold */
    LOSS_INEXACT,     /* an integer that a float cannot hold */
    LOSS_ACCUMULATED, /* rounding that added up, run after run of one line */
    LOSS_CANCELLED,   /* small errors of operands that became large ones */
    LOSS_ROUNDED,     /* rounding larger than the dtype explains */
    LOSS_KINDS
};

/* A place in the source and what ran there. Sites are numbered from 1. */
struct site {
    char *file, *function, *op;
    int line;
    bool backward;
};
unsigned site_of(const struct op *op);
const struct site *site_get(unsigned site); /* NULL: 0 */

struct loss {
    enum loss_kind kind;
    unsigned site;
    mc_dtype dtype;
    bool is_int; /* real and wide are in real_int and wide_int */
    double real, wide;
    int64_t real_int, wide_int;
    int64_t worst, numel, elements; /* which element; of how many; how many are concerned */
    int ndim;
    int64_t shape[MC_MAX_DIMS];
    double introduced, inherited; /* relative errors */
    unsigned since;               /* the site that decided the dtype; 0: unknown */
    unsigned from; /* the site that wrote the operand with the largest error; 0: none */
    uint64_t times;
    uint64_t serial; /* of the entry, until the op has ended */
};

/* A gradient that became infinite: a scaler may notice it and skip the step. It is added when the
 * next step is taken or the program ends, or dropped. */
void losses_hold(const struct loss *l);
void losses_release(bool dropped);
/* Puts it with those of the same line and kind, of which the worst is kept. */
void losses_add(const struct loss *l);
/* At the end: one for each site, worst first; *count of them. Not freed. */
const struct loss *losses_sorted(size_t *count);
const char *loss_name(enum loss_kind kind);

/* What was covered. */
struct coverage {
    uint64_t ops, kernels, uncovered;
    char uncovered_ops[4][32]; /* names, the first few */
};
extern struct coverage shadow_coverage; /* under the ledger's lock */
void coverage_missed(void);             /* the running op computed something without a shadow */

/* The op that runs in this thread; NULL: none. (frame.c) */
struct frame;
struct frame *frame_now(void);
unsigned frame_site(void);
bool frame_writes(void); /* the op writes in place */
/* A loss of the running op: it counts once the op has ended, if it is to be seen then. */
void frame_lost(const struct loss *l);

#endif
