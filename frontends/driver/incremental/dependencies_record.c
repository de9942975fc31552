/* Parts to bytes and back. Parts are identified by their index in the program. */
#include "frontends/driver/incremental/dependencies.h"

enum { FORMAT = 9 };

static void put_ids(struct text *to, const id_list *l)
{
    record_number(to, l->count);
    for (int i = 0; i < l->count; i++)
        text_add_range(to, (const char *)&l->items[i], sizeof l->items[i]);
}

static void put_missing(struct text *to, const missing_list *l)
{
    record_number(to, l->count);
    for (int i = 0; i < l->count; i++) {
        record_text(to, l->items[i].name);
        record_number(to, l->items[i].count);
    }
}

void counts_put(struct text *to, const struct flow_counts *c)
{
    const int all[] = {c->functions,        c->functions_analysed, c->roots,  c->calls,
                       c->calls_unmodelled, c->anything,           c->budgets};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        record_number(to, all[i]);
    for (int i = 0; i < FLOW_LIMIT_COUNT; i++)
        record_number(to, c->limits[i]);
    for (int i = 0; i < FLOW_ASSUMED_COUNT; i++)
        record_number(to, c->assumed[i]);
    record_number(to, c->dropped);
    put_missing(to, &c->missing);
    record_text(to, c->cut.file);
    record_number(to, c->cut.line);
    record_number(to, c->cut.column);
}

/* file: the default, which most have. */
void anchors_put(struct text *to, const anchor_list *l, const char *file)
{
    record_number(to, l->count);
    for (int i = 0; i < l->count; i++) {
        const struct anchor *at = &l->items[i];
        record_number(to, at->line);
        record_number(to, at->end_line - at->line);
        record_text(to, at->line && strcmp(at->file, file) ? at->file : NULL);
        record_number(to, (int64_t)at->named);
    }
}

static void put_part(struct text *to, const struct part *p)
{
    record_text(to, p->name);
    record_digest(to, p->digest);
    record_number(to, p->symbol.is_internal | p->symbol.acts << 1 | p->asks_moves << 2 |
                          p->asks_records << 3 | p->is_root << 4 | p->graded_unknown << 5);
    put_ids(to, &p->symbol.calls);
    put_ids(to, &p->symbol.packed);
    put_ids(to, &p->symbol.pointed);
    put_ids(to, &p->symbol.globals);
    put_ids(to, &p->symbol.own_globals);
    put_ids(to, &p->touched);
    put_ids(to, &p->moved);
    record_bytes(to, p->found, p->found_length);
    put_missing(to, &p->missing);
    record_number(to, p->dropped);
    if (p->is_root) {
        record_digest(to, p->key);
        counts_put(to, p->counts);
    }
}

static void put_entries(struct text *to, const struct part *p)
{
    record_number(to, p->entries.count);
    for (int i = 0; i < p->entries.count; i++) {
        const struct entry *e = &p->entries.items[i];
        record_number(to, (int64_t)e->root->order << 1 | e->effective);
        record_digest(to, e->gave);
    }
}

void program_print(const struct program *g, struct text *out)
{
    record_number(out, FORMAT);
    record_number(out, g->units.count);
    for (int u = 0; u < g->units.count; u++) {
        const struct part_unit *unit = &g->units.items[u];
        record_text(out, unit->file);
        record_digest(out, unit->digest);
        anchors_put(out, &unit->anchors, unit->file);
        record_number(out, unit->errors);
        record_number(out, unit->notes);
        record_text(out, unit->first_error);
        record_number(out, unit->parts.count);
        for (int i = 0; i < unit->parts.count; i++)
            put_part(out, unit->parts.items[i]);
    }
    for (int i = 0; i < g->all.count; i++)
        put_entries(out, g->all.items[i]);
}

/* ---- and back ------------------------------------------------------------------------------- */

struct reader {
    struct program *program;
    struct record_reader r;
};

static void read_ids(struct reader *d, id_list *l)
{
    int count = record_read_count(&d->r);
    size_t size = sizeof *l->items * (size_t)count;
    d->r.failed |= (size_t)(d->r.end - d->r.at) < size;
    if (d->r.failed || !count)
        return;
    l->items = arena_array(d->program->arena, uint64_t, count);
    memcpy(l->items, d->r.at, size);
    l->count = l->room = count;
    d->r.at += size;
}

static void read_missing(struct record_reader *r, struct arena *a, missing_list *l)
{
    for (int n = record_read_count(r); n > 0 && !r->failed; n--) {
        struct missing_call m = {.name = record_read_word(r, a)};
        m.count = record_read_int(r);
        LIST_ADD(a, l, m);
    }
}

void counts_read(struct record_reader *r, struct arena *a, struct flow_counts *c)
{
    int *const all[] = {&c->functions,        &c->functions_analysed, &c->roots,  &c->calls,
                        &c->calls_unmodelled, &c->anything,           &c->budgets};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = record_read_int(r);
    for (int i = 0; i < FLOW_LIMIT_COUNT; i++)
        c->limits[i] = record_read_int(r);
    for (int i = 0; i < FLOW_ASSUMED_COUNT; i++)
        c->assumed[i] = record_read_int(r);
    c->dropped = record_read_int(r);
    read_missing(r, a, &c->missing);
    c->cut.file = record_read_text(r, a);
    c->cut.line = record_read_int(r);
    c->cut.column = record_read_int(r);
}

bool anchors_read(struct record_reader *r, struct arena *a, anchor_list *l, const char *file)
{
    for (int n = record_read_count(r); n > 0 && !r->failed; n--) {
        struct anchor at = {.line = record_read_int(r)};
        int64_t end = (int64_t)at.line + record_read_int(r);
        r->failed |= at.line < 0 || end < at.line || end > INT32_MAX;
        at.end_line = r->failed ? 0 : (int)end;
        at.file = record_read_text(r, a);
        at.file = at.file ? at.file : file;
        at.named = (uint64_t)record_read_number(r);
        LIST_ADD(a, l, at);
    }
    return !r->failed;
}

static void read_found(struct reader *d, struct part *p)
{
    int count = record_read_count(&d->r);
    p->found = d->r.at; /* the bytes stay */
    p->found_length = (size_t)count;
    d->r.at += count;
}

static void read_root(struct reader *d, struct part *p)
{
    struct flow_counts *counts = arena_one(d->program->arena, struct flow_counts);
    p->key = record_read_digest(&d->r);
    counts_read(&d->r, d->program->arena, counts);
    p->counts = counts;
}

static struct part *read_part(struct reader *d, uint64_t file)
{
    struct part *p = arena_one(d->program->arena, struct part);
    p->name = record_read_word(&d->r, d->program->arena);
    if (d->r.failed)
        return p;
    symbol_name(&p->symbol, p->name);
    p->id = part_id(file, p->name);
    p->digest = record_read_digest(&d->r);
    int64_t flags = record_read_number(&d->r);
    p->symbol.is_internal = flags & 1;
    p->symbol.acts = flags >> 1 & 1;
    p->asks_moves = flags >> 2 & 1;
    p->asks_records = flags >> 3 & 1;
    p->is_root = flags >> 4 & 1;
    p->graded_unknown = flags >> 5 & 1;
    read_ids(d, &p->symbol.calls);
    read_ids(d, &p->symbol.packed);
    read_ids(d, &p->symbol.pointed);
    read_ids(d, &p->symbol.globals);
    read_ids(d, &p->symbol.own_globals);
    read_ids(d, &p->touched);
    read_ids(d, &p->moved);
    read_found(d, p);
    read_missing(&d->r, d->program->arena, &p->missing);
    p->dropped = record_read_int(&d->r);
    if (p->is_root)
        read_root(d, p);
    return p;
}

static void read_unit(struct reader *d, struct part_unit *u)
{
    struct arena *a = d->program->arena;
    u->file = record_read_word(&d->r, a);
    u->digest = record_read_digest(&d->r);
    anchors_read(&d->r, a, &u->anchors, u->file);
    u->errors = record_read_int(&d->r);
    u->notes = record_read_int(&d->r);
    u->first_error = record_read_text(&d->r, a);
    uint64_t file = name_id(u->file);
    for (int n = record_read_count(&d->r); n > 0 && !d->r.failed; n--) {
        struct part *p = read_part(d, file);
        d->r.failed |= u->parts.count >= u->anchors.count;
        if (d->r.failed)
            return;
        p->at = u->anchors.items[u->parts.count];
        p->order = d->program->all.count;
        LIST_ADD(a, &u->parts, p);
        LIST_ADD(a, &d->program->all, p);
    }
}

static void read_entries(struct reader *d, struct part *p)
{
    struct arena *a = d->program->arena;
    for (int n = record_read_count(&d->r); n > 0 && !d->r.failed; n--) {
        int64_t who = record_read_number(&d->r);
        struct entry e = {.gave = record_read_digest(&d->r), .effective = who & 1};
        bool fits = who >= 0 && who >> 1 < d->program->all.count;
        d->r.failed |= !fits;
        if (!fits)
            return;
        e.root = d->program->all.items[who >> 1];
        LIST_ADD(a, &p->entries, e);
    }
}

struct program *program_read(struct arena *a, const char *data, size_t length)
{
    struct reader d = {arena_one(a, struct program), record_open(data, length)};
    d.program->arena = a;
    d.r.failed |= record_read_number(&d.r) != FORMAT;
    for (int n = record_read_count(&d.r); n > 0 && !d.r.failed; n--) {
        struct part_unit u = {0};
        read_unit(&d, &u);
        LIST_ADD(a, &d.program->units, u);
    }
    d.program->by_id = map_new_for(a, d.program->all.count);
    for (int i = 0; i < d.program->all.count && !d.r.failed; i++) {
        map_put(d.program->by_id, d.program->all.items[i]->id, d.program->all.items[i]);
        read_entries(&d, d.program->all.items[i]);
    }
    return record_ended(&d.r) ? d.program : NULL;
}
