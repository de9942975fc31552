/* The ledger of blocks: a table of slots, one per storage; a storage's capacity encodes its slot.
 *
 *     | guard page | slack, then the block | guard page |
 *
 * A freed block stays inaccessible in a queue until later ones push it out. */
#include "runtime/core/watch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SLOTS = 1 << 18, QUEUE = 1024 };
static const size_t queue_bytes_max = (size_t)256 << 20;

/* start and nbytes are the block's. map is NULL without guards, twin where the user sees the block
 * itself. */
struct slot {
    char *start, *map, *twin;
    size_t nbytes, map_size;
    size_t capacity; /* of a block without guards */
    uint64_t serial;
    mc_dtype dtype;
    mc_device device;
    bool taken, freed, borrowed;
    uint32_t next_free; /* slot + 1, 0: the end */
};

atomic_int watch_state = WATCH_UNDECIDED;
atomic_size_t storage_inline_limit;

static struct {
    pthread_once_t decided;
    pthread_mutex_t lock;
    bool requested, guards;
    size_t page;
    struct slot *slots;
    uint32_t used, first_free; /* slots ever taken; slot + 1 */
    uint64_t serials;
    uint32_t queue[QUEUE]; /* of freed slots */
    unsigned queue_head, queue_count;
    size_t queue_bytes;
} watch = {.decided = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- on or off ----------------------------------------------------------------------------- */

static bool is_set(const char *variable)
{
    const char *value = secure_getenv(variable);
    return value && *value && strcmp(value, "0") != 0;
}

static void *map_nothing(size_t size)
{
    void *at = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void decide(void)
{
    size_t size = SLOTS * sizeof *watch.slots;
    bool wanted = watch.requested || is_set("MISCAST_GUARD") || is_set("MISCAST_PROBE");
    watch.guards = is_set("MISCAST_GUARD");
    watch.page = (size_t)sysconf(_SC_PAGESIZE);
    watch.slots = wanted ? map_nothing(size) : NULL;
    bool on = watch.slots && mprotect(watch.slots, size, PROT_READ | PROT_WRITE) == 0;
    atomic_store(&storage_inline_limit, on ? 0 : STORAGE_INLINE_BYTES);
    atomic_store(&watch_state, on ? WATCH_ON : WATCH_OFF);
}

bool watch_decide(void)
{
    pthread_once(&watch.decided, decide);
    return atomic_load(&watch_state) == WATCH_ON;
}

void watch_request(void)
{
    watch.requested = true;
    watch_decide();
}

bool watch_guards(void)
{
    return watch_enabled() && watch.guards;
}

/* ---- slots --------------------------------------------------------------------------------- */

static struct slot *slot_of(const struct storage *s)
{
    return &watch.slots[s->capacity & ~WATCHED];
}

/* NULL: the table is full. */
static struct slot *slot_take(void)
{
    struct slot *free = watch.first_free ? &watch.slots[watch.first_free - 1] : NULL;
    if (free)
        watch.first_free = free->next_free;
    else if (watch.used < SLOTS)
        free = &watch.slots[watch.used++];
    return free;
}

static void slot_give(struct slot *slot)
{
    *slot = (struct slot){.next_free = watch.first_free};
    watch.first_free = (uint32_t)(slot - watch.slots) + 1;
}

/* Enters s's memory into the ledger as described by like. False: the table is full. */
static bool enter(struct storage *s, struct slot like)
{
    pthread_mutex_lock(&watch.lock);
    struct slot *slot = slot_take();
    if (slot) {
        like.nbytes = s->nbytes;
        like.device = s->device;
        like.serial = ++watch.serials;
        like.taken = true;
        *slot = like;
        s->capacity = WATCHED | (size_t)(slot - watch.slots);
    }
    pthread_mutex_unlock(&watch.lock);
    return slot != NULL;
}

/* ---- allocating ---------------------------------------------------------------------------- */

/* Elements are as large as 8 bytes and divide nbytes, so a block that ends at a page is aligned for
 * them. False: the system has no more mappings. */
static bool map_guarded(size_t nbytes, struct slot *slot)
{
    size_t page = watch.page, inside = (nbytes + page - 1) / page * page;
    slot->map_size = inside + 2 * page;
    slot->map = map_nothing(slot->map_size);
    if (!slot->map)
        return false;
    if (mprotect(slot->map + page, inside, PROT_READ | PROT_WRITE) != 0) {
        munmap(slot->map, slot->map_size);
        return false;
    }
    slot->start = slot->map + page + inside - nbytes;
    return true;
}

static void unmap(struct slot *slot)
{
    if (slot->map)
        munmap(slot->map, slot->map_size);
    else if (!slot->borrowed)
        memory_free(slot->start, slot->capacity);
    if (slot->twin)
        munmap(slot->twin, slot->nbytes);
}

bool watch_alloc(struct storage *s)
{
    struct slot slot = {0};
    if (!watch_enabled() || s->nbytes > (size_t)1 << 46)
        return false;
    if (!watch.guards || !map_guarded(s->nbytes, &slot)) {
        slot.map = NULL;
        slot.start = memory_alloc(s->nbytes, &slot.capacity);
    }
    if (slot.start && enter(s, slot)) {
        s->bytes = s->address = slot.start;
        return true;
    }
    if (slot.start)
        unmap(&slot);
    return false;
}

void watch_borrow(struct storage *s)
{
    if (watch_enabled() && s->nbytes)
        enter(s, (struct slot){.start = s->bytes, .borrowed = true});
}

void watch_enter(struct storage *s)
{
    if (watch_enabled() && s->nbytes)
        enter(s, (struct slot){.start = s->bytes, .borrowed = true, .capacity = s->capacity});
}

void watch_leave(struct storage *s)
{
    struct slot *slot = slot_of(s);
    pthread_mutex_lock(&watch.lock);
    s->capacity = slot->capacity;
    slot_give(slot);
    pthread_mutex_unlock(&watch.lock);
}

void watch_twin(struct storage *s)
{
    pthread_mutex_lock(&watch.lock);
    slot_of(s)->twin = s->address;
    pthread_mutex_unlock(&watch.lock);
}

/* ---- freeing ------------------------------------------------------------------------------- */

static void push_out(void)
{
    struct slot *oldest = &watch.slots[watch.queue[watch.queue_head++ % QUEUE]];
    watch.queue_count--;
    watch.queue_bytes -= oldest->map_size;
    unmap(oldest);
    slot_give(oldest);
}

/* From now on any access faults. */
static void put_away(struct slot *slot)
{
    slot->freed = true;
    mprotect(slot->map, slot->map_size, PROT_NONE);
    madvise(slot->map, slot->map_size, MADV_DONTNEED);
    while (watch.queue_count == QUEUE ||
           (watch.queue_count && watch.queue_bytes + slot->map_size > queue_bytes_max))
        push_out();
    watch.queue[(watch.queue_head + watch.queue_count++) % QUEUE] = (uint32_t)(slot - watch.slots);
    watch.queue_bytes += slot->map_size;
}

void watch_free(struct storage *s)
{
    struct slot *slot = slot_of(s);
    pthread_mutex_lock(&watch.lock);
    if (slot->map) {
        put_away(slot);
    } else {
        unmap(slot);
        slot_give(slot);
    }
    pthread_mutex_unlock(&watch.lock);
}

/* ---- queries ------------------------------------------------------------------------------- */

uint64_t watch_serial(const struct storage *s)
{
    return is_watched(s) ? slot_of(s)->serial : 0;
}

void watch_typed(const struct storage *s, mc_dtype dtype)
{
    if (!is_watched(s))
        return;
    pthread_mutex_lock(&watch.lock);
    slot_of(s)->dtype = dtype;
    pthread_mutex_unlock(&watch.lock);
}

static bool lies_in(uintptr_t at, const char *from, size_t size)
{
    return from && at >= (uintptr_t)from && at - (uintptr_t)from < size;
}

/* The start that the address is relative to; NULL: it is not in this slot. */
static const char *beginning(const struct slot *slot, uintptr_t at)
{
    size_t twin_size = (slot->nbytes + watch.page - 1) / watch.page * watch.page;
    bool seen =
        slot->map ? lies_in(at, slot->map, slot->map_size) : lies_in(at, slot->start, slot->nbytes);
    return seen ? slot->start : lies_in(at, slot->twin, twin_size) ? slot->twin : NULL;
}

bool watch_find_unlocked(const void *address, struct watched *found)
{
    uintptr_t at = (uintptr_t)address;
    if (atomic_load(&watch_state) != WATCH_ON)
        return false;
    for (uint32_t i = watch.used; i-- > 0;) {
        const struct slot *slot = &watch.slots[i];
        const char *from = slot->taken ? beginning(slot, at) : NULL;
        if (!from)
            continue;
        *found = (struct watched){
            .serial = slot->serial,
            .dtype = slot->dtype,
            .device = slot->device,
            .bytes = slot->nbytes,
            .offset = (ptrdiff_t)(at - (uintptr_t)from),
            .freed = slot->freed,
        };
        return true;
    }
    return false;
}

bool watch_find(const void *address, struct watched *found)
{
    pthread_mutex_lock(&watch.lock);
    bool is_there = watch_find_unlocked(address, found);
    pthread_mutex_unlock(&watch.lock);
    return is_there;
}
