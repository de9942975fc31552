/* Blocks of device memory with a count of the tensors that view them. Headers are kept on a short
 * list a thread, since small ops make and drop one each. */
#include "runtime/core/core.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/backends/backend.h"
#include "runtime/core/pool.h"

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
    s->backend = backend_of(device);
    s->nbytes = nbytes;
    if (nbytes <= STORAGE_INLINE_BYTES && s->backend == &cpu_backend) {
        s->bytes = s->address = s->inline_bytes;
        return s;
    }
    s->bytes = s->inline_bytes; /* of an empty storage: nothing to read, but an address to add to */
    if (nbytes && !s->backend->alloc(s)) {
        pool_give(POOL_STORAGE, s);
        return NULL;
    }
    return s;
}

struct storage *storage_borrow(void *data, size_t nbytes, void (*release)(void *, void *),
                               void *user)
{
    struct storage *s = header_new();
    if (!s)
        return NULL;
    s->device = MC_CPU;
    s->backend = &cpu_backend;
    s->nbytes = nbytes;
    s->address = data;
    s->bytes = nbytes ? data : s->inline_bytes;
    s->borrowed = true;
    s->release = release;
    s->user = user;
    return s;
}

void storage_ref(struct storage *s)
{
    atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
}

void storage_unref(struct storage *s)
{
    if (atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) != 1)
        return;
    if (s->borrowed) {
        if (s->release)
            s->release(s->address, s->user);
    } else if (s->capacity) {
        s->backend->free(s);
    }
    pool_give(POOL_STORAGE, s);
}
