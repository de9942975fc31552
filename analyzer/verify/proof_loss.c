/* Proof by shadow values: what the runtime saw lost at a line, because next to every tensor it kept
 * the value that it would have without rounding. It counts for a finding about values on that line:
 * of its own call first, else of another one in the same line. */
#include "analyzer/verify/proof.h"

#include <string.h>

/* A loss, as the runtime reports it at the end of a run. */
struct loss {
    const char *op, *dtype, *got, *expected;
    int64_t elements, of, times;
};

static int64_t count_at(const json_t *o, const char *key)
{
    return json_integer_value(json_object_get(o, key));
}

static bool read_loss(const struct event *e, struct loss *l)
{
    if (!json_object_get(e->raw, "loss"))
        return false;
    *l = (struct loss){.op = e->op,
                       .dtype = json_string_value(json_object_get(e->raw, "dtype")),
                       .got = json_string_value(json_object_get(e->raw, "got")),
                       .expected = json_string_value(json_object_get(e->raw, "expected")),
                       .elements = count_at(e->raw, "elements"),
                       .of = count_at(e->raw, "of"),
                       .times = count_at(e->raw, "times")};
    return l->dtype && l->got && l->expected;
}

static bool is_own(const struct judging *j, const struct event *e)
{
    return !j->op || !strcmp(e->op, j->op);
}

/* "[1020]" */
static void add_dims(struct text *out, const json_t *dims)
{
    text_add(out, "[");
    for (size_t i = 0; i < json_array_size(dims); i++)
        text_printf(out, "%s%lld", i ? ", " : "",
                    (long long)json_integer_value(json_array_get(dims, i)));
    text_add(out, "]");
}

/* "got 1024 instead of 1020 here in f16, in element [1020] of [2048]" */
static const char *loss_text(const struct judging *j, const struct event *e, const struct loss *l)
{
    struct text out = {0};
    text_printf(&out, "got %s instead of %s ", l->got, l->expected);
    if (!is_own(j, e))
        text_printf(&out, "from %s ", l->op);
    text_printf(&out, "here in %s", l->dtype);
    if (l->of > 1) {
        text_add(&out, ", in element ");
        add_dims(&out, json_object_get(e->raw, "index"));
        text_add(&out, " of ");
        add_dims(&out, json_object_get(e->raw, "shape"));
    }
    if (l->elements > 1)
        text_printf(&out, "; %lld of %lld elements are wrong", (long long)l->elements,
                    (long long)l->of);
    if (l->times > 1)
        text_printf(&out, "; %lld times", (long long)l->times);
    return text_keep(j->v->arena, &out);
}

bool is_in_dtype_case(const struct finding *f, const char *dtype)
{
    return !f->dtypes || !dtype || f->dtypes >> dtype_named(dtype) & 1;
}

/* A finding about numbers that become infinite is not shown by others that are rounded. */
static bool is_such(const struct judging *j, const struct loss *l)
{
    return !is_about_overflow(j->finding) || strstr(l->got, "inf") || strstr(l->got, "nan");
}

/* The gravest loss comes first. NULL: nothing was lost. */
static const struct event *loss_at(const struct judging *j, bool own, struct loss *l)
{
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        if (read_loss(e, l) && !e->backward && event_is_at(j, e) && is_own(j, e) == own &&
            is_such(j, l) && is_in_dtype_case(j->finding, l->dtype))
            return e;
    }
    return NULL;
}

/* An op of the finding ran, in the case that the finding is about. */
static const struct event *ran_at(const struct judging *j)
{
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        bool ran = *e->op && !e->error && !e->backward && e->raw && e->result.dtype;
        if (ran && event_is_at(j, e) && is_own(j, e) &&
            is_in_dtype_case(j->finding, e->result.dtype))
            return e;
    }
    return NULL;
}

void look_shadowed(const struct judging *j)
{
    struct loss l;
    const struct event *e = loss_at(j, true, &l);
    if (!e)
        e = loss_at(j, false, &l);
    if (e)
        judge_set(j, VERDICT_CONFIRMED, e, loss_text(j, e, &l));
    else if (j->run->shadows && (e = ran_at(j)))
        judge_set(j, VERDICT_NOT_REACHED, e, "lost nothing here with these values");
}
