/* Copies of texts: what calls that copy, cut, join and format texts leave in memory. */
#include "analyzer/flow/memory/string_cell.h"

#include <string.h>

struct value string_formatted(struct flow *f, const struct computation *c, const char *prefix,
                              const char *pattern)
{
    if (c->is_unknown)
        return value_any;
    return string_computed(
        f, c, (struct unknown_text){.limit = INT64_MAX, .prefix = prefix, .pattern = pattern});
}

/* What is at a place that no call copied a text to, as long as nobody writes there. */
static struct value string_there(struct flow *f, struct state *s, const struct value *v)
{
    struct computation c = computation_of(COMPUTATION_COPY, 0, NULL);
    struct unknown_text t = {.limit = INT64_MAX, .prefix = "", .from = v->as.loc[0]};
    computation_add(f, s, &c, v, true);
    if (c.is_unknown || !version_of(f, s, t.from->object, &t.version))
        return value_any;
    return string_computed(f, &c, t);
}

struct value string_copied(struct flow *f, struct state *s, const struct value *pointer)
{
    struct characters at;
    struct value text = string_at(f, s, pointer);
    return text.kind == VALUE_ANY && characters_of(f, pointer, &at) ? string_there(f, s, pointer)
                                                                    : text;
}

/* ---- writing --------------------------------------------------------------------------------- */

void string_write(struct flow *f, struct state *s, const struct value *to, struct value text)
{
    struct characters at;
    if (text.kind != VALUE_ANY && characters_of(f, to, &at))
        memory_write(f, s, string_place(f, at.array), text);
}

struct value string_joined(struct flow *f, const char *x, size_t length, const char *y)
{
    size_t more = strlen(y);
    char *both = arena_alloc(f->scratch, length + more + 1);
    memcpy(both, x, length);
    memcpy(both + length, y, more + 1);
    return string_of(f, both, length + more);
}

struct value string_behind(struct flow *f, struct state *s, const struct value *to,
                           const struct value *text)
{
    struct characters at;
    if (!characters_of(f, to, &at))
        return value_any;
    struct value all = at.first ? string_in(f, s, at.array) : *text;
    const char *before = string_literal(&all), *behind = string_literal(text);
    if (!at.first || !before || !behind || at.first > (int64_t)strlen(before))
        return at.first ? value_any : *text;
    return string_joined(f, before, (size_t)at.first, behind);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Its length, or with one more: its end, too. */
static bool is_length(const struct value *bytes, const struct value *string, bool *has_end)
{
    const struct loc *of = value_is_initial(bytes) ? bytes->test->of->origin : NULL;
    const struct operation *o = of ? of->object->operation : NULL;
    *has_end = o && o->arith == ARITH_ADD && o->x.loc && !o->y.loc && o->y.number == 1;
    of = *has_end ? o->x.loc : of;
    return of && of->object->length_of == string->as.loc[0];
}

struct value string_overlaid(struct flow *f, struct state *s, const struct value *to,
                             const char *text, int64_t count)
{
    struct characters at;
    if (!characters_of(f, to, &at))
        return value_any;
    struct value cell = string_cell(f, s, at.array), before = string_in(f, s, at.array);
    if (string_is_zero(&cell) && !at.first)
        return string_of(f, text, (size_t)count);
    const char *there = string_literal(&before);
    if (!there || at.first + count > (int64_t)strlen(there))
        return value_any;
    char *all = arena_text(f->scratch, there, strlen(there));
    memcpy(all + at.first, text, (size_t)count);
    return string_of(f, all, strlen(all));
}

void string_spell(struct flow *f, struct state *s, const struct value *to, const char *text,
                  int64_t count)
{
    struct characters at;
    bool is_place = characters_of(f, to, &at) && count <= MAX_SPELLED;
    for (int64_t i = 0; i < count && is_place; i++)
        memory_write(f, s, loc_element(f->heap, at.array, at.first + i),
                     value_int((unsigned char)text[i]));
}

/* So many characters of it, without its end. */
static void copy_characters(struct flow *f, struct state *s, const struct value *to,
                            const char *text, int64_t count)
{
    struct value all = string_overlaid(f, s, to, text, count);
    memory_forget_part(f, s, to);
    if (all.kind == VALUE_ANY)
        string_spell(f, s, to, text, count);
    else
        string_write(f, s, to, all);
}

bool string_copy_bytes(struct flow *f, struct state *s, const struct value *to,
                       const struct value *from, const struct value *bytes)
{
    struct characters at;
    struct value string = characters_of(f, to, &at) ? string_copied(f, s, from) : value_any;
    const char *text = string_literal(&string);
    int64_t count;
    bool is_known = number_exact(bytes, &count) && count > 0, has_end = true;
    if (text && is_known && count <= (int64_t)strlen(text)) {
        copy_characters(f, s, to, text, count);
        return true;
    }
    if (text ? !is_known : !string_unknown(&string) || !is_length(bytes, &string, &has_end))
        return false;
    struct value before = text ? value_any : string_cell(f, s, at.array);
    string = string_behind(f, s, to, &string);
    memory_forget_part(f, s, to);
    if (has_end || before.kind == VALUE_ANY) /* a program that copies less writes the end itself */
        string_write(f, s, to, string);
    return true;
}
