/* Checks a unit against what ir.h requires, whether from a frontend or from the parser; the
 * first violation is reported with its place. Later stages rely on it and check nothing again. */
#include "analyzer/ir/private.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct checker {
    const struct ir_unit *unit;
    const struct ir_function *f;
    struct arena *scratch;
    int *block_of;    /* of each instruction; -1: in none */
    int *position_of; /* within its block */
    struct dominators dominators;
    struct ir_fault *where;
    struct error *error;
};

/* Reports what is wrong at the instruction, or with the function (0); returns false. */
static bool PRINTF_LIKE(3, 4) wrong(struct checker *c, int inst, const char *fmt, ...)
{
    char text[sizeof c->error->message];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    *c->where = (struct ir_fault){c->f, inst};
    if (!c->f)
        return error_set(c->error, "%s", text);
    if (!inst)
        return error_set(c->error, "function %s: %s", c->f->name, text);
    return error_set(c->error, "function %s, %%%d (%s): %s", c->f->name, inst,
                     ir_op_text(c->f->insts.items[inst].op), text);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static bool is_ordered(const struct span *s)
{
    return s->end_line > s->line || (s->end_line == s->line && s->end_column >= s->column);
}

static bool is_within(int at)
{
    return at >= 1 && at <= SPAN_MOST;
}

static bool is_counted(const struct span *s)
{
    return is_within(s->line) && is_within(s->column) && is_within(s->end_column) &&
           s->end_line <= SPAN_MOST;
}

bool span_is_good(const struct span *s)
{
    return s->file && is_counted(s) && is_ordered(s);
}

static bool check_span(struct checker *c, int inst, const struct span *s)
{
    if (s->line == 0)
        return true;
    if (!s->file)
        return wrong(c, inst, "a span without a file");
    if (!is_counted(s))
        return wrong(c, inst, "a span at %d:%d to column %d", s->line, s->column, s->end_column);
    return is_ordered(s) || wrong(c, inst, "a span that ends before it begins");
}

/* Values are scalars and pointers. */
static bool is_value_type(const struct type *t)
{
    switch (t->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_POINTER:
    case TYPE_DYN:
    case TYPE_UNKNOWN:
        return true;
    case TYPE_VOID:
    case TYPE_ARRAY:
    case TYPE_RECORD:
    case TYPE_FUNCTION:
        return false;
    }
    return false;
}

static bool check_operand_count(struct checker *c, int index, const struct ir_inst *inst)
{
    int wanted = ir_op_operands(inst->op);
    if (wanted >= 0 && inst->arg_count != wanted)
        return wrong(c, index, "%d operands, not %d", inst->arg_count, wanted);
    if (inst->op == IR_RETURN && inst->arg_count > 1)
        return wrong(c, index, "%d operands, not one", inst->arg_count);
    if (inst->op == IR_RAISE && inst->arg_count > 1)
        return wrong(c, index, "%d operands, not one", inst->arg_count);
    if ((inst->op == IR_CALL && !inst->name && inst->arg_count == 0) ||
        (inst->op == IR_INVOKE && inst->arg_count == 0))
        return wrong(c, index, "calls nothing");
    return true;
}

static bool check_yield(struct checker *c, int index, const struct ir_inst *inst)
{
    bool may_not = inst->op == IR_CALL || inst->op == IR_ANYTHING || inst->op == IR_APPLY;
    if (!inst->type)
        return !ir_op_yields(inst->op) || may_not ||
               wrong(c, index, "yields a value without a type");
    if (!ir_op_yields(inst->op))
        return wrong(c, index, "yields no value and has a type");
    if (!is_value_type(inst->type))
        return wrong(c, index, "a value is a scalar or a pointer");
    return true;
}

static bool check_arith(struct checker *c, int index, const struct ir_inst *inst)
{
    int operands = inst->op == IR_UNARY ? 1 : inst->op == IR_BINARY ? 2 : 0;
    if (!operands)
        return true;
    if ((int)inst->arith < 0 || inst->arith >= ARITH_COUNT ||
        ir_arith_operands(inst->arith) != operands)
        return wrong(c, index, "its operation does not take %d operands", operands);
    return true;
}

static bool check_protocol(struct checker *c, int index, const struct ir_inst *inst)
{
    int64_t what = inst->integer;
    if (inst->op == IR_MAKE &&
        (what < 0 || what >= KIND_COUNT || !ir_kind_takes((enum ir_kind)what, inst->arg_count)))
        return wrong(c, index, "is not made of %d operands", inst->arg_count);
    if (inst->op != IR_APPLY)
        return true;
    if (what < 0 || what >= PROTOCOL_COUNT ||
        !ir_protocol_takes((enum ir_protocol)what, inst->arg_count))
        return wrong(c, index, "does not take %d operands", inst->arg_count);
    if (ir_protocol_yields((enum ir_protocol)what) != (inst->type != NULL))
        return wrong(c, index,
                     inst->type ? "yields no value and has a type"
                                : "yields a value without a type");
    return true;
}

/* Labels are for arguments; those of operand 0, which is called, would have no meaning. A key comes
 * before its value. */
static bool check_labels(struct checker *c, int index, const struct ir_inst *inst)
{
    const char *form = ir_op_form(inst->op);
    int first = inst->op == IR_INVOKE || (inst->op == IR_CALL && !inst->name);
    for (int i = 0; inst->labels && i < inst->arg_count; i++) {
        const char *label = inst->labels[i];
        bool is_key = label && is_key_label(label);
        if (label && (i < first || !*label || !strchr(form, '*')))
            return wrong(c, index, "operand %d cannot have a label", i);
        if (is_key && (i + 1 == inst->arg_count || inst->labels[i + 1]))
            return wrong(c, index, "a key without a value");
    }
    return true;
}

static bool check_name(struct checker *c, int index, const struct ir_inst *inst)
{
    bool named = inst->op == IR_TEXT || strchr(ir_op_form(inst->op), 'n');
    if (named && !inst->name)
        return wrong(c, index, "has no name");
    if (inst->op == IR_GLOBAL && !ir_global_find(c->unit, inst->name))
        return wrong(c, index, "no global is named %s", inst->name);
    return true;
}

/* The record whose field is accessed, if it is known. */
static const struct type *record_at(const struct checker *c, ir_value address)
{
    const struct type *t = c->f->insts.items[address].type;
    t = t && t->kind == TYPE_POINTER ? t->of : NULL;
    return t && t->kind == TYPE_RECORD && t->field_count ? t : NULL;
}

/* Requires good operands. */
static bool check_index(struct checker *c, int index, const struct ir_inst *inst)
{
    bool is_local = inst->op == IR_LOCAL || inst->op == IR_GET || inst->op == IR_SET;
    if (is_local && (inst->integer < 0 || inst->integer >= c->f->locals.count))
        return wrong(c, index, "there is no local %lld", (long long)inst->integer);
    if (inst->op != IR_FIELD)
        return true;
    const struct type *record = record_at(c, inst->args[0]);
    if (inst->integer < 0 || (record && inst->integer >= record->field_count))
        return wrong(c, index, "there is no field %lld", (long long)inst->integer);
    return true;
}

/* What the function of a closure captures are locals of this one. */
static bool check_closure(struct checker *c, int index, const struct ir_inst *inst)
{
    const struct ir_function *of =
        inst->op == IR_CLOSURE ? ir_function_find(c->unit, inst->name) : NULL;
    for (int i = 0; of && i < of->locals.count; i++) {
        const struct ir_local *l = &of->locals.items[i];
        if (l->mode == MODE_CAPTURED && (l->outer < 0 || l->outer >= c->f->locals.count))
            return wrong(c, index, "captures local %d, which does not exist", l->outer);
    }
    return true;
}

static bool check_target(struct checker *c, int index, int block)
{
    return (block >= 0 && block < c->f->blocks.count) ||
           wrong(c, index, "there is no block b%d", block);
}

static bool check_targets(struct checker *c, int index, const struct ir_inst *inst)
{
    int count = inst->op == IR_BRANCH ? 2 : inst->op == IR_JUMP || inst->op == IR_SWITCH;
    for (int i = 0; i < count; i++)
        if (!check_target(c, index, inst->target[i]))
            return false;
    for (int i = 0; inst->op == IR_SWITCH && i < inst->case_count; i++) {
        if (!check_target(c, index, inst->cases[i].block))
            return false;
        if (inst->cases[i].low > inst->cases[i].high)
            return wrong(c, index, "a case with an empty range");
    }
    return true;
}

static bool check_operands(struct checker *c, int index, const struct ir_inst *inst)
{
    for (int i = 0; i < inst->arg_count; i++) {
        ir_value v = inst->args[i];
        if (v < 1 || v >= c->f->insts.count)
            return wrong(c, index, "operand %%%d does not exist", v);
        if (!c->f->insts.items[v].type)
            return wrong(c, index, "operand %%%d yields no value", v);
    }
    return true;
}

static bool check_inst(struct checker *c, int index)
{
    const struct ir_inst *inst = &c->f->insts.items[index];
    return check_operand_count(c, index, inst) && check_yield(c, index, inst) &&
           check_arith(c, index, inst) && check_protocol(c, index, inst) &&
           check_name(c, index, inst) && check_labels(c, index, inst) &&
           check_operands(c, index, inst) && check_index(c, index, inst) &&
           check_closure(c, index, inst) && check_targets(c, index, inst) &&
           check_span(c, index, &inst->span);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Finds the place of every instruction; requires nothing. */
static bool place_insts(struct checker *c, int block)
{
    const struct ir_block *b = &c->f->blocks.items[block];
    for (int i = 0; i < b->count; i++) {
        int index = b->insts[i];
        if (index < 1 || index >= c->f->insts.count)
            return wrong(c, 0, "b%d has an instruction %d, which does not exist", block, index);
        if ((int)c->f->insts.items[index].op < 0 || c->f->insts.items[index].op >= IR_OP_COUNT)
            return wrong(c, 0, "instruction %d has no op", index);
        if (c->block_of[index] >= 0)
            return wrong(c, index, "is in two places");
        c->block_of[index] = block;
        c->position_of[index] = i;
    }
    return true;
}

static bool check_end(struct checker *c, int block)
{
    const struct ir_block *b = &c->f->blocks.items[block];
    if (b->count == 0)
        return wrong(c, 0, "b%d is empty", block);
    if (b->catch < 0 || b->catch >= c->f->blocks.count || (b->catch && block == 0))
        return wrong(c, 0, "what is raised in b%d cannot be handled in b%d", block, b->catch);
    for (int i = 0; i < b->count; i++) {
        int index = b->insts[i];
        bool ends = ir_op_ends(c->f->insts.items[index].op);
        if (ends && i < b->count - 1)
            return wrong(c, index, "ends b%d before its last instruction", block);
        if (!ends && i == b->count - 1)
            return wrong(c, index, "b%d does not end with a terminator", block);
    }
    return true;
}

/* Whether the value is available whenever `index` runs. Unreachable code never runs. */
static bool is_available(const struct checker *c, int index, ir_value v)
{
    int here = c->block_of[index], there = c->block_of[v];
    if (c->dominators.order[here] < 0)
        return true;
    if (here == there)
        return c->position_of[v] < c->position_of[index];
    return dominates(&c->dominators, there, here);
}

static bool check_availability(struct checker *c, int index)
{
    const struct ir_inst *inst = &c->f->insts.items[index];
    for (int i = 0; i < inst->arg_count; i++)
        if (!is_available(c, index, inst->args[i]))
            return wrong(c, index, "operand %%%d is not computed on every path to here",
                         inst->args[i]);
    return true;
}

/* ---- functions ------------------------------------------------------------------------------- */

static bool check_locals(struct checker *c)
{
    for (int i = 0; i < c->f->locals.count; i++) {
        const struct ir_local *l = &c->f->locals.items[i];
        if (!l->name || !l->type || l->type->kind == TYPE_VOID)
            return wrong(c, 0, "local $%d has no name or type", i);
        if (l->is_static && i < c->f->param_count)
            return wrong(c, 0, "parameter $%d is static", i);
        if ((int)l->mode < 0 || l->mode >= MODE_COUNT ||
            (l->mode && (l->mode == MODE_CAPTURED) != (i >= c->f->param_count)) ||
            (l->has_default && i >= c->f->param_count))
            return wrong(c, 0, "local $%d is not filled like that", i);
        if (!check_span(c, 0, &l->span))
            return false;
    }
    return true;
}

static bool check_blocks(struct checker *c)
{
    int n = c->f->insts.count;
    c->block_of = arena_array(c->scratch, int, n);
    c->position_of = arena_array(c->scratch, int, n);
    for (int i = 0; i < n; i++)
        c->block_of[i] = -1;
    for (int b = 0; b < c->f->blocks.count; b++)
        if (!place_insts(c, b))
            return false;
    for (int i = 1; i < n; i++)
        if (c->block_of[i] < 0)
            return wrong(c, 0, "instruction %d is in no block", i);
    for (int b = 0; b < c->f->blocks.count; b++)
        if (!check_end(c, b))
            return false;
    return true;
}

static bool check_body(struct checker *c)
{
    if (!check_blocks(c))
        return false;
    for (int i = 1; i < c->f->insts.count; i++)
        if (!check_inst(c, i))
            return false;
    c->dominators = dominators_find(c->scratch, c->f);
    for (int i = 1; i < c->f->insts.count; i++)
        if (!check_availability(c, i))
            return false;
    return true;
}

static bool check_head(struct checker *c)
{
    const struct ir_function *f = c->f;
    if (!f->type || f->type->kind != TYPE_FUNCTION)
        return wrong(c, 0, "its type is not a function's");
    if (f->param_count != f->type->field_count)
        return wrong(c, 0, "%d parameters, its type has %d", f->param_count, f->type->field_count);
    if (f->locals.count < f->param_count && (f->has_body || f->locals.count))
        return wrong(c, 0, "%d locals for %d parameters", f->locals.count, f->param_count);
    if (f->has_body != (f->blocks.count > 0))
        return wrong(c, 0, f->has_body ? "a body without blocks" : "blocks without a body");
    if (ir_function_find(c->unit, f->name) != f)
        return wrong(c, 0, "there are two of that name");
    return check_span(c, 0, &f->span);
}

static bool check_function(struct checker *c, const struct ir_function *f)
{
    if (!f->name)
        return wrong(c, 0, "a function without a name");
    size_t used = arena_used(c->scratch);
    c->f = f;
    bool ok = check_head(c) && check_locals(c) && (!f->has_body || check_body(c));
    c->f = NULL;
    arena_rewind(c->scratch, used);
    return ok;
}

/* ---- the unit -------------------------------------------------------------------------------- */

static bool check_global(struct checker *c, const struct ir_global *g)
{
    if (!g->name || !g->type)
        return wrong(c, 0, "a global without a name or type");
    if (ir_global_find(c->unit, g->name) != g)
        return wrong(c, 0, "two globals are named %s", g->name);
    return check_span(c, 0, &g->span);
}

static bool check_record(struct checker *c, const struct type *t)
{
    if (t->kind != TYPE_RECORD || t->field_count == 0)
        return wrong(c, 0, "a record without fields is among the defined ones");
    for (int i = 0; i < t->field_count; i++)
        if (!t->fields[i].name || !t->fields[i].type)
            return wrong(c, 0, "record %s: field %d has no name or type", t->name, i);
    return true;
}

static bool check_unit(struct checker *c)
{
    const struct ir_unit *u = c->unit;
    if (u->functions.count == 0 || strcmp(u->functions.items[0]->name, IR_INIT) != 0)
        return wrong(c, 0, "the first function is not %s", IR_INIT);
    for (int i = 0; i < u->records.count; i++)
        if (!check_record(c, u->records.items[i]))
            return false;
    for (int i = 0; i < u->globals.count; i++)
        if (!check_global(c, u->globals.items[i]))
            return false;
    for (int i = 0; i < u->functions.count; i++)
        if (!check_function(c, u->functions.items[i]))
            return false;
    for (int i = 0; i < u->notes.count; i++)
        if (!check_span(c, 0, &u->notes.items[i].span))
            return false;
    return true;
}

bool ir_verify_where(const struct ir_unit *u, struct ir_fault *where, struct error *e)
{
    struct checker c = {.unit = u, .scratch = arena_new(), .where = where, .error = e};
    bool ok = check_unit(&c);
    arena_free(c.scratch);
    return ok;
}

bool ir_verify(const struct ir_unit *u, struct error *e)
{
    struct ir_fault where;
    return ir_verify_where(u, &where, e);
}
