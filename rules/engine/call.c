/* A call of a packed function, as rules see it: what each parameter was given, what it is called in
 * the program, what is known of it. Options are looked up in the record that is filled for the
 * call. */
#include "rules/engine/engine.h"

#include <string.h>

enum { NAME_COLUMNS = 40 };

/* ---- operations ----------------------------------------------------------------------------- */

enum op_family family_of(const struct pack_function *f)
{
    static const struct {
        const char *name;
        enum op_family family;
    } ops[] = {
#define OP(name, family) {name, FAMILY_##family},
#include "rules/op.def"
#undef OP
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (!strcmp(ops[i].name, f->shown))
            return ops[i].family;
    return FAMILY_OTHER;
}

/* ---- values --------------------------------------------------------------------------------- */

static const struct pack_function *callee_of(const struct check *c, const struct ir_inst *i)
{
    return i->op == IR_CALL && i->name ? packs_find(c->in->packs, i->name) : NULL;
}

/* Behind conversions, and behind calls that only wrap their argument. */
static ir_value value_within(const struct check *c, const struct ir_function *f, ir_value v)
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

static bool is_local(const struct ir_function *f, ir_value v, int64_t local)
{
    return f->insts.items[v].op == IR_LOCAL && f->insts.items[v].integer == local;
}

/* The one value that is ever written to a local whose address goes nowhere; 0: not so simple. */
static ir_value only_value(struct check *c, const struct ir_function *f, int64_t local)
{
    const struct code_view *code = code_view(c, f);
    ir_value found = 0;
    if (local < f->param_count)
        return 0;
    for (int v = 1; v < f->insts.count; v++) {
        for (int k = 0; is_local(f, v, local) && k < code->users[v].count; k++) {
            const struct ir_inst *user = &f->insts.items[code->users[v].items[k]];
            bool written = user->op == IR_STORE && user->args[0] == v && user->args[1] != v;
            if ((!written && user->op != IR_LOAD) || (written && found))
                return 0;
            found = written ? user->args[1] : found;
        }
    }
    return found;
}

static bool constant_of(struct check *c, const struct ir_function *f, ir_value v, double *out,
                        int depth)
{
    v = v ? value_within(c, f, v) : 0;
    if (!v || depth > 4)
        return false;
    const struct ir_inst *i = &f->insts.items[v];
    if (i->op == IR_INT || i->op == IR_REAL) {
        *out = i->op == IR_INT ? (double)i->integer : i->real;
        return true;
    }
    if (i->op == IR_UNARY && i->arith == ARITH_NEG && constant_of(c, f, i->args[0], out, depth)) {
        *out = -*out;
        return true;
    }
    if (i->op != IR_LOAD || f->insts.items[i->args[0]].op != IR_LOCAL)
        return false;
    return constant_of(c, f, only_value(c, f, f->insts.items[i->args[0]].integer), out, depth + 1);
}

/* ---- options -------------------------------------------------------------------------------- */

/* Whether the address is the field of the record at base that the path leads to. */
static bool is_field(const struct ir_function *f, ir_value address, ir_value base,
                     const char *const *path, int depth)
{
    const struct ir_inst *i = &f->insts.items[address];
    if (!depth)
        return address == base || (i->op == IR_LOCAL && f->insts.items[base].op == IR_LOCAL &&
                                   i->integer == f->insts.items[base].integer);
    return i->op == IR_FIELD && !strcmp(i->name, path[depth - 1]) &&
           is_field(f, i->args[0], base, path, depth - 1);
}

/* The last that is written there before the call, in its block. The span is the user's ".name = x"
 * where there is one. */
static ir_value option_value(struct check *c, const struct ir_function *f, ir_value call,
                             const struct pack_param *p, ir_value record, struct span *span)
{
    const struct code_view *code = code_view(c, f);
    const struct ir_block *b = code->block[call] >= 0 ? &f->blocks.items[code->block[call]] : NULL;
    int depth = 0;
    ir_value found = 0;
    while (depth < 3 && p->path[depth])
        depth++;
    for (int k = 0; b && k < b->count && b->insts[k] != call; k++) {
        const struct ir_inst *i = &f->insts.items[b->insts[k]];
        bool writes = i->op == IR_STORE || i->op == IR_COPY;
        if (writes && is_field(f, i->args[0], record, p->path, depth)) {
            found = i->args[1];
            *span = f->insts.items[found].span;
        }
    }
    return found;
}

/* ---- arguments ------------------------------------------------------------------------------ */

static const char *name_of_value(struct check *c, const struct ir_function *f, ir_value v,
                                 const struct span *span, const char *otherwise)
{
    const char *name = v ? value_name(c->in->arena, f, v) : NULL;
    if (!name && span->line)
        name = say_text(c, span, NAME_COLUMNS);
    return name && *name ? name : otherwise;
}

static void view_argument(struct check *c, const struct ir_function *f, ir_value inst,
                          const struct pack_param *p, struct argument *a)
{
    const struct ir_inst *i = &f->insts.items[inst];
    *a = (struct argument){.param = p, .name = p->name};
    if (p->argument >= i->arg_count)
        return;
    ir_value given = i->args[p->argument];
    if (p->path[0])
        given = option_value(c, f, inst, p, given, &a->span);
    a->value = given ? value_within(c, f, given) : 0;
    if (!a->value)
        return;
    a->span = f->insts.items[a->value].span;
    a->known = constant_of(c, f, given, &a->number, 0);
    a->flow = p->kind == OPERAND_TENSOR ? flow_value_of(c->in->flow, f, a->value) : NULL;
    a->name = name_of_value(c, f, a->value, &a->span, p->name);
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
    a.name = name_of_value(c->check, f, a.value, &a.span,
                           arena_printf(c->check->in->arena, "%s[%d]", array->name, k));
    return a;
}

bool call_view(struct check *c, const struct ir_function *f, ir_value inst, struct call *out)
{
    const struct pack_function *callee = callee_of(c, &f->insts.items[inst]);
    if (!callee)
        return false;
    *out = (struct call){.check = c,
                         .function = f,
                         .inst = inst,
                         .callee = callee,
                         .family = family_of(callee),
                         .result = flow_value_of(c->in->flow, f, inst),
                         .count = callee->param_count};
    for (int k = 0; k < callee->param_count; k++)
        view_argument(c, f, inst, &callee->params[k], &out->arguments[k]);
    return true;
}

struct span call_span(const struct call *c)
{
    return c->function->insts.items[c->inst].span;
}

const struct argument *call_argument(const struct call *c, const char *param)
{
    for (int k = 0; k < c->count; k++)
        if (!strcmp(c->arguments[k].param->name, param))
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

bool call_is_cast(const struct call *c)
{
    return c->callee->returns_tensor && c->callee->alias == ALIAS_MAYBE_SAME &&
           !(c->callee->effects & EFFECT_BOX);
}

/* ---- dtypes --------------------------------------------------------------------------------- */

uint16_t argument_dtypes(const struct argument *a)
{
    return a && a->flow ? a->flow->fact.dtypes : 0;
}

uint8_t argument_devices(const struct argument *a)
{
    return a && a->flow ? a->flow->fact.devices : 0;
}

bool dtypes_are(uint16_t dtypes, unsigned set)
{
    return dtypes && !(dtypes & ~set);
}

bool is_one(unsigned set)
{
    return set && !(set & (set - 1));
}

enum dtype dtype_of_set(uint16_t dtypes)
{
    for (int d = 1; d < DTYPE_COUNT; d++)
        if (dtypes >> d & 1)
            return (enum dtype)d;
    return DTYPE_NONE;
}

static const struct {
    double max, least;
    int bits;
} traits[DTYPE_COUNT] = {
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
