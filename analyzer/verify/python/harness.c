/* A function that no program calls: a finding comes in, and out go words for the harness of the
 * watcher (watcher/harness/), which makes arguments and changes them until the call gets to the
 * finding: where that is, on which device it happens, and in which floating-point dtype. Arguments
 * are never a mixture of devices or of such dtypes: what fails with them is the function's own. */
#include "analyzer/verify/python/private.h"

#include "analyzer/verify/judge.h"

#include <stdlib.h>
#include <string.h>

/* After a run that raised something else at the place, another is made. */
enum { MOST_RUNS = 3, MOST_LEAVES = 64, MOST_OPTIONS = 12 };

struct inputs {
    struct verifier *v;
    const struct finding *finding;
    text_list others; /* messages of errors at the place that are not the finding's */
    int runs;
    choice_list choices; /* of the command line, for a function that takes nothing else */
    int tried;           /* of these */
};

/* ---- what the finding needs -------------------------------------------------------------------
 */

static bool is_only_cuda(const struct fact *f)
{
    return f->devices == 1u << DEVICE_CUDA;
}

static bool is_on_cuda(struct verifier *v, const struct finding *f)
{
    const struct flow_failure *failure = f->failure;
    const struct flow_call *c = failure ? NULL : call_of(v, f);
    for (int i = 0; failure && i < failure->operand_count; i++) {
        const struct flow_failing *o = &failure->operands[i];
        bool said = failure->failing && o->param < failure->failing_count &&
                    failure->failing[o->param].device == DEVICE_CUDA;
        if (said || is_only_cuda(&o->fact))
            return true;
    }
    for (int i = 0; c && i < c->operand_count; i++)
        if (c->operands[i].kind == OPERAND_TENSOR && is_only_cuda(&c->operands[i].fact))
            return true;
    return false;
}

/* The only floating-point dtype that it can have; DTYPE_NONE: there are several, or it is none. */
static enum dtype only_float(const struct fact *f)
{
    static const enum dtype floats[] = {DTYPE_F16, DTYPE_BF16, DTYPE_F32, DTYPE_F64};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        if (f->dtypes == (dtype_set)1 << floats[i])
            return floats[i];
    return DTYPE_NONE;
}

/* Of what comes from outside, in the steps behind an operand. */
static enum dtype dtype_from_outside(const struct step *s, int *left)
{
    enum dtype found = DTYPE_NONE;
    if (!s || (*left)-- <= 0)
        return found;
    if (!s->inst && s->place)
        return only_float(&s->fact);
    for (int i = 0; i < 2 && found == DTYPE_NONE; i++)
        found = dtype_from_outside(s->from[i], left);
    return found;
}

/* In which floating-point dtype it happens; of what raises nothing, by its result or operands. */
static enum dtype float_of(struct verifier *v, const struct finding *f)
{
    const struct flow_call *c = f->failure ? NULL : call_of(v, f);
    enum dtype found = only_float(&(struct fact){.dtypes = f->dtypes});
    for (int i = 0; c && i < c->operand_count && found == DTYPE_NONE; i++) {
        int left = MOST_LEAVES;
        found = dtype_from_outside(c->operands[i].how, &left);
    }
    for (int i = 0; f->failure && i < f->failure->operand_count && found == DTYPE_NONE; i++) {
        int left = MOST_LEAVES;
        found = dtype_from_outside(f->failure->operands[i].how, &left);
    }
    return found;
}

static json_t *target_of(const struct inputs *i)
{
    const struct finding *f = i->finding;
    enum dtype dtype = float_of(i->v, f);
    json_t *at = json_array(), *others = json_array();
    for (int k = 0; k < i->others.count; k++)
        json_array_append_new(others, json_string(i->others.items[k]));
    json_array_append_new(at, span_json(i->v, proof_span(f)));
    if (f->failure)
        json_array_append_new(
            at, span_json(i->v, &f->failure->function->insts.items[f->failure->inst].span));
    return json_pack("{s:o,s:s,s:s,s:b,s:o}", "at", at, "device",
                     is_on_cuda(i->v, f) ? "cuda" : "cpu", "dtype",
                     dtype_word(dtype == DTYPE_NONE ? DTYPE_F32 : dtype), "goes_well", !f->failure,
                     "others", others);
}

/* ---- from run to run --------------------------------------------------------------------------
 */

struct inputs *python_inputs_for(struct verifier *v, const struct build *b, const struct finding *f)
{
    struct inputs *i = arena_one(v->arena, struct inputs);
    const struct ir_function *called = function_of(b->program->entry, b->function);
    *i = (struct inputs){.v = v, .finding = f};
    if (called && !called->param_count)
        python_choices_of(v, b->program, &i->choices);
    return i;
}

/* Notes what the run raised at the place. False: nothing new. */
static bool learn(struct inputs *i, const struct run *last)
{
    const struct judging j = {i->v, i->finding, last, NULL, last->directory, NULL};
    int before = i->others.count;
    for (int k = 0; k < last->events.count; k++) {
        const struct event *e = &last->events.items[k];
        bool known = !e->error || !event_is_at(&j, e);
        for (int n = 0; n < i->others.count && !known; n++)
            known = !strcmp(i->others.items[n], e->error);
        if (!known)
            LIST_ADD(i->v->arena, &i->others, arena_printf(i->v->arena, "%s", e->error));
    }
    return i->others.count > before;
}

static const char *const *words_for(struct inputs *i, const char *option)
{
    json_t *target = target_of(i);
    char *text = json_dumps(target, JSON_COMPACT);
    const char **words = arena_array(i->v->arena, const char *, 3);
    words[0] = arena_printf(i->v->arena, "%s", text ? text : "{}");
    words[1] = option;
    free(text);
    json_decref(target);
    return words;
}

/* The next option on the command line, by itself; NULL: there is no other. */
static const char *next_option(struct inputs *i)
{
    while (i->tried < i->choices.count && i->tried < MOST_OPTIONS) {
        const struct line_choice *c = &i->choices.items[i->tried++];
        if (!c->variable && c->flag)
            return arena_printf(i->v->arena, "%s%s", c->flag, c->value ? c->value : "");
    }
    return NULL;
}

const char *const *python_inputs_next(struct inputs *i, const struct run *last)
{
    bool learnt = last && i->runs < MOST_RUNS && learn(i, last);
    i->runs += learnt;
    const char *option = last && !learnt ? next_option(i) : NULL;
    return !last || learnt || option ? words_for(i, option) : NULL;
}
