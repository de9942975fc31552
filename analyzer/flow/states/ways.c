/* Loops: the state at the head stands for all iterations. What they change is, at the head, one of
 * the ways that it can be: which one is an unknown of its own, so that whoever asks twice gets the
 * same answer. Places that are changed under the same condition belong together, and their ways are
 * combinations: a flag, and the dtype that is set with it. Numbers that only count become ranges.
 *
 * A way depends only on terms from before the loop; all values that terms of the loop can have are
 * tried. The ways of a group are closed under the body with every other group free, so that the
 * product of all groups holds at the head of every iteration. */
#include "analyzer/flow/states/loop.h"

#include <string.h>

/* Of what a place becomes: either few conditions, or few leaves of a small diagram. */
enum { MAX_PATHS = 256, MAX_SIZE = 256, MAX_LEAVES = 32 };
enum { MAX_LIMITED = 8 }; /* how often what is known of one becomes weaker */
enum { MAX_WAYS = 32, MAX_TRIES = 1024, MAX_VALUES = 64, MAX_TERMS = 16 };
enum { MAX_FORMATTED = 4 }; /* texts that iterations made, of ways */

struct ways *ways_new(struct arena *a, term_id since)
{
    struct ways *w = arena_one(a, struct ways);
    w->since = since;
    return w;
}

/* ---- ways ------------------------------------------------------------------------------------ */

/* What a combination was collected from, with these values of terms. */
struct led_by {
    const struct state *from;
    const struct literal *values;
    int count;
};

/* The combinations that the places of a group can have. */
struct tuples {
    const struct slot **slots;
    int size;
    diagram *all[MAX_WAYS];
    diagram where[MAX_WAYS]; /* in terms from before the loop: for which runs it can be that */
    diagram texts[MAX_WAYS]; /* what is known of the texts of the places then */
    bool *keeps_text;        /* by place: it has a text of its own */
    bool keeps_any;
    const diagram *now; /* what they are collected from */
    struct led_by led[MAX_WAYS];
    int count;
    int tries;    /* left */
    bool is_part; /* a place that belongs to others, without them */
    struct memo *tried;
    const struct state *from; /* which they are collected from, with these values of terms */
    struct literal values[MAX_TERMS];
    int value_count;
};

/* Whether they are the same for all runs for which both can be. */
static bool agree(struct loop *l, const struct tuples *t, int k, const diagram *one, diagram where)
{
    diagram both = condition_and(l->c, t->where[k], where);
    for (int i = 0; i < t->size && both != DIAGRAM_NO; i++)
        if (t->all[k][i] != one[i] &&
            condition_meets(l->c, both, loop_unlike(l, t->all[k][i], one[i])))
            return false;
    return true;
}

static int tuple_like(struct loop *l, const struct tuples *t, const diagram *one, diagram where)
{
    size_t bytes = sizeof *one * (size_t)t->size;
    for (int k = 0; k < t->count; k++)
        if (!memcmp(t->all[k], one, bytes))
            return k;
    for (int k = 0; k < t->count; k++)
        if (agree(l, t, k, one, where))
            return k;
    return t->count;
}

/* The values at hand. */
static struct led_by led_now(struct loop *l, const struct tuples *t)
{
    int count = t->value_count < MAX_TERMS ? t->value_count : MAX_TERMS;
    return (struct led_by){
        t->from, arena_copy(l->arena, t->values, sizeof *t->values * (size_t)count), count};
}

/* The branches by which runs with these values got there. */
static const struct condition *taken_for(struct loop *l, const struct led_by *led)
{
    diagram care = DIAGRAM_YES;
    for (int i = 0; i < led->count; i++)
        care = condition_and(l->c, care,
                             diagram_within(l->c, led->values[i].term, led->values[i].range));
    return l->ways->is_recursion ? NULL : state_taken_in_loop(l->head, led->from, l->ways, care);
}

/* Where they are this combination: what is known of their texts. */
static diagram said_of_texts(struct loop *l, const struct tuples *t, const diagram *one,
                             diagram where)
{
    diagram care = t->from->path, is = t->keeps_any ? where : DIAGRAM_YES;
    for (int i = 0; i < t->size && t->keeps_any; i++)
        care = condition_and(l->c, care, condition_not(l->c, loop_unlike(l, t->now[i], one[i])));
    for (int i = 0; i < t->size; i++)
        if (t->keeps_text[i])
            is = condition_and(l->c, is, loop_said_of_text(l, t->slots[i], one[i], care));
    return is;
}

static const diagram *with_own_texts(struct loop *l, const struct tuples *t, const diagram *one)
{
    if (!t->keeps_any)
        return one;
    diagram *own = arena_copy(l->arena, one, sizeof *one * (size_t)t->size);
    for (int i = 0; i < t->size; i++)
        if (t->keeps_text[i])
            own[i] = loop_with_own_text(l, t->slots[i], one[i]);
    return own;
}

/* A text that an iteration made of what it knew, as a name with a number: each makes another. */
static bool is_formatted(struct loop *l, const struct slot *slot, diagram one)
{
    if (slot->kind != SLOT_CELL || slot->loc->field != text_field || !diagram_is_leaf(l->c, one))
        return false;
    struct value v = guard_value(l->head, one);
    const struct object *o = v.kind == VALUE_ADDRESS && v.count == 1 ? v.as.loc[0]->object : NULL;
    return o && o->is_fresh && o->unknown_text;
}

/* Whether the ways are too many if there is one more: of texts that are another one in each
 * iteration, there is no end. */
static bool are_too_many(struct loop *l, const struct tuples *t, const diagram *one)
{
    for (int i = 0; i < t->size; i++) {
        int count = 0;
        for (int k = 0; k < t->count && is_formatted(l, t->slots[i], one[i]); k++)
            count += is_formatted(l, t->slots[i], t->all[k][i]);
        if (count >= MAX_FORMATTED)
            return true;
    }
    return t->count == MAX_WAYS;
}

static bool add_tuple(struct loop *l, struct tuples *t, const diagram *one, diagram path)
{
    diagram where = condition_exists(l->c, path, l->ways->since);
    diagram texts = said_of_texts(l, t, one, where);
    one = with_own_texts(l, t, one);
    int k = tuple_like(l, t, one, where);
    if (k == t->count && are_too_many(l, t, one))
        return false;
    if (k == t->count) {
        t->all[t->count++] = arena_copy(l->arena, one, sizeof *one * (size_t)t->size);
        t->where[k] = where;
        t->texts[k] = texts;
        t->led[k] = led_now(l, t);
        return true;
    }
    for (int i = 0; i < t->size; i++)
        t->all[k][i] = diagram_choose(l->c, t->where[k], t->all[k][i], one[i]);
    t->where[k] = condition_or(l->c, t->where[k], where);
    t->texts[k] = condition_or(l->c, t->texts[k], texts);
    return true;
}

/* Values of a term that lead to the same are tried once, and so are those of several terms. */
static bool is_tried(struct loop *l, struct tuples *t, const diagram *now, diagram path)
{
    uint64_t *words = arena_array(l->arena, uint64_t, t->size + 1);
    for (int i = 0; i < t->size; i++)
        words[i] = now[i];
    words[t->size] = path;
    void **at = memo_at(t->tried, words, (size_t)t->size + 1);
    bool was = *at != NULL;
    *at = t;
    return was;
}

/* Each combination for the values that terms of the loop can have on the path; false: too many. */
static bool add_tuples(struct loop *l, struct tuples *t, const diagram *now, diagram path)
{
    int64_t values[MAX_VALUES];
    term_id first = TERM_NONE;
    for (int i = 0; i < t->size; i++) {
        term_id one = diagram_term_since(l->c, now[i], l->ways->since);
        first = one < first ? one : first;
    }
    if (first == TERM_NONE)
        return add_tuple(l, t, now, path);
    int count = diagram_values(l->c, path, first, values, MAX_VALUES);
    for (int i = 0; i < t->size && count < MAX_VALUES; i++) {
        int64_t own[MAX_VALUES];
        int n = diagram_values(l->c, now[i], first, own, MAX_VALUES);
        for (int k = 0; k < n && count < MAX_VALUES; k++) {
            int at = 0;
            while (at < count && values[at] != own[k])
                at++;
            values[at] = own[k];
            count = at == count ? count + 1 : count;
        }
    }
    diagram *next = arena_array(l->arena, diagram, t->size);
    for (int k = 0; k < count; k++) {
        diagram there = diagram_cofactor(l->c, path, first, values[k]);
        if (there == DIAGRAM_NO)
            continue;
        for (int i = 0; i < t->size; i++)
            next[i] = diagram_cofactor(l->c, now[i], first, values[k]);
        if (is_tried(l, t, next, there))
            continue;
        if (t->tries-- <= 0)
            return false;
        if (t->value_count++ < MAX_TERMS)
            t->values[t->value_count - 1] = (struct literal){first, {values[k], values[k]}};
        bool fits = add_tuples(l, t, next, there);
        t->value_count--;
        if (!fits)
            return false;
    }
    return count < MAX_VALUES;
}

/* Where runs differ in what they ask in the loop, such as which text they read, their combinations
 * have nothing to do with each other. */
static bool add_tuples_by_part(struct loop *l, struct tuples *t, const diagram *now, diagram path)
{
    struct loop_part_of_runs parts[MAX_RUN_PARTS];
    int count = loop_divide_runs(l, now, t->size, path, parts);
    bool fits = count || add_tuples(l, t, now, path);
    for (int i = 0; i < count && fits; i++)
        fits = add_tuples_by_part(l, t, parts[i].all, parts[i].path);
    return fits;
}

static bool collect(struct loop *l, struct tuples *t, bool after)
{
    diagram *now = arena_array(l->arena, diagram, t->size);
    t->tried = memo_new(l->arena);
    t->from = after ? l->s : l->head;
    for (int i = 0; i < t->size; i++)
        now[i] = !after             ? t->slots[i]->before
                 : t->keeps_text[i] ? t->slots[i]->texts
                                    : t->slots[i]->after;
    t->now = arena_copy(l->arena, now, sizeof *now * (size_t)t->size);
    return add_tuples_by_part(l, t, now, after ? l->s->path : l->head->path);
}

static void put_slot(struct loop *l, const struct slot *slot, diagram cases)
{
    if (slot->kind == SLOT_CELL)
        state_put(l->arena, l->head, slot->loc, guard_value(l->head, cases));
    else if (slot->kind == SLOT_TENSOR)
        state_tensor_put(l->arena, l->head, guard_tensor(l->head, cases));
    else
        state_node_put(l->arena, l->head, guard_node(l->head, cases));
    l->grew = true;
}

/* What was noted of the choices that a place depended on is void. */
static void forget_limits(struct loop *l, const struct tuples *t)
{
    int kept = 0;
    for (int i = 0; i < l->ways->limits.count; i++) {
        struct way_limit limit = l->ways->limits.items[i];
        bool is_gone = false;
        for (int k = 0; k < t->size; k++)
            is_gone |= diagram_term_since(l->c, t->slots[k]->before, limit.choice) == limit.choice;
        if (!is_gone)
            l->ways->limits.items[kept++] = limit;
    }
    l->ways->limits.count = kept;
}

/* What the others are no longer says anything of the texts. */
static void part_from_texts(struct loop *l, const struct tuples *t)
{
    for (int i = 0; i < t->size; i++)
        if (t->keeps_text[i])
            loop_text_is_apart(l, t->slots[i], t->slots[i]->texts);
}

/* False: there is no room for it. */
static bool add_limit(struct loop *l, term_id choice, diagram holds)
{
    bool is_small = diagram_size(l->c, holds, MAX_LIMIT) <= MAX_LIMIT;
    if (!is_small || l->ways->limited >= MAX_LIMITED)
        return false;
    LIST_ADD(l->arena, &l->ways->limits, ((struct way_limit){choice, holds}));
    return true;
}

/* What is known of the texts; is_limited: it is known for which runs the choice can be what. */
static void limit_texts(struct loop *l, const struct tuples *t, term_id choice, bool is_limited)
{
    diagram holds = DIAGRAM_NO;
    for (int k = 0; k < t->count; k++) {
        diagram is = diagram_within(l->c, choice, (struct domain){k, k});
        diagram where = is_limited ? condition_and(l->c, t->where[k], l->runs) : l->runs;
        diagram texts =
            where == DIAGRAM_NO ? DIAGRAM_YES : diagram_simplify(l->c, t->texts[k], where);
        holds = condition_or(l->c, holds, condition_and(l->c, is, texts));
    }
    if (!add_limit(l, choice, holds))
        part_from_texts(l, t);
}

/* What a place is that an iteration changed means nothing for runs that never get there. */
static void limit_ways(struct loop *l, const struct tuples *t, term_id choice)
{
    diagram holds = DIAGRAM_NO;
    for (int k = 0; k < t->count; k++) {
        diagram is = diagram_within(l->c, choice, (struct domain){k, k});
        diagram where = diagram_simplify(l->c, t->where[k], l->runs);
        holds = condition_or(l->c, holds, condition_and(l->c, is, where));
    }
    bool is_limited = add_limit(l, choice, holds);
    if (t->keeps_any)
        limit_texts(l, t, choice, is_limited);
}

static bool is_small(struct loop *l, diagram d)
{
    diagram leaves[MAX_LEAVES + 1];
    return diagram_paths(l->c, d) <= MAX_PATHS ||
           (diagram_size(l->c, d, MAX_SIZE) <= MAX_SIZE &&
            diagram_leaves(l->c, d, leaves, MAX_LEAVES + 1) <= MAX_LEAVES);
}

/* Most iterations lead to no new way: what led to each is looked for once there is a choice. */
static void note_taken(struct loop *l, const struct tuples *t, term_id choice)
{
    struct way_note note = {.choice = choice,
                            .taken = arena_array(l->arena, const struct condition *, t->count),
                            .count = t->count};
    struct condition_count before;
    bool has_room = guards_explain_begin(l->head->guards, &before);
    for (int k = 0; k < t->count && has_room; k++)
        note.taken[k] = taken_for(l, &t->led[k]);
    guards_explain_end(l->head->guards, &before);
    LIST_ADD(l->arena, &l->notes, note);
}

/* What tensors can be, of whichever dtype and on whichever device; false: it is no tensor. */
static bool kinds_of(struct loop *l, const struct slot *slot, diagram way, struct fact *kinds)
{
    *kinds = (struct fact){0};
    if (slot->kind == SLOT_TENSOR) {
        struct tensor t = guard_tensor(l->head, way);
        *kinds = (struct fact){.dtypes = t.fact.dtypes, .devices = t.fact.devices};
        return true;
    }
    struct value v = guard_value(l->head, way);
    value_list all = guard_values(l->arena, l->head, &v);
    for (int i = 0; i < all.count; i++)
        for (int k = 0; k < all.items[i]->count; k++) {
            if (all.items[i]->kind != VALUE_TENSOR)
                return false;
            const struct tensor *t = state_tensor(l->s, all.items[i]->as.tensor[k]);
            kinds->dtypes |= t ? t->fact.dtypes : 0;
            kinds->devices |= t ? t->fact.devices : 0;
        }
    return all.count > 0;
}

/* Whether the ways of a place are tensors that differ in what decides whether calls fail. */
static bool kinds_differ(struct loop *l, const struct tuples *t, int i)
{
    struct fact first, other;
    if (t->slots[i]->kind == SLOT_NODE || !kinds_of(l, t->slots[i], t->all[0][i], &first))
        return false;
    bool differ = false;
    for (int k = 1; k < t->count; k++) {
        if (!kinds_of(l, t->slots[i], t->all[k][i], &other))
            return false;
        differ |= other.dtypes != first.dtypes || other.devices != first.devices;
    }
    return differ;
}

/* The choice is one of several for what the loop changes together. */
static void note_part(struct loop *l, const struct tuples *t, term_id choice)
{
    bool differ = false;
    for (int i = 0; i < t->size && !differ; i++)
        differ = kinds_differ(l, t, i);
    if (differ)
        guards_note_part(l->head->guards, choice, l->ways);
}

/* One of the ways, whichever. False: there are too many conditions under which it is which. */
static bool put_choice(struct loop *l, const struct tuples *t)
{
    term_id choice = choice_make(l->c, t->count);
    diagram *all = arena_array(l->arena, diagram, t->size);
    for (int i = 0; i < t->size; i++) {
        all[i] = t->all[t->count - 1][i];
        for (int k = t->count - 2; k >= 0; k--)
            all[i] = diagram_choose(l->c, diagram_within(l->c, choice, (struct domain){0, k}),
                                    t->all[k][i], all[i]);
        if (!is_small(l, all[i]))
            return false;
    }
    for (int i = 0; i < t->size; i++)
        put_slot(l, t->slots[i], all[i]);
    if (t->is_part)
        note_part(l, t, choice);
    forget_limits(l, t);
    limit_ways(l, t, choice);
    note_taken(l, t, choice);
    l->head->guarded = true;
    return true;
}

/* Too many ways even of one place: a value that stands for all of them. */
static void flatten(struct loop *l, const struct slot *slot)
{
    if (slot->kind == SLOT_TENSOR) {
        LIST_ADD(l->arena, &l->ways->flat_tensors, slot->id);
        loop_join_tensor(l, slot->before, slot->after);
    }
    l->ways->flattened += slot->kind != SLOT_CELL;
    if (slot->kind != SLOT_CELL)
        return;
    LIST_ADD(l->arena, &l->ways->flat, slot->loc);
    struct value x = guard_value(l->head, slot->before), y = guard_value(l->s, slot->after);
    if (loop_put_text(l, slot->loc, &x, &y, loop_is_apart(l, slot)))
        return;
    l->ways->flattened++;
    loop_put_joined(l, slot->loc, &x, &y);
}

/* Whether another place depends on an unknown that it depends on: where the two are too much to be
 * kept together, each gets one of its own. */
static bool shares_any(struct loop *l, const struct slot *slot)
{
    for (int i = 0; i < l->slots.count; i++)
        if (&l->slots.items[i] != slot &&
            loop_share_term(l, l->slots.items[i].before, slot->before))
            return true;
    return false;
}

/* One of the ways can be for other runs, too. */
static bool has_more_runs(struct loop *l, const struct tuples *before, const struct tuples *now)
{
    for (int k = 0; k < before->count; k++)
        if (!condition_implies(l->c, now->where[k], before->where[k]) ||
            !condition_implies(l->c, now->texts[k], before->texts[k])) {
            l->ways->limited++;
            return true;
        }
    return false;
}

static void find_texts(struct loop *l, struct tuples *t)
{
    t->keeps_text = arena_array(l->arena, bool, t->size);
    for (int i = 0; i < t->size; i++) {
        t->keeps_text[i] = loop_keeps_text(l, t->slots, t->size, i);
        t->keeps_any |= t->keeps_text[i];
    }
}

/* False: there is no room for all that they can be together. */
static bool add_ways_together(struct loop *l, struct tuples *t)
{
    find_texts(l, t);
    bool fits = collect(l, t, false);
    struct tuples before = *t;
    fits = fits && collect(l, t, true);
    bool is_alone = t->size > 1 || !shares_any(l, t->slots[0]);
    if (fits && t->count == before.count && is_alone && !has_more_runs(l, &before, t))
        return true;
    return fits && put_choice(l, t);
}

static void add_ways(struct loop *l, const struct slot **slots, int size, bool is_part)
{
    struct tuples t = {.slots = slots, .size = size, .tries = MAX_TRIES, .is_part = is_part};
    if (add_ways_together(l, &t) || loop_parts_families(l, slots, size))
        return;
    l->is_over |= l->ways->since > l->ways->entered;
    if (l->is_over)
        return;
    if (size == 1) {
        forget_limits(l, &t);
        flatten(l, slots[0]);
    }
    part_from_texts(l, &t);
    for (int i = 0; i < size && size > 1; i++) /* one that stays as it is keeps its limits */
        add_ways(l, &slots[i], 1, true);
    l->head->split |= size > 1;
}

/* For which runs the choice can be what, on the path. */
static diagram runs_by_choice(struct loop *l, diagram path, term_id choice)
{
    bool *is_dropped = arena_array(l->arena, bool, term_total(l->c));
    for (int t = 0; t < term_total(l->c); t++)
        is_dropped[t] = (term_id)t >= l->ways->since && (term_id)t != choice;
    diagram runs = condition_without(l->c, path, is_dropped);
    term_id other = diagram_term_since(l->c, runs, l->ways->since);
    other = other == choice ? diagram_term_since(l->c, runs, choice + 1) : other;
    return other == TERM_NONE ? runs : DIAGRAM_YES; /* it would have been too large */
}

/* The state that a recursion enters with is one of its own states: what stays as it was may depend
 * on choices of instances before, and only the path says for which runs these are what. */
static diagram runs_of_choices(struct loop *l)
{
    const bool *is_held = terms_held(l->head, NULL), *also = terms_held(l->s, NULL);
    diagram others = condition_not(l->c, condition_exists(l->c, l->head->path, l->ways->since));
    diagram all = DIAGRAM_YES;
    term_id t = diagram_term_since(l->c, l->head->path, l->ways->since);
    for (; t != TERM_NONE; t = diagram_term_since(l->c, l->head->path, t + 1)) {
        if (!is_held[t] || term_at(l->c, t)->kind != TERM_CHOICE)
            continue;
        diagram runs = also[t] ? runs_by_choice(l, l->s->path, t) : others;
        runs = condition_or(l->c, runs, runs_by_choice(l, l->head->path, t));
        if (diagram_size(l->c, runs, MAX_LIMIT) <= MAX_LIMIT)
            all = condition_and(l->c, all, runs);
    }
    return all;
}

/* The runs that get to the head, and for which of them what an iteration changed can be what. */
static void set_path(struct loop *l)
{
    diagram path = l->runs;
    if (l->ways->is_recursion)
        path = condition_and(l->c, path, runs_of_choices(l));
    for (int i = 0; i < l->ways->limits.count; i++)
        path = condition_and(l->c, path, l->ways->limits.items[i].holds);
    path = path_within_bound(l->c, l->head, NULL, path);
    if (!l->grew && condition_implies(l->c, path, l->head->path))
        return; /* it has forgotten what nobody asks about again */
    l->grew |= path != l->head->path;
    l->head->path = path;
}

/* What the iteration changes. */
static struct loop loop_of(struct arena *a, struct state *head, const struct state *s,
                           struct ways *w)
{
    struct loop l = {
        .arena = a, .c = guard_conditions(head->guards), .head = head, .s = s, .ways = w};
    l.runs = condition_or(l.c, condition_exists(l.c, head->path, w->since),
                          condition_exists(l.c, s->path, w->since));
    loop_compare(&l);
    loop_find_groups(&l);
    return l;
}

/* Groups that decide what becomes of each other are kept together if there is room. */
static bool add_ways_of_whole(struct loop *l, const struct slot **slots, int size)
{
    struct tuples t = {.slots = slots, .size = size, .tries = MAX_TRIES};
    bool is_one = true;
    for (int i = 1; i < size; i++)
        is_one &= slots[i]->group == slots[0]->group;
    bool fits = !is_one && add_ways_together(l, &t);
    l->ways->is_split |= !is_one && !fits;
    return fits;
}

static void add_ways_of_group(struct loop *l, int g, const struct slot **slots)
{
    int size = 0;
    for (int i = g; i < l->slots.count && l->slots.items[g].group == g; i++)
        if (l->slots.items[i].group == g)
            slots[size++] = &l->slots.items[i];
    if (size)
        add_ways(l, slots, size, false);
}

static void add_all_ways(struct loop *l)
{
    const struct slot **some = arena_array(l->arena, const struct slot *, l->slots.count + 1);
    for (int w = 0; w < l->slots.count && !l->is_over; w++) {
        int size = 0;
        for (int i = w; i < l->slots.count && l->slots.items[w].whole == w; i++)
            if (l->slots.items[i].whole == w)
                some[size++] = &l->slots.items[i];
        if (!size || add_ways_of_whole(l, some, size))
            continue;
        for (int g = w; g < l->slots.count && !l->is_over; g++)
            if (l->slots.items[g].whole == w)
                add_ways_of_group(l, g, some);
    }
}

bool state_add_ways(struct arena *a, struct state *head, const struct state *s, struct ways *w)
{
    head->has_memory |= s->has_memory;
    struct loop l = loop_of(a, head, s, w);
    add_all_ways(&l);
    if (l.is_over) {
        w->since = w->entered;
        w->limits.count = 0;
        l = loop_of(a, head, s, w);
        add_all_ways(&l);
        l.grew = true;
    }
    set_path(&l);
    head->guarded |= s->guarded;
    state_join_conditions(head, s);
    for (int i = 0; i < l.notes.count; i++)
        state_note_loop(head, w, l.notes.items[i].choice, l.notes.items[i].taken,
                        l.notes.items[i].count);
    head->graded = head->graded ? head->graded : s->graded;
    head->blurred |= s->blurred;
    head->joined |= s->joined;
    head->split |= s->split;
    head->lookup_failed |= s->lookup_failed;
    return l.grew;
}
