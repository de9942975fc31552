/* The record itself: nodes, their edges and what they save, and how tensors hold them. */
#include "runtime/autograd/graph.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/autograd/formula.h"
#include "runtime/core/thread.h"

static atomic_uint_fast64_t sequence;

/* ---- nodes --------------------------------------------------------------------------------- */

/* One block: the node, its edges, what its outputs are, the formula's parameters. */
static struct node *node_new(struct op *op, int inputs, int outputs, size_t params)
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
    for (int i = 0; i < SAVED_MAX; i++) {
        if (!n->saved[i].tensor)
            continue;
        n->released = true;
        tensor_unref(n->saved[i].tensor);
        n->saved[i].tensor = NULL;
    }
}

/* Drops a reference; a node without any joins the list. */
static void drop(struct node *n, struct node **dead)
{
    if (!n || atomic_fetch_sub_explicit(&n->refs, 1, memory_order_acq_rel) != 1)
        return;
    n->next_dead = *dead;
    *dead = n;
}

/* A graph can be as deep as a loop is long: it is taken apart by a list, not by recursion. */
void node_unref(struct node *n)
{
    struct node *dead = NULL;
    drop(n, &dead);
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
    }
}

static struct like like_of(const mc_tensor *x)
{
    return (struct like){x->dtype, tensor_device(x), tensor_shape(x)};
}

struct geometry geometry_of(const mc_tensor *x)
{
    struct geometry g = {.ndim = x->ndim, .offset = x->offset};
    memcpy(g.shape, x->shape, sizeof g.shape);
    memcpy(g.stride, x->stride, sizeof g.stride);
    return g;
}

/* ---- edges --------------------------------------------------------------------------------- */

struct node *sink_of(struct op *op, mc_tensor *x)
{
    if (x->sink)
        return x->sink;
    struct node *n = node_new(op, 0, 1, 0);
    if (n)
        n->outputs[0] = like_of(x);
    return x->sink = n;
}

/* Who asked for x's gradient to be kept means x as it is, not as it was. */
static void move_kept(const mc_tensor *x, struct node *n, int output)
{
    struct node *old = x->fn;
    if (!old || !old->kept || old->kept != x->sink || n->kept)
        return;
    n->kept = old->kept;
    n->kept_output = output;
    old->kept = NULL;
}

static void set_fn(mc_tensor *x, struct node *n, int output)
{
    move_kept(x, n, output);
    node_unref(x->fn);
    x->fn = n;
    x->fn_output = output;
    x->fn_version = atomic_load_explicit(&x->storage->version, memory_order_relaxed);
    x->requires_grad = true;
}

static void view_back(struct back *b)
{
    const struct patch *p = back_params(b);
    back_give(b, 0, op_unview(b->op, b->grad, &p->view, &p->base));
}

/* What the view was computed by is no longer true: it is now what its base has become, there. */
static bool renew_view(struct op *op, mc_tensor *x)
{
    struct edge to_base;
    if (!edge_to(op, x->base, &to_base))
        return false;
    struct node *n = node_new(op, 1, 1, sizeof(struct patch));
    if (!n) {
        node_unref(to_base.node);
        return false;
    }
    n->name = "view";
    n->at = x->made;
    n->back = view_back;
    n->inputs[0] = to_base;
    n->outputs[0] = like_of(x);
    *(struct patch *)n->params = (struct patch){geometry_of(x->base), geometry_of(x)};
    set_fn(x, n, 0);
    return true;
}

/* A view that was made when there was nothing to record, and whose base has not changed since, is a
 * leaf of its own, as in PyTorch. */
bool view_is_stale(const mc_tensor *x)
{
    return x->base && x->base->requires_grad &&
           x->fn_version != atomic_load_explicit(&x->storage->version, memory_order_relaxed);
}

static const char *const view_words[] = {[VIEW_WITHOUT_GRAD] = "a view made in no-grad mode",
                                         [VIEW_OF_SEVERAL] =
                                             "one of several views that one op made"};

static bool may_renew(struct op *op, const mc_tensor *x)
{
    if (x->view == VIEW_FREELY)
        return true;
    return op_fail(op, MC_ERROR_GRAD,
                   "%s: an operand, made at %s:%d, is %s, and what it views was written to since",
                   op->name, x->made.file ? x->made.file : "?", x->made.line, view_words[x->view]);
}

bool edge_to(struct op *op, mc_tensor *x, struct edge *edge)
{
    *edge = (struct edge){0};
    if (!tensor_requires_grad(x))
        return true;
    if (view_is_stale(x) && (!may_renew(op, x) || !renew_view(op, x)))
        return false;
    *edge = x->fn ? (struct edge){x->fn, x->fn_output} : (struct edge){sink_of(op, x), 0};
    if (edge->node)
        node_ref(edge->node);
    return edge->node != NULL;
}

/* ---- recording ----------------------------------------------------------------------------- */

static bool add_patch(struct op *op, struct node *n, const mc_tensor *view)
{
    n->patch = malloc(sizeof *n->patch);
    if (!n->patch)
        return op_fail(op, MC_ERROR_MEMORY, "no memory to record %s", op->name);
    *n->patch = (struct patch){geometry_of(view->base), geometry_of(view)};
    return true;
}

struct node *record(struct op *op, backward_fn back, mc_tensor *into, int count,
                    mc_tensor *const *inputs, size_t params)
{
    struct node *n = node_new(op, count, 1, params);
    bool view = into && into->base;
    bool done = n != NULL, wanted = false;
    for (int i = 0; done && i < count; i++) {
        mc_tensor *x = i == 0 && view ? into->base : inputs[i];
        if (x)
            done = edge_to(op, x, &n->inputs[i]);
        wanted |= n->inputs[i].node != NULL;
    }
    if (done && !wanted) { /* what requires grad is an operand that has none, an index say */
        op->recorded = true;
        done = false;
    }
    if (done && view)
        done = add_patch(op, n, into);
    if (!done) {
        node_unref(n);
        return NULL;
    }
    n->back = back;
    n->into = into;
    return n;
}

static void save(struct op *op, struct node *n, int slot, mc_tensor *x, bool is_result)
{
    if (!n || !x)
        return;
    struct saved *s = &n->saved[slot];
    s->tensor = tensor_alias(x);
    s->version = atomic_load_explicit(&x->storage->version, memory_order_relaxed);
    s->is_result = is_result;
    /* Saved, as it were, before the op wrote over it. */
    if (!is_result && n->into && n->into->storage == x->storage)
        s->version--;
    if (!s->tensor)
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
    set_fn(result, n, output);
}

/* A view that was written to gets its new history from its base, when asked. */
static void record_patched(struct op *op, struct node *n, mc_tensor *view)
{
    mc_tensor *base = view->base;
    recorded_as(n, base, 0);
    renew_view(op, view);
}

void recorded(struct op *op, struct node *n, mc_tensor *result)
{
    op->recorded = true;
    if (!n)
        return;
    n->into = NULL;
    if (n->patch)
        record_patched(op, n, result);
    else
        recorded_as(n, result, 0);
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

/* ---- views --------------------------------------------------------------------------------- */

void view_linked(struct op *op, mc_tensor *y, mc_tensor *x, enum view_made made)
{
    mc_tensor *base = x->base ? x->base : x;
    if (!y || y == x || y->storage != x->storage)
        return;
    atomic_fetch_add_explicit(&base->refs, 1, memory_order_relaxed);
    y->base = base;
    y->view = (unsigned char)(op->thread->no_grad ? VIEW_WITHOUT_GRAD : made);
    if (y->view == VIEW_FREELY)
        y->view = x->view;
    y->fn_version = atomic_load_explicit(&y->storage->version, memory_order_relaxed);
}

bool op_may_write(struct op *op, mc_tensor *x)
{
    if (!op->ok || !op->tracks)
        return op->ok;
    if (x->base && x->view != VIEW_FREELY)
        return op_fail(op, MC_ERROR_GRAD, "%s cannot be recorded: what it would write to is %s",
                       op->name, view_words[x->view]);
    if (x->base && x->base->requires_grad && !x->base->fn)
        return op_fail(op, MC_ERROR_LEAF,
                       "%s would write to a view of a leaf that requires grad, made at %s:%d",
                       op->name, x->base->made.file ? x->base->made.file : "?", x->base->made.line);
    if (tensor_requires_grad(x) && !x->fn)
        return op_fail(op, MC_ERROR_LEAF,
                       "%s would write to a leaf that requires grad, made at %s:%d", op->name,
                       x->made.file ? x->made.file : "?", x->made.line);
    return true;
}
