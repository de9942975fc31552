/* Instructions and blocks: what the rest of lowering appends goes through here, with its place in
 * the source. Code that cannot be reached is lowered too, into blocks of its own. */
#include "frontends/python/lower.h"

#include <string.h>

/* ---- nodes ----------------------------------------------------------------------------------- */

const char *node_text(struct lower *l, TSNode n, size_t *length)
{
    uint32_t from = node_is_null(n) ? 0 : ts_node_start_byte(n);
    *length = node_is_null(n) ? 0 : ts_node_end_byte(n) - from;
    return l->parsed->text + from;
}

const char *node_name(struct lower *l, TSNode n)
{
    size_t length;
    const char *text = node_text(l, n, &length);
    return name_of_range(l->unit->names, text, length);
}

bool py_is_text(struct lower *l, TSNode n, const char *text)
{
    size_t length;
    const char *at = node_text(l, n, &length);
    return length == strlen(text) && memcmp(at, text, length) == 0;
}

struct span node_span(struct lower *l, TSNode n)
{
    if (node_is_null(n))
        return (struct span){0};
    TSPoint from = ts_node_start_point(n), to = ts_node_end_point(n);
    struct span s = {.file = l->unit->file,
                     .line = (int)from.row + 1,
                     .column = (int)from.column + 1,
                     .end_line = (int)to.row + 1,
                     .end_column = (int)to.column + 1};
    return span_is_good(&s) ? s : (struct span){0};
}

/* ---- blocks ---------------------------------------------------------------------------------- */

int py_new_block(struct lower *l)
{
    return ir_block_new(l->unit, l->scope->body->function);
}

void py_begin_block(struct lower *l, int block)
{
    struct body *b = l->scope->body;
    b->block = block;
    LIST_ADD(l->arena, &b->placed, block);
    b->function->blocks.items[block].catch = b->catch;
}

bool py_is_reachable(const struct lower *l)
{
    return l->scope->body->block >= 0;
}

ir_value py_emit(struct lower *l, TSNode at, struct ir_inst inst)
{
    struct body *b = l->scope->body;
    if (b->block < 0)
        py_begin_block(l, py_new_block(l));
    inst.span = node_span(l, at);
    if (!inst.type && ir_op_yields(inst.op) && inst.op != IR_APPLY)
        inst.type = l->dyn;
    ir_value v = ir_append(l->unit, b->function, b->block, inst);
    if (ir_op_ends(inst.op))
        b->block = -1;
    return v;
}

void py_emit_jump(struct lower *l, TSNode at, int block)
{
    if (py_is_reachable(l))
        py_emit(l, at, (struct ir_inst){.op = IR_JUMP, .target = {block, 0}});
}

void py_emit_branch(struct lower *l, TSNode at, ir_value v, int yes, int no)
{
    py_emit(l, at,
            (struct ir_inst){.op = IR_BRANCH, .args = &v, .arg_count = 1, .target = {yes, no}});
}

void py_emit_return(struct lower *l, TSNode at, ir_value v)
{
    py_emit(l, at, (struct ir_inst){.op = IR_RETURN, .args = &v, .arg_count = v != 0});
}

void py_emit_raise(struct lower *l, TSNode at, ir_value v)
{
    py_emit(l, at, (struct ir_inst){.op = IR_RAISE, .args = &v, .arg_count = v != 0});
}

int py_new_temporary(struct lower *l)
{
    return ir_local_new(l->unit, l->scope->body->function, "", l->dyn, (struct span){0});
}

/* ---- values ---------------------------------------------------------------------------------- */

void py_operand_add(struct lower *l, struct operands *o, ir_value v, const char *label)
{
    LIST_ADD(l->arena, &o->values, v);
    LIST_ADD(l->arena, &o->labels, label);
}

ir_value py_emit_int(struct lower *l, TSNode at, int64_t n)
{
    return py_emit(l, at, (struct ir_inst){.op = IR_INT, .integer = n});
}

ir_value py_emit_bool(struct lower *l, TSNode at, bool value)
{
    return py_emit(l, at, (struct ir_inst){.op = IR_INT, .integer = value, .type = l->boolean});
}

ir_value py_emit_none(struct lower *l, TSNode at)
{
    return py_emit(l, at, (struct ir_inst){.op = IR_NULL});
}

ir_value py_emit_text(struct lower *l, TSNode at, const char *text)
{
    return py_emit(l, at, (struct ir_inst){.op = IR_TEXT, .name = text});
}

ir_value py_emit_anything(struct lower *l, TSNode at, const char *why)
{
    ir_note_add(l->unit, node_span(l, at), why);
    return py_emit(l, at, (struct ir_inst){.op = IR_ANYTHING, .name = why});
}

ir_value py_emit_apply(struct lower *l, TSNode at, enum ir_protocol p, ir_value x, ir_value y,
                       ir_value z)
{
    ir_value args[] = {x, y, z};
    return py_emit(l, at,
                   (struct ir_inst){.op = IR_APPLY,
                                    .integer = p,
                                    .type = ir_protocol_yields(p) ? l->dyn : NULL,
                                    .args = args,
                                    .arg_count = (x != 0) + (y != 0) + (z != 0)});
}

ir_value py_emit_make(struct lower *l, TSNode at, enum ir_kind kind, const struct operands *of)
{
    return py_emit(l, at,
                   (struct ir_inst){.op = IR_MAKE,
                                    .integer = kind,
                                    .args = of->values.items,
                                    .labels = of->labels.items,
                                    .arg_count = of->values.count});
}

ir_value py_emit_attr(struct lower *l, TSNode at, ir_value of, const char *name)
{
    return py_emit(l, at,
                   (struct ir_inst){.op = IR_ATTR, .name = name, .args = &of, .arg_count = 1});
}

void py_emit_setattr(struct lower *l, TSNode at, ir_value of, const char *name, ir_value v)
{
    ir_value args[] = {of, v};
    py_emit(l, at, (struct ir_inst){.op = IR_SETATTR, .name = name, .args = args, .arg_count = 2});
}

ir_value py_emit_name(struct lower *l, TSNode at, const char *name)
{
    return py_emit(l, at, (struct ir_inst){.op = IR_NAME, .name = name});
}

ir_value py_emit_get(struct lower *l, TSNode at, int local)
{
    return py_emit(l, at, (struct ir_inst){.op = IR_GET, .integer = local});
}

void py_emit_set(struct lower *l, TSNode at, int local, ir_value v)
{
    py_emit(l, at, (struct ir_inst){.op = IR_SET, .integer = local, .args = &v, .arg_count = 1});
}

/* Operand 0 is what is called. */
ir_value py_emit_call(struct lower *l, TSNode at, ir_value callee, const struct operands *o)
{
    struct operands all = {0};
    py_operand_add(l, &all, callee, NULL);
    for (int i = 0; i < o->values.count; i++)
        py_operand_add(l, &all, o->values.items[i], o->labels.items[i]);
    return py_emit(l, at,
                   (struct ir_inst){.op = IR_CALL,
                                    .args = all.values.items,
                                    .labels = all.labels.items,
                                    .arg_count = all.values.count});
}
