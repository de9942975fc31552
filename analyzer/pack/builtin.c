/* The functions of the expression language: promote(a, b), same_device(a, b), fits(value, dtype)
 * and others. The table below lists their arguments. */
#include "analyzer/pack/private.h"

#include <math.h>
#include <string.h>

#define EACH_MEMBER(v, call, o)                                                                    \
    for (int arg_ = 0; arg_ < (call)->arg_count; arg_++)                                           \
        for (int n_ = 0; n_ >= 0; n_++)                                                            \
            if (!((o) = operand_member(v, (call)->args[arg_]->index, n_)))                         \
                n_ = -2;                                                                           \
            else

static struct answer call_promote(struct evaluation *v, const struct expr *call)
{
    struct promotion p = {.real = v->default_dtype};
    const struct operand *o;
    bool is_open = false; /* a tensor of any dtype is among them */
    EACH_MEMBER(v, call, o)
    {
        is_open |= o->kind == OPERAND_TENSOR && o->dtype == DTYPE_NONE;
        promotion_add(&p, o);
    }
    return is_open ? answer_set(DTYPES_EVERY) : answer_dtype(promotion_result(&p));
}

/* All pairs of dtypes, if there are several. */
static dtype_set promote_sets(dtype_set a, dtype_set b)
{
    dtype_set result = 0;
    int end = dtype_end();
    for (int i = DTYPE_BOOL; i < end; i++)
        for (int j = DTYPE_BOOL; ((a >> i) & 1) && j < end; j++)
            if ((b >> j) & 1)
                result |= DTYPE_BIT(promote_dtypes((enum dtype)i, (enum dtype)j));
    return result & DTYPES_EVERY;
}

static struct answer call_types(struct evaluation *v, const struct expr *call)
{
    dtype_set mask = evaluate(v, call->args[0]).mask;
    for (int i = 1; i < call->arg_count; i++)
        mask = promote_sets(mask, evaluate(v, call->args[i]).mask);
    return answer_set(mask);
}

static enum dtype default_dtype(const struct evaluation *v)
{
    return v->default_dtype == DTYPE_NONE ? DTYPE_F32 : v->default_dtype;
}

static struct answer call_real(struct evaluation *v, const struct expr *call)
{
    dtype_set mask = evaluate(v, call->args[0]).mask;
    return answer_set((mask & DTYPES_GRADED) |
                      (mask & ~DTYPES_GRADED ? DTYPE_BIT(default_dtype(v)) : 0));
}

static struct answer call_magnitude(struct evaluation *v, const struct expr *call)
{
    dtype_set mask = evaluate(v, call->args[0]).mask, result = mask & ~DTYPES_COMPLEX;
    for (int d = DTYPE_C64; d <= DTYPE_C128; d++)
        result |= mask >> d & 1 ? DTYPE_BIT(dtype_magnitude((enum dtype)d)) : 0;
    return answer_set(result);
}

/* Whether all operands that were passed are on one device. Up to `spare` zero-dimensional ones may
 * be on the CPU although the others are not. */
static struct answer same_device(struct evaluation *v, const struct expr *call, int spare)
{
    unsigned common = ~0u, seen = 0;
    bool maybe = false;
    const struct operand *o;
    EACH_MEMBER(v, call, o)
    seen |= operand_has_elements(o) ? operand_places(o) : 0;
    EACH_MEMBER(v, call, o)
    {
        unsigned places = operand_places(o);
        bool alone = o->zero_dim && places == PLACE_CPU && places != seen;
        if (!operand_has_elements(o) || (alone && spare-- > 0))
            continue;
        if (places != ALL_PLACES) /* else it may also be where another is that is neither */
            common &= places;
        maybe |= !mask_is_one(places);
    }
    return !common ? answer_truth(false) : maybe ? answer_set(SAY_MAYBE) : answer_truth(true);
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

/* The first operand that is not on the CPU; devices that can be the same are taken to be. */
static struct answer call_device(struct evaluation *v, const struct expr *call)
{
    unsigned found = 0;
    const struct operand *o;
    EACH_MEMBER(v, call, o)
    {
        unsigned places = operand_has_elements(o) ? operand_places(o) : 0;
        unsigned away = (places == ALL_PLACES ? ~0u : places) & ~PLACE_CPU;
        found = !found ? away : away & found ? away & found : found;
    }
    unsigned usual = found & PLACES_CUDA;
    return answer_set(usual ? usual : found ? found : PLACE_CPU);
}

/* Broadcasting: as many dimensions as the operand with the most. */
static struct answer call_ndim(struct evaluation *v, const struct expr *call)
{
    unsigned most = RANK_BIT(0);
    const struct operand *o;
    EACH_MEMBER(v, call, o)
    {
        unsigned ranks = operand_ranks(o), least = RANK_BIT(mask_first(most));
        unsigned other = RANK_BIT(mask_first(ranks));
        most = (most | ranks) & ~((least > other ? least : other) - 1);
    }
    return answer_set(most);
}

static struct answer call_zero_dim(struct evaluation *v, const struct expr *call)
{
    unsigned ranks = (unsigned)call_ndim(v, call).mask;
    return ranks == RANK_BIT(0) ? answer_truth(true)
           : ranks & 1          ? answer_set(SAY_MAYBE)
                                : answer_truth(false);
}

static struct answer call_same_dtype(struct evaluation *v, const struct expr *call)
{
    dtype_set common = DTYPES_EVERY;
    bool maybe = false;
    const struct operand *o;
    EACH_MEMBER(v, call, o)
    {
        if (!operand_has_elements(o))
            continue;
        common &= operand_dtypes(o);
        maybe |= !mask_is_one(operand_dtypes(o));
    }
    return !common ? answer_truth(false) : maybe ? answer_set(SAY_MAYBE) : answer_truth(true);
}

/* every(x, d): all of them have one of these dtypes. */
static struct answer call_every(struct evaluation *v, const struct expr *call)
{
    dtype_set set = evaluate(v, call->args[1]).mask;
    unsigned said = SAY_YES;
    const struct operand *o;
    for (int n = 0; (o = operand_member(v, call->args[0]->index, n)); n++) {
        dtype_set dtypes = operand_has_elements(o) ? operand_dtypes(o) : set;
        if (!(dtypes & set))
            return answer_truth(false);
        if (dtypes & ~set)
            said = SAY_MAYBE;
    }
    return answer_set(said);
}

static struct answer call_can_cast(struct evaluation *v, const struct expr *call)
{
    dtype_set from = evaluate(v, call->args[0]).mask, to = evaluate(v, call->args[1]).mask;
    unsigned said = 0;
    int end = dtype_end();
    for (int i = DTYPE_BOOL; i < end; i++)
        for (int j = DTYPE_BOOL; ((from >> i) & 1) && j < end; j++)
            if ((to >> j) & 1)
                said |= dtype_can_cast((enum dtype)i, (enum dtype)j) ? SAY_YES : SAY_NO;
    return answer_set(said ? said : SAY_YES);
}

/* Whether as many elements take as many bytes. */
static struct answer call_same_width(struct evaluation *v, const struct expr *call)
{
    dtype_set a = evaluate(v, call->args[0]).mask, b = evaluate(v, call->args[1]).mask;
    unsigned said = 0;
    for (dtype_set x = a & DTYPES_EVERY; x && said != SAY_MAYBE; x &= x - 1)
        for (dtype_set y = b & DTYPES_EVERY; y; y &= y - 1)
            said |= dtype_same_width((enum dtype)__builtin_ctzll(x), (enum dtype)__builtin_ctzll(y))
                        ? SAY_YES
                        : SAY_NO;
    return answer_set(said ? said : SAY_MAYBE);
}

static struct answer call_fits(struct evaluation *v, const struct expr *call)
{
    const struct operand *o = &v->operands[call->args[0]->index];
    dtype_set dtypes = evaluate(v, call->args[1]).mask;
    unsigned said = 0;
    if (!operand_is_number(o))
        return answer_truth(true);
    if (!o->known)
        return answer_set(SAY_MAYBE);
    for (int d = DTYPE_BOOL, end = dtype_end(); d < end; d++)
        if ((dtypes >> d) & 1)
            said |= number_fits(o, (enum dtype)d) ? SAY_YES : SAY_NO;
    return answer_set(said ? said : SAY_YES);
}

static struct answer call_is_given(struct evaluation *v, const struct expr *call)
{
    return answer_truth(operand_is_given(&v->operands[call->args[0]->index]));
}

static struct answer call_is_number(struct evaluation *v, const struct expr *call)
{
    return answer_truth(operand_is_number(&v->operands[call->args[0]->index]));
}

/* The default dtype of numbers: that of the highest kind. */
static struct answer call_value_dtype(struct evaluation *v, const struct expr *call)
{
    struct promotion p = {.real = v->default_dtype};
    const struct operand *o;
    EACH_MEMBER(v, call, o)
    if (operand_is_number(o))
        promotion_add(&p, o);
    return answer_dtype(promotion_result(&p));
}

static struct answer call_value(struct evaluation *v, const struct expr *call)
{
    const struct operand *o = &v->operands[call->args[0]->index];
    return (struct answer){.known = operand_is_number(o) && o->known, .number = o->number};
}

/* Functions of real numbers, as C has them. */
static const struct real_function {
    const char *name;
    double (*of)(double);
    double (*of_two)(double, double);
} real_functions[] = {
    {"sqrt", sqrt, NULL},   {"exp", exp, NULL},   {"log", log, NULL},     {"log2", log2, NULL},
    {"log10", log10, NULL}, {"fabs", fabs, NULL}, {"floor", floor, NULL}, {"ceil", ceil, NULL},
    {"pow", NULL, pow},     {"fmin", NULL, fmin}, {"fmax", NULL, fmax},
};

static const struct real_function *real_named(const char *name)
{
    const struct real_function *f = real_functions;
    while (strcmp(f->name, name) != 0)
        f++;
    return f;
}

/* Not known where it has no finite result. */
static struct answer call_real_function(struct evaluation *v, const struct expr *call)
{
    const struct real_function *f = real_named(call->function->name);
    double x[2] = {0};
    for (int i = 0; i < call->arg_count; i++) {
        const struct operand *o = &v->operands[call->args[i]->index];
        x[i] = operand_is_number(o) && o->known ? o->number : NAN;
    }
    double r = isnan(x[0]) || isnan(x[1]) ? NAN : f->of ? f->of(x[0]) : f->of_two(x[0], x[1]);
    return (struct answer){.known = isfinite(r), .number = isfinite(r) ? r : 0};
}

/* The first one that is given. */
static struct answer call_first(struct evaluation *v, const struct expr *call)
{
    struct answer a = {0};
    for (int i = 0; i < call->arg_count && !a.mask; i++)
        a = evaluate(v, call->args[i]);
    return a;
}

static struct answer call_exists(struct evaluation *v, const struct expr *call)
{
    return answer_truth(evaluate(v, call->args[0]).mask != 0);
}

static const struct builtin builtins[] = {
    {"promote", ANSWER_DTYPE, "o+", call_promote},
    {"types", ANSWER_DTYPE, "dd+", call_types},
    {"value_dtype", ANSWER_DTYPE, "o+", call_value_dtype},
    {"value", ANSWER_NUMBER, "o", call_value},
    {"real", ANSWER_DTYPE, "d", call_real},
    {"magnitude", ANSWER_DTYPE, "d", call_magnitude},
    {"first", ANSWER_DTYPE, "*+", call_first},
    {"exists", ANSWER_TRUTH, "d", call_exists},
    {"device", ANSWER_DEVICE, "o+", call_device},
    {"same_device", ANSWER_TRUTH, "o+", call_same_device},
    {"mixes", ANSWER_TRUTH, "o+", call_mixes},
    {"mixes_many", ANSWER_TRUTH, "o+", call_mixes_many},
    {"same_dtype", ANSWER_TRUTH, "o+", call_same_dtype},
    {"ndim", ANSWER_RANK, "o+", call_ndim},
    {"zero_dim", ANSWER_TRUTH, "o+", call_zero_dim},
    {"every", ANSWER_TRUTH, "od", call_every},
    {"can_cast", ANSWER_TRUTH, "dd", call_can_cast},
    {"same_width", ANSWER_TRUTH, "dd", call_same_width},
    {"fits", ANSWER_TRUTH, "od", call_fits},
    {"given", ANSWER_TRUTH, "o", call_is_given},
    {"is_number", ANSWER_TRUTH, "o", call_is_number},
    {"sqrt", ANSWER_NUMBER, "o", call_real_function},
    {"exp", ANSWER_NUMBER, "o", call_real_function},
    {"log", ANSWER_NUMBER, "o", call_real_function},
    {"log2", ANSWER_NUMBER, "o", call_real_function},
    {"log10", ANSWER_NUMBER, "o", call_real_function},
    {"fabs", ANSWER_NUMBER, "o", call_real_function},
    {"floor", ANSWER_NUMBER, "o", call_real_function},
    {"ceil", ANSWER_NUMBER, "o", call_real_function},
    {"pow", ANSWER_NUMBER, "oo", call_real_function},
    {"fmin", ANSWER_NUMBER, "oo", call_real_function},
    {"fmax", ANSWER_NUMBER, "oo", call_real_function},
};
enum { BUILTIN_COUNT = sizeof builtins / sizeof builtins[0] };

const struct builtin *builtin_named(const char *name)
{
    for (int i = 0; i < BUILTIN_COUNT; i++)
        if (same_word(builtins[i].name, name))
            return &builtins[i];
    return NULL;
}

char builtin_takes(const struct builtin *f, int i)
{
    int letters = (int)strcspn(f->takes, "+");
    if (i < letters)
        return f->takes[i];
    return f->takes[letters] == '+' ? f->takes[letters - 1] : 0;
}

int builtin_names(const char **names, int room)
{
    int count = 0;
    for (int i = 0; i < BUILTIN_COUNT && count < room; i++)
        names[count++] = builtins[i].name;
    return count;
}
