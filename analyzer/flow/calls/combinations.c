/* All combinations of what the operands can be: a pack says what one call with known operands does;
 * the outcomes of all combinations are joined, and memoised by what the operands could be. */
#include "analyzer/flow/calls/calls.h"

#include <string.h>

/* Memory of which the pack says no more has no dtype, and is accessible from all devices. */
static void gather_buffer(struct outcomes *g, int k, const struct operand *r, struct fact *one)
{
    int64_t bytes = r->known && r->number >= 0 && r->number < 1e15 ? (int64_t)r->number : -1;
    one->buffer = true;
    one->zero_dim = one->ranks = 0;
    if (r->dtype == DTYPE_NONE)
        one->dtypes = DTYPES_UNTYPED;
    if (r->device == DEVICE_COUNT)
        one->devices = DEVICES_SHARED;
    g->bytes[k] = !g->results[k].dtypes || g->bytes[k] == bytes ? bytes : -1;
}

static void gather_result(struct outcomes *g, int k, const struct operand *r)
{
    struct fact one = {.dtypes = r->dtypes ? r->dtypes : DTYPE_BIT(r->dtype),
                       .devices =
                           r->device < DEVICE_COUNT ? (uint8_t)(1u << r->device) : DEVICES_ALL,
                       .gpus = r->device == DEVICE_CPU ? 0
                               : r->gpus               ? r->gpus
                                                       : GPUS_ALL,
                       .zero_dim = r->zero_dim_unknown ? TRI_MAYBE
                                   : r->zero_dim       ? TRI_YES
                                                       : TRI_NO,
                       .grad = TRI_NO,
                       .leaf = TRI_YES,
                       .null = TRI_NO,
                       .ranks = r->ranks};
    g->kinds[k] = r->kind;
    if (r->kind == OPERAND_BUFFER)
        gather_buffer(g, k, r, &one);
    fact_join(&g->results[k], &one);
}

/* The operands of a combination that works. Memory of which nothing is known is untyped and
 * shared. */
static void gather_operands(struct outcomes *g, const struct operand *operands, int count)
{
    const struct operand *before = NULL;
    for (int i = 0; i < count; i++) {
        if (operands[i].kind != OPERAND_TENSOR && operands[i].kind != OPERAND_BUFFER)
            continue;
        bool is_open = operands[i].kind == OPERAND_TENSOR && operands[i].device == DEVICE_COUNT;
        g->dtypes[i] |= operands[i].dtypes ? operands[i].dtypes : DTYPE_BIT(operands[i].dtype);
        g->devices[i] |= is_open ? DEVICES_EVERY : (uint8_t)(1u << operands[i].device);
        if (operands[i].device != DEVICE_CPU)
            g->gpus[i] |= operands[i].gpus ? operands[i].gpus : GPUS_ALL;
        g->mixed_dtypes |= before && before->dtype != operands[i].dtype;
        g->mixed_devices |= before && before->device != operands[i].device;
        before = &operands[i];
    }
}

static struct value device_number(const struct pack_function *fn, const struct operand *r)
{
    bool one = r->device == DEVICE_CPU || (r->device == DEVICE_CUDA && r->gpus &&
                                           !(r->gpus & (r->gpus - 1)) && r->gpus != 1u << GPU_LAST);
    return one ? value_int(packs_value_of_device(NULL, fn, r->device,
                                                 r->gpus ? __builtin_ctz(r->gpus) : 0))
               : value_range(INT64_MIN, INT64_MAX);
}

/* A returned number, as the program sees it. */
static struct value number_of(const struct pack_function *fn, const struct operand *r)
{
    struct value v = value_range(INT64_MIN, INT64_MAX);
    switch (r->kind) {
    case OPERAND_DTYPE:
        return r->dtypes & (r->dtypes - 1) ? v
                                           : value_int(packs_value_of_dtype(NULL, fn, r->dtype));
    case OPERAND_DEVICE:
        return device_number(fn, r);
    case OPERAND_FLOAT:
        return r->known ? value_real(r->number) : value_unknown_real();
    case OPERAND_INT:
        return r->known ? value_int((int64_t)r->number) : v;
    case OPERAND_BOOL:
        v = r->known ? value_int(r->number != 0) : value_range(0, 1);
        v.is_bool = true;
        return v;
    case OPERAND_ABSENT:
    case OPERAND_TENSOR:
    case OPERAND_BUFFER:
        break;
    }
    return value_nothing;
}

/* Already formatted: it is reported for another call, with other operands. */
static const char *backward_reason(struct flow *f, const struct pack_function *fn,
                                   const struct operand *operands, const char *reason)
{
    struct text out = {0};
    pack_reason_print(fn, operands, NULL, NULL, reason ? reason : "", &out);
    const char *kept = arena_printf(f->arena, "%s", out.data ? out.data : "");
    text_free(&out);
    return kept;
}

static void gather_error(struct flow *f, enum error_kind kind, const char *reason,
                         const struct operand *operands, int count, struct outcomes *g)
{
    g->reasons[kind] = reason ? reason : "";
    g->failing[kind] = arena_copy(f->arena, operands, sizeof *operands * (size_t)count);
    g->failing_count[kind] = count;
    if (kind == ERROR_DEVICE)
        g->maybe_devices_differ = false;
}

static bool has_one_dtype(const struct choice *c)
{
    for (int i = 1; i < c->count; i++)
        if (c->options[i].dtype != c->options[0].dtype)
            return false;
    return true;
}

/* Of the operands that the reason speaks of, those with several dtypes, less those with one. */
static int vagueness(const struct pack_call *call, const char *reason)
{
    int sum = 0;
    for (int i = 0; i < call->fn->param_count; i++)
        if (call->choices[i].used && reason_mentions(reason, call->fn->params[i].name))
            sum += has_one_dtype(&call->choices[i]) ? -1 : 1;
    return sum;
}

/* Whether it says more than the reason that is there: that speaks of operands of which little is
 * known, which are not to blame if the call fails whatever they are. Reasons are texts of the pack:
 * the one that was compared last comes again in most combinations. */
static bool is_better_reason(const struct pack_call *call, const struct outcome *out,
                             struct outcomes *g)
{
    const char *before = g->reasons[out->error];
    if (!before || (out->error == ERROR_DEVICE && g->maybe_devices_differ))
        return true;
    if (out->error != ERROR_DTYPE || !*before || !out->reason || out->reason == before ||
        out->reason == g->no_better)
        return false;
    g->no_better = out->reason;
    return vagueness(call, out->reason) < vagueness(call, before);
}

/* The same operand with dimensions, if nothing says whether it has any; NULL: something does. */
static const struct operand *with_dimensions(const struct choice *c, const struct operand *is)
{
    for (int i = 0; i < c->count && is->zero_dim; i++) {
        const struct operand *o = &c->options[i];
        if (o->kind == is->kind && o->dtype == is->dtype && o->device == is->device &&
            o->gpus == is->gpus && !o->zero_dim && (!o->ranks || (o->ranks | 1) == UINT16_MAX))
            return o;
    }
    return NULL;
}

/* Whether the combination fails only since operands of which nobody says how many dimensions they
 * have are taken to have none. */
static bool fails_without_dimensions(const struct pack_call *call, const struct operand *operands,
                                     int count, const struct regions *regions)
{
    struct operand with[MAX_OPERANDS];
    struct outcome out = {0};
    bool has_changed = false;
    for (int i = 0; i < count; i++) {
        const struct operand *o = with_dimensions(&call->choices[i], &operands[i]);
        with[i] = o ? *o : operands[i];
        has_changed |= o != NULL;
    }
    if (has_changed)
        pack_call_in(call->fn, with, count, regions, &out);
    return has_changed && out.error == ERROR_NONE;
}

static void evaluate(const struct pack_call *call, const struct operand *operands, int count,
                     const struct regions *regions, struct outcomes *g)
{
    struct flow *f = call->f;
    const struct pack_function *fn = call->fn;
    struct outcome out = {0};
    pack_call_in(fn, operands, count, regions, &out);
    bool works = out.error == ERROR_NONE;
    if (out.error == ERROR_DTYPE)
        g->fails_with_dimensions |= !fails_without_dimensions(call, operands, count, regions);
    if (!works && is_better_reason(call, &out, g))
        gather_error(f, out.error, out.reason, operands, count, g);
    if (works && out.apart && !g->reasons[ERROR_DEVICE]) {
        gather_error(f, ERROR_DEVICE, out.apart, operands, count, g);
        g->maybe_devices_differ = true;
    }
    if (!works && !fn->goes_on)
        return;
    g->works |= works;
    g->goes_back |= out.backward == ERROR_NONE;
    if (out.backward != ERROR_NONE && g->backward == ERROR_NONE) {
        g->backward = out.backward;
        g->backward_reason = backward_reason(f, fn, operands, out.backward_reason);
    }
    for (int k = 0; k < out.result_count; k++)
        gather_result(g, k, &out.results[k]);
    if (out.result_count > g->result_count)
        g->result_count = out.result_count;
    struct value number = out.result_count ? number_of(fn, &out.results[0]) : value_nothing;
    g->number = value_join(NULL, NULL, &g->number, &number);
    if (works)
        gather_operands(g, operands, count);
    bool same = out.alias == ALIAS_SAME && out.alias_of >= 0;
    bool perhaps = out.alias == ALIAS_MAYBE_SAME && out.alias_of >= 0; /* not decided by the pack */
    if (fn->alias_of >= 0 && (out.alias_of >= 0 || fn->alias != ALIAS_SAME))
        g->aliases |= (uint8_t)(1u << out.alias);
    g->same |= same || perhaps;
    g->other |= !same;
    if (same || perhaps)
        g->same_as = out.alias_of;
}

/* Unknown operands are assumed to be on one device where there are too many combinations. */
static bool differ_in_device(const struct choice *choices, const struct operand *operands, int x,
                             int y)
{
    return operands[x].kind == OPERAND_TENSOR && operands[y].kind == OPERAND_TENSOR &&
           choices[x].unknown && choices[y].unknown && operands[x].device != operands[y].device;
}

/* Of unknown operands no more than three dtypes are assumed to meet: none of our calls takes more.
 */
static bool has_more_dtypes(const struct choice *choices, const struct operand *operands, int at)
{
    enum { MOST_DTYPES = 3 };
    dtype_set met = 0;
    if (!choices[at].unknown || operands[at].kind != OPERAND_TENSOR)
        return false;
    for (int i = 0; i <= at; i++)
        if (choices[i].unknown && operands[i].kind == OPERAND_TENSOR && !operands[i].dtypes)
            met |= DTYPE_BIT(operands[i].dtype);
    return __builtin_popcountll(met) > MOST_DTYPES;
}

/* Two parameters were loaded from one location: they are the same tensor. */
static bool is_same_place(const struct choice *x, const struct choice *y)
{
    return x->is_tensor && y->is_tensor && x->value.origin && x->value.origin == y->value.origin &&
           value_equal(&x->value, &y->value);
}

static bool is_alike(const struct operand *x, const struct operand *y)
{
    return x->kind == y->kind && x->dtype == y->dtype && x->device == y->device &&
           x->gpus == y->gpus && x->zero_dim == y->zero_dim;
}

/* Of many unknown members, those after the second are assumed to be like it: there would be
 * millions of combinations. */
static bool is_odd_member(const struct pack_function *fn, const struct choice *choices,
                          const struct operand *operands, int at)
{
    return at > fn->param_count && choices[at].unknown && choices[at - 1].unknown &&
           !is_alike(&operands[at - 1], &operands[at]);
}

static void each(const struct pack_call *call, struct operand *operands, int at, bool one_device,
                 const struct regions *regions, struct outcomes *g)
{
    if (at == MAX_OPERANDS || !call->choices[at].used) {
        evaluate(call, operands, at, regions, g);
        return;
    }
    for (int i = 0; i < call->choices[at].count; i++) {
        operands[at] = call->choices[at].options[i];
        bool skip = one_device && (is_odd_member(call->fn, call->choices, operands, at) ||
                                   has_more_dtypes(call->choices, operands, at));
        for (int k = 0; k < at && !skip; k++)
            skip = (one_device && differ_in_device(call->choices, operands, k, at)) ||
                   (is_same_place(&call->choices[k], &call->choices[at]) &&
                    !is_alike(&operands[k], &operands[at]));
        if (!skip)
            each(call, operands, at + 1, one_device, regions, g);
    }
}

/* Everything that the outcomes depend on. */
struct signature {
    uint64_t words[5 + MAX_OPERANDS * (MAX_OPERANDS - 1) / 2 + MAX_OPERANDS * MAX_CHOICES * 3];
    size_t count;
};

static void sign(struct signature *s, uint64_t word)
{
    s->words[s->count++] = word;
}

static void sign_operand(struct signature *s, int at, const struct operand *o)
{
    sign(s, (uint64_t)o->kind | (uint64_t)(o->dtype & 15) << 4 | (uint64_t)(o->device & 3) << 8 |
                (uint64_t)o->zero_dim << 10 | (uint64_t)o->known << 11 | (uint64_t)at << 12 |
                (uint64_t)o->gpus << 24 | (uint64_t)o->ranks << 40 |
                (uint64_t)(o->dtype >> 4) << 56 | (uint64_t)(o->device >> 2) << 60);
    if (o->known)
        memcpy(&s->words[s->count++], &o->number, sizeof o->number);
    if (o->times)
        sign(s, (uint64_t)(uintptr_t)o->times);
    if (o->unit)
        sign(s, (uint64_t)o->unit);
    if (o->dtypes) /* blurred: the only option */
        sign(s, o->dtypes);
}

static void sign_operands(struct signature *s, const struct choice *choices)
{
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        for (int k = 0; k < i; k++)
            if (is_same_place(&choices[i], &choices[k]))
                sign(s, (uint64_t)i << 32 | (uint64_t)k);
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        for (int k = 0; k < choices[i].count; k++)
            sign_operand(s, i, &choices[i].options[k]);
}

/* The autocast dtypes that can be in force on a device, a byte each. */
static uint64_t region_word(const struct region_set *set, enum device d)
{
    uint64_t word = 1;
    for (int i = 0; set && i < set->count[d]; i++)
        word = word << 8 | (uint64_t)set->dtypes[d][i];
    return set ? word : 0;
}

static uint64_t default_word(const struct region_set *set)
{
    uint64_t word = 1;
    for (int i = 0; set && i < set->default_count; i++)
        word = word << 8 | (uint64_t)set->defaults[i];
    return set ? word : 0;
}

/* In each of the regions that can be open, and under each default dtype. */
static void each_region(const struct pack_call *call, bool one_device, const struct region_set *set,
                        struct outcomes *g)
{
    struct operand operands[MAX_OPERANDS + 1] = {{0}};
    if (!set) {
        each(call, operands, 0, one_device, NULL, g);
        return;
    }
    for (int i = 0; i < set->count[DEVICE_CPU]; i++)
        for (int k = 0; k < set->count[DEVICE_CUDA]; k++)
            for (int n = 0; n < set->default_count; n++) {
                struct regions r = {.autocast = {[DEVICE_CPU] = set->dtypes[DEVICE_CPU][i],
                                                 [DEVICE_CUDA] = set->dtypes[DEVICE_CUDA][k]},
                                    .default_dtype = set->defaults[n]};
                each(call, operands, 0, one_device, &r, g);
            }
}

static const struct outcomes *gather(const struct pack_call *call, bool one_device,
                                     const struct region_set *regions)
{
    struct signature s;
    s.count = 0; /* the rest is large, and counted */
    sign(&s, (uint64_t)(uintptr_t)call->fn);
    sign(&s, one_device);
    sign(&s, region_word(regions, DEVICE_CPU));
    sign(&s, region_word(regions, DEVICE_CUDA));
    sign(&s, default_word(regions));
    sign_operands(&s, call->choices);
    void **known = memo_at(call->f->outcome_memo, s.words, s.count);
    if (!*known) {
        struct outcomes *g = arena_one(call->f->arena, struct outcomes);
        each_region(call, one_device, regions, g);
        *known = g;
    }
    return *known;
}

static double count_ways(const struct pack_call *call)
{
    double ways = 1;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
        ways *= call->choices[i].count;
    return ways;
}

/* Of an API with many dtypes of its own, the last operands of which nothing is known are left open
 * until the rest is few enough. */
static void blur(const struct pack_call *call)
{
    int last = 0;
    while (last < MAX_OPERANDS && call->choices[last].used)
        last++;
    for (int i = last - 1; i >= 0 && count_ways(call) > MAX_COMBINATIONS; i--)
        if (call->choices[i].is_open)
            choose(call, &call->choices[i], call_param(call->fn, i), DETAIL_BLURRED);
}

/* Unknown operands have many choices: first they are assumed to have dimensions, then to be on
 * one device. */
const struct outcomes *call_outcomes(const struct pack_call *call)
{
    bool takes_part = call->fn->autocast[DEVICE_CPU] || call->fn->autocast[DEVICE_CUDA];
    bool is_plain = call->regions.default_count == 1 && call->regions.defaults[0] == DTYPE_F32;
    bool inside = (takes_part && call->in_region) || !is_plain;
    for (int level = 0;; level++) {
        double ways = 1;
        for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
            choose(call, &call->choices[i], call_param(call->fn, i),
                   level ? DETAIL_DIMS : DETAIL_ALL);
        choose_elsewhere(call);
        for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
            ways *= call->choices[i].count;
            if (call->choices[i].cut)
                limit_note(call->f, call->fr->code, call->inst, FLOW_LIMIT_CHOICES);
        }
        if (ways > MAX_COMBINATIONS && pack_dtypes(call->fn)) {
            blur(call);
            ways = count_ways(call);
        }
        sizes_choose(call);
        if (ways <= MAX_COMBINATIONS || level == 1)
            return gather(call, ways > MAX_COMBINATIONS, inside ? &call->regions : NULL);
    }
}
