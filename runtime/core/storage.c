/* Reference-counted blocks of device memory. Headers are pooled per thread, since every small op
 * allocates and frees one. */
#include "runtime/core/core.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/backend.h"
#include "runtime/core/hooks.h"
#include "runtime/core/pool.h"
#include "runtime/core/watch.h"

static struct storage *header_new(void)
{
    struct storage *s = pool_take(POOL_STORAGE);
    if (!s)
        return NULL;
    memset(s, 0, offsetof(struct storage, inline_bytes));
    atomic_init(&s->refs, 1);
    return s;
}

struct storage *storage_new(mc_device device, size_t nbytes)
{
    struct storage *s = header_new();
    if (!s)
        return NULL;
    s->device = device;
    s->backend = core_hooks.backend_of(device);
    s->nbytes = nbytes;
    if (nbytes <= atomic_load_explicit(&storage_inline_limit, memory_order_relaxed) &&
        s->backend == core_hooks.cpu) {
        s->bytes = s->address = s->inline_bytes;
        return s;
    }
    s->bytes = s->inline_bytes; /* an empty storage has nothing to read, but an address */
    if (nbytes && !s->backend->alloc(s)) {
        pool_give(POOL_STORAGE, s);
        return NULL;
    }
    if (s->backend->is_apart)
        watch_enter(s);
    return s;
}

struct notes *storage_notes(struct storage *s)
{
    struct notes *none = NULL, *made = storage_noted(s) ? NULL : calloc(1, sizeof *made);
    if (made && !__atomic_compare_exchange_n(&s->notes, &none, made, false, __ATOMIC_ACQ_REL,
                                             __ATOMIC_ACQUIRE))
        free(made); /* another thread was first */
    return storage_noted(s);
}

struct storage *storage_borrow(void *data, size_t nbytes, void (*release)(void *, void *),
                               void *user)
{
    struct storage *s = header_new();
    if (!s)
        return NULL;
    s->device = MC_CPU;
    s->backend = core_hooks.cpu;
    s->nbytes = nbytes;
    s->address = data;
    s->bytes = nbytes ? data : s->inline_bytes;
    s->borrowed = true;
    if (!storage_notes(s)) {
        pool_give(POOL_STORAGE, s);
        return NULL;
    }
    s->notes->release = release;
    s->notes->user = user;
    watch_borrow(s);
    if (s->backend->lend)
        s->backend->lend(s);
    return s;
}

void storage_ref(struct storage *s)
{
    atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
}

static void give_back(struct storage *s)
{
    if (s->backend->give_back)
        s->backend->give_back(s);
    if (is_watched(s))
        watch_free(s);
    if (s->notes->release)
        s->notes->release(s->address, s->notes->user);
}

static void storage_free(struct storage *s)
{
    if (s->borrowed)
        give_back(s);
    else if (s->capacity) {
        if (s->backend->is_apart && is_watched(s))
            watch_leave(s);
        s->backend->free(s);
    }
    free(s->notes);
    pool_give(POOL_STORAGE, s);
}

/* A history that only saved tensors still refer to holds what was saved, which holds this storage:
 * it must be freed before the last reference is dropped. The lock orders threads that drop
 * references to the same storage. */
static void unref_noted(struct storage *s)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct shared_history *unseen = NULL;
    pthread_mutex_lock(&lock);
    int left = atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) - 1;
    if (left <= atomic_load_explicit(&s->aliases, memory_order_relaxed)) {
        unseen = s->notes->histories;
        s->notes->histories = NULL;
    }
    pthread_mutex_unlock(&lock);
    if (left == 0)
        storage_free(s);
    core_hooks.shared_free(unseen);
}

void storage_unref(struct storage *s)
{
    if (storage_noted(s))
        unref_noted(s);
    else if (last_ref(&s->refs))
        storage_free(s);
}
