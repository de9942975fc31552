/* What has to be analysed again. A root that reaches anything that changed is run. If its results
 * in a function differ from before, or if it was effective there, all other effective roots of that
 * function are run, too, since facts are joined over roots; then rules are run again on the
 * function, and on all functions for which they had used its facts. If rules use facts that are not
 * known, the roots for these are run, and the rules once more. */
#include "frontends/driver/incremental/dependencies.h"

struct rerun {
    struct checking *c;
    struct project *p;
    struct program *now, *old;
    struct watcher watcher;
    struct check_input in;
    part_list wanted; /* roots to run */
    int runs;
};

/* ---- running -------------------------------------------------------------------------------- */

static void want(struct rerun *r, struct part *root)
{
    if (root->ran || root->is_marked)
        return;
    root->is_marked = true;
    LIST_ADD(r->now->arena, &r->wanted, root);
}

static bool load(struct rerun *r, int unit)
{
    struct input *in = &r->p->inputs.items[unit];
    const struct part_unit *u = &r->now->units.items[unit];
    if (u->parts.count && u->parts.items[0]->function)
        return true;
    if (!project_unit(r->p, in))
        return false;
    project_number_packs(r->p, in->unit);
    flow_add(r->p->flow, in->unit, unit);
    for (int i = 0; i < u->parts.count; i++) {
        struct part *p = u->parts.items[i];
        p->function = ir_function_find(in->unit, p->name);
        if (!p->function || !p->function->has_body)
            return false;
        map_put(r->watcher.part_of, (uint64_t)(uintptr_t)p->function, p);
    }
    return true;
}

/* Rules look at all units in memory, also at those that no changed root reaches: after an edit that
 * was not worth keeping, they differ from before together with the unit that is edited next. */
static bool load_new(struct rerun *r)
{
    for (int i = 0; i < r->now->units.count; i++)
        if (r->now->units.items[i].is_new && r->now->units.items[i].parts.count && !load(r, i))
            return false;
    return true;
}

/* Everything that the root reaches. */
static bool load_all(struct rerun *r, struct part *root)
{
    part_list todo = {0};
    int run = ++r->runs;
    LIST_ADD(r->now->arena, &todo, root);
    root->number = -run;
    while (todo.count) {
        struct part *p = todo.items[--todo.count];
        struct part *to;
        if (!load(r, p->symbol.unit))
            return false;
        for (int i = 0; (to = part_next(p, i)); i++) {
            if (to->number != -run)
                LIST_ADD(r->now->arena, &todo, to);
            to->number = -run;
        }
    }
    return true;
}

static void take_ran(struct rerun *r)
{
    for (int i = 0; i < r->now->all.count; i++)
        r->now->all.items[i]->entries.count = 0;
    take_entries(&r->watcher, r->p->flow);
}

static void run_roots(struct rerun *r)
{
    const struct ir_function **roots =
        arena_array(r->now->arena, const struct ir_function *, r->wanted.count);
    for (int i = 0; i < r->wanted.count; i++) {
        roots[i] = r->wanted.items[i]->function;
        r->wanted.items[i]->is_marked = false;
    }
    if (r->wanted.count) {
        flow_run_roots(r->p->flow, roots, r->wanted.count);
        flow_join(r->p->flow);
    }
}

/* False: a unit cannot be loaded after all. */
static bool run_wanted(struct rerun *r)
{
    for (int i = 0; i < r->wanted.count; i++)
        if (!load_all(r, r->wanted.items[i]))
            return false;
    run_roots(r);
    r->wanted.count = 0;
    take_ran(r);
    return true;
}

/* ---- what changed --------------------------------------------------------------------------- */

static bool is_same_root(const struct part *p)
{
    return p->before && p->before->is_root && digest_same(p->before->key, p->key);
}

static const struct entry *entry_of(const struct part *p, const struct part *root)
{
    for (int i = 0; p && root && i < p->entries.count; i++)
        if (p->entries.items[i].root == root)
            return &p->entries.items[i];
    return NULL;
}

/* A root whose results there are new. */
static void compare_entry(struct part *p, const struct part *root)
{
    const struct entry *now = entry_of(p, root), *before = entry_of(p->before, root->before);
    bool same = now && before && digest_same(now->gave, before->gave);
    bool counted = before && before->effective;
    if (!now && !counted) /* it was not effective, and is gone */
        return;
    p->is_changed |= counted || !same;
    p->needs_all |= counted && !same;
}

/* All roots that were run, and all that no longer exist. */
static void compare_entries(struct rerun *r)
{
    for (int i = 0; i < r->now->all.count; i++) {
        struct part *p = r->now->all.items[i];
        for (int k = 0; k < p->entries.count; k++)
            compare_entry(p, p->entries.items[k].root);
    }
    for (int i = 0; i < r->old->all.count; i++) {
        const struct part *old = r->old->all.items[i];
        for (int k = 0; old->now && k < old->entries.count; k++) {
            const struct entry *e = &old->entries.items[k];
            const struct part *root = e->root->now;
            bool is_root = root && root->is_root;
            if (is_root && root->ran)
                compare_entry(old->now, root);
            else if (!is_root && e->effective)
                old->now->is_changed = old->now->needs_all = true;
        }
    }
}

/* The roots that are needed for all facts of the part. */
static void want_for(struct rerun *r, const struct part *p)
{
    for (int i = 0; p->before && i < p->before->entries.count; i++) {
        const struct entry *e = &p->before->entries.items[i];
        if ((e->effective || p->needs_all) && e->root->now && e->root->now->is_root)
            want(r, e->root->now);
    }
}

/* If most of the program is affected, a complete run is faster: it need not keep the results of
 * each root. */
static bool is_worth_it(const struct rerun *r)
{
    int roots = 0;
    for (int i = 0; i < r->now->all.count; i++)
        roots += r->now->all.items[i]->is_root;
    return r->wanted.count <= roots / 2;
}

static bool run_changed(struct rerun *r)
{
    for (int i = 0; i < r->now->all.count; i++) {
        struct part *p = r->now->all.items[i];
        p->is_changed = !p->before || !digest_same(p->before->digest, p->digest);
        if (p->is_root && !is_same_root(p))
            want(r, p);
    }
    if (!is_worth_it(r) || !run_wanted(r))
        return false;
    compare_entries(r);
    for (int i = 0; i < r->now->all.count; i++)
        if (r->now->all.items[i]->is_changed)
            want_for(r, r->now->all.items[i]);
    return is_worth_it(r) && run_wanted(r);
}

/* ---- what rules look at again --------------------------------------------------------------- */

static bool is_same_list(const id_list *a, const id_list *b)
{
    return a->count == b->count &&
           (!a->count || !memcmp(a->items, b->items, sizeof *a->items * (size_t)a->count));
}

/* Whether the set of records with moved fields changed. */
static bool take_all_moved(struct rerun *r)
{
    bool differs = false;
    for (int i = 0; i < r->now->all.count; i++) {
        struct part *p = r->now->all.items[i];
        if (p->is_changed)
            take_moved(&r->watcher, p);
        else
            p->moved = p->before->moved;
        differs |= p->before ? !is_same_list(&p->moved, &p->before->moved) : p->moved.count;
    }
    for (int i = 0; i < r->old->all.count; i++)
        differs |= !r->old->all.items[i]->now && r->old->all.items[i]->moved.count;
    return differs;
}

/* Roots that enter something that changed: what they move may have changed. */
static void mark_movers(struct rerun *r)
{
    for (int i = 0; i < r->now->all.count; i++) {
        const struct part *p = r->now->all.items[i];
        for (int k = 0; p->is_changed && k < p->entries.count; k++)
            p->entries.items[k].root->is_marked = true;
        for (int k = 0; p->is_changed && p->before && k < p->before->entries.count; k++)
            if (p->before->entries.items[k].root->now)
                p->before->entries.items[k].root->now->is_marked = true;
    }
}

static bool is_entered_by_marked(const struct part *old)
{
    for (int i = 0; i < old->entries.count; i++)
        if (!old->entries.items[i].root->now || old->entries.items[i].root->now->is_marked)
            return true;
    return false;
}

static bool was_looked_at(const struct rerun *r, const struct part *old)
{
    for (int i = 0; i < old->touched.count; i++) {
        const struct part *p = map_get(r->now->by_id, old->touched.items[i]);
        if (!p || p->is_changed)
            return true;
    }
    return false;
}

static void find_dirty(struct rerun *r)
{
    bool moved = take_all_moved(r);
    mark_movers(r);
    for (int i = 0; i < r->now->all.count; i++) {
        struct part *p = r->now->all.items[i];
        const struct part *old = p->before;
        p->is_dirty = p->is_changed || old->is_lost || was_looked_at(r, old) ||
                      (old->asks_records && moved) ||
                      (old->asks_moves && is_entered_by_marked(old));
    }
    for (int i = 0; i < r->now->all.count; i++)
        r->now->all.items[i]->is_marked = false;
    for (int i = 0; i < r->now->all.count; i++)
        if (r->now->all.items[i]->is_dirty)
            want_for(r, r->now->all.items[i]);
}

/* Rules mark the unknown facts that they use. */
static bool run_missed(struct rerun *r)
{
    part_list missed = {0};
    for (int i = 0; i < r->now->all.count; i++)
        if (r->now->all.items[i]->is_marked)
            LIST_ADD(r->now->arena, &missed, r->now->all.items[i]);
    for (int i = 0; i < missed.count; i++)
        missed.items[i]->is_marked = false;
    for (int i = 0; i < missed.count; i++)
        want_for(r, missed.items[i]);
    return r->wanted.count && run_wanted(r);
}

static void ask_rules(struct rerun *r)
{
    for (int i = 0; i < r->now->all.count; i++) {
        struct part *p = r->now->all.items[i];
        p->found_length = 0;
        p->touched.count = 0;
        p->asks_moves = p->asks_records = false;
    }
    r->in.units = r->p->units.items;
    r->in.unit_count = r->p->units.count;
    r->watcher.found = (finding_list){0};
    r->watcher.told = 0;
    r->watcher.missed = false;
    watch_rules(&r->watcher);
}

static bool find_findings(struct rerun *r)
{
    for (;;) {
        ask_rules(r);
        if (!r->watcher.missed)
            return true;
        if (!run_missed(r))
            return false;
    }
}

/* ---- what there is now ---------------------------------------------------------------------- */

/* For roots that were not run, their previous results; in the order of roots. */
static void join_entries(struct rerun *r, struct part *p)
{
    LIST(struct entry) own = {p->entries.items, p->entries.count, p->entries.room};
    p->entries.items = NULL;
    p->entries.count = p->entries.room = 0;
    int k = 0;
    for (int i = 0; p->before && i < p->before->entries.count; i++) {
        struct entry e = p->before->entries.items[i];
        e.root = e.root->now;
        if (!e.root || !e.root->is_root || (e.root->ran && p->is_changed))
            continue;
        for (; p->is_changed && k < own.count && own.items[k].root->order < e.root->order; k++)
            LIST_ADD(r->now->arena, &p->entries, own.items[k]);
        LIST_ADD(r->now->arena, &p->entries, e);
    }
    for (; p->is_changed && k < own.count; k++)
        LIST_ADD(r->now->arena, &p->entries, own.items[k]);
}

static void take_before(struct part *p)
{
    const struct part *old = p->before;
    if (!p->is_changed) {
        p->missing = old->missing;
        p->dropped = old->dropped;
    }
    if (!p->is_dirty) {
        p->found = old->found;
        p->found_length = old->found_length;
        p->touched = old->touched;
        p->asks_moves = old->asks_moves;
        p->asks_records = old->asks_records;
    }
    if (p->is_root && !p->ran) {
        p->counts = old->counts;
        p->graded_unknown = old->graded_unknown;
    }
}

/* False: findings about idle tensors depend on what changed. */
static bool settle(struct rerun *r)
{
    struct flow_counts *all = &r->now->counts;
    bool was_unknown = false, is_unknown = false;
    for (int i = 0; i < r->old->all.count; i++)
        was_unknown |= r->old->all.items[i]->is_root && r->old->all.items[i]->graded_unknown;
    for (int i = 0; i < r->now->all.count; i++) {
        struct part *p = r->now->all.items[i];
        join_entries(r, p);
        if (p->is_changed) {
            missing_list missing =
                p->function ? flow_missing_in(r->p->flow, p->function) : (missing_list){0};
            missing_join(r->now->arena, &p->missing, &missing);
            p->dropped = p->function ? flow_dropped_in(r->p->flow, p->function) : 0;
        }
        if (p->before)
            take_before(p);
        for (int k = 0; k < p->missing.count; k++)
            all->calls_unmodelled += p->missing.items[k].count;
        missing_join(r->now->arena, &all->missing, &p->missing);
        all->dropped += p->dropped;
        if (!p->is_root)
            continue;
        all->roots++;
        all->calls += p->counts->calls;
        all->anything += p->counts->anything;
        all->budgets += p->counts->budgets;
        for (int k = 0; k < FLOW_LIMIT_COUNT; k++)
            all->limits[k] += p->counts->limits[k];
        for (int k = 0; k < FLOW_ASSUMED_COUNT; k++)
            all->assumed[k] += p->counts->assumed[k];
        all->cut = all->cut.file ? all->cut : p->counts->cut;
        is_unknown |= p->graded_unknown;
    }
    return is_unknown == was_unknown;
}

bool reanalyse(struct checking *c, struct program *now, struct program *old)
{
    struct project *p = &c->project;
    struct rerun r = {.c = c, .p = p, .now = now, .old = old};
    struct flow_options how = {.past_errors = p->request->past_errors,
                               .strict = p->request->strict,
                               .incomplete = project_is_incomplete(p),
                               .threads = project_threads(p)};
    struct error e;
    p->flow = flow_begin(p->packs, &how, &e);
    r.in = (struct check_input){
        .arena = c->arena, .flow = p->flow, .packs = p->packs, .sources = p->sources};
    r.watcher = (struct watcher){
        .checking = c, .program = now, .in = &r.in, .part_of = map_new(c->arena), .in_part = true};
    if (!p->flow || !load_new(&r) || !run_changed(&r))
        return false;
    find_dirty(&r);
    return run_wanted(&r) && find_findings(&r) && settle(&r);
}
