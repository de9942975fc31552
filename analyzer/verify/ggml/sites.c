/* Where tensors were made. Tensors of a graph that is built again and again have a few sites; what
 * is made at the address of a tensor that is gone replaces it. */
#include "analyzer/verify/ggml/observer.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { SITES = 4096, SITE_SLOTS = 2 * SITES, TENSORS = 1 << 18, MOST_TENSORS = TENSORS / 4 * 3 };

static struct {
    pthread_mutex_t lock;
    struct site sites[SITES];
    int count;
    int by_frames[SITE_SLOTS]; /* site + 1; 0: free */
    struct {
        const void *tensor;
        int site;
    } tensors[TENSORS];
    int tensor_count;
    bool cut;
} seen = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t mixed(uintptr_t a)
{
    return (size_t)((uint64_t)a * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* Under the lock. */
static int find_site(void *const *frames, int depth)
{
    uintptr_t h = (uintptr_t)depth;
    for (int i = 0; i < depth; i++)
        h = mixed(h ^ (uintptr_t)frames[i]);
    size_t size = sizeof *frames * (size_t)depth;
    for (size_t at = h;; at++) {
        int *slot = &seen.by_frames[at % SITE_SLOTS];
        const struct site *s = &seen.sites[*slot ? *slot - 1 : 0];
        if (*slot && s->depth == depth && !memcmp(s->frames, frames, size))
            return *slot - 1;
        if (*slot)
            continue;
        if (seen.count == SITES)
            return NO_SITE;
        seen.sites[seen.count].depth = depth;
        memcpy(seen.sites[seen.count].frames, frames, size);
        return (*slot = ++seen.count) - 1;
    }
}

/* Under the lock: its entry, or the free one where it would be. */
static size_t find_tensor(const void *tensor)
{
    size_t at = mixed((uintptr_t)tensor) % TENSORS;
    while (seen.tensors[at].tensor && seen.tensors[at].tensor != tensor)
        at = (at + 1) % TENSORS;
    return at;
}

void site_note(const void *tensor, void *const *frames, int depth)
{
    pthread_mutex_lock(&seen.lock);
    int site = find_site(frames, depth < SITE_FRAMES ? depth : SITE_FRAMES);
    size_t at = find_tensor(tensor);
    bool is_new = !seen.tensors[at].tensor;
    if (site == NO_SITE || (is_new && seen.tensor_count == MOST_TENSORS)) {
        seen.cut = true;
        seen.tensors[at].site = NO_SITE;
    } else {
        seen.tensor_count += is_new;
        seen.tensors[at].tensor = tensor;
        seen.tensors[at].site = site;
    }
    pthread_mutex_unlock(&seen.lock);
}

int site_of(const void *tensor)
{
    pthread_mutex_lock(&seen.lock);
    size_t at = find_tensor(tensor);
    int site = seen.tensors[at].tensor ? seen.tensors[at].site : NO_SITE;
    pthread_mutex_unlock(&seen.lock);
    return site;
}

void site_computed(int site)
{
    pthread_mutex_lock(&seen.lock);
    if (site != NO_SITE)
        seen.sites[site].computed = true;
    pthread_mutex_unlock(&seen.lock);
}

int site_count(void)
{
    return seen.count;
}

const struct site *site_at(int site)
{
    return &seen.sites[site];
}

bool sites_are_cut(void)
{
    return seen.cut;
}
