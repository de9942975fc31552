/* How often a loop goes round whose bound is one of several numbers, as where an option may replace
 * the default: `for (i = 0; i < n; i++)`, with the largest of those that are known. */
#include "analyzer/flow/engine/engine.h"

/* The local that the value was read from, behind conversions; -1: none. */
static int64_t local_read(const struct ir_function *fn, ir_value n)
{
    const struct ir_inst *all = fn->insts.items;
    while (all[n].op == IR_CONVERT)
        n = all[n].args[0];
    bool is_local = all[n].op == IR_LOAD && all[all[n].args[0]].op == IR_LOCAL;
    return is_local ? all[all[n].args[0]].integer : -1;
}

/* What the store adds to the local; 0: it does something else. */
static int64_t added_by(const struct ir_function *fn, const struct ir_inst *store, int64_t local)
{
    const struct ir_inst *all = fn->insts.items;
    ir_value v = store->args[1];
    while (all[v].op == IR_CONVERT)
        v = all[v].args[0];
    const struct ir_inst *sum = &all[v];
    bool is_step = sum->op == IR_BINARY && sum->arith == ARITH_ADD &&
                   local_read(fn, sum->args[0]) == local && all[sum->args[1]].op == IR_INT;
    return is_step && all[sum->args[1]].integer > 0 ? all[sum->args[1]].integer : 0;
}

/* How far the one place in the loop moves the counter that writes it; 0: there are others. */
static int64_t step_of(const struct code *c, int head, int64_t local)
{
    const struct ir_inst *all = c->fn->insts.items;
    int64_t step = 0;
    int found = 0;
    for (int b = head; b <= c->loop_end[head]; b++)
        for (int k = 0; k < c->fn->blocks.items[b].count; k++) {
            const struct ir_inst *i = &all[c->fn->blocks.items[b].insts[k]];
            bool writes = i->op == IR_STORE && all[i->args[0]].op == IR_LOCAL &&
                          all[i->args[0]].integer == local;
            step = writes ? added_by(c->fn, i, local) : step;
            found += writes;
        }
    return found == 1 ? step : 0;
}

static double largest_known(struct path *p, const struct value *bound)
{
    value_list all = guard_values(p->f->scratch, p->s, bound);
    double most = 0;
    for (int k = 0; k < all.count; k++) {
        int64_t n;
        if (number_exact(all.items[k], &n) && (double)n > most)
            most = (double)n;
    }
    return most;
}

double default_trips(struct path *p, ir_value condition)
{
    const struct code *c = p->fr->code;
    const struct ir_inst *i = &c->fn->insts.items[condition];
    bool is_bound = i->op == IR_BINARY && (i->arith == ARITH_LT || i->arith == ARITH_NE) &&
                    c->block_of[condition] == p->block && c->loop_head[p->block];
    int64_t counter = is_bound ? local_read(c->fn, i->args[0]) : -1;
    int64_t step = counter >= 0 ? step_of(c, p->block, counter) : 0;
    if (!step)
        return 0;
    struct value from = path_get(p, i->args[0]), bound = path_get(p, i->args[1]);
    if (from.kind != VALUE_NUMBER || from.is_real)
        return 0;
    double distance = largest_known(p, &bound) - (double)value_low(&from);
    return distance > 0 && value_low(&from) >= 0 ? (distance + (double)(step - 1)) / (double)step
                                                 : 0;
}
