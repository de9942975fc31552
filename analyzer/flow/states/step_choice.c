/* Lineage by condition: where two states are merged, a tensor that is the same in both may have
 * been made in different ways. Which one holds is decided when lineage is recorded, for the runs
 * that are recorded; it decides nothing else. A step that is one of two looks like the first. */
#include "analyzer/flow/states/guard.h"

struct step_choice {
    diagram first; /* where it is the first of them */
    const struct step *of[2];
    int depth; /* of choices among choices */
};

/* Bounds on what is kept, and on what is looked at. */
enum { MAX_DEPTH = 8, MAX_NODES = 32, MAX_LOOKS = 128 };

static int depth_of(const struct step *s)
{
    return s->choice ? s->choice->depth : 0;
}

static const struct step *either(const struct state *s, diagram first, const struct step *x,
                                 const struct step *y)
{
    struct guards *g = s->guards;
    first = diagram_simplify(g->conditions, first, s->path);
    if (first == DIAGRAM_YES || first == DIAGRAM_NO)
        return first == DIAGRAM_YES ? x : y;
    int depth = 1 + (depth_of(x) > depth_of(y) ? depth_of(x) : depth_of(y));
    if (depth > MAX_DEPTH || diagram_size(g->conditions, first, MAX_NODES) > MAX_NODES)
        return x;
    const uint64_t key[] = {(uint64_t)(uintptr_t)x, (uint64_t)(uintptr_t)y, first};
    void **known = memo_at(g->taken, key, COUNT(key));
    if (*known)
        return *known;
    struct step_choice is = {.first = first, .of = {x, y}, .depth = depth};
    struct step *made = *known = arena_copy(g->lineage, x, sizeof *x);
    made->choice = arena_copy(g->lineage, &is, sizeof is);
    made->has_choice = true;
    return made;
}

const struct step *guard_choose_step(const struct state *s, diagram condition, const struct step *x,
                                     const struct step *y)
{
    struct conditions *c = s->guards->conditions;
    if (x == y || !x || !y)
        return x ? x : y;
    /* Of two that have an origin in common, one choice is enough. */
    const struct step_choice *of = y->choice;
    if (of && of->of[0] == x)
        return either(s, condition_or(c, condition, of->first), x, of->of[1]);
    if (of && of->of[1] == x)
        return either(s, condition_or(c, condition, condition_not(c, of->first)), x, of->of[0]);
    of = x->choice;
    if (of && of->of[0] == y)
        return either(s, condition_or(c, condition_not(c, condition), of->first), y, of->of[1]);
    if (of && of->of[1] == y)
        return either(s, condition_and(c, condition, of->first), of->of[0], y);
    return either(s, condition, x, y);
}

/* ---- which it is ----------------------------------------------------------------------------- */

struct resolution {
    struct guards *guards;
    diagram care;
    int looks;
};

static const struct step *resolve(struct resolution *r, const struct step *how);

static const struct step *resolve_choice(struct resolution *r, const struct step *how)
{
    struct conditions *c = r->guards->conditions;
    const struct step_choice *is = how->choice;
    if (!condition_meets(c, r->care, is->first))
        return resolve(r, is->of[1]);
    r->care = condition_and(c, r->care, is->first); /* of other operands, what goes with it */
    return resolve(r, is->of[0]);
}

/* The step with others before it. */
static const struct step *with_steps(struct guards *g, const struct step *how,
                                     const struct step *const from[2], const struct step *on)
{
    const uint64_t key[] = {(uint64_t)(uintptr_t)how, (uint64_t)(uintptr_t)from[0],
                            (uint64_t)(uintptr_t)from[1], (uint64_t)(uintptr_t)on};
    void **known = memo_at(g->taken, key, COUNT(key));
    if (*known)
        return *known;
    struct step *made = *known = arena_copy(g->lineage, how, sizeof *how);
    made->from[0] = from[0];
    made->from[1] = from[1];
    made->on = on;
    made->has_choice = false;
    for (int i = 1; i < COUNT(made->near); i++)
        made->near[i] = hash_words(made->near[0], from[0] ? from[0]->near[i - 1] : 0,
                                   from[1] ? from[1]->near[i - 1] : 0);
    return made;
}

static const struct step *resolve(struct resolution *r, const struct step *how)
{
    if (!how || !how->has_choice || ++r->looks > MAX_LOOKS)
        return how;
    if (how->choice)
        return resolve_choice(r, how);
    const struct step *from[2] = {resolve(r, how->from[0]), resolve(r, how->from[1])};
    const struct step *on = how->on == how->from[0]   ? from[0]
                            : how->on == how->from[1] ? from[1]
                                                      : resolve(r, how->on);
    bool is_same = from[0] == how->from[0] && from[1] == how->from[1] && on == how->on;
    return is_same ? how : with_steps(r->guards, how, from, on);
}

diagram state_runs(const struct state *s)
{
    const struct cases *k = s->cases;
    return k ? condition_and(s->guards->conditions, k->path, k->care) : s->path;
}

const struct step *step_in_runs(const struct state *s, const struct step *how, diagram *runs)
{
    if (!how || !how->has_choice || *runs == DIAGRAM_NO)
        return how;
    struct resolution r = {.guards = s->guards, .care = *runs};
    const struct step *is = resolve(&r, how);
    *runs = r.care;
    return is;
}

const struct step *state_step(const struct state *s, const struct step *how)
{
    diagram runs = how && how->has_choice ? state_runs(s) : DIAGRAM_YES;
    return step_in_runs(s, how, &runs);
}

static const struct step *read_step(const struct state *s, const struct step *how)
{
    diagram runs = state_runs(s);
    for (int n = 0; how && how->choice && runs != DIAGRAM_NO && n < MAX_DEPTH; n++) {
        bool is_first = condition_meets(s->guards->conditions, runs, how->choice->first);
        if (is_first && !condition_implies(s->guards->conditions, runs, how->choice->first))
            return how;
        how = how->choice->of[!is_first];
    }
    return how;
}

const struct step *guard_read_step(const struct state *s, const struct step *how)
{
    struct guards *g = s->guards;
    if (!how || !how->choice)
        return how;
    if (!g->steps)
        g->steps = arena_array(g->arena, struct read_step, READS);
    diagram path = s->cases ? s->cases->path : s->path;
    diagram care = s->cases ? s->cases->care : DIAGRAM_YES;
    uint64_t hash = hash_words((uint64_t)path << 32 | care, (uint64_t)(uintptr_t)how, 0);
    struct read_step *before = &g->steps[hash & (READS - 1)];
    if (before->of != how || before->path != path || before->care != care)
        *before = (struct read_step){how, read_step(s, how), path, care};
    return before->is;
}
