/* Whether a check analysed everything that could lead to a finding on some lines: only then the
 * absence of findings means that there are none. The whole program must have been analysed, without
 * a failed unit and without reaching a limit; the lines must be in a file that is part of it, and
 * in code that was compiled. */
#include "frontends/driver/project/units.h"
#include "frontends/driver/findings/completeness.h"

#include "frontends/driver/project/cache.h"

#include <string.h>

/* ---- the program ---------------------------------------------------------------------------- */

static bool are_units_sound(const struct project *p)
{
    for (int i = 0; i < p->inputs.count; i++)
        if (coverage_has_trouble(&p->inputs.items[i]))
            return false;
    return p->inputs.count;
}

/* NULL: it is no longer in memory. */
static const struct ir_unit *unit_of(struct project *p, struct input *in)
{
    return in->unit || (p->cache && !p->cache->closed && in->is_cached) ? project_unit(p, in)
                                                                        : NULL;
}

static bool is_main(const struct ir_function *f)
{
    return !strcmp(f->name, "main");
}

/* Whether other code could call one of its functions, or set what it reads. */
static bool takes_something(const struct ir_unit *u)
{
    for (int i = 0; i < u->functions.count; i++) {
        const struct ir_function *f = u->functions.items[i];
        if (f->has_body && !f->is_internal && f->param_count && !is_main(f))
            return true;
    }
    for (int i = 0; i < u->globals.count; i++) {
        const struct ir_global *g = u->globals.items[i];
        if (!g->is_internal && !g->is_extern && !g->is_const)
            return true;
    }
    return false;
}

/* A program with a main that calls no unknown function is complete. */
static bool stands_alone(struct project *p)
{
    bool takes = false, has_main = false;
    for (int i = 0; i < p->inputs.count; i++) {
        const struct ir_unit *u = unit_of(p, &p->inputs.items[i]);
        const struct ir_function *f = u ? ir_function_find(u, "main") : NULL;
        takes |= !u || takes_something(u);
        has_main |= f && f->has_body;
    }
    return !p->counts.calls_unmodelled && (has_main || !takes);
}

/* Whether files of the program would be found next to those that were named. */
static bool are_looked_for(const struct project *p)
{
    for (int i = 0; i < p->asked.count; i++)
        if (!frontend_of(file_language(p->asked.items[i]))->is_looked_for)
            return false;
    return true;
}

/* Without a database, the program is the files that were named, if they are independent of the
 * files next to them. */
static bool is_closed(struct checking *c)
{
    struct project *p = &c->project;
    return p->linked || p->shares ||
           (are_looked_for(p) && !skipped_is_adjacent(p, &c->config, NULL)) || stands_alone(p);
}

/* Without its configuration, packs may be missing. */
static bool is_configured(const struct checking *c)
{
    return !c->request->isolated || !c->project.counts.calls_unmodelled;
}

bool program_is_complete(struct checking *c)
{
    const struct project *p = &c->project;
    return p->is_analysed && are_units_sound(p) && !p->counts.budgets &&
           !c->effective.assume.count && is_configured(c) && is_closed(c);
}

/* ---- the lines ------------------------------------------------------------------------------- */

struct lines {
    struct checking *c;
    const char *file;
    const char *same, *other; /* file names, and whether each is this file */
    branch_list branches;
    bool *is_compiled; /* by branch */
    bool is_seen;      /* some code of the file is in a unit */
};

static bool is_of_file(struct lines *l, const char *file)
{
    if (!file || file == l->other)
        return false;
    if (file == l->same || project_same_file(&l->c->project, file, l->file))
        l->same = file;
    else
        l->other = file;
    return file == l->same;
}

static void see(struct lines *l, const struct span *s)
{
    if (!s->line || !is_of_file(l, s->file))
        return;
    l->is_seen = true;
    for (int i = 0; i < l->branches.count; i++)
        l->is_compiled[i] |=
            s->line >= l->branches.items[i].first && s->line <= l->branches.items[i].last;
}

static void see_function(struct lines *l, const struct ir_function *f)
{
    if (!f->has_body)
        return;
    see(l, &f->span);
    for (int i = 1; i < f->insts.count; i++)
        see(l, &f->insts.items[i].span);
}

/* Code of a unit's own file is in that unit; code of a header may be in any unit. */
static void see_units(struct lines *l, const struct input *only)
{
    struct project *p = &l->c->project;
    for (int i = 0; i < p->inputs.count; i++) {
        struct input *in = &p->inputs.items[i];
        const struct ir_unit *u = !only || in == only ? unit_of(p, in) : NULL;
        l->same = l->other = NULL;
        for (int k = 0; u && k < u->functions.count; k++)
            see_function(l, u->functions.items[k]);
    }
}

/* A header that was named is also read by itself, which says nothing about the units that include
 * it. */
static const struct input *input_of(struct checking *c, const char *file)
{
    for (int i = 0; i < c->project.inputs.count; i++) {
        const struct input *in = &c->project.inputs.items[i];
        if ((in->is_listed || path_ends_in(in->file, frontend_of(in->language)->units)) &&
            project_same_file(&c->project, in->file, file))
            return in;
    }
    return NULL;
}

/* A header is part of every unit that includes it, and all of them are needed. */
static bool is_whole(struct checking *c, const char *file)
{
    const struct project *p = &c->project;
    bool is_whole = p->linked || p->summaries || (!p->database_file && folders_hold(c, file));
    return is_whole && !skipped_is_adjacent(&c->project, &c->config, file);
}

/* Found once for each file. */
static const branch_list *branches_of(struct checking *c, const struct source *s)
{
    uint64_t key = (uint64_t)(uintptr_t)s;
    if (!c->branches)
        c->branches = map_new(c->arena);
    branch_list *found = map_get(c->branches, key);
    if (!found) {
        map_put(c->branches, key, found = arena_one(c->arena, branch_list));
        branches_find(c->arena, s, found);
    }
    return found;
}

/* Those that have lines in the range. */
static void keep_branches(struct lines *l, const branch_list *all, int first, int last)
{
    for (int i = 0; i < all->count; i++)
        if (all->items[i].first <= last && all->items[i].last >= first)
            LIST_ADD(l->c->arena, &l->branches, all->items[i]);
    l->is_compiled = arena_array(l->c->arena, bool, l->branches.count + 1);
}

bool lines_are_complete(struct checking *c, const char *file, int first, int last)
{
    struct lines l = {.c = c, .file = file};
    const struct source *s = sources_get(c->project.sources, file);
    const struct input *in = input_of(c, file);
    if (!s || (!in && !is_whole(c, file)))
        return false;
    keep_branches(&l, branches_of(c, s), first, last);
    if (in && !l.branches.count)
        return true;
    see_units(&l, in);
    for (int i = 0; i < l.branches.count; i++)
        if (!l.is_compiled[i])
            return false;
    return in || l.is_seen;
}
