/* One call: checks in order, the first that does not hold is the error; else the results and what
 * they alias. */
#include "analyzer/pack/private.h"

/* The first required tensor that is missing; NULL: none. */
static const char *missing(const struct pack_function *f, const struct operand *operands)
{
    for (int i = 0; i < f->param_count; i++)
        if (f->params[i].required && operands[i].kind == OPERAND_ABSENT)
            return f->params[i].name;
    return NULL;
}

/* Whether the call has to do with dtypes of which packs say less: then nothing is said of what is
 * not taken. */
static bool is_rare(const struct evaluation *v)
{
    for (int i = 0; i < v->count; i++) {
        const struct operand *o = &v->operands[i];
        if (o->dtype >= DTYPE_U16 && o->dtype < DTYPE_COUNT &&
            (o->kind == OPERAND_TENSOR || o->kind == OPERAND_DTYPE))
            return true;
    }
    return false;
}

static bool is_about_dtypes(const struct check *c)
{
    return c->kind == ERROR_DTYPE || c->kind == ERROR_CAST || c->kind == ERROR_OVERFLOW ||
           c->kind == ERROR_GRAD;
}

/* The first check that does not hold; NULL: all do. */
static const struct check *failing(struct evaluation *v, const struct check *checks, int count,
                                   struct outcome *out)
{
    bool rare = is_rare(v);
    for (int i = 0; i < count; i++) {
        const struct check *c = &checks[i];
        if (rare && is_about_dtypes(c) && !c->is_of_all)
            continue;
        uint64_t when = c->when ? evaluate(v, c->when).mask : SAY_YES;
        if (when == SAY_NO)
            continue;
        uint64_t holds = evaluate(v, c->holds).mask;
        out->unsure |= holds == SAY_MAYBE || (holds == SAY_NO && when == SAY_MAYBE);
        if (c->kind == ERROR_DEVICE && holds == SAY_MAYBE && when == SAY_YES && !out->apart)
            out->apart = c->say ? c->say : "";
        if (holds == SAY_NO && when == SAY_YES)
            return c;
    }
    return NULL;
}

static bool run_checks(struct evaluation *v, struct outcome *out)
{
    const struct pack_rule *rule = v->function->rule;
    const struct check *c = failing(v, rule->checks, rule->check_count, out);
    out->error = c ? c->kind : ERROR_NONE;
    out->reason = c ? c->say : NULL;
    return !c;
}

static void run_backward_checks(struct evaluation *v, struct outcome *out)
{
    const struct pack_rule *rule = v->function->rule;
    const struct check *c = failing(v, rule->backward_checks, rule->backward_check_count, out);
    out->backward = c ? c->kind : ERROR_NONE;
    out->backward_reason = c ? c->say : NULL;
}

static enum operand_kind number_kind(dtype_set dtypes)
{
    return dtypes == DTYPE_BIT(DTYPE_BOOL) ? OPERAND_BOOL
           : dtypes & DTYPES_GRADED        ? OPERAND_FLOAT
                                           : OPERAND_INT;
}

static void make_result(struct evaluation *v, const struct result_rule *r, struct operand *out)
{
    struct answer value = r->value ? evaluate(v, r->value) : (struct answer){0};
    dtype_set dtypes = r->dtype ? evaluate(v, r->dtype).mask : 0;
    if ((dtypes & DTYPES_KNOWN) == DTYPES_KNOWN && !is_rare(v))
        dtypes = DTYPES_ALL;
    unsigned places = r->device ? (unsigned)evaluate(v, r->device).mask : PLACE_CPU;
    unsigned ranks = r->ndim ? (unsigned)evaluate(v, r->ndim).mask : ALL_RANKS & ~1u;
    *out = (struct operand){
        .kind = r->kind == OPERAND_FLOAT ? number_kind(dtypes) : r->kind,
        .dtype = mask_is_one(dtypes) ? (enum dtype)mask_first(dtypes) : DTYPE_NONE,
        .device = places_device(places),
        .gpus = (uint16_t)(places >> 1),
        .ranks = (uint16_t)ranks,
        .zero_dim = ranks == RANK_BIT(0),
        .zero_dim_unknown = (ranks & 1) && ranks != RANK_BIT(0),
        .dtypes = dtypes,
        .known = value.known,
        .number = value.number,
    };
}

static void decide_alias(struct evaluation *v, struct outcome *out)
{
    const struct pack_function *f = v->function;
    const struct expr *same_when = f->rule->same_when;
    out->alias = f->alias;
    out->alias_of = f->alias_of;
    if (f->alias_of < 0)
        return;
    if (f->rule->itself_when && evaluate(v, f->rule->itself_when).mask == SAY_YES) {
        out->alias = ALIAS_SAME;
        return;
    }
    uint64_t same = same_when ? evaluate(v, same_when).mask : SAY_YES;
    if (f->alias == ALIAS_MAYBE_SAME && same == SAY_YES)
        out->alias = ALIAS_SAME;
    if (f->alias == ALIAS_MAYBE_VIEW && same_when && same == SAY_YES)
        out->alias = ALIAS_VIEW;
    if (same == SAY_NO || !operand_is_given(&v->operands[f->alias_of])) {
        out->alias = ALIAS_FRESH;
        out->alias_of = -1;
    }
}

void pack_call_in(const struct pack_function *f, const struct operand *operands, int count,
                  const struct regions *regions, struct outcome *out)
{
    struct operand cast[PACK_MAX_OPERANDS];
    *out = (struct outcome){.alias_of = -1};
    const char *name = missing(f, operands);
    if (name && f->question != QUESTION_NONE) { /* asking is no error: the answer is unknown */
        out->result_count = f->rule->result_count;
        return;
    }
    if (name) {
        out->error = ERROR_ARGUMENT;
        out->reason = "{op} is given {null}";
        return;
    }
    if (regions && count <= PACK_MAX_OPERANDS) {
        if (!pack_autocast(f, operands, count, regions, cast, out))
            return;
        operands = cast;
    }
    struct evaluation v = {.function = f,
                           .operands = operands,
                           .count = count,
                           .default_dtype = regions ? regions->default_dtype : DTYPE_NONE};
    if (!run_checks(&v, out) && !f->goes_on)
        return;
    run_backward_checks(&v, out);
    decide_alias(&v, out);
    out->result_count = f->rule->result_count;
    for (int i = 0; i < out->result_count; i++)
        make_result(&v, &f->rule->results[i], &out->results[i]);
}

bool pack_number_of_dtype(const struct pack_function *f, enum dtype d, int64_t *number)
{
    struct operand o = {.kind = OPERAND_DTYPE, .dtype = d};
    struct outcome out;
    pack_call(f, &o, &out);
    const struct operand *r = &out.results[0];
    if (out.error != ERROR_NONE || !out.result_count)
        return false;
    if (r->kind == OPERAND_DTYPE && r->dtype != DTYPE_NONE)
        *number = packs_value_of_dtype(NULL, f, r->dtype);
    else if (r->known)
        *number = (int64_t)r->number;
    return r->known || (r->kind == OPERAND_DTYPE && r->dtype != DTYPE_NONE);
}

void pack_call_many(const struct pack_function *f, const struct operand *operands, int count,
                    struct outcome *out)
{
    pack_call_in(f, operands, count, NULL, out);
}

void pack_call(const struct pack_function *f, const struct operand *operands, struct outcome *out)
{
    pack_call_in(f, operands, f->param_count, NULL, out);
}
