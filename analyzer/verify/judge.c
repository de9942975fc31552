/* Verdicts: a finding and the events of a run come in. A call that was predicted to fail is
 * confirmed when it raised an error of that kind at that place, and refuted when it succeeded with
 * the operands that it was predicted to fail with. Findings that raise nothing are for proof.c. */
#include "analyzer/verify/judge.h"

#include "analyzer/verify/branch.h"
#include "analyzer/verify/runner.h"

#include <string.h>

/* ---- calls that fail ---------------------------------------------------------------------------
 */

static bool is_cuda(const struct event_tensor *t)
{
    return !strncmp(t->device, "cuda", 4);
}

/* Whether a tensor is one of those that an operand was predicted to be. */
static bool is_possible(const struct flow_failing *said, const struct event_tensor *t)
{
    enum device device = is_cuda(t) ? DEVICE_CUDA : DEVICE_CPU;
    return said->fact.dtypes >> dtype_named(t->dtype) & 1 && said->fact.devices >> device & 1;
}

static bool is_that(const struct operand *said, const struct event_tensor *t)
{
    return (said->dtype == DTYPE_NONE || said->dtype == dtype_named(t->dtype)) &&
           (said->device >= DEVICE_COUNT || is_cuda(t) == (said->device == DEVICE_CUDA));
}

/* The tensor that an operand was: by its name, else by its position among tensors, because packs
 * need not use the runtime's names. NULL: it was not reported. */
static const struct event_tensor *counterpart(const struct flow_failure *f,
                                              const struct flow_failing *o, const struct event *e)
{
    int nth = 0;
    for (int k = 0; k < e->operand_count && o->name; k++)
        if (e->operands[k].name && e->operands[k].dtype && !strcmp(e->operands[k].name, o->name))
            return &e->operands[k];
    for (int i = 0; i < o->param && i < f->callee->param_count; i++)
        nth += f->callee->params[i].kind == OPERAND_TENSOR;
    return nth < e->operand_count && e->operands[nth].dtype ? &e->operands[nth] : NULL;
}

/* Whether the operands were what they were predicted to be. */
static bool is_expected(const struct flow_failure *f, const struct event *e)
{
    for (int i = 0; i < f->operand_count; i++) {
        const struct event_tensor *t = counterpart(f, &f->operands[i], e);
        if (t && !is_possible(&f->operands[i], t))
            return false;
    }
    return true;
}

/* Whether all of them were what the call was predicted to fail with. */
static bool is_as_said(const struct flow_failure *f, const struct event *e)
{
    for (int i = 0; i < f->operand_count; i++) {
        const struct flow_failing *o = &f->operands[i];
        const struct event_tensor *t = counterpart(f, o, e);
        if (!t || !is_possible(o, t) || o->param >= f->failing_count ||
            !is_that(&f->failing[o->param], t))
            return false;
    }
    return f->failing && f->operand_count;
}

/* Values that do not fit each other are also reported as an argument error. */
static bool is_kind(const struct event *e, enum error_kind k)
{
    return e->error_kind && (!strcmp(e->error_kind, error_kind_name(k)) ||
                             (k == ERROR_VALUE && !strcmp(e->error_kind, "argument")));
}

/* Whether it was predicted to fail with operands on several devices. */
static bool is_apart(const struct flow_failure *f)
{
    enum device first = DEVICE_COUNT;
    for (int i = 0; i < f->operand_count && f->failing; i++) {
        int param = f->operands[i].param;
        enum device now = param < f->failing_count ? f->failing[param].device : DEVICE_COUNT;
        if (now < DEVICE_COUNT && first < DEVICE_COUNT && now != first)
            return true;
        first = now < DEVICE_COUNT ? now : first;
    }
    return false;
}

/* Whether it was predicted to fail because of the dtype that the operation lacks: of all its
 * operands, which fit each other. */
static bool is_lacking(const struct flow_failure *f, const struct event *e)
{
    enum dtype lacks = !e->error_kind                             ? DTYPE_NONE
                       : !strcmp(e->error_kind, EVENT_LACKS_F16)  ? DTYPE_F16
                       : !strcmp(e->error_kind, EVENT_LACKS_BF16) ? DTYPE_BF16
                                                                  : DTYPE_NONE;
    dtype_set all = 0;
    for (int i = 0; i < f->operand_count; i++)
        all |= f->operands[i].value ? f->operands[i].fact.dtypes : 0;
    return lacks != DTYPE_NONE && f->kind == ERROR_DTYPE && all == DTYPE_BIT(lacks);
}

/* Some calls compare devices with dtypes, as one type: versions differ in which of them they name.
 * A scaler refuses dtypes, or else what was not done before. */
static bool is_predicted(const struct flow_failure *f, const struct event *e)
{
    if (f->kind == ERROR_UNSCALE && is_about_narrow_gradients(e) != (f->operand_count > 0))
        return false;
    return is_kind(e, f->kind) || is_lacking(f, e) ||
           (e->deferred && f->kind == ERROR_CAST && is_kind(e, ERROR_DTYPE)) ||
           (f->kind == ERROR_DTYPE && is_apart(f) && is_kind(e, ERROR_DEVICE));
}

/* Or else the use of a pointer that the call returned; the call itself succeeds. */
static bool is_call(const struct flow_failure *f)
{
    enum ir_op op = f->function->insts.items[f->inst].op;
    return op == IR_CALL || ir_op_is_dynamic(op);
}

/* Whether the event is of the call that was predicted to fail. Where places have columns, whatever
 * happens at the place is a part of it. */
static bool is_same_call(struct verifier *v, const struct flow_failure *f, const struct event *e)
{
    return is_call(f) && (!strcmp(e->op, f->callee->shown) ||
                          event_is_exact(v, &f->function->insts.items[f->inst].span, e));
}

/* A size of raw memory: a call that goes beyond it need not notice. */
static bool is_about_memory(const struct flow_failure *f)
{
    for (int i = 0; i < f->callee->param_count && f->kind == ERROR_VALUE; i++)
        if (f->callee->params[i].kind == OPERAND_BUFFER)
            return true;
    return false;
}

/* "…: x was f32 on cpu, weight f32 on cpu" */
static const char *otherwise_text(const struct judging *j, const struct flow_failure *f,
                                  const struct event *e)
{
    struct text out = {0};
    text_add(&out, "executed this line, but not with the operands that fail");
    for (int i = 0, n = 0; i < f->operand_count; i++) {
        const struct event_tensor *t = counterpart(f, &f->operands[i], e);
        if (!t)
            continue;
        text_printf(&out, "%s%s %s%s on %s", n ? ", " : ": ",
                    t->name ? t->name : f->operands[i].name, n ? "" : "was ", t->dtype, t->device);
        n++;
    }
    return text_keep(j->v->arena, &out);
}

/* Whether dtypes and devices of its operands, which events have, decide whether it fails. */
static bool is_of_operands(const struct flow_failure *f)
{
    return f->operand_count &&
           (f->kind == ERROR_DTYPE || f->kind == ERROR_DEVICE || f->kind == ERROR_CAST);
}

/* The version that it ran with, where the finding is about another. */
static const char *differs_text(const struct judging *j)
{
    const struct runner *runner = j->v->in->runner;
    return runner->differs ? runner->differs(j->v, j->run) : NULL;
}

/* Errors that follow from what was done before, and so from what an earlier error left undone. */
static bool is_of_history(const struct flow_failure *f)
{
    return (f->kind == ERROR_UNSCALE && !f->operand_count) || f->kind == ERROR_GRAD ||
           f->kind == ERROR_VERSION;
}

static void judge_failure(const struct judging *j)
{
    const struct flow_failure *f = j->finding->failure;
    bool is_error = j->finding->severity == SEVERITY_ERROR; /* in every run that gets there */
    bool made_up = j->run->is_harness && j->v->in->runner->makes_up_types;
    const struct event *passed = NULL, *otherwise = NULL, *other_error = NULL, *deferred = NULL;
    const char *differs = differs_text(j);
    bool behind = false; /* an error that ends the program otherwise */
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        behind |= j->run->past_errors && i > 0 && e[-1].error;
        if (!event_is_at(j, e) || e->skipped || e->backward || (behind && is_of_history(f)))
            continue;
        if (e->deferred && !is_same_call(j->v, f, e))
            continue;
        if (e->deferred && !e->error) {
            deferred = e;
            continue;
        }
        /* What a harness passes need not be what the program passes. */
        if (is_predicted(f, e) && (!j->run->is_harness || is_expected(f, e))) {
            judge_set(j, VERDICT_CONFIRMED, e, event_raised(j->v, e));
            return;
        }
        bool same = is_same_call(j->v, f, e);
        if (e->error && same) {
            other_error = e;
            passed = e->column ? NULL : passed; /* the last part of it did not */
        }
        if (e->error)
            continue;
        bool fails_always = is_error && (!made_up || is_expected(f, e));
        if (same && (fails_always || (is_of_operands(f) && is_as_said(f, e))))
            passed = e;
        else if (same)
            otherwise = e;
    }
    if (passed && is_about_memory(f) && !j->run->checks_memory)
        judge_set(j, VERDICT_NOT_REACHED, passed,
                  "executed this line, but the memory was not watched");
    else if (passed && differs && (made_up || is_as_said(f, passed)))
        judge_set(j, VERDICT_NOT_REACHED, passed,
                  arena_printf(j->v->arena, "went well here, but with %s", differs));
    else if (passed)
        judge_set(j, VERDICT_REFUTED, passed, "went well here");
    else if (other_error)
        judge_set(j, VERDICT_NOT_REACHED, other_error,
                  arena_printf(j->v->arena, "%s before it could", event_raised(j->v, other_error)));
    else if (otherwise)
        judge_set(j, VERDICT_NOT_REACHED, otherwise, otherwise_text(j, f, otherwise));
    else if (deferred && (j->run->complete || run_trouble(j->v, j->run)))
        judge_set(j, VERDICT_NOT_REACHED, NULL, deferred->deferred); /* others may notice more */
}

/* ---- all
 * ------------------------------------------------------------------------------------------ */

int verdict_strength(enum verdict_kind k)
{
    static const int strength[VERDICT_KINDS] = {
        [VERDICT_NONE] = 0,    [VERDICT_NOT_RUN] = 1,   [VERDICT_NOT_REACHED] = 2,
        [VERDICT_REFUTED] = 3, [VERDICT_CONFIRMED] = 4,
    };
    return strength[k];
}

/* "ended at train.py:12 with FileNotFoundError: … before that place" */
static const char *ended_text(struct verifier *v, const struct run *r)
{
    const json_t *ended = json_object_get(r->last, "ended");
    const char *type = json_string_value(json_object_get(ended, "type"));
    const char *message = json_string_value(json_object_get(ended, "message"));
    const char *file = json_string_value(json_object_get(ended, "file"));
    int64_t exited = json_integer_value(json_object_get(ended, "exit"));
    if (exited) /* most often it wants other arguments */
        return arena_printf(v->arena,
                            "exited with %lld before that place: --run can name another command",
                            (long long)exited);
    if (!type)
        return NULL;
    enum { MOST = 160 };
    int shown = message ? (int)strcspn(message, "\n") : 0;
    return arena_printf(
        v->arena, "ended%s%s%s before that place with %s%s%.*s", file ? " at " : "",
        file ? path_last(file) : "",
        file ? arena_printf(v->arena, ":%lld",
                            (long long)json_integer_value(json_object_get(ended, "line")))
             : "",
        type, shown ? ": " : "", shown < MOST ? shown : MOST, message ? message : "");
}

const struct pack_function *callee_at(struct verifier *v, const struct finding *f)
{
    const struct flow_call *c = f->failure ? NULL : call_of(v, f);
    return f->failure ? f->failure->callee : c ? c->callee : NULL;
}

/* Why no run could show it. */
static const char *unseen_text(const struct judging *j)
{
    const struct runner *runner = j->v->in->runner;
    const struct pack_function *callee = callee_at(j->v, j->finding);
    return callee && runner->unseen ? runner->unseen(callee) : NULL;
}

/* How a run ended that showed nothing of the finding. */
static void judge_end(const struct judging *j)
{
    const struct run *r = j->run;
    const char *trouble = run_trouble(j->v, r), *unseen = unseen_text(j);
    if (!r->complete && !trouble) {
        const char *why = unstarted_text(j->v, r);
        judge_set(j, VERDICT_NOT_RUN, NULL,
                  why ? why
                      : arena_printf(j->v->arena, "incomplete: %s", incomplete_text(j->v, r)));
        return;
    }
    if (unseen && !trouble) {
        judge_set(j, VERDICT_NOT_RUN, NULL, unseen);
        return;
    }
    const char *ended = trouble ? NULL : ended_text(j->v, r);
    const char *what = trouble     ? trouble
                       : ended     ? ended
                       : !r->lines ? "the runtime wrote nothing"
                       : r->cut    ? "did not get to that place among the first events"
                                   : "did not get to that place";
    judge_set(j, VERDICT_NOT_REACHED, NULL, what);
}

static const char *op_at(struct verifier *v, const struct finding *f)
{
    const struct pack_function *callee = callee_at(v, f);
    return callee ? callee->shown : NULL;
}

/* Whether the run made a tensor there, of one of the dtypes and on one of the devices. */
static bool is_made(const struct judging *j, const struct step *s, dtype_set dtypes,
                    uint8_t devices)
{
    bool made = s == NULL || !s->inst;
    for (int i = 0; i < j->run->events.count && !made; i++) {
        const struct event *e = &j->run->events.items[i];
        const struct event_tensor *t = e->result.dtype ? &e->result : &e->written;
        made = !e->error && !e->backward && t->dtype && event_is_on(j->v, &s->span, e) &&
               dtypes >> dtype_named(t->dtype) & 1 &&
               devices >> (is_cuda(t) ? DEVICE_CUDA : DEVICE_CPU) & 1;
    }
    return made;
}

/* What the finding says of it; else all that it can be. A step that stands for several, by a
 * condition, looks like one of them. */
static dtype_set dtypes_said(const struct step *s, const struct operand *said)
{
    return said && said->dtype != DTYPE_NONE ? DTYPE_BIT(said->dtype) : s->fact.dtypes;
}

static uint8_t devices_said(const struct step *s, const struct operand *said)
{
    return said && said->device < DEVICE_COUNT ? (uint8_t)(1u << said->device) : s->fact.devices;
}

/* Whether an operand was made in the run as the analysis says: where its dtype was decided, and
 * where its device was. */
static bool is_made_as_said(const struct judging *j, const struct flow_failure *f,
                            const struct flow_failing *o)
{
    const struct operand *said =
        f->failing && o->param < f->failing_count ? &f->failing[o->param] : NULL;
    const struct step *made = o->how, *placed = o->how;
    while (made && made->from[0])
        made = made->from[0];
    while (placed && placed->on)
        placed = placed->on;
    uint8_t devices = placed == made && made ? devices_said(made, said) : DEVICES_EVERY;
    if (!made || !is_made(j, made, dtypes_said(made, said), devices))
        return false;
    return placed == made || is_made(j, placed, placed->fact.dtypes, devices_said(placed, said));
}

/* Under the condition of the finding: its branches were taken, and what decides about its operands
 * happened. Where neither is known, it is not. */
static bool is_under_condition(const struct judging *j)
{
    const struct flow_failure *f = j->finding->failure;
    condition_list own = branches_of(j->v, j->finding);
    if (!own.count || !run_meets(&own, j->run))
        return false;
    for (int i = 0; f && i < f->operand_count; i++)
        if (!is_made_as_said(j, f, &f->operands[i]))
            return false;
    return true;
}

/* What happens elsewhere than under the condition of a finding says nothing about it; a call that
 * succeeds under it refutes the finding. */
static void judge_condition(const struct judging *j)
{
    struct verdict *now = j->verdict;
    const struct flow_failure *f = j->finding->failure;
    struct verifier *v = j->v;
    if (!f && now->kind == VERDICT_REFUTED && branches_of(v, j->finding).count &&
        !is_under_condition(j)) {
        now->kind = VERDICT_NOT_REACHED;
        now->what =
            arena_printf(v->arena, "%s, but not under the condition of the finding", now->what);
    }
    if (!f && now->kind == VERDICT_REFUTED && j->run->is_harness && v->in->runner->makes_up_types) {
        now->kind = VERDICT_NOT_REACHED;
        now->what = arena_printf(v->arena, "%s, but with arguments that are made up", now->what);
    }
    bool went_well = f && is_call(f) && is_of_operands(f) && now->kind == VERDICT_NOT_REACHED &&
                     now->reached && !now->raised;
    bool counts = !j->run->is_harness && !v->in->is_what_if && !differs_text(j);
    if (went_well && counts && is_under_condition(j)) {
        now->kind = VERDICT_REFUTED;
        now->what = arena_printf(v->arena, "went well here under the condition of the finding");
    }
}

/* Behind an error that ends the program otherwise, what is left undone shows nothing about it. */
static void judge_behind(const struct judging *j)
{
    bool raised = false;
    for (int i = 0; i < j->run->events.count && j->run->past_errors; i++)
        raised |= j->run->events.items[i].error != NULL;
    if (raised && !j->finding->failure &&
        (j->verdict->kind == VERDICT_CONFIRMED || j->verdict->kind == VERDICT_REFUTED))
        judge_set(j, VERDICT_NOT_REACHED, NULL,
                  "executed this line only after an error that ends it");
}

void judge_run(struct verifier *v, struct finding *f, const struct run *r)
{
    struct verdict now = {0};
    struct judging j = {v, f, r, op_at(v, f), r->directory, &now};
    if (f->failure)
        judge_failure(&j);
    if (!now.kind && (!f->failure || proof_instrument(f) == INSTRUMENT_MEMORY))
        proof_look(&j);
    if (!now.kind)
        judge_end(&j);
    judge_behind(&j);
    judge_condition(&j);
    bool says_more = now.kind == f->verdict.kind && now.reached && !f->verdict.reached;
    if (says_more || verdict_strength(now.kind) > verdict_strength(f->verdict.kind))
        f->verdict = now;
}

bool run_reaches(struct verifier *v, const struct finding *f, const struct run *r)
{
    const struct judging j = {v,   (struct finding *)(uintptr_t)f, r, op_at(v, f), r->directory,
                              NULL};
    for (int i = 0; i < r->events.count; i++) {
        const struct event *e = &r->events.items[i];
        if (!e->skipped && !e->backward && *e->op && event_is_at(&j, e))
            return true;
    }
    return false;
}

bool is_settled(const struct finding *f)
{
    return f->verdict.kind == VERDICT_CONFIRMED;
}
