/* Memory of the GPUs. The driver takes long to give and waits for the GPU to take back, so what it
 * gave is kept in segments, cut into blocks; free neighbours are joined again.
 *
 * Free blocks stand in lists by size, four to each power of two. */
#include "runtime/backends/cuda/cuda.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    STEP = 512,      /* sizes are multiples of it, which aligns for every access */
    SMALL = 1 << 20, /* up to here, blocks share segments of SMALL_SEGMENT */
    SMALL_SEGMENT = 2 << 20,
    LARGE_STEP = 2 << 20, /* above, a segment is made for the block, in such steps */
    LEAST_LEFT = 1 << 20, /* a large block is cut only if this much is left */
    LISTS = 4 * 64,
};

struct block {
    char *address;
    size_t size;
    int device;
    bool is_free, is_small;
    struct block *before, *after; /* its neighbours in the segment */
    struct block *prev, *next;    /* in its list */
};

static struct heap {
    pthread_mutex_t lock;
    struct block *lists[2][LISTS]; /* small, large */
    size_t used, held;
} heaps[CUDA_MAX_DEVICES]; /* all zeros is unlocked */

/* The list of blocks of that size: of those with the same power of two, by the next two bits. */
static int list_of(size_t size)
{
    int power = 63 - __builtin_clzll(size);
    return 4 * power + (int)(size >> (power - 2) & 3);
}

static void list_add(struct heap *h, struct block *b)
{
    struct block **list = &h->lists[!b->is_small][list_of(b->size)];
    b->is_free = true;
    b->prev = NULL;
    b->next = *list;
    if (b->next)
        b->next->prev = b;
    *list = b;
}

static void list_remove(struct heap *h, struct block *b)
{
    if (b->prev)
        b->prev->next = b->next;
    else
        h->lists[!b->is_small][list_of(b->size)] = b->next;
    if (b->next)
        b->next->prev = b->prev;
    b->is_free = false;
}

/* The first that is large enough, of the first list that has one. */
static struct block *find(struct heap *h, bool small, size_t size)
{
    for (int i = list_of(size); i < LISTS; i++)
        for (struct block *b = h->lists[!small][i]; b; b = b->next)
            if (b->size >= size)
                return b;
    return NULL;
}

/* What is beyond size becomes a block of its own; if there is no memory for that, it stays. */
static void cut(struct heap *h, struct block *b, size_t size)
{
    size_t left = b->size - size;
    struct block *rest = left >= (b->is_small ? STEP : LEAST_LEFT) ? malloc(sizeof *rest) : NULL;
    if (!rest)
        return;
    *rest = (struct block){.address = b->address + size,
                           .size = left,
                           .device = b->device,
                           .is_small = b->is_small,
                           .before = b,
                           .after = b->after};
    if (rest->after)
        rest->after->before = rest;
    b->after = rest;
    b->size = size;
    list_add(h, rest);
}

/* b takes over the block behind it. */
static void join(struct block *b)
{
    struct block *gone = b->after;
    b->size += gone->size;
    b->after = gone->after;
    if (b->after)
        b->after->before = b;
    free(gone);
}

/* Gives segments back that nothing of is used. */
static void release_unused(struct heap *h)
{
    cudaStreamSynchronize(0);
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < LISTS; i++)
            for (struct block *b = h->lists[kind][i], *next; b; b = next) {
                next = b->next;
                if (b->before || b->after)
                    continue;
                list_remove(h, b);
                cudaFree(b->address);
                h->held -= b->size;
                free(b);
            }
}

static struct block *segment_new(struct heap *h, int device, bool small, size_t size)
{
    struct block *b = malloc(sizeof *b);
    size_t room = small ? SMALL_SEGMENT : (size + LARGE_STEP - 1) / LARGE_STEP * LARGE_STEP;
    void *address = NULL;
    if (b && cudaMalloc(&address, room)) {
        cudaGetLastError(); /* reported here */
        release_unused(h);
        if (cudaMalloc(&address, room)) {
            cudaGetLastError();
            address = NULL;
        }
    }
    if (!address) {
        free(b);
        return NULL;
    }
    h->held += room;
    *b = (struct block){.address = address, .size = room, .device = device, .is_small = small};
    return b;
}

void *cuda_memory_take(int device, size_t nbytes, size_t *handle)
{
    if (nbytes > SIZE_MAX - LARGE_STEP)
        return NULL;
    size_t size = nbytes ? (nbytes + STEP - 1) / STEP * STEP : STEP;
    bool small = size <= SMALL;
    struct heap *h = &heaps[device];
    cuda_use(device);
    pthread_mutex_lock(&h->lock);
    struct block *b = find(h, small, size);
    if (b)
        list_remove(h, b);
    else
        b = segment_new(h, device, small, size);
    if (b) {
        cut(h, b, size);
        h->used += b->size;
    }
    pthread_mutex_unlock(&h->lock);
    *handle = (size_t)(uintptr_t)b;
    return b ? b->address : NULL;
}

void cuda_memory_give(size_t handle)
{
    struct block *b = (struct block *)(uintptr_t)handle;
    struct heap *h = &heaps[b->device];
    pthread_mutex_lock(&h->lock);
    h->used -= b->size;
    if (b->after && b->after->is_free) {
        list_remove(h, b->after);
        join(b);
    }
    if (b->before && b->before->is_free) {
        b = b->before;
        list_remove(h, b);
        join(b);
    }
    list_add(h, b);
    pthread_mutex_unlock(&h->lock);
}

struct cuda_memory_use cuda_memory_use(int device)
{
    struct cuda_memory_use use = {0};
    struct heap *h = &heaps[device];
    cuda_use(device);
    cudaMemGetInfo(&use.free, &use.total);
    pthread_mutex_lock(&h->lock);
    use.used = h->used;
    use.kept = h->held - h->used;
    pthread_mutex_unlock(&h->lock);
    return use;
}

void cuda_memory_empty_cache(void)
{
    for (int i = 0; i < cuda_device_count(); i++) {
        cuda_use(i);
        pthread_mutex_lock(&heaps[i].lock);
        release_unused(&heaps[i]);
        pthread_mutex_unlock(&heaps[i].lock);
    }
}
