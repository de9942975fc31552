/* How often something is added to the same tensor: sums and means that are computed in loops. */
#include "rules/engine/engine.h"

#include <math.h>
#include <string.h>

/* How often the call that made it is run; 0: not known, or nothing made it. Casts in code that is
 * not shown are no calls of the program's. */
static double rounds_of(struct check *c, const struct step *made)
{
    const struct flow_call *by =
        made && made->inst ? flow_call_of(c->in->flow, made->function, made->inst) : NULL;
    return by ? by->rounds : made ? made->rounds : 0;
}

static bool is_reset(const struct pack_function *f)
{
    return f->values == VALUES_FILL || f->values == VALUES_ZEROS || f->values == VALUES_SOURCE;
}

/* The tensor that a call changes in place was made there. */
static bool changes(const struct flow_call *call, const struct step *made)
{
    for (int i = 0; i < call->operand_count; i++) {
        const struct flow_operand *o = &call->operands[i];
        bool is_same = o->how && o->how->inst == made->inst && o->how->function == made->function;
        if (is_same && call->callee->params[o->param].written)
            return true;
    }
    return false;
}

/* x[i] += y stores the sum where it was, once more. */
static bool stores_back(const struct flow_call *other, const struct call *call)
{
    const struct ir_inst *i = &other->function->insts.items[other->inst];
    return other->function == call->function && i->op == IR_APPLY &&
           i->integer == PROTOCOL_SETITEM && i->args[2] == call->inst;
}

/* How often the sum begins anew; 0: not known, or something else is done to it, too. */
static double times_begun(struct check *c, const struct call *call, const struct step *made)
{
    double times = rounds_of(c, made);
    for (int i = 0; i < flow_call_count(c->in->flow); i++) {
        const struct flow_call *other = flow_call_at(c->in->flow, i);
        bool is_itself = other->function == call->function && other->inst == call->inst;
        if (is_itself || stores_back(other, call) || !changes(other, made))
            continue;
        times = is_reset(other->callee) ? fmax(times, other->rounds) : 0;
        if (!times)
            return 0;
    }
    return times;
}

const struct step *sum_beginning(const struct call *call, const struct argument *sum)
{
    const struct step *made = NULL;
    for (int i = 0; sum->flow && i < sum->flow->made_count; i++) {
        const struct step *s = sum->flow->made[i];
        if (s->function == call->function && s->inst == call->inst)
            continue;
        if (made)
            return NULL;
        made = s;
    }
    return sum->flow && sum->flow->made_count < FLOW_ALIASES ? made : NULL;
}

double times_added(struct check *c, const struct call *call, const struct step *made)
{
    const struct flow_call *here = flow_call_of(c->in->flow, call->function, call->inst);
    double begun = here ? times_begun(c, call, made) : 0;
    return begun ? here->rounds / begun : 0;
}

bool is_part_of_way(struct check *c, const struct argument *change, const struct argument *state)
{
    struct call part, way;
    double number;
    if (!argument_maker(c, change, &part) || part.family != FAMILY_DIVIDE ||
        argument_number(&part, call_argument(&part, ROLE_RIGHT), &number) ||
        !argument_maker(c, call_argument(&part, ROLE_LEFT), &way) || way.family != FAMILY_SUBTRACT)
        return false;
    const struct argument *from = call_argument(&way, ROLE_RIGHT);
    return argument_is_tensor(from) && from->seen->how && from->seen->how == state->seen->how;
}

double times_run(struct check *c, const struct ir_function *f)
{
    double times = 0;
    for (int n = 1; n < f->insts.count; n++) {
        const struct flow_call *other = flow_call_of(c->in->flow, f, n);
        if (other && !is_in_loop(code_view(c, f), n))
            times = fmax(times, other->rounds);
    }
    return times ? times : 1;
}

/* Whether the instruction makes the field NULL that f has at that address: by itself, or all fields
 * of its record. */
static bool empties(const struct ir_function *g, const struct ir_inst *i,
                    const struct ir_function *f, ir_value address)
{
    if (i->op == IR_STORE)
        return is_same_field(g, i->args[0], f, address) &&
               g->insts.items[value_behind(g, ir_written(i))].op == IR_NULL;
    const struct type *t = i->op == IR_ZERO ? g->insts.items[i->args[0]].type : NULL;
    return t && t->of && t->of->name && !strcmp(t->of->name, record_of_field(f, address));
}

double times_emptied(struct check *c, const struct ir_function *f, ir_value address)
{
    double times = 0;
    if (!record_of_field(f, address))
        return 0;
    for (int u = 0; u < c->in->unit_count; u++)
        for (int k = 0; k < c->in->units[u]->functions.count; k++) {
            const struct ir_function *g = c->in->units[u]->functions.items[k];
            for (int n = 1; n < g->insts.count; n++) {
                if (!empties(g, &g->insts.items[n], f, address))
                    continue;
                if (is_in_loop(code_view(c, g), n))
                    return 0;
                times = fmax(times, times_run(c, g));
            }
        }
    return times;
}
