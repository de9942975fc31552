/* Backward: nodes are visited when all gradients they wait for have arrived, the newest first, so
 * that what was computed last is released first. The state of a walk is kept outside of the graph:
 * several threads may walk over the same nodes at once. */
#include "runtime/autograd/engine.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/autograd/formula.h"
#include "runtime/core/thread.h"

/* ---- tasks: what a walk knows of a node ----------------------------------------------------- */

struct task {
    struct node *node;
    int waiting; /* number of gradients */
    mc_tensor *grads[OUTPUT_MAX];
};

struct walk {
    struct op *op;
    struct task *tasks;
    int count, room;
    int *table; /* task + 1 by the node's address, 0: free; twice as large as room, at least */
    unsigned table_size;
    int *ready; /* a heap of tasks, the newest node on top */
    int ready_count;
};

static unsigned hash(const struct node *n, unsigned size)
{
    uint64_t x = (uint64_t)(uintptr_t)n >> 4;
    return (unsigned)(x * 0x9e3779b97f4a7c15u >> 32) & (size - 1);
}

static void table_put(struct walk *w, int task)
{
    unsigned at = hash(w->tasks[task].node, w->table_size);
    while (w->table[at])
        at = (at + 1) & (w->table_size - 1);
    w->table[at] = task + 1;
}

static bool walk_grow(struct walk *w)
{
    int room = w->room ? w->room * 2 : 64;
    struct task *tasks = realloc(w->tasks, (size_t)room * sizeof *tasks);
    w->tasks = tasks ? tasks : w->tasks;
    int *ready = realloc(w->ready, (size_t)room * sizeof *ready);
    w->ready = ready ? ready : w->ready;
    int *table = calloc((size_t)room * 2, sizeof *table);
    if (!tasks || !ready || !table) {
        free(table);
        return op_fail(w->op, MC_ERROR_MEMORY, "no memory for backward");
    }
    free(w->table);
    w->table = table;
    w->table_size = (unsigned)room * 2;
    w->room = room;
    for (int i = 0; i < w->count; i++)
        table_put(w, i);
    return true;
}

/* The node's task, or -1. */
static int find_task(const struct walk *w, const struct node *n)
{
    if (!w->table_size)
        return -1;
    for (unsigned at = hash(n, w->table_size); w->table[at]; at = (at + 1) & (w->table_size - 1))
        if (w->tasks[w->table[at] - 1].node == n)
            return w->table[at] - 1;
    return -1;
}

static int add_task(struct walk *w, struct node *n)
{
    if (w->count == w->room && !walk_grow(w))
        return -1;
    w->tasks[w->count] = (struct task){.node = n};
    table_put(w, w->count);
    return w->count++;
}

/* Tasks for all nodes reachable from the root, and how many gradients each waits for. The list of
 * tasks is also the worklist. */
static bool find_tasks(struct walk *w, struct node *root)
{
    if (add_task(w, root) < 0)
        return false;
    for (int i = 0; i < w->count; i++) {
        struct node *n = w->tasks[i].node;
        for (int k = 0; k < n->input_count; k++) {
            if (!n->inputs[k].node)
                continue;
            int to = find_task(w, n->inputs[k].node);
            if (to < 0 && (to = add_task(w, n->inputs[k].node)) < 0)
                return false;
            w->tasks[to].waiting++;
        }
    }
    return true;
}

/* ---- the heap ------------------------------------------------------------------------------ */

/* Sinks come first, since they release what they receive. */
static bool before(const struct walk *w, int a, int b)
{
    const struct node *x = w->tasks[a].node, *y = w->tasks[b].node;
    if (!x->back != !y->back)
        return !x->back;
    return x->sequence > y->sequence;
}

static void swap(int *a, int *b)
{
    int c = *a;
    *a = *b;
    *b = c;
}

static void push_ready(struct walk *w, int task)
{
    int at = w->ready_count++;
    w->ready[at] = task;
    for (int up = (at - 1) / 2; at && before(w, w->ready[at], w->ready[up]); up = (at - 1) / 2) {
        swap(&w->ready[at], &w->ready[up]);
        at = up;
    }
}

static int pop_ready(struct walk *w)
{
    int top = w->ready[0], at = 0;
    w->ready[0] = w->ready[--w->ready_count];
    for (;;) {
        int best = at;
        for (int child = 2 * at + 1; child <= 2 * at + 2; child++)
            if (child < w->ready_count && before(w, w->ready[child], w->ready[best]))
                best = child;
        if (best == at)
            return top;
        swap(&w->ready[at], &w->ready[best]);
        at = best;
    }
}

/* ---- gradients on their way ---------------------------------------------------------------- */

/* No one else uses this memory. */
static bool is_ours(const mc_tensor *t)
{
    return atomic_load_explicit(&t->refs, memory_order_relaxed) == 1 &&
           atomic_load_explicit(&t->storage->refs, memory_order_relaxed) == 1 &&
           !t->storage->borrowed && tensor_is_contiguous(t);
}

/* Takes a tensor of the running op out of it: one reference for the caller. */
static mc_tensor *take(mc_tensor *t)
{
    if (t && t->owner)
        scope_unlink(t);
    else if (t)
        atomic_fetch_add_explicit(&t->refs, 1, memory_order_relaxed);
    return t;
}

static void drop(mc_tensor *t)
{
    if (t)
        tensor_unref(t);
}

/* a + b, both taken over; into a's memory where no one else uses it. */
static mc_tensor *add_grads(struct op *op, mc_tensor *a, mc_tensor *b)
{
    mc_tensor *sum;
    if (!is_ours(a) && is_ours(b)) {
        mc_tensor *c = a;
        a = b;
        b = c;
    }
    if (is_ours(a)) {
        sum = op_binary_(op, BINARY_add, a, mc_arg_tensor(b)) ? a : NULL;
        if (!sum)
            drop(a);
    } else {
        sum = take(op_tt(op, BINARY_add, a, b));
        drop(a);
    }
    drop(b);
    return sum;
}

static pthread_mutex_t gathering = PTHREAD_MUTEX_INITIALIZER;

bool sink_add(struct op *op, struct node *sink, mc_tensor *grad)
{
    if (sink->closed) {
        drop(grad);
        return true;
    }
    pthread_mutex_lock(&gathering);
    mc_tensor *old = sink->gradient;
    if (!old && !is_ours(grad)) {
        mc_tensor *own = take(op_clone(op, grad));
        drop(grad);
        grad = own;
    }
    if (!old) {
        sink->gradient = grad;
        if (grad)
            grad->role = ROLE_GRADIENT;
    } else {
        op_binary_(op, BINARY_add, old, mc_arg_tensor(grad));
        drop(grad);
    }
    pthread_mutex_unlock(&gathering);
    return op->ok;
}

/* ---- what formulas use ---------------------------------------------------------------------- */

static void *has_changed(struct back *b, const struct saved *s)
{
    const struct notes *by = s->tensor->storage->notes;
    const struct node *n = b->node;
    const char *file = n->at.file ? n->at.file : "?";
    const char *changed = by && by->changed_at.file ? by->changed_at.file : "?";
    return op_fail(b->op, MC_ERROR_VERSION,
                   "%s (%s:%d) needs %s for its gradient, which %s (%s:%d) has changed since",
                   n->name, file, n->at.line, s->is_result ? "its result" : "an operand",
                   by && by->changed_by ? by->changed_by : "an op", changed,
                   by ? by->changed_at.line : 0);
}

/* All saved tensors must be unchanged, whether or not they are needed this time: PyTorch checks
 * all of them. */
static bool is_intact(struct back *b)
{
    const struct node *n = b->node;
    if (n->released)
        return op_fail(b->op, MC_ERROR_GRAD,
                       "what %s (%s:%d) saved is gone: backward has been here before; ask that one "
                       "to retain_graph",
                       n->name, n->at.file ? n->at.file : "?", n->at.line);
    for (int i = 0; i < SAVED_MAX; i++) {
        const struct saved *s = &n->saved[i];
        if (s->tensor &&
            s->version != atomic_load_explicit(&s->tensor->storage->version, memory_order_relaxed))
            return has_changed(b, s);
    }
    return true;
}

mc_tensor *back_saved(struct back *b, int slot)
{
    return b->node->saved[slot].tensor;
}

void back_give(struct back *b, int input, mc_tensor *grad)
{
    if (grad && b->op->ok)
        b->given[input] = take(grad);
}

mc_tensor *back_gathered(const struct back *b, int input)
{
    const struct edge *e = &b->node->inputs[input];
    int at = e->node ? find_task(b->walk, e->node) : -1;
    mc_tensor *grad = at < 0 ? NULL : b->walk->tasks[at].grads[e->output];
    return grad && grad->dtype == b->grad->dtype && is_ours(grad) ? grad : NULL;
}

/* ---- one node ------------------------------------------------------------------------------ */

/* grad in its tensor's shape, dtype and device. Takes it over. */
static mc_tensor *fit(struct op *op, mc_tensor *grad, const struct like *like)
{
    mc_tensor *fits = op_fit_shape(op, grad, &like->shape);
    fits = op_cast(op, fits, like->dtype);
    if (fits && tensor_device(fits) != like->device) {
        if (fits->ndim > 0)
            op_fail(op, MC_ERROR_DEVICE, "a gradient is on %s, its tensor on %s",
                    mc_device_name(tensor_device(fits)), mc_device_name(like->device));
        fits = op->ok ? op_to_device(op, fits, like->device) : NULL;
    }
    if (fits == grad)
        return grad;
    take(fits);
    drop(grad);
    return fits;
}

/* The op wrote to a view: the view's gradient is put into that of the whole storage. */
static void run_patched(struct back *b)
{
    const struct patch *p = b->node->patch;
    mc_tensor *whole, *part, *outer = b->grad;
    if (!op_spread(b->op, outer, &p->base, &p->view, &whole, &part))
        return;
    mc_tensor *const part_grads[1] = {op_clone(b->op, part)};
    b->grads = part_grads;
    b->grad = part_grads[0];
    b->node->back(b);
    mc_tensor *own = b->given[0];
    if (b->op->ok && own)
        op_copy(b->op, part, own);
    else if (b->op->ok)
        op_fill(b->op, part, mc_arg_int(0));
    drop(own);
    b->given[0] = NULL;
    back_give(b, 0, whole);
}

static void run_formula(struct walk *w, struct op *op, const struct task *t, mc_tensor **given)
{
    struct back b = {.op = op,
                     .node = t->node,
                     .grad = t->grads[0],
                     .grads = t->grads,
                     .given = given,
                     .walk = w};
    if (!is_intact(&b))
        return;
    if (t->node->patch)
        run_patched(&b);
    else
        t->node->back(&b);
    for (int i = 0; i < t->node->input_count; i++) {
        const struct edge *e = &t->node->inputs[i];
        if (given[i] && op->ok && e->node)
            given[i] = fit(op, given[i], &e->node->outputs[e->output]);
    }
}

/* Passes on the gradient of an input; NULL stands for zero. */
static bool deliver(struct walk *w, struct op *op, const struct edge *e, mc_tensor *grad)
{
    if (!e->node) {
        drop(grad);
        return true;
    }
    int at = find_task(w, e->node);
    struct task *t = &w->tasks[at];
    mc_tensor **slot = &t->grads[e->output];
    if (grad && *slot)
        *slot = add_grads(op, *slot, grad);
    else if (grad)
        *slot = grad;
    if (--t->waiting == 0)
        push_ready(w, at);
    return op->ok;
}

static bool any_grad(const struct task *t)
{
    for (int i = 0; i < t->node->output_count; i++)
        if (t->grads[i])
            return true;
    return false;
}

static bool keep_copy(struct op *op, const struct task *t)
{
    struct node *n = t->node;
    mc_tensor *grad = n->kept ? t->grads[n->kept_output] : NULL;
    if (!grad)
        return true;
    return sink_add(op, n->kept, take(grad));
}

static bool run_node(struct walk *w, int which, bool keep)
{
    struct task t = w->tasks[which];
    struct node *n = t.node;
    mc_tensor *few[8] = {0}, **given = few;
    struct op op;
    op_begin(&op, n->name, n->at, t.grads, t.grads[0] ? 1 : 0, "grad");
    op.is_backward = true;
    op.tracks = false;
    if (n->input_count > 8)
        given = calloc((size_t)n->input_count, sizeof *given);
    if (!given)
        op_fail(&op, MC_ERROR_MEMORY, "no memory for the gradients of %s", n->name);
    if (op.ok && any_grad(&t) && keep_copy(&op, &t))
        run_formula(w, &op, &t, given);
    if (!keep && op.ok)
        node_release(n);
    for (int i = 0; i < n->input_count && given; i++) {
        if (op.ok)
            deliver(w, &op, &n->inputs[i], given[i]);
        else
            drop(given[i]);
    }
    if (given != few)
        free(given);
    if (!op.ok)
        op_take_error(w->op, &op);
    op_finish(&op); /* writes the trace, while the gradients still exist */
    for (int i = 0; i < n->output_count; i++) {
        drop(t.grads[i]);
        w->tasks[which].grads[i] = NULL;
    }
    return w->op->ok;
}

static bool run_sink(struct walk *w, int which)
{
    struct task *t = &w->tasks[which];
    mc_tensor *grad = t->grads[0];
    t->grads[0] = NULL;
    if (grad && t->node->moved) {
        drop(grad);
        return op_fail(w->op, MC_ERROR_LEAF,
                       "a leaf that backward came to, first used at %s:%d, was written to since",
                       t->node->at.file ? t->node->at.file : "?", t->node->at.line);
    }
    return !grad || sink_add(w->op, t->node, grad);
}

/* ---- the walk ------------------------------------------------------------------------------ */

static void walk_release(struct walk *w)
{
    for (int i = 0; i < w->count; i++)
        for (int k = 0; k < OUTPUT_MAX; k++)
            drop(w->tasks[i].grads[k]);
    free(w->tasks);
    free(w->table);
    free(w->ready);
}

bool engine_run(struct op *op, struct edge root, mc_tensor *gradient, bool keep)
{
    struct walk w = {.op = op};
    if (find_tasks(&w, root.node)) {
        w.tasks[0].grads[root.output] = gradient;
        gradient = NULL;
        push_ready(&w, 0);
    }
    drop(gradient);
    while (op->ok && w.ready_count) {
        int next = pop_ready(&w);
        if (w.tasks[next].node->back)
            run_node(&w, next, keep);
        else
            run_sink(&w, next);
    }
    walk_release(&w);
    return op->ok;
}
