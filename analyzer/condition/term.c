/* Terms: interned by kind and key, so that one number has one term. */
#include "analyzer/condition/private.h"

#include <string.h>

static uint64_t hash_of(enum term_kind kind, const uint64_t *key, int count)
{
    return hash_words((uint64_t)kind, (uint64_t)count,
                      hash_bytes(key, sizeof *key * (size_t)count, 0));
}

static uint64_t hash_at(const struct conditions *c, uint32_t index)
{
    const struct term *t = &c->terms.items[index];
    return hash_of(t->kind, t->key, t->key_count);
}

void index_table_grow(struct conditions *c, struct index_table *t,
                      uint64_t (*hash_at)(const struct conditions *c, uint32_t index))
{
    struct index_table old = *t;
    uint32_t room = old.slots ? (old.mask + 1) * 2 : 256;
    t->slots = arena_array(c->arena, uint32_t, room);
    t->mask = room - 1;
    for (uint32_t i = 0; old.slots && i <= old.mask; i++) {
        if (!old.slots[i])
            continue;
        uint64_t h = hash_at(c, old.slots[i] - 1);
        while (t->slots[h & t->mask])
            h++;
        t->slots[h & t->mask] = old.slots[i];
    }
}

static bool is_term(const struct term *t, enum term_kind kind, const uint64_t *key, int count)
{
    return t->kind == kind && t->key_count == count &&
           (!count || memcmp(t->key, key, sizeof *key * (size_t)count) == 0);
}

term_id term_make(struct conditions *c, enum term_kind kind, const uint64_t *key, int key_count,
                  struct domain domain, int loop)
{
    struct index_table *t = &c->term_table;
    if (!t->slots || t->used * 2 > t->mask)
        index_table_grow(c, t, hash_at);
    uint64_t h = hash_of(kind, key, key_count);
    for (; t->slots[h & t->mask]; h++)
        if (is_term(&c->terms.items[t->slots[h & t->mask] - 1], kind, key, key_count))
            return t->slots[h & t->mask] - 1;
    struct term made = {kind, domain, loop, NULL, key_count, NULL};
    if (key_count)
        made.key = arena_copy(c->arena, key, sizeof *key * (size_t)key_count);
    LIST_ADD(c->arena, &c->terms, made);
    t->slots[h & t->mask] = (uint32_t)c->terms.count;
    t->used++;
    return (term_id)c->terms.count - 1;
}

term_id choice_make(struct conditions *c, int count)
{
    uint64_t key = (uint64_t)term_total(c);
    return term_make(c, TERM_CHOICE, &key, 1, (struct domain){0, count - 1}, 0);
}

void term_set(struct conditions *c, term_id t, const void *about)
{
    c->terms.items[t].about = about;
}

const struct term *term_at(const struct conditions *c, term_id t)
{
    return &c->terms.items[t];
}

int term_total(const struct conditions *c)
{
    return c->terms.count;
}
