/* Which casts and moves a tensor went through: by the step that made it. Built when it is first
 * asked for, since most programs never ask. */
#include "rules/engine/engine.h"

static void add_move(struct check *c, const struct step *how, const struct flow_call *seen)
{
    uint64_t key = (uint64_t)(uintptr_t)how;
    move_list *l = map_get(c->moves, key);
    if (!l)
        map_put(c->moves, key, l = arena_one(c->in->arena, move_list));
    LIST_ADD(c->in->arena, l, seen);
}

static void index_moves(struct check *c)
{
    c->moves = map_new(c->in->arena);
    for (int i = 0; i < flow_call_count(c->in->flow); i++) {
        const struct flow_call *seen = flow_call_at(c->in->flow, i);
        if (seen->callee->family != FAMILY_CAST)
            continue;
        for (int k = 0; k < seen->operand_count; k++)
            if (seen->operands[k].kind == OPERAND_TENSOR && seen->operands[k].how)
                add_move(c, seen->operands[k].how, seen);
    }
}

const move_list *moves_of(struct check *c, const struct step *how)
{
    static const move_list none;
    const struct check_watch *w = c->in->watch;
    if (w)
        w->moves(w->context);
    if (!c->moves)
        index_moves(c);
    const move_list *l = how ? map_get(c->moves, (uint64_t)(uintptr_t)how) : NULL;
    return l ? l : &none;
}
