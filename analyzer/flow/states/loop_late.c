/* The head of a loop: places that were found too late to belong together. In the first iteration a
 * dtype is one number, and so is that of the tensor that is made with it; only later ones show that
 * the one decides the other. By then, each was given its own ways, and the head stands for
 * combinations that no iteration leads to. Which places these are is noted, so that the root can be
 * run again, with their ways kept together from the first iteration on. */
#include "analyzer/flow/states/loop.h"

#include <string.h>

enum { MAX_PLACES = 48 };

/* The same in another run of the root. */
static uint64_t key_of_place(const struct loc *at)
{
    uint64_t key = 0;
    for (; at->parent; at = at->parent)
        key = at->field ? hash_bytes(at->field, strlen(at->field), key)
                        : hash_bytes(&at->element, sizeof at->element, key);
    const char *name = at->object->name ? at->object->name : "";
    return hash_bytes(name, strlen(name), key + (uint64_t)at->object->local);
}

static bool is_place(const struct slot *slot)
{
    const struct object *o = slot->kind == SLOT_CELL ? slot->loc->object : NULL;
    return o && o->name && !o->is_note && !o->counts && !o->is_fresh && !o->is_result;
}

static bool is_in(const struct place_set *set, uint64_t key)
{
    for (int i = 0; i < set->keys.count; i++)
        if (set->keys.items[i] == key)
            return true;
    return false;
}

bool loop_is_one_of_late(const struct loop *l, const struct slot *slot)
{
    const struct place_set *set = l->ways->together;
    return set && set->keys.count && is_place(slot) && is_in(set, key_of_place(slot->loc));
}

/* ---- which belong together now --------------------------------------------------------------- */

static bool names_tensor(struct loop *l, const struct state *s, diagram cases, int id)
{
    struct value v = guard_value(s, cases);
    value_list all = guard_values(l->arena, s, &v);
    for (int i = 0; i < all.count; i++)
        for (int k = 0; all.items[i]->kind == VALUE_TENSOR && k < all.items[i]->count; k++)
            if (all.items[i]->as.tensor[k] == id)
                return true;
    return false;
}

static void unite(int *wholes, int count, int x, int y)
{
    for (int i = 0; i < count && x != y; i++)
        if (wholes[i] == y)
            wholes[i] = x;
}

/* Wholes, with the places that hold a tensor in that of the tensor. */
static int *wholes_with_holders(struct loop *l)
{
    const struct slot *all = l->slots.items;
    int count = l->slots.count, *wholes = arena_array(l->arena, int, count + 1);
    for (int i = 0; i < count; i++)
        wholes[i] = all[i].whole;
    for (int t = 0; t < count; t++)
        for (int i = 0; i < count && all[t].kind == SLOT_TENSOR; i++)
            if (is_place(&all[i]) && wholes[i] != wholes[t] &&
                (names_tensor(l, l->head, all[i].before, all[t].id) ||
                 names_tensor(l, l->s, all[i].after, all[t].id)))
                unite(wholes, count, wholes[t], wholes[i]);
    return wholes;
}

/* ---- which did not before -------------------------------------------------------------------- */

/* A place that an iteration changed, and what it belongs to. */
struct changed {
    uint64_t key;
    int whole;
};

static uint64_t key_of_two(uint64_t x, uint64_t y)
{
    return x < y ? hash_words(x, y, 0) : hash_words(y, x, 0);
}

static void add_late(struct place_set *set, uint64_t key)
{
    if (is_in(set, key) || set->keys.count == MAX_PLACES)
        return;
    LIST_ADD(set->arena, &set->keys, key);
    set->grew = true;
}

void loop_note_late(struct loop *l)
{
    struct ways *w = l->ways;
    struct changed now[MAX_PLACES];
    int count = 0;
    if (!w->together || w->is_split)
        return;
    w->apart = w->apart ? w->apart : map_new(l->arena);
    const int *wholes = wholes_with_holders(l);
    for (int i = 0; i < l->slots.count && count < MAX_PLACES; i++)
        if (is_place(&l->slots.items[i]))
            now[count++] = (struct changed){key_of_place(l->slots.items[i].loc), wholes[i]};
    for (int x = 0; x < count; x++)
        for (int y = x + 1; y < count; y++)
            if (now[x].whole == now[y].whole &&
                map_get(w->apart, key_of_two(now[x].key, now[y].key))) {
                add_late(w->together, now[x].key);
                add_late(w->together, now[y].key);
            }
    for (int x = 0; x < count; x++)
        for (int y = x + 1; y < count; y++)
            if (now[x].whole != now[y].whole)
                map_put(w->apart, key_of_two(now[x].key, now[y].key), w);
}
