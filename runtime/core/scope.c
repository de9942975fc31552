/* Scopes and lifetime. Each thread has a stack of scopes; a scope is a ring of the tensors it will
 * free, newest first. Depth 0 is the thread itself, for tensors made outside any scope. */
#include "runtime/core/core.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/hooks.h"
#include "runtime/core/pool.h"
#include "runtime/core/thread.h"

static pthread_key_t thread_key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static _Thread_local struct thread *self;

static void ring_init(mc_tensor *ring)
{
    ring->prev = ring->next = ring;
}

static void ring_free_all(mc_tensor *ring)
{
    while (ring->next != ring)
        tensor_free(ring->next);
}

static void thread_exit(void *p)
{
    struct thread *t = p;
    for (int d = t->depth; d >= 0; d--)
        ring_free_all(&t->scopes[d].ring);
    core_hooks.autocast_free(t->autocast_state);
    free(t->scopes);
    free(t);
    self = NULL;
}

static void make_key(void)
{
    pthread_key_create(&thread_key, thread_exit);
}

/* Values that a program could draw, and rarely does: what they break is seen in one run. */
static bool wants_ends(void)
{
    const char *draws = secure_getenv("MISCAST_PROBE_DRAWS");
    return draws && !strcmp(draws, "ends");
}

struct thread *thread_self(void)
{
    if (self)
        return self;
    struct thread *t = calloc(1, sizeof *t);
    struct scope *scopes = t ? calloc(8, sizeof *scopes) : NULL;
    if (!scopes)
        BUG("no memory for a thread's first scope");
    t->scopes = scopes;
    t->room = 8;
    ring_init(&scopes[0].ring);
    t->rng = (struct rng){.seed = 0x6d697363617374, .ends = wants_ends()};
    pthread_once(&key_once, make_key);
    pthread_setspecific(thread_key, t);
    return self = t;
}

struct thread *thread_if_any(void)
{
    return self;
}

struct rng *thread_rng(void)
{
    return &thread_self()->rng;
}

mc_tensor *scope_newest(struct thread *t)
{
    return t->scopes[t->depth].ring.next;
}

static void link_into(mc_tensor *x, struct thread *t, int depth)
{
    mc_tensor *ring = &t->scopes[depth].ring;
    x->owner = t;
    x->scope_depth = depth;
    x->next = ring->next;
    x->prev = ring;
    ring->next->prev = x;
    ring->next = x;
}

void scope_adopt(mc_tensor *x)
{
    struct thread *t = thread_self();
    link_into(x, t, t->depth);
}

void scope_unlink(mc_tensor *x)
{
    if (!x->owner)
        return;
    x->prev->next = x->next;
    x->next->prev = x->prev;
    x->owner = NULL;
}

void tensor_unref(mc_tensor *x)
{
    if (!last_ref(&x->refs))
        return;
    if (x->fn || x->sink) {
        core_hooks.node_unref(x->fn);
        core_hooks.node_unref(x->sink);
    }
    if (x->role == ROLE_SAVED)
        atomic_fetch_sub_explicit(&x->storage->aliases, 1, memory_order_relaxed);
    storage_unref(x->storage);
    x->magic = TENSOR_DEAD;
    pool_give(POOL_TENSOR, x);
}

/* Other holders keep it allocated, but it is no longer the user's. */
void tensor_free(mc_tensor *x)
{
    scope_unlink(x);
    x->magic = TENSOR_DEAD;
    tensor_unref(x);
}

/* ---- public functions --------------------------------------------------------------------- */

/* Rings point into the array, so they are relinked when it grows. */
static bool grow(struct thread *t)
{
    struct scope *bigger = calloc((size_t)t->room * 2, sizeof *bigger);
    if (!bigger)
        return false;
    for (int d = 0; d <= t->depth; d++) {
        mc_tensor *from = &t->scopes[d].ring, *to = &bigger[d].ring;
        bigger[d].id = t->scopes[d].id;
        ring_init(to);
        if (from->next != from) {
            to->next = from->next;
            to->prev = from->prev;
            to->next->prev = to->prev->next = to;
        }
    }
    free(t->scopes);
    t->scopes = bigger;
    t->room *= 2;
    return true;
}

mc_scope mc_op_scope_begin(mc_place at)
{
    struct thread *t = thread_self();
    if (t->depth + 1 == t->room && !grow(t)) {
        OP_BEGIN0(op, "scope_begin", at);
        op_fail(&op, MC_ERROR_MEMORY, "no memory for another scope");
        op_finish(&op);
        return (mc_scope){0};
    }
    struct scope *s = &t->scopes[++t->depth];
    ring_init(&s->ring);
    s->id = ++t->last_id;
    return (mc_scope){s->id};
}

/* The depth of an open scope of this thread, or -1. */
static int depth_of(const struct thread *t, mc_scope scope)
{
    for (int d = t->depth; d > 0; d--)
        if (t->scopes[d].id == scope.id)
            return d;
    return -1;
}

static int check_open(struct thread *t, mc_place at, const char *name, mc_scope scope)
{
    int depth = depth_of(t, scope);
    if (depth < 0) {
        OP_BEGIN0(op, name, at);
        op_fail(&op, MC_ERROR_ARGUMENT, "this scope is not open in this thread");
        op_finish(&op);
    }
    return depth;
}

static void end_down_to(struct thread *t, int depth)
{
    for (; t->depth >= depth; t->depth--)
        ring_free_all(&t->scopes[t->depth].ring);
}

void mc_op_scope_end(mc_place at, mc_scope scope)
{
    struct thread *t = thread_self();
    int depth = check_open(t, at, "scope_end", scope);
    if (depth > 0)
        end_down_to(t, depth);
}

mc_tensor *mc_op_scope_return(mc_place at, mc_scope scope, mc_tensor *x)
{
    struct thread *t = thread_self();
    int depth = check_open(t, at, "scope_return", scope);
    if (depth < 0)
        return x;
    if (x && !op_alive(at, "scope_return", x))
        x = NULL;
    if (x && x->owner == t && x->scope_depth >= depth) {
        scope_unlink(x);
        link_into(x, t, depth - 1);
    }
    end_down_to(t, depth);
    return x;
}

mc_tensor *mc_op_keep(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "keep", at, x);
    bool mine = op.ok && (!x->owner || x->owner == op.thread);
    if (op.ok && !mine)
        op_fail(&op, MC_ERROR_ARGUMENT, "the tensor belongs to a scope of another thread");
    op_finish(&op);
    if (!mine)
        return NULL;
    scope_unlink(x);
    return x;
}

void mc_op_free(mc_place at, mc_tensor *x)
{
    if (!x || !op_alive(at, "free", x))
        return;
    if (x->owner && x->owner != thread_self()) {
        OP_BEGIN(op, "free", at, x);
        op_fail(&op, MC_ERROR_ARGUMENT,
                "the tensor belongs to a scope of another thread; keep it there first");
        op_finish(&op);
        return;
    }
    if (x->role == ROLE_GRADIENT) {
        OP_BEGIN(op, "free", at, x);
        op_fail(&op, MC_ERROR_ARGUMENT,
                "this is the gradient of another tensor; mc_zero_grad drops it");
        op_finish(&op);
        return;
    }
    tensor_free(x);
}
