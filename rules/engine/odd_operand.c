/* Which operand of a failing call decides the dtype, so that the others are the odd ones. Every
 * operand gets points: for a dtype that somebody asked for, for being a parameter of a model, and
 * for agreeing with most of them. Host data and defaults were asked for by nobody. */
#include "rules/engine/engine.h"

#include <string.h>

/* How much it was asked for, in points. */
enum asked {
    ASKED_NOT = 0,     /* it is what an array of the host happens to be, */
    ASKED_DEFAULT = 1, /* the default, or the result of an op or of autocast */
    ASKED_HERE = 2,    /* a cast or a dtype argument */
    ASKED_FLAG = 3     /* it is in a variable, or depends on an option of the program */
};

bool is_computed_with(const struct failing_operand *o)
{
    enum param_role role = o->param->role;
    return role != ROLE_INDEX && role != ROLE_MASK && role != ROLE_TARGET;
}

/* A cast in a helper, of what the helper was given: hard-coded there, whoever calls it. */
static bool is_helper_cast(struct check *c, const struct failing *f, const struct call *cast)
{
    const struct step *s = cast->result ? cast->result->how : NULL;
    const struct ir_function *here = cast->function;
    for (int k = 0; k < cast->count && s && here != f->failure->function; k++)
        for (int n = 1; n < here->insts.count && argument_is_tensor(&cast->arguments[k]); n++) {
            const struct ir_inst *i = &here->insts.items[n];
            if (i->op == IR_RETURN && i->arg_count &&
                value_within(c, here, i->args[0]) == cast->inst && here->param_count)
                return true;
        }
    return false;
}

/* Whether a dtype was passed, and not that there is none. */
static bool is_given(const struct argument *dtype)
{
    const struct flow_operand *seen = dtype->seen;
    return dtype->value && !seen->absent && seen->kind != OPERAND_ABSENT &&
           (seen->any_number || (seen->number_count && seen->numbers[0] != 0));
}

/* A dtype that is read from a variable or a table, where it is not that of another tensor. */
static bool is_chosen(struct check *c, const struct call *made, const struct argument *dtype)
{
    const struct ir_function *f = made->function;
    const struct ir_inst *i = &f->insts.items[dtype->value];
    bool is_item = i->op == IR_APPLY && i->integer == PROTOCOL_GETITEM;
    bool of_tensor = i->op == IR_ATTR && flow_value_of(c->in->flow, f, i->args[0]);
    const struct ir_inst *base = i->op == IR_ATTR ? &f->insts.items[i->args[0]] : NULL;
    bool is_constant = base && base->op == IR_NAME && is_imported_name(c, i->span.file, base->name);
    return (ir_op_reads(i->op) || is_item) && !of_tensor && !is_constant && is_given(dtype);
}

static enum asked how_asked(struct check *c, const struct failing *f,
                            const struct failing_operand *o)
{
    const struct step *s = deciding_step(c, o->how, ASPECT_DTYPE, DTYPE_BIT(o->is.dtype));
    struct call made;
    if (!is_one(o->dtypes))
        return ASKED_FLAG;
    if (!s || !step_call(c, s, &made))
        return ASKED_DEFAULT;
    const struct argument *dtype = call_argument(&made, ROLE_DTYPE);
    const struct ir_inst *given =
        dtype && dtype->value ? &made.function->insts.items[dtype->value] : NULL;
    if (given && is_dynamic(given) && is_chosen(c, &made, dtype))
        return ASKED_FLAG;
    if (given && given->op == IR_LOAD)
        return made.function->insts.items[given->args[0]].op == IR_GLOBAL ? ASKED_DEFAULT
                                                                          : ASKED_FLAG;
    if (call_is_cast(&made) && is_helper_cast(c, f, &made))
        return ASKED_DEFAULT;
    if (call_is_cast(&made) ||
        (dtype && dtype->value && (!given || !is_dynamic(given) || is_given(dtype))))
        return ASKED_HERE;
    return pack_param_with(made.callee, ROLE_DATA) >= 0 ? ASKED_NOT : ASKED_DEFAULT;
}

/* ---- parameters of a model ------------------------------------------------------------------ */

/* The name of the record that has the operand as a field; NULL: it is no field. */
static const char *record_of(const struct ir_function *f, ir_value v)
{
    const struct type *record = record_with_field(f, v);
    return record ? record->name : NULL;
}

static bool is_first(const struct failing *f, const struct failing_operand *o)
{
    for (int k = 0; k < f->count; k++)
        if (is_computed_with(&f->operands[k]))
            return &f->operands[k] == o;
    return false;
}

bool is_model_weight(const struct failing *f, const struct failing_operand *o)
{
    bool is_leaf = o->fact.grad == TRI_YES && o->fact.leaf == TRI_YES;
    bool takes_layer = f->family == FAMILY_MATMUL || f->family == FAMILY_CONVOLUTION ||
                       f->family == FAMILY_NORMALIZE || f->family == FAMILY_GATHER;
    if (is_leaf || (o->param->role == ROLE_WEIGHT && takes_layer))
        return true;
    return takes_layer && !is_first(f, o) && record_of(f->failure->function, o->value);
}

enum { MAX_FIELDS = 64 };

struct vote {
    const char *names[MAX_FIELDS];
    int count, mine, theirs;
};

static bool is_counted(struct vote *v, const char *name)
{
    for (int i = 0; i < v->count; i++)
        if (!strcmp(v->names[i], name))
            return true;
    if (v->count < MAX_FIELDS)
        v->names[v->count++] = name;
    return false;
}

/* The fields of the record that the function reads, and the tensors that it is given. */
static void count_fields(struct check *c, const struct ir_function *f, const char *record,
                         dtype_set mine, dtype_set theirs, struct vote *v)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        const char *of = i->op == IR_LOAD ? record_of(f, n) : NULL;
        bool given = i->op == IR_LOAD && f->insts.items[i->args[0]].op == IR_LOCAL &&
                     f->insts.items[i->args[0]].integer < f->param_count;
        const struct flow_value *is = given || (of && !strcmp(of, record))
                                          ? flow_value_of(c->in->flow, f, (ir_value)n)
                                          : NULL;
        const char *name = is ? value_name(c->in->arena, f, (ir_value)n) : NULL;
        if (!name || is_counted(v, name))
            continue;
        v->mine += is->fact.dtypes == mine;
        v->theirs += is->fact.dtypes == theirs;
    }
}

/* Whether most parameters that are used there have the dtype of the other operand. */
static bool is_in_minority(struct check *c, const struct failing *f,
                           const struct failing_operand *o, const struct failing_operand *other)
{
    const char *record = record_of(f->failure->function, o->value);
    struct vote v = {0};
    if (record)
        count_fields(c, f->failure->function, record, o->dtypes, other->dtypes, &v);
    return v.theirs > v.mine;
}

/* ---- points --------------------------------------------------------------------------------- */

static bool agrees(const struct failing *f, const struct failing_operand *o)
{
    for (int k = 0; k < f->count; k++)
        if (&f->operands[k] != o && is_computed_with(&f->operands[k]) &&
            !(f->failure->is_hidden && !o->value && !f->operands[k].value) &&
            f->operands[k].is.dtype == o->is.dtype)
            return true;
    return false;
}

static const struct failing_operand *another(const struct failing *f,
                                             const struct failing_operand *o)
{
    for (int k = 0; k < f->count; k++)
        if (is_computed_with(&f->operands[k]) && f->operands[k].is.dtype != o->is.dtype)
            return &f->operands[k];
    return NULL;
}

/* A tensor that the function created for its own use, in the default dtype. */
bool is_own_buffer(struct check *c, const struct failing *f, const struct failing_operand *o)
{
    const struct step *s = deciding_step(c, o->how, ASPECT_DTYPE, DTYPE_BIT(o->is.dtype));
    struct call made;
    return s && s->inst && s->function == f->failure->function &&
           how_asked(c, f, o) == ASKED_DEFAULT && step_call(c, s, &made) && call_is_factory(&made);
}

/* f64 is mostly an accident: but not that of a whole model, or of an option. */
static int points_against_double(struct check *c, const struct failing *f,
                                 const struct failing_operand *o, enum asked asked)
{
    const struct step *s = deciding_step(c, o->how, ASPECT_DTYPE, DTYPE_BIT(o->is.dtype));
    const struct ir_function *fn = f->failure->function;
    struct call made;
    if (o->is.dtype != DTYPE_F64)
        return 0;
    if (!is_dynamic(&fn->insts.items[f->failure->inst]))
        return 4;
    bool is_cast = s && step_call(c, s, &made) && call_is_cast(&made);
    return asked == ASKED_FLAG ? 0 : is_cast ? 4 : 8;
}

static int points(struct check *c, const struct failing *f, const struct failing_operand *o)
{
    const struct failing_operand *other = another(f, o);
    enum asked asked = how_asked(c, f, o);
    int n = 2 * (int)asked;
    if (o->is.dtype < DTYPE_F16)
        return -100;
    if (is_model_weight(f, o))
        n += other && is_in_minority(c, f, o, other) ? -4 : 3;
    n += agrees(f, o) ? 2 : 0;
    n += o->param->written && !is_own_buffer(c, f, o) ? 100 : 0;
    return n - points_against_double(c, f, o, asked);
}

/* An operand that is written decides, since a cast would write to a copy: unless it was created in
 * the default dtype here, only to be written to. */
const struct failing_operand *deciding_operand(struct check *c, const struct failing *f)
{
    const struct failing_operand *best = NULL;
    int most = 0;
    for (int k = 0; k < f->count; k++) {
        const struct failing_operand *o = &f->operands[k];
        int n = is_computed_with(o) && o->is.kind == OPERAND_TENSOR ? points(c, f, o) : -1000;
        if (n > -1000 && (!best || n > most)) {
            best = o;
            most = n;
        }
    }
    return best;
}
