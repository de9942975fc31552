/* Rules on concrete operands: checks in order, the first that does not hold is the error; else the
 * results. Where a number is not known, an answer may be "maybe", or a set with several members. */
#include "analyzer/pack/private.h"

#include <string.h>

/* ---- answers -------------------------------------------------------------------------------- */

static struct answer set_of(unsigned mask)
{
    return (struct answer){.mask = mask};
}

static struct answer truth(bool yes)
{
    return set_of(yes ? SAY_YES : SAY_NO);
}

static struct answer dtype_answer(enum dtype d)
{
    return set_of(d == DTYPE_NONE ? 0 : DTYPE_BIT(d));
}

static bool is_one(unsigned mask)
{
    return mask && !(mask & (mask - 1));
}

/* Of a mask with a member. */
static int first_member(unsigned mask)
{
    int i = 0;
    while (i < 31 && !((mask >> i) & 1))
        i++;
    return i;
}

static int last_member(unsigned mask)
{
    int i = 0;
    while (mask >> (i + 1))
        i++;
    return i;
}

/* ---- operands ------------------------------------------------------------------------------- */

/* The n-th operand that a parameter stands for; NULL after the last. */
static const struct operand *member(const struct evaluation *v, int param, int n)
{
    if (n == 0)
        return &v->operands[param];
    int further = v->function->param_count + n - 1;
    return v->function->params[param].many && further < v->count ? &v->operands[further] : NULL;
}

static bool is_given(const struct operand *o)
{
    return o->kind != OPERAND_ABSENT && !(o->kind == OPERAND_DTYPE && o->dtype == DTYPE_NONE);
}

static bool has_elements(const struct operand *o)
{
    return o->kind == OPERAND_TENSOR || o->kind == OPERAND_BUFFER;
}

static unsigned operand_devices(const struct operand *o)
{
    return o->device < DEVICE_COUNT ? DEVICE_BIT(o->device) : ALL_DEVICES;
}

static unsigned operand_dtypes(const struct operand *o)
{
    if (has_elements(o) && o->dtype == DTYPE_NONE)
        return ALL_DTYPES;
    if (operand_is_number(o))
        return DTYPE_BIT(number_dtype(o));
    return o->kind == OPERAND_ABSENT || o->dtype == DTYPE_NONE ? 0 : DTYPE_BIT(o->dtype);
}

static struct answer operand_value(const struct operand *o, enum sort sort)
{
    switch (sort) {
    case SORT_DTYPE:
        return set_of(operand_dtypes(o));
    case SORT_DEVICE:
        return set_of(is_given(o) ? operand_devices(o) : 0);
    case SORT_TRUTH:
        if (is_given(o) && !o->known)
            return set_of(SAY_MAYBE);
        return truth(is_given(o) && o->number != 0);
    case SORT_NUMBER:
    case SORT_RANK:
    case SORT_OPERAND:
        break;
    }
    return (struct answer){.known = !is_given(o) || o->known,
                           .number = is_given(o) ? o->number : 0};
}

static unsigned operand_ranks(const struct operand *o)
{
    if (o->kind != OPERAND_TENSOR || o->zero_dim)
        return RANK_BIT(0);
    unsigned ranks = o->ranks & ~1u;
    return ranks ? ranks : ALL_RANKS & ~1u;
}

static struct answer operand_zero_dim(const struct operand *o)
{
    unsigned ranks = operand_ranks(o);
    return ranks == RANK_BIT(0) ? truth(true) : ranks & 1 ? set_of(SAY_MAYBE) : truth(false);
}

/* ---- operators ------------------------------------------------------------------------------ */

static bool same_answer(enum sort sort, const struct answer *a, const struct answer *b)
{
    if (sort == SORT_NUMBER)
        return a->known && b->known && a->number == b->number;
    return a->mask == b->mask;
}

static struct answer evaluate_if(struct evaluation *v, const struct expr *x)
{
    unsigned condition = evaluate(v, x->args[1]).mask;
    if (condition != SAY_MAYBE)
        return evaluate(v, x->args[condition == SAY_YES ? 0 : 2]);
    struct answer a = evaluate(v, x->args[0]), b = evaluate(v, x->args[2]);
    if (same_answer(x->sort, &a, &b))
        return a;
    return x->sort == SORT_NUMBER ? (struct answer){0} : set_of(a.mask | b.mask);
}

static struct answer evaluate_equal(struct evaluation *v, const struct expr *x)
{
    struct answer a = evaluate(v, x->args[0]), b = evaluate(v, x->args[1]);
    if (x->args[0]->sort == SORT_NUMBER)
        return a.known && b.known ? truth(a.number == b.number) : set_of(SAY_MAYBE);
    if (!(a.mask & b.mask))
        return truth(!a.mask && !b.mask);
    return is_one(a.mask) && is_one(b.mask) ? truth(true) : set_of(SAY_MAYBE);
}

/* No dtype at all is in no set: that of a promotion that failed. */
static struct answer evaluate_in(struct evaluation *v, const struct expr *x)
{
    unsigned a = evaluate(v, x->args[0]).mask, b = evaluate(v, x->args[1]).mask;
    if (!(a & b))
        return truth(false);
    return a & ~b ? set_of(SAY_MAYBE) : truth(true);
}

static struct answer evaluate_less(struct evaluation *v, const struct expr *x)
{
    struct answer a = evaluate(v, x->args[0]), b = evaluate(v, x->args[1]);
    if (x->args[0]->sort == SORT_RANK) {
        bool can = first_member(a.mask) < last_member(b.mask);
        bool must = last_member(a.mask) < first_member(b.mask);
        return can == must ? truth(must) : set_of(SAY_MAYBE);
    }
    return a.known && b.known ? truth(a.number < b.number) : set_of(SAY_MAYBE);
}

static struct answer evaluate_rank(struct evaluation *v, const struct expr *x)
{
    struct answer a = evaluate(v, x->args[0]);
    if (!a.known || a.number < 0)
        return set_of(ALL_RANKS);
    return set_of(RANK_BIT(a.number < LAST_RANK ? (int)a.number : LAST_RANK));
}

/* No tensor has less than no dimensions: those that are to lose one of none keep none. */
static unsigned shift_ranks(unsigned ranks, int by)
{
    unsigned shifted = 0;
    for (int n = 0; n <= LAST_RANK; n++) {
        int to = n + by;
        if ((ranks >> n) & 1)
            shifted |= RANK_BIT(to < 0 ? 0 : to < LAST_RANK ? to : LAST_RANK);
        if (n == LAST_RANK && by < 0 && (ranks >> n) & 1) /* or more */
            shifted |= ALL_RANKS & ~(RANK_BIT(to < 0 ? 0 : to) - 1u);
    }
    return shifted;
}

static struct answer evaluate_add(struct evaluation *v, const struct expr *x)
{
    struct answer a = evaluate(v, x->args[0]), b = evaluate(v, x->args[1]);
    bool small = b.known && b.number >= -LAST_RANK && b.number <= LAST_RANK;
    if (x->sort == SORT_RANK && !small)
        return set_of(x->index < 0 ? (RANK_BIT(last_member(a.mask)) << 1) - 1u : ALL_RANKS);
    if (x->sort == SORT_RANK)
        return set_of(shift_ranks(a.mask, x->index * (int)b.number));
    return (struct answer){.known = a.known && b.known, .number = a.number + x->index * b.number};
}

/* And, or: the deciding answer wins over maybe. */
static struct answer evaluate_logic(struct evaluation *v, const struct expr *x, unsigned deciding)
{
    unsigned a = evaluate(v, x->args[0]).mask;
    if (a == deciding)
        return set_of(a);
    unsigned b = evaluate(v, x->args[1]).mask;
    return set_of(b == deciding ? b : a | b);
}

static struct answer evaluate_not(struct evaluation *v, const struct expr *x)
{
    unsigned a = evaluate(v, x->args[0]).mask;
    return set_of(a == SAY_MAYBE ? a : a ^ SAY_MAYBE);
}

static struct answer evaluate_let(struct evaluation *v, const struct expr *x)
{
    uint32_t bit = UINT32_C(1) << x->index;
    if (!(v->done & bit)) {
        v->lets[x->index] = evaluate(v, x->args[0]);
        v->done |= bit;
    }
    return v->lets[x->index];
}

struct answer evaluate(struct evaluation *v, const struct expr *x)
{
    switch (x->op) {
    case EXPR_SET:
        return set_of(x->mask);
    case EXPR_NUMBER:
        return (struct answer){.known = true, .number = x->number};
    case EXPR_PARAM:
        return operand_value(&v->operands[x->index], x->sort);
    case EXPR_DTYPE:
        return set_of(operand_dtypes(&v->operands[x->index]));
    case EXPR_DEVICE:
        return operand_value(&v->operands[x->index], SORT_DEVICE);
    case EXPR_ZERO_DIM:
        return operand_zero_dim(&v->operands[x->index]);
    case EXPR_NDIM:
        return set_of(operand_ranks(&v->operands[x->index]));
    case EXPR_RANK:
        return evaluate_rank(v, x);
    case EXPR_LET:
        return evaluate_let(v, x);
    case EXPR_IF:
        return evaluate_if(v, x);
    case EXPR_OR:
        return evaluate_logic(v, x, SAY_YES);
    case EXPR_AND:
        return evaluate_logic(v, x, SAY_NO);
    case EXPR_NOT:
        return evaluate_not(v, x);
    case EXPR_EQUAL:
        return evaluate_equal(v, x);
    case EXPR_LESS:
        return evaluate_less(v, x);
    case EXPR_IN:
        return evaluate_in(v, x);
    case EXPR_UNION:
        return set_of(evaluate(v, x->args[0]).mask | evaluate(v, x->args[1]).mask);
    case EXPR_MINUS:
        return set_of(evaluate(v, x->args[0]).mask & ~evaluate(v, x->args[1]).mask);
    case EXPR_ADD:
        return evaluate_add(v, x);
    case EXPR_CALL:
        return x->function->evaluate(v, x);
    }
    BUG("expression of kind %d", x->op);
}

/* ---- functions of the language ------------------------------------------------------------------
 */

#define EACH_MEMBER(v, call, o)                                                                    \
    for (int arg_ = 0; arg_ < (call)->arg_count; arg_++)                                           \
        for (int n_ = 0; n_ >= 0; n_++)                                                            \
            if (!((o) = member(v, (call)->args[arg_]->index, n_)))                                 \
                n_ = -2;                                                                           \
            else

static struct answer call_promote(struct evaluation *v, const struct expr *call)
{
    struct promotion p = {0};
    const struct operand *o;
    EACH_MEMBER(v, call, o)
    promotion_add(&p, o);
    return dtype_answer(promotion_result(&p));
}

/* All pairs, where there is more than one to choose from. */
static unsigned promote_sets(unsigned a, unsigned b)
{
    unsigned result = 0;
    for (int i = DTYPE_BOOL; i < DTYPE_COUNT; i++)
        for (int j = DTYPE_BOOL; ((a >> i) & 1) && j < DTYPE_COUNT; j++)
            if ((b >> j) & 1)
                result |= DTYPE_BIT(promote_dtypes((enum dtype)i, (enum dtype)j));
    return result & ~1u;
}

static struct answer call_types(struct evaluation *v, const struct expr *call)
{
    unsigned mask = evaluate(v, call->args[0]).mask;
    for (int i = 1; i < call->arg_count; i++)
        mask = promote_sets(mask, evaluate(v, call->args[i]).mask);
    return set_of(mask);
}

static struct answer call_real(struct evaluation *v, const struct expr *call)
{
    unsigned mask = evaluate(v, call->args[0]).mask;
    return set_of((mask & FLOATING) | (mask & ~(unsigned)FLOATING ? DTYPE_BIT(DTYPE_F32) : 0));
}

/* Whether all that are given lie on one device. `spare` of them may be on the CPU all the same, if
 * they have no dimensions and the rest is elsewhere. */
static struct answer same_device(struct evaluation *v, const struct expr *call, int spare)
{
    unsigned common = ALL_DEVICES, seen = 0;
    bool maybe = false;
    const struct operand *o;
    EACH_MEMBER(v, call, o)
    seen |= has_elements(o) ? operand_devices(o) : 0;
    EACH_MEMBER(v, call, o)
    {
        unsigned devices = operand_devices(o);
        bool alone = o->zero_dim && devices == DEVICE_BIT(DEVICE_CPU) && devices != seen;
        if (!has_elements(o) || (alone && spare-- > 0))
            continue;
        common &= devices;
        maybe |= !is_one(devices);
    }
    return !common ? truth(false) : maybe ? set_of(SAY_MAYBE) : truth(true);
}

static struct answer call_same_device(struct evaluation *v, const struct expr *call)
{
    return same_device(v, call, 0);
}

static struct answer call_mixes(struct evaluation *v, const struct expr *call)
{
    return same_device(v, call, 1);
}

static struct answer call_mixes_many(struct evaluation *v, const struct expr *call)
{
    return same_device(v, call, v->count);
}

static struct answer call_device(struct evaluation *v, const struct expr *call)
{
    unsigned devices = 0;
    const struct operand *o;
    EACH_MEMBER(v, call, o)
    devices |= has_elements(o) ? operand_devices(o) : 0;
    return set_of(devices & DEVICE_BIT(DEVICE_CUDA) ? DEVICE_BIT(DEVICE_CUDA)
                                                    : DEVICE_BIT(DEVICE_CPU));
}

/* Broadcast: as many dimensions as the one with most. */
static struct answer call_ndim(struct evaluation *v, const struct expr *call)
{
    unsigned most = RANK_BIT(0);
    const struct operand *o;
    EACH_MEMBER(v, call, o)
    {
        unsigned ranks = operand_ranks(o), least = RANK_BIT(first_member(most));
        unsigned other = RANK_BIT(first_member(ranks));
        most = (most | ranks) & ~((least > other ? least : other) - 1);
    }
    return set_of(most);
}

static struct answer call_zero_dim(struct evaluation *v, const struct expr *call)
{
    unsigned ranks = call_ndim(v, call).mask;
    return ranks == RANK_BIT(0) ? truth(true) : ranks & 1 ? set_of(SAY_MAYBE) : truth(false);
}

static struct answer call_same_dtype(struct evaluation *v, const struct expr *call)
{
    unsigned common = ALL_DTYPES;
    bool maybe = false;
    const struct operand *o;
    EACH_MEMBER(v, call, o)
    {
        if (!has_elements(o))
            continue;
        common &= operand_dtypes(o);
        maybe |= !is_one(operand_dtypes(o));
    }
    return !common ? truth(false) : maybe ? set_of(SAY_MAYBE) : truth(true);
}

static struct answer call_can_cast(struct evaluation *v, const struct expr *call)
{
    unsigned from = evaluate(v, call->args[0]).mask, to = evaluate(v, call->args[1]).mask, said = 0;
    for (int i = DTYPE_BOOL; i < DTYPE_COUNT; i++)
        for (int j = DTYPE_BOOL; ((from >> i) & 1) && j < DTYPE_COUNT; j++)
            if ((to >> j) & 1)
                said |= dtype_can_cast((enum dtype)i, (enum dtype)j) ? SAY_YES : SAY_NO;
    return set_of(said ? said : SAY_YES);
}

static struct answer call_fits(struct evaluation *v, const struct expr *call)
{
    const struct operand *o = &v->operands[call->args[0]->index];
    unsigned dtypes = evaluate(v, call->args[1]).mask, said = 0;
    if (!operand_is_number(o))
        return truth(true);
    if (!o->known)
        return set_of(SAY_MAYBE);
    for (int d = DTYPE_BOOL; d < DTYPE_COUNT; d++)
        if ((dtypes >> d) & 1)
            said |= number_fits(o, (enum dtype)d) ? SAY_YES : SAY_NO;
    return set_of(said ? said : SAY_YES);
}

static struct answer call_is_given(struct evaluation *v, const struct expr *call)
{
    return truth(is_given(&v->operands[call->args[0]->index]));
}

static struct answer call_is_number(struct evaluation *v, const struct expr *call)
{
    return truth(operand_is_number(&v->operands[call->args[0]->index]));
}

/* What numbers become where nothing else decides: that of the highest kind. */
static struct answer call_value_dtype(struct evaluation *v, const struct expr *call)
{
    struct promotion p = {0};
    const struct operand *o;
    EACH_MEMBER(v, call, o)
    if (operand_is_number(o))
        promotion_add(&p, o);
    return dtype_answer(promotion_result(&p));
}

static struct answer call_value(struct evaluation *v, const struct expr *call)
{
    const struct operand *o = &v->operands[call->args[0]->index];
    return (struct answer){.known = operand_is_number(o) && o->known, .number = o->number};
}

/* The first that is there at all. */
static struct answer call_first(struct evaluation *v, const struct expr *call)
{
    struct answer a = {0};
    for (int i = 0; i < call->arg_count && !a.mask; i++)
        a = evaluate(v, call->args[i]);
    return a;
}

static struct answer call_exists(struct evaluation *v, const struct expr *call)
{
    return truth(evaluate(v, call->args[0]).mask != 0);
}

static const struct builtin builtins[] = {
    {"promote", SORT_DTYPE, "o+", call_promote},
    {"types", SORT_DTYPE, "dd+", call_types},
    {"value_dtype", SORT_DTYPE, "o+", call_value_dtype},
    {"value", SORT_NUMBER, "o", call_value},
    {"real", SORT_DTYPE, "d", call_real},
    {"first", SORT_DTYPE, "*+", call_first},
    {"exists", SORT_TRUTH, "d", call_exists},
    {"device", SORT_DEVICE, "o+", call_device},
    {"same_device", SORT_TRUTH, "o+", call_same_device},
    {"mixes", SORT_TRUTH, "o+", call_mixes},
    {"mixes_many", SORT_TRUTH, "o+", call_mixes_many},
    {"same_dtype", SORT_TRUTH, "o+", call_same_dtype},
    {"ndim", SORT_RANK, "o+", call_ndim},
    {"zero_dim", SORT_TRUTH, "o+", call_zero_dim},
    {"can_cast", SORT_TRUTH, "dd", call_can_cast},
    {"fits", SORT_TRUTH, "od", call_fits},
    {"given", SORT_TRUTH, "o", call_is_given},
    {"is_number", SORT_TRUTH, "o", call_is_number},
};
enum { BUILTIN_COUNT = sizeof builtins / sizeof builtins[0] };

const struct builtin *builtin_named(const char *name)
{
    for (int i = 0; i < BUILTIN_COUNT; i++)
        if (strcmp(builtins[i].name, name) == 0)
            return &builtins[i];
    return NULL;
}

int builtin_names(const char **names, int room)
{
    int count = 0;
    for (int i = 0; i < BUILTIN_COUNT && count < room; i++)
        names[count++] = builtins[i].name;
    return count;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* NULL: none is missing. */
static const char *missing(const struct pack_function *f, const struct operand *operands)
{
    for (int i = 0; i < f->param_count; i++)
        if (f->params[i].required && operands[i].kind == OPERAND_ABSENT)
            return f->params[i].name;
    return NULL;
}

static bool run_checks(struct evaluation *v, struct outcome *out)
{
    const struct pack_rule *rule = v->function->rule;
    for (int i = 0; i < rule->check_count; i++) {
        const struct check *c = &rule->checks[i];
        unsigned when = c->when ? evaluate(v, c->when).mask : SAY_YES;
        if (when == SAY_NO)
            continue;
        unsigned holds = evaluate(v, c->holds).mask;
        out->unsure |= holds == SAY_MAYBE || (holds == SAY_NO && when == SAY_MAYBE);
        if (holds != SAY_NO || when != SAY_YES)
            continue;
        out->error = c->kind;
        out->reason = c->say;
        return false;
    }
    return true;
}

static enum operand_kind number_kind(unsigned dtypes)
{
    return dtypes == DTYPE_BIT(DTYPE_BOOL) ? OPERAND_BOOL
           : dtypes & FLOATING             ? OPERAND_FLOAT
                                           : OPERAND_INT;
}

static void make_result(struct evaluation *v, const struct result_rule *r, struct operand *out)
{
    struct answer value = r->value ? evaluate(v, r->value) : (struct answer){0};
    unsigned dtypes = r->dtype ? evaluate(v, r->dtype).mask : 0;
    unsigned devices = r->device ? evaluate(v, r->device).mask : DEVICE_BIT(DEVICE_CPU);
    unsigned ranks = r->ndim ? evaluate(v, r->ndim).mask : ALL_RANKS & ~1u;
    *out = (struct operand){
        .kind = r->kind == OPERAND_FLOAT ? number_kind(dtypes) : r->kind,
        .dtype = is_one(dtypes) ? (enum dtype)first_member(dtypes) : DTYPE_NONE,
        .device = is_one(devices) ? (enum device)first_member(devices) : DEVICE_COUNT,
        .ranks = (uint16_t)ranks,
        .zero_dim = ranks == RANK_BIT(0),
        .zero_dim_unknown = (ranks & 1) && ranks != RANK_BIT(0),
        .dtypes = (uint16_t)dtypes,
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
    unsigned same = same_when ? evaluate(v, same_when).mask : SAY_YES;
    if (f->alias == ALIAS_MAYBE_SAME && same == SAY_YES)
        out->alias = ALIAS_SAME;
    if (same == SAY_NO || !is_given(&v->operands[f->alias_of])) {
        out->alias = ALIAS_FRESH;
        out->alias_of = -1;
    }
}

void pack_call_many(const struct pack_function *f, const struct operand *operands, int count,
                    struct outcome *out)
{
    struct evaluation v = {.function = f, .operands = operands, .count = count};
    *out = (struct outcome){.alias_of = -1};
    const char *name = missing(f, operands);
    if (name) {
        out->error = ERROR_ARGUMENT;
        out->reason = "{op} is given NULL";
        return;
    }
    if (!run_checks(&v, out))
        return;
    decide_alias(&v, out);
    out->result_count = f->rule->result_count;
    for (int i = 0; i < out->result_count; i++)
        make_result(&v, &f->rule->results[i], &out->results[i]);
}

void pack_call(const struct pack_function *f, const struct operand *operands, struct outcome *out)
{
    pack_call_many(f, operands, f->param_count, out);
}
