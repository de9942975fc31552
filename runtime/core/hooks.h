/* Hooks: the functions of other parts that core calls. Core declares the table and knows none of
 * those parts; runtime/hooks.c, the one file above all parts, fills it in. It is constant, so
 * there is nothing to set up and no order of initialisation, and linking core links it, too. */
#ifndef RUNTIME_HOOKS_H
#define RUNTIME_HOOKS_H

#include "runtime/core/core.h"

/* Something that an op reports about itself while it runs, for traces. */
enum note_kind { NOTE_NUMBER, NOTE_FLAG, NOTE_TEXT };
struct note {
    const char *key;
    enum note_kind kind;
    union {
        double number;
        bool flag;
        const char *text; /* valid until the op ends */
    } as;
};

struct core_hooks {
    /* Devices (backends/). cpu is the backend of MC_CPU. */
    const struct backend *cpu;
    const struct backend *(*backend_of)(mc_device device);
    const char *(*cuda_missing)(void);
    const char *(*backend_trouble)(void);
    /* Gradients (autograd/graph.h). */
    bool (*shared_requires_grad)(const mc_tensor *t);
    void (*op_check_history)(struct op *op, const mc_tensor *x);
    void (*record_unknown)(struct op *op, mc_tensor *result);
    void (*node_unref)(struct node *n);
    void (*shared_free)(struct shared_history *w);
    /* Mixed precision (amp/amp.h). */
    void (*autocast_free)(struct autocast *a);
    /* Tracing (trace/trace.h). */
    bool (*trace_decide)(void);
    uint64_t (*trace_begin)(struct op *op);
    void (*trace_op)(const struct op *op, const mc_tensor *result, const mc_error *error);
    void (*trace_note)(const struct op *op, struct note note);
    void (*trace_write)(const struct op *op, const mc_tensor *x);
    void (*trace_exposes)(const mc_tensor *x);
    void (*trace_numbers)(mc_arg a, mc_arg b);
    void (*trace_mark)(const char *name);
    void (*trace_finish)(void);
    bool (*errors_go_on)(void);
    bool (*errors_are_ignored)(void);
};

extern const struct core_hooks core_hooks;

/* Whether x requires a gradient, also through memory that it shares with others. */
static inline bool tensor_requires_grad(const mc_tensor *t)
{
    return t->requires_grad || (storage_noted(t->storage) && core_hooks.shared_requires_grad(t));
}

/* ---- tracing -------------------------------------------------------------------------------- */

enum trace_state { TRACE_UNDECIDED, TRACE_OFF, TRACE_ON };
extern atomic_int trace_state; /* read by trace_enabled, written once by trace_decide (op.c) */

/* Whether anything is recorded: one relaxed load when it is not. */
static inline bool trace_enabled(void)
{
    int state = atomic_load_explicit(&trace_state, memory_order_relaxed);
    return state != TRACE_OFF && (state == TRACE_ON || core_hooks.trace_decide());
}

static inline void op_note_number(const struct op *op, const char *key, double value)
{
    if (op->start_ns)
        core_hooks.trace_note(op, (struct note){key, NOTE_NUMBER, {.number = value}});
}
static inline void op_note_flag(const struct op *op, const char *key, bool value)
{
    if (op->start_ns)
        core_hooks.trace_note(op, (struct note){key, NOTE_FLAG, {.flag = value}});
}
static inline void op_note_text(const struct op *op, const char *key, const char *value)
{
    if (op->start_ns)
        core_hooks.trace_note(op, (struct note){key, NOTE_TEXT, {.text = value}});
}
/* x is about to be written in place: its contents before and after are compared. */
static inline void op_note_write(const struct op *op, const mc_tensor *x)
{
    if (op->start_ns)
        core_hooks.trace_write(op, x);
}
/* The program gets a pointer to x's memory. */
static inline void op_note_pointer(const struct op *op, const mc_tensor *x)
{
    if (op->start_ns)
        core_hooks.trace_exposes(x);
}
/* The operands of the next binary kernel, as they are before numbers are rounded. */
static inline void op_note_numbers(const struct op *op, mc_arg a, mc_arg b)
{
    if (op->start_ns)
        core_hooks.trace_numbers(a, b);
}
/* An event that is not an op and has no source location. */
static inline void trace_mark(const char *name)
{
    if (trace_enabled())
        core_hooks.trace_mark(name);
}

#endif
