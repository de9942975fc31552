/* Evidence, for judging and proofs: where an event happened and whether that is the place of a
 * finding, what it is in words, and the verdict that it leads to. */
#include "analyzer/verify/judge.h"

#include "analyzer/verify/runner.h"

#include <string.h>

/* ---- places --------------------------------------------------------------------------------- */

static bool is_span(const struct span *a, const struct span *b)
{
    return a->line == b->line && a->column == b->column && a->end_line == b->end_line &&
           a->end_column == b->end_column;
}

static bool is_constant(const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = &f->insts.items[v];
    bool all = i->op == IR_APPLY && i->arg_count;
    for (int k = 0; all && k < i->arg_count; k++)
        all = is_constant(f, i->args[k]);
    return all || i->op == IR_INT || i->op == IR_REAL || i->op == IR_TEXT;
}

/* Calls and operators, as the interpreter executes them: it computes with constants before. */
static bool is_counted(const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = &f->insts.items[v];
    bool is_operator =
        i->op == IR_APPLY && ((i->integer <= PROTOCOL_GE && !is_constant(f, v)) ||
                              i->integer == PROTOCOL_GETITEM || i->integer == PROTOCOL_SETITEM);
    return i->op == IR_CALL || i->op == IR_INVOKE || is_operator;
}

/* Which of the calls on its line an expression is, of how many. False: it is none of them. */
static bool find_call(const struct ir_function *f, const struct span *s, int *call, int *calls)
{
    int count = 0, found = -1;
    for (ir_value n = 1; n < f->insts.count; n++) {
        const struct span *at = &f->insts.items[n].span;
        if (at->line != s->line || !is_counted(f, n))
            continue;
        if (is_span(at, s))
            found = count;
        count++;
    }
    *call = found;
    *calls = count;
    return found >= 0;
}

enum match { IS_ANOTHER, MAY_BE, IS_THAT };

/* Where only lines are known, calls are counted. Where the interpreter counts others, it is not
 * known which of them it is. */
static enum match call_match(struct verifier *v, const struct span *s, const struct event *e)
{
    if (!e->calls)
        return MAY_BE;
    for (int i = 0; i < v->in->unit_count; i++) {
        const struct verify_unit *u = &v->in->units[i];
        int call, calls;
        if (!u->unit->is_dynamic || path_real(v, NULL, u->file) != e->file)
            continue;
        for (int k = 0; k < u->unit->functions.count; k++)
            if (find_call(u->unit->functions.items[k], s, &call, &calls))
                return calls != e->calls ? MAY_BE : call == e->call ? IS_THAT : IS_ANOTHER;
    }
    return MAY_BE;
}

/* By its end, and its beginning; but where a chain of calls goes over several lines, interpreters
 * place the beginning of a call at its name. A span without a column stands for its lines. */
static bool has_columns(const struct span *s, const struct event *e)
{
    bool ends = e->end_line == s->end_line && e->end_column == s->end_column;
    return !e->column || !s->column || (ends && (e->line > s->line || e->column == s->column));
}

bool event_is_on(struct verifier *v, const struct span *s, const struct event *e)
{
    return e->file && s->line && e->line >= s->line && e->line <= s->end_line &&
           has_columns(s, e) && e->file == path_real(v, NULL, s->file) &&
           (!s->column || call_match(v, s, e) != IS_ANOTHER);
}

bool event_is_exact(struct verifier *v, const struct span *s, const struct event *e)
{
    return e->column || call_match(v, s, e) == IS_THAT;
}

/* A broken contract is reported where the function is called, and raised where it is written. */
bool event_is_at(const struct judging *j, const struct event *e)
{
    const struct flow_failure *f = j->finding->failure;
    const struct span *at = proof_span(j->finding);
    for (int i = 0; i < e->frames.count; i++) {
        const struct event_frame *frame = &e->frames.items[i];
        if (frame->line >= at->line && frame->line <= at->end_line &&
            frame->file == path_real(j->v, NULL, at->file))
            return true;
    }
    return event_is_on(j->v, at, e) ||
           (f && event_is_on(j->v, &f->function->insts.items[f->inst].span, e));
}

bool is_about_narrow_gradients(const struct event *e)
{
    static const char *const names[] = {"f16", "fp16", "float16", "half", "f8", "float8"};
    for (size_t i = 0; e->error && i < sizeof names / sizeof *names; i++)
        if (strcasestr(e->error, names[i]))
            return true;
    return false;
}

static void describe(struct text *out, const struct event_tensor *t, int nth)
{
    if (t->name)
        text_printf(out, "%s ", t->name);
    else
        text_printf(out, "operand %d ", nth + 1);
    text_printf(out, "%s [", t->dtype);
    for (int i = 0; i < t->ndim; i++)
        text_printf(out, "%s%lld", i ? ", " : "", (long long)t->shape[i]);
    text_printf(out, "] %s", t->device);
}

const char *event_inputs(struct verifier *v, const struct event *e)
{
    struct text out = {0};
    for (int i = 0, n = 0; i < e->operand_count; i++) {
        if (!e->operands[i].dtype)
            continue;
        text_add(&out, n++ ? ", " : "");
        describe(&out, &e->operands[i], i);
    }
    return out.length ? text_keep(v->arena, &out) : NULL;
}

static bool raw_is_cuda(const struct event *e, const char *key)
{
    const json_t *device = json_object_get(json_object_get(e->raw, key), "device");
    return json_is_string(device) && !strncmp(json_string_value(device), "cuda", 4);
}

static const char *device_of(const struct run *r, const struct event *e)
{
    bool cuda = raw_is_cuda(e, "fault") || raw_is_cuda(e, "pointer") || raw_is_cuda(e, "details");
    for (int i = 0; i < e->operand_count; i++)
        cuda |= e->operands[i].device && !strncmp(e->operands[i].device, "cuda", 4);
    cuda |= e->result.device && !strncmp(e->result.device, "cuda", 4);
    if (json_is_true(json_object_get(e->raw, "stand_in")))
        return "stand-in cuda";
    return !cuda ? "cpu" : r->simulated ? "simulated cuda" : "cuda";
}

/* That nothing happened is known only where everything was reported. */
static bool is_held_back(const struct run *r, enum verdict_kind kind)
{
    return kind == VERDICT_REFUTED && (!r->complete || r->cut);
}

const char *unstarted_text(struct verifier *v, const struct run *r)
{
    const struct runner *runner = v->in->runner;
    bool is_whole = !r->cut && !r->unknown && !run_trouble(v, r);
    return is_whole && runner->explain_exit ? runner->explain_exit(r->end.status) : NULL;
}

/* Why the record of a run is incomplete. Without the closing record it called _exit, or closed the
 * channel. */
const char *incomplete_text(struct verifier *v, const struct run *r)
{
    const char *trouble = run_trouble(v, r);
    if (r->cut)
        return "did so much more that not all of it was recorded";
    if (trouble)
        return trouble;
    if (r->unknown)
        return r->unknown;
    const char *why = unstarted_text(v, r);
    return why ? why : "it exited without the closing record of its events";
}

void judge_set(const struct judging *j, enum verdict_kind kind, const struct event *e,
               const char *what)
{
    struct verifier *v = j->v;
    if (kind == VERDICT_REFUTED && v->in->is_what_if) {
        kind = VERDICT_NOT_REACHED;
        what = arena_printf(v->arena, "%s, but without what --assume states", what);
    }
    if (is_held_back(j->run, kind)) {
        kind = VERDICT_NOT_RUN;
        what = arena_printf(v->arena, "incomplete: %s, but %s", what, incomplete_text(v, j->run));
    }
    const struct language *language = v->in->runner->language;
    const char *inputs = e ? event_inputs(v, e) : NULL;
    if (language) {
        what = language_spell(v->arena, language, what);
        inputs = inputs ? language_spell(v->arena, language, inputs) : NULL;
    }
    *j->verdict = (struct verdict){.kind = kind,
                                   .entry = kind == VERDICT_NOT_RUN ? NULL : j->run->entry,
                                   .device = e ? device_of(j->run, e) : "cpu",
                                   .what = what,
                                   .inputs = inputs,
                                   .reached = e,
                                   .raised = e && e->error,
                                   .ns = j->run->end.ns,
                                   .held = v->held};
}

const char *event_raised(struct verifier *v, const struct event *e)
{
    return arena_printf(v->arena, "raised \"%s\" here", e->error);
}

/* Findings outside of functions name none. */
static bool is_in(struct verifier *v, const struct finding *f, const struct ir_function *function)
{
    const char *name = *f->function ? f->function : v->in->runner->start;
    return !strcmp(function->name, name);
}

/* A macro may call several functions at one place; those that wrap arguments come first. */
const struct flow_call *call_of(struct verifier *v, const struct finding *f)
{
    const struct flow *flow = v->in->flow;
    const struct span *at = proof_span(f);
    bool here = at == &f->span;
    const struct flow_call *found = NULL;
    for (int i = 0; i < flow_call_count(flow); i++) {
        const struct flow_call *c = flow_call_at(flow, i);
        const struct span *called = &c->function->insts.items[c->inst].span;
        if (is_span(called, at) &&
            path_real(v, NULL, called->file) == path_real(v, NULL, at->file) &&
            (!here || is_in(v, f, c->function)))
            found = c;
    }
    return found;
}
