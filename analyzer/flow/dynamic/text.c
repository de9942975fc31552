/* Methods of texts. Of a text that is known they give what they do; of one of which only the
 * beginning is known, whether it begins so. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

static const char spaces[] = " \t\n\r\v\f";

enum { MOST_PARTS = 128 };

/* A method that is called of a text that is known, with one argument or none. */
struct text_call {
    struct dyn *d;
    const char *text, *with; /* NULL: there is no argument */
    size_t length, other;
    const struct value *argument;
    int most; /* how often it is split */
};

static struct value text_of(const struct text_call *c, const char *from, size_t length)
{
    return string_of(c->d->p->f, from, length);
}

/* ---- questions ------------------------------------------------------------------------------- */

static bool do_startswith(const struct text_call *c, struct value *out)
{
    *out = c->with ? dyn_bool(!strncmp(c->text, c->with, c->other)) : dyn_unknown_bool(c->d);
    return true;
}

static bool do_endswith(const struct text_call *c, struct value *out)
{
    *out = c->with ? dyn_bool(dyn_ends_with(c->text, c->with)) : dyn_unknown_bool(c->d);
    return true;
}

static bool do_isdigit(const struct text_call *c, struct value *out)
{
    *out = dyn_bool(c->length && strspn(c->text, "0123456789") == c->length);
    return true;
}

static const char *last_in(const char *text, const char *with)
{
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, with)); at++)
        found = at;
    return found;
}

static bool do_find(const struct text_call *c, struct value *out)
{
    const char *at = c->with ? strstr(c->text, c->with) : NULL;
    if (c->with)
        *out = value_int(at ? at - c->text : -1);
    return true;
}

static bool do_rfind(const struct text_call *c, struct value *out)
{
    const char *at = c->with && c->other ? last_in(c->text, c->with) : NULL;
    if (c->with && c->other)
        *out = value_int(at ? at - c->text : -1);
    return true;
}

static bool do_index(const struct text_call *c, struct value *out)
{
    return c->with && !strstr(c->text, c->with) ? raise_named(c->d, "ValueError") : do_find(c, out);
}

static bool do_count(const struct text_call *c, struct value *out)
{
    int64_t count = 0;
    if (!c->with || !c->other)
        return true;
    for (const char *at = c->text; (at = strstr(at, c->with)); at += c->other)
        count++;
    *out = value_int(count);
    return true;
}

/* ---- other texts ----------------------------------------------------------------------------- */

static bool strip(const struct text_call *c, bool at_start, bool at_end, struct value *out)
{
    const char *of = c->argument ? c->with : spaces, *from = c->text;
    if (!of)
        return true;
    size_t length = c->length;
    size_t skipped = at_start ? strspn(from, of) : 0;
    from += skipped;
    length -= skipped;
    while (at_end && length && strchr(of, from[length - 1]))
        length--;
    *out = text_of(c, from, length);
    return true;
}

static bool do_strip(const struct text_call *c, struct value *out)
{
    return strip(c, true, true, out);
}

static bool do_lstrip(const struct text_call *c, struct value *out)
{
    return strip(c, true, false, out);
}

static bool do_rstrip(const struct text_call *c, struct value *out)
{
    return strip(c, false, true, out);
}

static bool do_lower(const struct text_call *c, struct value *out)
{
    char *own = arena_text(c->d->p->f->scratch, c->text, c->length);
    for (char *at = own; *at; at++)
        *at = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
    *out = dyn_text(c->d, own);
    return true;
}

static bool do_upper(const struct text_call *c, struct value *out)
{
    char *own = arena_text(c->d->p->f->scratch, c->text, c->length);
    for (char *at = own; *at; at++)
        *at = *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A') : *at;
    *out = dyn_text(c->d, own);
    return true;
}

static bool do_removeprefix(const struct text_call *c, struct value *out)
{
    if (c->with)
        *out = dyn_text(c->d, c->text + (!strncmp(c->text, c->with, c->other) ? c->other : 0));
    return true;
}

static bool do_removesuffix(const struct text_call *c, struct value *out)
{
    if (c->with)
        *out = text_of(c, c->text, c->length - (dyn_ends_with(c->text, c->with) ? c->other : 0));
    return true;
}

static bool do_join(const struct text_call *c, struct value *out)
{
    values_of items = {0};
    struct text all = {0};
    bool is_known = c->argument && container_items(c->d, c->argument, &items);
    for (int i = 0; is_known && i < items.count && all.length <= MOST_TEXT; i++) {
        const char *one = dyn_literal(&items.items[i]);
        is_known = one != NULL;
        text_add(&all, i ? c->text : "");
        text_add(&all, one ? one : "");
    }
    if (is_known)
        *out = dyn_text(c->d, all.data ? all.data : "");
    text_free(&all);
    return true;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void give_parts(const struct text_call *c, const values_of *items, struct value *out)
{
    if (items->count <= MOST_PARTS)
        *out = container_make(c->d, DYNAMIC_LIST, items->items, items->count);
}

/* At spaces, of which there may be several. */
static void split_words(const struct text_call *c, struct value *out)
{
    values_of items = {0};
    const char *text = c->text;
    for (text += strspn(text, spaces); *text; text += strspn(text, spaces)) {
        size_t length = strcspn(text, spaces);
        LIST_ADD(c->d->p->f->scratch, &items, text_of(c, text, length));
        text += length;
    }
    give_parts(c, &items, out);
}

static bool do_split(const struct text_call *c, struct value *out)
{
    values_of items = {0};
    const char *at, *text = c->text;
    if (!c->argument)
        split_words(c, out);
    if (!c->with || !c->other)
        return true;
    while (items.count < MOST_PARTS && items.count != c->most && (at = strstr(text, c->with))) {
        LIST_ADD(c->d->p->f->scratch, &items, text_of(c, text, (size_t)(at - text)));
        text = at + c->other;
    }
    LIST_ADD(c->d->p->f->scratch, &items, dyn_text(c->d, text));
    give_parts(c, &items, out);
    return true;
}

static bool do_rsplit(const struct text_call *c, struct value *out)
{
    const char *at = c->with && c->other ? last_in(c->text, c->with) : NULL;
    if (c->most != 1 || !at)
        return c->most < 0 || (c->with && c->other && !at) ? do_split(c, out) : true;
    struct value parts[] = {text_of(c, c->text, (size_t)(at - c->text)),
                            dyn_text(c->d, at + c->other)};
    *out = container_make(c->d, DYNAMIC_LIST, parts, COUNT(parts));
    return true;
}

/* Before it, it, and behind it; at: NULL, not found. */
static bool give_partition(const struct text_call *c, const char *at, bool is_last,
                           struct value *out)
{
    struct value empty = dyn_text(c->d, ""), all = dyn_text(c->d, c->text);
    struct value parts[] = {is_last ? empty : all, empty, is_last ? all : empty};
    if (!c->with || !c->other)
        return true;
    if (at) {
        parts[0] = text_of(c, c->text, (size_t)(at - c->text));
        parts[1] = dyn_text(c->d, c->with);
        parts[2] = dyn_text(c->d, at + c->other);
    }
    *out = container_make(c->d, DYNAMIC_TUPLE, parts, COUNT(parts));
    return true;
}

static bool do_partition(const struct text_call *c, struct value *out)
{
    return give_partition(c, c->with ? strstr(c->text, c->with) : NULL, false, out);
}

static bool do_rpartition(const struct text_call *c, struct value *out)
{
    return give_partition(c, c->with && c->other ? last_in(c->text, c->with) : NULL, true, out);
}

/* ---- all ------------------------------------------------------------------------------------- */

static const struct text_method {
    const char *name;
    bool (*run)(const struct text_call *c, struct value *out);
    bool is_question; /* it is true or false */
} methods[] = {
    {"casefold", do_lower, false},
    {"count", do_count, false},
    {"endswith", do_endswith, true},
    {"find", do_find, false},
    {"index", do_index, false},
    {"isdigit", do_isdigit, true},
    {"join", do_join, false},
    {"lower", do_lower, false},
    {"lstrip", do_lstrip, false},
    {"partition", do_partition, false},
    {"removeprefix", do_removeprefix, false},
    {"removesuffix", do_removesuffix, false},
    {"rfind", do_rfind, false},
    {"rpartition", do_rpartition, false},
    {"rsplit", do_rsplit, false},
    {"rstrip", do_rstrip, false},
    {"split", do_split, false},
    {"startswith", do_startswith, true},
    {"strip", do_strip, false},
    {"upper", do_upper, false},
};

static struct value replace(const struct text_call *c, const struct value *by)
{
    struct text all = {0};
    const char *text = c->text, *at, *with = dyn_literal(by);
    if (!c->with || !c->other || !with)
        return value_any;
    while (all.length <= MOST_TEXT && (at = strstr(text, c->with))) {
        text_add_range(&all, text, (size_t)(at - text));
        text_add(&all, with);
        text = at + c->other;
    }
    text_add(&all, text);
    struct value v = dyn_text(c->d, all.data);
    text_free(&all);
    return v;
}

/* Whether a text of which the beginning is known begins so. */
static struct value begins(struct dyn *d, const char *beginning, const char *with)
{
    size_t known = strlen(beginning), other = strlen(with);
    size_t least = known < other ? known : other;
    bool is_same = !strncmp(beginning, with, least);
    return !is_same || known >= other ? dyn_bool(is_same) : dyn_unknown_bool(d);
}

static struct value of_unknown(struct dyn *d, const struct value *of, const struct text_method *m,
                               const struct text_call *c)
{
    if (c->with && dyn_beginning(of) && m->run == do_startswith)
        return begins(d, dyn_beginning(of), c->with);
    return m->is_question ? dyn_unknown_bool(d) : value_any;
}

bool text_method(struct dyn *d, const struct value *of, const char *name, const struct arguments *a,
                 struct value *out)
{
    const char *text = dyn_literal(of);
    struct text_call c = {.d = d,
                          .text = text,
                          .length = text ? strlen(text) : 0,
                          .argument = a->count ? &a->values[0] : NULL,
                          .most = -1};
    const struct text_method *m = NULL;
    int64_t most;
    c.with = c.argument ? dyn_literal(c.argument) : NULL;
    c.other = c.with ? strlen(c.with) : 0;
    *out = value_any;
    if (dyn_is(of, DYNAMIC_OUTSIDE)) {
        *out = outside_method(d, of, name, a);
        return true;
    }
    if (text && !strcmp(name, "replace") && a->count == 2)
        *out = replace(&c, &a->values[1]);
    for (int i = 0; i < COUNT(methods) && !m; i++)
        m = !strcmp(methods[i].name, name) ? &methods[i] : NULL;
    if (!m)
        return true;
    bool is_split = m->run == do_split || m->run == do_rsplit;
    if (is_split && a->count == 2 && number_exact(&a->values[1], &most) && most >= 0)
        c.most = most < MOST_PARTS ? (int)most : MOST_PARTS;
    else if (a->count > 1 || a->has_more) /* from a place on, or in parts that are not known */
        text = NULL;
    if (!text) {
        *out = of_unknown(d, of, m, &c);
        return true;
    }
    return m->run(&c, out);
}
