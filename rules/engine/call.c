/* A call of a function in a pack, as rules see it: the argument for each parameter, its name in the
 * program, and what is known about it. */
#include "rules/engine/engine.h"

#include <string.h>

enum { NAME_COLUMNS = 40 };

/* ---- values --------------------------------------------------------------------------------- */

static const struct pack_function *callee_of(const struct check *c, const struct ir_inst *i)
{
    return i->op == IR_CALL && i->name ? packs_find(c->in->packs, i->name) : NULL;
}

/* The value behind conversions and calls that only box their argument. */
ir_value value_within(const struct check *c, const struct ir_function *f, ir_value v)
{
    for (;;) {
        v = value_behind(f, v);
        const struct ir_inst *i = &f->insts.items[v];
        const struct pack_function *callee = v ? callee_of(c, i) : NULL;
        if (!callee || !(callee->effects & EFFECT_BOX) || !(callee->effects & EFFECT_PURE) ||
            !i->arg_count)
            return v;
        v = i->args[0];
    }
}

/* ---- arguments ------------------------------------------------------------------------------ */

const char *name_in_program(struct check *c, const struct ir_function *f, ir_value v,
                            const struct span *span, const char *otherwise)
{
    const char *name = v ? value_name(c->in->arena, f, v) : NULL;
    if (!name && span->line)
        name = source_excerpt(c, span, NAME_COLUMNS);
    return name && *name ? name : otherwise;
}

void argument_take_number(struct argument *a)
{
    a->known = a->seen->number_count == 1 && !a->seen->any_number && !a->seen->absent;
    a->number = a->known ? a->seen->numbers[0] : 0;
}

static void view_argument(struct check *c, const struct ir_function *f, const struct pack_param *p,
                          const struct flow_operand *seen, struct argument *a)
{
    *a = (struct argument){.param = p, .name = p->name, .seen = seen};
    a->value = seen->value ? value_within(c, f, seen->value) : 0;
    argument_take_number(a);
    if (!a->value)
        return;
    a->span = f->insts.items[a->value].span;
    a->flow = flow_value_of(c->in->flow, f, a->value);
    a->name = name_in_program(c, f, a->value, &a->span, p->name);
}

/* The address of element k of the array at base. */
static bool is_element(const struct ir_function *f, ir_value address, ir_value base, int k)
{
    const struct ir_inst *i = &f->insts.items[address];
    if (i->op != IR_ELEMENT || value_behind(f, i->args[0]) != base)
        return false;
    const struct ir_inst *index = &f->insts.items[value_behind(f, i->args[1])];
    return index->op == IR_INT && index->integer == k;
}

struct argument call_member(const struct call *c, const struct argument *array, int k)
{
    const struct ir_function *f = c->function;
    const struct code_view *code = code_view(c->check, f);
    const struct ir_block *b =
        code->block[c->inst] >= 0 ? &f->blocks.items[code->block[c->inst]] : NULL;
    struct argument a = {.param = array->param};
    for (int n = 0; b && n < b->count && b->insts[n] != c->inst; n++) {
        const struct ir_inst *i = &f->insts.items[b->insts[n]];
        if (i->op == IR_STORE && is_element(f, i->args[0], array->value, k))
            a.value = value_within(c->check, f, i->args[1]);
    }
    if (a.value) {
        a.span = f->insts.items[a.value].span;
        a.flow = flow_value_of(c->check->in->flow, f, a.value);
    }
    a.name = name_in_program(c->check, f, a.value, &a.span,
                             arena_printf(c->check->in->arena, "%s[%d]", array->name, k));
    return a;
}

bool call_view(struct check *c, const struct ir_function *f, ir_value inst, struct call *out)
{
    const struct flow_call *seen = flow_call_of(c->in->flow, f, inst);
    if (!seen)
        return false;
    *out = (struct call){.check = c,
                         .function = f,
                         .inst = inst,
                         .callee = seen->callee,
                         .family = seen->callee->family,
                         .result = flow_value_of(c->in->flow, f, inst),
                         .count = seen->operand_count};
    for (int k = 0; k < seen->operand_count; k++)
        view_argument(c, f, &seen->callee->params[k], &seen->operands[k], &out->arguments[k]);
    return true;
}

struct span call_span(const struct call *c)
{
    return c->function->insts.items[c->inst].span;
}

const struct argument *call_argument(const struct call *c, enum param_role role)
{
    for (int k = 0; k < c->count; k++)
        if (c->arguments[k].param->role == role)
            return &c->arguments[k];
    return NULL;
}

const struct argument *call_written(const struct call *c)
{
    for (int k = 0; k < c->count; k++)
        if (c->arguments[k].param->written && c->arguments[k].value &&
            c->arguments[k].param->kind == OPERAND_TENSOR)
            return &c->arguments[k];
    return NULL;
}

bool call_is_factory(const struct call *c)
{
    for (int k = 0; k < c->count; k++)
        if (c->arguments[k].param->kind == OPERAND_TENSOR)
            return false;
    return c->callee->returns_tensor;
}

bool alias_is_view(const struct pack_function *f)
{
    return f->alias == ALIAS_VIEW || f->alias == ALIAS_MAYBE_VIEW;
}

bool call_is_view(const struct call *c)
{
    return alias_is_view(c->callee);
}

bool call_is_cast(const struct call *c)
{
    return c->family == FAMILY_CAST;
}

/* ---- what arguments are -----------------------------------------------------------------------
 */

bool is_literal(const struct call *c, const struct argument *a)
{
    const struct ir_function *f = c->function;
    const struct ir_inst *i = a->value ? &f->insts.items[a->value] : NULL;
    bool is_named = i && i->op == IR_ATTR && f->insts.items[i->args[0]].op == IR_NAME && a->seen &&
                    (a->seen->kind == OPERAND_DTYPE || a->seen->kind == OPERAND_DEVICE);
    return i && (i->op == IR_INT || i->op == IR_REAL || is_named);
}

bool is_query(const struct pack_function *f)
{
    return f->effects & (EFFECT_PURE | EFFECT_KEEP | EFFECT_FREE | EFFECT_EXPECT);
}

ir_value call_place(struct check *c, const struct call *call)
{
    const struct ir_function *f = call->function;
    const struct code_view *code = code_view(c, f);
    ir_value found = 0;
    for (int k = 0; k < code->users[call->inst].count; k++) {
        const struct ir_inst *user = &f->insts.items[code->users[call->inst].items[k]];
        if (ir_written(user) != call->inst || found)
            return 0;
        found = user->op == IR_STORE ? user->args[0] : code->users[call->inst].items[k];
    }
    return found;
}

unsigned alias_kinds(const struct flow_value *v)
{
    unsigned kinds = 0;
    for (int i = 0; v && i < v->alias_count; i++)
        kinds |= v->aliases[i].kinds;
    return kinds;
}

/* ---- dtypes --------------------------------------------------------------------------------- */

dtype_set argument_dtypes(const struct argument *a)
{
    return a && a->seen ? a->seen->fact.dtypes : 0;
}

uint8_t argument_devices(const struct argument *a)
{
    return a && a->seen ? a->seen->fact.devices : 0;
}

bool argument_is_tensor(const struct argument *a)
{
    return a && a->value && a->seen && a->seen->kind == OPERAND_TENSOR;
}

bool dtypes_are(dtype_set dtypes, uint64_t set)
{
    return dtypes && !(dtypes & ~set);
}

bool is_one(uint64_t set)
{
    return set && !(set & (set - 1));
}

enum dtype dtype_of_set(dtype_set dtypes)
{
    dtypes &= DTYPES_EVERY;
    return dtypes ? (enum dtype)__builtin_ctzll(dtypes) : DTYPE_NONE;
}

static const struct {
    double max, least;
    int bits;
} traits[DTYPE_END] = {
    /* 0: not known, as of those that packs declare */
    [DTYPE_BOOL] = {1, 1, 1},
    [DTYPE_U8] = {255, 1, 8},
    [DTYPE_I8] = {127, 1, 8},
    [DTYPE_I16] = {32767, 1, 16},
    [DTYPE_I32] = {2147483647.0, 1, 32},
    [DTYPE_I64] = {9223372036854775807.0, 1, 64},
    [DTYPE_F16] = {65504, 0x1p-24, 16},
    [DTYPE_BF16] = {0x1.fep127, 0x1p-133, 16},
    [DTYPE_F32] = {0x1.fffffep127, 0x1p-149, 32},
    [DTYPE_F64] = {0x1.fffffffffffffp1023, 0x1p-1074, 64},
    [DTYPE_F8_E4M3] = {448, 0x1p-9, 8},
    [DTYPE_F8_E5M2] = {57344, 0x1p-16, 8},
    [DTYPE_U16] = {65535, 1, 16},
    [DTYPE_U32] = {4294967295.0, 1, 32},
    [DTYPE_U64] = {18446744073709551615.0, 1, 64},
    [DTYPE_C64] = {0x1.fffffep127, 0x1p-149, 64},
    [DTYPE_C128] = {0x1.fffffffffffffp1023, 0x1p-1074, 128},
};

double dtype_max(enum dtype d)
{
    return traits[d].max;
}

double dtype_least(enum dtype d)
{
    return traits[d].least;
}

int dtype_bits(enum dtype d)
{
    return traits[d].bits;
}

/* ---- sums ------------------------------------------------------------------------------------ */

enum { MANY = 16 };

bool takes_its_place(struct check *c, const struct call *call, const struct argument *a)
{
    const struct ir_function *f = call->function;
    const struct ir_inst *read = a->value ? &f->insts.items[a->value] : NULL;
    ir_value place = call_place(c, call);
    const char *to = place ? value_name(c->in->arena, f, place) : NULL;
    const char *from = read && ir_op_reads(read->op) ? value_name(c->in->arena, f, a->value) : NULL;
    const struct flow_call *seen = flow_call_of(c->in->flow, f, call->inst);
    return to && from && !strcmp(to, from) && seen && seen->rounds >= MANY;
}

bool is_accumulator(struct check *c, const struct call *call, const struct argument *a)
{
    bool adds = call->family == FAMILY_ADD || call->family == FAMILY_SUBTRACT;
    return adds && takes_its_place(c, call, a);
}

/* ---- raw memory ------------------------------------------------------------------------------ */

const struct type *declared_elements(const struct flow_call *c, int operand)
{
    ir_value v = c->operands[operand].value;
    v = v > 0 ? value_behind(c->function, v) : 0;
    const struct type *t = v ? c->function->insts.items[v].type : NULL;
    t = t && t->kind == TYPE_POINTER ? t->of : NULL;
    while (t && t->kind == TYPE_ARRAY)
        t = t->of;
    bool is_number = t && (t->kind == TYPE_INT || t->kind == TYPE_FLOAT) && t->bits > 8;
    return is_number ? t : NULL;
}

bool elements_can_be(const struct type *elements, enum dtype d)
{
    bool is_floating = !dtype_range(d).is_whole && d != DTYPE_BOOL;
    return elements->bits == dtype_bits(d) &&
           (elements->kind == TYPE_INT || (is_floating && elements->is_brain == (d == DTYPE_BF16)));
}
