/* Gradients are clipped while they are still scaled: the limit then depends on the current scale.
 * Or something is added to them that is not scaled: it is divided by the scale with them. The scale
 * is that of a gradient scaler, or a number that the loss was multiplied by. */
#include "rules/engine/engine.h"

#include <math.h>
#include <string.h>

/* The arguments of the step that follows, "scaler, optimizer"; NULL: there is none. */
static const char *step_arguments(struct check *c, const struct call *clip)
{
    struct call step;
    for (int n = clip->inst + 1; n < clip->function->insts.count; n++) {
        if (clip->function->insts.items[n].op != IR_CALL ||
            !call_view(c, clip->function, (ir_value)n, &step) ||
            (step.callee->effects & SCALED_STEP) != SCALED_STEP || !is_spelled_out(c, &step))
            continue;
        const char *text = text_of(c, call_span(&step));
        size_t name = strlen(pack_written_name(c->in->arena, step.callee));
        return arena_text(c->in->arena, text + name, strlen(text) - name);
    }
    return NULL;
}

/* Where the statement of the call begins on its line; 0: not known. */
static int statement_column(struct check *c, const struct call *call)
{
    struct span whole;
    const char *text;
    return statement_text(c, call_span(call), &whole, &text) ? whole.column : 0;
}

/* Whether the object whose method is called there made what backward was called on: it is a scaler,
 * also where it may be disabled, and only passes on what it is given. */
static bool scales_before(struct check *c, const struct ir_function *f, int step)
{
    const char *scaler = text_of(c, f->insts.items[f->insts.items[step].args[0]].span);
    struct call call;
    for (int n = 1; n < step && scaler; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        const struct ir_inst *loss = i->op == IR_INVOKE ? &f->insts.items[i->args[0]] : NULL;
        const char *on =
            loss && loss->op == IR_INVOKE ? text_of(c, f->insts.items[loss->args[0]].span) : NULL;
        if (on && !strcmp(on, scaler) && call_view(c, f, (ir_value)n, &call) &&
            call.callee->effects & EFFECT_BACKWARD)
            return true;
    }
    return false;
}

static bool is_only_clip(struct check *c, const struct call *clip)
{
    struct call other;
    for (int n = 1; n < clip->function->insts.count; n++)
        if (n != clip->inst && call_view(c, clip->function, (ir_value)n, &other) &&
            other.callee->effects & EFFECT_CLIPS)
            return false;
    return true;
}

/* Whether the step always follows, before the gradients are clipped again: unscaling twice before a
 * step is an error, and a step does it by itself where no clipping was before. */
static bool always_follows(struct check *c, const struct call *clip, ir_value step)
{
    const struct ir_function *f = clip->function;
    const struct ir_inst *stop = &f->insts.items[step];
    return is_only_clip(c, clip) && !path_exists(c, f, clip->inst, 0, is_inst, stop) &&
           !path_exists(c, f, clip->inst, clip->inst, is_inst, stop);
}

/* Whether the function unscales for that optimizer before, as it is written. */
static bool is_unscaled(struct check *c, const struct call *clip, const char *optimizer)
{
    const struct ir_function *f = clip->function;
    struct call other;
    for (int n = 1; n < clip->inst; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        bool unscales = i->op == IR_INVOKE && i->arg_count >= 2 &&
                        call_view(c, f, (ir_value)n, &other) &&
                        other.callee->effects & EFFECT_UNSCALES;
        const char *text = unscales ? text_of(c, f->insts.items[i->args[1]].span) : NULL;
        if (text && !strcmp(text, optimizer))
            return true;
    }
    return false;
}

/* "scaler.unscale_(optimizer)", of the "scaler.step(optimizer)" that follows at the same depth, or
 * behind the condition under which gradients are clipped; NULL: there is none. */
static const char *unscaling(struct check *c, const struct call *clip, const char *method)
{
    const struct ir_function *f = clip->function;
    const struct code_view *v = code_view(c, f);
    struct call step;
    for (int n = clip->inst + 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op != IR_INVOKE || i->arg_count < 2 || !call_view(c, f, (ir_value)n, &step) ||
            !(step.callee->effects & EFFECT_STEPS) ||
            ((step.callee->effects & SCALED_STEP) != SCALED_STEP && !scales_before(c, f, n)))
            continue;
        const char *scaler = text_of(c, f->insts.items[i->args[0]].span),
                   *optimizer = text_of(c, f->insts.items[i->args[1]].span);
        if (optimizer && is_unscaled(c, clip, optimizer))
            continue;
        bool together =
            (v->block[n] == v->block[clip->inst] && i->span.column == statement_column(c, clip)) ||
            always_follows(c, clip, (ir_value)n);
        return scaler && optimizer && together
                   ? arena_printf(c->in->arena, "%s%s%s%s%s%s", scaler, language_of(f)->member,
                                  method, language_of(f)->arguments[0], optimizer,
                                  language_of(f)->arguments[1])
                   : NULL;
    }
    return NULL;
}

static void offer_method(struct check *c, const struct call *clip, struct finding *out)
{
    const char *name = write_function_with(c, clip->callee, EFFECT_UNSCALES, NULL);
    const char *dot = name ? strrchr(name, '.') : NULL;
    const char *text = unscaling(c, clip, dot ? dot + 1 : "unscale_");
    if (text && fix_insert_before(c, out, call_span(clip), text))
        out->fix.what = "unscale the gradients first";
}

/* The same scaler unscales the gradients of the same optimizer first. */
static void offer(struct check *c, const struct call *clip, struct finding *out)
{
    if (is_dynamic(&clip->function->insts.items[clip->inst])) {
        offer_method(c, clip, out);
        return;
    }
    const char *unscale = write_function_with(c, clip->callee, EFFECT_UNSCALES, NULL);
    const char *arguments = unscale ? step_arguments(c, clip) : NULL;
    if (arguments && fix_insert_before(c, out, call_span(clip),
                                       arena_printf(c->in->arena, "%s%s;", unscale, arguments)))
        out->fix.what = "unscale the gradients first";
}

/* The weight that the gradient is of, or noise: neither is scaled. */
static bool is_not_scaled(struct check *c, const struct argument *x, const struct call *read)
{
    const struct argument *weight = call_argument(read, ROLE_INPUT);
    struct call made;
    if (!argument_is_tensor(x) || !x->seen->how)
        return false;
    if (argument_is_tensor(weight) && x->seen->how == weight->seen->how)
        return true;
    if (!argument_maker(c, x, &made))
        return false;
    bool scales =
        made.family == FAMILY_MULTIPLY && !argument_is_tensor(call_argument(&made, ROLE_RIGHT));
    return made.family == FAMILY_RANDOM ||
           (scales && is_not_scaled(c, call_argument(&made, ROLE_LEFT), read));
}

/* A penalty or noise is added to a gradient, to which nothing else was done. */
static void check_added(struct check *c, const struct call *call)
{
    const struct argument *to = call_written(call), *x = call_argument(call, ROLE_RIGHT);
    struct call read;
    if ((call->family != FAMILY_ADD && call->family != FAMILY_SUBTRACT) ||
        !argument_is_tensor(to) || to->seen->changed || !argument_maker(c, to, &read))
        return;
    const struct flow_call *seen = flow_call_of(c->in->flow, read.function, read.inst);
    if (!seen || seen->gradients != GRADIENTS_SCALED || !is_not_scaled(c, x, &read) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "'%s' is added to gradients that are still scaled, and divided by the scale with them: %s "
        "must come first",
        x->name, write_function_with(c, call->callee, EFFECT_UNSCALES, "unscaling"));
    finding_mark(c, out, x->span);
    if (seen->graded)
        finding_place(c, out, "gradients come from", &seen->graded->span);
    finding_scaler(c, out, seen->scaler);
}

/* Whether the call multiplies or divides, in place, a gradient that was read as the other one. */
static bool scales_gradient(struct check *c, const struct call *call, const struct call *other)
{
    const struct argument *to = call_written(call);
    struct call read;
    if ((call->family != FAMILY_MULTIPLY && call->family != FAMILY_DIVIDE) ||
        !argument_is_tensor(to) || !argument_maker(c, to, &read) || read.callee != other->callee)
        return false;
    const struct flow_call *seen = flow_call_of(c->in->flow, read.function, read.inst);
    return seen && !(seen->gradients & GRADIENTS_UNSCALED);
}

/* Whether gradients are made smaller further down in the function: they are clipped by hand. */
static bool is_clipped_after(struct check *c, const struct call *norm, const struct call *read)
{
    struct call call;
    for (int n = norm->inst + 1; n < norm->function->insts.count; n++)
        if (norm->function->insts.items[n].op == IR_CALL &&
            call_view(c, norm->function, (ir_value)n, &call) && scales_gradient(c, &call, read))
            return true;
    return false;
}

/* The norm of a gradient is read, and compared with a limit or written to a log. */
static void check_norm(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    struct call norm, read;
    if (call->callee->returns_tensor || is_query(call->callee) || !argument_is_tensor(x) ||
        !argument_maker(c, x, &norm) || norm.callee->values == VALUES_SAME)
        return;
    const struct argument *of = call_argument(&norm, ROLE_INPUT);
    if (!argument_is_tensor(of) || of->seen->changed || !argument_maker(c, of, &read))
        return;
    const struct flow_call *seen = flow_call_of(c->in->flow, read.function, read.inst);
    if (!seen || seen->gradients != GRADIENTS_SCALED || was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, is_clipped_after(c, call, &read) ? SEVERITY_WARNING : SEVERITY_NOTE, call->function,
        call_span(call), "%s is computed from gradients that are still scaled", norm.callee->shown);
    finding_mark(c, out, x->span);
    if (seen->graded)
        finding_place(c, out, "gradients come from", &seen->graded->span);
    finding_scaler(c, out, seen->scaler);
}

/* ---- a loss that the program scales itself --------------------------------------------------- */

static bool is_at(const struct span *a, const struct span *b)
{
    return a->line == b->line && a->column == b->column && a->end_line == b->end_line &&
           a->end_column == b->end_column;
}

/* The instruction of the function that makes the call, or calls the function that does; 0: none. */
static ir_value place_in(const struct ir_function *f, const struct flow_call *seen)
{
    if (seen->function == f)
        return seen->inst;
    for (const struct frame_place *p = seen->several ? NULL : seen->called; p; p = p->outer)
        for (int n = 1; n < f->insts.count && p->caller == f; n++)
            if ((f->insts.items[n].op == IR_CALL || f->insts.items[n].op == IR_INVOKE) &&
                is_at(&f->insts.items[n].span, &p->span))
                return (ir_value)n;
    return 0;
}

/* Where the run begins that gets there: programs that are checked together are no less apart. */
static const struct ir_function *root_of(const struct flow_call *seen)
{
    const struct ir_function *root = seen->function;
    for (const struct frame_place *p = seen->called; p; p = p->outer)
        root = p->caller;
    return root;
}

static bool may_be_in_one_run(const struct flow_call *a, const struct flow_call *b)
{
    return a->several || b->several || root_of(a) == root_of(b);
}

/* The operand that is a number, of a product or quotient of a tensor and a number. */
static const struct argument *number_beside(const struct call *call, const struct argument **tensor)
{
    const struct argument *left = call_argument(call, ROLE_LEFT),
                          *right = call_argument(call, ROLE_RIGHT);
    if (!left || !right || argument_is_tensor(left) == argument_is_tensor(right))
        return NULL;
    *tensor = argument_is_tensor(left) ? left : right;
    const struct argument *number = *tensor == left ? right : left;
    return number->span.line ? number : NULL;
}

/* The variable, attribute or constant that the text names last: "scale" of "1.0 / self.scale". */
static const char *last_name(const char *text)
{
    const char *name = text;
    for (const char *at = text; *at; at++)
        if (strchr(" ./>(*", *at) && at[1])
            name = at + 1;
    return name;
}

/* Whether a quotient by the number, or a product with one over it, undoes the product with the
 * other one. */
static bool undoes(struct check *c, const struct call *call, const struct argument *by,
                   const struct argument *factor)
{
    const char *text = text_of(c, by->span), *of = text_of(c, factor->span);
    bool divides = call->family == FAMILY_DIVIDE;
    if (by->known && factor->known)
        return divides ? by->number == factor->number : by->number * factor->number == 1;
    return text && of && (divides || (*text == '1' && strchr(text, '/'))) &&
           !strcmp(last_name(text), last_name(of));
}

/* Whether it is a gradient, or has the elements of one. */
static enum back find_gradient(const struct argument *at, const struct call *made, void *context)
{
    (void)at;
    (void)context;
    if (made->callee->effects & EFFECT_GRADIENT)
        return BACK_YES;
    return made->callee->values == VALUES_SAME || call_is_cast(made) ? BACK_GO_ON : BACK_NO;
}

static bool is_gradient(struct check *c, const struct argument *x)
{
    return argument_is_tensor(x) && trace_back(c, x, find_gradient, NULL);
}

/* Whether the call multiplies or divides a gradient. */
static bool takes_gradient(struct check *c, const struct call *call)
{
    return (call->family == FAMILY_DIVIDE || call->family == FAMILY_MULTIPLY) &&
           (is_gradient(c, call_argument(call, ROLE_LEFT)) ||
            is_gradient(c, call_argument(call, ROLE_RIGHT)));
}

/* A loss that is multiplied by a number before backward. */
struct scaled_loss {
    struct call backward, product;
    const struct argument *factor, *loss;
    ir_value at; /* in the function that clips */
};

/* The call that undoes the scale, by its place in the function that clips; *others: gradients are
 * multiplied or divided in another way. */
static ir_value unscaled_at(struct check *c, const struct call *clip, const struct scaled_loss *l,
                            struct call *by, bool *others)
{
    for (int i = 0; i < flow_call_count(c->in->flow); i++) {
        const struct flow_call *seen = flow_call_at(c->in->flow, i);
        const struct argument *tensor, *number;
        if (!call_view(c, seen->function, seen->inst, by) || !takes_gradient(c, by))
            continue;
        number = number_beside(by, &tensor);
        ir_value at =
            number && undoes(c, by, number, l->factor) ? place_in(clip->function, seen) : 0;
        if (at)
            return at;
        *others |= may_be_in_one_run(seen, flow_call_of(c->in->flow, clip->function, clip->inst));
    }
    return 0;
}

/* The backward of such a loss that may come before the clipping. */
static bool find_scaled(struct check *c, const struct call *clip, struct scaled_loss *l)
{
    for (int i = 0; i < flow_call_count(c->in->flow); i++) {
        const struct flow_call *seen = flow_call_at(c->in->flow, i);
        if (!(seen->callee->effects & EFFECT_BACKWARD) ||
            !call_view(c, seen->function, seen->inst, &l->backward) || !l->backward.count)
            continue;
        l->at = place_in(clip->function, seen);
        const struct ir_inst *stop = &clip->function->insts.items[clip->inst];
        if (l->at && argument_maker(c, &l->backward.arguments[0], &l->product) &&
            l->product.family == FAMILY_MULTIPLY && !call_written(&l->product) &&
            path_exists(c, clip->function, l->at, clip->inst, is_inst, stop)) {
            l->factor = number_beside(&l->product, &l->loss);
            if (l->factor)
                return true;
        }
    }
    return false;
}

static bool mentions(struct check *c, const struct ir_function *f, ir_value v, const char *name)
{
    const char *text = v ? text_of(c, f->insts.items[v].span) : NULL;
    return text && strstr(text, name);
}

/* Whether the limit accounts for the scale, where it is written or where its variable is set. */
static bool is_limit_scaled(struct check *c, const struct call *clip, const struct scaled_loss *l)
{
    const struct ir_function *f = clip->function;
    const struct ir_inst *i = &f->insts.items[clip->inst];
    const char *text = text_of(c, l->factor->span);
    const char *name = text ? last_name(text) : NULL;
    bool does = !name;
    for (int k = 0; k < i->arg_count && !does; k++) {
        int64_t variable = variable_read(c, f, i->args[k]);
        does = mentions(c, f, i->args[k], name) ||
               (variable >= 0 && mentions(c, f, value_held(c, f, variable, i->args[k]), name));
    }
    return does;
}

/* A power of two for a loss that was computed in f16: it keeps small gradients from becoming zero.
 */
static bool is_for_half(struct check *c, const struct scaled_loss *l)
{
    struct call made;
    int exponent;
    const struct flow_call *seen = argument_maker(c, l->loss, &made)
                                       ? flow_call_of(c->in->flow, made.function, made.inst)
                                       : NULL;
    bool is_power = l->factor->known && frexp(l->factor->number, &exponent) == 0.5;
    bool is_half = false;
    for (int d = 0; seen && d < DEVICE_COUNT; d++)
        is_half |= seen->autocast[d] == DTYPE_SET(DTYPE_F16);
    return is_power && l->factor->number >= 64 && is_half;
}

struct renewal {
    const struct ir_function *function;
    ir_value backward;
};

/* Whether gradients are others afterwards, or there are none. */
static bool renews_gradients(struct check *c, const struct ir_inst *i, const void *context)
{
    const struct renewal *r = context;
    ir_value inst = (ir_value)(i - r->function->insts.items);
    const struct flow_call *seen = flow_call_of(c->in->flow, r->function, inst);
    return inst == r->backward ||
           (seen && seen->callee->effects & (EFFECT_BACKWARD | EFFECT_ZERO_GRAD));
}

/* Whether gradients are clipped after backward, and what happens there to the same gradients always
 * comes later. */
static bool is_clipped_before(struct check *c, const struct call *clip, ir_value backward,
                              ir_value then)
{
    const struct ir_function *f = clip->function;
    const struct renewal r = {f, backward};
    const struct ir_inst *later = &f->insts.items[then];
    return then != backward && path_exists(c, f, backward, clip->inst, is_inst, later) &&
           path_exists(c, f, clip->inst, then, renews_gradients, &r) &&
           !path_exists(c, f, then, clip->inst, renews_gradients, &r);
}

/* The loss is multiplied by a number, and the gradients are divided by it only behind the clipping,
 * or never. */
static void check_own_scale(struct check *c, const struct call *clip)
{
    struct scaled_loss l;
    struct call by;
    bool others = false;
    if (!find_scaled(c, clip, &l) || is_limit_scaled(c, clip, &l))
        return;
    const struct ir_function *f = clip->function;
    ir_value at = unscaled_at(c, clip, &l, &by, &others);
    bool is_wrong = at ? is_clipped_before(c, clip, l.at, at) : !others && is_for_half(c, &l);
    if (!is_wrong || was_reported(c, f, clip->inst))
        return;
    struct span scaled = call_span(&l.product);
    struct finding *out = finding_new(c, SEVERITY_WARNING, f, call_span(clip),
                                      "%s is applied to gradients that are still scaled: the loss "
                                      "is multiplied by '%s'%s",
                                      clip->callee->shown, text_of(c, l.factor->span),
                                      at ? "" : ", and the gradients are never divided by it");
    finding_place(c, out, "loss is scaled", &scaled);
    if (at) {
        struct span divided = call_span(&by);
        finding_place(c, out, "unscaled afterwards", &divided);
    }
}

static void check(struct check *c, const struct call *call)
{
    check_added(c, call);
    check_norm(c, call);
    const struct flow_call *seen = flow_call_of(c->in->flow, call->function, call->inst);
    if (!(call->callee->effects & EFFECT_CLIPS) || !seen)
        return;
    if (!(seen->gradients & GRADIENTS_SCALED)) {
        check_own_scale(c, call);
        return;
    }
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "%s is applied to gradients that are still scaled: %s must come first", call->callee->shown,
        write_function_with(c, call->callee, EFFECT_UNSCALES, "unscaling"));
    if (seen->graded)
        finding_place(c, out, "gradients come from", &seen->graded->span);
    finding_scaler(c, out, seen->scaler);
    offer(c, call, out);
}

const struct rule_code rule_clip_before_unscale = {.call = check};
