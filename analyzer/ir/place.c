/* Places: the part of a local that an address points to, by the code alone. An element with a
 * variable index is any of them. */
#include "analyzer/ir/ir.h"

/* Only an array that decays to a pointer to its first element is the same place. */
static bool decays(const struct ir_function *f, const struct ir_inst *convert)
{
    const struct type *from = f->insts.items[convert->args[0]].type, *to = convert->type;
    return from && to && from->kind == TYPE_POINTER && to->kind == TYPE_POINTER && from->of &&
           from->of->kind == TYPE_ARRAY && from->of->of == to->of;
}

static int64_t step_of(const struct ir_function *f, const struct ir_inst *i)
{
    const struct ir_inst *index = i->op == IR_ELEMENT ? &f->insts.items[i->args[1]] : NULL;
    const struct type *at = f->insts.items[i->args[0]].type;
    if (i->op == IR_FIELD)
        return at && at->kind == TYPE_POINTER && at->of && at->of->is_union ? IR_PLACE_ANY
                                                                            : i->integer;
    return index->op == IR_INT ? index->integer : IR_PLACE_ANY;
}

bool ir_place_of(const struct ir_function *f, ir_value address, struct ir_place *out)
{
    bool element = false; /* the step before was one: pointer arithmetic has no place */
    out->depth = 0;
    while (address) {
        const struct ir_inst *i = &f->insts.items[address];
        if (i->op == IR_LOCAL) {
            out->local = i->integer;
            return !f->locals.items[i->integer].is_static;
        }
        bool steps = i->op == IR_FIELD || i->op == IR_ELEMENT;
        if ((!steps && (i->op != IR_CONVERT || !decays(f, i))) ||
            (i->op == IR_ELEMENT && element) || (steps && out->depth == IR_PLACE_DEPTH))
            return false;
        if (steps)
            out->path[out->depth++] = step_of(f, i);
        element = i->op == IR_ELEMENT;
        address = i->args[0];
    }
    return false;
}

enum ir_overlap ir_places_overlap(const struct ir_place *a, const struct ir_place *b)
{
    int common = a->depth < b->depth ? a->depth : b->depth;
    bool any = false;
    if (a->local != b->local)
        return IR_DISJOINT;
    for (int k = 0; k < common; k++) { /* paths go from the inside out */
        int64_t x = a->path[a->depth - 1 - k], y = b->path[b->depth - 1 - k];
        any |= x == IR_PLACE_ANY || y == IR_PLACE_ANY;
        if (x != y && x != IR_PLACE_ANY && y != IR_PLACE_ANY)
            return IR_DISJOINT;
    }
    return a->depth != b->depth ? IR_PARTLY : any ? IR_PERHAPS : IR_SAME;
}

void ir_locals_escaping(const struct ir_function *f, bool *escapes)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        bool part = i->op == IR_FIELD || i->op == IR_ELEMENT || i->op == IR_CONVERT;
        bool used = i->op == IR_LOAD || i->op == IR_STORE || i->op == IR_ZERO;
        struct ir_place p, q;
        for (int k = 0; k < i->arg_count; k++)
            if (ir_place_of(f, i->args[k], &p) &&
                !(k == 0 && (used || (part && ir_place_of(f, n, &q)))))
                escapes[p.local] = true;
    }
}
