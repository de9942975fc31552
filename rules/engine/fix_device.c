/* Fixes of failures whose operands are on different devices: one is created where the other is,
 * moved together with its siblings, or moved in the call. */
#include "rules/engine/engine.h"

#include <string.h>

/* Whether it is the weight of a layer in a library: the operand of that name. */
static bool is_weight(const struct failing *f, const struct failing_operand *o)
{
    const char *weight = pack_spelling_of(f->failure->callee)->weight;
    return o->param->role == ROLE_WEIGHT || (weight && !strcmp(o->param->name, weight));
}

static bool has_device(const struct fact *f, const void *device)
{
    return f->devices >> *(const enum device *)device & 1;
}

/* The operand, or one that it was computed from, on the same device; NULL: neither has a name. */
static const char *name_there(struct check *c, const struct failing *f,
                              const struct failing_operand *to)
{
    const struct ir_function *fn = f->failure->function;
    const char *name = to->value ? value_name(c->in->arena, fn, to->value) : NULL;
    struct call made;
    if (!name && is_weight(f, to))
        name = failing_weight(c, f);
    if (name || !to->value || !call_view(c, fn, to->value, &made))
        return name;
    for (int k = 0; k < made.count && !name; k++) {
        const struct argument *a = &made.arguments[k];
        if (argument_is_tensor(a) && fact_places(&a->seen->fact) == operand_places(&to->is))
            name = value_name(c->in->arena, fn, a->value);
    }
    return name;
}

/* Whether it is to be moved along: it is where the odd one is. */
static bool is_moved(const struct failing_operand *o, const struct failing_operand *odd)
{
    return o == odd || (o->is.kind == OPERAND_TENSOR && !o->is.zero_dim && !o->param->written &&
                        operand_places(&o->is) == operand_places(&odd->is));
}

static bool move_all(struct check *c, const struct failing *f, struct finding *out,
                     const struct failing_operand *odd, const char *to)
{
    const struct written_call at = {f->failure->function, f->failure->inst, f->failure->callee};
    for (int k = 0; k < f->count; k++)
        if (is_moved(&f->operands[k], odd) && !fix_move(c, out, &at, f->operands[k].span, to)) {
            out->fix = (struct fix){0};
            return false;
        }
    return out->fix.edits.count > 0;
}

/* "move w and b to where x is" */
static const char *what_is_moved(struct check *c, const struct failing *f,
                                 const struct failing_operand *odd, const char *to)
{
    struct text out = {0};
    for (int k = 0; k < f->count; k++)
        if (is_moved(&f->operands[k], odd))
            text_printf(&out, "%s%s", out.length ? " and " : "move ", f->operands[k].name);
    text_printf(&out, " to where %s is", to);
    return text_keep(c->in->arena, &out);
}

/* Moved to the device of another: all operands that are where the odd one is. */
void fix_device(struct check *c, const struct failing *given, struct finding *out,
                const struct failing_operand *o, const struct failing_operand *to)
{
    struct failing adopted, *f = &adopted;
    failing_adopt(c, given, f);
    o = &f->operands[o - given->operands];
    to = &f->operands[to - given->operands];
    const struct written_call at = {f->failure->function, f->failure->inst, f->failure->callee};
    struct operand operands[MAX_COMBINED];
    bool unsafe = false, one = true;
    memcpy(operands, f->combination, sizeof operands);
    for (int k = 0; k < f->count; k++)
        if (is_moved(&f->operands[k], o)) {
            operands[f->operands[k].at].device = to->is.device;
            operands[f->operands[k].at].gpus = to->is.gpus;
            unsafe |= is_model_weight(f, &f->operands[k]);
            one &= &f->operands[k] == o;
        }
    const char *name = name_there(c, f, to);
    if (!failing_works(f, operands))
        return;
    if (one && to->is.device == DEVICE_CUDA && fix_registered(c, out, f, o)) {
        out->fix.safe = f->failure->always;
        return;
    }
    if (one &&
        (fix_created_on(c, out, f, o, to) ||
         fix_sibling(c, out, at.function, o->value, "move", has_device, &to->is.device, &unsafe))) {
        out->fix.safe = f->failure->always && !unsafe;
        return;
    }
    if (o->param->written || !name || !move_all(c, f, out, o, write_device_of(c, &at, name)))
        return;
    out->fix.what = what_is_moved(c, f, o, name);
    out->fix.safe = f->failure->always && !unsafe;
}

void fix_devices(struct check *c, const struct failing *f, struct finding *out)
{
    const struct failing_operand *cpu = failing_on(f, DEVICE_CPU),
                                 *cuda = failing_on(f, DEVICE_CUDA);
    int on_gpu = 0, on_cpu = 0;
    bool first = false;
    for (int k = 0; k < f->count; k++) {
        const struct failing_operand *o = &f->operands[k];
        if (o->is.kind != OPERAND_TENSOR || !is_computed_with(o))
            continue;
        first |= !on_gpu && !on_cpu && o == cuda;
        on_gpu += o->is.device == DEVICE_CUDA;
        on_cpu += o->is.device == DEVICE_CPU;
    }
    if (on_gpu == 1 && on_cpu > 1 && !first)
        fix_device(c, f, out, cuda, cpu);
    else
        fix_device(c, f, out, cpu, cuda);
}
