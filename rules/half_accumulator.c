/* Numbers are added to a sum in f16 or bf16, one in each iteration of a loop, more often than the
 * dtype can count: the sum stops changing. Or so many are multiplied that the product is off. */
#include "rules/engine/engine.h"

#include <math.h>
#include <string.h>

/* ---- where a sum is kept --------------------------------------------------------------------- */

struct reads {
    ir_value first;
    int count;
};

static void note_read(const struct ir_function *f, ir_value user, enum variable_use how,
                      void *context)
{
    struct reads *r = context;
    (void)f;
    if (how != VARIABLE_READ)
        return;
    r->first = r->count++ ? r->first : user;
}

/* What reads the variable that the instruction sets, if only one does; 0: it sets none, or several
 * do. */
static ir_value only_read(struct check *c, const struct ir_function *f, ir_value set)
{
    int64_t variable = variable_set(c, f, set);
    struct reads r = {0};
    if (variable >= 0)
        variable_users(c, f, variable, note_read, &r);
    return r.count == 1 ? r.first : 0;
}

/* The call returns what it is given, such as the end of a scope. */
static bool hands_on(struct check *c, const struct ir_function *f, ir_value call)
{
    const struct flow_call *by = flow_call_of(c->in->flow, f, call);
    return by && by->callee->alias == ALIAS_SAME;
}

enum { MAX_HOPS = 4 };

/* Whether the value is put to the place: as it is, through a variable that is read once, as that of
 * a conditional expression is, or by a call that hands it on. */
static bool is_put_to(struct check *c, const struct ir_function *f, ir_value v, const char *place,
                      int hops)
{
    const struct code_view *code = code_view(c, f);
    for (int k = 0; k < code->users[v].count && hops; k++) {
        ir_value user = code->users[v].items[k], next = 0;
        const struct ir_inst *i = &f->insts.items[user];
        if (ir_written(i) == v) {
            ir_value to = i->op == IR_STORE ? i->args[0] : user;
            const char *name = value_name(c->in->arena, f, to);
            if (name && !strcmp(name, place))
                return true;
            next = only_read(c, f, user);
        } else if (hands_on(c, f, user)) {
            next = user;
        }
        if (next && is_put_to(c, f, next, place, hops - 1))
            return true;
    }
    return false;
}

/* The operand whose place the result is assigned to. */
static const struct argument *operand_replaced(struct check *c, const struct call *call)
{
    const struct argument *both[] = {call_argument(call, ROLE_LEFT),
                                     call_argument(call, ROLE_RIGHT)};
    for (int i = 0; i < 2; i++) {
        const char *from =
            both[i] && both[i]->value ? place_read(c, call->function, both[i]->value) : NULL;
        if (from && is_put_to(c, call->function, call->inst, from, MAX_HOPS))
            return both[i];
    }
    return NULL;
}

/* The operand that the result takes the place of: it is changed in place, or assigned to. */
static const struct argument *sum_of(struct check *c, const struct call *call)
{
    const struct argument *left = call_argument(call, ROLE_LEFT);
    if (call_written(call))
        return call_written(call) == left ? left : NULL;
    const struct argument *replaced = operand_replaced(c, call);
    return argument_is_tensor(replaced) ? replaced : NULL;
}

/* What is added each time: the least and the greatest, both of one sign; false: not known. */
static bool increments(const struct call *call, const struct argument *x, double *least,
                       double *most)
{
    double number;
    if (argument_number(call, x, &number)) {
        *least = *most = fabs(number);
        return number != 0 && isfinite(number);
    }
    if (!argument_is_tensor(x) || !x->seen)
        return false;
    struct value_range r = fact_range(&x->seen->fact);
    *least = r.low > 0 ? r.low : -r.high;
    *most = range_most(&r);
    return r.is_known && *least > 0 && isfinite(*most);
}

/* Counts: whole numbers from 0 on; false: something else, or not known how large. */
static bool is_count(const struct argument *x, double *most)
{
    struct value_range r =
        argument_is_tensor(x) && x->seen ? x->seen->fact.range : (struct value_range){0};
    *most = range_most(&r);
    return r.is_known && r.is_whole && r.low >= 0 && *most > 0 && isfinite(*most);
}

/* How many elements are true, of who knows how many. */
static bool is_count_of_unknown(struct check *c, const struct argument *x)
{
    struct call made;
    const struct argument *of =
        argument_is_tensor(x) && argument_maker(c, x, &made) && made.callee->values == VALUES_SUM
            ? call_argument(&made, ROLE_INPUT)
            : NULL;
    return argument_is_tensor(of) && dtypes_are(argument_dtypes(of), SET_BOOL) &&
           !isfinite(range_most(&x->seen->fact.range));
}

/* Whether a sum of so many times the same whole number is beyond what is exact by more than the
 * first roundings: multiples of a power of 2 are exact for longer. */
static bool is_inexact_count(double each, double times, enum dtype d)
{
    double unit = 1;
    if (each != trunc(each) || each < 1 || each > dtype_exact(d))
        return false;
    while (fmod(each, 2 * unit) == 0)
        unit *= 2;
    return times * each > 2 * dtype_exact(d) * unit;
}

/* A counter, whatever the size of what it counts in: whoever counts expects more than that few. */
static void check_counter(struct check *c, const struct call *call, const struct argument *sum,
                          const struct step *made, double times)
{
    enum dtype d = dtype_of_set(call->result->fact.dtypes);
    const struct argument *x = call_argument(call, ROLE_RIGHT);
    double least = 0, most = 0;
    bool is_same =
        x != sum && times <= dtype_exact(d) && increments(call, x, &least, &most) && least == most;
    if (times < 2 || x == sum ||
        !(is_count_of_unknown(c, x) || (is_same && is_inexact_count(most, times, d))) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "'%s' is %s and counts: whole numbers beyond %.0f are not "
                                      "exact in it, and small counts are "
                                      "rounded away",
                                      sum->name, dtype_word(d), dtype_exact(d));
    finding_mark(c, out, sum->span);
    finding_mark(c, out, x->span);
    origin_add(c, out, sum->name, made, ASPECT_DTYPE, call->result->fact.dtypes);
}

enum { FAR_BEYOND = 16 };

/* Numbers from 0 on, so many that the sum is beyond the dtype even if most of them are small. */
static bool may_overflow(const struct argument *x, double times, enum dtype d, double *most)
{
    struct value_range r =
        argument_is_tensor(x) && x->seen ? x->seen->fact.range : (struct value_range){0};
    *most = range_most(&r);
    return r.is_known && r.low >= 0 && isfinite(*most) && times * *most > FAR_BEYOND * dtype_max(d);
}

/* The sum grows with each of them. */
static bool is_of_one_sign(const struct argument *x)
{
    struct value_range r =
        argument_is_tensor(x) && x->seen ? x->seen->fact.range : (struct value_range){0};
    return r.is_known && (r.low >= 0 || r.high <= 0);
}

/* The sum of so many numbers, which are not known, of the same size: most of them are lost. */
static bool is_too_long(double times, enum dtype d)
{
    return times >= 2 * dtype_exact(d);
}

/* It was all zeros when it was made. */
static bool is_from_zero(struct check *c, const struct step *made)
{
    struct call maker;
    double number;
    return step_call(c, made, &maker) &&
           (maker.callee->values == VALUES_ZEROS ||
            (maker.callee->values == VALUES_FILL &&
             argument_number(&maker, call_argument(&maker, ROLE_VALUE), &number) && number == 0));
}

/* ---- counters among others ------------------------------------------------------------------- */

static double elements_of(const struct argument *x)
{
    if (!argument_is_tensor(x) || !x->seen)
        return -1;
    return x->seen->fact.zero_dim == TRI_YES ? 1 : (double)shape_elements(x->seen->fact.shape);
}

/* The tensor that the sum is one row of, and among how many rows it is chosen; NULL: none, or that
 * is not known. */
static const struct argument *table_of(struct check *c, const struct argument *sum,
                                       struct call *row, double *rows)
{
    double all, number;
    if (!argument_is_tensor(sum) || !argument_maker(c, sum, row) || !call_is_view(row))
        return NULL;
    const struct argument *table = call_argument(row, ROLE_INPUT),
                          *index = row->count == 2 ? &row->arguments[1] : NULL;
    if (!table || !index || index->param->kind != OPERAND_INT)
        return NULL;
    all = elements_of(table);
    *rows = argument_number(row, index, &number) ? 1 : all / elements_of(sum);
    return all > 0 && elements_of(sum) > 0 ? table : NULL;
}

/* How many elements are counted each time, in as many counters as the sum has; 0: it counts none.
 */
static double counted_each(struct check *c, const struct argument *x, const struct argument *sum)
{
    struct call made;
    if (!argument_maker(c, x, &made) || made.callee->values != VALUES_COUNTS)
        return 0;
    double elements = elements_of(call_argument(&made, ROLE_INPUT)), counters = elements_of(sum);
    return elements > 0 && counters > 0 ? elements / counters : 0;
}

static const char *what_happens(struct check *c, enum dtype d, bool is_known, double most,
                                double times)
{
    bool is_infinite = isfinite(most) && most * times > (is_known ? 1 : FAR_BEYOND) * dtype_max(d);
    if (is_infinite && (!is_known || times <= dtype_exact(d)))
        return arena_printf(c->in->arena, "a sum of numbers up to %g is beyond %g, and infinite",
                            most, dtype_max(d));
    return is_known ? arena_printf(c->in->arena, "from %g on, adding %g changes nothing",
                                   dtype_exact(d) * most, most)
                    : arena_printf(c->in->arena,
                                   "once it is %g times as large as what is added, adding changes "
                                   "nothing",
                                   dtype_exact(d));
}

/* The distance between neighbours among the numbers of the dtype. */
static double spacing(double n, enum dtype d)
{
    return ldexp(2 / dtype_exact(d), ilogb(n));
}

/* Running sums of shares, such as probabilities, that are all smaller than what the dtype can add
 * to the last ones. */
static void check_running(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    dtype_set halves = call->result ? call->result->fact.dtypes : 0;
    if (call->callee->values != VALUES_CUMSUM || !argument_is_tensor(x) || !is_one(halves) ||
        !dtypes_are(halves, SET_HALVES))
        return;
    enum dtype d = dtype_of_set(halves);
    const struct value_range *each = &x->seen->fact.range, *all = &call->result->fact.range;
    bool grows =
        each->is_known && each->low > 0 && each->high <= 1 && all->is_known && isfinite(all->high);
    double last = grows ? all->high / each->high * each->low : 0;
    if (!(last > each->high) || spacing(last, d) <= each->high || each->is_whole ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "'%s' has no number beyond %.3g, and its sums in %s reach %.3g, where they are rounded to "
        "multiples of %.3g",
        x->name, each->high, dtype_word(d), last, spacing(last, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, halves);
}

enum { TOLD_APART = 8 };

/* The size of the dimension that the running sum goes along; 0: not known. */
static double length_along(const struct call *call, const struct shape *shape)
{
    const struct argument *dim = call_argument(call, ROLE_DIM);
    int at = dim && dim->known ? (int)dim->number : SHAPE_MAX;
    at += shape && at < 0 ? shape->count : 0;
    return shape && at >= 0 && at < shape->count ? (double)shape->dims[at] : 0;
}

/* Running sums of so many shares of 1 that the dtype has one number for several of them. */
static void check_shares(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    dtype_set halves = call->result ? call->result->fact.dtypes : 0;
    struct call made;
    if (call->callee->values != VALUES_CUMSUM || !argument_is_tensor(x) || !is_one(halves) ||
        !dtypes_are(halves, SET_HALVES) || !argument_maker(c, x, &made) ||
        made.callee->values != VALUES_SHARES)
        return;
    enum dtype d = dtype_of_set(halves);
    double count = length_along(call, x->seen->fact.shape), step = spacing(0.5, d);
    if (count * step <= TOLD_APART || was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                    "%.0f shares are summed in %s, which rounds the sums to multiples of %.3g, "
                    "where a share is %.3g on average",
                    count, dtype_word(d), step, 1 / count);
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, halves);
}

/* ---- products -------------------------------------------------------------------------------- */

/* From so many factors on, what is rounded of each product is an eighth of the last one, if it is
 * rounded to the same side. */
static bool are_many_factors(double count, enum dtype d)
{
    return count >= dtype_exact(d) / 4;
}

/* Whether products with it are rounded: not those with 0, 1 and powers of 2. */
static bool is_rounded_factor(const struct call *call, const struct argument *x)
{
    double number;
    int exponent;
    if (!argument_is_tensor(x))
        return argument_number(call, x, &number) && fabs(frexp(number, &exponent)) != 0.5 &&
               number != 0;
    const struct value_range *r = &x->seen->fact.range;
    bool is_constant = r->is_known && range_is_constant(r);
    return dtypes_are(argument_dtypes(x), SET_FLOATS) && !(r->is_known && r->is_whole) &&
           !(is_constant && fabs(frexp(r->low, &exponent)) == 0.5);
}

static void report_product(struct check *c, const struct call *call, const struct argument *x,
                           const struct step *made, double count)
{
    enum dtype d = dtype_of_set(call->result->fact.dtypes);
    if (was_reported(c, call->function, call->inst))
        return;
    bool is_far = count >= 2 * dtype_exact(d);
    struct finding *out = finding_new(
        c, is_far ? SEVERITY_WARNING : SEVERITY_NOTE, call->function, call_span(call),
        "%.0f factors are multiplied in %s, and each product is rounded to %.0f bits: the last may "
        "be off by %.0f %%",
        count, dtype_word(d), log2(dtype_exact(d)), fmin(100, 50 * count / dtype_exact(d)));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, made, ASPECT_DTYPE, call->result->fact.dtypes);
}

/* Running products, as of what is left after each step. */
static void check_products(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    dtype_set halves = call->result ? call->result->fact.dtypes : 0;
    if (call->callee->values != VALUES_CUMPROD || !argument_is_tensor(x) || !is_one(halves) ||
        !dtypes_are(halves, SET_HALVES) || !is_rounded_factor(call, x))
        return;
    double count = length_along(call, x->seen->fact.shape);
    if (are_many_factors(count, dtype_of_set(halves)))
        report_product(c, call, x, x->seen->how, count);
}

/* Something is added to the product before it takes the place of the old one: an average. */
static bool is_added_to(struct check *c, const struct call *call)
{
    const value_list *users = &code_view(c, call->function)->users[call->inst];
    for (int k = 0; k < users->count; k++) {
        const struct flow_call *by = flow_call_of(c->in->flow, call->function, users->items[k]);
        enum op_family family = by ? by->callee->family : FAMILY_MULTIPLY;
        if (family == FAMILY_ADD || family == FAMILY_SUBTRACT)
            return true;
    }
    return false;
}

struct set_by {
    const struct code_view *code;
    ir_value call;
    bool other;
};

static void find_other_set(const struct ir_function *f, ir_value user, enum variable_use how,
                           void *context)
{
    struct set_by *s = context;
    s->other |= how == VARIABLE_SET && is_in_one_loop(s->code, user, s->call) &&
                ir_written(&f->insts.items[user]) != s->call;
}

/* "for p in params: p *= 0.9": each time another one. */
static bool is_set_otherwise(struct check *c, const struct call *call, const struct argument *x)
{
    struct set_by s = {code_view(c, call->function), call->inst, false};
    int64_t variable = variable_read(c, call->function, x->value);
    if (variable >= 0)
        variable_users(c, call->function, variable, find_other_set, &s);
    return s.other;
}

/* The same in a loop. */
static void check_factors(struct check *c, const struct call *call)
{
    dtype_set halves = call->result ? call->result->fact.dtypes : 0;
    if (call->family != FAMILY_MULTIPLY || !is_one(halves) || !dtypes_are(halves, SET_HALVES))
        return;
    const struct argument *product = sum_of(c, call), *x = product == call_argument(call, ROLE_LEFT)
                                                               ? call_argument(call, ROLE_RIGHT)
                                                               : call_argument(call, ROLE_LEFT);
    const struct step *made = product ? sum_beginning(call, product) : NULL;
    if (!made || x == product || !is_rounded_factor(call, x) || is_added_to(c, call) ||
        is_set_otherwise(c, call, product))
        return;
    double count = times_added(c, call, made);
    if (are_many_factors(count, dtype_of_set(halves)))
        report_product(c, call, product, made, count);
}

/* ---- sums that begin with a number ---------------------------------------------------------- */

struct stores {
    ir_value items[2];
    int count;
};

static void note_store(const struct ir_function *f, ir_value user, enum variable_use how,
                       void *context)
{
    struct stores *s = context;
    (void)f;
    if (how == VARIABLE_SET && s->count < 2)
        s->items[s->count] = user;
    s->count += how != VARIABLE_READ;
}

/* Whether the variable is set to a number before the loop, and to the sum in it: nothing else. */
static bool begins_with_number(struct check *c, const struct call *call, const struct argument *sum)
{
    const struct ir_function *f = call->function;
    const struct code_view *v = code_view(c, f);
    int64_t variable = variable_read(c, f, sum->value);
    struct stores s = {0};
    if (variable >= 0)
        variable_users(c, f, variable, note_store, &s);
    if (s.count != 2 || !is_in_loop(v, call->inst))
        return false;
    for (int i = 0; i < 2; i++) {
        enum ir_op op = f->insts.items[ir_written(&f->insts.items[s.items[i]])].op;
        if ((op == IR_INT || op == IR_REAL) && !is_in_loop(v, s.items[i]))
            return true;
    }
    return false;
}

/* Whether the sum begins with 0, and later is what the call made of it: an attribute, say. */
static bool becomes_itself(struct check *c, const struct call *call, const struct argument *sum)
{
    const struct ir_function *f = call->function;
    const struct flow_value *v = flow_value_of(c->in->flow, f, value_within(c, f, sum->value));
    bool is_made = false;
    for (int i = 0; v && i < v->made_count; i++)
        is_made |= v->made[i]->function == f && v->made[i]->inst == call->inst;
    return is_made && sum->known && sum->number == 0;
}

enum { NOTED = 8 };

/* So many that what is added in the end loses most of its digits. The call is the first one, where
 * the sum is still a number. */
static void note_rounded(struct check *c, const struct call *call, const struct argument *sum,
                         const struct step *made, double times)
{
    enum dtype d = dtype_of_set(call->result->fact.dtypes);
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                    "'%s' is %s and is added to %.0f times: each time, it is rounded to %.0f bits",
                    sum->name, dtype_word(d), times, log2(dtype_exact(d)));
    finding_mark(c, out, sum->span);
    origin_add(c, out, sum->name, made, ASPECT_DTYPE, call->result->fact.dtypes);
}

/* The same of one that begins with a number. */
static void check_numbered(struct check *c, const struct call *call)
{
    const struct argument *sum = call_written(call) ? NULL : operand_replaced(c, call);
    if (!sum || argument_is_tensor(sum))
        return;
    const struct flow_call *here = flow_call_of(c->in->flow, call->function, call->inst);
    enum dtype d = dtype_of_set(call->result->fact.dtypes);
    double rounds = here ? here->rounds : 0, once = times_run(c, call->function);
    bool is_local = rounds / once >= dtype_exact(d) / NOTED && begins_with_number(c, call, sum);
    bool is_kept = !is_local && rounds >= 2 * dtype_exact(d) && becomes_itself(c, call, sum);
    double times = is_local ? rounds / once : rounds;
    if ((!is_local && !is_kept) || was_reported(c, call->function, call->inst))
        return;
    note_rounded(c, call, sum, call->result->how, times);
}

/* ---- sums that begin with the first of their terms ------------------------------------------- */

/* Whether the value is what is at the place, or is computed from it: a test for NULL. */
static bool is_test_of(struct check *c, const struct ir_function *f, ir_value v, const char *place,
                       int depth)
{
    const struct ir_inst *i = &f->insts.items[v];
    const char *name = place_read(c, f, v);
    if (name && !strcmp(name, place))
        return true;
    bool computes = i->op == IR_UNARY || i->op == IR_BINARY || i->op == IR_CONVERT;
    for (int k = 0; computes && depth && k < i->arg_count; k++)
        if (is_test_of(c, f, i->args[k], place, depth - 1))
            return true;
    return false;
}

/* The block that ends with a test of what is at the place, of which the call is one side; -1: there
 * is none. */
static int tested_in(struct check *c, const struct call *call, const char *place)
{
    const struct ir_function *f = call->function;
    const struct code_view *code = code_view(c, f);
    int block = code->block[call->inst];
    if (block < 0 || code->predecessors[block].count != 1)
        return -1;
    int from = code->predecessors[block].items[0];
    const struct ir_block *before = &f->blocks.items[from];
    ir_value last = before->count ? before->insts[before->count - 1] : 0;
    const struct ir_inst *end = &f->insts.items[last];
    bool is_tested = last && end->op == IR_BRANCH && is_test_of(c, f, end->args[0], place, 2);
    return is_tested ? from : -1;
}

static bool calls_in_block(struct check *c, const struct ir_function *f, int block,
                           const char *callee)
{
    const struct code_view *code = code_view(c, f);
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op == IR_CALL && code->block[n] == block && i->name && !strcmp(i->name, callee))
            return true;
    }
    return false;
}

/* How often the block is run, in which the term is made, or the function called that makes it, or
 * which begins a function that is called where it is made; 0: not known. */
static double rounds_of_block(struct check *c, const struct ir_function *f, int block,
                              const struct argument *term)
{
    struct call made;
    const struct flow_call *by =
        argument_maker(c, term, &made) ? flow_call_of(c->in->flow, made.function, made.inst) : NULL;
    int at = by ? code_view(c, made.function)->block[made.inst] : -1;
    bool is_here = at >= 0 && made.function == f && at == block;
    bool is_called = at >= 0 && made.function != f && block == 0 &&
                     calls_in_block(c, made.function, at, f->name);
    bool calls = at >= 0 && made.function != f && calls_in_block(c, f, block, made.function->name);
    return is_here || is_called || calls ? by->rounds : 0;
}

/* Whether the place gets the term itself, elsewhere: with none before it, that is the sum. */
static bool begins_with(struct check *c, const struct ir_function *f, const char *term,
                        const char *place)
{
    const struct code_view *code = code_view(c, f);
    for (int n = 1; n < f->insts.count; n++) {
        const char *name = code->block[n] >= 0 ? place_read(c, f, n) : NULL;
        if (name && !strcmp(name, term) && is_put_to(c, f, n, place, MAX_HOPS))
            return true;
    }
    return false;
}

/* The variable is set to NULL outside of all loops, and to the sum. */
static bool begins_once(struct check *c, const struct call *call, const struct argument *sum)
{
    const struct ir_function *f = call->function;
    const struct code_view *code = code_view(c, f);
    int64_t variable = variable_read(c, f, sum->value);
    int empty = 0;
    for (int k = 0; variable >= 0 && k < code->stores[variable].count; k++) {
        ir_value store = code->stores[variable].items[k];
        bool is_null = f->insts.items[ir_written(&f->insts.items[store])].op == IR_NULL;
        if (is_null && is_in_loop(code, store))
            return false;
        empty += is_null;
    }
    return empty == 1 && is_in_loop(code, call->inst);
}

/* sum = sum ? sum + x : x. How often that is done anew is known of a variable; what is kept
 * elsewhere may be set to NULL again, so that only many rounds count. */
static void check_begun(struct check *c, const struct call *call, const struct argument *sum,
                        const struct argument *x)
{
    const struct ir_function *f = call->function;
    const char *place = sum->value ? place_read(c, f, sum->value) : NULL;
    const char *term = argument_is_tensor(x) && x->value ? place_read(c, f, x->value) : NULL;
    int test = place && term && !call_written(call) ? tested_in(c, call, place) : -1;
    if (test < 0 || !begins_with(c, f, term, place))
        return;
    enum dtype d = dtype_of_set(call->result->fact.dtypes);
    bool is_local = begins_once(c, call, sum);
    double rounds = rounds_of_block(c, f, test, x);
    double times = is_local ? rounds / times_run(c, f) : rounds;
    if (times < (is_local ? dtype_exact(d) / NOTED : 2 * dtype_exact(d)) ||
        was_reported(c, f, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, f, call_span(call),
                    "'%s' is %s and is added to %.0f times: each time, it is rounded to %.0f bits",
                    sum->name, dtype_word(d), times, log2(dtype_exact(d)));
    finding_mark(c, out, sum->span);
    origin_add(c, out, sum->name, call->result->how, ASPECT_DTYPE, call->result->fact.dtypes);
}

/* ---- counters that are kept ------------------------------------------------------------------ */

/* Whether it is read from an attribute or an entry, which outlive the function. */
static bool is_read_from_object(const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = &f->insts.items[v];
    return i->op == IR_ATTR || (i->op == IR_APPLY && i->integer == PROTOCOL_GETITEM);
}

/* How often a counter is increased that an object keeps, such as that of the steps of an optimizer,
 * is rarely known: from a few rounds on, it is another number. */
static void check_kept(struct check *c, const struct call *call, const struct argument *sum)
{
    const struct flow_call *here = flow_call_of(c->in->flow, call->function, call->inst);
    enum dtype d = dtype_of_set(call->result->fact.dtypes);
    struct value_range r = sum->seen ? sum->seen->fact.range : (struct value_range){0};
    double one;
    bool counts = r.is_known && r.is_whole && r.low >= 0 && isinf(r.high) &&
                  argument_number(call, call_argument(call, ROLE_RIGHT), &one) && one == 1;
    bool is_short = here && here->rounds > 1 && here->rounds <= dtype_exact(d);
    if (!counts || is_short || call->family != FAMILY_ADD || sum->seen->fact.zero_dim != TRI_YES ||
        !is_read_from_object(call->function, sum->value) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "'%s' is %s and counts: at %.0f, adding 1 changes nothing",
                                      sum->name, dtype_word(d), dtype_exact(d));
    finding_mark(c, out, sum->span);
    origin_add(c, out, sum->name, sum->seen->how, ASPECT_DTYPE, call->result->fact.dtypes);
}

/* ---- sums that begin when they are first needed ---------------------------------------------- */

/* if (!m->sum) m->sum = zeros: how often is added to it then; 0: it does not begin like that. */
static double times_since_needed(struct check *c, const struct call *call,
                                 const struct argument *sum, const struct step *made)
{
    const struct ir_function *f = call->function;
    const struct flow_call *here = flow_call_of(c->in->flow, f, call->inst);
    const char *place = sum->value ? place_read(c, f, sum->value) : NULL;
    struct call maker;
    bool begins = here && place && step_call(c, made, &maker) && maker.function == f &&
                  tested_in(c, &maker, place) >= 0 && is_put_to(c, f, maker.inst, place, MAX_HOPS);
    const struct ir_inst *read = &f->insts.items[sum->value];
    double emptied = begins && read->op == IR_LOAD ? times_emptied(c, f, read->args[0]) : 0;
    return emptied ? here->rounds / emptied : 0;
}

/* The number that each term is multiplied with, such as the size of a batch; 1: none. */
static double factor_of(struct check *c, const struct argument *x)
{
    struct call product;
    double number;
    bool is_product = argument_maker(c, x, &product) && product.callee->values == VALUES_MUL &&
                      argument_number(&product, call_argument(&product, ROLE_RIGHT), &number);
    return is_product && number > 1 ? number : 1;
}

/* A mean that is as large as that is nothing special: a loss, say. */
static const double USUAL_MEAN = 8;

/* Means, weighted by the sizes of their batches, whose sum is soon beyond f16. */
static bool check_weighted(struct check *c, const struct call *call, const struct argument *sum,
                           const struct argument *x, const struct step *made, double times)
{
    enum dtype d = dtype_of_set(call->result->fact.dtypes);
    double factor = factor_of(c, x), most = dtype_max(d) / (times * factor);
    if (factor < 2 || times < 2 || most > USUAL_MEAN || !is_of_one_sign(x) ||
        isfinite(range_most(&x->seen->fact.range)) || was_reported(c, call->function, call->inst))
        return false;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' is %s and is added to %.0f times, each time a number times %g: it is "
                    "infinite once their mean is beyond %.2g",
                    sum->name, dtype_word(d), times, factor, most);
    finding_mark(c, out, sum->span);
    finding_mark(c, out, x->span);
    origin_add(c, out, sum->name, made, ASPECT_DTYPE, call->result->fact.dtypes);
    return true;
}

/* ---- sums of wider sums ---------------------------------------------------------------------- */

static enum back find_sum(const struct argument *at, const struct call *made, void *context)
{
    (void)at;
    (void)context;
    if (made->callee->values == VALUES_SUM || made->family == FAMILY_LOSS ||
        made->family == FAMILY_CLASS_LOSS)
        return BACK_YES;
    bool passes_on = call_is_view(made) || call_is_cast(made) || made->family == FAMILY_CLONE ||
                     made->family == FAMILY_MULTIPLY;
    return passes_on ? BACK_GO_ON : BACK_NO;
}

/* Sums and losses in a wider dtype than that of the sum that they are added to in a loop: who knows
 * how many there are. */
static void check_wider(struct check *c, const struct call *call, const struct argument *sum,
                        const struct argument *x, const struct step *made, double times)
{
    const dtype_set wider = DTYPE_SET(DTYPE_F32) | DTYPE_SET(DTYPE_F64);
    enum dtype d = dtype_of_set(call->result->fact.dtypes);
    bool repeats = times > 1 || is_in_loop(code_view(c, call->function), call->inst);
    if (!argument_is_tensor(x) || !dtypes_are(argument_dtypes(x), wider) || !repeats ||
        !trace_back(c, x, find_sum, NULL) || was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                                      "'%s' is %s: each time, the sum is rounded to %.0f bits, and "
                                      "beyond %g it is infinite",
                                      sum->name, dtype_word(d), log2(dtype_exact(d)), dtype_max(d));
    finding_mark(c, out, sum->span);
    finding_mark(c, out, x->span);
    origin_add(c, out, sum->name, made, ASPECT_DTYPE, call->result->fact.dtypes);
}

static void check(struct check *c, const struct call *call)
{
    double least = 0, most = 0;
    check_running(c, call);
    check_shares(c, call);
    check_products(c, call);
    check_factors(c, call);
    bool adds = call->family == FAMILY_ADD || call->family == FAMILY_SUBTRACT;
    if (!adds || !call->result || !dtypes_are(call->result->fact.dtypes, SET_HALVES) ||
        !is_one(call->result->fact.dtypes))
        return;
    check_numbered(c, call);
    const struct argument *sum = sum_of(c, call);
    const struct flow_call *here = flow_call_of(c->in->flow, call->function, call->inst);
    struct call row;
    double rows = 1;
    const struct argument *table = sum ? table_of(c, sum, &row, &rows) : NULL;
    const struct step *made = table ? sum_beginning(call, table)
                              : sum ? sum_beginning(call, sum)
                                    : NULL;
    const struct argument *x = sum == call_argument(call, ROLE_LEFT)
                                   ? call_argument(call, ROLE_RIGHT)
                                   : call_argument(call, ROLE_LEFT);
    bool is_known = made && here && increments(call, x, &least, &most);
    bool is_mean = made && argument_is_tensor(x) && is_part_of_way(c, x, sum); /* half-average */
    if (sum && !is_mean)
        check_begun(c, call, sum, x);
    if (sum)
        check_kept(c, call, sum);
    if (!made || !here || is_mean || !(is_known || is_from_zero(c, made)))
        return;
    enum dtype d = dtype_of_set(call->result->fact.dtypes);
    double needed = table ? 0 : times_since_needed(c, call, sum, made);
    double times = (needed ? needed : times_added(c, call, made)) / rows,
           each = counted_each(c, x, sum);
    check_counter(c, call, sum, made, times);
    bool is_lost = is_known ? times * least > dtype_exact(d) * most : is_too_long(times, d);
    if (!is_lost && is_known)
        is_lost = times * least > dtype_max(d);
    if (!is_lost && each > 0)
        is_lost = times * each >= 4 * dtype_exact(d), most = INFINITY;
    else if (!is_lost && !is_known && is_count(x, &most))
        is_lost = times * most >= 4 * dtype_exact(d);
    if (!is_lost && !is_known && may_overflow(x, times, d, &most))
        is_lost = true;
    bool is_noted = !is_lost && !is_known && !is_count(x, &most) && each <= 0 && rows == 1 &&
                    is_of_one_sign(x) && times >= dtype_exact(d) / NOTED;
    if (!is_lost && !is_noted && check_weighted(c, call, sum, x, made, times))
        return;
    if (!is_lost && !is_noted)
        check_wider(c, call, sum, x, made, times);
    if ((!is_lost && !is_noted) || was_reported(c, call->function, call->inst))
        return;
    if (is_noted) {
        note_rounded(c, call, sum, made, times);
        return;
    }
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' is %s and is added to %.0f times: %s", sum->name, dtype_word(d), times,
                    what_happens(c, d, is_known, most, times));
    finding_mark(c, out, sum->span);
    finding_mark(c, out, x->span);
    origin_add(c, out, sum->name, made, ASPECT_DTYPE, call->result->fact.dtypes);
}

const struct rule_code rule_half_accumulator = {.call = check, .by_case = true};
