/* Places that keep a tensor from one round to the next, such as the state of a cell or an average:
 * by their names, as the function writes them. */
#include "rules/engine/engine.h"

#include <string.h>

bool place_outlives(const struct ir_function *f, ir_value place)
{
    ir_value base = value_behind(f, place);
    while (f->insts.items[base].op == IR_FIELD || f->insts.items[base].op == IR_ELEMENT)
        base = value_behind(f, f->insts.items[base].args[0]);
    enum ir_op op = f->insts.items[base].op;
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
