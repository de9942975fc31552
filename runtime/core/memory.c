/* The caching allocator of host memory. Small blocks come from malloc; large ones are mapped, and
 * cached by size class when freed, since faulting in fresh pages costs more than most ops compute.
 *
 * State: one cache per process, behind a mutex, limited to a quarter of the machine's memory. */
#include "runtime/core/core.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    ALIGNMENT = 64,
    LARGE = 256 * 1024, /* from here on blocks are mapped and cached */
    CLASSES = 48 * 4,   /* four classes to each power of two */
    MAX_PER_CLASS = 64,
};

struct class_list {
    void *blocks[MAX_PER_CLASS];
    int count;
};

static struct {
    pthread_mutex_t lock;
    struct class_list classes[CLASSES];
    size_t cached, limit;
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Rounds up to one of four sizes between powers of two: at most 25% is wasted. */
static size_t class_size(size_t nbytes, int *class)
{
    int log = 63 - __builtin_clzll((unsigned long long)nbytes);
    size_t step = (size_t)1 << (log - 2);
    size_t quarters = (nbytes - ((size_t)1 << log) + step - 1) / step; /* 0..4 */
    *class = log * 4 + (int)quarters;
    return ((size_t)1 << log) + quarters * step;
}

static size_t cache_limit(void)
{
    if (!cache.limit)
        cache.limit = (size_t)sysconf(_SC_PHYS_PAGES) / 4 * (size_t)sysconf(_SC_PAGESIZE);
    return cache.limit;
}

static void *take_cached(int class, size_t size)
{
    void *block = NULL;
    pthread_mutex_lock(&cache.lock);
    struct class_list *list = &cache.classes[class];
    if (list->count) {
        block = list->blocks[--list->count];
        cache.cached -= size;
    }
    pthread_mutex_unlock(&cache.lock);
    return block;
}

static void *map_block(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    if (size >= 4u << 20)
        madvise(block, size, MADV_HUGEPAGE);
#endif
    return block;
}

void *memory_alloc(size_t nbytes, size_t *capacity)
{
    void *block = NULL;
    if (nbytes > (size_t)1 << 46)
        return NULL;
    if (nbytes < LARGE) {
        *capacity = nbytes;
        return posix_memalign(&block, ALIGNMENT, nbytes ? nbytes : 1) ? NULL : block;
    }
    int class;
    *capacity = class_size(nbytes, &class);
    block = take_cached(class, *capacity);
    if (block)
        return block;
    block = map_block(*capacity);
    if (!block) { /* the cache may hold what is missing */
        memory_empty_cache();
        block = map_block(*capacity);
    }
    return block;
}

void memory_free(void *block, size_t capacity)
{
    if (capacity < LARGE) {
        free(block);
        return;
    }
    int class;
    class_size(capacity, &class);
    pthread_mutex_lock(&cache.lock);
    struct class_list *list = &cache.classes[class];
    bool keep = list->count < MAX_PER_CLASS && cache.cached + capacity <= cache_limit();
    if (keep) {
        list->blocks[list->count++] = block;
        cache.cached += capacity;
    }
    pthread_mutex_unlock(&cache.lock);
    if (!keep)
        munmap(block, capacity);
}

void memory_empty_cache(void)
{
    pthread_mutex_lock(&cache.lock);
    for (int class = 0; class < CLASSES; class ++) {
        struct class_list *list = &cache.classes[class];
        size_t log_size = (size_t)1 << (class / 4);
        size_t size = log_size + (size_t)(class % 4) * (log_size / 4);
        for (int i = 0; i < list->count; i++)
            munmap(list->blocks[i], size);
        list->count = 0;
    }
    cache.cached = 0;
    pthread_mutex_unlock(&cache.lock);
}
