/* Branches: what a condition that holds implies for numbers in memory, for NULL, and, through
 * queries about dtype and device, for tensors. */
#include "analyzer/flow/engine/engine.h"

/* The variable that the tensors were read from, if it still has them; NULL: it has not. */
static const struct value *still_asked(const struct state *s, const struct query *query)
{
    bool is_variable = query->from && !query->from->some_any;
    const struct value *now = is_variable ? state_get(s, query->from) : NULL;
    bool same = now && now->kind == VALUE_TENSOR && now->count == query->count;
    for (int i = 0; same && i < now->count; i++)
        same = now->as.tensor[i] == query->tensors[i];
    return same ? now : NULL;
}

/* Whether nothing is recorded about any of them, nor written to what it shares, so that another one
 * of the same dtype can take its place; and each can be such as was asked for, and can be another:
 * otherwise which of them it is says more. */
static bool can_be_replaced(const struct state *s, const struct query *query, dtype_set dtypes,
                            bool *is_one)
{
    *is_one = query->count == 1;
    for (int i = 0; i < query->count; i++) {
        const struct tensor *t = state_tensor(s, query->tensors[i]);
        if (!t || t->node || t->storage != t->id || t->has_grad || dtypes_are_any(t->fact.dtypes))
            return false;
        if (!(t->fact.dtypes & dtypes) || !(t->fact.dtypes & ~dtypes))
            return false;
        *is_one &= !t->several;
    }
    return pack_dtypes(query->asker) != 0;
}

/* Which of several tensors it is, is not known, so that nothing is learned of any of them. But the
 * variable is, from here on, one as was asked for. */
static bool learn_one_of(struct flow *f, struct state *s, const struct query *query,
                         const struct value *now, dtype_set dtypes)
{
    struct tensor t = *state_tensor(s, query->tensors[0]);
    struct value v = *now;
    t.fact = state_fact(s, now, &t.unknown, NULL);
    t.fact.dtypes &= dtypes;
    t.id = t.storage =
        tensor_name(f->heap, key_of(KEY_CHOSEN_TENSOR, 0, (uint64_t)query->from->id));
    t.cases = 0;
    const struct tensor *before = state_tensor(s, t.id);
    t.several = before != NULL;
    if (before)
        fact_join(&t.fact, &before->fact);
    v.count = 1;
    v.as.tensor[0] = t.id;
    v.origin = NULL;
    if (!t.fact.dtypes)
        return false;
    state_tensor_put(f->scratch, s, t);
    state_put(f->scratch, s, query->from, v);
    return true;
}

static bool learn_fact(struct flow *f, struct state *s, const struct query *query, dtype_set dtypes,
                       uint8_t devices, uint16_t gpus)
{
    bool is_one;
    const struct value *now = f->is_rest ? NULL : still_asked(s, query);
    if (now && can_be_replaced(s, query, dtypes, &is_one) && !is_one)
        return learn_one_of(f, s, query, now, dtypes);
    return query->count != 1 ||
           tensor_learn(f, s, query->tensors[0], query->asker, dtypes, devices, gpus);
}

/* The cuda devices whose number satisfies the comparison. The last one also stands for those
 * after it. */
static uint16_t learn_gpus(const struct flow *f, const struct query *query, enum ir_arith arith,
                           int64_t n)
{
    int64_t low, high;
    uint16_t gpus = 0;
    if (query->question != QUESTION_DEVICE_OF)
        return arith_holds(arith, 1, n) ? GPUS_ALL : 0;
    if (!packs_values_of_device(query->asker, DEVICE_CUDA, &low, &high) || low == high)
        return arith_holds(arith, packs_value_of_device(f->packs, query->asker, DEVICE_CUDA, 0), n)
                   ? GPUS_ALL
                   : 0;
    for (int64_t i = low; i <= high; i++)
        if (arith_holds(arith, i, n))
            gpus |= (uint16_t)(1u << (i - low < GPU_LAST ? i - low : GPU_LAST));
    return gpus;
}

/* The answer for a tensor of that dtype; false: not known. */
static bool answer_for(const struct flow *f, const struct query *query, enum dtype d,
                       int64_t *answer)
{
    if (query->question == QUESTION_OF_DTYPE)
        return (fact_dtypes(&(struct fact){.dtypes = DTYPES_ALL}, query->asker) >> d & 1) &&
               pack_number_of_dtype(query->asker, d, answer);
    *answer = query->question == QUESTION_DTYPE_OF ? packs_value_of_dtype(f->packs, query->asker, d)
                                                   : (int64_t)(dtypes_floating() >> d & 1);
    return true;
}

/* Restricts the tensor to dtypes or devices for which the answer satisfies the comparison. */
static bool learn_answer(struct flow *f, struct state *s, const struct query *query,
                         enum ir_arith arith, int64_t n)
{
    dtype_set dtypes = 0;
    uint16_t gpus = learn_gpus(f, query, arith, n);
    /* Those of other APIs than the one that asks have no answer there. */
    for (dtype_set left = DTYPES_KNOWN | pack_dtypes(query->asker); left; left &= left - 1) {
        int d = __builtin_ctzll(left);
        int64_t answer;
        if (!answer_for(f, query, (enum dtype)d, &answer) || arith_holds(arith, answer, n))
            dtypes |= DTYPE_BIT(d);
    }
    int64_t cpu = query->question == QUESTION_DEVICE_OF
                      ? packs_value_of_device(f->packs, query->asker, DEVICE_CPU, 0)
                      : 0;
    uint8_t devices = (uint8_t)((arith_holds(arith, cpu, n) ? 1u << DEVICE_CPU : 0) |
                                (gpus ? 1u << DEVICE_CUDA : 0));
    for (int d = DEVICE_META; d <= DEVICE_OTHER; d++) {
        int64_t other = query->question == QUESTION_DEVICE_OF
                            ? packs_value_of_device(f->packs, query->asker, (enum device)d, 0)
                            : 0;
        if (arith_holds(arith, other, n))
            devices |= (uint8_t)(1u << d);
    }
    if (query->question == QUESTION_DTYPE_OF || query->question == QUESTION_IS_FLOATING ||
        query->question == QUESTION_OF_DTYPE)
        return learn_fact(f, s, query, dtypes, DEVICES_ALL, GPUS_ALL);
    if (query->question == QUESTION_DEVICE_OF || query->question == QUESTION_IS_CUDA)
        return learn_fact(f, s, query, DTYPES_EVERY, devices, gpus);
    return true;
}

/* The number once the comparison holds; false: it cannot. */
static bool meet_comparison(struct value *v, enum ir_arith arith, int64_t n)
{
    if (v->count) {
        int kept = 0;
        for (int i = 0; i < v->count; i++)
            if (arith_holds(arith, v->as.number[i], n))
                v->as.number[kept++] = v->as.number[i];
        v->count = (uint8_t)kept;
        return kept > 0;
    }
    int64_t low = v->as.range.low, high = v->as.range.high;
    uint64_t isnt = v->as.range.isnt;
    if (arith == ARITH_EQ)
        low = high = n;
    else if (arith == ARITH_LT && n > INT64_MIN && high >= n)
        high = n - 1;
    else if (arith == ARITH_LE && high > n)
        high = n;
    else if (arith == ARITH_GT && n < INT64_MAX && low <= n)
        low = n + 1;
    else if (arith == ARITH_GE && low < n)
        low = n;
    else if (arith == ARITH_NE && low == n)
        low++;
    else if (arith == ARITH_NE && high == n)
        high--;
    else if (arith == ARITH_NE)
        isnt |= value_small_bit(n);
    if (low > high)
        return false;
    struct value less = value_range_without(low, high, isnt);
    less.is_bool = v->is_bool;
    less.names = v->names;
    less.unit = v->unit;
    less.test = v->test;
    *v = less;
    return v->kind != VALUE_NOTHING;
}

/* The location of an initial value is refined only if it still holds that value. */
static bool learn_initial(struct flow *f, struct state *s, const struct test *initial,
                          enum ir_arith arith, int64_t n)
{
    const struct value *now = initial_now(s, initial);
    if (f->merges && !guard_learn(s, initial->of->origin, arith, n))
        return false;
    if (!now || now->is_real)
        return true;
    struct value v = *now;
    if (!meet_comparison(&v, arith, n))
        return false;
    state_put(f->scratch, s, initial->of->origin, v);
    return true;
}

/* The location is refined only if it still holds what was compared. */
static bool learn_value(struct flow *f, struct state *s, const struct value *of,
                        enum ir_arith arith, int64_t n)
{
    const struct value *now = of->origin ? state_get(s, of->origin) : NULL;
    struct value v = *of;
    bool pointer = v.kind == VALUE_TENSOR || v.kind == VALUE_ADDRESS || v.kind == VALUE_FUNCTION;
    if (pointer && (n != 0 || (arith != ARITH_EQ && arith != ARITH_NE)))
        return true;
    if (pointer) {
        v.null &= arith == ARITH_EQ ? TRI_YES : TRI_NO;
        if (!v.null || (f->merges && !guard_learn_null(s, &v, arith == ARITH_EQ)))
            return false;
        if (v.null == TRI_YES)
            v = value_null();
    } else if (v.kind != VALUE_NUMBER || v.is_real) {
        return true;
    } else if (!meet_comparison(&v, arith, n)) {
        return false;
    }
    bool is_same = now && value_equal(now, of) && (!value_is_initial(of) || now->test == of->test);
    if (is_same) {
        v.origin = NULL;
        state_put(f->scratch, s, of->origin, v);
    }
    return true;
}

static bool learn(struct flow *f, struct state *s, const struct value *of, enum ir_arith arith,
                  int64_t n)
{
    if (value_query(of))
        return learn_answer(f, s, value_query(of), arith, n);
    if (value_is_initial(of))
        return learn_initial(f, s, of->test, arith, n) && learn_value(f, s, of, arith, n);
    if (of->test && n == 0 && (arith == ARITH_EQ || arith == ARITH_NE))
        return refine(f, s, of, arith == ARITH_NE);
    return learn_value(f, s, of, arith, n);
}

bool refine(struct flow *f, struct state *s, const struct value *v, bool truth)
{
    if (v->test && !value_is_initial(v))
        return learn(f, s, v->test->of, truth ? v->test->arith : arith_negated(v->test->arith),
                     v->test->number) &&
               (!v->origin || learn_value(f, s, v, truth ? ARITH_NE : ARITH_EQ, 0));
    return learn(f, s, v, truth ? ARITH_NE : ARITH_EQ, 0);
}
