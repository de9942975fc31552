/* The head of a loop: which of the places that an iteration changed belong together, so that only
 * the combinations that occur are ways that they can be. Groups are made by the conditions under
 * which places change, and by the unknowns that they depend on; a whole is of groups of which one
 * decides what becomes of another: which tensor a variable is, by the dtype of another one. */
#include "analyzer/flow/states/loop.h"

#include <string.h>

enum { MAX_CONDITIONS = 48 };

/* A group is named after its first place. */
static void unite(struct loop *l, int x, int y)
{
    int to = x < y ? x : y, from = x < y ? y : x;
    for (int i = 0; i < l->slots.count && from != to; i++)
        if (l->slots.items[i].group == from)
            l->slots.items[i].group = to;
}

/* Places changed under the same condition, or under one that implies the other's, belong together.
 */
static bool belong_together(struct loop *l, const struct slot *x, const struct slot *y)
{
    return condition_implies(l->c, x->changed, y->changed) ||
           condition_implies(l->c, y->changed, x->changed);
}

static void find_groups(struct loop *l)
{
    int distinct[MAX_CONDITIONS], count = 0;
    for (int i = 0; i < l->slots.count; i++) {
        struct slot *slot = &l->slots.items[i];
        slot->group = i;
        int k = 0;
        while (k < count && (l->slots.items[distinct[k]].changed != slot->changed))
            k++;
        if (k < count)
            slot->group = l->slots.items[distinct[k]].group;
        else if (count < MAX_CONDITIONS)
            distinct[count++] = i;
    }
    for (int x = 0; x < count; x++)
        for (int y = x + 1; y < count; y++) {
            const struct slot *a = &l->slots.items[distinct[x]], *b = &l->slots.items[distinct[y]];
            if (a->group != b->group && belong_together(l, a, b))
                unite(l, a->group, b->group);
        }
}

/* Whether both depended on one unknown of the loop. */
bool loop_share_term(struct loop *l, diagram x, diagram y)
{
    term_id t = diagram_term_since(l->c, x, l->ways->since);
    while (t != TERM_NONE) {
        term_id other = diagram_term_since(l->c, y, t);
        if (other == t || other == TERM_NONE)
            return other == t;
        t = diagram_term_since(l->c, x, other);
    }
    return false;
}

/* The place belongs to all groups that depend on an unknown that it depends on: they are one. */
static bool join_group(struct loop *l, struct slot *slot)
{
    bool is_in = false;
    for (int i = 0; i < l->slots.count; i++) {
        const struct slot *other = &l->slots.items[i];
        if (other->group == slot->group || !loop_share_term(l, other->before, slot->before))
            continue;
        int group = other->group;
        if (slot->group >= 0)
            unite(l, group, slot->group);
        if (slot->group < 0 || group < slot->group)
            slot->group = group;
        is_in = true;
    }
    return is_in;
}

/* What did not change, but depends on an unknown on which something depends that did: only together
 * are they what can be. */
static void add_dependents(struct loop *l)
{
    enum { NO_GROUP = -1 };
    for (int i = 0; i < l->slots.count; i++) {
        struct slot slot = l->slots.items[i];
        join_group(l, &slot);
    }
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < l->same.count; i++) {
            struct slot slot = l->same.items[i];
            slot.group = NO_GROUP;
            if (!join_group(l, &slot))
                continue;
            LIST_ADD(l->arena, &l->slots, slot);
            l->same.items[i] = l->same.items[--l->same.count];
            more = true;
            i--;
        }
    }
}

static void unite_wholes(struct loop *l, int x, int y)
{
    int to = x < y ? x : y, from = x < y ? y : x;
    for (int i = 0; i < l->slots.count && from != to; i++)
        if (l->slots.items[i].whole == from)
            l->slots.items[i].whole = to;
}

/* By term of the loop: one more than the number of a place that depends on it at the head. */
static const int *places_by_term(struct loop *l)
{
    term_id since = l->ways->since;
    int *all = arena_array(l->arena, int, (term_id)term_total(l->c) - since + 1);
    for (int i = 0; i < l->slots.count; i++) {
        diagram d = l->slots.items[i].before;
        for (term_id t = diagram_term_since(l->c, d, since); t != TERM_NONE;
             t = diagram_term_since(l->c, d, t + 1))
            all[t - since] = i + 1;
    }
    return all;
}

/* What is known to belong together from an earlier run of the root. */
static void unite_late(struct loop *l)
{
    int first = -1;
    for (int i = 0; i < l->slots.count; i++) {
        if (!loop_is_one_of_late(l, &l->slots.items[i]))
            continue;
        if (first >= 0)
            unite_wholes(l, l->slots.items[first].whole, l->slots.items[i].whole);
        first = first < 0 ? i : first;
    }
}

/* A place of one group decides what a place of another one becomes. */
static void find_wholes(struct loop *l)
{
    term_id since = l->ways->since;
    for (int i = 0; i < l->slots.count; i++)
        l->slots.items[i].whole = l->slots.items[i].group;
    if (l->ways->is_split)
        return;
    unite_late(l);
    const int *places = places_by_term(l);
    for (int i = 0; i < l->slots.count; i++) {
        diagram d = l->slots.items[i].after;
        for (term_id t = diagram_term_since(l->c, d, since); t != TERM_NONE;
             t = diagram_term_since(l->c, d, t + 1))
            if (places[t - since])
                unite_wholes(l, l->slots.items[i].whole,
                             l->slots.items[places[t - since] - 1].whole);
    }
}

void loop_find_groups(struct loop *l)
{
    find_groups(l);
    add_dependents(l);
    find_wholes(l);
    loop_note_late(l);
}

/* ---- texts ----------------------------------------------------------------------------------- */

static bool has_words(const struct term *t, const uint64_t *words, int count)
{
    for (int i = 0; i + count <= t->key_count; i++)
        if (!memcmp(&t->key[i], words, sizeof *words * (size_t)count))
            return true;
    return false;
}

/* Whether the term is about the text, or about the one that the pointer points to. */
static bool is_about(const struct term *t, const struct value *text)
{
    enum { LEAD = 3, MAX_SPELLED_OUT = 12 }; /* what kind of text; words that keys have */
    const struct loc *at = text->kind == VALUE_ADDRESS && text->count == 1 ? text->as.loc[0] : NULL;
    const struct unknown_text *u = at ? at->object->unknown_text : NULL;
    if (t->kind != TERM_TEXT || !at || at->object->text)
        return false;
    if (!u)
        return has_words(t, &(uint64_t){(uint64_t)at->id}, 1);
    int lead = u->count > LEAD ? LEAD : 0;
    return u->count > MAX_SPELLED_OUT || has_words(t, u->words + lead, u->count - lead);
}

/* Whether the place depends on which of these texts it was. */
static bool depends_on(struct loop *l, const struct slot *slot, const value_list *texts)
{
    for (term_id t = diagram_term_since(l->c, slot->after, l->ways->since); t != TERM_NONE;
         t = diagram_term_since(l->c, slot->after, t + 1))
        for (int i = 0; i < texts->count; i++)
            if (is_about(term_at(l->c, t), texts->items[i]))
                return true;
    return false;
}

/* What is never changed in the iteration that the text is, but by another one, can be together with
 * any that the text becomes. */
bool loop_is_apart(struct loop *l, const struct slot *text)
{
    struct value x = guard_value(l->head, text->before), y = guard_value(l->s, text->after);
    value_list of[] = {guard_values(l->arena, l->head, &x), guard_values(l->arena, l->s, &y)};
    for (int i = 0; i < l->slots.count; i++) {
        const struct slot *other = &l->slots.items[i];
        bool at_once = condition_meets(l->c, other->changed, text->changed);
        if (other != text &&
            (belong_together(l, other, text) ||
             (at_once && (depends_on(l, other, &of[0]) || depends_on(l, other, &of[1])))))
            return true;
    }
    return false;
}
