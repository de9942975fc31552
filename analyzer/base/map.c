/* Maps from 64-bit keys to pointers: open addressing, linear probing, in an arena. There is no way
 * to walk over one, so that the order of addresses can never reach an output. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analyzer/base/base.h"

#define FIRST_BITS 4

struct slot {
    uint64_t key; /* 0: free; the value of key 0 is stored separately */
    void *value;
};

struct map {
    struct arena *arena;
    struct slot *slots;
    int bits; /* there are 1 << bits slots */
    int count;
    bool has_zero;
    void *zero;
};

int64_t text_key(const char *text)
{
    return (int64_t)(hash_bytes(text, strlen(text), 0) >> 24);
}

uint64_t hash_bytes(const void *bytes, size_t n, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, n, seed);
}

struct digest digest_bytes(const void *bytes, size_t n)
{
    XXH128_hash_t h = XXH3_128bits(bytes, n);
    return (struct digest){h.low64, h.high64};
}

static struct map *map_of_bits(struct arena *a, int bits)
{
    struct map *m = arena_one(a, struct map);
    m->arena = a;
    m->bits = bits;
    m->slots = arena_array(a, struct slot, (size_t)1 << bits);
    return m;
}

struct map *map_new(struct arena *a)
{
    return map_of_bits(a, FIRST_BITS);
}

struct map *map_new_for(struct arena *a, int count)
{
    int bits = FIRST_BITS;
    while ((int64_t)count * 4 >= (int64_t)3 << bits)
        bits++;
    return map_of_bits(a, bits);
}

/* The slot of the key, or where it would go. Multiplying spreads pointers, whose low bits are zero.
 */
static struct slot *map_slot(const struct map *m, uint64_t key)
{
    uint64_t mask = ((uint64_t)1 << m->bits) - 1;
    uint64_t i = (key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - m->bits);
    while (m->slots[i].key && m->slots[i].key != key)
        i = (i + 1) & mask;
    return &m->slots[i];
}

void *map_get(const struct map *m, uint64_t key)
{
    return key ? map_slot(m, key)->value : m->zero;
}

static void map_grow(struct map *m)
{
    struct slot *old = m->slots;
    size_t count = (size_t)1 << m->bits;
    m->bits++;
    m->slots = arena_array(m->arena, struct slot, (size_t)1 << m->bits);
    for (size_t i = 0; i < count; i++)
        if (old[i].key)
            *map_slot(m, old[i].key) = old[i];
}

static void map_put_zero(struct map *m, void *value)
{
    m->count += !m->has_zero;
    m->has_zero = true;
    m->zero = value;
}

void map_put(struct map *m, uint64_t key, void *value)
{
    if (!key) {
        map_put_zero(m, value);
        return;
    }
    struct slot *s = map_slot(m, key);
    if (!s->key) {
        if ((int64_t)m->count * 4 >= ((int64_t)3 << m->bits)) {
            map_grow(m);
            s = map_slot(m, key);
        }
        m->count++;
    }
    *s = (struct slot){key, value};
}

int map_count(const struct map *m)
{
    return m->count;
}
