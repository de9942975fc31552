/* The head of a loop: a text that iterations found, such as an argument of the program, and what
 * they set by comparing it. In the way that a flag is set, the text is the one that was asked for:
 * the place gets a text of its own, one for all iterations, and what the path says of the text that
 * an iteration read is said of that one, for each way by itself. */
#include "analyzer/flow/states/loop.h"

#include <limits.h>

enum { MAX_TEXTS = 8, MAX_RUNS = 64, MAX_KEY = 32 };

/* Of those that are others each time. */
static bool is_found(const struct object *o)
{
    return o->among && o->is_fresh;
}

/* The root of the text that a pointer is at: one of several in this iteration, or the same always,
 * such as the second argument; NULL: it is none. */
static const struct loc *one_text(const struct value *v)
{
    const struct loc *to = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
    const struct object *o = to ? to->object : NULL;
    bool is_near = to && (!to->parent || !to->parent->parent) && !to->field && !to->some_any;
    bool is_one = is_near && o->kind == OBJECT_UNKNOWN && o->is_one && !o->text && !o->unknown_text;
    return is_one && is_found(o) == o->is_fresh ? o->root : NULL;
}

/* Whether it was there before the iteration, which cannot have found it. */
static bool is_in_head(struct loop *l, const struct loc *at, const struct object *o)
{
    const struct value *v = state_get_guarded(l->head, at);
    value_list all = {0};
    if (v)
        all = guard_values(l->arena, l->head, v);
    for (int i = 0; i < all.count; i++) {
        const struct loc *text = one_text(all.items[i]);
        if (text && text->object == o)
            return true;
    }
    return false;
}

/* The text that stands at a place for those of all iterations that are among the same ones; one
 * that is the same always, or in the whole loop, stands for itself. */
static const struct loc *text_of_loop(struct loop *l, const struct loc *at, const struct object *o)
{
    if (!is_found(o) || is_in_head(l, at, o))
        return o->root;
    struct key key = key_of(KEY_LOOP_TEXT, (uint64_t)at->id, (uint64_t)l->ways->since);
    key.more = (uint64_t)o->among->id + 1;
    struct object *all = object_at(l->ways->heap, key, OBJECT_UNKNOWN, NULL, o->type);
    all->pointer = o->pointer;
    all->source = o->source;
    all->is_one = all->is_fresh = true;
    all->among = o->among;
    return loc_root(l->ways->heap, all);
}

bool loop_is_own_text(struct loop *l, const struct loc *at, const struct value *v)
{
    const struct loc *text = one_text(v);
    return text && text_of_loop(l, at, text->object) == text;
}

/* The pointer, into the text that stands for all of them. */
static struct value into_own_text(struct loop *l, const struct loc *at, const struct value *v)
{
    struct value own = *v;
    const struct loc *text = one_text(v);
    if (text)
        own.as.loc[0] =
            loc_rebase(l->ways->heap, v->as.loc[0], text, text_of_loop(l, at, text->object));
    return own;
}

static bool keep_text(struct value *v, const void *what)
{
    const struct loc *to = one_text(v) ? v->as.loc[0] : NULL;
    struct value plain = loop_plain(*v);
    (void)what;
    if (to)
        plain.as.loc[0] = to;
    bool has = plain.test != v->test || plain.query != v->query || plain.origin != v->origin ||
               !value_equal(&plain, v);
    *v = plain;
    return has;
}

diagram loop_texts_read(struct loop *l, const struct loc *at, const struct value *v)
{
    const struct type *type = loc_type(at);
    bool is_pointer = type && type->kind == TYPE_POINTER && type->of;
    if (!is_pointer || type->of->kind != TYPE_INT || type->of->bits != CHAR_BIT)
        return DIAGRAM_NO;
    value_list all = guard_values(l->arena, l->s, v);
    bool has_any = false;
    for (int i = 0; i < all.count; i++)
        has_any |= one_text(all.items[i]) != NULL;
    if (!has_any || l->ways->is_recursion)
        return DIAGRAM_NO;
    struct value plain = *v;
    if (v->kind == VALUE_GUARDED)
        plain = guard_map(l->s, v, keep_text, NULL);
    else
        keep_text(&plain, NULL);
    return guard_cases(l->s, &plain);
}

/* ---- which are kept -------------------------------------------------------------------------- */

static bool is_about(const struct term *t, const struct loc *text)
{
    const struct loc *about = t->about;
    return about && about->object == text->object;
}

static bool depends_on(struct loop *l, diagram d, const struct loc *text)
{
    for (term_id t = diagram_term_since(l->c, d, l->ways->since); t != TERM_NONE;
         t = diagram_term_since(l->c, d, t + 1))
        if (is_about(term_at(l->c, t), text))
            return true;
    return false;
}

/* A value that is not guarded is in the list itself. */
static value_list texts_in(struct loop *l, const struct state *s, diagram cases)
{
    struct value v = guard_value(s, cases);
    return guard_values(l->arena, s, arena_copy(l->arena, &v, sizeof v));
}

static bool is_asked_for(struct loop *l, const struct slot *const *slots, int size, int i)
{
    value_list now = texts_in(l, l->s, slots[i]->texts);
    for (int n = 0; n < now.count; n++) {
        const struct loc *text = one_text(now.items[n]);
        for (int k = 0; k < size && text; k++)
            if (k != i && depends_on(l, slots[k]->after, text))
                return true;
    }
    return false;
}

static bool is_kept(const struct ways *w, const struct loc *at)
{
    for (int i = 0; i < w->texts.count; i++)
        if (w->texts.items[i] == at)
            return true;
    return false;
}

bool loop_keeps_text(struct loop *l, const struct slot *const *slots, int size, int i)
{
    if (slots[i]->kind != SLOT_CELL || slots[i]->texts == DIAGRAM_NO)
        return false;
    bool was_kept = is_kept(l->ways, slots[i]->loc);
    if (!was_kept && !is_asked_for(l, slots, size, i))
        return false;
    if (!was_kept)
        LIST_ADD(l->arena, &l->ways->texts, slots[i]->loc);
    return true;
}

/* ---- what is known of them ------------------------------------------------------------------- */

/* Where the key of a term has the number of the location that it is about. */
static int place_in_key(const struct term *t)
{
    enum { BEHIND_PLACE = 3 }; /* with the versions of the text, and of those it is among */
    if (t->kind == TERM_TEXT)
        return t->key_count - BEHIND_PLACE;
    return t->kind == TERM_INITIAL ? 0 : t->kind == TERM_OP ? 1 : -1;
}

/* The same question about another text; TERM_NONE: it cannot be asked. */
static term_id ask_of(struct loop *l, term_id of, const struct loc *from, const struct loc *to)
{
    struct term t = *term_at(l->c, of);
    const struct loc *about = t.about;
    uint64_t key[MAX_KEY];
    int at = place_in_key(&t);
    if (at < 0 || at >= t.key_count || t.key_count > MAX_KEY || t.key[at] != (uint64_t)about->id)
        return TERM_NONE;
    for (int i = 0; i < t.key_count; i++)
        key[i] = t.key[i];
    const struct loc *there = loc_rebase(l->ways->heap, about, from, to);
    key[at] = (uint64_t)there->id;
    term_id other = term_make(l->c, t.kind, key, t.key_count, t.domain, t.loop);
    term_set(l->c, other, there);
    return other;
}

/* The condition, about another text. */
static diagram said_of(struct loop *l, diagram d, const struct loc *from, const struct loc *to)
{
    if (from == to || diagram_is_leaf(l->c, d))
        return d;
    const struct run *runs;
    term_id top = diagram_top(l->c, d);
    int count = diagram_runs(l->c, d, &runs);
    const struct run *all = arena_copy(l->arena, runs, sizeof *runs * (size_t)count);
    term_id t = is_about(term_at(l->c, top), from) ? ask_of(l, top, from, to) : top;
    diagram is = DIAGRAM_NO;
    for (int i = 0; i < count; i++) {
        struct domain range = {i ? all[i - 1].last + 1 : INT64_MIN, all[i].last};
        diagram here = t == TERM_NONE ? DIAGRAM_YES : diagram_within(l->c, t, range);
        is = condition_or(l->c, is, condition_and(l->c, here, said_of(l, all[i].to, from, to)));
    }
    return is;
}

/* What the condition says of the text, for runs by terms from before the loop. */
static diagram about_text(struct loop *l, diagram d, const struct loc *text, const struct loc *own)
{
    bool *is_dropped = arena_array(l->arena, bool, term_total(l->c));
    for (int t = 0; t < term_total(l->c); t++)
        is_dropped[t] = (term_id)t >= l->ways->since && !is_about(term_at(l->c, (term_id)t), text);
    diagram is = condition_without(l->c, d, is_dropped);
    bool is_over = diagram_size(l->c, is, MAX_LIMIT) > MAX_LIMIT;
    for (term_id t = diagram_term_since(l->c, is, l->ways->since); t != TERM_NONE && !is_over;
         t = diagram_term_since(l->c, is, t + 1))
        is_over = is_dropped[t];
    if (is_over)
        own->object->is_apart = true;
    return is_over ? DIAGRAM_YES : said_of(l, is, text, own);
}

diagram loop_said_of_text(struct loop *l, const struct slot *slot, diagram one, diagram care)
{
    diagram leaves[MAX_TEXTS + 1], is = DIAGRAM_NO;
    int count = diagram_leaves(l->c, one, leaves, MAX_TEXTS + 1);
    if (count > MAX_TEXTS) {
        loop_text_is_apart(l, slot, one);
        return DIAGRAM_YES;
    }
    for (int i = 0; i < count; i++) {
        diagram here = condition_and(l->c, care, diagram_where(l->c, one, leaves[i]));
        struct value v = guard_value(l->head, leaves[i]);
        const struct loc *text = one_text(&v);
        if (here == DIAGRAM_NO)
            continue;
        is = condition_or(l->c, is,
                          text ? about_text(l, here, text, text_of_loop(l, slot->loc, text->object))
                               : condition_exists(l->c, here, l->ways->since));
    }
    return is;
}

struct own_text {
    struct loop *l;
    const struct loc *at;
};

static bool to_own(struct value *v, const void *what)
{
    const struct own_text *own = what;
    const struct loc *before = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
    *v = into_own_text(own->l, own->at, v);
    return before && v->as.loc[0] != before;
}

diagram loop_with_own_text(struct loop *l, const struct slot *slot, diagram one)
{
    struct own_text own = {l, slot->loc};
    struct value v = guard_value(l->head, one);
    if (v.kind == VALUE_GUARDED)
        v = guard_map(l->head, &v, to_own, &own);
    else
        to_own(&v, &own);
    return guard_cases(l->head, &v);
}

void loop_text_is_apart(struct loop *l, const struct slot *slot, diagram cases)
{
    value_list all = texts_in(l, l->head, cases);
    for (int i = 0; i < all.count; i++) {
        const struct loc *text = one_text(all.items[i]);
        if (text)
            text_of_loop(l, slot->loc, text->object)->object->is_apart = true;
    }
}
