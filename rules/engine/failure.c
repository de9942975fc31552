/* A failure in terms of the program. Operands come in as sets of dtypes and devices; one
 * combination that fails is found here, and the message is about it. An operand is blamed if the
 * message mentions it. */
#include "rules/engine/engine.h"

#include <string.h>

enum { MAX_TRIES = 4096 };

/* ---- what fails ----------------------------------------------------------------------------- */

struct search {
    const struct flow_failure *failure;
    const struct failing *out;
    struct operand *operands;
    bool another; /* looks for a combination that does not fail in this way */
    int tries;
};

/* Whether two operands are read from the same place in one call. */
static bool is_same_tensor(const struct failing_operand *a, const struct failing_operand *b)
{
    return a->value && b->value && a->how == b->how && a->fact.dtypes == b->fact.dtypes &&
           a->fact.devices == b->fact.devices && !a->fact.buffer && !strcmp(a->name, b->name);
}

static bool differs_from_itself(const struct failing *f, const struct operand *operands)
{
    for (int k = 1; k < f->count; k++)
        for (int i = 0; i < k; i++) {
            const struct operand *a = &operands[f->operands[i].at],
                                 *b = &operands[f->operands[k].at];
            if ((a->dtype != b->dtype || a->device != b->device) &&
                is_same_tensor(&f->operands[i], &f->operands[k]))
                return true;
        }
    return false;
}

/* Whether the search is over. */
static bool is_found(struct search *s)
{
    struct outcome o = {0};
    s->tries++;
    if (differs_from_itself(s->out, s->operands))
        return false;
    pack_call_many(s->failure->callee, s->operands, s->out->combination_count, &o);
    if (s->another)
        return o.error != s->failure->kind;
    return o.error == s->failure->kind &&
           (!o.reason || !s->failure->reason || !strcmp(o.reason, s->failure->reason));
}

/* Raw memory can have no dtype, which comes first, and be on no particular device, which comes
 * last. */
static bool can_be(const struct fact *f, int dtype, int device, int zero_dim)
{
    return f->dtypes >> dtype & 1 && f->devices >> device & 1 &&
           (f->buffer ? !zero_dim : f->zero_dim & (zero_dim ? TRI_YES : TRI_NO));
}

static struct operand operand_of(const struct fact *f, int dtype, int device, int zero_dim)
{
    int64_t bytes = fact_bytes(f);
    return (struct operand){.kind = f->buffer ? OPERAND_BUFFER : OPERAND_TENSOR,
                            .dtype = (enum dtype)dtype,
                            .device = (enum device)device,
                            .gpus = device == DEVICE_CUDA ? (uint16_t)(fact_places(f) >> 1) : 0,
                            .zero_dim = zero_dim,
                            .known = bytes >= 0,
                            .number = bytes >= 0 ? (double)bytes : 0,
                            .ranks = zero_dim ? 1 : f->ranks & (uint16_t)~1u};
}

/* Tries all values of the operands from k on. */
static bool find_combination(struct search *s, int k)
{
    if (k == s->out->count)
        return is_found(s);
    struct operand *o = &s->operands[s->out->operands[k].at];
    const struct fact *f = &s->out->operands[k].fact;
    for (int d = DTYPE_NONE; d < dtype_end(); d++)
        for (int v = 0; v <= DEVICE_COUNT; v++)
            for (int z = 0; z < 2; z++) {
                if (!can_be(f, d, v, z) || s->tries > MAX_TRIES)
                    continue;
                *o = operand_of(f, d, v, z);
                if (find_combination(s, k + 1))
                    return true;
            }
    return false;
}

static void take_first(struct failing *f)
{
    for (int k = 0; k < f->count; k++) {
        const struct fact *is = &f->operands[k].fact;
        f->combination[f->operands[k].at] = operand_of(
            is, dtype_of_set(is->dtypes), is->devices >> DEVICE_CPU & 1 ? DEVICE_CPU : DEVICE_CUDA,
            is->zero_dim == TRI_YES);
    }
}

/* The combination that flow found first, unless a tensor would differ from itself: then another. */
static void find_failing(struct failing *f)
{
    const struct flow_failure *r = f->failure;
    struct search s = {.failure = r, .out = f, .operands = f->combination};
    f->combination_count = r->failing_count;
    if (r->failing)
        memcpy(f->combination, r->failing, sizeof *r->failing * (size_t)r->failing_count);
    else
        f->combination_count = r->callee->param_count;
    if (!r->failing || differs_from_itself(f, f->combination)) {
        f->impossible = !find_combination(&s, 0) && r->failing;
        if (!r->failing && s.tries)
            take_first(f);
    }
    for (int k = 0; k < f->count; k++)
        f->operands[k].is = f->combination[f->operands[k].at];
}

/* ---- whom the reason speaks of -------------------------------------------------------------- */

/* The message may mention operands that agree when another is the cause: the one with which the
 * call would work if it had their dtype. */
static void blame_odd_one(struct failing *f)
{
    struct operand operands[MAX_COMBINED];
    struct outcome o = {0};
    const struct failing_operand *like = NULL;
    for (int k = 0; k < f->count; k++)
        like = !like && f->operands[k].blamed ? &f->operands[k] : like;
    for (int k = 0; k < f->count && like; k++) {
        struct failing_operand *odd = &f->operands[k];
        if (odd->blamed || odd->is.dtype == like->is.dtype)
            continue;
        memcpy(operands, f->combination, sizeof operands);
        operands[odd->at].dtype = like->is.dtype;
        pack_call_many(f->failure->callee, operands, f->combination_count, &o);
        odd->blamed = odd->unnamed = o.error == ERROR_NONE;
    }
}

/* The same for devices: those that are on another one than all that are mentioned. */
static void blame_on_another(struct failing *f)
{
    unsigned places = 0;
    for (int k = 0; k < f->count; k++) {
        const struct failing_operand *o = &f->operands[k];
        if (o->blamed && places && operand_places(&o->is) != places)
            return;
        places = o->blamed ? operand_places(&o->is) : places;
    }
    for (int k = 0; k < f->count; k++) {
        struct failing_operand *odd = &f->operands[k];
        if (!odd->blamed && odd->is.kind == OPERAND_TENSOR && places &&
            operand_places(&odd->is) != places)
            odd->blamed = odd->unnamed = true;
    }
}

static void blame(struct failing *f, const char *reason)
{
    bool any = false;
    for (int k = 0; k < f->count; k++)
        any |= f->operands[k].blamed = reason_mentions(reason, f->operands[k].param->name);
    for (int k = 0; k < f->count && !any; k++)
        f->operands[k].blamed = true;
    if (f->failure->kind == ERROR_DTYPE && !failing_is_mixed(f))
        blame_odd_one(f);
    if (f->failure->kind == ERROR_DEVICE)
        blame_on_another(f);
}

/* ---- the message ---------------------------------------------------------------------------- */

static const char *general_reason(const struct flow_failure *r)
{
    static const char *const reasons[ERROR_KIND_COUNT] = {
        [ERROR_DTYPE] = "{op} does not take these dtypes",
        [ERROR_DEVICE] = "{op} does not take tensors on these devices",
        [ERROR_CAST] = "{op} cannot write what it computes",
        [ERROR_SHAPE] = "{op} does not take these shapes",
        [ERROR_OVERFLOW] = "{op} is given a number that does not fit",
        [ERROR_GRAD] = "{op} is refused a gradient",
        [ERROR_LEAF] = "{op} changes a leaf that requires a gradient",
        [ERROR_VERSION] = "{op} needs what was changed meanwhile",
        [ERROR_AUTOCAST] = "{op} is refused inside autocast",
        [ERROR_UNSCALE] = "{op} does not take gradients of f16",
        [ERROR_CONTRACT] = "a contract does not hold",
        [ERROR_VALUE] = "{op} does not take this value",
        [ERROR_ARGUMENT] = "{op} is given {null} where a tensor must be",
    };
    const char *reason = reasons[r->kind];
    return r->reason && *r->reason ? r->reason : reason ? reason : "{op} fails";
}

/* Whether the operands are named by parameters, because they are in a model file, or no expression
 * of the program is one: what backward computes with, or what is assigned to a property. */
static bool are_bare(const struct failing *f)
{
    const struct flow_failure *r = f->failure;
    bool is_none = is_dynamic(&r->function->insts.items[r->inst]);
    for (int k = 0; k < f->count; k++)
        is_none &= !f->operands[k].value;
    return r->is_hidden || is_none;
}

/* In quotes, if it is a name in the program. */
static void add_name(const struct failing *f, const char *before, const struct failing_operand *o,
                     struct text *out)
{
    text_printf(out, are_bare(f) ? "%s%s" : "%s'%s'", before, o->name);
}

/* Appends what all operands are, if the message names none. */
static void add_operands(const struct failing *f, struct text *out)
{
    bool device = f->failure->kind == ERROR_DEVICE, apart = false;
    for (int k = 0; k < f->count; k++)
        apart |= f->operands[k].is.device == DEVICE_CUDA && gpus_are_apart(f->operands[k].is.gpus);
    for (int k = 0; k < f->count; k++) {
        const struct operand *o = &f->operands[k].is;
        add_name(f, k ? ", " : ": ", &f->operands[k], out);
        text_printf(out, " is %s", device ? "on " : dtype_word(o->dtype));
        if (device)
            device_print(o->device, o->gpus, apart, out);
    }
}

static void add_unnamed(const struct failing *f, const struct failing_operand *o, struct text *out)
{
    bool device = f->failure->kind == ERROR_DEVICE;
    add_name(f, ", ", o, out);
    text_printf(out, " is %s", device ? "on " : dtype_word(o->is.dtype));
    if (device)
        device_print(o->is.device, o->is.gpus, gpus_are_apart(o->is.gpus), out);
}

static const char *message_of(struct check *c, const struct failing *f)
{
    const struct pack_function *callee = f->failure->callee;
    const char *names[PACK_MAX_PARAMS] = {0}, *reason = general_reason(f->failure);
    struct text out = {0};
    for (int k = f->count - 1; k >= 0; k--)
        names[f->operands[k].index] = f->operands[k].name;
    struct reason_words words = language_words(language_of(f->failure->function));
    words.are_bare = are_bare(f);
    pack_reason_print(callee, f->combination, names, &words, reason, &out);
    bool is_named = false;
    for (int k = 0; k < f->count; k++)
        is_named |= reason_mentions(reason, f->operands[k].param->name);
    if (!is_named && f->failure->kind != ERROR_ARGUMENT)
        add_operands(f, &out);
    for (int k = 0; k < f->count; k++)
        if (f->operands[k].unnamed)
            add_unnamed(f, &f->operands[k], &out);
    return text_keep(c->in->arena, &out);
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Its index in an array of tensors. */
static int member_of(const struct flow_failure *r, int k)
{
    int n = 0;
    for (int i = 0; i < k; i++)
        n += r->operands[i].param == r->operands[k].param;
    return n;
}

/* The array that the members were passed in: it is known from the first of them. */
static ir_value array_of(const struct failing *f, int param)
{
    const struct flow_failure *r = f->failure;
    for (int k = 0; k < r->operand_count; k++)
        if (r->operands[k].param == param && r->operands[k].value)
            return value_within(f->check, r->function, r->operands[k].value);
    return 0;
}

static void view_member(struct failing *f, struct failing_operand *o, int member)
{
    const struct flow_failure *r = f->failure;
    struct call call = {.check = f->check, .function = r->function, .inst = r->inst};
    struct argument array = {
        .param = o->param, .value = array_of(f, o->index), .name = o->param->name};
    struct argument a = call_member(&call, &array, member);
    o->name = a.name;
    o->value = a.value;
    o->span = a.span;
    o->at = member ? r->callee->param_count + member - 1 : o->index;
}

static void view_operand(struct failing *f, int k)
{
    const struct flow_failure *r = f->failure;
    const struct flow_failing *from = &r->operands[k];
    struct failing_operand *o = &f->operands[k];
    o->index = o->at = from->param;
    o->param = &r->callee->params[from->param];
    o->value = from->value ? value_within(f->check, r->function, from->value) : 0;
    if (o->value)
        o->span = r->function->insts.items[o->value].span;
    if (o->param->many)
        view_member(f, o, member_of(r, k));
    else
        o->name = name_in_program(f->check, r->function, o->value, &o->span, from->name);
    const struct flow_value *anywhere =
        o->value ? flow_value_of(f->check->in->flow, r->function, o->value) : NULL;
    const struct flow_call *seen =
        o->value ? NULL : flow_call_of(f->check->in->flow, r->function, r->inst);
    bool is_same = seen && seen->callee == r->callee && !o->param->many;
    o->fact = from->fact;
    o->dtypes = o->fact.dtypes | (anywhere  ? anywhere->fact.dtypes
                                  : is_same ? seen->operands[from->param].fact.dtypes
                                            : 0);
    o->how = from->how;
}

void failing_view(struct check *c, const struct flow_failure *r, struct failing *out)
{
    *out = (struct failing){.check = c, .failure = r, .family = r->callee->family};
    out->count = r->operand_count < MAX_FAILING ? r->operand_count : MAX_FAILING;
    for (int k = 0; k < out->count; k++)
        view_operand(out, k);
    find_failing(out);
    blame(out, general_reason(r));
    out->message = message_of(c, out);
}

bool failing_always(const struct failing *f)
{
    struct operand operands[MAX_COMBINED];
    memcpy(operands, f->combination, sizeof operands);
    struct search s = {.failure = f->failure, .out = f, .operands = operands, .another = true};
    return !find_combination(&s, 0) && s.tries <= MAX_TRIES;
}

bool failing_works(const struct failing *f, const struct operand *operands)
{
    struct outcome o = {0};
    pack_call_many(f->failure->callee, operands, f->combination_count, &o);
    return o.error == ERROR_NONE;
}

bool failing_works_with(const struct failing *f, const struct failing_operand *o, enum dtype d)
{
    struct operand operands[MAX_COMBINED];
    memcpy(operands, f->combination, sizeof operands);
    operands[o->at].dtype = d;
    return failing_works(f, operands);
}

bool failing_is_mixed(const struct failing *f)
{
    enum dtype first = DTYPE_NONE;
    for (int k = 0; k < f->count; k++) {
        enum dtype d = f->operands[k].is.dtype;
        if (!f->operands[k].blamed)
            continue;
        if (first != DTYPE_NONE && d != first)
            return true;
        first = d;
    }
    return false;
}

const struct failing_operand *failing_blamed(const struct failing *f, enum param_role role)
{
    for (int k = 0; k < f->count; k++)
        if (f->operands[k].blamed && f->operands[k].param->role == role)
            return &f->operands[k];
    return NULL;
}

int failing_blamed_count(const struct failing *f)
{
    int n = 0;
    for (int k = 0; k < f->count; k++)
        n += f->operands[k].blamed;
    return n;
}

bool failing_has_buffer(const struct failing *f)
{
    for (int k = 0; k < f->count; k++)
        if (f->operands[k].blamed && f->operands[k].fact.buffer)
            return true;
    return false;
}

bool failing_counts_others(const struct failing *f)
{
    const struct pack_function *callee = f->failure->callee;
    const struct operand *is = f->failure->failing;
    int count = callee->param_count < f->failure->failing_count ? callee->param_count
                                                                : f->failure->failing_count;
    enum dtype of = DTYPE_NONE;
    for (int i = count - 1; i >= 0; i--)
        if (is[i].kind == OPERAND_TENSOR)
            of = is[i].dtype;
    for (int i = 0; i < count && of != DTYPE_NONE; i++)
        if (callee->params[i].role == ROLE_DISTANCE && is[i].unit &&
            !dtype_same_width(is[i].unit, of))
            return true;
    return false;
}

/* Two buffers, and a number that says which way the copy goes. */
bool failing_is_copy(const struct failing *f)
{
    const struct pack_function *callee = f->failure->callee;
    int buffers = 0, directions = 0;
    for (int i = 0; i < callee->param_count; i++) {
        buffers += callee->params[i].kind == OPERAND_BUFFER;
        directions += callee->params[i].role == ROLE_DIRECTION;
    }
    return buffers == 2 && directions;
}
