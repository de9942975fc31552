/* Histories of tensors that share memory. When one of them is written to in a recorded op, the
 * others change with it; so the history belongs to the shared memory, and each tensor's own is
 * derived from it when it is next needed.
 *
 * The shared memory is the part of the storage that the first of its tensors views, or all of it.
 * It gets a history only where that may matter: something that requires grad is viewed, or a
 * recorded op writes to memory that several tensors share. Plain views cost nothing. */
#include "runtime/autograd/graph.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/autograd/formula.h"
#include "runtime/core/thread.h"

struct shared_history {
    struct shared_history *next;
    unsigned group;
    struct geometry geometry;
    struct like like;
    struct edge history; /* of an op, or the sink of a leaf; NULL: none */
    bool requires_grad;
    mc_place made;
};

/* ---- finding and making ---------------------------------------------------------------------- */

struct geometry geometry_of(const mc_tensor *x)
{
    struct geometry g = {.ndim = x->ndim, .offset = x->offset};
    memcpy(g.shape, x->shape, sizeof *g.shape * (size_t)x->ndim);
    memcpy(g.stride, x->stride, sizeof *g.stride * (size_t)x->ndim);
    return g;
}

static bool same_geometry(const struct geometry *g, const mc_tensor *x)
{
    bool same = g->ndim == x->ndim && g->offset == x->offset;
    for (int i = 0; same && i < x->ndim; i++)
        same = g->shape[i] == x->shape[i] && g->stride[i] == x->stride[i];
    return same;
}

static struct shared_history *shared_of(const mc_tensor *x)
{
    struct notes *notes = storage_noted(x->storage);
    struct shared_history *w = notes ? __atomic_load_n(&notes->histories, __ATOMIC_ACQUIRE) : NULL;
    while (w && w->group != x->group)
        w = w->next;
    return w;
}

bool shared_requires_grad(const mc_tensor *x)
{
    const struct shared_history *w = shared_of(x);
    return w && w->requires_grad;
}

void shared_free(struct shared_history *w)
{
    while (w) {
        struct shared_history *next = w->next;
        node_unref(w->history.node);
        free(w);
        w = next;
    }
}

static void set_history(struct shared_history *w, struct edge history)
{
    node_ref(history.node);
    node_unref(w->history.node);
    w->history = history;
    w->requires_grad = true;
}

/* For the memory of x. If x is a view, the tensors of the rest are not known: all of the storage.
 */
static struct shared_history *shared_new(struct op *op, const mc_tensor *x, struct edge history)
{
    struct shared_history *w = calloc(1, sizeof *w);
    if (!w)
        return op_fail(op, MC_ERROR_MEMORY, "no memory to record %s", op->name);
    w->group = x->group;
    w->geometry = geometry_of(x);
    if (x->view != VIEW_NONE && !x->requires_grad)
        w->geometry =
            (struct geometry){.ndim = 1,
                              .shape = {(int64_t)(x->storage->nbytes / dtype_size(x->dtype))},
                              .stride = {1}};
    w->like = (struct like){x->dtype, tensor_device(x), {.ndim = w->geometry.ndim}};
    memcpy(w->like.shape.dims, w->geometry.shape, sizeof w->like.shape.dims);
    w->made = x->made;
    if (history.node)
        set_history(w, history);
    return w;
}

/* Several threads may view a leaf at once: the first one's history is used. */
static struct shared_history *publish(struct op *op, mc_tensor *x, struct shared_history *w)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct notes *notes = storage_notes(x->storage);
    if (!notes) {
        shared_free(w);
        return op_fail(op, MC_ERROR_MEMORY, "no memory to record %s", op->name);
    }
    pthread_mutex_lock(&lock);
    struct shared_history *there = shared_of(x);
    w->next = notes->histories;
    if (!there)
        __atomic_store_n(&notes->histories, w, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    if (!there)
        return w;
    w->next = NULL;
    shared_free(w);
    return there;
}

/* The history of the memory that x belongs to, starting with x's own. */
static struct shared_history *shared_from(struct op *op, mc_tensor *x)
{
    struct shared_history *w = shared_of(x);
    if (w)
        return w;
    struct edge own = x->fn ? (struct edge){x->fn, x->fn_output} : (struct edge){0};
    if (!own.node && x->requires_grad)
        own.node = sink_of(op, x);
    w = op->ok ? shared_new(op, x, own) : NULL;
    return w ? publish(op, x, w) : NULL;
}

/* ---- views ----------------------------------------------------------------------------------- */

void view_linked(struct op *op, mc_tensor *y, mc_tensor *x, enum view_made made)
{
    if (!y || y == x || y->storage != x->storage)
        return;
    y->view = (unsigned char)(op->thread->no_grad ? VIEW_WITHOUT_GRAD : made);
    if (y->view == VIEW_FREELY && x->view != VIEW_NONE)
        y->view = x->view;
    y->group = x->group;
    y->fn_version = atomic_load_explicit(&y->storage->version, memory_order_relaxed);
    if (x->requires_grad)
        shared_from(op, x);
}

void view_apart(mc_tensor *y)
{
    static atomic_uint groups;
    y->group = atomic_fetch_add_explicit(&groups, 1, memory_order_relaxed) + 1;
}

/* A leaf has no history, or accumulates a gradient. */
static bool is_leaf(const struct shared_history *w)
{
    return !w->history.node || !w->history.node->back;
}

bool view_is_stale(const mc_tensor *x)
{
    const struct shared_history *w = shared_of(x);
    if (!w || (!w->requires_grad && !x->fn))
        return false;
    if (x->view == VIEW_NONE && !x->fn) /* its history was not needed yet */
        return !is_leaf(w);
    return x->fn_version != atomic_load_explicit(&x->storage->version, memory_order_relaxed);
}

/* A view whose history was never needed counts as a leaf, as in PyTorch. */
bool view_is_leaf(const mc_tensor *x)
{
    return !x->fn && (x->view != VIEW_NONE || !view_is_stale(x));
}

static const char *const view_words[] = {[VIEW_WITHOUT_GRAD] = "a view made in no-grad mode",
                                         [VIEW_OF_SEVERAL] =
                                             "one of several views that one op made"};

void op_check_history(struct op *op, const mc_tensor *x)
{
    if (x->view > VIEW_FREELY && view_is_stale(x))
        op_fail(op, MC_ERROR_GRAD,
                "%s: an operand, made at %s:%d, is %s, and what it views was written to since",
                op->name, x->made.file ? x->made.file : "?", x->made.line, view_words[x->view]);
}

static void view_back(struct back *b)
{
    const struct patch *p = back_params(b);
    back_give(b, 0, op_unview(b->op, b->grad, &p->view, &p->base));
}

struct edge shared_edge(const struct shared_history *w)
{
    if (!w->requires_grad)
        return (struct edge){0};
    node_ref(w->history.node);
    return w->history;
}

/* A node that extracts x from the shared memory; NULL after op_fail. */
static struct node *part_of(struct op *op, const struct shared_history *w, const mc_tensor *x)
{
    struct node *n = node_new(op, 1, 1, sizeof(struct patch));
    if (!n)
        return NULL;
    n->name = "view";
    n->at = x->made;
    n->back = view_back;
    n->inputs[0] = shared_edge(w);
    n->outputs[0] = (struct like){x->dtype, tensor_device(x), tensor_shape(x)};
    *(struct patch *)n->params = (struct patch){w->geometry, geometry_of(x)};
    return n;
}

/* The op that computed x is no longer its history: x is now a part of what the shared memory has
 * become. */
bool view_renew(struct op *op, mc_tensor *x)
{
    const struct shared_history *w = shared_of(x);
    op_check_history(op, x);
    if (!op->ok)
        return false;
    if (!same_geometry(&w->geometry, x)) {
        struct node *n = part_of(op, w, x);
        if (n)
            tensor_set_fn(x, n, 0);
        return n != NULL;
    }
    if (!is_leaf(w)) {
        node_ref(w->history.node);
        tensor_set_fn(x, w->history.node, w->history.output);
    }
    x->fn_version = atomic_load_explicit(&x->storage->version, memory_order_relaxed);
    return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool is_shared(const struct storage *s)
{
    return atomic_load_explicit(&s->refs, memory_order_relaxed) -
               atomic_load_explicit(&s->aliases, memory_order_relaxed) >
           1;
}

bool shared_written(struct op *op, mc_tensor *x, struct shared_history **whole,
                    struct geometry *geometry)
{
    *whole = shared_of(x);
    if (!*whole && is_shared(x->storage))
        *whole = shared_from(op, x);
    if (*whole)
        *geometry = (*whole)->geometry;
    return *whole && !same_geometry(&(*whole)->geometry, x);
}

struct like shared_like(const struct shared_history *w)
{
    return w->like;
}

void shared_set(struct shared_history *w, struct node *n)
{
    set_history(w, (struct edge){n, 0});
}

void shared_set_requires_grad(struct op *op, mc_tensor *x)
{
    struct shared_history *w = shared_of(x);
    if (!w && x->requires_grad && x->view == VIEW_NONE && is_shared(x->storage))
        w = shared_from(op, x);
    if (w && same_geometry(&w->geometry, x) && w->history.node && !w->history.node->back)
        w->requires_grad = x->requires_grad;
    else if (w && !w->history.node && x->requires_grad && same_geometry(&w->geometry, x) &&
             sink_of(op, x))
        set_history(w, (struct edge){x->sink, 0});
}

void shared_forget(mc_tensor *x)
{
    struct shared_history *w = shared_of(x);
    if (!w)
        return;
    node_unref(w->history.node);
    w->history = (struct edge){0};
    w->requires_grad = false;
}

static bool refuse_leaf(struct op *op, mc_place made, bool view)
{
    return op_fail(op, MC_ERROR_LEAF,
                   "%s would write to a %sleaf that requires grad, made at %s:%d", op->name,
                   view ? "view of a " : "", made.file ? made.file : "?", made.line);
}

bool op_may_write(struct op *op, mc_tensor *x)
{
    if (!op->ok || !op->tracks)
        return op->ok;
    const struct shared_history *w = shared_of(x);
    if (x->view > VIEW_FREELY)
        return op_fail(op, MC_ERROR_GRAD, "%s cannot be recorded: what it would write to is %s",
                       op->name, view_words[x->view]);
    if (!tensor_requires_grad(x))
        return true;
    if (w && x->view != VIEW_NONE && is_leaf(w))
        return refuse_leaf(op, w->made, true);
    return !view_is_leaf(x) || refuse_leaf(op, x->made, false);
}
