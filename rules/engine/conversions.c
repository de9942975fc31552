/* The casts and moves applied to a tensor, by the step that made it. Built on first use, since most
 * programs never need it. */
#include "rules/engine/engine.h"

static void add_move(struct check *c, const struct step *how, const struct flow_call *seen)
{
    uint64_t key = (uint64_t)(uintptr_t)how;
    conversion_list *l = map_get(c->conversions, key);
    if (!l)
        map_put(c->conversions, key, l = arena_one(c->in->arena, conversion_list));
    LIST_ADD(c->in->arena, l, seen);
}

static void index_moves(struct check *c)
{
    c->conversions = map_new(c->in->arena);
    for (int i = 0; i < flow_call_count(c->in->flow); i++) {
        const struct flow_call *seen = flow_call_at(c->in->flow, i);
        if (seen->callee->family != FAMILY_CAST)
            continue;
        for (int k = 0; k < seen->operand_count; k++)
            if (seen->operands[k].kind == OPERAND_TENSOR && seen->operands[k].how)
                add_move(c, seen->operands[k].how, seen);
    }
}

const conversion_list *conversions_of(struct check *c, const struct step *how)
{
    static const conversion_list none;
    const struct check_watch *w = c->in->watch;
    if (w)
        w->moves(w->context);
    if (!c->conversions)
        index_moves(c);
    const conversion_list *l = how ? map_get(c->conversions, (uint64_t)(uintptr_t)how) : NULL;
    return l ? l : &none;
}
