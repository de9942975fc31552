/* Tables of what is made at a place of the program and looked up there again. Keys are compared,
 * not only their hashes: two places never become one. */
#include "analyzer/flow/values/values.h"

#include <string.h>

enum { FIRST_BITS = 6 };

struct key_cell {
    struct key key; /* its kind is 0: free */
    void *value;
};

struct key_map {
    struct arena *arena;
    struct key_cell *cells;
    int bits, count;
};

struct key_map *key_map_new(struct arena *a)
{
    struct key_map *m = arena_one(a, struct key_map);
    m->arena = a;
    m->bits = FIRST_BITS;
    m->cells = arena_array(a, struct key_cell, (size_t)1 << m->bits);
    return m;
}

static bool is_same(const struct key *x, const struct key *y)
{
    return x->of == y->of && x->at == y->at && x->kind == y->kind && x->index == y->index &&
           x->more == y->more;
}

/* Where the key is, or would be put. */
static struct key_cell *cell_for(const struct key_map *m, const struct key *k)
{
    uint64_t mask = ((uint64_t)1 << m->bits) - 1;
    uint64_t h = hash_words(k->of, k->at, k->more ^ ((uint64_t)k->kind << 32 | k->index));
    while (m->cells[h & mask].key.kind && !is_same(&m->cells[h & mask].key, k))
        h++;
    return &m->cells[h & mask];
}

void *key_map_get(const struct key_map *m, struct key k)
{
    return cell_for(m, &k)->value;
}

static void grow(struct key_map *m)
{
    struct key_cell *old = m->cells;
    size_t count = (size_t)1 << m->bits++;
    m->cells = arena_array(m->arena, struct key_cell, (size_t)1 << m->bits);
    for (size_t i = 0; i < count; i++)
        if (old[i].key.kind)
            *cell_for(m, &old[i].key) = old[i];
}

void key_map_put(struct key_map *m, struct key k, void *value)
{
    struct key_cell *c = cell_for(m, &k);
    if (!c->key.kind && (int64_t)++m->count * 4 > (int64_t)3 << m->bits) {
        grow(m);
        c = cell_for(m, &k);
    }
    *c = (struct key_cell){k, value};
}

/* ---- longer keys ----------------------------------------------------------------------------- */

struct memo_entry {
    struct memo_entry *next; /* of the same hash */
    void *value;
    size_t count;
    uint64_t words[];
};

struct memo {
    struct arena *arena;
    struct map *entries;
};

struct memo *memo_new(struct arena *a)
{
    struct memo *m = arena_one(a, struct memo);
    m->arena = a;
    m->entries = map_new(a);
    return m;
}

void **memo_at(struct memo *m, const uint64_t *words, size_t count)
{
    uint64_t hash = hash_bytes(words, sizeof *words * count, 0);
    struct memo_entry *first = map_get(m->entries, hash);
    for (struct memo_entry *e = first; e; e = e->next)
        if (e->count == count && !memcmp(e->words, words, sizeof *words * count))
            return &e->value;
    struct memo_entry *new = arena_alloc(m->arena, sizeof *new + sizeof *words *count);
    *new = (struct memo_entry){.next = first, .count = count};
    memcpy(new->words, words, sizeof *words * count);
    map_put(m->entries, hash, new);
    return &new->value;
}
