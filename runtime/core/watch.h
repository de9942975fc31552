/* A ledger of the memory behind storages, kept only when somebody asks for it: with MISCAST_PROBE
 * to tell which storage an address belongs to, with MISCAST_GUARD=1 also to put each block between
 * pages that fault, at the end of its own, and to keep freed ones from being used again at once.
 *
 * Off, it costs one relaxed load for a block that does not lie in its storage's header. */
#ifndef RUNTIME_WATCH_H
#define RUNTIME_WATCH_H

#include "runtime/core/core.h"

enum watch_state { WATCH_UNDECIDED, WATCH_OFF, WATCH_ON };
extern atomic_int watch_state;
bool watch_decide(void);  /* asks the environment, the first time */
void watch_request(void); /* on, whatever the environment says; before the first storage */

static inline bool watch_enabled(void)
{
    int state = atomic_load_explicit(&watch_state, memory_order_relaxed);
    return state != WATCH_OFF && (state == WATCH_ON || watch_decide());
}
bool watch_guards(void); /* faulting pages are asked for */

/* Storages up to this size lie in their header; 0 while they are watched or nobody has decided. */
extern atomic_size_t storage_inline_limit;

/* Fills bytes, address and capacity. False: nothing is watched, or this cannot be; the caller goes
 * on as ever. */
bool watch_alloc(struct storage *s);
/* Memory of somebody else's. */
void watch_borrow(struct storage *s);
/* Memory that its backend gave and will take back, with the capacity it has now. */
void watch_enter(struct storage *s);
/* The address that a user sees instead of bytes: nbytes of a mapping, which the ledger takes over.
 */
void watch_twin(struct storage *s);
/* Whether one of the four above took it; then it is given back by watch_free, or watch_leave. */
#define WATCHED ((size_t)1 << 62) /* marks a capacity that is a slot of the ledger */
static inline bool is_watched(const struct storage *s)
{
    return (s->capacity & WATCHED) != 0;
}
void watch_free(struct storage *s);
/* What watch_enter took: out of the ledger, and with its capacity again. */
void watch_leave(struct storage *s);

/* The number of a storage; 0: it is empty, or not watched. */
uint64_t watch_serial(const struct storage *s);
/* Its elements are known to be of this dtype. */
void watch_typed(const struct storage *s, mc_dtype dtype);

/* What lies at an address. */
struct watched {
    uint64_t serial;
    mc_dtype dtype; /* MC_DTYPE_DEFAULT: nobody said */
    mc_device device;
    size_t bytes;
    ptrdiff_t offset; /* of the address from the beginning: it may lie in a guard page around */
    bool freed;
};
/* The storage that the address lies in, or just before or behind. False: none. */
bool watch_find(const void *address, struct watched *found);
/* The same without a lock, from a signal handler. */
bool watch_find_unlocked(const void *address, struct watched *found);

#endif
