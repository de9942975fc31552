/* Units of dynamic languages as words, for those that are built into the program: they are made
 * again without parsing anything. The words are trusted; whoever writes them reads them again. */
#include "analyzer/ir/private.h"

#include <string.h>

/* Of the word that an instruction begins with: what follows it. */
enum {
    HAS_INTEGER = 1 << 16,
    HAS_REAL = 1 << 17,
    HAS_NAME = 1 << 18,
    HAS_LABELS = 1 << 19,
    HAS_CASES = 1 << 20,
    HAS_TARGETS = 1 << 21
};
/* Of a function or a local. */
enum { IS_INTERNAL = 1, IS_PARTIAL = 2, HAS_BODY = 4 };
enum { IS_STATIC = 1, HAS_DEFAULT = 2 };
/* A place is its line and column, and how far behind them it ends. */
enum { COLUMN_BITS = 10, LINE_BITS = 32 - COLUMN_BITS };

/* ---- writing --------------------------------------------------------------------------------- */

struct writing {
    const struct ir_unit *unit;
    struct arena *arena;
    struct ir_words *out;
    struct map *texts; /* by address: their index in the unit's table, plus one */
    struct map *types; /* the same */
    LIST(const struct type *) all_types;
    bool fails;
};

static void put(struct writing *w, uint32_t word)
{
    LIST_ADD(w->arena, &w->out->words, word);
}

static void put_number(struct writing *w, int n)
{
    put(w, (uint32_t)n);
}

static void put_long(struct writing *w, uint64_t bits)
{
    put(w, (uint32_t)bits);
    put(w, (uint32_t)(bits >> 32));
}

/* NULL is 0. Names are interned, so that one text has one address. */
static void put_text(struct writing *w, const char *text)
{
    uint64_t key = (uint64_t)(uintptr_t)text;
    uintptr_t index = text ? (uintptr_t)map_get(w->texts, key) : 0;
    if (text && !index) {
        LIST_ADD(w->arena, &w->out->texts, text);
        index = (uintptr_t)w->out->texts.count;
        map_put(w->texts, key, (void *)index);
    }
    put(w, (uint32_t)index);
}

static bool is_simple(const struct type *t)
{
    return t->kind == TYPE_VOID || t->kind == TYPE_BOOL || t->kind == TYPE_DYN ||
           t->kind == TYPE_UNKNOWN;
}

/* The index of a type, plus one; those that it is made of come before it. */
static uint32_t type_index(struct writing *w, const struct type *t)
{
    uint64_t key = (uint64_t)(uintptr_t)t;
    uintptr_t known = t ? (uintptr_t)map_get(w->types, key) : 0;
    if (!t || known)
        return (uint32_t)known;
    if (t->kind == TYPE_FUNCTION) {
        type_index(w, t->of);
        for (int i = 0; i < t->field_count; i++)
            type_index(w, t->fields[i].type);
    }
    w->fails |= t->kind != TYPE_FUNCTION && !is_simple(t);
    LIST_ADD(w->arena, &w->all_types, t);
    map_put(w->types, key, (void *)(uintptr_t)w->all_types.count);
    return (uint32_t)w->all_types.count;
}

static void put_type(struct writing *w, const struct type *t)
{
    put(w, type_index(w, t));
}

static void put_types(struct writing *w)
{
    put_number(w, w->all_types.count);
    for (int i = 0; i < w->all_types.count; i++) {
        const struct type *t = w->all_types.items[i];
        put_number(w, (int)t->kind);
        if (t->kind != TYPE_FUNCTION)
            continue;
        put(w, t->variadic);
        put_type(w, t->of);
        put_number(w, t->field_count);
        for (int k = 0; k < t->field_count; k++)
            put_type(w, t->fields[k].type);
    }
}

/* All of a unit is in its file. */
static void put_span(struct writing *w, const struct span *s)
{
    int lines = s->end_line - s->line;
    w->fails |= s->file && s->file != w->unit->file;
    w->fails |= s->line < 0 || s->line >> LINE_BITS || s->column < 0 || s->column >> COLUMN_BITS;
    w->fails |=
        lines < 0 || lines >> LINE_BITS || s->end_column < 0 || s->end_column >> COLUMN_BITS;
    w->fails |= !s->file && (s->line || s->column || lines || s->end_column);
    put(w, (uint32_t)s->line << COLUMN_BITS | (uint32_t)s->column);
    put(w, (uint32_t)lines << COLUMN_BITS | (uint32_t)s->end_column);
}

static void put_inst(struct writing *w, const struct ir_inst *i)
{
    uint64_t real;
    memcpy(&real, &i->real, sizeof real);
    bool has_targets = i->target[0] || i->target[1];
    put(w, (uint32_t)i->op | (uint32_t)i->arith << 8 | (i->integer ? HAS_INTEGER : 0u) |
               (real ? HAS_REAL : 0u) | (i->name ? HAS_NAME : 0u) | (i->labels ? HAS_LABELS : 0u) |
               (i->case_count ? HAS_CASES : 0u) | (has_targets ? HAS_TARGETS : 0u));
    put_type(w, i->type);
    put_span(w, &i->span);
    put_number(w, i->arg_count);
    for (int k = 0; k < i->arg_count; k++)
        put_number(w, i->args[k]);
    for (int k = 0; i->labels && k < i->arg_count; k++)
        put_text(w, i->labels[k]);
    if (i->integer)
        put_long(w, (uint64_t)i->integer);
    if (real)
        put_long(w, real);
    if (i->name)
        put_text(w, i->name);
    if (i->case_count)
        put_number(w, i->case_count);
    for (int k = 0; k < i->case_count; k++) {
        put_long(w, (uint64_t)i->cases[k].low);
        put_long(w, (uint64_t)i->cases[k].high);
        put_number(w, i->cases[k].block);
    }
    for (int k = 0; has_targets && k < 2; k++)
        put_number(w, i->target[k]);
}

static void put_local(struct writing *w, const struct ir_local *l)
{
    put_text(w, l->name);
    put_type(w, l->type);
    put_span(w, &l->span);
    put(w, (l->is_static ? IS_STATIC : 0u) | (l->has_default ? HAS_DEFAULT : 0u));
    put_number(w, (int)l->mode);
    put_number(w, l->outer);
}

static void put_function(struct writing *w, const struct ir_function *f)
{
    put_text(w, f->name);
    put_type(w, f->type);
    put_span(w, &f->span);
    put(w, (f->is_internal ? IS_INTERNAL : 0u) | (f->is_partial ? IS_PARTIAL : 0u) |
               (f->has_body ? HAS_BODY : 0u));
    put_number(w, f->param_count);
    put_number(w, f->locals.count);
    for (int i = 0; i < f->locals.count; i++)
        put_local(w, &f->locals.items[i]);
    put_number(w, f->insts.count);
    for (int i = 1; i < f->insts.count; i++)
        put_inst(w, &f->insts.items[i]);
    put_number(w, f->blocks.count);
    for (int i = 0; i < f->blocks.count; i++) {
        const struct ir_block *b = &f->blocks.items[i];
        put_number(w, b->catch);
        put_number(w, b->count);
        for (int k = 0; k < b->count; k++)
            put_number(w, b->insts[k]);
    }
}

/* In the order in which it is read: the types are known once all else is written. */
bool ir_to_words(struct arena *a, const struct ir_unit *u, struct ir_words *out)
{
    struct ir_words body = {.texts = {0}}, head = {.texts = {0}};
    struct writing w = {
        .unit = u, .arena = a, .out = &body, .texts = map_new(a), .types = map_new(a)};
    put_text(&w, u->language);
    put(&w, u->is_dynamic);
    put_number(&w, u->functions.count);
    for (int i = 0; i < u->functions.count; i++)
        put_function(&w, u->functions.items[i]);
    w.out = &head;
    put_types(&w);
    for (int i = 0; i < body.words.count; i++)
        put(&w, body.words.items[i]);
    *out = (struct ir_words){.texts = body.texts, .words = head.words};
    return !w.fails && !u->records.count && !u->globals.count && !u->notes.count && !u->errors;
}

/* ---- reading --------------------------------------------------------------------------------- */

struct reading {
    struct ir_unit *unit;
    const uint32_t *at;
    const char **texts; /* interned; [0] is NULL, as are types[0] */
    const struct type **types;
};

static int get_number(struct reading *r)
{
    return (int)*r->at++;
}

static uint64_t get_long(struct reading *r)
{
    uint64_t low = *r->at++, high = *r->at++;
    return low | high << 32;
}

static const char *get_text(struct reading *r)
{
    return r->texts[*r->at++];
}

static const struct type *get_type(struct reading *r)
{
    return r->types[*r->at++];
}

static const struct type *get_function_type(struct reading *r)
{
    bool is_variadic = get_number(r);
    const struct type *of = get_type(r);
    int count = get_number(r);
    struct field *fields = arena_array(r->unit->arena, struct field, count);
    for (int i = 0; i < count; i++)
        fields[i] = (struct field){.name = "", .type = get_type(r)};
    return type_function(r->unit, of, fields, count, is_variadic);
}

static void get_types(struct reading *r)
{
    int count = get_number(r);
    r->types = arena_array(r->unit->arena, const struct type *, count + 1);
    for (int i = 1; i <= count; i++) {
        enum type_kind kind = (enum type_kind)get_number(r);
        r->types[i] = kind == TYPE_FUNCTION ? get_function_type(r) : type_simple(r->unit, kind);
    }
}

static struct span get_span(struct reading *r)
{
    uint32_t begin = *r->at++, end = *r->at++, mask = (1u << COLUMN_BITS) - 1;
    int line = (int)(begin >> COLUMN_BITS);
    return (struct span){.file = begin || end ? r->unit->file : NULL,
                         .line = line,
                         .column = (int)(begin & mask),
                         .end_line = line + (int)(end >> COLUMN_BITS),
                         .end_column = (int)(end & mask)};
}

static struct ir_case *get_cases(struct reading *r, int count)
{
    struct ir_case *all = arena_array(r->unit->arena, struct ir_case, count);
    for (int k = 0; k < count; k++) {
        all[k].low = (int64_t)get_long(r);
        all[k].high = (int64_t)get_long(r);
        all[k].block = get_number(r);
    }
    return all;
}

static void get_inst(struct reading *r, struct ir_inst *i)
{
    uint32_t has = *r->at++;
    *i =
        (struct ir_inst){.op = (enum ir_op)(has & 0xff), .arith = (enum ir_arith)(has >> 8 & 0xff)};
    i->type = get_type(r);
    i->span = get_span(r);
    i->arg_count = get_number(r);
    if (i->arg_count)
        i->args = arena_copy(r->unit->arena, r->at, sizeof *i->args * (size_t)i->arg_count);
    r->at += i->arg_count;
    if (has & HAS_LABELS)
        i->labels = arena_array(r->unit->arena, const char *, i->arg_count);
    for (int k = 0; i->labels && k < i->arg_count; k++)
        i->labels[k] = get_text(r);
    if (has & HAS_INTEGER)
        i->integer = (int64_t)get_long(r);
    if (has & HAS_REAL) {
        uint64_t bits = get_long(r);
        memcpy(&i->real, &bits, sizeof bits);
    }
    i->name = has & HAS_NAME ? get_text(r) : NULL;
    i->case_count = has & HAS_CASES ? get_number(r) : 0;
    i->cases = i->case_count ? get_cases(r, i->case_count) : NULL;
    for (int k = 0; has & HAS_TARGETS && k < 2; k++)
        i->target[k] = get_number(r);
}

static struct ir_local get_local(struct reading *r)
{
    struct ir_local l = {.name = get_text(r)};
    l.type = get_type(r);
    l.span = get_span(r);
    int flags = get_number(r);
    l.is_static = flags & IS_STATIC;
    l.has_default = flags & HAS_DEFAULT;
    l.mode = (enum ir_mode)get_number(r);
    l.outer = get_number(r);
    return l;
}

/* An empty list with room for so many. */
#define MAKE_ROOM(arena, list, n)                                                                  \
    ((list)->items = arena_alloc(arena, sizeof *(list)->items * (size_t)(n)), (list)->room = (n))

static void get_body(struct reading *r, struct ir_function *f)
{
    struct ir_unit *u = r->unit;
    f->locals.count = get_number(r);
    MAKE_ROOM(u->arena, &f->locals, f->locals.count);
    for (int i = 0; i < f->locals.count; i++)
        f->locals.items[i] = get_local(r);
    f->insts.count = get_number(r);
    MAKE_ROOM(u->code, &f->insts, f->insts.count);
    for (int i = 1; i < f->insts.count; i++)
        get_inst(r, &f->insts.items[i]);
    f->blocks.count = get_number(r);
    MAKE_ROOM(u->arena, &f->blocks, f->blocks.count);
    for (int i = 0; i < f->blocks.count; i++) {
        struct ir_block *b = &f->blocks.items[i];
        b->catch = get_number(r);
        b->count = b->room = get_number(r);
        b->insts = arena_copy(u->arena, r->at, sizeof *b->insts * (size_t)b->count);
        r->at += b->count;
    }
}

/* The first is there already. */
static void get_function(struct reading *r, int index)
{
    const char *name = get_text(r);
    const struct type *type = get_type(r);
    struct ir_function *f =
        index ? ir_function_new(r->unit, name, type) : r->unit->functions.items[0];
    f->type = type;
    f->span = get_span(r);
    int flags = get_number(r);
    f->is_internal = flags & IS_INTERNAL;
    f->is_partial = flags & IS_PARTIAL;
    f->has_body = flags & HAS_BODY;
    f->param_count = get_number(r);
    get_body(r, f);
}

struct ir_unit *ir_from_words(const uint32_t *words, const char *texts, int text_count,
                              const char *file)
{
    struct ir_unit *u = ir_unit_new(file);
    struct reading r = {.unit = u, .at = words};
    r.texts = arena_array(u->arena, const char *, text_count + 1);
    for (int i = 1; i <= text_count; i++, texts += strlen(texts) + 1)
        r.texts[i] = name_of(u->names, texts);
    get_types(&r);
    ir_unit_set_language(u, get_text(&r));
    u->is_dynamic = get_number(&r);
    int count = get_number(&r);
    for (int i = 0; i < count; i++)
        get_function(&r, i);
    return u;
}
