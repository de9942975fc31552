/* A handwritten norm: the root of the mean or the sum of squares in f16 or bf16. The squares are
 * rounded, or become zero or infinite, before they are added. Or a variance as the difference of
 * two such means, of which little is left. */
#include "rules/engine/engine.h"

#include <math.h>
#include <string.h>

/* The sum or mean under the root, possibly with a small number added; false: there is none. */
static bool find_mean(struct check *c, const struct call *root, struct call *out)
{
    if (!argument_maker(c, call_argument(root, ROLE_INPUT), out))
        return false;
    if (out->family == FAMILY_ADD) {
        struct call sum = *out;
        const struct argument *x = call_argument(&sum, ROLE_LEFT),
                              *b = call_argument(&sum, ROLE_RIGHT);
        bool several = argument_is_tensor(x) && argument_is_tensor(b);
        if (several || !argument_maker(c, argument_is_tensor(x) ? x : b, out))
            return false;
    }
    return out->family == FAMILY_MEAN || out->family == FAMILY_SUM;
}

/* Whether both arguments are the same tensor, written the same way. */
static bool is_itself(const struct argument *a, const struct argument *b)
{
    if (!argument_is_tensor(a) || !argument_is_tensor(b) || !a->flow || !b->flow ||
        a->flow->made_count != b->flow->made_count || strcmp(a->name, b->name) != 0)
        return false;
    for (int i = 0; i < a->flow->made_count; i++)
        if (a->flow->made[i] != b->flow->made[i])
            return false;
    return true;
}

/* The operand that is squared; NULL: none. */
static const struct argument *squared(const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    double power;
    if (call->family == FAMILY_SQUARE)
        return call_argument(call, ROLE_INPUT);
    if (call->callee->values == VALUES_POW)
        return argument_number(call, b, &power) && power == 2 ? a : NULL;
    return call->family == FAMILY_MULTIPLY && is_itself(a, b) ? a : NULL;
}

struct stores {
    ir_value store;
    int count;
};

static void note_store(const struct ir_function *f, ir_value user, enum variable_use how,
                       void *context)
{
    struct stores *s = context;
    (void)f;
    if (how == VARIABLE_SET) {
        s->store = user;
        s->count++;
    }
}

/* Where a variable was assigned without a cast: one could be inserted there. */
static void add_name(struct check *c, struct finding *out, const struct ir_function *f, ir_value v)
{
    int64_t variable = variable_read(c, f, v);
    struct stores stores = {0};
    if (variable < 0)
        return;
    variable_users(c, f, variable, note_store, &stores);
    const struct ir_inst *store = &f->insts.items[stores.store];
    if (stores.count == 1 && ir_op_reads(f->insts.items[ir_written(store)].op))
        finding_place(c, out, "taken as it is", &store->span);
}

/* So many terms a sum has at least, as far as rules assume where its size is not known. */
static const double SOME = 16;

/* Whether the sum would be infinite in f16 if each of its squares were a quarter of the largest. */
static bool is_beyond(const struct call *sum, const struct call *square)
{
    const struct argument *x = call_argument(sum, ROLE_INPUT);
    const struct value_range *r = &square->result->fact.range;
    int64_t elements = shape_elements(x->seen->fact.shape);
    bool is_of_all = sum->result->fact.zero_dim == TRI_YES && elements >= 0;
    double count = is_of_all ? (double)elements : SOME;
    return r->is_known && isfinite(r->high) && r->high * count / 4 > dtype_max(DTYPE_F16);
}

/* A sum of squares in f16 that is no loss: one number above 256 makes it infinite. If the sum is in
 * f32, as autocast has it, it was not meant to be. */
static void check_squares(struct check *c, const struct call *sum)
{
    struct call square;
    dtype_set f16 = DTYPE_SET(DTYPE_F16);
    bool is_wider = sum->result && sum->result->fact.dtypes == DTYPE_SET(DTYPE_F32);
    if (sum->callee->values != VALUES_SUM || !sum->result ||
        (sum->result->fact.dtypes != f16 && !is_wider) ||
        !argument_maker(c, call_argument(sum, ROLE_INPUT), &square) || !square.result ||
        square.result->fact.dtypes != f16)
        return;
    const struct argument *x = squared(&square);
    bool is_infinite = !is_wider && is_beyond(sum, &square);
    if (!argument_is_tensor(x) || (!is_wider && sum->result->fact.grad != TRI_NO) ||
        (!is_infinite && range_most(&x->seen->fact.range) <= 256) ||
        was_reported(c, square.function, square.inst))
        return;
    struct span at = call_span(&square);
    struct finding *out =
        is_infinite
            ? finding_new(c, SEVERITY_WARNING, sum->function, call_span(sum),
                          "squares up to %.0f are summed in f16: a few of these are infinite",
                          square.result->fact.range.high)
            : finding_new(c, SEVERITY_NOTE, sum->function, call_span(sum),
                          "squares are %s in f16, where that of anything above 256 is infinite",
                          is_wider ? "computed" : "summed");
    out->dtypes = f16;
    finding_mark(c, out, x->span);
    finding_place(c, out, "squared by", &at);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* What the mean is of, if the call is one. */
static const struct argument *averaged(const struct call *mean)
{
    return mean->family == FAMILY_MEAN ? call_argument(mean, ROLE_INPUT) : NULL;
}

/* A variance in half, as the mean of squares minus the square of the mean: both are rounded to as
 * many digits as they have in common. */
static void check_moments(struct check *c, const struct call *call)
{
    struct call mean, square, other, inner;
    dtype_set halves = call->result ? call->result->fact.dtypes : 0;
    if (call->callee->values != VALUES_SUB || !is_one(halves) || !dtypes_are(halves, SET_HALVES) ||
        !argument_maker(c, call_argument(call, ROLE_LEFT), &mean) ||
        !argument_maker(c, call_argument(call, ROLE_RIGHT), &other))
        return;
    const struct argument *squares = averaged(&mean), *middle = squared(&other);
    const struct argument *x = argument_is_tensor(squares) && argument_maker(c, squares, &square)
                                   ? squared(&square)
                                   : NULL;
    const struct argument *y =
        argument_is_tensor(middle) && argument_maker(c, middle, &inner) ? averaged(&inner) : NULL;
    if (!argument_is_tensor(x) || !argument_is_tensor(y) || !x->seen->how ||
        x->seen->how != y->seen->how || was_reported(c, call->function, call->inst))
        return;
    struct span at = call_span(&square);
    struct finding *out = finding_new(
        c, SEVERITY_NOTE, call->function, call_span(call),
        "a variance as the difference of two means in %s: where '%s' is far from 0, it is what was "
        "rounded away",
        dtypes_text(c, halves), x->name);
    out->dtypes = SET_HALVES;
    finding_mark(c, out, x->span);
    finding_place(c, out, "squared by", &at);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

static void check(struct check *c, const struct call *call)
{
    struct call mean, square;
    check_squares(c, call);
    check_moments(c, call);
    if (call->family != FAMILY_SQRT || !find_mean(c, call, &mean) ||
        !argument_maker(c, call_argument(&mean, ROLE_INPUT), &square))
        return;
    const struct argument *x = squared(&square);
    const struct step *how = x && x->flow && square.result ? half_step(x->flow) : NULL;
    if (!how || !(square.result->fact.dtypes & SET_HALVES) ||
        was_reported(c, square.function, square.inst))
        return;
    struct span at = call_span(&square);
    bool always = dtypes_are(argument_dtypes(x), SET_HALVES);
    struct finding *out = finding_new(
        c, SEVERITY_NOTE, mean.function, call_span(&mean), "a norm over squares in %s: '%s' %s %s",
        dtypes_text(c, how->fact.dtypes & SET_HALVES), x->name, always ? "is" : "can be",
        dtypes_text(c, how->fact.dtypes & SET_HALVES));
    out->dtypes = SET_HALVES;
    finding_mark(c, out, x->span);
    finding_place(c, out, "rounded by", &at);
    origin_add(c, out, x->name, how, ASPECT_DTYPE, how->fact.dtypes);
    origin_add_path(c, out, how);
    add_name(c, out, square.function, x->value);
}

const struct rule_code rule_half_norm = {.call = check, .by_case = true};
