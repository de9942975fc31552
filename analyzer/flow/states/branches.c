/* The branches that the runs of a merged state took. The state keeps those that all of its runs
 * took; where two states were merged, it remembers which others each of them took, and by which
 * condition their runs are separated. A condition that decides between the two, as that of a case
 * does, then says which branches the runs took. */
#include "analyzer/flow/states/states.h"

/* Two states that were merged. */
struct junction {
    diagram first; /* where a run is one of the first */
    struct taken {
        const struct condition *when;
        const struct junction *junctions;
    } taken[2];
    const struct condition *both;  /* what both took */
    const struct junction *before; /* the junctions behind both of them */
    int depth;
};

const struct condition *condition_known(struct arena *a, struct guards *g,
                                        const struct condition *c)
{
    const uint64_t key[] = {(uint64_t)(uintptr_t)c->before,
                            (uint64_t)(uintptr_t)c->function,
                            (uint64_t)(uintptr_t)c->span.file,
                            (uint64_t)c->span.line << 32 | (uint64_t)(uint32_t)c->span.column,
                            (uint64_t)c->truth | (uint64_t)c->is_case << 1,
                            (uint64_t)c->value};
    guard_conditions(g);
    void **known = memo_at(guards_taken(g), key, COUNT(key));
    if (!*known)
        *known = arena_copy(a, c, sizeof *c);
    return *known;
}

static const struct junction *common_junction(const struct junction *x, const struct junction *y)
{
    while (x != y) {
        int a = x ? x->depth : 0, b = y ? y->depth : 0;
        x = a >= b ? x->before : x;
        y = b >= a ? y->before : y;
    }
    return x;
}

void state_join_conditions(struct state *into, const struct state *s)
{
    into->junctions = common_junction(into->junctions, s->junctions);
    while (into->conditions > s->conditions) {
        into->when = into->when->before;
        into->conditions--;
    }
    const struct condition *other = s->when;
    for (int n = s->conditions; n > into->conditions; n--)
        other = other->before;
    while (into->when != other) {
        into->when = into->when->before;
        other = other->before;
        into->conditions--;
    }
}

static const struct junction *later(const struct junction *x, const struct junction *y)
{
    return !x || (y && y->depth > x->depth) ? y : x;
}

void state_merge_branches(struct state *into, const struct state *s, diagram first)
{
    struct taken x = {into->when, into->junctions}, y = {s->when, s->junctions};
    state_join_conditions(into, s);
    into->missing = later(into->missing, s->missing);
    const struct junction *before = into->junctions;
    if (x.when == y.when && x.junctions == y.junctions)
        return;
    struct junction j = {.first = first,
                         .taken = {x, y},
                         .both = into->when,
                         .before = before,
                         .depth = before ? before->depth + 1 : 1};
    into->junctions = arena_copy(guards_arena(into->guards), &j, sizeof j);
}

void state_mark_branches(const struct state *s, const struct term_marks *m)
{
    const struct junction *chains[] = {s->junctions, s->missing};
    for (int i = 0; i < COUNT(chains); i++)
        for (const struct junction *j = chains[i]; j; j = j->before)
            mark_terms(guard_conditions(s->guards), m, j->first);
}

/* ---- what the runs of a case took ------------------------------------------------------------ */

/* Bounds on what is looked at, and on what is shown of it. */
enum { MAX_LOOKS = 512, MAX_TAKEN = 64 };

/* Conditions, the newest first. */
struct walk {
    struct conditions *conditions;
    diagram care;
    int looks;
    const struct condition *taken[MAX_TAKEN];
    int count;
    bool is_cut, is_decided; /* there were more; some junction is decided */
};

/* Which of the two all runs are of; -1: of either. */
static int side_of(struct walk *w, const struct junction *j)
{
    if (++w->looks > MAX_LOOKS)
        return -1;
    if (!condition_meets(w->conditions, w->care, j->first))
        return 1;
    return condition_implies(w->conditions, w->care, j->first) ? 0 : -1;
}

static void add_taken(struct walk *w, const struct condition *c)
{
    if (w->count < MAX_TAKEN)
        w->taken[w->count++] = c;
    else
        w->is_cut = true;
}

/* What was taken after `from` and after the junction `since`. */
static void walk_taken(struct walk *w, struct taken t, const struct condition *from,
                       const struct junction *since)
{
    while ((t.when != from || t.junctions != since) && !w->is_cut) {
        const struct junction *j = t.junctions;
        if (j != since && (j->both == t.when || t.when == from)) {
            int side = side_of(w, j);
            w->is_decided |= side >= 0;
            if (side >= 0)
                walk_taken(w, j->taken[side], j->both, j->before);
            t.junctions = j->before;
        } else if (!t.when) {
            return;
        } else {
            add_taken(w, t.when);
            t.when = t.when->before;
        }
    }
}

static const struct condition *chain_of(struct arena *a, struct guards *g, const struct walk *w)
{
    const struct condition *chain = NULL;
    for (int i = w->count - 1; i >= 0; i--) {
        struct condition c = *w->taken[i];
        c.before = chain;
        chain = condition_known(a, g, &c);
    }
    return chain;
}

const struct condition *state_when(struct arena *a, const struct state *s)
{
    diagram path = s->cases ? s->cases->path : s->path;
    diagram care = s->cases ? s->cases->care : DIAGRAM_YES;
    if (!s->junctions || path == DIAGRAM_NO || (path == DIAGRAM_YES && care == DIAGRAM_YES))
        return s->when;
    const uint64_t key[] = {(uint64_t)(uintptr_t)s->when, (uint64_t)(uintptr_t)s->junctions,
                            (uint64_t)path << 32 | care};
    void **known = memo_at(guards_taken(s->guards), key, COUNT(key));
    if (!*known) {
        struct walk w = {.conditions = guard_conditions(s->guards),
                         .care = condition_and(guard_conditions(s->guards), path, care)};
        walk_taken(&w, (struct taken){s->when, s->junctions}, NULL, NULL);
        *known = arena_one(guards_arena(s->guards), struct taken);
        ((struct taken *)*known)->when =
            w.is_cut || !w.is_decided ? s->when : chain_of(a, s->guards, &w);
    }
    return ((const struct taken *)*known)->when;
}

bool state_may_be_missing(const struct state *s)
{
    struct walk w = {.care = s->path};
    if (s->missing)
        w.conditions = guard_conditions(s->guards);
    if (s->missing && s->cases)
        w.care = condition_and(w.conditions, s->cases->path, s->cases->care);
    for (const struct junction *j = s->missing; j; j = j->before)
        if (side_of(&w, j) >= 0)
            return true;
    return false;
}
