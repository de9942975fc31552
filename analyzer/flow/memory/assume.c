/* What-if: places whose tensors are assumed to have a given dtype and device, whatever the
 * program says. 'PLACE=DTYPE[@DEVICE]', where PLACE is a pattern over names of parameters,
 * globals and fields, qualified by the object (m.w1) or by the record's type (model.*). */
#include "analyzer/flow/memory/memory.h"

#include <string.h>

struct assumption {
    const char *pattern;
    struct fact fact;
    bool is_used; /* it applied to something */
};

static bool parse(struct flow *f, const char *text, struct assumption *a, struct error *e)
{
    const char *equals = strrchr(text, '='), *at = equals ? strchr(equals, '@') : NULL;
    if (!equals || equals == text)
        return error_set(e, "'%s' is not an assumption: expected PLACE=DTYPE[@DEVICE]", text);
    size_t length = at ? (size_t)(at - equals - 1) : strlen(equals + 1);
    const char *dtype = arena_text(f->arena, equals + 1, length);
    enum dtype d = dtype_spelled(dtype);
    if (d == DTYPE_NONE && *dtype)
        return error_set(e, "'%s' is not a dtype: expected f16 or float16, bf16, f32, i64 …",
                         dtype);
    enum device device = DEVICE_COUNT;
    uint16_t gpus = 0;
    if (at && !device_parse(at + 1, &device, &gpus))
        return error_set(e, "'%s' is not a device: expected cpu, cuda or cuda:1", at + 1);
    a->pattern = arena_text(f->arena, text, (size_t)(equals - text));
    a->fact = fact_unknown();
    if (d != DTYPE_NONE)
        a->fact.dtypes = DTYPE_BIT(d);
    if (at) {
        a->fact.devices = (uint8_t)(1u << device);
        a->fact.gpus = gpus;
    }
    return true;
}

bool assume_parse(struct flow *f, struct error *e)
{
    f->assumptions = arena_array(f->arena, struct assumption, f->options.assume_count);
    for (int i = 0; i < f->options.assume_count; i++)
        if (!parse(f, f->options.assume[i], &f->assumptions[i], e))
            return false;
    return true;
}

/* "m.layers.w", in every language: without elements and dereferences. */
static void name_by_place(const struct access_path *p, struct text *out)
{
    if (p->of)
        name_by_place(p->of, out);
    if (p->name)
        text_printf(out, "%s%s", p->of ? "." : "", p->name);
}

static bool matches(struct arena *scratch, const struct assumption *a, const struct loc *l)
{
    struct text name = {0}, typed = {0};
    const struct loc *holder = l->parent;
    while (holder && !l->field && holder->parent && !holder->field)
        holder = holder->parent;
    const struct type *t = holder ? loc_type(holder) : NULL;
    name_by_place(path_of_loc(scratch, l), &name);
    text_printf(&typed, "%s.%s", t && t->name ? t->name : "", l->field ? l->field : "");
    bool fits =
        (name.data && glob_matches(a->pattern, name.data)) || glob_matches(a->pattern, typed.data);
    text_free(&name);
    text_free(&typed);
    return fits;
}

/* Looked up once per location; the last assumption that matches wins. */
const struct fact *assumed_at(struct flow *f, const struct loc *l)
{
    struct loc_cache *cache = l->known;
    if (!f->options.assume_count)
        return NULL;
    if (!cache->assumption) {
        cache->assumption = -1;
        for (int i = 0; i < f->options.assume_count; i++)
            if (matches(f->scratch, &f->assumptions[i], l)) {
                cache->assumption = i + 1;
                f->assumptions[i].is_used = true;
            }
    }
    return cache->assumption > 0 ? &f->assumptions[cache->assumption - 1].fact : NULL;
}

const struct fact *assumed_as(struct flow *f, const char *name)
{
    const struct fact *found = NULL;
    for (int i = 0; i < f->options.assume_count; i++)
        if (glob_matches(f->assumptions[i].pattern, name)) {
            f->assumptions[i].is_used = true;
            found = &f->assumptions[i].fact;
        }
    return found;
}

bool flow_assumption_used(const struct flow *f, int i)
{
    bool is_used = f->assumptions[i].is_used;
    for (int k = 0; k < f->members.count; k++)
        is_used |= flow_assumption_used(f->members.items[k], i);
    return is_used;
}
