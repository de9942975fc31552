/* A difference of bools, which is not defined: a logical not, an exclusive or, or a cast is meant.
 */
#include "rules/engine/engine.h"

static bool has_bool(const struct failing *f)
{
    for (int k = 0; k < f->count; k++)
        if (f->operands[k].is.dtype == DTYPE_BOOL)
            return true;
    return false;
}

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_SUBTRACT && has_bool(f);
}

/* "~mask" for "1 - mask", where the language has an operator for it. */
static bool invert(struct check *c, const struct call *call, const struct argument *x,
                   struct finding *out)
{
    const struct ir_inst *i = &call->function->insts.items[call->inst];
    const char *not_ = language_of(call->function)->invert;
    if (!not_ || i->op != IR_APPLY || i->integer != PROTOCOL_SUB || i->args[1] != x->value ||
        call->function->insts.items[i->args[0]].op != IR_INT ||
        call->function->insts.items[i->args[0]].integer != 1)
        return false;
    struct span before = call->function->insts.items[i->args[0]].span;
    const struct source *s = sources_get(c->in->sources, before.file);
    struct span at = s ? expression_with_brackets(s, &x->span) : x->span;
    before.end_line = at.line;
    before.end_column = at.column;
    fix_edit(c, out, before, not_);
    out->fix.what = arena_printf(c->in->arena, "invert %s", x->name);
    return true;
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    struct call call;
    const struct failing_operand *x = NULL;
    int bools = 0;
    for (int k = 0; k < f->count; k++)
        if (f->operands[k].is.kind == OPERAND_TENSOR && f->operands[k].is.dtype == DTYPE_BOOL) {
            x = &f->operands[k];
            bools++;
        }
    if (bools == 1 && call_view(c, f->failure->function, f->failure->inst, &call) &&
        invert(c, &call, &call.arguments[x->index], out))
        return;
    if (bools == 1 && !x->param->written && failing_works_with(f, x, DTYPE_I64) &&
        call_view(c, f->failure->function, f->failure->inst, &call))
        fix_argument(c, out, &call, &call.arguments[x->index], DTYPE_I64);
}

const struct rule_code rule_bool_minus = {.claims = claims, .refine = refine};
