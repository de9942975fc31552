/* Integers that a narrower dtype does not have: drawn numbers, counts, ids, what a loop stored. */
#include "rules/beyond/beyond.h"

#include <math.h>

/* As many numbers as the dtype has, half of which become negative: a change of sign is meant. */
static bool is_change_of_sign(double modulus, const struct value_range *all)
{
    return all->low < 0 && modulus == all->high - all->low + 1;
}

/* Positions of elements, as far as the dimension goes that they are in. */
static bool are_positions(const struct argument *at, const struct call *made)
{
    const struct argument *of = call_argument(made, ROLE_INPUT);
    const struct shape *s = argument_is_tensor(of) ? of->seen->fact.shape : NULL;
    for (int i = 0; s && made->callee->values == VALUES_INDEX && i < s->count; i++)
        if ((double)s->dims[i] == at->seen->fact.range.high + 1)
            return true;
    return false;
}

/* Numbers of the language of which no single one is known, in a tensor that is made of them: what
 * a table of the program has, or what a loop counts. A power of 2 is the limit of something. */
static bool are_numbers_of_program(const struct argument *at, const struct call *made)
{
    const struct value_range *r = &at->seen->fact.range;
    int exponent;
    bool is_limit = fabs(frexp(r->high + 1, &exponent)) == 0.5 || frexp(r->high, &exponent) == 0.5;
    return made->callee->values == VALUES_FILL && !call_written(made) && r->is_known &&
           !range_is_constant(r) && r->high < INT32_MAX && !is_limit;
}

static enum back find_drawn(const struct argument *at, const struct call *made, void *all)
{
    enum pack_values what = made->callee->values;
    double modulus;
    bool is_rest = what == VALUES_REMAINDER &&
                   argument_number(made, call_argument(made, ROLE_RIGHT), &modulus) &&
                   !is_change_of_sign(modulus, all);
    if (what == VALUES_DRAWN || what == VALUES_COUNT || is_rest || are_positions(at, made) ||
        are_numbers_of_program(at, made))
        return BACK_YES;
    return call_is_cast(made) || call_is_view(made) ? BACK_GO_ON : BACK_NO;
}

/* Whether they were drawn or counted, are positions or numbers of the program, or are the remainder
 * of a division by a number, behind casts and views: every number up to the largest can be among
 * them. all: those of the dtype. */
static bool are_drawn(struct check *c, const struct argument *x, struct value_range *all)
{
    return trace_back(c, x, find_drawn, all);
}

static enum back find_count(const struct argument *at, const struct call *made, void *context)
{
    const struct argument *of = call_argument(made, ROLE_INPUT);
    (void)at;
    (void)context;
    if (made->callee->values == VALUES_SUM)
        return argument_is_tensor(of) && argument_dtypes(of) == SET_BOOL ? BACK_YES : BACK_NO;
    return call_is_cast(made) || call_is_view(made) ? BACK_GO_ON : BACK_NO;
}

/* How many elements are true, of more than a narrower integer can count. */
static bool are_counts(struct check *c, const struct argument *x)
{
    return trace_back(c, x, find_count, NULL);
}

/* Integers that are drawn from more numbers than a narrower integer has. */
static void check_drawn(struct check *c, const struct call *call, const struct argument *x,
                        enum dtype d)
{
    const struct value_range *r = &x->seen->fact.range;
    struct value_range all = dtype_range(d);
    if (!all.is_whole || d == DTYPE_BOOL || !r->is_known || !r->is_whole || r->low < 0 ||
        !isfinite(r->high) || r->high <= all.high)
        return;
    bool drawn = are_drawn(c, x, &all);
    if ((!drawn && !are_counts(c, x)) || was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        drawn ? finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                            "'%s' has whole numbers up to %.0f, some of which become others: %s",
                            x->name, r->high, beyond_text(c, r->high, d))
              : finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                            "'%s' counts up to %.0f: %s", x->name, r->high,
                            beyond_text(c, r->high, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

static bool are_bytes(const struct argument *x)
{
    const struct value_range *r = argument_is_tensor(x) ? &x->seen->fact.range : NULL;
    struct value_range all = dtype_range(DTYPE_U8);
    return r && r->is_known && r->low == all.low && r->high == all.high;
}

/* Bytes of any size, and something that was added to them as wider integers: both ends wrap around,
 * where they become bytes again. */
static void check_moved(struct check *c, const struct call *call, const struct argument *x,
                        enum dtype d)
{
    const struct value_range *r = &x->seen->fact.range;
    struct call sum;
    if (d != DTYPE_U8 || !r->is_known || !r->is_whole || !isfinite(range_most(r)) ||
        (r->low >= 0 && r->high <= dtype_range(d).high) || !argument_maker(c, x, &sum) ||
        (sum.callee->values != VALUES_ADD && sum.callee->values != VALUES_SUB))
        return;
    const struct argument *a = call_argument(&sum, ROLE_LEFT), *b = call_argument(&sum, ROLE_RIGHT);
    bool moves = are_bytes(a) && !are_bytes(b), is_either = !moves && are_bytes(a) && are_bytes(b);
    if ((!moves && !is_either && !are_bytes(b)) || was_reported(c, call->function, call->inst))
        return;
    bool is_sure = moves || sum.callee->values == VALUES_ADD;
    struct finding *out =
        finding_new(c, is_sure ? SEVERITY_WARNING : SEVERITY_NOTE, call->function, call_span(call),
                    "'%s' has whole numbers from %.0f to %.0f, some of which become others: %s",
                    x->name, r->low, r->high, beyond_text(c, r->high, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Integers that a loop stored in memory before. */
static void check_filled(struct check *c, const struct call *call, const struct argument *x,
                         enum dtype d)
{
    struct value_range r, all = dtype_range(d);
    if (x->seen->fact.range.is_known || !dtypes_are(argument_dtypes(x), SET_INTS) ||
        d == DTYPE_BOOL || !filled_range(c, x, &r))
        return;
    bool is_lost = all.is_whole
                       ? r.high > all.high
                       : range_is_far_beyond(&r, d) || (r.high > 2 * dtype_exact(d) &&
                                                        is_cast_later(c, call->function, call->inst,
                                                                      SET_INTS, true, MAX_PASSED));
    if (!is_lost || was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "'%s' is filled with whole numbers up to %.3g or more, some of which become others: %s",
        x->name, r.high, beyond_text(c, r.high, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Integers of a table that are put into the floats of a tensor, which become integers again: the
 * ids in a row of features. */
static void check_columns(struct check *c, const struct call *call)
{
    dtype_set to = call->result ? call->result->fact.dtypes : 0;
    if (!is_one(to) || !dtypes_are(to, SET_NARROW) ||
        !is_cast_later(c, call->function, call->inst, SET_INTS, true, MAX_PASSED))
        return;
    enum dtype d = dtype_of_set(to);
    double number = filled_inexactly(c, call, d);
    if (number == 0 || was_reported(c, call->function, call->inst))
        return;
    finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                "%.0f is kept as %.0f, and becomes an integer again: %s", number,
                range_stored(range_of_number(number), d).low, beyond_text(c, 0, d));
}

enum { MORE_ROWS = 5, THAN_IDS = 4 };

/* The rows of the table that the ids select; 0: it is not known. */
static double rows_of(const struct call *call, const struct argument *index)
{
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        const struct shape *s = a->seen ? a->seen->fact.shape : NULL;
        if (a != index && a->seen && a->seen->kind == OPERAND_TENSOR && s && s->count == 2)
            return (double)s->dims[0];
    }
    return 0;
}

/* Ids that were u16 or i16, of a table that has more rows than these can tell apart: those beyond
 * had become others. */
static void check_ids(struct check *c, const struct call *call)
{
    const struct argument *index = call_argument(call, ROLE_INDEX);
    const struct value_range *r = NULL;
    if (call->family == FAMILY_GATHER && index && index->seen &&
        index->seen->kind == OPERAND_TENSOR)
        r = &index->seen->fact.range;
    if (!r || !r->is_known || !r->is_whole || r->meets_high ||
        (r->high != dtype_range(DTYPE_I16).high && r->high != 65535) ||
        rows_of(call, index) * THAN_IDS < (r->high + 1) * MORE_ROWS ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "the ids were integers up to %.0f, and the table has %.0f rows: ids beyond became others",
        r->high, rows_of(call, index));
    origin_add(c, out, "the ids", index->seen->how, ASPECT_DTYPE, argument_dtypes(index));
}

void beyond_ids(struct check *c, const struct call *call)
{
    check_ids(c, call);
    check_columns(c, call);
}

void beyond_integers(struct check *c, const struct call *call, const struct argument *x,
                     enum dtype d)
{
    check_drawn(c, call, x, d);
    check_moved(c, call, x, d);
    check_filled(c, call, x, d);
}
