/* Texts in memory. A buffer that a call copied or formatted a text into has a cell, which no
 * program can name, for the text as a whole: a pointer to a literal, or to an unknown text that is
 * the same wherever it was copied. Writing a character changes that text; whatever else overwrites
 * the buffer makes it unknown. */
#include "analyzer/flow/memory/string_cell.h"

#include <string.h>

/* ---- places ---------------------------------------------------------------------------------- */

/* False: there are no characters. */
static bool characters_at(const struct loc *l, struct characters *to)
{
    const struct type *t = loc_type(l);
    bool is_element = l->parent && !l->field;
    bool is_whole = is_text_type(t) || !l->parent;
    *to = is_whole ? (struct characters){l, 0} : (struct characters){l->parent, l->element};
    return is_text_type(t) || ((is_element || !l->parent) && (!t || is_byte_type(t)));
}

static const struct loc *cell_of_text(struct flow *f, const struct loc *array)
{
    return loc_field(f->heap, array, text_field);
}

const struct loc *string_place(struct flow *f, const struct loc *array)
{
    const struct loc *l = cell_of_text(f, array);
    l->object->has_strings |= l->some_any;
    return l;
}

bool characters_of(const struct flow *f, const struct value *v, struct characters *to)
{
    return f->merges && v->kind == VALUE_ADDRESS && v->count == 1 &&
           characters_at(v->as.loc[0], to) && to->first != ELEMENT_ANY;
}

/* ---- texts ----------------------------------------------------------------------------------- */

struct value value_of_text(struct flow *f, const char *text, const struct type *type)
{
    uint64_t words[] = {COMPUTATION_TEXT, hash_bytes(text, strlen(text), 0),
                        hash_bytes(text, strlen(text), 1)};
    void **at = memo_at(f->computations, words, COUNT(words));
    if (!*at) {
        struct object *o = object_new(f->heap, OBJECT_UNKNOWN, NULL,
                                      type && type->kind == TYPE_POINTER ? type->of : NULL);
        o->pointer = &place_unnamed;
        o->unknown_contents = true;
        o->is_one = true;
        o->text = text;
        *at = o;
    }
    return value_of_loc(loc_root(f->heap, *at));
}

const char *string_literal(const struct value *text)
{
    const struct loc *l = text->kind == VALUE_ADDRESS && text->count == 1 ? text->as.loc[0] : NULL;
    return l && !l->parent ? l->object->text : NULL;
}

const struct unknown_text *string_unknown(const struct value *text)
{
    const struct loc *l = text->kind == VALUE_ADDRESS && text->count == 1 ? text->as.loc[0] : NULL;
    return l && !l->parent ? l->object->unknown_text : NULL;
}

static bool is_text(const struct value *v)
{
    return string_literal(v) || string_unknown(v);
}

struct value string_of(struct flow *f, const char *text, size_t length)
{
    return value_of_text(f, arena_text(f->kept, text, length), NULL);
}

static const struct loc *new_unknown(struct flow *f, const struct unknown_text *text, bool is_fresh)
{
    struct object *o = object_new(f->heap, OBJECT_UNKNOWN, NULL, NULL);
    o->pointer = &place_unnamed;
    o->unknown_contents = true;
    o->is_one = true;
    o->is_fresh = is_fresh;
    o->unknown_text = arena_copy(f->kept, text, sizeof *text);
    return loc_root(f->heap, o);
}

/* The text that was computed so; from: where its characters are, in that version of its contents.
 */
struct value string_computed(struct flow *f, const struct computation *c, struct unknown_text t)
{
    uint64_t words[COMPUTATION_WORDS + 1];
    memcpy(words, c->words, sizeof *words * (size_t)c->count);
    words[c->count] = (uint64_t)t.limit;
    void **at = memo_at(f->computations, words, (size_t)c->count + 1);
    if (!*at) {
        t.words = arena_copy(f->kept, c->words, sizeof *c->words * (size_t)c->count);
        t.count = c->count;
        t.fresh = arena_copy(f->kept, c->fresh, sizeof *c->fresh * (size_t)(c->fresh_count + 1));
        *at = (void *)(uintptr_t)new_unknown(f, &t, c->is_fresh);
    }
    return value_of_loc(*at);
}

struct value string_cut(struct flow *f, const struct value *text, int64_t most)
{
    const char *literal = string_literal(text);
    const struct unknown_text *u = string_unknown(text);
    if (literal)
        return most < (int64_t)strlen(literal) ? string_of(f, literal, (size_t)most) : *text;
    if (!u)
        return value_any;
    if (most >= u->limit)
        return *text;
    struct computation c = {.count = u->count, .is_fresh = text->as.loc[0]->object->is_fresh};
    struct unknown_text t = *u;
    t.limit = most;
    memcpy(c.words, u->words, sizeof *u->words * (size_t)u->count);
    for (; u->fresh[c.fresh_count]; c.fresh_count++)
        c.fresh[c.fresh_count] = u->fresh[c.fresh_count];
    return string_computed(f, &c, t);
}

/* Without its first characters. */
static struct value string_from(struct flow *f, const struct value *text, int64_t first)
{
    const char *literal = string_literal(text);
    if (!first)
        return *text;
    if (!literal || first > (int64_t)strlen(literal))
        return value_any;
    return string_of(f, literal + first, strlen(literal + first));
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The text that was written character by character. */
static struct value spelled(struct flow *f, const struct state *s, const struct loc *array)
{
    char text[MAX_SPELLED];
    for (int i = 0; i < MAX_SPELLED; i++) {
        const struct value *v = state_get(s, loc_element(f->heap, array, i));
        int64_t c;
        if (!v || !number_exact(v, &c))
            return value_any;
        text[i] = (char)c;
        if (!c)
            return string_of(f, text, (size_t)i);
    }
    return value_any;
}

/* Whether a text was written to elements of which this may be one. */
static bool is_written_perhaps(const struct state *s, const struct loc *l)
{
    const struct cell *cell;
    if (!l->object->has_strings)
        return false;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, l->object)); cursor_on(s, &w))
        if (cell->loc->field == text_field && loc_may_be(cell->loc, l))
            return true;
    return false;
}

/* What the cell of the text holds; zero: all that follows is. */
struct value string_cell(struct flow *f, struct state *s, const struct loc *array)
{
    const struct loc *l = cell_of_text(f, array);
    const struct object *o = l->object;
    const struct value *v = state_get(s, l);
    if (v && v->kind != VALUE_ZEROED)
        return *v;
    bool is_zero =
        v || (!is_written_perhaps(s, l) &&
              (state_zeroed(s, array) ||
               (o->kind == OBJECT_GLOBAL && !o->unknown_contents && !state_overwritten(s, array))));
    return is_zero ? value_int(0) : value_any;
}

bool string_is_zero(const struct value *v)
{
    int64_t n;
    return number_exact(v, &n) && n == 0;
}

/* Of all characters of the array. */
struct value string_in(struct flow *f, struct state *s, const struct loc *array)
{
    if (array->object->text || array->object->unknown_text)
        return value_of_loc(array);
    struct value v = string_cell(f, s, array);
    if (string_is_zero(&v))
        return string_of(f, "", 0);
    return v.kind == VALUE_GUARDED || is_text(&v) ? v : spelled(f, s, array);
}

struct value string_at(struct flow *f, struct state *s, const struct value *pointer)
{
    struct characters at;
    if (!characters_of(f, pointer, &at))
        return value_any;
    struct value all = string_in(f, s, at.array);
    return string_from(f, &all, at.first);
}

bool string_is_at(struct flow *f, struct state *s, const struct loc *l, const struct type *type)
{
    if (!f->merges || !is_text_type(type))
        return false;
    struct value v = l->object->text ? value_of_loc(l) : string_cell(f, s, l);
    return v.kind == VALUE_GUARDED || is_text(&v);
}

static const struct loc *element_behind(struct flow *f, const struct loc *l, int64_t n)
{
    struct characters at;
    if (!characters_at(l, &at) || at.first == ELEMENT_ANY)
        return NULL;
    return loc_element(f->heap, at.array, at.first + n);
}

/* A character of an unknown text: where the original is, if that is still there. */
static const struct loc *character_of(struct flow *f, const struct state *s,
                                      const struct value *text, int64_t n)
{
    const struct unknown_text *u = string_unknown(text);
    int64_t now;
    if (!u || n >= u->limit)
        return NULL;
    bool is_there = u->from && version_of(f, s, u->from->object, &now) && now == u->version;
    const struct loc *l = is_there ? element_behind(f, u->from, n) : NULL;
    return l ? l : loc_element(f->heap, text->as.loc[0], n);
}

bool string_character(struct flow *f, struct state *s, const struct loc *l, const struct type *type,
                      const struct loc **from, struct value *out)
{
    struct characters at;
    if (!f->merges || l->some_any || !is_byte_type(type) || l->field == text_field ||
        !characters_at(l, &at))
        return false;
    const struct object *o = l->object;
    if (o->unknown_text)
        return false;
    struct value text = o->text ? value_of_loc(o->root) : string_cell(f, s, at.array);
    const char *literal = string_literal(&text);
    *from = literal ? NULL : character_of(f, s, &text, at.first);
    if (literal && at.first <= (int64_t)strlen(literal))
        *out = number_convert(&(struct value){.kind = VALUE_NUMBER,
                                              .count = 1,
                                              .as.number = {(unsigned char)literal[at.first]}},
                              type);
    return *from || (literal && at.first <= (int64_t)strlen(literal));
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The character at an index becomes c. What is behind the end of a text is not known. */
static struct value with_character(struct flow *f, const struct value *text, int64_t at, int64_t c)
{
    const char *literal = string_literal(text);
    if (!c)
        return string_cut(f, text, at);
    if (!literal || at >= (int64_t)strlen(literal))
        return value_any;
    char *changed = arena_text(f->scratch, literal, strlen(literal));
    changed[at] = (char)c;
    return string_of(f, changed, strlen(changed));
}

/* It ends where it ends already. */
static bool ends_at(const struct value *text, const struct loc *index)
{
    return index && text->kind == VALUE_ADDRESS && text->count == 1 &&
           index->object->length_of == text->as.loc[0];
}

const struct loc *string_changed(struct flow *f, struct state *s, const struct loc *l,
                                 const struct value *v, struct value *now)
{
    struct characters at;
    int64_t c;
    if (!f->merges || l->field == text_field || !characters_at(l, &at))
        return NULL;
    struct value text = string_cell(f, s, at.array);
    *now = value_any;
    bool is_exact = number_exact(v, &c) && at.array != l;
    if (text.kind == VALUE_ANY || (string_is_zero(&text) && is_exact && !c))
        return NULL;
    if (is_exact && !c && ends_at(&text, l->index))
        return NULL;
    if (is_exact && at.first != ELEMENT_ANY && is_text(&text))
        *now = with_character(f, &text, at.first, c);
    return string_place(f, at.array);
}
