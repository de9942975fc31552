/* Findings to bytes and back: everything that reports need. */
#include "frontends/driver/findings/findings.h"
#include "frontends/driver/project/cache.h"

/* ---- findings to bytes ---------------------------------------------------------------------- */

static void put_span(struct text *to, const struct span *s)
{
    record_text(to, s->file);
    record_number(to, s->line);
    record_number(to, s->column);
    record_number(to, s->end_line);
    record_number(to, s->end_column);
}

static void put_origin(struct text *to, const struct origin *o)
{
    record_text(to, o->what);
    put_span(to, &o->span);
    record_text(to, o->source);
    record_text(to, o->when);
    put_span(to, &o->called);
    record_number(to, o->passed);
}

static void put_fix(struct text *to, const struct fix *f)
{
    record_text(to, f->what);
    record_number(to, f->safe);
    record_number(to, f->edits.count);
    for (int i = 0; i < f->edits.count; i++) {
        put_span(to, &f->edits.items[i].span);
        record_text(to, f->edits.items[i].text);
    }
}

static void put_finding(struct text *to, const struct finding *f)
{
    record_text(to, f->code);
    record_number(to, f->severity);
    put_span(to, &f->span);
    record_number(to, f->marks.count);
    for (int i = 0; i < f->marks.count; i++)
        put_span(to, &f->marks.items[i]);
    record_text(to, f->function);
    record_text(to, f->message);
    record_number(to, f->origins.count);
    for (int i = 0; i < f->origins.count; i++)
        put_origin(to, &f->origins.items[i]);
    put_fix(to, &f->fix);
    struct finding_root root = finding_root_of(f);
    record_text(to, root.function);
    put_span(to, &root.span);
    record_number(to, f->past);
    record_text(to, f->line);
    record_number(to, f->occurrence);
    record_number(to, (int64_t)f->identity);
}

void findings_put(struct text *to, const finding_list *l)
{
    record_number(to, l->count);
    for (int i = 0; i < l->count; i++)
        put_finding(to, l->items[i]);
}

/* ---- and back ------------------------------------------------------------------------------- */

struct reading {
    struct checking *c;
    struct record_reader r;
};

static const char *read_text(struct reading *d)
{
    return record_read_text(&d->r, d->c->arena);
}

static const char *read_word(struct reading *d)
{
    return record_read_word(&d->r, d->c->arena);
}

static int read_number(struct reading *d)
{
    return record_read_int(&d->r);
}

/* Files are named by interned names, as in any run. */
static struct span read_span(struct reading *d)
{
    const char *file = read_text(d);
    struct span s = {.file = file ? name_of(d->c->project.names, file) : NULL};
    s.line = read_number(d);
    s.column = read_number(d);
    s.end_line = read_number(d);
    s.end_column = read_number(d);
    d->r.failed |= s.line != 0 && !span_is_good(&s);
    return s;
}

static struct origin read_origin(struct reading *d)
{
    struct origin o = {.what = read_word(d)};
    o.span = read_span(d);
    o.source = read_word(d);
    o.when = read_text(d);
    o.called = read_span(d);
    o.passed = read_number(d);
    return o;
}

static void read_fix(struct reading *d, struct fix *f)
{
    f->what = read_text(d);
    f->safe = read_number(d);
    for (int n = record_read_count(&d->r); n > 0 && !d->r.failed; n--) {
        struct edit e = {.span = read_span(d)};
        e.text = read_word(d);
        d->r.failed |= !e.span.line;
        LIST_ADD(d->c->arena, &f->edits, e);
    }
}

static struct finding *read_finding(struct reading *d)
{
    struct arena *a = d->c->arena;
    struct finding *f = arena_one(a, struct finding);
    const struct rule *rule = rule_find(read_word(d));
    d->r.failed |= !rule;
    f->code = rule ? rule->code : NULL;
    f->rule = rule ? rule->name : NULL;
    f->severity = (enum severity)read_number(d);
    d->r.failed |= (int)f->severity < 0 || f->severity >= SEVERITY_COUNT;
    f->span = read_span(d);
    d->r.failed |= !f->span.file;
    for (int n = record_read_count(&d->r); n > 0 && !d->r.failed; n--)
        LIST_ADD(a, &f->marks, read_span(d));
    f->function = read_word(d);
    f->message = read_word(d);
    for (int n = record_read_count(&d->r); n > 0 && !d->r.failed; n--)
        LIST_ADD(a, &f->origins, read_origin(d));
    read_fix(d, &f->fix);
    f->root.function = read_text(d);
    f->root.span = read_span(d);
    f->past = read_number(d);
    const char *line = read_text(d); /* not stored with the findings of a function */
    f->line = line ? line : "";
    f->occurrence = read_number(d);
    f->identity = (uint64_t)record_read_number(&d->r);
    return f;
}

void findings_read(struct checking *c, struct record_reader *r, finding_list *l)
{
    struct reading all = {c, *r}, *d = &all;
    for (int n = record_read_count(&d->r); n > 0 && !d->r.failed; n--) {
        struct finding *f = read_finding(d);
        LIST_ADD(d->c->arena, l, f);
    }
    *r = d->r;
}
