/* The previous findings, updated for a change. Two things are kept of every run: its units with all
 * findings (previous_run.c); and, separately since it is often not needed, the program as parts. If
 * no part of the units that were lowered again changed, as after an edit of a comment, the findings
 * are enough. Otherwise reanalyse.c runs what the change affects. In case of doubt everything is
 * analysed. */
#include "frontends/driver/incremental/dependencies.h"
#include "frontends/driver/project/session.h"

static bool is_possible(const struct checking *c)
{
    const struct project *p = &c->project;
    if (!p->cache || p->cache->closed || (p->overlay.files.count && !p->request->session) ||
        c->request->verify.wanted || c->request->facts || c->effective.assume.count ||
        project_is_dynamic(p)) /* what a function depends on is not known without running it */
        return false;
    for (int i = 0; i < p->inputs.count; i++) /* each comes from its file, none from a summary */
        if (p->inputs.items[i].is_given ||
            (i && !strcmp(p->inputs.items[i].file, p->inputs.items[i - 1].file)))
            return false;
    return p->inputs.count;
}

static bool are_all_kept(const struct project *p)
{
    for (int i = 0; i < p->inputs.count; i++)
        if (!p->inputs.items[i].is_cached && !p->inputs.items[i].is_taken)
            return false;
    return !p->cache->closed;
}

/* ---- what is kept --------------------------------------------------------------------------- */

static struct version version_of(const struct input *in, const struct part_unit *u)
{
    return (struct version){in->file,   in->key,    in->contents, u->digest,
                            u->anchors, in->errors, in->notes,    in->first_error};
}

/* A file that was edited meanwhile may be quoted with old or new contents. */
static bool is_sound(struct checking *c, struct map *seen, const char *file)
{
    uint64_t name = file ? name_id(file) : 0;
    if (!file || map_get(seen, name))
        return true;
    map_put(seen, name, c);
    return cached_result_is_unchanged(c, file);
}

static bool are_sound(struct checking *c, const finding_list *found)
{
    struct map *seen = map_new(c->arena);
    bool sound = true;
    for (int i = 0; i < found->count && sound; i++) {
        const struct finding *f = found->items[i];
        sound = is_sound(c, seen, f->span.file);
        for (int k = 0; k < f->origins.count && sound; k++)
            sound = is_sound(c, seen, f->origins.items[k].span.file) &&
                    is_sound(c, seen, f->origins.items[k].called.file);
    }
    return sound;
}

static void keep(struct checking *c, const struct program *g, const finding_list *found)
{
    struct project *p = &c->project;
    struct text t = {0};
    struct version *units = arena_array(c->arena, struct version, p->inputs.count);
    for (int i = 0; i < p->inputs.count; i++)
        units[i] = version_of(&p->inputs.items[i], &g->units.items[i]);
    program_print(g, &t);
    struct digest key = digest_bytes(t.data, t.length);
    last_put_parts(c, key, &t);
    text_free(&t);
    last_put(c, key, units, &g->counts, found);
}

/* ---- after a run of all --------------------------------------------------------------------- */

/* A session has them for units with few changes. */
static bool find_parts(struct checking *c, struct program *g, struct input *in, struct part_unit *u)
{
    struct session *s = c->request->session;
    if (!in->pieces.count && !(s && session_pieces(s, c->project.arena, in))) {
        pieces_find(c->project.arena, in);
        if (s)
            session_note_pieces(s, in);
    }
    return parts_of_unit(g, &c->project, in, u);
}

static bool take_units(struct checking *c, struct program *g)
{
    struct project *p = &c->project;
    for (int i = 0; i < p->inputs.count; i++) {
        struct part_unit u;
        if (!p->inputs.items[i].unit || !find_parts(c, g, &p->inputs.items[i], &u))
            return false;
        parts_refer(g, p, p->inputs.items[i].unit, &u);
        LIST_ADD(g->arena, &g->units, u);
    }
    return program_link(g);
}

static void take_functions(struct watcher *w)
{
    struct project *p = &w->checking->project;
    for (int i = 0; i < w->program->all.count; i++) {
        struct part *part = w->program->all.items[i];
        part->function = ir_function_find(p->inputs.items[part->symbol.unit].unit, part->name);
        map_put(w->part_of, (uint64_t)(uintptr_t)part->function, part);
    }
}

static void take_results(struct watcher *w)
{
    const struct flow *f = w->checking->project.flow;
    take_entries(w, f);
    for (int i = 0; i < w->program->all.count; i++) {
        struct part *part = w->program->all.items[i];
        missing_list missing = flow_missing_in(f, part->function);
        missing_join(w->program->arena, &part->missing, &missing);
        part->dropped = flow_dropped_in(f, part->function);
        take_moved(w, part);
    }
    w->program->counts = *flow_counts(f);
}

void incremental_find(struct checking *c, struct check_input *in)
{
    struct project *p = &c->project;
    struct program g = {.arena = c->arena};
    struct watcher w = {.checking = c, .program = &g, .in = in, .part_of = map_new(c->arena)};
    if (!is_possible(c) || !are_all_kept(p) || !take_units(c, &g)) {
        rules_check(in, c->selected, &c->findings);
        return;
    }
    take_functions(&w);
    take_results(&w);
    watch_rules(&w);
    c->findings = w.found;
    if (!w.missed && are_sound(c, &w.found))
        keep(c, &g, &w.found);
}

/* ---- again ---------------------------------------------------------------------------------- */

static const struct version *version_find(const struct last *l, const char *file, int *from)
{
    for (; *from < l->units.count && strcmp(l->units.items[*from].file, file) < 0;)
        ++*from;
    return *from < l->units.count && !strcmp(l->units.items[*from].file, file)
               ? &l->units.items[*from]
               : NULL;
}

/* The current lines of the unit's unchanged parts. */
static void add_moves(struct moves *m, const struct version *v, const struct part_unit *u)
{
    for (int i = 0; i < v->anchors.count && i < u->anchors.count; i++)
        moves_add(m, &v->anchors.items[i], &u->anchors.items[i]);
}

static bool is_version(const struct version *v, const struct input *in)
{
    return digest_same(v->key, in->key) && digest_same(v->contents, in->contents);
}

/* The current units: unchanged ones have no parts yet, unless they had to be lowered again because
 * their cache entry was overwritten. */
static bool take_versions(struct checking *c, const struct last *l, struct program *g)
{
    struct project *p = &c->project;
    int from = 0;
    for (int i = 0; i < p->inputs.count; i++) {
        struct input *in = &p->inputs.items[i];
        const struct version *v = version_find(l, in->file, &from);
        struct part_unit u = {.file = in->file};
        if (v && !in->unit && is_version(v, in)) {
            u.digest = v->digest;
            u.anchors = v->anchors;
            in->is_parsed = true;
            in->errors = v->errors;
            in->notes = v->notes;
            in->first_error = v->first_error;
        } else if (project_unit(p, in) && find_parts(c, g, in, &u)) {
            u.is_new = true;
        } else {
            return false;
        }
        LIST_ADD(g->arena, &g->units, u);
    }
    return true;
}

/* Programs with and without errors are analysed differently. */
static bool was_incomplete(const struct last *l)
{
    for (int i = 0; i < l->units.count; i++)
        if (l->units.items[i].errors)
            return true;
    return false;
}

static void take_counts(struct project *p, const struct flow_counts *counts)
{
    p->counts = *counts;
    if (counts->cut.file)
        p->counts.cut.file = name_of(p->names, counts->cut.file);
    p->is_analysed = true;
    p->assumptions_used = arena_array(p->arena, bool, 1);
}

/* False: the order of something changed. */
static bool move_last(struct last *l, struct moves *m)
{
    return moves_settle(m) && moves_findings(m, &l->found) && moves_span(m, &l->counts.cut);
}

static void take_last(struct checking *c, const struct last *l, const struct program *g)
{
    struct project *p = &c->project;
    struct version *units = arena_array(c->arena, struct version, p->inputs.count);
    for (int i = 0; i < p->inputs.count; i++)
        units[i] = version_of(&p->inputs.items[i], &g->units.items[i]);
    take_counts(p, &l->counts);
    last_put(c, l->parts, units, &l->counts, &l->found);
    c->findings = l->found;
}

static bool is_named(const void *names, const char *function)
{
    return map_get(names, name_id(function));
}

static void add_names(struct map *names, const id_list *l)
{
    for (int i = 0; i < l->count; i++)
        map_put(names, l->items[i], names);
}

/* Packs are loaded only for functions that the program refers to. */
static bool load_packs(struct checking *c, const struct program *old, struct error *e)
{
    struct project *p = &c->project;
    struct map *names = called_in(c->arena, p->units.items, p->units.count);
    for (int i = 0; i < old->all.count; i++) {
        map_put(names, old->all.items[i]->symbol.name, names);
        add_names(names, &old->all.items[i]->symbol.calls);
        add_names(names, &old->all.items[i]->symbol.packed);
    }
    return project_load_packs(p, is_named, names, e);
}

static struct part *part_again(struct program *g, struct part *old, struct anchor at)
{
    struct part *p = arena_one(g->arena, struct part);
    const struct symbol *s = &old->symbol;
    *p = (struct part){.symbol = {.is_internal = s->is_internal,
                                  .is_read = true,
                                  .acts = s->acts,
                                  .calls = s->calls,
                                  .packed = s->packed,
                                  .pointed = s->pointed,
                                  .globals = s->globals,
                                  .own_globals = s->own_globals},
                       .name = old->name,
                       .id = old->id,
                       .digest = old->digest,
                       .at = at};
    symbol_name(&p->symbol, p->name);
    return p;
}

/* The parts of unchanged units; and the old parts of changed ones. */
static bool take_parts(struct checking *c, struct program *g, struct program *old)
{
    struct map *by_file = map_new(c->arena);
    for (int i = 0; i < old->units.count; i++)
        map_put(by_file, name_id(old->units.items[i].file), &old->units.items[i]);
    for (int i = 0; i < g->units.count; i++) {
        struct part_unit *u = &g->units.items[i];
        const struct part_unit *was = map_get(by_file, name_id(u->file));
        const struct input *in = &c->project.inputs.items[i];
        u->errors = in->errors;
        u->notes = in->notes;
        u->first_error = in->first_error;
        if (u->is_new && u->parts.count)
            parts_refer(g, &c->project, in->unit, u);
        else if (!u->is_new && (!was || !digest_same(was->digest, u->digest) ||
                                was->anchors.count != u->anchors.count))
            return false;
        for (int k = 0; !u->is_new && k < was->parts.count; k++)
            LIST_ADD(g->arena, &u->parts, part_again(g, was->parts.items[k], u->anchors.items[k]));
    }
    if (!program_link(g))
        return false;
    for (int i = 0; i < g->all.count; i++) {
        struct part *p = g->all.items[i];
        p->before = map_get(old->by_id, p->id);
        if (p->before)
            p->before->now = p;
    }
    return true;
}

static bool take_findings(struct checking *c, const struct program *g)
{
    for (int i = 0; i < g->all.count; i++) {
        const struct part *p = g->all.items[i];
        struct record_reader r = record_open(p->found, p->found_length);
        while (r.at < r.end && !r.failed)
            findings_read(c, &r, &c->findings);
        if (r.failed)
            return false;
    }
    return true;
}

/* If little changed since the program was saved, and analysing that was fast, it is not saved
 * again: doing the same in the next run costs less than saving everything. */
enum { FEW_UNITS = 4, FEW_VISITS = 250000 };

static bool is_worth_keeping(const struct checking *c, const struct program *g, int64_t spent)
{
    int changed = 0;
    for (int i = 0; i < g->units.count; i++)
        changed += g->units.items[i].is_new;
    return c->request->session || changed > FEW_UNITS || spent > FEW_VISITS;
}

static bool run_again(struct checking *c, const struct last *l, struct program *g, bool *done,
                      struct error *e)
{
    size_t length;
    const char *data = last_parts(c, l, &length);
    struct program *old = data ? program_read(c->arena, data, length) : NULL;
    if (!old)
        return true;
    if (!load_packs(c, old, e))
        return false;
    *done = take_parts(c, g, old) && moves_program(c, old, g) && reanalyse(c, g, old) &&
            take_findings(c, g);
    int64_t spent = c->project.flow ? flow_spent(c->project.flow) : 0;
    flow_free(c->project.flow); /* it has only a part of the program */
    c->project.flow = NULL;
    if (!*done) {
        c->findings = (finding_list){0};
        return true;
    }
    take_counts(&c->project, &g->counts);
    if (is_worth_keeping(c, g, spent) && are_sound(c, &c->findings))
        keep(c, g, &c->findings);
    return true;
}

/* Whether no part of the program changed. */
static bool is_same_as(const struct checking *c, const struct last *l, const struct program *g,
                       struct moves *moves)
{
    int from = 0;
    bool same = l->units.count == g->units.count;
    for (int i = 0; i < g->units.count && same; i++) {
        const struct input *in = &c->project.inputs.items[i];
        const struct part_unit *u = &g->units.items[i];
        const struct version *v = version_find(l, in->file, &from);
        same = v && (u->is_new ? digest_same(v->digest, u->digest) : is_version(v, in));
        if (same)
            add_moves(moves, v, u);
    }
    return same;
}

/* An earlier version may match better: a change may have been undone or redone. */
static bool find_same(struct checking *c, struct last **lasts, int count, const struct program *g)
{
    for (int i = 0; i < count; i++) {
        struct moves moves = {.arena = c->arena};
        if (is_same_as(c, lasts[i], g, &moves) && move_last(lasts[i], &moves)) {
            take_last(c, lasts[i], g);
            return true;
        }
    }
    return false;
}

bool incremental_check(struct checking *c, bool *done, struct error *e)
{
    struct last *lasts[LASTS_MAX];
    int count = is_possible(c) ? lasts_read(c, lasts) : 0;
    if (!count)
        return true;
    if (!project_lower_new(&c->project, e))
        return false;
    for (int i = 0; i < count && !*done; i++) {
        struct program g = {.arena = c->arena};
        if (!are_all_kept(&c->project) || !take_versions(c, lasts[i], &g) ||
            was_incomplete(lasts[i]) != project_has_trouble(&c->project))
            return true;
        *done = i == 0 && find_same(c, lasts, count, &g);
        if (!*done && !run_again(c, lasts[i], &g, done, e))
            return false;
    }
    return true;
}
