/* Grad scalers: whether one is enabled, was used, and how far an optimizer has come since the last
 * update. That lies in memory as fields of the scaler that no program can name, so that paths which
 * differ in it are kept apart and joined like others. One that is not enabled does nothing, and
 * gradients that are not there stand in nobody's way. */
#include "analyzer/flow/graph.h"

enum stage { READY, UNSCALED, STEPPED };
enum { ENABLED, USED, STAGE, CHECKED, WHOSE, FIELD_COUNT };
enum { NOBODY = 0, SEVERAL = -1 }; /* with WHOSE; else the place of the optimizer */

static const char *const fields[FIELD_COUNT] = {
    [ENABLED] = "enabled", [USED] = "used",          [STAGE] = "stage",
    [CHECKED] = "checked", [WHOSE] = "optimizer of",
};

struct scaler {
    const struct graph *g;
    const struct loc *at; /* NULL: not known which */
    int64_t optimizer;    /* its place; SEVERAL: not known which */
    enum tri enabled, used, checked;
    unsigned stages; /* bits 1 << enum stage that the optimizer can be at */
};

static const struct loc *place_of(const struct value *v)
{
    return v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
}

static const struct loc *field_at(const struct graph *g, const struct loc *at, int field)
{
    return loc_field(g->f->heap, at, name_of(g->f->names, fields[field]));
}

/* The numbers from 0 on that it can be, as bits. */
static unsigned numbers_in(const struct scaler *x, int field, unsigned all)
{
    const struct value *v = x->at ? state_get(x->g->s, field_at(x->g, x->at, field)) : NULL;
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

/* Whose the stage is; SEVERAL: of more than one, or not known. */
static int64_t whose(const struct scaler *x)
{
    const struct value *v = x->at ? state_get(x->g->s, field_at(x->g, x->at, WHOSE)) : NULL;
    return v && v->kind == VALUE_NUMBER && v->count == 1 ? v->as.number[0] : SEVERAL;
}

/* The scaler is the last argument but one, the optimizer the last. */
static struct scaler scaler_of(const struct graph *g, const struct value *args, int count)
{
    const struct loc *optimizer = count > 1 ? place_of(&args[count - 1]) : NULL;
    struct scaler x = {.g = g,
                       .at = count > 1 ? place_of(&args[count - 2]) : NULL,
                       .optimizer = optimizer ? optimizer->id + 1 : SEVERAL};
    x.enabled = flag_in(&x, ENABLED);
    x.used = flag_in(&x, USED);
    x.checked = flag_in(&x, CHECKED);
    int64_t of = whose(&x);
    bool known = of != SEVERAL && x.optimizer != SEVERAL;
    x.stages = !known                              ? 1u << READY | 1u << UNSCALED | 1u << STEPPED
               : of == NOBODY || of != x.optimizer ? 1u << READY
                                                   : numbers_in(&x, STAGE, 7);
    return x;
}

static enum tri is_at(const struct scaler *x, enum stage stage)
{
    unsigned this = 1u << stage;
    return x->stages == this ? TRI_YES : x->stages & this ? TRI_MAYBE : TRI_NO;
}

/* ---- what it refuses ------------------------------------------------------------------------ */

/* Whether some of what the optimizer holds has a gradient. */
static enum tri has_gradients(const struct graph *g)
{
    for (int i = 0; i < MAX_OPERANDS && g->choices[i].used; i++)
        if (packed_param(g->fn, i)->held && gradient_is_sure(g->s, &g->choices[i].value))
            return TRI_YES;
    return TRI_MAYBE;
}

static bool steps(const struct graph *g)
{
    return g->fn->effects & EFFECT_STEPS;
}

/* What was done before is not what it should have been. Rules of their own speak of that. */
static enum tri is_out_of_turn(const struct scaler *x)
{
    enum tri unused = tri_not(x->used), ready = is_at(x, READY);
    if (x->g->fn->effects & EFFECT_SCALER_UPDATE)
        return tri_or(unused, tri_not(x->checked));
    if (!steps(x->g))
        return tri_or(unused, tri_not(ready));
    enum tri early = tri_and(ready, unused);
    return tri_or(tri_or(is_at(x, STEPPED), early), tri_not(has_gradients(x->g)));
}

static enum tri is_refused(const struct scaler *x)
{
    static const char reason[] = "{op}: the scaler is not where it should be";
    enum tri refused = tri_and(x->enabled, is_out_of_turn(x));
    if (refused & TRI_YES) {
        struct flow_failure *r = graph_fail(x->g, ERROR_UNSCALE, reason, refused != TRI_YES);
        if (r && r->reason == reason)
            r->unknown = true;
    }
    return refused;
}

/* The pack says what comes of gradients of these dtypes, if they are unscaled here. Where all are
 * such that they cannot be, a step fails for that or for want of gradients. */
static enum tri unscales(const struct scaler *x, const struct gathered *g)
{
    enum tri there = steps(x->g) && !g->works ? TRI_YES : has_gradients(x->g);
    enum tri now = steps(x->g) ? is_at(x, READY) : TRI_YES;
    bool outside = x->at && !state_get(x->g->s, field_at(x->g, x->at, ENABLED));
    return tri_and(outside ? TRI_YES : tri_and(x->enabled, now), there);
}

static const struct gathered *only_perhaps(const struct scaler *x, const struct gathered *all,
                                           enum tri unscaled)
{
    struct gathered *g = arena_copy(x->g->f->scratch, all, sizeof *all);
    for (int i = 0; i < MAX_OPERANDS; i++) /* that it worked says nothing of them */
        g->dtypes[i] = 0;
    if (unscaled == TRI_NO)
        g->reasons[ERROR_UNSCALE] = NULL;
    g->works = true;
    return g;
}

const struct gathered *scaler_allows(const struct graph *g, const struct value *args, int count,
                                     const struct gathered *all)
{
    const unsigned asks = EFFECT_UNSCALES | EFFECT_SCALER_UPDATE;
    if (!(g->fn->effects & asks))
        return all;
    struct scaler x = scaler_of(g, args, count);
    if (is_refused(&x) == TRI_YES)
        return NULL;
    enum tri unscaled = g->fn->effects & EFFECT_UNSCALES ? unscales(&x, all) : TRI_NO;
    return unscaled == TRI_YES ? all : only_perhaps(&x, all, unscaled);
}

/* ---- what it does --------------------------------------------------------------------------- */

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

/* One that is perhaps not enabled is perhaps left as it was. */
static void put(const struct scaler *x, int field, struct value v)
{
    const struct loc *at = field_at(x->g, x->at, field);
    const struct value *before = state_get(x->g->s, at);
    if (x->enabled == TRI_MAYBE && before)
        v = value_join(x->g->f->scratch, x->g->s, before, &v);
    state_put(x->g->f->scratch, x->g->s, at, v);
}

static void begin(const struct graph *g, const struct value *made)
{
    struct scaler x = {.g = g, .at = place_of(made), .enabled = TRI_YES};
    for (int i = USED; x.at && i < FIELD_COUNT; i++)
        put(&x, i, value_int(0));
    if (x.at)
        put(&x, ENABLED, flag_value(graph_flag(&g->choices[0])));
}

static void advance(const struct scaler *x)
{
    int64_t of = whose(x);
    bool same = x->optimizer != SEVERAL && (of == NOBODY || of == x->optimizer);
    enum tri checked = steps(x->g) ? TRI_YES : tri_or(x->checked, has_gradients(x->g));
    put(x, STAGE, value_int(steps(x->g) ? STEPPED : UNSCALED));
    put(x, WHOSE, value_int(same ? x->optimizer : SEVERAL));
    put(x, CHECKED, flag_value(checked));
}

void scaler_record(const struct graph *g, const struct value *args, int count,
                   const struct value *result)
{
    const unsigned acts = EFFECT_SCALES | EFFECT_UNSCALES | EFFECT_SCALER_UPDATE;
    if (g->fn->effects & EFFECT_SCALER_NEW)
        begin(g, result);
    if (!(g->fn->effects & acts))
        return;
    struct scaler x = scaler_of(g, args, count);
    bool known = x.at && state_get(g->s, field_at(g, x.at, ENABLED));
    if (!known || x.enabled == TRI_NO)
        return;
    if (g->fn->effects & EFFECT_SCALES)
        put(&x, USED, value_int(1));
    else if (g->fn->effects & EFFECT_UNSCALES)
        advance(&x);
    else
        for (int i = STAGE; i < FIELD_COUNT; i++)
            put(&x, i, value_int(0));
}
