/* Places in memory as code writes them: what they are part of, and whether they keep a tensor from
 * one round to the next, such as the state of a cell or an average. */
#include "rules/engine/engine.h"

#include <string.h>

ir_value place_base(const struct ir_function *f, ir_value place)
{
    ir_value base = value_behind(f, place);
    while (inst_at(f, base)->op == IR_FIELD || inst_at(f, base)->op == IR_ELEMENT)
        base = value_behind(f, inst_at(f, base)->args[0]);
    return base;
}

const char *record_of_field(const struct ir_function *f, ir_value place)
{
    const struct ir_inst *i = &f->insts.items[place];
    const struct type *t = i->op == IR_FIELD ? f->insts.items[i->args[0]].type : NULL;
    return t && t->of ? t->of->name : NULL;
}

bool is_same_field(const struct ir_function *f, ir_value a, const struct ir_function *g, ir_value b)
{
    const char *x = record_of_field(f, a), *y = record_of_field(g, b);
    return x && y && !strcmp(x, y) && f->insts.items[a].integer == g->insts.items[b].integer;
}

bool place_outlives(const struct ir_function *f, ir_value place)
{
    enum ir_op op = f->insts.items[place_base(f, place)].op;
    return op != IR_LOCAL && op != IR_SET && is_from_outside(f, place);
}

const char *place_read(struct check *c, const struct ir_function *f, ir_value v)
{
    v = value_within(c, f, v);
    return ir_op_reads(f->insts.items[v].op) ? value_name(c->in->arena, f, v) : NULL;
}

bool comes_from_place(struct check *c, const struct ir_function *f, ir_value v, const char *place,
                      int depth)
{
    const char *read = place_read(c, f, v);
    if (read)
        return !strcmp(read, place);
    const struct ir_inst *i = &f->insts.items[value_within(c, f, v)];
    bool calls = i->op == IR_CALL || i->op == IR_INVOKE || i->op == IR_APPLY;
    for (int k = 0; calls && depth && k < i->arg_count; k++)
        if (comes_from_place(c, f, i->args[k], place, depth - 1))
            return true;
    return false;
}
