/* Functions that take a tensor out of where it is kept, such as the first of a queue: they make
 * none, and change memory that is not their own. */
#include "analyzer/flow/analysis.h"

static bool is_tensor(const struct flow *f, const struct type *t)
{
    return t && t->kind == TYPE_POINTER && t->of && t->of->kind == TYPE_RECORD &&
           packs_is_tensor_type(f->packs, t->of->name);
}

/* What it returns was made elsewhere. */
static bool makes_tensors(const struct flow *f, const struct ir_function *fn)
{
    for (int n = 1; n < fn->insts.count; n++)
        if (fn->insts.items[n].op == IR_CALL && is_tensor(f, fn->insts.items[n].type))
            return true;
    return false;
}

/* It changes memory that is not its own. */
static bool changes_memory(const struct ir_function *fn)
{
    const struct ir_inst *all = fn->insts.items;
    for (int n = 1; n < fn->insts.count; n++)
        if (all[n].op == IR_STORE && all[all[n].args[0]].op != IR_LOCAL)
            return true;
    return false;
}

bool takes_out(const struct flow *f, const struct ir_function *fn)
{
    const struct type *result = fn->type ? fn->type->of : NULL;
    return is_tensor(f, result) && !makes_tensors(f, fn) && changes_memory(fn);
}
