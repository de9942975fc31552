/* Fractions are cast to integers, which rounds them towards 0: where they can be negative, floor or
 * round was meant, and where none is larger than 1, nearly all become 0. Or a share of integers is
 * computed by a division that rounds down. */
#include "rules/engine/engine.h"

#include <math.h>
#include <string.h>

enum { MAX_DEPTH = 6, MAX_PASSED = 4 };

/* From here on, what the fraction adds is small against the number. */
static const double LARGE = 1024;

static bool is_fraction(struct check *c, const struct argument *x, int depth);

static bool number_is_whole(const struct call *call, const struct argument *a)
{
    double number;
    return argument_number(call, a, &number) && number == trunc(number);
}

/* The sum, the product or the quotient of a tensor and something else. */
static bool computes_fraction(struct check *c, const struct call *made, int depth)
{
    const struct argument *a = call_argument(made, ROLE_LEFT), *b = call_argument(made, ROLE_RIGHT);
    if (made->family == FAMILY_DIVIDE)
        return !number_is_whole(made, b) || is_fraction(c, a, depth);
    return argument_is_tensor(b) ? is_fraction(c, a, depth) || is_fraction(c, b, depth)
                                 : !number_is_whole(made, b) || is_fraction(c, a, depth);
}

/* Passes its elements on as they are, but for those beyond its limits. */
static bool passes_on(const struct call *made)
{
    return made->family == FAMILY_CLAMP || made->family == FAMILY_CLONE || call_is_view(made) ||
           call_is_cast(made);
}

/* Whether some call made fractions of what may have been whole; what is not known is not. */
static bool is_fraction(struct check *c, const struct argument *x, int depth)
{
    struct call made;
    if (!depth || !argument_is_tensor(x) || !dtypes_are(argument_dtypes(x), SET_FLOATS) ||
        (x->seen->fact.range.is_known && x->seen->fact.range.is_whole) ||
        !argument_maker(c, x, &made))
        return false;
    switch (made.callee->values) {
    case VALUES_ADD:
    case VALUES_SUB:
    case VALUES_MUL:
    case VALUES_DIV:
        return computes_fraction(c, &made, depth - 1);
    case VALUES_WITHIN:
        return !made.callee->within.is_whole;
    case VALUES_SPAN:
        return x->seen->fact.range.is_known &&
               x->seen->fact.range.low != trunc(x->seen->fact.range.low);
    case VALUES_SHARES:
    case VALUES_SQRT:
    case VALUES_EXP:
    case VALUES_EXP2:
    case VALUES_EXPM1:
    case VALUES_LOG:
    case VALUES_LOG1P:
    case VALUES_SIGMOID:
    case VALUES_TANH:
    case VALUES_MEAN:
        return true;
    default: /* others compute no fractions, or pass on what they are given */
        return passes_on(&made) && is_fraction(c, call_argument(&made, ROLE_INPUT), depth - 1);
    }
}

/* A tensor of floats, or a number that the program computes when it runs. */
static bool is_scale(const struct call *made, const struct argument *by)
{
    double number;
    if (argument_is_tensor(by))
        return dtypes_are(argument_dtypes(by), SET_FLOATS);
    return by && by->value && !argument_number(made, by, &number);
}

static enum back find_quantized(const struct argument *at, const struct call *made, void *context)
{
    const struct argument *by = call_argument(made, ROLE_RIGHT);
    (void)context;
    if (at->seen->changed)
        return BACK_NO;
    if (made->callee->values == VALUES_DIV || made->callee->values == VALUES_MUL)
        return is_scale(made, by) ? BACK_YES : BACK_NO;
    return passes_on(made) ? BACK_GO_ON : BACK_NO;
}

/* A quotient or a product with a scale in 8 bits: quantized, where nothing was rounded. */
static bool is_quantized(struct check *c, const struct argument *x, dtype_set to)
{
    return to == DTYPE_SET(DTYPE_I8) && trace_back(c, x, find_quantized, NULL);
}

/* From here on, a scale is one of codes. */
enum { CODES = 8 };

/* Scaled by its own largest number, to codes of which each is a step: rounding was meant. */
static bool is_scaled_by_own(struct check *c, const struct argument *x)
{
    struct argument at = *x;
    struct call made;
    for (int depth = 0; depth < MAX_DEPTH && argument_maker(c, &at, &made) && passes_on(&made) &&
                        argument_is_tensor(call_argument(&made, ROLE_INPUT));
         depth++)
        at = *call_argument(&made, ROLE_INPUT);
    return scale_of_ones(c, &at) >= CODES;
}

static enum back find_loss(const struct argument *at, const struct call *made, void *context)
{
    (void)at;
    (void)context;
    if (made->family == FAMILY_LOSS || made->family == FAMILY_CLASS_LOSS)
        return BACK_YES;
    return passes_on(made) && made->family != FAMILY_CLAMP ? BACK_GO_ON : BACK_NO;
}

static bool is_loss(struct check *c, const struct argument *x)
{
    return trace_back(c, x, find_loss, NULL);
}

/* Fractions of which no range is known. */
static void check_unknown(struct check *c, const struct call *call, const struct argument *x)
{
    bool is_loss_cast = is_loss(c, x);
    if ((!is_loss_cast && !is_quantized(c, x, call->result->fact.dtypes)) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        is_loss_cast
            ? finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                          "'%s' is a loss, and loses its fraction in %s", x->name,
                          dtypes_text(c, call->result->fact.dtypes))
            : finding_new(c, is_scaled_by_own(c, x) ? SEVERITY_WARNING : SEVERITY_NOTE,
                          call->function, call_span(call),
                          "'%s' is not rounded before it is cast to %s: a cast rounds towards 0",
                          x->name, dtypes_text(c, call->result->fact.dtypes));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Whether what is computed with the result, or with some of its elements, is floats again. */
static bool is_used_with_floats(struct check *c, const struct ir_function *f, ir_value inst,
                                int depth)
{
    const consumer_list *uses = consumers_of(c, f, inst);
    for (int i = 0; depth && i < uses->count; i++) {
        const struct flow_call *by = uses->items[i].by;
        const struct flow_value *to = flow_value_of(c->in->flow, by->function, by->inst);
        enum pack_values what = by->callee->values;
        bool computes = what == VALUES_MUL || what == VALUES_DIV,
             passes = what == VALUES_SOME || what == VALUES_SAME;
        if (computes && to && dtypes_are(to->fact.dtypes, SET_FLOATS))
            return true;
        if (passes &&
            by->callee->params[by->operands[uses->items[i].operand].param].role != ROLE_LIKE &&
            is_used_with_floats(c, by->function, by->inst, depth - 1))
            return true;
    }
    return false;
}

/* One number, which is not whole, that floats are multiplied with or divided by. */
static void check_factor(struct check *c, const struct call *call, const struct argument *x)
{
    const struct value_range *r = &x->seen->fact.range;
    if (!r->is_known || r->may_be_nan || r->is_whole || trunc(r->low) != trunc(r->high) ||
        r->low - trunc(r->low) == 0 || r->high - r->low > 1e-3 || !(range_most(r) < LARGE) ||
        !is_used_with_floats(c, call->function, call->inst, 1) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' is %.4g, which becomes %.0f in %s before floats are "
                    "computed with it",
                    x->name, r->high, trunc(r->high), dtypes_text(c, call->result->fact.dtypes));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* What becomes of the fractions; NULL: nothing that is not expected. */
static const char *what_is_lost(const struct value_range *r)
{
    double most = fmax(fabs(r->low), fabs(r->high));
    bool is_whole = r->is_whole || (r->low == r->high && r->low == trunc(r->low));
    if (!r->is_known || is_whole || !(most < LARGE))
        return NULL;
    if (r->low >= 0 && r->high <= 1)
        return "all below 1 become 0";
    return r->low <= -1 && r->high > 0
               ? "a cast rounds towards 0, so that all between -1 and 1 become 0"
               : NULL;
}

static enum back find_sum(const struct argument *at, const struct call *made, void *summed)
{
    bool is_bound = made->callee->values == VALUES_MAXIMUM || made->family == FAMILY_CLAMP;
    const struct argument *from = call_argument(made, ROLE_INPUT);
    (void)at;
    if (made->callee->values != VALUES_SUM)
        return is_bound || passes_on(made) ? BACK_GO_ON : BACK_NO;
    if (!argument_is_tensor(from))
        return BACK_NO;
    *(struct argument *)summed = *from;
    return BACK_YES;
}

/* The tensor whose sum the argument is, perhaps with a lower bound or as a view; false: it is none.
 */
static bool find_summed(struct check *c, const struct argument *x, struct argument *out)
{
    return trace_back(c, x, find_sum, out);
}

static bool is_same(const struct argument *x, const struct argument *y)
{
    return argument_is_tensor(x) && x->seen->how && x->seen->how == y->seen->how;
}

static enum back find_whole(const struct argument *at, const struct call *made, void *whole)
{
    enum pack_values what = made->callee->values;
    (void)at;
    if (what != VALUES_SAME && what != VALUES_SOME && what != VALUES_SUM)
        return BACK_NO;
    return is_same(call_argument(made, ROLE_INPUT), whole) ? BACK_YES : BACK_GO_ON;
}

/* Whether the elements are some of the tensor's, or sums of some. */
static bool is_part_of(struct check *c, const struct argument *x, struct argument *all)
{
    return is_same(x, all) || trace_back(c, x, find_whole, all);
}

static enum back find_share(const struct argument *at, const struct call *made, void *context)
{
    const struct argument *of = call_argument(made, ROLE_LEFT);
    struct argument all;
    (void)at;
    (void)context;
    if (made->callee->values == VALUES_DIV) {
        const struct value_range *r = argument_is_tensor(of) ? &of->seen->fact.range : NULL;
        return r && r->is_known && r->low >= 0 &&
                       find_summed(made->check, call_argument(made, ROLE_RIGHT), &all) &&
                       is_part_of(made->check, of, &all)
                   ? BACK_YES
                   : BACK_NO;
    }
    return passes_on(made) || made->callee->values == VALUES_SOME ? BACK_GO_ON : BACK_NO;
}

/* What was divided by its own sum: shares, if none is negative. */
static bool is_share(struct check *c, const struct argument *x)
{
    return trace_back(c, x, find_share, NULL);
}

static void check_shares(struct check *c, const struct call *call, const struct argument *x)
{
    if (was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "'%s' was divided by its own sum: all below 1 become 0 in %s",
                                      x->name, dtypes_text(c, call->result->fact.dtypes));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Whether it is cast to the dtype that another tensor happens to have. */
static bool is_cast_alike(const struct call *call)
{
    const struct argument *like = call_argument(call, ROLE_LIKE);
    return argument_is_tensor(like) && dtypes_are(argument_dtypes(like), SET_INTS);
}

/* The operand is read from the same variable, or is the same tensor. */
static bool is_same_place(struct check *c, const struct flow_call *other,
                          const struct flow_operand *o, const struct argument *x)
{
    int64_t variable = variable_read(c, other->function, o->value);
    return o->how == x->seen->how ||
           (variable >= 0 && variable == variable_read(c, other->function, x->value));
}

/* The call changes the other tensor in place, by what the cast returned: that has to have its
 * dtype. */
static bool changes_by(const struct flow_call *other, const struct call *cast,
                       const struct argument *like)
{
    bool by_it = false, changes = false;
    if (other->function != cast->function)
        return false;
    for (int i = 0; i < other->operand_count; i++) {
        const struct flow_operand *o = &other->operands[i];
        by_it |= o->value == cast->inst || operand_is_result(o, cast);
        changes |=
            other->callee->params[o->param].written && is_same_place(cast->check, other, o, like);
    }
    return by_it && changes;
}

static bool is_for_change(struct check *c, const struct call *cast, const struct argument *like)
{
    for (int i = 0; i < flow_call_count(c->in->flow); i++)
        if (changes_by(flow_call_at(c->in->flow, i), cast, like))
            return true;
    return false;
}

/* Floats of which no range is known, cast to the dtype of integers next to them; what floats are
 * multiplied with afterwards was to keep its fractions. */
static void check_alike(struct check *c, const struct call *call, const struct argument *x)
{
    const struct argument *like = call_argument(call, ROLE_LIKE);
    if (!is_cast_alike(call) || is_for_change(c, call, like) ||
        was_reported(c, call->function, call->inst))
        return;
    bool is_factor = is_used_with_floats(c, call->function, call->inst, MAX_PASSED);
    struct finding *out = finding_new(
        c, is_factor ? SEVERITY_WARNING : SEVERITY_NOTE, call->function, call_span(call),
        "'%s' is %s, and loses its fractions in the dtype of '%s', which is %s", x->name,
        dtypes_text(c, argument_dtypes(x)), like->name, dtypes_text(c, argument_dtypes(like)));
    finding_mark(c, out, x->span);
    finding_mark(c, out, like->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* What is left of numbers above their whole part, which is always below 1. */
static bool is_rest(struct check *c, const struct argument *x)
{
    struct call rest, cast, whole;
    if (!argument_maker(c, x, &rest) || rest.callee->values != VALUES_SUB)
        return false;
    const struct argument *all = call_argument(&rest, ROLE_LEFT),
                          *part = call_argument(&rest, ROLE_RIGHT);
    if (!argument_is_tensor(all) || !argument_is_tensor(part) || !argument_maker(c, part, &cast))
        return false;
    const struct argument *floats = call_is_cast(&cast) ? call_argument(&cast, ROLE_INPUT) : part;
    if (!argument_maker(c, floats, &whole))
        return false;
    const struct argument *of = call_argument(&whole, ROLE_INPUT);
    return whole.callee->values == VALUES_FLOOR && argument_is_tensor(of) && all->seen->how &&
           of->seen->how == all->seen->how;
}

static void check_rest(struct check *c, const struct call *call, const struct argument *x)
{
    if (was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' is what is left above the whole part: all below 1 become 0 in %s",
                    x->name, dtypes_text(c, call->result->fact.dtypes));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

static void check_cast(struct check *c, const struct call *call)
{
    bool casts = call_is_cast(call) || call->callee->values == VALUES_SAME;
    const struct argument *x = casts ? call_argument(call, ROLE_INPUT) : NULL;
    dtype_set to = call->result ? call->result->fact.dtypes : 0;
    if (!argument_is_tensor(x) || !dtypes_are(to, SET_INTS) ||
        !dtypes_are(argument_dtypes(x), SET_FLOATS))
        return;
    const struct value_range *r = &x->seen->fact.range;
    const char *lost = what_is_lost(r);
    bool is_whole = r->is_known && r->is_whole;
    if (!is_whole && is_rest(c, x)) {
        check_rest(c, call, x);
        return;
    }
    if (!lost && !is_whole && is_share(c, x)) {
        check_shares(c, call, x);
        return;
    }
    if (!lost && !is_whole && (!r->is_known || !isfinite(range_most(r))))
        check_unknown(c, call, x);
    bool are_fractions = lost && is_fraction(c, x, MAX_DEPTH);
    if (!are_fractions && !is_whole)
        check_alike(c, call, x);
    if (!lost)
        check_factor(c, call, x);
    if (!are_fractions || was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' has fractions from %.4g to %.4g: %s", x->name, r->low, r->high, lost);
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* A number of things divided by how many there are: 0, or 1 if it is all of them. */
static void check_share(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    double all;
    if (call->callee->values != VALUES_FLOOR_DIVIDE || !argument_is_tensor(a) ||
        !dtypes_are(argument_dtypes(a), SET_INTS) || !argument_number(call, b, &all) || all < 2)
        return;
    const struct value_range *r = &a->seen->fact.range;
    if (!r->is_known || r->low < 0 || r->low >= all || r->high != all ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "'%s' is at most %.0f: divided by that and rounded down, it "
                                      "is 0 unless it is all",
                                      a->name, all);
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
}

static enum back find_remainder(const struct argument *at, const struct call *made, void *divisor)
{
    (void)at;
    if (made->callee->values != VALUES_REMAINDER)
        return passes_on(made) ? BACK_GO_ON : BACK_NO;
    return argument_number(made, call_argument(made, ROLE_RIGHT), divisor) ? BACK_YES : BACK_NO;
}

/* What is left of a division by a number, divided by that again: 0. */
static void check_remainder(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    double by, divisor = 0;
    if (call->callee->values != VALUES_FLOOR_DIVIDE || !argument_is_tensor(a) ||
        !argument_number(call, b, &by) || !trace_back(c, a, find_remainder, &divisor) ||
        divisor <= 0 || by < divisor || was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "'%s' is what is left of a division by %.4g: divided by %.4g "
                                      "and rounded down, it is always 0",
                                      a->name, divisor, by);
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
}

/* The least that the total is, as a tensor or a number that is not in the source; 0: not known. */
static double total_of(const struct call *call, const struct argument *b)
{
    double number;
    if (!argument_is_tensor(b))
        return b && !is_literal(call, b) && argument_number(call, b, &number) ? number : 0;
    const struct value_range *all = &b->seen->fact.range;
    bool is_one = b->seen->fact.zero_dim == TRI_YES && dtypes_are(argument_dtypes(b), SET_INTS);
    return is_one && all->is_known ? all->low : 0;
}

/* A count divided by a total that it never reaches: always 0. */
static void check_progress(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    if (call->callee->values != VALUES_FLOOR_DIVIDE || !argument_is_tensor(a) ||
        a->seen->fact.zero_dim != TRI_YES || !dtypes_are(argument_dtypes(a), SET_INTS))
        return;
    double total = total_of(call, b);
    const struct value_range *r = &a->seen->fact.range;
    if (!r->is_known || r->low < 0 || range_is_constant(r) || !(r->high < total) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                                      "'%s' is at most %.0f, and '%s' at least %.0f: divided and "
                                      "rounded down, it is always 0",
                                      a->name, r->high, b->name, total);
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
}

/* A part of counts divided by the sum of all. */
static void check_part(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    struct argument all;
    if (call->callee->values != VALUES_FLOOR_DIVIDE || !argument_is_tensor(a) ||
        !argument_is_tensor(b) || !dtypes_are(argument_dtypes(a), SET_INTS) ||
        !dtypes_are(argument_dtypes(b), SET_INTS) || !find_summed(c, b, &all) ||
        !is_part_of(c, a, &all) || was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "'%s' is a part of what '%s' is the sum of: divided and "
                                      "rounded down, it is 0 unless it is all",
                                      a->name, b->name);
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
}

/* How many elements it has; -1: not known. */
static double elements_of(const struct argument *x)
{
    return x->seen->fact.zero_dim == TRI_YES ? 1 : (double)shape_elements(x->seen->fact.shape);
}

/* In a dynamic language: len() of the tensor. */
static bool is_length_of(struct check *c, const struct ir_function *f, ir_value v,
                         const struct argument *all)
{
    const struct ir_inst *i = &f->insts.items[v], *called = NULL;
    if (v && i->op == IR_CALL && !i->name && i->arg_count == 2)
        called = &f->insts.items[i->args[0]];
    if (!called || called->op != IR_NAME || strcmp(called->name, "len") != 0)
        return false;
    const struct flow_value *of = flow_value_of(c->in->flow, f, value_within(c, f, i->args[1]));
    return of && of->how == all->seen->how;
}

/* Below that, a number in the source may be something else than that of the elements. */
enum { FEW = 4 };

/* Whether the number says how many elements of the tensor the sum is of: it is asked of that
 * tensor, or just as many. */
static bool is_number_of(struct check *c, const struct call *call, const struct argument *sum,
                         const struct argument *all, const struct argument *by)
{
    const struct flow_call *asked =
        by->value ? flow_call_of(c->in->flow, call->function, by->value) : NULL;
    double number, each = elements_of(all) / elements_of(sum);
    if (asked && is_query(asked->callee) && asked->operand_count &&
        asked->operands[0].kind == OPERAND_TENSOR && asked->operands[0].how == all->seen->how)
        return true;
    if (is_length_of(c, call->function, by->value, all))
        return true;
    return argument_number(call, by, &number) && number >= (is_literal(call, by) ? FEW : 2) &&
           elements_of(all) > 0 && elements_of(sum) > 0 && number == each;
}

/* Whether it becomes a float, or what is computed with it does. */
static bool becomes_float(struct check *c, const struct ir_function *f, ir_value inst, int depth)
{
    const consumer_list *uses = depth ? consumers_of(c, f, inst) : NULL;
    for (int i = 0; uses && i < uses->count; i++) {
        const struct flow_call *by = uses->items[i].by;
        enum param_role role = by->callee->params[by->operands[uses->items[i].operand].param].role;
        const struct flow_value *to = flow_value_of(c->in->flow, by->function, by->inst);
        enum pack_values what = by->callee->values;
        bool computes = what == VALUES_ADD || what == VALUES_SUB || what == VALUES_RSUB ||
                        what == VALUES_MUL || what == VALUES_SQUARE || what == VALUES_ABS,
             passes = what == VALUES_SAME || what == VALUES_SOME || alias_is_view(by->callee);
        if (role == ROLE_LIKE || !to || !(computes || passes || by->callee->family == FAMILY_CAST))
            continue;
        if (dtypes_are(to->fact.dtypes, SET_FLOATS) ||
            becomes_float(c, by->function, by->inst, depth - 1))
            return true;
    }
    return false;
}

/* The mean of integers, rounded down. */
static void check_mean(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    struct argument all;
    if (call->callee->values != VALUES_FLOOR_DIVIDE || !argument_is_tensor(a) || !b ||
        argument_is_tensor(b) || !dtypes_are(argument_dtypes(a), SET_INTS) ||
        !find_summed(c, a, &all) || !dtypes_are(argument_dtypes(&all), SET_INTS) ||
        !is_number_of(c, call, a, &all, b) || was_reported(c, call->function, call->inst))
        return;
    bool is_float = becomes_float(c, call->function, call->inst, MAX_PASSED);
    struct finding *out =
        finding_new(c, is_float ? SEVERITY_WARNING : SEVERITY_NOTE, call->function, call_span(call),
                    "the mean of '%s' is rounded down to an integer%s", all.name,
                    is_float ? " before it becomes a float" : "");
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
}

/* Whether sums of integers are added to it, batch by batch. */
static bool is_running_sum(struct check *c, const struct argument *x)
{
    struct call added;
    struct argument all;
    bool is_added = (x->flow && x->flow->changed && step_call(c, x->flow->changed, &added)) ||
                    argument_maker(c, x, &added);
    if (!is_added || added.family != FAMILY_ADD)
        return false;
    static const enum param_role roles[] = {ROLE_RIGHT, ROLE_LEFT};
    for (int k = 0; k < 2; k++) {
        const struct argument *each = call_argument(&added, roles[k]);
        if (argument_is_tensor(each) && find_summed(c, each, &all) &&
            dtypes_are(argument_dtypes(&all), SET_INTS))
            return true;
    }
    return false;
}

/* Such a sum divided by a number that is counted with it, and rounded down before floats are
 * computed with it. */
static void check_running_mean(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    if (call->callee->values != VALUES_FLOOR_DIVIDE || !argument_is_tensor(a) || !b || !b->value ||
        argument_is_tensor(b) || is_literal(call, b) || !dtypes_are(argument_dtypes(a), SET_INTS) ||
        !is_running_sum(c, a) || !becomes_float(c, call->function, call->inst, MAX_PASSED) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "the mean that '%s' is the sum of is rounded down to an integer before it "
                    "becomes a float",
                    a->name);
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
}

/* How many numbers were added up for each element: ones at indices. What bounds it from below, so
 * that nothing is divided by 0, changes nothing. */
static bool is_number_added(struct check *c, const struct argument *x)
{
    struct call bound, changed;
    if (argument_maker(c, x, &bound) &&
        (bound.callee->values == VALUES_CLAMP || bound.callee->values == VALUES_MAXIMUM))
        x = call_argument(&bound, ROLE_INPUT) ? call_argument(&bound, ROLE_INPUT)
                                              : call_argument(&bound, ROLE_LEFT);
    if (argument_maker(c, x, &changed) && changed.callee->values == VALUES_COUNTS)
        return true;
    if (!argument_is_tensor(x) || !x->flow || !x->flow->changed ||
        !step_call(c, x->flow->changed, &changed) || changed.callee->values != VALUES_ADDED_AT)
        return false;
    const struct argument *one = call_argument(&changed, ROLE_SOURCE);
    const struct value_range *r = argument_is_tensor(one) ? &one->seen->fact.range : NULL;
    return r && range_is_constant(r) && r->low == 1;
}

/* Sums by index are divided by how many there are, rounded down, and computed with as floats
 * afterwards. */
static void check_averages(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    if (call->callee->values != VALUES_FLOOR_DIVIDE || !argument_is_tensor(a) ||
        !argument_is_tensor(b) || !dtypes_are(argument_dtypes(a), SET_INTS) ||
        !dtypes_are(argument_dtypes(b), SET_INTS) || !is_number_added(c, b) ||
        !is_cast_later(c, call->function, call->inst, SET_FLOATS, true, MAX_PASSED) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "the averages of '%s', of which there are '%s', are rounded "
                                      "down to integers before they become floats",
                                      a->name, b->name);
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
}

/* Floats that are divided and rounded down, and stay floats: '/' was meant. */
static void check_floor(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    double number;
    if (call->callee->values != VALUES_FLOOR_DIVIDE || !argument_is_tensor(a) ||
        !dtypes_are(argument_dtypes(a), SET_FLOATS) ||
        (a->seen->fact.range.is_known && a->seen->fact.range.is_whole) ||
        (argument_number(call, b, &number) && (number != trunc(number) || fabs(number) <= 1)) ||
        is_cast_later(c, call->function, call->inst, SET_INTS, false, MAX_PASSED) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                                      "'%s' is %s, and the quotient is rounded down", a->name,
                                      dtypes_text(c, argument_dtypes(a)));
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
}

/* A number divided by each of several integers: what becomes floats then was to have fractions. */
static void check_ratio(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    bool is_one_number = !argument_is_tensor(a) || (a->seen->fact.zero_dim == TRI_YES &&
                                                    dtypes_are(argument_dtypes(a), SET_INTS));
    if (call->callee->values != VALUES_FLOOR_DIVIDE || !argument_is_tensor(b) || !is_one_number ||
        b->seen->fact.zero_dim != TRI_NO || !dtypes_are(argument_dtypes(b), SET_INTS) ||
        !is_cast_later(c, call->function, call->inst, SET_FLOATS, false, MAX_PASSED) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                                      "a number divided by '%s' is rounded down, and becomes a "
                                      "float afterwards",
                                      b->name);
    finding_mark(c, out, b->span);
    origin_add(c, out, b->name, b->seen->how, ASPECT_DTYPE, argument_dtypes(b));
}

static void check(struct check *c, const struct call *call)
{
    check_cast(c, call);
    check_remainder(c, call);
    check_part(c, call);
    check_progress(c, call);
    check_ratio(c, call);
    check_floor(c, call);
    check_share(c, call);
    check_mean(c, call);
    check_running_mean(c, call);
    check_averages(c, call);
}

const struct rule_code rule_truncated_cast = {.call = check, .by_case = true};
