/* A function can return without ending an autocast region that it began. Up to MAX_WAYS such
 * returns are listed. */
#include "rules/engine/engine.h"

enum { MAX_WAYS = 4 };

static bool ends(struct check *c, const struct ir_inst *i, const void *context)
{
    const struct pack_function *f =
        i->op == IR_CALL && i->name ? packs_find(c->in->packs, i->name) : NULL;
    (void)context;
    return f && f->effects & EFFECT_AUTOCAST_END;
}

/* A function that returns the region leaves it to its caller to end it. */
static bool hands_it_on(const struct call *call)
{
    const struct type *mine = call->function->insts.items[call->inst].type;
    const struct type *returned = call->function->type->of;
    return mine && mine->kind == TYPE_POINTER && returned == mine->of;
}

/* The return statement, or the end of a body without one. */
static struct span way_out(const struct ir_function *f, const struct ir_inst *i)
{
    struct span end = f->span;
    end.line = end.end_line;
    end.column = end.end_column - 1;
    return i->span.line ? i->span : end;
}

static void list_returns(struct check *c, const struct call *call, struct finding *out)
{
    const struct ir_function *f = call->function;
    int told = 0;
    for (int n = 1; n < f->insts.count && told < MAX_WAYS; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op != IR_RETURN || !path_exists(c, f, call->inst, n, ends, NULL))
            continue;
        struct span at = way_out(f, i);
        finding_place(c, out, "left open at", &at);
        told++;
    }
}

static void check(struct check *c, const struct call *call)
{
    if (!(call->callee->effects & EFFECT_AUTOCAST_BEGIN) || hands_it_on(call) ||
        !path_exists(c, call->function, call->inst, 0, ends, NULL))
        return;
    list_returns(c, call,
                 finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                             "%s can return without ending this region: %s is missing on some path",
                             call->function->name,
                             write_function_with(c, call->callee, EFFECT_AUTOCAST_END, "its end")));
}

const struct rule_code rule_autocast_left_open = {.call = check};
