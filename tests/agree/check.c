/* Checks programs: the findings of the rules are compared with what happened when the program ran.
 * An error says that every run that gets there fails, a warning that some run does. Only findings
 * about a failure can be compared with runs; no run reaches those after a call that always fails.
 * A finding is false if no run of the program fails at all; a failure is missed if there is no
 * finding at its place. Random programs lose data in many ways, so of their findings only those
 * about failures count. */
#include "tests/agree/agree.h"

#include "rules/rules.h"

#include <stdio.h>
#include <string.h>

/* Calls of the function in that line, of those that it stands for: which one ran cannot be told. */
static int calls_like(const struct flow_failure *r)
{
    const struct ir_function *fn = r->function;
    const struct ir_inst *at = &fn->insts.items[r->inst];
    int count = 0;
    for (int n = 1; n < fn->insts.count; n++) {
        const struct ir_inst *i = &fn->insts.items[n];
        count += i->op == IR_CALL && i->name && i->span.line == at->span.line && at->name &&
                 !strcmp(i->name, at->name);
    }
    return count;
}

static const struct seen *seen_of(const struct seen_list *seen, const struct program *p,
                                  const struct flow_failure *r)
{
    const struct span *span = &r->function->insts.items[r->inst].span;
    const char *op = r->callee->effects & EFFECT_EXPECT ? "MC_EXPECT" : r->callee->shown;
    for (int i = 0; i < seen->count; i++) {
        const struct seen *s = &seen->items[i];
        if (s->program == p->id && !strcmp(s->op, op) && is_at_place(span, s->place))
            return s;
    }
    return NULL;
}

/* NULL: no run speaks against it. */
static const char *objection(const struct finding *f, const struct seen *s)
{
    /* A contract is told of a caller, and seen where it is written: others may call, too. */
    bool of_caller = f->failure && f->failure->kind == ERROR_CONTRACT;
    if (f->severity == SEVERITY_ERROR && !of_caller)
        return s->worked ? "an error, and a run got past it" : NULL;
    bool failed = s->errors >> f->failure->kind & 1;
    return s->worked && !failed ? "a warning, and no run fails so" : NULL;
}

static void judge(const struct batch *b, const struct program *p, const struct seen_list *seen,
                  const struct finding *f, struct totals *t)
{
    if (!f->failure || f->severity == SEVERITY_NOTE || calls_like(f->failure) != 1)
        return;
    const struct seen *s = seen_of(seen, p, f->failure);
    const char *wrong = s ? objection(f, s) : NULL;
    t->findings++;
    t->unreached += !s;
    t->wrong += wrong != NULL;
    if (wrong)
        printf("wrong %s/%s %s: %s [%s]: %s\n", b->dir, s->place, s->op, f->message, f->rule,
               wrong);
}

/* ---- false and missed ------------------------------------------------------------------------ */

static bool is_limited(const struct flow *flow)
{
    const struct flow_counts *c = flow_counts(flow);
    bool limited = c->budgets || c->dropped;
    for (int i = 0; i < FLOW_LIMIT_COUNT; i++)
        limited |= c->limits[i] > 0;
    return limited;
}

static bool is_reported(const struct finding *f)
{
    return f->severity > SEVERITY_NOTE && !f->past;
}

static bool fails(const struct program *p, const struct seen_list *seen)
{
    for (int i = 0; i < seen->count; i++)
        if (seen->items[i].program == p->id && seen->items[i].errors)
            return true;
    return false;
}

/* A contract is seen where it is written, and reported where the function is called. */
static bool is_about(const struct finding *f, const struct seen *s)
{
    const struct flow_failure *r = f->failure;
    return is_at_place(&f->span, s->place) ||
           (r && is_at_place(&r->function->insts.items[r->inst].span, s->place));
}

static bool is_found(const finding_list *found, const struct seen *s)
{
    for (int i = 0; i < found->count; i++)
        if (is_reported(found->items[i]) && is_about(found->items[i], s))
            return true;
    return false;
}

static void print_again(const struct batch *b, const struct program *p, bool limited)
{
    printf(" (--seed %llu --first %d --programs 1%s)\n", (unsigned long long)b->seed, p->id,
           limited ? "; a limit is reported" : "");
}

static void count_false(const struct batch *b, const struct program *p, const finding_list *found,
                        bool limited, struct totals *t)
{
    long before = t->false_findings;
    for (int i = 0; i < found->count; i++) {
        const struct finding *f = found->items[i];
        if (!is_reported(f) || (!f->failure && p->form != FORM_EVERYDAY))
            continue;
        t->false_findings++;
        t->limited += limited;
        printf("false %s:%d: %s: %s [%s]", f->span.file, f->span.line, severity_name(f->severity),
               f->message, f->rule);
        print_again(b, p, limited);
    }
    t->clean++;
    t->clean_found += t->false_findings > before;
}

static void count_missed(const struct batch *b, const struct program *p,
                         const struct seen_list *seen, const finding_list *found, bool limited,
                         struct totals *t)
{
    for (int i = 0; i < seen->count; i++) {
        const struct seen *s = &seen->items[i];
        if (s->program != p->id || !s->errors || s->anywhere)
            continue;
        t->failing++;
        if (is_found(found, s))
            continue;
        t->missed++;
        t->limited += limited;
        printf("missed %s/%s %s", b->dir, s->place, s->op);
        print_again(b, p, limited);
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

static void check(struct analyzer *a, const struct batch *b, const struct program *p,
                  struct ir_unit *const *units, const struct flow *flow,
                  const struct seen_list *seen, bool judges, struct totals *t)
{
    bool selected[RULE_COUNT], limited = is_limited(flow);
    finding_list found = {0};
    struct arena *arena = arena_new();
    struct check_input in = {.arena = arena,
                             .flow = flow,
                             .units = units,
                             .unit_count = p->file_count,
                             .packs = analyzer_packs(a),
                             .sources = sources_new(arena)};
    for (int i = 0; i < RULE_COUNT; i++)
        selected[i] = rules[i].on && rules[i].run;
    rules_check(&in, selected, &found);
    for (int i = 0; judges && i < found.count; i++)
        judge(b, p, seen, found.items[i], t);
    if (fails(p, seen))
        count_missed(b, p, seen, &found, limited, t);
    else
        count_false(b, p, &found, limited, t);
    arena_free(arena);
}

bool program_check(struct analyzer *a, const struct batch *b, const struct program *p,
                   struct ir_unit *const *units, const struct seen_list *seen, bool judges,
                   struct totals *t, struct error *e)
{
    struct flow_options options = {.past_errors = true};
    struct flow *flow = flow_run(units, p->file_count, analyzer_packs(a), &options, e);
    if (!flow)
        return false;
    check(a, b, p, units, flow, seen, judges, t);
    t->cut += judges && flow_counts(flow)->budgets > 0;
    flow_free(flow);
    return true;
}
