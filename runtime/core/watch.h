/* A ledger of the memory behind storages, kept only on request: with MISCAST_PROBE to find the
 * storage that an address belongs to; with MISCAST_GUARD=1 also to surround each block with pages
 * that fault, directly after its last byte, and to delay the reuse of freed blocks.
 *
 * When off, it costs one relaxed load per block that is not stored in its header. */
#ifndef RUNTIME_WATCH_H
#define RUNTIME_WATCH_H

#include "runtime/core/core.h"

enum watch_state { WATCH_UNDECIDED, WATCH_OFF, WATCH_ON };
extern atomic_int watch_state;
bool watch_decide(void);  /* reads the environment on the first call */
void watch_request(void); /* turns it on, whatever the environment says; before the first storage */

static inline bool watch_enabled(void)
{
    int state = atomic_load_explicit(&watch_state, memory_order_relaxed);
    return state != WATCH_OFF && (state == WATCH_ON || watch_decide());
}
bool watch_guards(void); /* guard pages are requested */

/* Storages up to this size are stored in their header; 0 while they are watched or this is
 * undecided. */
extern atomic_size_t storage_inline_limit;

/* Fills in bytes, address and capacity. False: nothing is watched, or this block cannot be; the
 * caller allocates as usual. */
bool watch_alloc(struct storage *s);
/* Borrowed memory. */
void watch_borrow(struct storage *s);
/* Memory allocated by its backend, which will free it; its capacity is saved. */
void watch_enter(struct storage *s);
/* The address that a user sees instead of bytes: a mapping of nbytes, now owned by the ledger. */
void watch_twin(struct storage *s);
/* Whether one of the four functions above took it; then watch_free or watch_leave releases it. */
#define WATCHED ((size_t)1 << 62) /* marks a capacity that is a slot of the ledger */
static inline bool is_watched(const struct storage *s)
{
    return (s->capacity & WATCHED) != 0;
}
void watch_free(struct storage *s);
/* Removes what watch_enter entered, and restores its capacity. */
void watch_leave(struct storage *s);

/* The number of a storage; 0: it is empty or not watched. */
uint64_t watch_serial(const struct storage *s);
/* Records the dtype of its elements. */
void watch_typed(const struct storage *s, mc_dtype dtype);

/* What is at an address. */
struct watched {
    uint64_t serial;
    mc_dtype dtype; /* MC_DTYPE_DEFAULT: unknown */
    mc_device device;
    size_t bytes;
    ptrdiff_t
        offset; /* of the address from the start; it may be in a guard page around the block */
    bool freed;
};
/* The storage that contains the address, or is next to it. False: none. */
bool watch_find(const void *address, struct watched *found);
/* The same without a lock, from a signal handler. */
bool watch_find_unlocked(const void *address, struct watched *found);

#endif
