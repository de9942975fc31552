/* Handlers of exceptions: which of them take what a failing call raises. */
#include "analyzer/ir/ir.h"

#include <string.h>

/* What a block of a handler does with what was raised. */
struct handling {
    bool asks;    /* whether it is of a class, */
    bool is_ours; /* one that failing calls raise */
    bool leaves;  /* it is that of a region, or raises again */
};

static struct handling handling_in(const struct ir_function *fn, const struct ir_block *b)
{
    static const char *const ours[] = {"RuntimeError", "Exception", "BaseException"};
    struct handling h = {0};
    for (int k = 0; k < b->count; k++) {
        const struct ir_inst *i = &fn->insts.items[b->insts[k]];
        h.asks |= i->op == IR_APPLY && i->integer == PROTOCOL_ISA;
        h.leaves |= i->op == IR_RAISE || (i->op == IR_APPLY && i->integer == PROTOCOL_EXIT);
        for (int n = 0; i->op == IR_NAME && n < COUNT(ours); n++)
            h.is_ours |= !strcmp(i->name, ours[n]);
    }
    return h;
}

enum { MOST_CLAUSES = 16 };

bool ir_handles(const struct ir_function *fn, int handler)
{
    for (int clause = 0; clause < MOST_CLAUSES; clause++) {
        const struct ir_block *b = &fn->blocks.items[handler];
        const struct ir_inst *last = &fn->insts.items[b->insts[b->count - 1]];
        struct handling h = handling_in(fn, b);
        if (!h.asks || h.is_ours)
            return h.is_ours || !h.leaves;
        if (last->op != IR_BRANCH)
            return false;
        handler = last->target[1];
    }
    return false;
}

bool ir_is_tried(const struct ir_function *fn, ir_value inst)
{
    for (int i = 0; i < fn->blocks.count; i++) {
        const struct ir_block *b = &fn->blocks.items[i];
        for (int k = 0; b->catch && k < b->count; k++)
            if (b->insts[k] == inst)
                return ir_handles(fn, b->catch);
    }
    return false;
}
