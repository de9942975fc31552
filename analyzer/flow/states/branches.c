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
    const struct loop_branches *loop; /* the head of a loop, instead of two states; NULL: none */
};

/* What iterations took that led to each of the ways that something can be at the head. */
struct loop_branches {
    const struct ways *of;
    term_id choice;
    int count;
    const struct condition *taken[];
};

const struct condition *condition_known(struct arena *a, struct guards *g,
                                        const struct condition *c)
{
    const uint64_t key[] = {(uint64_t)(uintptr_t)c->before,
                            (uint64_t)(uintptr_t)c->function,
                            (uint64_t)(uintptr_t)c->span.file,
                            (uint64_t)c->span.line << 32 | (uint64_t)(uint32_t)c->span.column,
                            (uint64_t)c->truth | (uint64_t)c->is_case << 1 |
                                (uint64_t)c->is_over << 2,
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
            if (!j->loop) /* what nobody asks about again need not be explained */
                mark_terms(guard_conditions(s->guards), m, j->first);
}

/* ---- what the runs of a case took ------------------------------------------------------------ */

/* Bounds on what is looked at, and on what is shown of it. */
enum { MAX_LOOKS = 512, MAX_TAKEN = 64 };

/* The loops that a walk gets to. */
struct loops_met {
    struct guards *guards;
    diagram care;      /* of all runs of the walk */
    const bool *marks; /* by term: whether these depend on it; NULL: not looked for yet */
    int expanded;      /* those of which all ways were looked at */
};

static bool is_asked_for(struct loops_met *m, const struct loop_branches *l)
{
    if (!m->marks)
        m->marks = guards_mark(m->guards, m->care);
    return m->marks[l->choice];
}

/* Conditions, the newest first. */
struct walk {
    struct conditions *conditions;
    diagram care;
    int looks;
    const struct condition *taken[MAX_TAKEN];
    int count;
    bool is_cut, is_decided; /* there were more; some junction is decided */
    bool skips_loops;        /* what iterations took does not matter */
    struct loops_met *loops;
    int within; /* ways of so many loops that are not decided */
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

static void walk_taken(struct walk *w, struct taken t, const struct condition *from,
                       const struct junction *since);

static bool is_same_branch(const struct condition *x, const struct condition *y)
{
    return x->function == y->function && x->span.file == y->span.file &&
           x->span.line == y->span.line && x->span.column == y->span.column &&
           x->truth == y->truth && x->is_case == y->is_case && x->value == y->value;
}

/* Those that both have, as one of an iteration that is over if it is that in one of them. */
static void keep_common(struct walk *w, const struct walk *other)
{
    int kept = 0;
    for (int i = 0; i < w->count; i++)
        for (int k = 0; k < other->count; k++)
            if (is_same_branch(w->taken[i], other->taken[k])) {
                w->taken[kept++] = w->taken[i]->is_over ? w->taken[i] : other->taken[k];
                break;
            }
    w->count = kept;
}

/* What led to a way that something is at the head of a loop, and what was taken before. */
static void walk_way(struct walk *w, struct taken t, const struct condition *from,
                     const struct junction *since, int way)
{
    const struct junction *head = t.junctions;
    for (const struct condition *c = head->loop->taken[way]; c; c = c->before)
        add_taken(w, c);
    t.junctions = head->before;
    walk_taken(w, t, from, since);
}

/* The same of all ways that it can be: what they have in common. Of many loops, or of many ways,
 * nothing is. */
enum { MAX_WAYS = 4, MAX_WITHIN = 3, MAX_EXPANDED = 6 };
static bool walk_ways(struct walk *w, struct taken t, const struct condition *from,
                      const struct junction *since)
{
    const struct loop_branches *l = t.junctions->loop;
    struct walk all = {0}, one;
    int met = 0;
    if (w->within == MAX_WITHIN || w->loops->expanded == MAX_EXPANDED)
        return false;
    w->loops->expanded++;
    uint64_t ways = condition_values(w->conditions, w->care, l->choice);
    for (int k = 0; k < l->count; k++) {
        if (++w->looks > MAX_LOOKS)
            return false;
        if (!(ways >> k & 1))
            continue;
        if (met++ == MAX_WAYS)
            return false;
        diagram is = diagram_within(w->conditions, l->choice, (struct domain){k, k});
        one = (struct walk){.conditions = w->conditions,
                            .care = condition_and(w->conditions, w->care, is),
                            .looks = w->looks,
                            .loops = w->loops,
                            .within = w->within + 1};
        walk_way(&one, t, from, since, k);
        w->looks = one.looks;
        if (one.is_cut)
            return false;
        if (met == 1)
            all = one;
        else
            keep_common(&all, &one);
    }
    for (int i = 0; met && i < all.count; i++)
        add_taken(w, all.taken[i]);
    w->is_decided |= met && all.count;
    return met > 0;
}

/* Which way it is; -1: not known. */
static int way_of(struct walk *w, const struct loop_branches *l)
{
    int found = -1;
    uint64_t ways = condition_values(w->conditions, w->care, l->choice);
    for (int k = 0; k < l->count; k++) {
        if (++w->looks > MAX_LOOKS)
            return -1;
        if (!(ways >> k & 1))
            continue;
        if (found >= 0)
            return -1;
        found = k;
    }
    w->is_decided |= found >= 0;
    return found;
}

/* What was taken after `from` and after the junction `since`. */
static void walk_taken(struct walk *w, struct taken t, const struct condition *from,
                       const struct junction *since)
{
    while ((t.when != from || t.junctions != since) && !w->is_cut) {
        const struct junction *j = t.junctions;
        if (j != since && j->loop && (j->both == t.when || t.when == from)) {
            bool is_asked = !w->skips_loops && is_asked_for(w->loops, j->loop);
            int way = is_asked ? way_of(w, j->loop) : -1;
            if (way >= 0) {
                walk_way(w, t, from, since, way);
                return;
            }
            if (is_asked && walk_ways(w, t, from, since))
                return;
            t.junctions = j->before;
        } else if (j != since && (j->both == t.when || t.when == from)) {
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

/* What all runs that are cared for took after `from` and `since`. */
static void walk_all(struct walk *w, const struct state *s, const struct condition *from,
                     const struct junction *since)
{
    struct loops_met met = {.guards = s->guards, .care = w->care};
    w->loops = &met;
    walk_taken(w, (struct taken){s->when, s->junctions}, from, since);
}

static const struct condition *taken_in(struct arena *a, const struct state *s, diagram path,
                                        diagram care, bool skips_loops)
{
    struct walk w = {.conditions = guard_conditions(s->guards), .skips_loops = skips_loops};
    struct condition_count before;
    bool has_room = guards_explain_begin(s->guards, &before);
    if (has_room) {
        w.care = condition_and(w.conditions, path, care);
        walk_all(&w, s, NULL, NULL);
    }
    guards_explain_end(s->guards, &before);
    return w.is_cut || !w.is_decided ? s->when : chain_of(a, s->guards, &w);
}

static const struct condition *taken_by(struct arena *a, const struct state *s, bool skips_loops)
{
    diagram path = s->cases ? s->cases->path : s->path;
    diagram care = s->cases ? s->cases->care : DIAGRAM_YES;
    if (!s->junctions || path == DIAGRAM_NO || (path == DIAGRAM_YES && care == DIAGRAM_YES))
        return s->when;
    const uint64_t key[] = {(uint64_t)(uintptr_t)s->when,
                            (uint64_t)(uintptr_t)s->junctions + skips_loops,
                            (uint64_t)path << 32 | care};
    void **known = memo_at(guards_taken(s->guards), key, COUNT(key));
    if (!*known) {
        *known = arena_one(guards_arena(s->guards), struct taken);
        ((struct taken *)*known)->when = taken_in(a, s, path, care, skips_loops);
    }
    return ((const struct taken *)*known)->when;
}

const struct condition *state_when(struct arena *a, const struct state *s)
{
    return taken_by(a, s, false);
}

const struct condition *state_when_outside_loops(struct arena *a, const struct state *s)
{
    return taken_by(a, s, true);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Behind what was noted of the loop. */
static const struct junction *before_loop(const struct junction *j, const struct ways *of)
{
    while (j && j->loop && j->loop->of == of)
        j = j->before;
    return j;
}

static bool took_before(const struct state *s, const struct condition *c)
{
    const struct condition *when = s->when;
    while (when && when != c)
        when = when->before;
    return when == c;
}

const struct condition *state_taken_in_loop(const struct state *head, const struct state *s,
                                            const struct ways *of, diagram care)
{
    const struct junction *entry = before_loop(head->junctions, of);
    struct walk w = {.conditions = guard_conditions(s->guards),
                     .care = condition_and(guard_conditions(s->guards), s->path, care)};
    if (w.care == DIAGRAM_NO || common_junction(s->junctions, entry) != entry ||
        !took_before(s, head->when))
        return NULL;
    walk_all(&w, s, head->when, entry);
    const struct condition *chain = NULL;
    for (int i = w.count - 1; i >= 0 && !w.is_cut; i--) {
        struct condition c = *w.taken[i];
        c.before = chain;
        c.is_over = true;
        chain = condition_known(guards_lineage(s->guards), s->guards, &c);
    }
    return chain;
}

void state_note_loop(struct state *head, const struct ways *of, term_id choice,
                     const struct condition *const *taken, int count)
{
    struct arena *a = guards_arena(head->guards);
    struct loop_branches *l = arena_alloc(a, sizeof *l + sizeof *l->taken * (size_t)count);
    *l = (struct loop_branches){.of = of, .choice = choice, .count = count};
    for (int k = 0; k < count; k++)
        l->taken[k] = taken[k];
    struct junction j = {.both = head->when,
                         .before = head->junctions,
                         .depth = head->junctions ? head->junctions->depth + 1 : 1,
                         .loop = l};
    head->junctions = arena_copy(a, &j, sizeof j);
}

bool state_may_be_missing(const struct state *s)
{
    struct walk w = {.care = s->path};
    if (s->missing)
        w.conditions = guard_conditions(s->guards);
    if (s->missing && s->cases)
        w.care = condition_and(w.conditions, s->cases->path, s->cases->care);
    for (const struct junction *j = s->missing; j; j = j->before)
        if (!j->loop && side_of(&w, j) >= 0)
            return true;
    return false;
}
