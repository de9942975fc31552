/* Terms: interned by kind and key, so that one number has one term. */
#include "analyzer/condition/private.h"

#include <string.h>

static uint32_t hash_of(enum term_kind kind, const uint64_t *key, int count)
{
    return (uint32_t)hash_words((uint64_t)kind, (uint64_t)count,
                                hash_bytes(key, sizeof *key * (size_t)count, 0));
}

void index_table_grow(struct conditions *c, struct index_table *t)
{
    struct index_table old = *t;
    uint32_t room = old.slots ? (old.mask + 1) * 2 : 256;
    t->slots = arena_array(c->arena, struct index_slot, (int)room);
    t->mask = room - 1;
    for (uint32_t i = 0; old.slots && i <= old.mask; i++) {
        uint32_t at = old.slots[i].hash;
        if (!old.slots[i].index)
            continue;
        while (t->slots[at & t->mask].index)
            at++;
        t->slots[at & t->mask] = old.slots[i];
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
        index_table_grow(c, t);
    uint32_t hash = hash_of(kind, key, key_count), at = hash & t->mask;
    for (; t->slots[at].index; at = (at + 1) & t->mask)
        if (t->slots[at].hash == hash &&
            is_term(&c->terms.items[t->slots[at].index - 1], kind, key, key_count))
            return t->slots[at].index - 1;
    struct term made = {kind, domain, loop, NULL, key_count, NULL};
    if (key_count)
        made.key = arena_copy(c->arena, key, sizeof *key * (size_t)key_count);
    LIST_ADD(c->arena, &c->terms, made);
    t->slots[at] = (struct index_slot){(uint32_t)c->terms.count, hash};
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
