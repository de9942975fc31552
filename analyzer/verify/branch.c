/* Why a finding was not reached: the branches on the way to it come in, with the runs of a build
 * that reports which of them it takes; out goes the first branch that the run which came nearest
 * did not take, and what it needed. */
#include "analyzer/verify/branch.h"

#include "analyzer/verify/judge.h"

#include <string.h>

enum { MOST_BRANCHES = 200, MOST_STEPS = 16 };

/* ---- which they are -------------------------------------------------------------------------- */

static bool is_same(const struct condition *a, const struct condition *b)
{
    return a->span.line == b->span.line && a->span.column == b->span.column &&
           !strcmp(a->span.file, b->span.file);
}

static bool is_wanted(struct verifier *v, const struct condition *list, const struct condition *c)
{
    return c->span.line && condition_is_shown(sources_get(v->sources, c->span.file), list, c);
}

static void add_list(struct verifier *v, const struct condition *list, condition_list *out)
{
    condition_list found = {0};
    for (const struct condition *c = list; c; c = c->before)
        if (is_wanted(v, list, c))
            LIST_ADD(v->arena, &found, c);
    for (int i = found.count; i-- > 0;) { /* the first one is last */
        bool known = out->count >= MOST_BRANCHES;
        for (int k = 0; k < out->count && !known; k++)
            known = is_same(out->items[k], found.items[i]);
        if (!known)
            LIST_ADD(v->arena, out, found.items[i]);
    }
}

/* What the analysis kept of a step, and what its place needs: in a loop, paths meet. */
static void add_steps(struct verifier *v, const struct step *s, condition_list *out)
{
    for (int i = 0; s && i < MOST_STEPS; i++, s = s->from[0]) {
        add_list(v, s->when, out);
        if (s->inst && s->function)
            add_list(v,
                     control_conditions(v, s->function, s->inst, control_of_frames(v, s->called)),
                     out);
    }
}

/* Of the case of a call that the finding is about; else of the first path. */
static void add_call(struct verifier *v, const struct flow_call *c, const struct finding *f,
                     condition_list *out)
{
    const struct flow_case *found = NULL;
    for (int i = 0; i < c->case_count && !found; i++)
        if (c->cases[i].has_result && c->cases[i].result.dtypes & f->dtypes)
            found = &c->cases[i];
    const struct flow_operand *operands = found ? found->operands : c->operands;
    for (int i = 0; i < c->operand_count; i++)
        add_steps(v, operands[i].how, out);
    if (found)
        add_steps(v, found->how, out);
    if (found)
        add_list(v, found->when, out);
}

condition_list branches_of(struct verifier *v, const struct finding *f)
{
    condition_list own = {0};
    const struct flow_failure *failure = f->failure;
    const struct flow_call *c = failure ? NULL : call_of(v, f);
    for (int i = 0; failure && i < failure->operand_count; i++)
        add_steps(v, failure->operands[i].how, &own);
    if (failure)
        add_list(v, failure->when, &own);
    if (c)
        add_call(v, c, f, &own);
    if (failure)
        add_list(v,
                 control_conditions(v, failure->function, failure->inst,
                                    control_of_frames(v, failure->called)),
                 &own);
    else if (c)
        add_list(v, control_conditions(v, c->function, c->inst, control_of_frames(v, c->called)),
                 &own);
    return own;
}

void branches_add(struct verifier *v, const condition_list *own, condition_list *all)
{
    for (int i = 0; i < own->count; i++) {
        bool known = all->count >= MOST_BRANCHES;
        for (int k = 0; k < all->count && !known; k++)
            known = is_same(all->items[k], own->items[i]);
        if (!known)
            LIST_ADD(v->arena, all, own->items[i]);
    }
}

/* ---- which were taken ------------------------------------------------------------------------ */

static bool is_taken(const struct condition *c, int64_t value)
{
    return c->is_case ? (value == c->value) == c->truth : (value != 0) == c->truth;
}

/* Whether the run came there, and went the way that is needed, or another one, at least once. */
static bool took(const struct run *r, int branch, const struct condition *c, bool as_needed)
{
    for (int i = 0; i < r->events.count; i++) {
        const json_t *o = json_object_get(r->events.items[i].raw, "branch");
        const json_t *value = json_object_get(r->events.items[i].raw, "value");
        if (json_is_integer(o) && json_integer_value(o) == branch &&
            is_taken(c, json_integer_value(value)) == as_needed)
            return true;
    }
    return false;
}

static int index_of(const condition_list *all, const struct condition *c)
{
    for (int i = 0; i < all->count; i++)
        if (is_same(all->items[i], c))
            return i;
    return -1;
}

bool run_meets(const condition_list *own, const struct run *r)
{
    bool met = r->branches && own->count && r->complete && !r->cut;
    for (int i = 0; i < own->count && met; i++) {
        int branch = index_of(&r->branches->all, own->items[i]);
        met = branch >= 0 && took(r, branch, own->items[i], true) &&
              (own->items[i]->is_over || !took(r, branch, own->items[i], false));
    }
    return met;
}

int nearest_run_take(const struct run *r, bool is_there, struct nearest_run *n)
{
    const condition_list *own = &n->own;
    const struct condition *first = NULL;
    int missing = 0;
    for (int i = 0; i < own->count; i++) {
        int branch = index_of(&r->branches->all, own->items[i]);
        if (branch < 0 || took(r, branch, own->items[i], true))
            continue;
        missing++;
        bool is_seen = !is_there || took(r, branch, own->items[i], false);
        first = first || !is_seen ? first : own->items[i];
    }
    n->met |= run_meets(own, r);
    n->took_all |= !first;
    if (first && (!n->needed || missing < n->missing)) {
        n->needed = first;
        n->missing = missing;
    }
    return missing;
}

const char *nearest_run_text(struct verifier *v, const struct nearest_run *n)
{
    const struct condition *c = n->took_all ? NULL : n->needed;
    const struct source *s = c ? sources_get(v->sources, c->span.file) : NULL;
    if (!s)
        return NULL;
    const char *slash = strrchr(c->span.file, '/');
    return arena_printf(v->arena, "%s:%d needs %s", slash ? slash + 1 : c->span.file, c->span.line,
                        condition_text(v->arena, c, source_text(v->arena, s, &c->span)));
}
