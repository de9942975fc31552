/* Where the dtype or device of an operand was decided: follows its lineage back while an operand of
 * the step already had it. */
#include "rules/engine/engine.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CONDITIONS = 4, MAX_OPTIONS = 2, MAX_STEPS = 256 };

static uint64_t aspect_of(const struct fact *f, enum aspect aspect)
{
    return aspect == ASPECT_DTYPE ? f->dtypes : fact_places(f);
}

/* A step knows which operands decided its dtype. Where the device came from follows from the
 * arguments of the call. */
static const struct step *device_before(struct check *c, const struct step *how, uint64_t set)
{
    struct call call;
    if (how->on)
        return how->on;
    if (!step_call(c, how, &call))
        return NULL;
    for (int k = 0; k < call.count; k++)
        if (call.arguments[k].flow && fact_places(&call.arguments[k].flow->fact) == set)
            return call.arguments[k].flow->how;
    return NULL;
}

/* If both operands had it, the first one counts. */
static const struct step *step_before(struct check *c, const struct step *how, enum aspect aspect,
                                      uint64_t set)
{
    for (int k = 0; k < 2; k++)
        if (how->from[k] && aspect_of(&how->from[k]->fact, aspect) == set)
            return how->from[k];
    for (int k = 0; k < 2; k++)
        if (how->from[k] && aspect_of(&how->from[k]->fact, aspect) == aspect_of(&how->fact, aspect))
            return how->from[k];
    return aspect != ASPECT_DTYPE ? device_before(c, how, set) : NULL;
}

const struct step *deciding_step(struct check *c, const struct step *how, enum aspect aspect,
                                 uint64_t set)
{
    for (int n = 0; how && n < MAX_STEPS; n++) {
        const struct step *before = step_before(c, how, aspect, set);
        if (!before || before == how)
            return how;
        how = before;
    }
    return how;
}

bool deciding_call(struct check *c, const struct argument *a, struct call *out)
{
    const struct step *how = a->seen->how;
    for (int n = 0; how && n < MAX_STEPS; n++) {
        const struct step *before = step_before(c, how, ASPECT_DTYPE, argument_dtypes(a));
        if (!step_is_sure(c, how))
            return false;
        if (!before || before == how)
            break;
        how = before;
    }
    return step_call(c, how, out);
}

const struct pack_function *step_callee(const struct check *c, const struct step *s)
{
    const struct ir_inst *i = s && s->inst ? &s->function->insts.items[s->inst] : NULL;
    const struct flow_call *seen =
        i && is_dynamic(i) ? flow_call_of(c->in->flow, s->function, s->inst) : NULL;
    if (seen)
        return seen->callee;
    return i && i->op == IR_CALL && i->name ? packs_find(c->in->packs, i->name) : NULL;
}

bool step_call(struct check *c, const struct step *s, struct call *out)
{
    if (!s || !s->inst || !call_view(c, s->function, s->inst, out))
        return false;
    if (c->by_case)
        call_narrow_to_step(c, s, out);
    return true;
}

/* ---- in words ------------------------------------------------------------------------------- */

/* The statement up to the end of the place: "h = half(x)". */
static const char *statement_at(struct check *c, const struct span *at)
{
    const struct source *s = sources_get(c->in->sources, at->file);
    bool is_open;
    if (!s)
        return "";
    struct span all = statement_span(s, at, SOURCE_MAX, &is_open);
    const char *text = source_text(c->in->arena, s, &all);
    return text_cut(c->in->arena, is_open ? arena_printf(c->in->arena, "%s…", text) : text,
                    SOURCE_MAX);
}

/* Whether the variable was set to what the conditions before say: "amp = a and b", where a and b
 * are among them, or where the whole is one. */
static bool is_said_before(struct check *c, const struct condition *w, const char *text)
{
    for (const struct condition *u = w->before; u; u = u->before) {
        const char *of = u->truth && !u->is_case ? source_excerpt(c, &u->span, SOURCE_MAX) : "";
        const char *statement = *of ? statement_at(c, &u->span) : "";
        const char *set = strstr(statement, " = ");
        size_t length = strlen(text);
        if (set && (size_t)(set - statement) >= length && !memcmp(set - length, text, length) &&
            (set - length == statement || set[-(ptrdiff_t)length - 1] == ' ') &&
            !strcmp(set + strlen(" = "), of))
            return true;
    }
    return false;
}

static bool is_told(struct check *c, const struct condition *when, const struct condition *w,
                    const char *text)
{
    return *text && condition_is_shown(sources_get(c->in->sources, w->span.file), when, w) &&
           !(w->truth && !w->is_case && is_said_before(c, w, text));
}

/* Whether it is what an option was compared with: strcmp() gives 0 for that. */
static bool is_option(const struct condition *w, const char *text)
{
    const struct language *l = language_of(w->function);
    bool is_compared = !w->is_case && l->is_comparison && l->is_comparison(text);
    return is_compared != w->truth;
}

/* Iterations that are over went past other options: what was taken for one matters, if there is
 * something. */
static bool is_past_option(struct check *c, const struct condition *when, const struct condition *w,
                           const char *text)
{
    if (!w->is_over || is_option(w, text))
        return false;
    for (const struct condition *u = when; u; u = u->before) {
        const char *other = u->is_over ? source_excerpt(c, &u->span, SOURCE_MAX) : "";
        if (is_told(c, when, u, other) && is_option(u, other))
            return true;
    }
    return false;
}

/* Whether the one says what the other says: it is the same, or has it as a part: "a and b" has a.
 */
static bool has_part(const char *all, const char *part)
{
    static const char between[] = " and ";
    size_t length = strlen(part);
    for (const char *at = all; (at = strstr(at, part)); at++) {
        bool begins = at == all || ((size_t)(at - all) >= strlen(between) &&
                                    !strncmp(at - strlen(between), between, strlen(between)));
        bool ends = !at[length] || !strncmp(at + length, between, strlen(between));
        if (begins && ends)
            return !strcmp(all, part) || (!strstr(all, " or ") && strncmp(all, "not ", 4) != 0);
    }
    return false;
}

/* "argc > 2": what is compared with a number, and the range that it is in. */
struct range {
    size_t length; /* of the text of what is compared */
    long low, high;
};

static bool is_range(const char *text, struct range *r)
{
    static const char *const signs[] = {" > ", " >= ", " < ", " <= ", " == "};
    bool is_negated = !strncmp(text, "not ", 4);
    for (size_t i = 0; i < sizeof signs / sizeof *signs && !is_negated; i++) {
        const char *at = strstr(text, signs[i]);
        char *end;
        long n = at ? strtol(at + strlen(signs[i]), &end, 10) : 0;
        if (!at || end == at + strlen(signs[i]) || *end || labs(n) > INT_MAX)
            continue;
        bool above = signs[i][1] == '>', below = signs[i][1] == '<', closed = signs[i][2] == '=';
        *r = (struct range){(size_t)(at - text), below ? LONG_MIN : n + (above && !closed),
                            above ? LONG_MAX : n - (below && !closed)};
        return true;
    }
    return false;
}

/* "argc > 2" says what "argc > 1" says. */
static bool is_within(const char *narrow, const char *wide)
{
    struct range n, w;
    return is_range(narrow, &n) && is_range(wide, &w) && n.length == w.length &&
           !memcmp(narrow, wide, n.length) && n.low >= w.low && n.high <= w.high &&
           (n.low > w.low || n.high < w.high);
}

/* Leaves out what others say; of two that say the same, the older. */
static int drop_parts(const char **met, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        bool is_part = false;
        for (int k = 0; k < n && !is_part; k++)
            is_part = is_within(met[k], met[i]) || (k != i && has_part(met[k], met[i]) &&
                                                    (k < i || strcmp(met[k], met[i]) != 0));
        if (!is_part)
            met[kept++] = met[i];
    }
    return kept;
}

/* The last conditions, in the order in which they were evaluated, and the last options. */
static const char *conditions(struct check *c, const struct condition *when)
{
    struct text out = {0};
    const char *met[MAX_CONDITIONS + MAX_OPTIONS];
    int n = 0, left[] = {MAX_CONDITIONS, MAX_OPTIONS};
    for (const struct condition *w = when; w; w = w->before) {
        const char *text = left[w->is_over] ? source_excerpt(c, &w->span, SOURCE_MAX) : "";
        if (!is_told(c, when, w, text) || is_past_option(c, when, w, text))
            continue;
        met[n++] = condition_text(c->in->arena, w, text);
        left[w->is_over]--;
    }
    n = drop_parts(met, n);
    for (int i = n - 1; i >= 0; i--)
        text_printf(&out, "%s%s", met[i], i ? " and " : "");
    const char *kept = text_keep(c->in->arena, &out);
    return n ? kept : NULL;
}

/* What a call of the API was given as the dtype or device that it decided, if no branch decides
 * which one that is. */
static const char *given(struct check *c, const struct step *s, enum aspect aspect)
{
    enum operand_kind kind = aspect == ASPECT_DTYPE ? OPERAND_DTYPE : OPERAND_DEVICE;
    struct call call;
    const struct flow_call *seen = s->inst ? flow_call_of(c->in->flow, s->function, s->inst) : NULL;
    if (!seen || !step_call(c, s, &call))
        return NULL;
    for (int k = 0; k < call.count; k++) {
        const struct argument *a = &call.arguments[k];
        if (a->seen && a->seen->kind == kind && a->span.line)
            return operand_is_open(seen, a->seen->param) ? a->name : NULL;
    }
    return NULL;
}

/* How the operand got its dtype or device: decided here, passed in, or left unchanged. */
enum manner { BECAME, GIVEN, STAYS };

static const char *set_in_words(struct check *c, const struct finding *f, enum aspect aspect,
                                uint64_t set)
{
    struct text out = {0};
    if (aspect == ASPECT_DTYPE)
        dtypes_print(set, &out);
    else
        places_print((unsigned)set, aspect == ASPECT_GPU, &out);
    const char *is = text_keep(c->in->arena, &out);
    return language_spell(c->in->arena, language_of_file(f->span.file), is);
}

static const char *in_words(struct check *c, const struct finding *f, const char *name,
                            enum aspect aspect, uint64_t set, enum manner manner)
{
    static const char *const verbs[][2] = {[BECAME] = {" became ", " is on "},
                                           [GIVEN] = {" is ", " is on "},
                                           [STAYS] = {" stays ", " stays on "}};
    return arena_printf(c->in->arena, "%s%s%s", name, verbs[manner][aspect != ASPECT_DTYPE],
                        set_in_words(c, f, aspect, set));
}

static bool is_known(const struct finding *f, const struct origin *o)
{
    for (int i = 0; i < f->origins.count; i++)
        if (!strcmp(f->origins.items[i].what, o->what))
            return true;
    return false;
}

/* A place in the lineage; passed: where it was passed on, in addition to where it was decided. */
struct place {
    struct span span;
    const struct step *step;
    bool passed;
};

static void add_origin(struct check *c, struct finding *f, const struct place *at, const char *what)
{
    const struct step *s = at->step;
    struct origin o = {.what = what,
                       .span = at->span,
                       .source = s->inst ? statement_at(c, &at->span)
                                         : arena_printf(c->in->arena, "%s, from outside",
                                                        step_text(c->in->arena, s)),
                       .when = at->passed ? NULL : conditions(c, s->when),
                       .passed = at->passed};
    if (s->called && strcmp(s->function->name, f->function) != 0)
        o.called = s->called->span;
    if (!is_known(f, &o))
        LIST_ADD(c->in->arena, &f->origins, o);
}

/* ---- what passed it on ------------------------------------------------------------------------
 */

/* A cast that could have set it and did not: it may have been meant to. */
static bool says_nothing(struct check *c, const struct step *s, enum aspect aspect)
{
    const struct pack_function *fn = step_callee(c, s);
    enum operand_kind kind = aspect == ASPECT_DTYPE ? OPERAND_DTYPE : OPERAND_DEVICE;
    for (int i = 0; fn && fn->family == FAMILY_CAST && i < fn->param_count; i++)
        if (fn->params[i].kind == kind && !fn->params[i].required)
            return true;
    return false;
}

/* The last such cast since it was decided; NULL: none. */
static const struct step *silent_cast(struct check *c, const struct step *how,
                                      const struct step *decided, enum aspect aspect, uint64_t set)
{
    for (int n = 0; how && how != decided && n < MAX_STEPS; n++) {
        if (says_nothing(c, how, aspect))
            return how;
        how = step_before(c, how, aspect, set);
    }
    return NULL;
}

/* The only return with a value; NULL: there are several, or none. */
static const struct span *return_of(const struct ir_function *f)
{
    const struct span *found = NULL;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op != IR_RETURN || !i->arg_count)
            continue;
        if (found)
            return NULL;
        found = &i->span;
    }
    return found;
}

/* Whether it was returned by the function that made it, which is neither the function of the
 * finding nor one of its callers. */
static bool was_returned(struct check *c, const struct finding *f, const struct step *how)
{
    const struct type *type = how->function->type;
    if (!how->inst || !how->called || !type || !type_is_tensor(c->in->packs, type->of) ||
        !strcmp(how->function->name, f->function))
        return false;
    for (const struct frame_place *p = f->failure ? f->failure->called : NULL; p; p = p->outer)
        if (p->caller == how->function)
            return false;
    return f->failure || !strcmp(how->called->caller->name, f->function);
}

static bool is_on_line(const struct span *s, const struct span *of)
{
    return s->line >= of->line && s->line <= of->end_line && !strcmp(s->file, of->file);
}

/* Where the dtype or device could have been changed: a cast that left it, the return of the
 * function that made it, or the call that made it. False: only where it was decided or is used. */
static bool find_passing(struct check *c, const struct finding *f, const struct step *how,
                         const struct step *decided, enum aspect aspect, uint64_t set,
                         struct place *out)
{
    const struct step *s = silent_cast(c, how, decided, aspect, set);
    for (int n = 0; how != decided && is_on_line(&how->span, &f->span) && n < MAX_STEPS; n++)
        how =
            step_before(c, how, aspect,
                        set); /* a tensor that is made where it is used needs no place of its own */
    *out = (struct place){.step = s ? s : how, .passed = true};
    out->span = out->step->span;
    const struct span *at = !s && was_returned(c, f, how) ? return_of(how->function) : NULL;
    if (at && at->line)
        out->span = *at;
    return out->step->inst && out->span.line && !is_on_line(&out->span, &decided->span) &&
           !is_on_line(&out->span, &f->span);
}

/* Whether an autocast region decided it: the call casts its operands there, and none had it. */
static bool is_by_autocast(struct check *c, const struct step *s, uint64_t set)
{
    const struct pack_function *fn = step_callee(c, s);
    const struct flow_call *seen =
        fn && s->inst ? flow_call_of(c->in->flow, s->function, s->inst) : NULL;
    struct call call;
    bool is_inside = false;
    for (int d = 0; seen && d < AUTOCAST_DEVICES; d++)
        is_inside |= fn->autocast[d] == AUTOCAST_LOW && seen->autocast[d] & set;
    if (!is_inside || !step_call(c, s, &call))
        return false;
    for (int k = 0; k < call.count; k++)
        if (call.arguments[k].flow && call.arguments[k].flow->fact.dtypes & set)
            return false;
    return true;
}

/* Adds "args.device is cuda" to the conditions of an origin: what its call was given. */
static void add_given(struct check *c, const struct finding *f, struct origin *o, const char *name,
                      enum aspect aspect, uint64_t set)
{
    const char *is = arena_printf(c->in->arena, "%s is %s", name, set_in_words(c, f, aspect, set));
    o->is_given = !o->when;
    o->when = o->when ? arena_printf(c->in->arena, "%s and %s", o->when, is) : is;
}

/* Whether it depends on whether a region is enabled: of Python, its model asks. */
static bool asks_enabled(const struct step *s)
{
    const struct condition *w = s->when;
    while (w && !(w->is_hidden && w->truth && !strcmp(w->function->name, "autocast.__init__")))
        w = w->before;
    return w || !is_dynamic(&s->function->insts.items[s->inst]);
}

/* Adds "args.amp", which no branch of the program decides on: it begins the region in any case. */
static void add_enabled(struct check *c, const struct step *s, struct origin *o)
{
    const char *enabled = asks_enabled(s) ? region_condition(c) : NULL;
    if (enabled && (!o->when || !strstr(o->when, enabled)))
        o->when = o->when ? arena_printf(c->in->arena, "%s and %s", o->when, enabled) : enabled;
}

void origin_add(struct check *c, struct finding *f, const char *name, const struct step *how,
                enum aspect aspect, uint64_t set)
{
    const struct step *s = deciding_step(c, how, aspect, set);
    struct place passing;
    if (!s)
        return;
    int before = f->origins.count;
    const char *words = in_words(c, f, name, aspect, set, s->inst ? BECAME : GIVEN);
    bool by_autocast = aspect == ASPECT_DTYPE && is_by_autocast(c, s, set);
    if (by_autocast)
        words = arena_printf(c->in->arena, "%s by autocast", words);
    add_origin(c, f, &(struct place){s->span, s, false}, words);
    struct origin *decided = f->origins.count > before ? &f->origins.items[before] : NULL;
    if (decided && by_autocast)
        add_enabled(c, s, decided);
    const char *name_given = decided ? given(c, s, aspect) : NULL;
    if (name_given)
        add_given(c, f, decided, name_given, aspect, set);
    if (decided && find_passing(c, f, how, s, aspect, set, &passing))
        add_origin(c, f, &passing, in_words(c, f, name, aspect, set, STAYS));
}

/* A text, or a device made of one. */
static bool is_fixed_text(const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = &f->insts.items[v];
    bool is_made = i->op == IR_INVOKE || i->op == IR_CALL;
    return i->op == IR_TEXT || i->op == IR_INT ||
           (is_made && i->arg_count > 1 && is_fixed_text(f, i->args[i->arg_count - 1]));
}

void origin_add_argument(struct check *c, struct finding *f, int origin, const struct step *how,
                         enum aspect aspect, uint64_t set)
{
    const struct step *s = deciding_step(c, how, aspect, set);
    const struct ir_function *in = s ? s->function : NULL;
    const struct ir_inst *i = s && s->inst ? &in->insts.items[s->inst] : NULL;
    struct origin *o = origin < f->origins.count ? &f->origins.items[origin] : NULL;
    if (!o || o->when || !i || i->op != IR_INVOKE || i->arg_count != 2 || step_callee(c, s) ||
        is_fixed_text(in, i->args[1]) || flow_value_of(c->in->flow, in, i->args[1]))
        return;
    const struct span *at = &in->insts.items[i->args[1]].span;
    const char *name = name_in_program(c, in, i->args[1], at, NULL);
    if (name)
        add_given(c, f, o, name, aspect, set);
}

/* Whether the lineage has the place already. */
static bool is_listed(const struct finding *f, const struct span *at)
{
    for (int i = 0; i < f->origins.count; i++)
        if (f->origins.items[i].span.line && is_on_line(&f->origins.items[i].span, at))
            return true;
    return false;
}

void origin_add_call(struct check *c, struct finding *f, const struct frame_place *called)
{
    struct arena *a = c->in->arena;
    if (!called || !called->span.line || is_listed(f, &called->span))
        return;
    struct origin o = {.what = arena_printf(a, "%s() is called", f->function),
                       .span = called->span,
                       .source = source_excerpt(c, &called->span, SOURCE_MAX),
                       .passed = true};
    LIST_ADD(a, &f->origins, o);
}

void origin_add_condition(struct check *c, struct finding *f, const struct span *at,
                          const struct condition *when)
{
    struct origin o = {.what = "reached",
                       .span = *at,
                       .source = source_excerpt(c, at, SOURCE_MAX),
                       .when = conditions(c, when)};
    if (!o.when || !at->line)
        return;
    for (int i = 0; i < f->origins.count; i++)
        if (!memcmp(&f->origins.items[i].span, at, sizeof *at)) {
            f->origins.items[i].when = o.when;
            return;
        }
    LIST_ADD(c->in->arena, &f->origins, o);
}

/* ---- halves -------------------------------------------------------------------------------- */

enum { MAX_WAY = 8 };

const struct step *half_step(const struct flow_value *v)
{
    if (v->how && v->how->fact.dtypes & SET_HALVES)
        return v->how;
    for (int i = 0; i < v->other_way_count; i++)
        if (v->other_ways[i]->fact.dtypes & SET_HALVES)
            return v->other_ways[i];
    return NULL;
}

void origin_add_path(struct check *c, struct finding *out, const struct step *how)
{
    const struct step *way[MAX_WAY];
    int count = 0;
    while (how && count < MAX_WAY) {
        const struct step *before = NULL;
        for (int k = 0; k < 2 && !before; k++)
            if (how->from[k] && how->from[k]->fact.dtypes & SET_HALVES)
                before = how->from[k];
        if (before)
            way[count++] = how;
        how = before;
    }
    while (count--)
        if (way[count]->inst && !is_listed(out, &way[count]->span))
            finding_place(c, out, "goes through", &way[count]->span);
}
