/* A function can return without ending an autocast region that it began. Up to MAX_WAYS such
 * returns are listed. */
#include "rules/engine/engine.h"

#include <string.h>

enum { MAX_WAYS = 4 };
typedef LIST(struct span) span_list;

static bool ends(struct check *c, const struct ir_inst *i, const void *context)
{
    const struct pack_function *f =
        i->op == IR_CALL && i->name ? packs_find(c->in->packs, i->name) : NULL;
    (void)context;
    return f && f->effects & EFFECT_AUTOCAST_END;
}

/* Whether the address leads out of the function: through a pointer, or to a global. */
static bool is_outside(const struct ir_function *f, ir_value address)
{
    const struct ir_inst *i = &f->insts.items[address];
    while (i->op == IR_FIELD || i->op == IR_ELEMENT || i->op == IR_CONVERT)
        i = &f->insts.items[i->args[0]];
    return i->op == IR_LOAD || i->op == IR_GLOBAL;
}

static bool is_kept_outside(struct check *c, const struct call *call)
{
    const value_list *users = &code_view(c, call->function)->users[call->inst];
    for (int k = 0; k < users->count; k++) {
        const struct ir_inst *i = &call->function->insts.items[users->items[k]];
        if ((i->op == IR_COPY || i->op == IR_STORE) && i->args[1] == call->inst &&
            is_outside(call->function, i->args[0]))
            return true;
    }
    return false;
}

static bool function_ends_one(struct check *c, const struct ir_function *f)
{
    for (int n = 1; n < f->insts.count; n++)
        if (ends(c, &f->insts.items[n], NULL))
            return true;
    return false;
}

static bool is_ended_elsewhere(struct check *c, const struct ir_function *but)
{
    for (int u = 0; u < c->in->unit_count; u++)
        for (int k = 0; k < c->in->units[u]->functions.count; k++) {
            const struct ir_function *f = c->in->units[u]->functions.items[k];
            if (f != but && function_ends_one(c, f))
                return true;
        }
    return false;
}

static bool has_part(const struct type *whole, const struct type *part)
{
    for (int i = 0; whole && whole->kind == TYPE_RECORD && i < whole->field_count; i++)
        if (whole->fields[i].type == part)
            return true;
    return whole == part;
}

/* A function that returns the region, or keeps it where another function finds it, leaves it to
 * others to end it. */
static bool hands_it_on(struct check *c, const struct call *call)
{
    const struct type *mine = call->function->insts.items[call->inst].type;
    if (mine && mine->kind == TYPE_POINTER && has_part(call->function->type->of, mine->of))
        return true;
    return is_kept_outside(c, call) && is_ended_elsewhere(c, call->function);
}

/* The return statement, or the end of a body without one. */
static struct span way_out(const struct ir_function *f, const struct ir_inst *i)
{
    struct span end = f->span;
    end.line = end.end_line;
    end.column = end.end_column - 1;
    return i->span.line ? i->span : end;
}

/* The program gives up: nothing is computed any more. */
static bool gives_up(const struct ir_function *f, const struct ir_inst *i)
{
    const struct ir_inst *status = i->arg_count ? &f->insts.items[i->args[0]] : NULL;
    return !strcmp(f->name, "main") && status && status->op == IR_INT && status->integer != 0;
}

/* The returns that leave it open. */
static span_list open_returns(struct check *c, struct arena *a, const struct call *call)
{
    const struct ir_function *f = call->function;
    span_list found = {0};
    const bool *reached = paths_from(c, a, f, call->inst, ends, NULL);
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op == IR_RETURN && reached[n] && !gives_up(f, i))
            LIST_ADD(a, &found, way_out(f, i));
    }
    return found;
}

static void report(struct check *c, const struct call *call, const span_list *returns)
{
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "%s can return without ending this region: %s is missing on some path",
        call->function->name, write_function_with(c, call->callee, EFFECT_AUTOCAST_END, "its end"));
    for (int i = 0; i < returns->count && i < MAX_WAYS; i++)
        finding_place(c, out, "left open at", &returns->items[i]);
}

static void check(struct check *c, const struct call *call)
{
    if (!(call->callee->effects & EFFECT_AUTOCAST_BEGIN) || hands_it_on(c, call))
        return;
    struct arena *a = arena_new();
    span_list returns = open_returns(c, a, call);
    if (returns.count)
        report(c, call, &returns);
    arena_free(a);
}

const struct rule_code rule_autocast_left_open = {.call = check};
