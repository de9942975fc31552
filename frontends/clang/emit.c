/* Emits instructions into the current block. Constants and conversions of constants are folded
 * here; a label's block is created by the first jump to it. */
#include "frontends/clang/lower.h"

const struct ir_inst *inst_of(const struct lower *l, ir_value v)
{
    return &l->f->insts.items[v];
}

const struct type *pointer_to(struct lower *l, const struct type *t)
{
    return type_pointer(l->unit, t);
}

const struct type *int_type(struct lower *l)
{
    return type_int(l->unit, 32, true);
}

void go_on_in(struct lower *l, int block)
{
    l->block = block;
    LIST_ADD(l->scratch, &l->placed, block);
}

const struct type *value_type(struct lower *l, const struct type *t)
{
    if (t->kind == TYPE_VOID)
        return NULL;
    return is_aggregate(t) || t->kind == TYPE_FUNCTION ? pointer_to(l, t) : t;
}

/* After errors in the source an expression can have any type, even one that no value has. */
static const struct type *yielded_type(struct lower *l, const struct ir_inst *inst)
{
    const struct type *t = inst->type ? value_type(l, inst->type) : NULL;
    bool may_not = inst->op == IR_CALL || inst->op == IR_ANYTHING;
    return t || may_not || !ir_op_yields(inst->op) ? t : type_simple(l->unit, TYPE_UNKNOWN);
}

ir_value emit(struct lower *l, struct node *at, struct ir_inst inst)
{
    inst.type = yielded_type(l, &inst);
    if (l->block == NOWHERE)
        go_on_in(l, ir_block_new(l->unit, l->f));
    if (at)
        inst.span = span_of(l, at);
    return ir_append(l->unit, l->f, l->block, inst);
}

static ir_value emit_with(struct lower *l, struct node *at, enum ir_op op, const struct type *t,
                          ir_value a, ir_value b)
{
    ir_value args[] = {a, b};
    struct ir_inst inst = {.op = op, .type = t, .args = args, .arg_count = b ? 2 : 1};
    return emit(l, at, inst);
}

/* ---- constants ------------------------------------------------------------------------------ */

/* The value truncated to the type. */
static int64_t wrapped(const struct type *t, int64_t value)
{
    if (t->kind == TYPE_BOOL)
        return value != 0;
    if (t->kind != TYPE_INT || t->bits >= 64)
        return value;
    uint64_t mask = ((uint64_t)1 << t->bits) - 1, low = (uint64_t)value & mask;
    bool negative = t->is_signed && low >> (t->bits - 1);
    return (int64_t)(negative ? low | ~mask : low);
}

ir_value emit_int(struct lower *l, struct node *at, const struct type *t, int64_t value)
{
    if (t->kind == TYPE_FLOAT)
        return emit_real(l, at, t, (double)value);
    if (t->kind == TYPE_POINTER && value == 0)
        return emit_null(l, at, t);
    struct ir_inst inst = {.op = IR_INT, .type = t, .integer = wrapped(t, value)};
    return emit(l, at, inst);
}

ir_value emit_real(struct lower *l, struct node *at, const struct type *t, double value)
{
    double kept = t->kind == TYPE_FLOAT && t->bits == 32 ? (double)(float)value : value;
    return emit(l, at, (struct ir_inst){.op = IR_REAL, .type = t, .real = kept});
}

ir_value emit_null(struct lower *l, struct node *at, const struct type *t)
{
    return emit(l, at, (struct ir_inst){.op = IR_NULL, .type = t});
}

bool is_int(const struct lower *l, ir_value v, int64_t *value)
{
    if (!v || inst_of(l, v)->op != IR_INT)
        return false;
    *value = inst_of(l, v)->integer;
    return true;
}

/* Only the newest instruction of the current block can be removed. */
static bool is_newest(const struct lower *l, ir_value v)
{
    if (l->block == NOWHERE || v != l->f->insts.count - 1)
        return false;
    const struct ir_block *b = &l->f->blocks.items[l->block];
    return b->count && b->insts[b->count - 1] == v;
}

bool take_back(struct lower *l, ir_value v)
{
    enum ir_op op = inst_of(l, v)->op;
    if (!is_newest(l, v) || (op != IR_INT && op != IR_NULL && op != IR_REAL))
        return false;
    l->f->insts.count--;
    l->f->blocks.items[l->block].count--;
    return true;
}

/* ---- addresses and memory ------------------------------------------------------------------- */

ir_value emit_local(struct lower *l, struct node *at, int index)
{
    const struct type *t = pointer_to(l, l->f->locals.items[index].type);
    return emit(l, at, (struct ir_inst){.op = IR_LOCAL, .type = t, .integer = index});
}

ir_value emit_global(struct lower *l, struct node *at, const struct ir_global *g)
{
    const struct type *t = pointer_to(l, g->type);
    return emit(l, at, (struct ir_inst){.op = IR_GLOBAL, .type = t, .name = g->name});
}

ir_value emit_field(struct lower *l, struct node *at, ir_value address, const struct symbol *field)
{
    return emit(l, at,
                (struct ir_inst){.op = IR_FIELD,
                                 .type = pointer_to(l, field->type),
                                 .integer = field->index,
                                 .name = field->name,
                                 .args = &address,
                                 .arg_count = 1});
}

ir_value emit_element(struct lower *l, struct node *at, ir_value address, ir_value index)
{
    return emit_with(l, at, IR_ELEMENT, inst_of(l, address)->type, address, index);
}

ir_value emit_decay(struct lower *l, struct node *at, ir_value address, const struct type *array)
{
    return emit_with(l, at, IR_CONVERT, pointer_to(l, array->of), address, 0);
}

ir_value emit_load(struct lower *l, struct node *at, ir_value address, const struct type *t)
{
    switch (t->kind) {
    case TYPE_VOID:
        return 0;
    case TYPE_ARRAY:
        return emit_decay(l, at, address, t);
    case TYPE_RECORD:
    case TYPE_FUNCTION:
        return address;
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_POINTER:
    case TYPE_DYN:
    case TYPE_UNKNOWN:
        break;
    }
    return emit_with(l, at, IR_LOAD, t, address, 0);
}

void emit_store(struct lower *l, struct node *at, ir_value address, ir_value value)
{
    emit_with(l, at, IR_STORE, NULL, address, value);
}

void emit_copy(struct lower *l, struct node *at, ir_value to, ir_value from)
{
    emit_with(l, at, IR_COPY, NULL, to, from);
}

void emit_zero(struct lower *l, struct node *at, ir_value address)
{
    emit_with(l, at, IR_ZERO, NULL, address, 0);
}

ir_value emit_temporary(struct lower *l, struct node *at, const struct type *t)
{
    int index = ir_local_new(l->unit, l->f, "", t, at ? span_of(l, at) : (struct span){0});
    return emit_local(l, at, index);
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

/* Of two ints; false if the result is undefined or the operator is not in the table. */
static bool fold(enum ir_arith arith, int64_t a, int64_t b, int64_t *result)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    bool divides = (arith == ARITH_DIV || arith == ARITH_REM);
    if (divides && (b == 0 || b == -1 || a < 0 || b < 0))
        return false;
    if ((arith == ARITH_SHL || arith == ARITH_SHR) && (b < 0 || b > 63 || a < 0))
        return false;
    switch (arith) {
    case ARITH_ADD:
        *result = (int64_t)(x + y);
        return true;
    case ARITH_SUB:
        *result = (int64_t)(x - y);
        return true;
    case ARITH_MUL:
        *result = (int64_t)(x * y);
        return true;
    case ARITH_DIV:
        *result = a / b;
        return true;
    case ARITH_REM:
        *result = a % b;
        return true;
    case ARITH_AND:
        *result = (int64_t)(x & y);
        return true;
    case ARITH_OR:
        *result = (int64_t)(x | y);
        return true;
    case ARITH_XOR:
        *result = (int64_t)(x ^ y);
        return true;
    case ARITH_SHL:
        *result = (int64_t)(x << b);
        return true;
    case ARITH_SHR:
        *result = a >> b;
        return true;
    case ARITH_EQ:
        *result = a == b;
        return true;
    case ARITH_NE:
        *result = a != b;
        return true;
    case ARITH_LT:
    case ARITH_LE:
    case ARITH_GT:
    case ARITH_GE:
    case ARITH_NEG:
    case ARITH_NOT:
    case ARITH_LNOT:
    case ARITH_COUNT:
        break;
    }
    return false;
}

ir_value emit_binary(struct lower *l, struct node *at, enum ir_arith arith, const struct type *t,
                     ir_value a, ir_value b)
{
    int64_t x, y, result;
    if (t->kind == TYPE_INT && is_int(l, a, &x) && is_int(l, b, &y) && fold(arith, x, y, &result) &&
        take_back(l, b)) {
        take_back(l, a);
        return emit_int(l, at, t, result);
    }
    ir_value args[] = {a, b};
    struct ir_inst inst = {
        .op = IR_BINARY, .type = t, .arith = arith, .args = args, .arg_count = 2};
    return emit(l, at, inst);
}

static bool fold_unary(struct lower *l, struct node *at, enum ir_arith arith, const struct type *t,
                       ir_value *v)
{
    int64_t x;
    if (inst_of(l, *v)->op == IR_REAL && arith == ARITH_NEG && t->kind == TYPE_FLOAT) {
        double real = inst_of(l, *v)->real;
        if (!take_back(l, *v))
            return false;
        *v = emit_real(l, at, t, -real);
        return true;
    }
    if (t->kind != TYPE_INT || !is_int(l, *v, &x) || !take_back(l, *v))
        return false;
    int64_t results[] = {[ARITH_NEG - ARITH_NEG] = (int64_t)(0 - (uint64_t)x),
                         [ARITH_NOT - ARITH_NEG] = ~x,
                         [ARITH_LNOT - ARITH_NEG] = !x};
    *v = emit_int(l, at, t, results[arith - ARITH_NEG]);
    return true;
}

ir_value emit_unary(struct lower *l, struct node *at, enum ir_arith arith, const struct type *t,
                    ir_value a)
{
    if (fold_unary(l, at, arith, t, &a))
        return a;
    struct ir_inst inst = {.op = IR_UNARY, .type = t, .arith = arith, .args = &a, .arg_count = 1};
    return emit(l, at, inst);
}

/* A constant of another type is emitted as such. */
static ir_value convert_constant(struct lower *l, struct node *at, ir_value v,
                                 const struct type *to)
{
    struct ir_inst inst = *inst_of(l, v);
    bool number = to->kind == TYPE_INT || to->kind == TYPE_BOOL || to->kind == TYPE_FLOAT;
    if (inst.op == IR_INT && to->kind == TYPE_FLOAT && !inst.type->is_signed && inst.integer < 0)
        return take_back(l, v) ? emit_real(l, at, to, (double)(uint64_t)inst.integer) : 0;
    if (inst.op == IR_INT && (number || (to->kind == TYPE_POINTER && inst.integer == 0)))
        return take_back(l, v) ? emit_int(l, at, to, inst.integer) : 0;
    if (inst.op == IR_REAL && to->kind == TYPE_FLOAT)
        return take_back(l, v) ? emit_real(l, at, to, inst.real) : 0;
    if (inst.op == IR_NULL && to->kind == TYPE_POINTER)
        return take_back(l, v) ? emit_null(l, at, to) : 0;
    return 0;
}

ir_value emit_convert(struct lower *l, struct node *at, ir_value v, const struct type *to)
{
    if (!v || to->kind == TYPE_VOID)
        return 0;
    if (inst_of(l, v)->type == to || is_aggregate(to) || to->kind == TYPE_FUNCTION)
        return v;
    ir_value constant = convert_constant(l, at, v, to);
    return constant ? constant : emit_with(l, at, IR_CONVERT, to, v, 0);
}

/* ---- what is not known ---------------------------------------------------------------------- */

ir_value emit_some_of(struct lower *l, struct node *at, const struct type *t, const char *why,
                      const ir_value *args, int arg_count)
{
    ir_value v = emit(l, at,
                      (struct ir_inst){.op = IR_ANYTHING,
                                       .type = t,
                                       .name = why,
                                       .args = (ir_value *)(uintptr_t)args, /* copied */
                                       .arg_count = arg_count});
    return t->kind == TYPE_VOID ? 0 : v;
}

ir_value emit_some(struct lower *l, struct node *at, const struct type *t, const char *why)
{
    return emit_some_of(l, at, t, why, NULL, 0);
}

ir_value emit_anything(struct lower *l, struct node *at, const struct type *t, const char *why,
                       const ir_value *args, int arg_count)
{
    if (is_live(l))
        ir_note_add(l->unit, at ? span_of(l, at) : (struct span){0}, why);
    return emit_some_of(l, at, t, why, args, arg_count);
}

/* ---- control -------------------------------------------------------------------------------- */

bool is_live(const struct lower *l)
{
    return l->block != NOWHERE;
}

void emit_stop(struct lower *l, struct node *at)
{
    emit(l, at, (struct ir_inst){.op = IR_STOP});
    l->block = NOWHERE;
}

int label_block(struct lower *l, struct label *label)
{
    if (!label->block)
        label->block = ir_block_new(l->unit, l->f);
    return label->block;
}

void jump_to(struct lower *l, struct node *at, struct label *to)
{
    if (!is_live(l))
        return;
    emit(l, at, (struct ir_inst){.op = IR_JUMP, .target = {label_block(l, to)}});
    l->block = NOWHERE;
}

void branch_to(struct lower *l, struct node *at, ir_value v, struct label *yes, struct label *no)
{
    if (is_live(l)) {
        int targets[] = {label_block(l, yes), label_block(l, no)};
        emit(l, at,
             (struct ir_inst){
                 .op = IR_BRANCH, .args = &v, .arg_count = 1, .target = {targets[0], targets[1]}});
    }
    l->block = NOWHERE;
}

/* A duplicate label (an error in the source) refers to its first definition; what follows the
 * second is only reached by falling through. */
void place(struct lower *l, struct label *label)
{
    struct label second = {0};
    if (!label->block)
        return;
    if (label->is_placed) {
        place_head(l, &second);
        return;
    }
    label->is_placed = true;
    jump_to(l, NULL, label);
    go_on_in(l, label->block);
}

/* Dead temporaries are dropped at block boundaries: a long block is split, so that the analysis
 * does not carry all temporaries along. */
enum { LONG_BLOCK = 1000 };

void part_block(struct lower *l)
{
    struct label next = {0};
    if (is_live(l) && l->f->blocks.items[l->block].count >= LONG_BLOCK)
        place_head(l, &next);
}

void place_head(struct lower *l, struct label *label)
{
    label_block(l, label);
    place(l, label);
}
