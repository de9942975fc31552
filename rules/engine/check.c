/* Runs every rule: on each failure, which exactly one rule claims; on each call that was reached;
 * on the program. */
#include "rules/engine/engine.h"

#include <stdlib.h>
#include <string.h>

/* ---- failures ------------------------------------------------------------------------------- */

static const struct rule *fallback_of(enum error_kind kind)
{
    for (int i = 0; i < RULE_COUNT; i++)
        if (rules[i].run->fallback == kind)
            return &rules[i];
    BUG("no rule for errors of kind %s", error_kind_name(kind));
}

/* The rule that claims the failure, among the general ones or among the others. */
static const struct rule *claiming(const struct failing *f, bool general)
{
    const struct rule *found = NULL;
    for (int i = 0; i < RULE_COUNT; i++) {
        const struct rule_code *run = rules[i].run;
        if (run->general != general || !run->claims || !run->claims(f))
            continue;
        if (found)
            BUG("both %s and %s claim '%s'", found->name, rules[i].name, f->message);
        found = &rules[i];
    }
    return found;
}

static const struct rule *rule_of(const struct failing *f)
{
    const struct rule *r = claiming(f, false);
    r = r ? r : claiming(f, true);
    return r ? r : fallback_of(f->failure->kind);
}

/* Whether the operand comes from outside: a parameter of a function without callers, a file. */
static bool is_unspecified(struct check *c, const struct failing_operand *o, enum aspect aspect)
{
    uint64_t set = aspect == ASPECT_DTYPE ? o->fact.dtypes : o->fact.devices;
    if (is_one(set))
        return false;
    const struct step *s =
        deciding_step(c, o->how, aspect, aspect == ASPECT_DTYPE ? set : fact_places(&o->fact));
    return !s || !s->inst || (aspect == ASPECT_DTYPE && dtypes_are_any(set));
}

/* If two operands can each have several dtypes or devices, no run may combine those that differ:
 * they may be correlated. */
static bool is_blurred(const struct failing *f, enum aspect aspect)
{
    int several = 0;
    for (int k = 0; k < f->count; k++) {
        const struct fact *is = &f->operands[k].fact;
        several +=
            f->operands[k].blamed && !is_one(aspect == ASPECT_DTYPE ? is->dtypes : is->devices);
    }
    return several > 1;
}

/* Whether it is unknown for every operand if it requires a gradient: a finding would be a guess. */
static bool is_grad_unknown(const struct failing *f)
{
    enum error_kind kind = f->failure->kind;
    bool known = !f->count || f->failure->always;
    if (kind != ERROR_GRAD && kind != ERROR_LEAF)
        return false;
    for (int k = 0; k < f->count; k++) {
        const struct fact *is = &f->operands[k].fact;
        bool changes = f->operands[k].param->written || f->operands[k].param->many ||
                       f->failure->callee->effects & EFFECT_REQUIRE_GRAD;
        bool meant = f->operands[k].blamed && (kind == ERROR_GRAD || changes);
        bool grad_known = is->grad != TRI_MAYBE && !is->grad_open;
        known |= meant && grad_known && (kind == ERROR_GRAD || is->leaf != TRI_MAYBE);
    }
    return !known;
}

/* The only operand that is blamed would have to be complex, and can have any float dtype where the
 * call fails, since nobody said which: complex dtypes are not counted among those. */
static bool may_be_complex(const struct failing *f)
{
    for (int k = 0; k < f->count && failing_blamed_count(f) == 1; k++) {
        const struct failing_operand *o = &f->operands[k];
        if (o->blamed && (o->fact.dtypes & SET_FLOATS) == SET_FLOATS &&
            failing_works_with(f, o, DTYPE_C64) && !failing_works_with(f, o, DTYPE_F32))
            return true;
    }
    return false;
}

/* Whether dtypes alone make the call fail in every combination, none of which fails otherwise. */
static bool fails_by_dtype(const struct check *c, const struct flow_failure *r)
{
    if (r->kind != ERROR_DTYPE || !r->always)
        return false;
    for (int i = 0; i < flow_failure_count(c->in->flow); i++) {
        const struct flow_failure *f = flow_failure_at(c->in->flow, i);
        if (f != r && f->function == r->function && f->inst == r->inst && f->kind != ERROR_DTYPE)
            return false;
    }
    return true;
}

/* An operand can be many things because it comes from outside: that the call fails for some of them
 * is no evidence. */
static bool is_guess(struct check *c, const struct failing *f)
{
    enum aspect aspect = f->failure->kind == ERROR_DEVICE ? ASPECT_DEVICE : ASPECT_DTYPE;
    bool outside = f->failure->kind == ERROR_SHAPE || is_blurred(f, aspect);
    for (int k = 0; k < f->count; k++)
        outside |= f->operands[k].blamed && is_unspecified(c, &f->operands[k], aspect);
    bool always = fails_by_dtype(c, f->failure) || failing_always(f);
    return (outside && !always) || is_grad_unknown(f) || may_be_complex(f);
}

/* Whether it follows from another failure that is reported: one without a cause, or the first of
 * those that cause each other. */
static bool is_consequence(struct check *c, const struct flow_failure *r)
{
    const struct flow_failure *behind = root_cause_of(c, r);
    if (!behind)
        return false;
    for (int i = 0; i < flow_failure_count(c->in->flow); i++) {
        const struct flow_failure *f = flow_failure_at(c->in->flow, i);
        if (f == behind)
            return true;
        if (f == r)
            return root_cause_of(c, behind) != r;
    }
    return false;
}

static bool distinguishes_gpus(const struct failing *f)
{
    bool told = false;
    for (int k = 0; k < f->count; k++)
        told |= f->operands[k].is.device == DEVICE_CUDA && gpus_are_apart(f->operands[k].is.gpus);
    return told;
}

/* Whether the operand is one of several and the call fails with all of them: the condition under
 * which it is this one says nothing about the failure. */
static bool fails_either_way(const struct check *c, const struct failing *f,
                             const struct failing_operand *o)
{
    const struct flow_value *v =
        o->value ? flow_value_of(c->in->flow, f->failure->function, o->value) : NULL;
    return f->failure->always &&
           (!is_one(o->dtypes) || !is_one(fact_places(&o->fact)) || (v && v->other_way_count));
}

static void add_origins(struct check *c, const struct failing *f, struct finding *out)
{
    bool device = failing_is_device(f);
    enum aspect aspect = distinguishes_gpus(f) ? ASPECT_GPU : ASPECT_DEVICE;
    bool handed_in = false;
    const struct flow_call *call =
        flow_call_of(c->in->flow, f->failure->function, f->failure->inst);
    for (int k = 0; k < f->count; k++) {
        const struct failing_operand *o = &f->operands[k];
        if (!o->blamed)
            continue;
        finding_mark(c, out, o->span);
        handed_in |= is_from_outside(f->failure->function, o->value);
        int before = out->origins.count;
        if (device && o->is.device < DEVICE_COUNT) {
            origin_add(c, out, o->name, o->how, aspect, operand_places(&o->is));
            if (call && !is_one(fact_places(&call->operands[o->index].fact)))
                origin_add_argument(c, out, before, o->how, aspect, operand_places(&o->is));
        } else if (o->is.dtype)
            origin_add(c, out, o->name, o->how, ASPECT_DTYPE, DTYPE_BIT(o->is.dtype));
        for (int i = before; i < out->origins.count && fails_either_way(c, f, o); i++)
            out->origins.items[i].when = NULL;
    }
    if (handed_in && call && call->several)
        origin_add_call(c, out, f->failure->called);
}

/* A failure that can only be reached past another one is a note, as is one that the program
 * handles.
 */
static enum severity severity_of(const struct flow_failure *r)
{
    return r->past || r->caught ? SEVERITY_NOTE : r->always ? SEVERITY_ERROR : SEVERITY_WARNING;
}

bool is_selected(const struct check *c, const struct ir_function *f)
{
    const struct check_watch *w = c->in->watch;
    return !w || w->about(w->context, f);
}

/* A failure on some path is not reported if it is not known that a run takes that path. Ranks are
 * the weakest case: a tensor that is looked up by name has the rank of all that are stored there.
 */
static bool is_uncertain(const struct flow_failure *r)
{
    return r->unknown || (r->caught && !r->always) ||
           ((r->blurred || r->kind == ERROR_SHAPE) && !r->always);
}

static bool has_condition(const struct finding *f)
{
    for (int i = 0; i < f->origins.count; i++)
        if (f->origins.items[i].when && !f->origins.items[i].is_given)
            return true;
    return false;
}

static void check_failure(struct check *c, const struct flow_failure *r)
{
    struct failing f;
    if (is_uncertain(r) || !is_selected(c, r->function))
        return;
    failing_view(c, r, &f);
    c->rule = rule_of(&f);
    bool is_no_evidence = is_guess(c, &f) || (c->rule->run->is_guess && c->rule->run->is_guess(&f));
    if (f.impossible || is_no_evidence || is_consequence(c, r) || !c->selected[c->rule - rules])
        return;
    struct finding *out = finding_new(c, severity_of(r), r->function,
                                      r->function->insts.items[r->inst].span, "%s", f.message);
    out->failure = r;
    out->past = r->past;
    add_origins(c, &f, out);
    if (c->rule->run->refine)
        c->rule->run->refine(c, &f, out);
    if (!r->always && !has_condition(out))
        origin_add_condition(c, out, &out->span, r->when);
    if (r->caught) {
        out->message = arena_printf(c->in->arena, "%s; the program handles this", out->message);
        out->fix = (struct fix){0};
    }
    if (r->past)
        out->message = arena_printf(c->in->arena, "%s, once the call that fails before it is fixed",
                                    out->message);
}

/* ---- facts ---------------------------------------------------------------------------------- */

static void say_past(struct check *c, struct finding *f)
{
    f->past = true;
    f->message =
        arena_printf(c->in->arena, "%s, once the call that fails before it is fixed", f->message);
}

/* What was found about a call that no run gets to is a consequence, and cannot be fixed yet. */
static void mark_past(struct check *c, const struct call *call, int before)
{
    struct span at = call_span(call);
    for (int k = before; k < c->out->count; k++) {
        struct finding *f = c->out->items[k];
        if (f->past || memcmp(&f->span, &at, sizeof at) != 0 || !comes_after_failure(call))
            continue;
        say_past(c, f);
        f->severity = SEVERITY_NOTE;
        f->fix = (struct fix){0};
    }
}

/* done: the rules that found something. */
static void check_call(struct check *c, const struct call *call, bool *done)
{
    for (int i = 0; i < RULE_COUNT; i++)
        if (c->selected[i] && rules[i].run->call) {
            int before = c->out->count;
            c->rule = &rules[i];
            rules[i].run->call(c, call);
            done[i] = c->out->count > before;
            mark_past(c, call, before);
        }
}

/* ---- facts by case --------------------------------------------------------------------------- */

static int depth_of(const struct condition *when)
{
    int n = 0;
    for (; when; when = when->before)
        n++;
    return n;
}

/* Cases with few conditions come first: a finding in several is reported in the simplest. */
static int compare_cases(const void *x, const void *y)
{
    const struct flow_case *a = *(const struct flow_case *const *)x,
                           *b = *(const struct flow_case *const *)y;
    int m = depth_of(a->when), n = depth_of(b->when);
    return m != n ? (m > n) - (m < n) : (a > b) - (a < b);
}

/* The condition and the caller of the case, unless the lineage says them; and the dtypes of its
 * result, unless another result shows the finding. */
static void explain_case(struct check *c, struct finding *f, const struct flow_call *seen,
                         const struct flow_case *in)
{
    struct span at = seen->function->insts.items[seen->inst].span;
    if (!f->dtypes && in->has_result && !memcmp(&at, &f->span, sizeof at))
        f->dtypes = in->result.dtypes;
    if (!has_condition(f))
        origin_add_condition(c, f, &at, in->when);
    if (seen->several && !strcmp(f->function, seen->function->name))
        origin_add_call(c, f, in->called);
}

static void check_case(struct check *c, const struct flow_call *seen, const struct flow_case *in,
                       bool *done)
{
    struct call call;
    c->by_case = in;
    c->in_function = seen->function;
    call_view_case(c, seen, in, &call);
    for (int i = 0; i < RULE_COUNT; i++) {
        int before = c->out->count;
        if (!c->selected[i] || !rules[i].run->by_case || done[i])
            continue;
        c->rule = &rules[i];
        rules[i].run->call(c, &call);
        done[i] = c->out->count > before;
        for (int k = before; k < c->out->count; k++)
            explain_case(c, c->out->items[k], seen, in);
        mark_past(c, &call, before);
    }
}

static void check_by_case(struct check *c, const struct flow_call *seen, bool *done)
{
    const struct flow_case *order[2 * FLOW_CASES];
    if (seen->case_count + (seen->has_more || seen->fails) < 2)
        return;
    for (int i = 0; i < seen->case_count; i++)
        order[i] = &seen->cases[i];
    qsort(order, (size_t)seen->case_count, sizeof *order, compare_cases);
    for (int i = 0; i < seen->case_count; i++)
        check_case(c, seen, order[i], done);
    c->by_case = NULL;
}

static void check_calls(struct check *c)
{
    struct call call;
    for (int i = 0; i < flow_call_count(c->in->flow); i++) {
        const struct flow_call *seen = flow_call_at(c->in->flow, i);
        bool done[RULE_COUNT] = {false};
        if (!is_selected(c, seen->function) || !call_view(c, seen->function, seen->inst, &call))
            continue;
        check_call(c, &call, done);
        check_by_case(c, seen, done);
    }
}

static void check_program(struct check *c)
{
    for (int i = 0; i < RULE_COUNT; i++)
        if (c->selected[i] && rules[i].run->program) {
            c->rule = &rules[i];
            rules[i].run->program(c);
        }
}

/* In the words of the language that the file is in. */
static void finding_spell(struct check *c, struct finding *f)
{
    struct arena *a = c->in->arena;
    fix_spell(c, f);
    const struct language *l = language_of_file(f->span.file);
    f->message = language_spell(a, l, f->message);
    f->fix.what = language_spell(a, l, f->fix.what);
}

void rules_check(const struct check_input *in, const bool *selected, finding_list *out)
{
    struct check c = {.in = in,
                      .selected = selected,
                      .out = out,
                      .codes = map_new(in->arena),
                      .reported = map_new(in->arena)};
    failures_index(&c);
    for (int i = 0; i < flow_failure_count(in->flow); i++)
        check_failure(&c, flow_failure_at(in->flow, i));
    check_calls(&c);
    check_program(&c);
    for (int i = 0; i < out->count; i++)
        finding_spell(&c, out->items[i]);
}
