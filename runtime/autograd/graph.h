/* runtime/autograd: the graph of what was computed from tensors that require grad, and backward
 * through it.
 *
 *     graph.c   nodes, edges and saved tensors; recording an op
 *     shared.c  histories of memory that several tensors share
 *     engine.c  the walk of mc_backward (engine.h)
 *     grad.c    the public functions
 *     arithmetic.c attention.c cast.c class_loss.c conv.c index.c join.c linalg.c loss.c matmul.c
 *     norm.c pointwise.c pool.c reduce.c softmax.c unary.c view.c
 *               the gradient formulas (formula.h) of the ops in these families, and how they are
 *               recorded (formulas.h)
 *     shape.c   gradients of views, for all of them
 *
 * The graph has one node per op, with an edge to the node that made each operand, and a sink for an
 * operand that is a leaf. Tensors hold the node that made them, nodes hold their predecessors, and
 * nothing points forward: so the graph is freed with its tensors. */
#ifndef RUNTIME_GRAPH_H
#define RUNTIME_GRAPH_H

#include "runtime/core/hooks.h"

enum { SAVED_MAX = 6, OUTPUT_MAX = 3 };

struct node;
struct back;
struct shared_history;

/* Where a gradient goes: to an output of a node. node NULL: nowhere, it is not needed. */
struct edge {
    struct node *node;
    int output;
};

/* A tensor saved for backward. */
struct saved {
    mc_tensor *tensor; /* a header of the node's own; NULL: none, or released */
    unsigned version;  /* the storage's when it was saved: a different one now means that the values
                          have changed */
    bool is_result;    /* the op's own result, for the wording of errors */
};

/* What a gradient must look like: dtype, device and shape of its tensor. */
struct like {
    mc_dtype dtype;
    mc_device device;
    mc_shape shape;
};

/* How a tensor views its storage. */
struct geometry {
    int ndim;
    int64_t offset;
    int64_t shape[MC_MAX_DIMS], stride[MC_MAX_DIMS];
};

/* An op wrote to a view: its node stands for the change of the whole storage. */
struct patch {
    struct geometry base, view;
};

/* The gradient formula of an op: reads the gradients of its outputs, gives those of its inputs
 * (formula.h). */
typedef void (*backward_fn)(struct back *b);

struct node {
    atomic_int refs;
    backward_fn back; /* NULL: a sink, with gradient */
    const char *name; /* the op and its location */
    mc_place at;
    uint64_t sequence; /* the order of recording, in this process */
    int input_count, output_count;
    struct edge *inputs;
    struct like *outputs;
    void *params; /* parameters of the formula that are not tensors */
    struct patch
        *patch; /* NULL, or of an op that wrote to a view; then inputs[0] is the whole storage */
    struct saved saved[SAVED_MAX];
    bool holds;          /* something that PyTorch would have saved as a tensor, such as a number */
    bool released;       /* saved tensors were released: backward has been here */
    mc_tensor *gradient; /* of a sink */
    bool closed;       /* a sink whose tensor does not require grad any more: nothing accumulates */
    bool moved;        /* a sink whose tensor is no leaf any more */
    struct node *kept; /* a sink that also receives the gradient of output kept_output */
    int kept_output;
    struct node *next_dead;       /* while the graph is freed */
    const mc_tensor *into;        /* while recording: the tensor that the op wrote to, */
    struct shared_history *whole; /* and the history that it shares with others, or NULL */
};

/* A node for the running op, without a formula. NULL after op_fail. */
struct node *node_new(struct op *op, int inputs, int outputs, size_t params);
void node_ref(struct node *n);
void node_unref(struct node *n); /* NULL is fine */
size_t graph_live_nodes(void);   /* of all threads */

/* Where x's gradient goes; holds a reference. False after op_fail. */
bool edge_to(struct op *op, mc_tensor *x, struct edge *edge);
/* Makes n the history of x. Takes the node over. */
void tensor_set_fn(mc_tensor *x, struct node *n, int output);
/* The node that accumulates x's gradient, made on first use. NULL after op_fail. */
struct node *sink_of(struct op *op, mc_tensor *x);
/* Releases what the node saved. */
void node_release(struct node *n);

struct geometry geometry_of(const mc_tensor *x);

/* ---- recording ----------------------------------------------------------------------------- */

/* The node of the running op, with room for params (zeroed). into: the tensor that was written in
 * place, which is then inputs[0]; NULL: the result is new. Inputs may be NULL. Call it after
 * computing the result, only if op->tracks. NULL after op_fail, and if no input requires grad. */
struct node *record(struct op *op, backward_fn back, mc_tensor *into, int count,
                    mc_tensor *const *inputs, size_t params);
#define RECORD(op, back, into, params, ...)                                                        \
    record(op, back, into, (int)(sizeof((mc_tensor *const[]){__VA_ARGS__}) / sizeof(mc_tensor *)), \
           (mc_tensor *const[]){__VA_ARGS__}, params)
/* The same for an op with one input and several results. */
struct node *record_several(struct op *op, backward_fn back, int results, mc_tensor *x);
void recorded_several(struct op *op, struct node *n, int count, mc_tensor *const *results);
static inline bool node_wants(const struct node *n, int input)
{
    return n->inputs[input].node != NULL;
}
/* Saves x for backward. A NULL node or tensor is fine. */
void node_save(struct op *op, struct node *n, int slot, mc_tensor *x);
void node_save_result(struct op *op, struct node *n, int slot, mc_tensor *result);
/* Makes n the history of result. Takes the node over. */
void recorded(struct op *op, struct node *n, mc_tensor *result);

/* At the end of an op that should have recorded itself and has not: it gets a node whose backward
 * fails with an error that says so. */
void record_unknown(struct op *op, mc_tensor *result);
/* The result has no gradient, whatever the operands require. */
void op_constant(struct op *op);

/* ---- memory that several tensors see (shared.c) ---------------------------------------------- */

/* Links y, a view of x, for later writes; every op that returns a view must call it. */
void view_linked(struct op *op, mc_tensor *y, mc_tensor *x, enum view_made made);
/* y shares memory with others, but has its own history. */
void view_apart(mc_tensor *y);
/* Whether x's memory was changed since its history was recorded. */
bool view_is_stale(const mc_tensor *x);
/* Updates the history of such an x. False after op_fail. */
bool view_renew(struct op *op, mc_tensor *x);
/* Before an op on x is recorded: fails if the history of x cannot be known. */
void op_check_history(struct op *op, const mc_tensor *x);
/* Whether x, as it is now, was not made by a recorded op. */
bool view_is_leaf(const mc_tensor *x);
/* Before an op writes to x in place: fails if that is not allowed for recorded tensors. Called
 * before any other check, as in PyTorch. */
bool op_may_write(struct op *op, mc_tensor *x);

/* Whether the memory that x shares with others has a history. */
bool shared_requires_grad(const mc_tensor *x);
/* A recorded op has written to x: the history that x shares with others, or NULL. True: x is only
 * a part of the memory with that history, which has the given geometry. */
bool shared_written(struct op *op, mc_tensor *x, struct shared_history **whole,
                    struct geometry *geometry);
struct edge shared_edge(const struct shared_history *w); /* holds a reference; or none */
struct like shared_like(const struct shared_history *w);
void shared_set(struct shared_history *w, struct node *n);
/* x's requires_grad was changed by the user. */
void shared_set_requires_grad(struct op *op, mc_tensor *x);
/* x was detached: the memory that it shares has no history any more. */
void shared_forget(mc_tensor *x);
void shared_free(struct shared_history *w); /* and the rest of the list; NULL is fine */

#endif
