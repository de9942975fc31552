/* Operands as expressions see them: dtypes, devices and ranks are sets, most of them with one
 * member; and the answers of expressions. */
#include "analyzer/pack/private.h"

/* ---- answers -------------------------------------------------------------------------------- */

struct answer answer_set(uint64_t mask)
{
    return (struct answer){.mask = mask};
}

struct answer answer_truth(bool yes)
{
    return answer_set(yes ? SAY_YES : SAY_NO);
}

struct answer answer_dtype(enum dtype d)
{
    return answer_set(d == DTYPE_NONE ? 0 : DTYPE_BIT(d));
}

bool mask_is_one(uint64_t mask)
{
    return mask && !(mask & (mask - 1));
}

/* Of a mask with a member. */
int mask_first(uint64_t mask)
{
    return mask ? __builtin_ctzll(mask) : 31;
}

int mask_last(uint64_t mask)
{
    return mask ? 63 - __builtin_clzll(mask) : 0;
}

/* ---- operands ------------------------------------------------------------------------------- */

/* The n-th operand of a parameter; NULL after the last. */
const struct operand *operand_member(const struct evaluation *v, int param, int n)
{
    if (n == 0)
        return &v->operands[param];
    int further = v->function->param_count + n - 1;
    return v->function->params[param].many && further < v->count ? &v->operands[further] : NULL;
}

bool operand_is_given(const struct operand *o)
{
    return o->kind != OPERAND_ABSENT && !(o->kind == OPERAND_DTYPE && o->dtype == DTYPE_NONE);
}

bool operand_has_elements(const struct operand *o)
{
    return o->kind == OPERAND_TENSOR || o->kind == OPERAND_BUFFER;
}

unsigned operand_places(const struct operand *o)
{
    return device_places(o->device, o->gpus);
}

dtype_set operand_dtypes(const struct operand *o)
{
    if (operand_has_elements(o) && o->dtype == DTYPE_NONE)
        return o->dtypes ? o->dtypes : DTYPES_ALL;
    if (operand_is_number(o))
        return DTYPE_BIT(number_dtype(o));
    return o->kind == OPERAND_ABSENT || o->dtype == DTYPE_NONE ? 0 : DTYPE_BIT(o->dtype);
}

struct answer operand_value(const struct operand *o, enum answer_sort sort)
{
    switch (sort) {
    case ANSWER_DTYPE:
        return answer_set(operand_dtypes(o));
    case ANSWER_DEVICE:
        return answer_set(operand_is_given(o) ? operand_places(o) : 0);
    case ANSWER_TRUTH:
        if (operand_is_given(o) && !o->known)
            return answer_set(SAY_MAYBE);
        return answer_truth(operand_is_given(o) && o->number != 0);
    case ANSWER_NUMBER:
    case ANSWER_RANK:
    case ANSWER_OPERAND:
        break;
    }
    return (struct answer){.known = !operand_is_given(o) || o->known,
                           .number = operand_is_given(o) ? o->number : 0};
}

unsigned operand_ranks(const struct operand *o)
{
    if (o->kind != OPERAND_TENSOR || o->zero_dim)
        return RANK_BIT(0);
    unsigned ranks = o->ranks & ~1u;
    return ranks ? ranks : ALL_RANKS & ~1u;
}

struct answer operand_zero_dim(const struct operand *o)
{
    unsigned ranks = operand_ranks(o);
    return ranks == RANK_BIT(0) ? answer_truth(true)
           : ranks & 1          ? answer_set(SAY_MAYBE)
                                : answer_truth(false);
}

/* Any, where it is not known that the number counts bytes. */
struct answer operand_unit(const struct operand *o)
{
    return answer_set(o->unit ? DTYPE_BIT(o->unit) : DTYPES_EVERY);
}

struct answer operand_bytes(const struct operand *o)
{
    bool known = (o->kind == OPERAND_BUFFER || o->kind == OPERAND_TENSOR) && o->known;
    return (struct answer){.known = known, .number = known ? o->number : 0};
}
