/* Header pools: each thread has a first-in first-out ring, so that a freed header is not reused at
 * once; rings overflow into and refill from a shared stack. Slabs are never freed.
 *
 * Under AddressSanitizer headers come from malloc instead, as it detects stale pointers and leaks
 * better. */
#include "runtime/core/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/core.h"

#if defined(__SANITIZE_ADDRESS__)
#define PLAIN_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PLAIN_MALLOC 1
#endif
#endif

static const size_t item_size[POOL_COUNT] = {
    [POOL_TENSOR] = sizeof(struct mc_tensor),
    [POOL_STORAGE] = sizeof(struct storage),
};

#ifdef PLAIN_MALLOC

static atomic_size_t taken[POOL_COUNT];

void *pool_take(enum pool_kind kind)
{
    void *item = NULL;
    if (posix_memalign(&item, 64, item_size[kind]))
        return NULL;
    atomic_fetch_add(&taken[kind], 1);
    return item;
}

void pool_give(enum pool_kind kind, void *item)
{
    atomic_fetch_sub(&taken[kind], 1);
    free(item);
}

size_t pool_live_tensors(void)
{
    return atomic_load(&taken[POOL_TENSOR]);
}

size_t pool_taken(void)
{
    return atomic_load(&taken[POOL_TENSOR]) + atomic_load(&taken[POOL_STORAGE]);
}

#else

enum { RING = 64, SLAB_ITEMS = 64 };

/* Links are stored in a word of their own before the item, so that the item's bytes do not change.
 */
struct node {
    struct node *next;
    _Alignas(16) char item[];
};

struct slab {
    struct slab *next;
    enum pool_kind kind;
    _Alignas(16) char nodes[];
};

static struct {
    pthread_mutex_t lock;
    struct node *free[POOL_COUNT];
    struct slab *slabs;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct ring {
    struct node *nodes[RING];
    unsigned head, count;
};

static _Thread_local struct ring rings[POOL_COUNT];
static pthread_key_t drain_key;
static pthread_once_t drain_once = PTHREAD_ONCE_INIT;

static void push_shared(enum pool_kind kind, struct node *node)
{
    node->next = shared.free[kind];
    shared.free[kind] = node;
}

static void drain_rings(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&shared.lock);
    for (int kind = 0; kind < POOL_COUNT; kind++)
        for (struct ring *r = &rings[kind]; r->count; r->count--, r->head++)
            push_shared(kind, r->nodes[r->head % RING]);
    pthread_mutex_unlock(&shared.lock);
}

static void make_key(void)
{
    pthread_key_create(&drain_key, drain_rings);
}

static size_t stride_of(enum pool_kind kind)
{
    return (sizeof(struct node) + item_size[kind] + 15) & ~(size_t)15;
}

static bool add_slab(enum pool_kind kind)
{
    size_t stride = stride_of(kind);
    struct slab *slab = NULL;
    if (posix_memalign((void **)&slab, 64, sizeof *slab + SLAB_ITEMS * stride))
        return false;
    memset(slab, 0, sizeof *slab + SLAB_ITEMS * stride); /* no header looks alive by chance */
    slab->kind = kind;
    slab->next = shared.slabs;
    shared.slabs = slab;
    for (int i = 0; i < SLAB_ITEMS; i++)
        push_shared(kind, (struct node *)(slab->nodes + (size_t)i * stride));
    return true;
}

/* Fills half the ring from the shared stack. */
static bool refill(enum pool_kind kind)
{
    struct ring *r = &rings[kind];
    pthread_once(&drain_once, make_key);
    pthread_setspecific(drain_key, rings);
    pthread_mutex_lock(&shared.lock);
    while (r->count < RING / 2) {
        if (!shared.free[kind] && (r->count || !add_slab(kind)))
            break;
        struct node *node = shared.free[kind];
        shared.free[kind] = node->next;
        r->nodes[(r->head + r->count++) % RING] = node;
    }
    pthread_mutex_unlock(&shared.lock);
    return r->count > 0;
}

void *pool_take(enum pool_kind kind)
{
    struct ring *r = &rings[kind];
    if (!r->count && !refill(kind))
        return NULL;
    r->count--;
    return r->nodes[r->head++ % RING]->item;
}

void pool_give(enum pool_kind kind, void *item)
{
    struct ring *r = &rings[kind];
    struct node *node = (struct node *)((char *)item - offsetof(struct node, item));
    if (r->count < RING) {
        r->nodes[(r->head + r->count++) % RING] = node;
        return;
    }
    pthread_mutex_lock(&shared.lock);
    push_shared(kind, node);
    pthread_mutex_unlock(&shared.lock);
}

/* No lock: the program may be ending at any point, and slabs are never freed. */
size_t pool_live_tensors(void)
{
    size_t stride = stride_of(POOL_TENSOR), live = 0;
    for (const struct slab *slab = shared.slabs; slab; slab = slab->next)
        for (int i = 0; slab->kind == POOL_TENSOR && i < SLAB_ITEMS; i++) {
            const struct node *node = (const struct node *)(slab->nodes + (size_t)i * stride);
            const mc_tensor *t = (const mc_tensor *)node->item;
            live += t->magic == TENSOR_ALIVE && t->role != ROLE_SAVED;
        }
    return live;
}

size_t pool_taken(void)
{
    size_t items = 0, unused = 0;
    pthread_mutex_lock(&shared.lock);
    for (const struct slab *slab = shared.slabs; slab; slab = slab->next)
        items += SLAB_ITEMS;
    for (int kind = 0; kind < POOL_COUNT; kind++) {
        unused += rings[kind].count;
        for (const struct node *node = shared.free[kind]; node; node = node->next)
            unused++;
    }
    pthread_mutex_unlock(&shared.lock);
    return items - unused;
}

#endif
