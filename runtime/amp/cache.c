/* Casts of weights that outlive the op they were made for: a hash table keyed by the weight's
 * address. It holds the weight's memory, so that a new tensor at a freed weight's address is not
 * mistaken for it. */
#include "runtime/amp/amp.h"

#include <stdlib.h>

#include "runtime/core/thread.h"

struct cached_cast {
    const mc_tensor *weight; /* NULL: the slot is free */
    struct storage *storage;
    mc_tensor *cast;
};

/* The slot of the weight, or the free one where it belongs. There is always a free slot. */
static struct cached_cast *slot_of(const struct cast_cache *c, const mc_tensor *weight)
{
    size_t i = ((uintptr_t)weight >> 6) * (size_t)0x9e3779b97f4a7c15u >> 16;
    for (;; i++) {
        struct cached_cast *slot = &c->slots[i & (c->room - 1)];
        if (!slot->weight || (slot->weight == weight && slot->storage == weight->storage))
            return slot;
    }
}

mc_tensor *cache_find(const struct cast_cache *c, const mc_tensor *weight)
{
    return c->room ? slot_of(c, weight)->cast : NULL;
}

static bool grow(struct cast_cache *c)
{
    struct cast_cache bigger = {.room = c->room ? 2 * c->room : 64, .used = c->used};
    bigger.slots = calloc(bigger.room, sizeof *bigger.slots);
    if (!bigger.slots)
        return false;
    for (size_t i = 0; i < c->room; i++)
        if (c->slots[i].weight)
            *slot_of(&bigger, c->slots[i].weight) = c->slots[i];
    free(c->slots);
    *c = bigger;
    return true;
}

void cache_add(struct cast_cache *c, const mc_tensor *weight, mc_tensor *cast)
{
    if (2 * c->used >= c->room && !grow(c))
        return;
    storage_ref(weight->storage);
    scope_unlink(cast);
    *slot_of(c, weight) = (struct cached_cast){weight, weight->storage, cast};
    c->used++;
}

void cache_clear(struct cast_cache *c)
{
    for (size_t i = 0; i < c->room; i++) {
        if (!c->slots[i].weight)
            continue;
        tensor_free(c->slots[i].cast);
        storage_unref(c->slots[i].storage);
    }
    free(c->slots);
    *c = (struct cast_cache){0};
}
