/* The graph: nodes, their edges and saved tensors, and how tensors refer to them. */
#include "runtime/autograd/graph.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/autograd/formula.h"
#include "runtime/core/thread.h"

static atomic_uint_fast64_t sequence, freed;

/* ---- nodes --------------------------------------------------------------------------------- */

/* One block of memory: the node, its edges, descriptions of its outputs, the formula's parameters.
 */
struct node *node_new(struct op *op, int inputs, int outputs, size_t params)
{
    size_t edges = sizeof(struct edge) * (size_t)inputs;
    size_t likes = sizeof(struct like) * (size_t)outputs;
    struct node *n = malloc(sizeof *n + edges + likes + params);
    if (!n)
        return op_fail(op, MC_ERROR_MEMORY, "no memory to record %s", op->name);
    memset(n, 0, sizeof *n + edges);
    atomic_init(&n->refs, 1);
    n->name = op->name;
    n->at = op->at;
    n->input_count = inputs;
    n->output_count = outputs;
    n->inputs = (struct edge *)(n + 1);
    n->outputs = (struct like *)((char *)(n + 1) + edges);
    n->params = (char *)(n + 1) + edges + likes;
    memset(n->params, 0, params);
    n->sequence = atomic_fetch_add_explicit(&sequence, 1, memory_order_relaxed);
    return n;
}

void node_ref(struct node *n)
{
    atomic_fetch_add_explicit(&n->refs, 1, memory_order_relaxed);
}

void node_release(struct node *n)
{
    n->released |= n->holds;
    for (int i = 0; i < SAVED_MAX; i++) {
        if (!n->saved[i].tensor)
            continue;
        n->released = true;
        tensor_unref(n->saved[i].tensor);
        n->saved[i].tensor = NULL;
    }
}

/* Drops a reference; a node without any is added to the list. */
static void drop(struct node *n, struct node **dead)
{
    if (!n || !last_ref(&n->refs))
        return;
    n->next_dead = *dead;
    *dead = n;
}

/* A graph can be as deep as a loop is long, so it is freed with a list, not by recursion. What
 * nodes hold may release more nodes, which are added to the same list. */
void node_unref(struct node *n)
{
    static _Thread_local struct node **working;
    struct node *dead = NULL;
    drop(n, working ? working : &dead);
    if (working || !dead)
        return;
    working = &dead;
    while (dead) {
        n = dead;
        dead = n->next_dead;
        for (int i = 0; i < n->input_count; i++)
            drop(n->inputs[i].node, &dead);
        drop(n->kept, &dead);
        node_release(n);
        if (n->gradient)
            tensor_unref(n->gradient);
        free(n->patch);
        free(n);
        atomic_fetch_add_explicit(&freed, 1, memory_order_relaxed);
    }
    working = NULL;
}

size_t graph_live_nodes(void)
{
    return (size_t)(atomic_load(&sequence) - atomic_load(&freed));
}

static struct like like_of(const mc_tensor *x)
{
    return (struct like){x->dtype, tensor_device(x), tensor_shape(x)};
}

/* ---- edges --------------------------------------------------------------------------------- */

/* Several threads may be the first to use a leaf. */
struct node *sink_of(struct op *op, mc_tensor *x)
{
    struct node *there = __atomic_load_n(&x->sink, __ATOMIC_ACQUIRE);
    struct node *n = there ? NULL : node_new(op, 0, 1, 0);
    if (!n)
        return there;
    n->outputs[0] = like_of(x);
    if (__atomic_compare_exchange_n(&x->sink, &there, n, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return n;
    node_unref(n);
    return there;
}

/* A request to keep x's gradient means x as it is now, not as it was. */
static void move_kept(const mc_tensor *x, struct node *n, int output)
{
    struct node *old = x->fn;
    if (!old || !old->kept || old->kept != x->sink || n->kept)
        return;
    n->kept = old->kept;
    n->kept_output = output;
    old->kept = NULL;
}

void tensor_set_fn(mc_tensor *x, struct node *n, int output)
{
    move_kept(x, n, output);
    if (!x->fn && x->sink)
        x->sink->moved = true;
    node_unref(x->fn);
    x->fn = n;
    x->fn_output = (unsigned char)output;
    x->fn_version = atomic_load_explicit(&x->storage->version, memory_order_relaxed);
    x->requires_grad = true;
}

bool edge_to(struct op *op, mc_tensor *x, struct edge *edge)
{
    *edge = (struct edge){0};
    if (!tensor_requires_grad(x))
        return true;
    if (view_is_stale(x) && !view_renew(op, x))
        return false;
    *edge = x->fn ? (struct edge){x->fn, x->fn_output} : (struct edge){sink_of(op, x), 0};
    if (edge->node)
        node_ref(edge->node);
    return edge->node != NULL;
}

/* ---- recording ----------------------------------------------------------------------------- */

static bool add_patch(struct op *op, struct node *n, const struct geometry *whole,
                      const mc_tensor *part)
{
    n->patch = malloc(sizeof *n->patch);
    if (!n->patch)
        return op_fail(op, MC_ERROR_MEMORY, "no memory to record %s", op->name);
    *n->patch = (struct patch){*whole, geometry_of(part)};
    return true;
}

/* Edges to all inputs; to the whole storage instead of the first input if that is what was written
 * to. */
static bool add_edges(struct op *op, struct node *n, const struct shared_history *whole,
                      mc_tensor *const *inputs)
{
    bool wanted = false;
    for (int i = 0; i < n->input_count; i++) {
        if (i == 0 && whole)
            n->inputs[0] = shared_edge(whole);
        else if (inputs[i] && !edge_to(op, inputs[i], &n->inputs[i]))
            return false;
        wanted |= n->inputs[i].node != NULL;
    }
    if (!wanted) /* only an operand without gradient requires grad, such as an index */
        op->recorded = true;
    return wanted;
}

struct node *record(struct op *op, backward_fn back, mc_tensor *into, int count,
                    mc_tensor *const *inputs, size_t params)
{
    struct shared_history *whole = NULL;
    struct geometry geometry;
    bool part = into && shared_written(op, into, &whole, &geometry);
    struct node *n = op->ok ? node_new(op, count, 1, params) : NULL;
    bool done = n && add_edges(op, n, part ? whole : NULL, inputs);
    if (!done || (part && !add_patch(op, n, &geometry, into))) {
        node_unref(n);
        return NULL;
    }
    n->back = back;
    n->into = into;
    n->whole = whole;
    n->holds = into && into->view != VIEW_NONE; /* PyTorch keeps the view's own node there */
    return n;
}

static void save(struct op *op, struct node *n, int slot, mc_tensor *x, bool is_result)
{
    if (!n || !x)
        return;
    struct saved *s = &n->saved[slot];
    s->tensor = tensor_alias(x);
    if (s->tensor) {
        s->tensor->role = ROLE_SAVED;
        atomic_fetch_add_explicit(&x->storage->aliases, 1, memory_order_relaxed);
    }
    s->version = atomic_load_explicit(&x->storage->version, memory_order_relaxed);
    s->is_result = is_result;
    /* Counts as saved before the op overwrote it. */
    bool written = !is_result && n->into && n->into->storage == x->storage;
    struct notes *notes = written ? storage_notes(x->storage) : NULL;
    if (notes) {
        s->version--;
        notes->changed_by = op->name;
        notes->changed_at = op->at;
    }
    if (!s->tensor || (written && !notes))
        op_fail(op, MC_ERROR_MEMORY, "no memory to record %s", op->name);
}

void node_save(struct op *op, struct node *n, int slot, mc_tensor *x)
{
    save(op, n, slot, x, false);
}

void node_save_result(struct op *op, struct node *n, int slot, mc_tensor *result)
{
    save(op, n, slot, result, true);
}

static void recorded_as(struct node *n, mc_tensor *result, int output)
{
    n->outputs[output] = like_of(result);
    tensor_set_fn(result, n, output);
}

void recorded(struct op *op, struct node *n, mc_tensor *result)
{
    op->recorded = true;
    if (!n)
        return;
    struct shared_history *whole = n->whole;
    bool part = n->patch != NULL;
    n->into = NULL;
    n->whole = NULL;
    if (!part)
        recorded_as(n, result, 0);
    else
        n->outputs[0] = shared_like(whole);
    if (whole)
        shared_set(whole, n);
    if (part) { /* the tensor's own history follows from that of the whole storage */
        node_unref(n);
        view_renew(op, result);
    }
}

struct node *record_several(struct op *op, backward_fn back, int results, mc_tensor *x)
{
    struct node *n = node_new(op, 1, results, 0);
    if (!n || !edge_to(op, x, &n->inputs[0])) {
        node_unref(n);
        return NULL;
    }
    n->back = back;
    return n;
}

void recorded_several(struct op *op, struct node *n, int count, mc_tensor *const *results)
{
    op->recorded = true;
    if (!n)
        return;
    for (int i = 0; i < count; i++) {
        node_ref(n);
        recorded_as(n, results[i], i);
    }
    node_unref(n);
}

static void unknown_back(struct back *b)
{
    op_fail(b->op, MC_ERROR_GRAD, "%s (%s:%d) has no gradient: it is not implemented", b->op->name,
            b->op->at.file ? b->op->at.file : "?", b->op->at.line);
}

void record_unknown(struct op *op, mc_tensor *result)
{
    mc_tensor *inputs[MC_MAX_OPERANDS];
    bool is_new = true;
    for (int i = 0; i < op->operand_count; i++) {
        inputs[i] = (mc_tensor *)op->operands[i];
        is_new &= inputs[i] != result;
    }
    if (dtype_is_float(result->dtype) && (is_new || op->wrote))
        recorded(op, record(op, unknown_back, is_new ? NULL : result, op->operand_count, inputs, 0),
                 result);
}

void op_constant(struct op *op)
{
    op->tracks = false;
}
