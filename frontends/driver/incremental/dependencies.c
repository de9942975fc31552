/* Units to parts, and parts to a program, linked by what links units in flow; and of every part a
 * key of all that it can reach. */
#include "frontends/driver/incremental/dependencies.h"

#include <stdlib.h>
#include <string.h>

/* ---- pieces --------------------------------------------------------------------------------- */

void pieces_find(struct arena *a, struct input *in)
{
    struct arena *scratch = arena_new();
    struct ir_digester *d = ir_digester_new(scratch, in->unit);
    in->pieces.count = 0;
    for (int i = 0; i < in->unit->functions.count; i++)
        if (in->unit->functions.items[i]->has_body)
            LIST_ADD(a, &in->pieces, ir_digest_function(d, in->unit->functions.items[i]));
    in->around = ir_digest_globals(d);
    arena_free(scratch);
}

/* ---- a unit --------------------------------------------------------------------------------- */

struct maker {
    struct program *program;
    struct project *project;
    const struct ir_unit *unit;
    struct text text; /* the input of a part's digest */
    struct arena *scratch;
    struct map *seen; /* lines that are in it, by where they are: which they were; NULL: none yet */
    uintptr_t seen_count;
    const char *file; /* the last file that was used, and */
    const struct source *source;
    bool failed;
};

/* Once per file: headers are in many units. */
static bool is_as_read(struct maker *m, const char *file)
{
    struct program *g = m->program;
    const char *path = project_real(m->project, file);
    struct digest now;
    if (!g->read)
        g->read = map_new(g->arena);
    if (map_get(g->read, (uint64_t)(uintptr_t)path))
        return true;
    map_put(g->read, (uint64_t)(uintptr_t)path, g);
    return store_file(m->project->cache->store, path, &now) &&
           digest_same(now, digest_bytes(m->source->text, m->source->length));
}

/* Rules quote the source. It must still have the contents that the unit was made from. */
static const struct source *source_of(struct maker *m, const char *file)
{
    if (m->file == file)
        return m->source;
    m->file = file;
    m->source = project_source(m->project, file);
    m->failed |= !m->source || !is_as_read(m, file);
    return m->source;
}

/* A table of thousands of values can be one line: its text is added once, and then referred to. */
static bool is_repeated(struct maker *m, const struct span *s)
{
    const uint64_t place[] = {(uintptr_t)s->file, (uint64_t)s->line, (uint64_t)s->end_line};
    uint64_t key = hash_bytes(place, sizeof place, 0);
    if (!m->seen)
        m->seen = map_new(m->scratch);
    uintptr_t which = (uintptr_t)map_get(m->seen, key);
    if (which)
        record_number(&m->text, -1 - (int64_t)which);
    else
        map_put(m->seen, key, (void *)++m->seen_count);
    return which;
}

static void add_lines(struct maker *m, const struct span *s, const struct span *but)
{
    bool within =
        but && s->file == but->file && s->line >= but->line && s->end_line <= but->end_line;
    const struct source *source = s->line && !within ? source_of(m, s->file) : NULL;
    if (!source || (but && is_repeated(m, s)))
        return;
    size_t from = source_offset(source, s->line, 1), to = source_offset(source, s->end_line + 1, 1);
    record_bytes(&m->text, source->text + from, to - from);
}

void parts_refer(struct program *g, const struct project *p, const struct ir_unit *unit,
                 const struct part_unit *u)
{
    for (int i = 0; i < u->parts.count; i++) {
        struct part *to = u->parts.items[i];
        symbol_read(g->arena, &to->symbol, unit, ir_function_find(unit, to->name), p->packs);
    }
}

/* The lines of the instruction, and those of the global it refers to. */
static void add_inst_lines(struct maker *m, const struct ir_function *f, const struct ir_inst *i)
{
    const struct ir_global *g = i->op == IR_GLOBAL ? ir_global_find(m->unit, i->name) : NULL;
    add_lines(m, &i->span, &f->span);
    if (g)
        add_lines(m, &g->span, &f->span);
}

static struct part *part_new(struct maker *m, const struct input *in, const struct ir_function *f,
                             int piece)
{
    struct part *to = arena_one(m->program->arena, struct part);
    to->name = arena_printf(m->program->arena, "%s", f->name);
    symbol_name(&to->symbol, f->name);
    to->id = part_id(name_id(in->file), f->name);
    to->at = (struct anchor){f->span.file, f->span.line, f->span.end_line, 0};
    to->symbol.is_internal = f->is_internal;
    m->text = (struct text){0};
    m->seen = NULL;
    m->seen_count = 0;
    record_text(&m->text, in->file);
    record_digest(&m->text, in->pieces.items[piece]);
    add_lines(m, &f->span, NULL);
    for (int k = 0; k < f->locals.count; k++)
        add_lines(m, &f->locals.items[k].span, &f->span);
    for (int n = 1; n < f->insts.count; n++)
        add_inst_lines(m, f, &f->insts.items[n]);
    to->digest = record_key(&m->text);
    return to;
}

bool parts_of_unit(struct program *g, struct project *p, struct input *in, struct part_unit *out)
{
    struct maker m = {.program = g, .project = p, .unit = in->unit, .scratch = arena_new()};
    struct text all = {0};
    int piece = 0;
    *out = (struct part_unit){
        .file = in->file, .errors = in->errors, .notes = in->notes, .first_error = in->first_error};
    for (int i = 0; i < in->unit->functions.count; i++) {
        const struct ir_function *f = in->unit->functions.items[i];
        if (!f->has_body)
            continue;
        if (piece == in->pieces.count) {
            m.failed = true;
            break;
        }
        struct part *to = part_new(&m, in, f, piece++);
        record_text(&all, to->name);
        record_digest(&all, to->digest);
        LIST_ADD(g->arena, &out->parts, to);
        LIST_ADD(g->arena, &out->anchors, to->at);
    }
    for (int i = 0; i < in->unit->globals.count; i++) {
        const struct ir_global *global = in->unit->globals.items[i];
        struct anchor at = {global->span.file, global->span.line, global->span.end_line,
                            name_id(global->name)};
        LIST_ADD(g->arena, &out->anchors, at);
    }
    arena_free(m.scratch);
    record_digest(&all, in->around);
    out->digest = record_key(&all);
    return !m.failed && piece == in->pieces.count;
}

/* ---- linking -------------------------------------------------------------------------------- */

/* False: two have the same name. */
static bool add_part(struct program *g, struct symbols *t, struct part *p, int unit)
{
    p->order = g->all.count;
    p->symbol.unit = unit;
    p->symbol.order = p->order;
    if (map_get(g->by_id, p->id) || !symbols_add(t, &p->symbol))
        return false;
    map_put(g->by_id, p->id, p);
    LIST_ADD(g->arena, &g->all, p);
    return true;
}

static void find_roots(struct program *g)
{
    g->counts.functions = g->counts.functions_analysed = 0;
    for (int i = 0; i < g->all.count; i++) {
        struct part *p = g->all.items[i];
        bool is_written = !p->symbol.is_start && !p->symbol.is_end;
        g->counts.functions += is_written;
        g->counts.functions_analysed += is_written && p->symbol.relevant;
        p->is_root = symbol_is_root(&p->symbol);
    }
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* The parts of a strongly connected component have one key, of all of them and of the keys of the
 * components they reach (Tarjan's algorithm, with lists instead of recursion). */
struct keys {
    struct program *program;
    part_list open; /* Tarjan's stack */
    LIST(struct visit {
        struct part *part;
        int next;
    })
    path;
    int count;
};

struct part *part_next(const struct part *p, int i)
{
    const symbol_list *callees = &p->symbol.callees, *setters = &p->symbol.setters;
    return (struct part *)(i < callees->count ? callees->items[i]
                           : i < callees->count + setters->count
                               ? setters->items[i - callees->count]
                               : NULL);
}

static void meet(struct keys *k, struct part *p)
{
    p->number = p->lowest = ++k->count;
    p->is_open = true;
    LIST_ADD(k->program->arena, &k->open, p);
    LIST_ADD(k->program->arena, &k->path, ((struct visit){p, 0}));
}

static int compare_digests(const void *x, const void *y)
{
    return memcmp(x, y, sizeof(struct digest));
}

typedef LIST(struct digest) digest_list;

static void add_sorted(struct text *to, digest_list *l)
{
    if (l->count)
        qsort(l->items, (size_t)l->count, sizeof *l->items, compare_digests);
    record_number(to, l->count);
    for (int i = 0; i < l->count; i++)
        if (!i || !digest_same(l->items[i], l->items[i - 1]))
            record_digest(to, l->items[i]);
}

static struct digest own_key(const struct part *p)
{
    struct text t = {0};
    record_number(&t, (int64_t)p->id);
    record_digest(&t, p->digest);
    return record_key(&t);
}

/* The parts from this index on are a strongly connected component. */
static void close_from(struct keys *k, int from)
{
    struct arena *a = k->program->arena;
    digest_list members = {0}, beyond = {0};
    struct text t = {0};
    for (int i = from; i < k->open.count; i++) {
        const struct part *p = k->open.items[i], *to;
        LIST_ADD(a, &members, own_key(p));
        for (int n = 0; (to = part_next(p, n)); n++)
            if (!to->is_open)
                LIST_ADD(a, &beyond, to->key);
    }
    add_sorted(&t, &members);
    add_sorted(&t, &beyond);
    struct digest key = record_key(&t);
    for (int i = from; i < k->open.count; i++) {
        k->open.items[i]->key = key;
        k->open.items[i]->is_open = false;
    }
    k->open.count = from;
}

static void leave(struct keys *k, struct part *p)
{
    k->path.count--;
    if (k->path.count) {
        struct part *before = k->path.items[k->path.count - 1].part;
        before->lowest = p->lowest < before->lowest ? p->lowest : before->lowest;
    }
    int from = k->open.count;
    if (p->lowest != p->number)
        return;
    while (k->open.items[from - 1] != p)
        from--;
    close_from(k, from - 1);
}

static void find_key(struct keys *k, struct part *p)
{
    if (!p->number)
        meet(k, p);
    while (k->path.count) {
        struct visit *at = &k->path.items[k->path.count - 1];
        struct part *from = at->part, *to = part_next(from, at->next++);
        if (!to)
            leave(k, from);
        else if (!to->number)
            meet(k, to);
        else if (to->is_open && to->number < from->lowest)
            from->lowest = to->number;
    }
}

bool program_link(struct program *g)
{
    struct keys k = {.program = g};
    struct symbols t;
    symbols_init(&t, g->arena);
    g->by_id = map_new(g->arena);
    g->all.count = 0;
    for (int u = 0; u < g->units.count; u++)
        for (int i = 0; i < g->units.items[u].parts.count; i++)
            if (!add_part(g, &t, g->units.items[u].parts.items[i], u))
                return false;
    for (int i = 0; i < g->all.count; i++)
        symbol_link(&t, &g->all.items[i]->symbol);
    symbols_spread(&t);
    find_roots(g);
    for (int i = 0; i < g->all.count; i++)
        if (g->all.items[i]->is_root)
            find_key(&k, g->all.items[i]);
    return true;
}
