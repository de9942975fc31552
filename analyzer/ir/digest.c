/* Digests of functions, independent of where in the file they are, with everything they refer
 * to: types and the records these contain, globals, declarations of other functions. Lines count
 * from the beginning of the function or global, so that code that only moved has the same
 * digest. Code that is in neither, such as a file included within a body, keeps its line. As in
 * the text form, fields that an op does not use do not count. */
#include "analyzer/ir/private.h"

#include <string.h>

struct ir_digester {
    struct arena *arena;
    const struct ir_unit *unit;
    struct map *types; /* digests by type */
    struct text out;
    const struct span *within; /* of the current function; NULL: of globals */
    int last;                  /* the last global found */
};

struct ir_digester *ir_digester_new(struct arena *a, const struct ir_unit *u)
{
    struct ir_digester *d = arena_one(a, struct ir_digester);
    *d = (struct ir_digester){.arena = a, .unit = u, .types = map_new(a)};
    return d;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* The records that a type contains, in order, and which have been described. */
struct leading {
    struct arena *arena;
    struct map *met;
    LIST(const struct type *) records;
    struct text text;
};

static void lead_to(struct leading *l, const struct type *t)
{
    while (t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY)
        t = t->of;
    if (t->kind == TYPE_FUNCTION) {
        for (int i = 0; i < t->field_count; i++)
            lead_to(l, t->fields[i].type);
        lead_to(l, t->of);
    }
    if (t->kind != TYPE_RECORD || map_get(l->met, (uint64_t)(uintptr_t)t))
        return;
    map_put(l->met, (uint64_t)(uintptr_t)t, l);
    LIST_ADD(l->arena, &l->records, t);
}

static void say_record(struct leading *l, const struct type *t)
{
    text_printf(&l->text, "\n%s %s %d %d", t->name, t->spelled ? t->spelled : "", t->is_union,
                t->field_count);
    for (int i = 0; i < t->field_count; i++) {
        text_printf(&l->text, "\n%s ", t->fields[i].name);
        type_print(t->fields[i].type, &l->text);
        text_printf(&l->text, " %u %s", t->fields[i].flags,
                    t->fields[i].constants ? t->fields[i].constants : "");
        lead_to(l, t->fields[i].type);
    }
}

/* A type is described by its name, and by all records that it contains. */
static struct digest type_digest(struct ir_digester *d, const struct type *t)
{
    struct leading l = {.arena = d->arena, .met = map_new(d->arena)};
    type_print(t, &l.text);
    lead_to(&l, t);
    for (int i = 0; i < l.records.count; i++)
        say_record(&l, l.records.items[i]);
    struct digest all = digest_bytes(l.text.data, l.text.length);
    text_free(&l.text);
    return all;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static void add_number(struct ir_digester *d, int64_t n)
{
    text_add_range(&d->out, (const char *)&n, sizeof n);
}

/* NULL differs from "". */
static void add_text(struct ir_digester *d, const char *s)
{
    size_t length = s ? strlen(s) : 0;
    add_number(d, s ? (int64_t)length : -1);
    if (length)
        text_add_range(&d->out, s, length);
}

static void add_type(struct ir_digester *d, const struct type *t)
{
    add_number(d, t != NULL);
    if (!t)
        return;
    struct digest *known = map_get(d->types, (uint64_t)(uintptr_t)t);
    if (!known) {
        known = arena_one(d->arena, struct digest);
        *known = type_digest(d, t);
        map_put(d->types, (uint64_t)(uintptr_t)t, known);
    }
    text_add_range(&d->out, (const char *)known, sizeof *known);
}

static struct digest finish(struct ir_digester *d)
{
    struct digest all = digest_bytes(d->out.data ? d->out.data : "", d->out.length);
    text_free(&d->out);
    d->out = (struct text){0};
    return all;
}

/* ---- places ---------------------------------------------------------------------------------- */

static bool is_within(const struct span *s, const struct span *of)
{
    return of->line && s->line >= of->line && s->end_line <= of->end_line &&
           (s->file == of->file || (s->file && of->file && !strcmp(s->file, of->file)));
}

/* Spans of one global are consecutive. */
static const struct span *global_around(struct ir_digester *d, const struct span *s)
{
    for (int i = 0; i < d->unit->globals.count; i++) {
        int n = (d->last + i) % d->unit->globals.count;
        if (is_within(s, &d->unit->globals.items[n]->span)) {
            d->last = n;
            return &d->unit->globals.items[n]->span;
        }
    }
    return NULL;
}

static void add_span(struct ir_digester *d, const struct span *s)
{
    const struct span *from = d->within && is_within(s, d->within) ? d->within : NULL;
    if (!d->within && s->line)
        from = global_around(d, s);
    const int all[] = {from != NULL, s->line ? s->line - (from ? from->line : 0) : -1, s->column,
                       s->end_line - s->line, s->end_column};
    text_add_range(&d->out, (const char *)all, sizeof all);
    if (s->line && (!from || !d->within))
        add_text(d, s->file);
}

/* ---- functions ------------------------------------------------------------------------------- */

static void add_args(struct ir_digester *d, const struct ir_inst *i)
{
    add_number(d, i->arg_count);
    if (i->arg_count)
        text_add_range(&d->out, (const char *)i->args, sizeof *i->args * (size_t)i->arg_count);
    for (int k = 0; i->labels && k < i->arg_count; k++)
        add_text(d, i->labels[k]);
}

static void add_cases(struct ir_digester *d, const struct ir_inst *i)
{
    add_number(d, i->case_count);
    for (int k = 0; k < i->case_count; k++) {
        const int64_t all[] = {i->cases[k].low, i->cases[k].high, i->cases[k].block};
        text_add_range(&d->out, (const char *)all, sizeof all);
    }
}

/* One item of the form (private.h); operands are added together. */
static void add_item(struct ir_digester *d, const struct ir_inst *i, char item, int *target)
{
    switch (item) {
    case 'i':
    case 'l':
    case 'p':
    case 'm':
        add_number(d, i->integer);
        break;
    case 'r':
        text_add_range(&d->out, (const char *)&i->real, sizeof i->real);
        break;
    case 's':
    case 'n':
    case 'c':
        add_text(d, i->name);
        break;
    case 'f':
        add_number(d, i->integer);
        add_text(d, i->name);
        break;
    case 'b':
        add_number(d, i->target[(*target)++]);
        break;
    case 'k':
        add_cases(d, i);
        break;
    }
}

static void add_global(struct ir_digester *d, const struct ir_global *g)
{
    const struct span *within = d->within;
    d->within = &g->span;
    add_text(d, g->name);
    add_type(d, g->type);
    add_number(d, g->is_internal | g->is_extern << 1 | g->is_const << 2);
    add_text(d, g->span.line ? g->span.file : NULL);
    add_span(d, &g->span);
    d->within = within;
}

/* What the unit knows of a function or global that is named; its definition may be in another
 * unit. */
static void add_named(struct ir_digester *d, const struct ir_inst *i)
{
    bool calls = (i->op == IR_CALL || i->op == IR_FUNCTION) && i->name;
    const struct ir_function *f = calls ? ir_function_find(d->unit, i->name) : NULL;
    const struct ir_global *g = i->op == IR_GLOBAL ? ir_global_find(d->unit, i->name) : NULL;
    add_number(d, f ? 1 + f->is_internal + 2 * f->has_body + 4 * f->is_partial : 0);
    if (f)
        add_type(d, f->type);
    if (g)
        add_global(d, g);
}

static void add_inst(struct ir_digester *d, const struct ir_function *f, int n)
{
    const struct ir_inst *i = &f->insts.items[n];
    bool arith = i->op == IR_UNARY || i->op == IR_BINARY;
    const int head[] = {n, i->op, arith ? (int)i->arith : -1};
    int target = 0;
    text_add_range(&d->out, (const char *)head, sizeof head);
    add_args(d, i);
    for (const char *item = ir_op_form(i->op); *item; item++)
        add_item(d, i, *item, &target);
    add_type(d, i->type);
    add_named(d, i);
    add_span(d, &i->span);
}

struct digest ir_digest_function(struct ir_digester *d, const struct ir_function *f)
{
    d->within = f->span.line ? &f->span : NULL;
    add_text(d, f->name);
    add_text(d, f->language);
    add_type(d, f->type);
    add_text(d, f->span.line ? f->span.file : NULL);
    add_number(d, f->is_internal | f->is_partial << 1 | f->param_count << 2);
    add_span(d, &f->span);
    add_number(d, f->locals.count);
    for (int i = 0; i < f->locals.count; i++) {
        const struct ir_local *l = &f->locals.items[i];
        add_text(d, l->name);
        add_type(d, l->type);
        add_number(d, l->is_static | l->has_default << 1 | (int)l->mode << 2);
        add_number(d, l->outer);
        add_span(d, &l->span);
    }
    add_number(d, f->blocks.count);
    for (int b = 0; b < f->blocks.count; b++) {
        add_number(d, f->blocks.items[b].count);
        add_number(d, f->blocks.items[b].catch);
        for (int i = 0; i < f->blocks.items[b].count; i++)
            add_inst(d, f, f->blocks.items[b].insts[i]);
    }
    return finish(d);
}

/* ---- globals --------------------------------------------------------------------------------- */

struct digest ir_digest_globals(struct ir_digester *d)
{
    const struct ir_unit *u = d->unit;
    add_text(d, u->file);
    add_number(d, u->globals.count);
    for (int i = 0; i < u->globals.count; i++)
        add_global(d, u->globals.items[i]);
    return finish(d);
}
