/* Gradient scalers: whether one is enabled, was used, and how far an optimizer has come since
 * the last update; whether the current gradients are scaled. This is kept in memory as fields
 * that no program can name, so that states which differ in it are compared and joined like
 * others. For a scaler that is not enabled the progress is tracked, too: it counts where it is
 * only perhaps enabled. */
#include "analyzer/flow/autograd/autograd.h"

enum stage { READY, UNSCALED, STEPPED };
enum { ENABLED, USED, UPDATED, STAGE, CHECKED, WHOSE, FIELD_COUNT };
enum { NOBODY = 0, SEVERAL = -1 }; /* in WHOSE; else the location of the optimizer */

static const char *const fields[FIELD_COUNT] = {
    [ENABLED] = "enabled", [USED] = "used",       [UPDATED] = "updated",
    [STAGE] = "stage",     [CHECKED] = "checked", [WHOSE] = "optimizer of",
};

struct scaler {
    const struct pack_call *call;
    const struct loc *at; /* NULL: not known */
    int64_t optimizer;    /* its location; SEVERAL: not known */
    enum tri enabled, used, updated, checked;
    unsigned stages; /* bits 1 << enum stage that the optimizer can be at */
    bool known;      /* whether the stages are those of this optimizer */
};

static const struct loc *place_of(const struct value *v)
{
    return v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
}

static const struct loc *field_at(const struct pack_call *call, const struct loc *at, int field)
{
    return loc_field(call->f->heap, at, name_of(call->f->names, fields[field]));
}

/* The numbers that it can be, as bits. */
static unsigned numbers_in(const struct scaler *x, int field, unsigned all)
{
    const struct value *v = x->at ? state_get(x->call->s, field_at(x->call, x->at, field)) : NULL;
    unsigned found = 0;
    if (!v || v->kind != VALUE_NUMBER || !v->count)
        return all;
    for (int i = 0; i < v->count; i++)
        found |= 1u << v->as.number[i];
    return found & all;
}

static enum tri flag_in(const struct scaler *x, int field)
{
    unsigned found = numbers_in(x, field, 3);
    return (enum tri)((found & 1 ? TRI_NO : 0) | (found & 2 ? TRI_YES : 0));
}

/* Whether the stage is the optimizer's: TRI_MAYBE, or nobody's yet; 0: not known whose. */
static int is_whose(const struct scaler *x, int64_t optimizer)
{
    const struct value *v = x->at ? state_get(x->call->s, field_at(x->call, x->at, WHOSE)) : NULL;
    int found = 0;
    if (!v || v->kind != VALUE_NUMBER || optimizer == SEVERAL)
        return 0;
    for (int i = 0; i < v->count; i++) {
        if (v->as.number[i] != optimizer && v->as.number[i] != NOBODY)
            return v->count == 1 && v->as.number[i] != SEVERAL ? TRI_NO : 0;
        found |= v->as.number[i] == optimizer ? TRI_YES : TRI_NO;
    }
    return found;
}

/* The argument that the pack says is the scaler, or the optimizer. */
static const struct value *argument_at(const struct pack_call *call, int k)
{
    return k >= 0 && k < call->arg_count ? &call->args[k] : &value_any;
}

/* Which optimizer it is: the place that it is at or, where that can be one of several, from which
 * the pointer was read. */
static int64_t optimizer_of(const struct pack_call *call)
{
    const struct value *v = argument_at(call, pack_held_argument(call->fn));
    const struct loc *at = v->kind != VALUE_ADDRESS ? NULL
                           : v->count == 1          ? v->as.loc[0]
                                                    : v->origin;
    return at ? at->id + 1 : SEVERAL;
}

static struct scaler scaler_of(const struct pack_call *call)
{
    struct scaler x = {.call = call,
                       .at =
                           place_of(argument_at(call, pack_object_argument(call->fn, ROLE_SCALER))),
                       .optimizer = optimizer_of(call)};
    x.enabled = flag_in(&x, ENABLED);
    x.used = flag_in(&x, USED);
    x.updated = flag_in(&x, UPDATED);
    x.checked = flag_in(&x, CHECKED);
    int mine = is_whose(&x, x.optimizer);
    x.stages = !mine            ? 1u << READY | 1u << UNSCALED | 1u << STEPPED
               : mine == TRI_NO ? 1u << READY
                                : numbers_in(&x, STAGE, 7);
    x.known = mine != 0;
    return x;
}

static enum tri is_at(const struct scaler *x, enum stage stage)
{
    unsigned this = 1u << stage;
    return x->stages == this ? TRI_YES : x->stages & this ? TRI_MAYBE : TRI_NO;
}

/* ---- gradients ------------------------------------------------------------------------------- */

/* What holds for the gradients of all tensors: whether they are scaled, and whether there was a
 * backward since the last step. */
static const struct loc *gradients_at(struct flow *f, const char *field)
{
    struct object *o =
        object_at(f->heap, key_of(KEY_SCALED_GRADIENTS, 0, 0), OBJECT_MADE, "gradients", NULL);
    return loc_field(f->heap, loc_root(f->heap, o), name_of(f->names, field));
}

void gradients_begin(struct flow *f, struct state *s)
{
    if (!f->merges) /* else what is not written there would be what others wrote */
        return;
    state_put(f->scratch, s, gradients_at(f, "scaled"), value_int(0));
    state_put(f->scratch, s, gradients_at(f, "graded"), value_int(0));
    state_put(f->scratch, s, gradients_at(f, "unscaled for"), value_int(0));
}

/* There was a backward since the last step, on this path. */
static bool is_graded(const struct pack_call *call)
{
    const struct loc *at = gradients_at(call->f, "graded");
    const struct value *v = call->s->graded ? state_get(call->s, at) : NULL;
    return call->s->graded && (!v || value_can_be_nonzero(v));
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Whether some tensor that the optimizer holds has a gradient. */
static enum tri has_gradients(const struct pack_call *call)
{
    int i = 0, held = 0, missing = 0;
    for (; i < MAX_OPERANDS && call->choices[i].used; i++) {
        if (!call_param(call->fn, i)->held)
            continue;
        if (gradient_is_sure(call->s, &call->choices[i].value))
            return TRI_YES;
        held++;
        missing += gradient_is_missing(call->s, &call->choices[i].value);
    }
    bool all = i < MAX_OPERANDS; /* else there may be others */
    return all && held && missing == held ? TRI_NO : TRI_MAYBE;
}

static bool steps(const struct pack_call *call)
{
    return call->fn->effects & EFFECT_STEPS;
}

/* An update that sets the scale, rather than by what the gradients were. */
static enum tri sets_scale(const struct pack_call *call)
{
    int scale = pack_param_with(call->fn, ROLE_NEW_SCALE);
    return scale < 0 ? TRI_NO : choice_flag(&call->choices[scale]);
}

static enum tri lacks_gradients(const struct scaler *x)
{
    return tri_not(tri_or(x->checked, sets_scale(x->call)));
}

/* The calls before it came in the wrong order. */
static enum tri is_out_of_turn(const struct scaler *x)
{
    enum tri unused = tri_not(x->used), ready = is_at(x, READY);
    if (x->call->fn->effects & EFFECT_SCALER_UPDATE)
        return tri_or(unused, lacks_gradients(x));
    if (!steps(x->call))
        return tri_or(unused, tri_not(ready));
    enum tri early = tri_and(ready, unused);
    return tri_or(tri_or(is_at(x, STEPPED), early), tri_not(has_gradients(x->call)));
}

const char flow_not_scaled[] = "{op}: no loss was scaled";
const char flow_not_updated[] = "{op}: the scaler was not updated since the last step";
const char flow_unscaled_twice[] = "{op}: the gradients were unscaled already";
const char flow_not_unscaled[] = "{op}: no gradients were unscaled since the last update";
const char flow_not_graded[] = "{op}: no parameter has a gradient";

/* On at least one of the paths that were joined. */
static bool was_at(const struct scaler *x, enum stage stage)
{
    return is_at(x, stage) == TRI_YES ||
           (x->known && x->updated == TRI_NO && x->stages >> stage & 1);
}

/* The call that is surely missing, if the scaler is enabled; NULL: none that is known. */
static const char *missing_before(const struct scaler *x)
{
    bool updates = x->call->fn->effects & EFFECT_SCALER_UPDATE;
    if (!updates && was_at(x, STEPPED))
        return flow_not_updated;
    if (!updates && !steps(x->call) && was_at(x, UNSCALED))
        return flow_unscaled_twice;
    if (updates && x->used == TRI_YES && lacks_gradients(x) == TRI_YES && !x->call->s->past)
        return flow_not_unscaled; /* past an unscale_ that fails it is no other mistake */
    bool ready = updates || is_at(x, READY) == TRI_YES;
    if (x->used == TRI_NO && ready && is_graded(x->call))
        return flow_not_scaled;
    return steps(x->call) && has_gradients(x->call) == TRI_NO ? flow_not_graded : NULL;
}

/* It is so on at least one of the paths, whatever the parameters are. */
static void settle(const struct scaler *x, struct flow_failure *r, const char *why)
{
    r->reason = why;
    r->blurred = r->unknown = false;
    r->operand_count = r->failing_count = 0;
    r->failing = NULL;
    r->recorded = x->call->s->graded;
    r->changed = x->at ? x->at->object->source : NULL;
}

static enum tri is_refused(const struct scaler *x)
{
    static const char other[] = "{op}: the calls of the scaler are in the wrong order";
    enum tri refused = tri_and(x->enabled, is_out_of_turn(x));
    const char *why = missing_before(x);
    if (!(refused & TRI_YES))
        return refused;
    struct flow_failure *r =
        autograd_fail(x->call, ERROR_UNSCALE, why ? why : other, refused != TRI_YES);
    if (r && r->reason == other)
        r->unknown = true;
    /* Where paths were joined, it is not known whether those that scaled nothing have it enabled.
     */
    bool is_lost = r && r->blurred && why == flow_not_scaled;
    if (r && why && !is_lost && (r->reason == why || r->unknown || r->blurred))
        settle(x, r, why);
    return refused;
}

/* The pack says what happens to gradients of these dtypes if they are unscaled here. If none of
 * them can be, a step fails for that or for lack of gradients. */
static enum tri unscales(const struct scaler *x, const struct outcomes *g)
{
    enum tri there = steps(x->call) && !g->works ? TRI_YES : has_gradients(x->call);
    enum tri now = steps(x->call) ? is_at(x, READY) : TRI_YES;
    bool outside = x->at && !state_get(x->call->s, field_at(x->call, x->at, ENABLED));
    return tri_and(outside ? TRI_YES : tri_and(x->enabled, now), there);
}

static const struct outcomes *only_perhaps(const struct scaler *x, const struct outcomes *all,
                                           enum tri unscaled)
{
    struct outcomes *g = arena_copy(x->call->f->scratch, all, sizeof *all);
    for (int i = 0; i < MAX_OPERANDS; i++) /* its success implies nothing about them */
        g->dtypes[i] = 0;
    if (unscaled == TRI_NO)
        g->reasons[ERROR_UNSCALE] = NULL;
    g->works = true;
    return g;
}

/* A scaler that is not enabled returns its operand. */
static const struct outcomes *as_it_is(const struct pack_call *call, const struct outcomes *all)
{
    struct outcomes *same = arena_copy(call->f->scratch, all, sizeof *all);
    same->same = call->fn->alias_of >= 0;
    same->other &= !same->same;
    same->same_as = call->fn->alias_of;
    return same;
}

/* Whether some parameter that the optimizer holds can be in f16 or bf16. */
static bool holds_halves(const struct pack_call *call)
{
    dtype_set all = 0, halves = DTYPE_BIT(DTYPE_F16) | DTYPE_BIT(DTYPE_BF16);
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
        all |= call_param(call->fn, i)->held ? call->choices[i].fact.dtypes : 0;
    return all & halves;
}

static void note_unscaled(const struct pack_call *call)
{
    struct flow_call *c = call->fr->code->reached[call->inst];
    if (c && c->callee == call->fn && holds_halves(call))
        c->gradients |= GRADIENTS_HALF;
}

const struct outcomes *scaler_check(const struct pack_call *call, const struct outcomes *all)
{
    const unsigned asks = EFFECT_UNSCALES | EFFECT_SCALER_UPDATE;
    if (!(call->fn->effects & (asks | EFFECT_SCALES)))
        return all;
    struct scaler x = scaler_of(call);
    if (call->fn->effects & EFFECT_SCALES)
        return x.enabled == TRI_NO ? as_it_is(call, all) : all;
    if (is_refused(&x) == TRI_YES)
        return NULL;
    enum tri unscaled = call->fn->effects & EFFECT_UNSCALES ? unscales(&x, all) : TRI_NO;
    if (unscaled & TRI_YES)
        note_unscaled(call);
    return unscaled == TRI_YES ? all : only_perhaps(&x, all, unscaled);
}

/* ---- effects --------------------------------------------------------------------------------- */

static struct value flag_value(enum tri t)
{
    struct value v = value_int(t == TRI_YES);
    if (t == TRI_MAYBE) {
        v.count = 2;
        v.as.number[0] = 0;
        v.as.number[1] = 1;
    }
    return v;
}

static void put(const struct scaler *x, int field, struct value v)
{
    state_put(x->call->f->scratch, x->call->s, field_at(x->call, x->at, field), v);
}

/* Whether it is enabled, with the condition if that is known. */
static struct value enabled_value(const struct pack_call *call, int enabled)
{
    enum tri is = enabled < 0 ? TRI_YES : choice_flag(&call->choices[enabled]);
    struct value truth = is == TRI_MAYBE && call->f->merges
                             ? guard_truth(call->s, &call->choices[enabled].value)
                             : value_nothing;
    call->s->guarded |= truth.kind == VALUE_GUARDED;
    return truth.kind == VALUE_GUARDED ? truth : flag_value(is);
}

static void begin(const struct pack_call *call, const struct value *made)
{
    struct scaler x = {.call = call, .at = place_of(made)};
    for (int i = USED; x.at && i < FIELD_COUNT; i++)
        put(&x, i, value_int(0));
    int enabled = pack_param_with(call->fn, ROLE_ENABLED);
    if (x.at) {
        put(&x, ENABLED, enabled_value(call, enabled));
        x.at->object->source = call_step(call);
    }
}

static void advance(const struct scaler *x)
{
    const struct value *of = state_get(x->call->s, field_at(x->call, x->at, WHOSE));
    bool first = !of || (of->kind == VALUE_NUMBER && of->count == 1 && of->as.number[0] == NOBODY);
    bool same = x->optimizer != SEVERAL && (first || is_whose(x, x->optimizer) & TRI_YES);
    enum tri checked = steps(x->call) ? TRI_YES : tri_or(x->checked, has_gradients(x->call));
    put(x, USED, value_int(1)); /* else it was reported */
    put(x, STAGE, value_int(steps(x->call) ? STEPPED : UNSCALED));
    put(x, WHOSE, value_int(same ? x->optimizer : SEVERAL));
    put(x, CHECKED, flag_value(checked));
}

/* ---- backward -------------------------------------------------------------------------------- */

static void put_scaled(const struct pack_call *call, enum tri scaled)
{
    const struct loc *at = gradients_at(call->f, "scaled");
    if (scaled != TRI_NO || state_get(call->s, at))
        state_put(call->f->scratch, call->s, at, flag_value(scaled));
}

/* For which optimizer gradients are unscaled that are scaled otherwise; NULL: for none, or not
 * known. */
static const struct loc *unscaled_for(const struct pack_call *call)
{
    const struct value *v = state_get(call->s, gradients_at(call->f, "unscaled for"));
    return v ? place_of(v) : NULL;
}

static void put_unscaled_for(const struct pack_call *call, const struct loc *optimizer)
{
    const struct loc *at = gradients_at(call->f, "unscaled for");
    if (optimizer || state_get(call->s, at))
        state_put(call->f->scratch, call->s, at,
                  optimizer ? value_of_loc(optimizer) : value_int(0));
}

/* Those of the tensors that an optimizer holds are unscaled: others still are scaled, until a
 * second one is given. */
static void unscale(const struct pack_call *call)
{
    const struct value *v = state_get(call->s, gradients_at(call->f, "scaled"));
    bool is_scaled = v && v->kind == VALUE_NUMBER && v->count == 1 && v->as.number[0];
    put_unscaled_for(call,
                     is_scaled ? place_of(argument_at(call, pack_held_argument(call->fn))) : NULL);
    put_scaled(call, TRI_NO);
}

/* Whether the tensors that an optimizer holds are all known, and this is none of them. */
static bool is_of_others(const struct pack_call *call, const struct loc *optimizer, int tensor)
{
    const struct loc *array = call_held(call->f, optimizer);
    int count = 0;
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(call->s, &w, array->object));
         cursor_on(call->s, &w)) {
        if (cell->loc->parent != array || cell->loc->any)
            continue;
        const struct value *v = cell_read(call->s, cell);
        if (v->kind != VALUE_TENSOR || v->count != 1 || v->as.tensor[0] == tensor)
            return false;
        count++;
    }
    return count > 0;
}

/* Whether what a call clips are gradients that a scaler left scaled, since it unscaled for another
 * optimizer. */
static bool clips_others(const struct pack_call *call)
{
    const struct loc *optimizer = call->fn->effects & EFFECT_CLIPS ? unscaled_for(call) : NULL;
    int count = 0;
    for (int i = 0; optimizer && i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct value *v = &call->choices[i].value;
        if (v->kind != VALUE_TENSOR)
            continue;
        if (v->count != 1 || !gradient_is_sure(call->s, v) ||
            !is_of_others(call, optimizer, v->as.tensor[0]))
            return false;
        count++;
    }
    return count > 0;
}

static void put_graded(const struct pack_call *call, const struct step *backward)
{
    call->s->graded = backward;
    if (call->f->merges)
        state_put(call->f->scratch, call->s, gradients_at(call->f, "graded"),
                  value_int(backward != NULL));
}

/* A method, whose name is not that of the function: the step says which op it is. */
static bool is_named_scale(const struct pack_set *packs, const struct step *how)
{
    const struct pack_function *fn;
    for (int at = 0; (fn = packs_next_effective(packs, &at));)
        if (fn->effects & EFFECT_SCALES && how->what == fn->shown)
            return true;
    return false;
}

/* It is what a scaler made of a loss, not the loss itself. */
static bool is_scaled(const struct pack_call *call, int tensor)
{
    const struct tensor *t = state_tensor(call->s, tensor);
    const struct step *how = t ? t->how : NULL;
    const char *name = how && how->inst ? how->function->insts.items[how->inst].name : NULL;
    const struct pack_function *maker = name ? packs_find(call->f->packs, name) : NULL;
    return maker ? maker->effects & EFFECT_SCALES : name && is_named_scale(call->f->packs, how);
}

void scaler_backward(const struct pack_call *call, const struct value *loss)
{
    int scaled = 0;
    put_graded(call, call_step(call));
    for (int k = 0; k < loss->count && loss->kind == VALUE_TENSOR; k++)
        scaled |= is_scaled(call, loss->as.tensor[k]) ? TRI_YES : TRI_NO;
    put_unscaled_for(call, NULL);
    put_scaled(call, scaled ? (enum tri)scaled : TRI_NO);
}

/* Where a scaler was made that may be enabled; NULL: not here. */
static const struct step *scaler_made(const struct pack_call *call)
{
    const char *enabled = name_of(call->f->names, fields[ENABLED]);
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_at(call->s, w)); cursor_on(call->s, &w)) {
        const struct loc *at = cell->loc->field == enabled ? cell->loc->parent : NULL;
        if (at && !at->parent && at->object->source &&
            value_can_be_nonzero(cell_read(call->s, cell)))
            return at->object->source;
    }
    return NULL;
}

/* A scaler has unscaled for the optimizer, which has not stepped since. */
static bool is_unscaled_for(const struct pack_call *call, int64_t optimizer)
{
    const char *stage = name_of(call->f->names, fields[STAGE]);
    const struct cell *cell;
    for (struct cursor w = {0}; optimizer != SEVERAL && (cell = cell_at(call->s, w));
         cursor_on(call->s, &w)) {
        if (cell->loc->field != stage || !cell->loc->parent)
            continue;
        struct scaler x = {.call = call, .at = cell->loc->parent};
        if (flag_in(&x, ENABLED) & TRI_YES && is_whose(&x, optimizer) & TRI_YES &&
            numbers_in(&x, STAGE, 7) == 1u << UNSCALED)
            return true;
    }
    return false;
}

void scaler_observe(const struct pack_call *call)
{
    struct flow_call *c = call->fr->code->reached[call->inst];
    bool alone = steps(call) && !(call->fn->effects & EFFECT_UNSCALES);
    if (!c || c->callee != call->fn || call->s->past ||
        !(alone || call->fn->effects & (EFFECT_CLIPS | EFFECT_GRADIENT)))
        return; /* past an unscale_ that fails gradients are scaled, but no run gets there */
    const struct value *v = state_get(call->s, gradients_at(call->f, "scaled"));
    bool is_scaled = v && v->kind == VALUE_NUMBER && v->count == 1 && v->as.number[0];
    if (is_scaled || clips_others(call))
        c->gradients |= GRADIENTS_SCALED;
    else if (alone && is_unscaled_for(call, optimizer_of(call)))
        c->gradients |= GRADIENTS_UNSCALED;
    else
        return;
    c->graded = c->graded ? c->graded : call->s->graded;
    c->scaler = c->scaler ? c->scaler : scaler_made(call);
}

void scaler_advance(const struct pack_call *call, const struct value *result)
{
    const unsigned acts = EFFECT_SCALES | EFFECT_UNSCALES | EFFECT_SCALER_UPDATE;
    if (call->fn->effects & EFFECT_SCALER_NEW)
        begin(call, result);
    if (call->fn->effects & EFFECT_UNSCALES)
        unscale(call);
    if (call->fn->effects & (EFFECT_ZERO_GRAD | EFFECT_SETS_GRAD | EFFECT_GRADIENT)) {
        put_scaled(call, TRI_NO); /* a program that reads one may scale it down itself */
        put_unscaled_for(call, NULL);
    }
    if (call->fn->effects & (EFFECT_STEPS | EFFECT_ZERO_GRAD))
        put_graded(call, NULL);
    if (!(call->fn->effects & acts))
        return;
    struct scaler x = scaler_of(call);
    if (!x.at)
        return;
    if (call->fn->effects & EFFECT_SCALES)
        put(&x, USED, value_int(1));
    else if (call->fn->effects & EFFECT_UNSCALES)
        advance(&x);
    else
        for (int i = UPDATED; i < FIELD_COUNT; i++)
            put(&x, i, value_int(i == UPDATED));
}
