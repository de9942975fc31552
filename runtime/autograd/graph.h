/* runtime/autograd: the record of what was computed from tensors that require grad, and the way
 * back through it. Ops record themselves (formulas.h), mc_backward walks (engine.c).
 *
 * The record is a graph of nodes: one an op, with an edge to the node that made each operand, and a
 * sink where an operand is a leaf. Tensors hold the node that made them, nodes hold those before
 * them, and nothing points forward: so the record goes when the tensors go. */
#ifndef RUNTIME_GRAPH_H
#define RUNTIME_GRAPH_H

#include "runtime/core/hooks.h"

enum { SAVED_MAX = 6, OUTPUT_MAX = 3 };

struct node;
struct back;
struct whole;

/* Where a gradient goes: to an output of a node. node NULL: nowhere, nobody asks for it. */
struct edge {
    struct node *node;
    int output;
};

/* A tensor that the way back needs, as it was when it was saved. */
struct saved {
    mc_tensor *tensor; /* a header of the node's own; NULL: nothing, or let go */
    unsigned version;  /* the storage's: another one since means that the values have changed */
    bool is_result;    /* of the op itself, for the wording of errors */
};

/* What a gradient must be: that of the tensor it belongs to. */
struct like {
    mc_dtype dtype;
    mc_device device;
    mc_shape shape;
};

/* A tensor's way of seeing its storage. */
struct geometry {
    int ndim;
    int64_t offset;
    int64_t shape[MC_MAX_DIMS], stride[MC_MAX_DIMS];
};

/* An op wrote to a view of something recorded: its node stands for the change of the whole. */
struct patch {
    struct geometry base, view;
};

/* Goes back through one op: reads grads of outputs, gives grads of inputs (formula.h). */
typedef void (*backward_fn)(struct back *b);

struct node {
    atomic_int refs;
    backward_fn back; /* NULL: a sink, with gradient */
    const char *name; /* the op and its place */
    mc_place at;
    uint64_t sequence; /* of recording, in this process */
    int input_count, output_count;
    struct edge *inputs;
    struct like *outputs;
    void *params;        /* what the formula wants to know besides tensors */
    struct patch *patch; /* NULL, or of an op that wrote to a view; inputs[0] is then the whole's */
    struct saved saved[SAVED_MAX];
    bool holds;          /* a number, say, that PyTorch would have saved as a tensor */
    bool released;       /* what was saved is gone: backward went through here */
    mc_tensor *gradient; /* of a sink */
    bool closed;         /* a sink whose tensor does not require grad any more: nothing gathers */
    bool moved;          /* a sink whose tensor is no leaf any more */
    struct node *kept;   /* a sink that gets the gradient of output kept_output as well */
    int kept_output;
    struct node *next_dead; /* while the graph is taken apart */
    const mc_tensor *into;  /* while it is recorded: the tensor that the op wrote to, */
    struct whole *whole;    /* and the history that it shares with others, or NULL */
};

/* A node of the op that is running, without its formula. NULL after op_fail. */
struct node *node_new(struct op *op, int inputs, int outputs, size_t params);
void node_ref(struct node *n);
void node_unref(struct node *n); /* NULL is fine */
size_t graph_live_nodes(void);   /* of all threads */

/* Where x's gradient goes; holds a reference. False after op_fail. */
bool edge_to(struct op *op, mc_tensor *x, struct edge *edge);
/* From now on x has this history. Takes the node over. */
void tensor_set_fn(mc_tensor *x, struct node *n, int output);
/* Where x's gradient gathers, made when first asked for. NULL after op_fail. */
struct node *sink_of(struct op *op, mc_tensor *x);
/* Lets go of what the node saved. */
void node_release(struct node *n);

struct geometry geometry_of(const mc_tensor *x);

/* ---- recording ----------------------------------------------------------------------------- */

/* The node of the running op, with room for params (zeroed). into: the tensor that was written in
 * place, which is inputs[0] then; NULL: the result is new. Inputs may be NULL. Call it when the
 * result is there, only if op->tracks. NULL after op_fail, and where no input requires grad. */
struct node *record(struct op *op, backward_fn back, mc_tensor *into, int count,
                    mc_tensor *const *inputs, size_t params);
#define RECORD(op, back, into, params, ...)                                                        \
    record(op, back, into, (int)(sizeof((mc_tensor *const[]){__VA_ARGS__}) / sizeof(mc_tensor *)), \
           (mc_tensor *const[]){__VA_ARGS__}, params)
/* The same for an op of one input and several results. */
struct node *record_several(struct op *op, backward_fn back, int results, mc_tensor *x);
void recorded_several(struct op *op, struct node *n, int count, mc_tensor *const *results);
static inline bool node_wants(const struct node *n, int input)
{
    return n->inputs[input].node != NULL;
}
/* Keeps x for the way back. A NULL node or tensor is fine. */
void node_save(struct op *op, struct node *n, int slot, mc_tensor *x);
void node_save_result(struct op *op, struct node *n, int slot, mc_tensor *result);
/* From now on result has this history. Takes the node over. */
void recorded(struct op *op, struct node *n, mc_tensor *result);

/* At the end of an op that should have recorded itself and has not: there is no way back through
 * it, which whoever tries is told. */
void record_unknown(struct op *op, mc_tensor *result);
/* What the op makes does not depend on its operands' values, as far as gradients go. */
void op_constant(struct op *op);

/* ---- memory that several tensors see (whole.c) ---------------------------------------------- */

/* Says that y is a view of x, for later writes; every op that returns a view must. */
void view_linked(struct op *op, mc_tensor *y, mc_tensor *x, enum view_made made);
/* y sees the same memory as others, but its history is its own. */
void view_apart(mc_tensor *y);
/* Whether memory of x has changed since its history was written, and the history with it. */
bool view_is_stale(const mc_tensor *x);
/* Writes the history of such an x anew. False after op_fail. */
bool view_renew(struct op *op, mc_tensor *x);
/* Before an op is recorded on x: fails where its history cannot be known. */
void op_may_ask(struct op *op, const mc_tensor *x);
/* Whether no recorded op made x as it is now. */
bool view_is_leaf(const mc_tensor *x);
/* Before an op writes to x in place: fails where the record forbids it. Called before any other
 * check, as PyTorch does. */
bool op_may_write(struct op *op, mc_tensor *x);

/* Whether the memory that x shares with others has a history. */
bool whole_requires_grad(const mc_tensor *x);
/* A recorded op has written to x: the history that x shares with others, or NULL. True: x is only a
 * part of what has that history, which sees the memory like geometry. */
bool whole_written(struct op *op, mc_tensor *x, struct whole **whole, struct geometry *geometry);
struct edge whole_edge(const struct whole *w); /* holds a reference; or none */
struct like whole_like(const struct whole *w);
void whole_set(struct whole *w, struct node *n);
/* x was asked to require grad, or not to. */
void whole_asked(struct op *op, mc_tensor *x);
/* x was detached: what shares its memory has no history any more. */
void whole_forget(mc_tensor *x);
void wholes_free(struct whole *w); /* and those after it; NULL is fine */

#endif
