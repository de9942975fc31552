/* A call of a function that a pack describes, stage by stage: bind the operands, look up what the
 * pack says of all they can be, check gradients and scalers, report what can fail, and apply the
 * effects on memory, tensors and the tape. */
#include "analyzer/flow/engine/engine.h"

#include <stddef.h>
#include <string.h>

/* What is past an error is given up first: no run gets there. */
static bool has_room_past_errors(struct flow *f)
{
    if (!f->merges || !guards_are_large(f->guards))
        return true;
    limit_note(f, NULL, 0, FLOW_LIMIT_STATES);
    return false;
}

bool path_goes_on(struct flow *f, struct state *s)
{
    s->past |= s->ends && f->options.past_errors;
    bool goes_on = (!s->ends || s->past) && (!s->past || has_room_past_errors(f));
    s->ends = false;
    return goes_on;
}

/* What the program would have if the call were repaired is not known, neither of what it gives nor
 * of what it is given. A handler has what the call was given. */
static void forget_operands(const struct pack_call *call)
{
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct value *v = &call->choices[i].value;
        for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++) {
            struct tensor *t = state_tensor_own(call->s, v->as.tensor[k]);
            if (!t)
                continue;
            t->fact = fact_unknown();
            t->unknown = true;
            t->cases = 0;
        }
    }
}

/* Behind an exception that ends the program, only what has nothing to do with it is reported:
 * nothing is concluded from what is not known. */
static bool is_of_repaired(const struct pack_call *call)
{
    bool is_open = false;
    if (!call->bound || !call->s->past)
        return false;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct value *v = &call->choices[i].value;
        const struct pack_param *p = i < call->fn->param_count ? &call->fn->params[i] : NULL;
        is_open |= v->kind == VALUE_ANY && (!p || p->kind == OPERAND_TENSOR ||
                                            p->kind == OPERAND_DTYPE || p->kind == OPERAND_DEVICE);
        for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++) {
            const struct tensor *t = state_tensor(call->s, v->as.tensor[k]);
            is_open |= t && t->unknown;
        }
    }
    return is_open;
}

/* No run gets past a call that fails. To report further failures, the path is continued with an
 * unknown result; behind a contract up to the last of those that are with it. */
static bool go_on(const struct pack_call *call, struct value *result)
{
    const struct type *type = call->fr->code->fn->insts.items[call->inst].type;
    bool same = call->fn->alias == ALIAS_SAME && call->fn->alias_of >= 0 &&
                call->choices[call->fn->alias_of].value.kind == VALUE_TENSOR;
    visit_note(call->f, call->fr, call->s, call->inst, call->is_hidden ? call->fn : NULL, false);
    struct flow_call *observed = call->fr->code->reached[call->inst];
    if (observed && observed->callee == call->fn)
        observed->fails = true;
    call->s->ends = !call->s->past;
    if (!(call->fn->effects & EFFECT_EXPECT && call->f->merges) && !path_goes_on(call->f, call->s))
        return false;
    if (call->fn->effects &
        EFFECT_REQUIRE_GRAD) /* as if it had worked: that backward misses it is no further error */
        tape_append(call, NULL, NULL);
    if (call->bound) {
        if (!call->is_caught)
            forget_operands(call);
        *result = same ? call->choices[call->fn->alias_of].value : value_any;
        return true;
    }
    *result =
        same
            ? call->choices[call->fn->alias_of].value
            : unknown_value(call->f, call->s, type,
                            key_of(KEY_PACK_FAILED_RESULT, call->fr->context, (uint64_t)call->inst),
                            NULL, &place_result);
    return true;
}

/* The outcomes of the call, checked against gradients and contracts; NULL: it fails on every
 * path. */
static const struct outcomes *checked_outcomes(struct pack_call *call)
{
    const struct outcomes *g = call_outcomes(call);
    call_observe(call);
    if (!grad_checks_pass(call, g))
        return NULL;
    if (call->fn->effects & EFFECT_EXPECT)
        g = expected(call, g);
    if (call->fn->effects & EFFECT_GRADIENT_NORM && g->result_count)
        g = gradient_norm(call, g);
    if (call->fn->effects & EFFECT_EXPECT)
        visit_note_at(call->f, call->fr, call->s,
                      contract_key(call->fr->code->fn, call->inst, call->fr->called), g->works);
    return g;
}

static struct value answer_of(const struct pack_call *call, const struct outcomes *g)
{
    const struct pack_function *fn = call->fn;
    struct value v;
    if (size_asked(call, &v) || answer_of_dtype(call, &v) || name_find(call, &v))
        return v;
    if (fn->question > QUESTION_NONE && fn->question < QUESTION_SAME_TEXT && fn->param_count)
        v = answer(call->f, fn, &call->choices[0].value, &call->choices[0].fact);
    else if (fn->returns_tensor)
        v = tensor_result(call, g);
    else if (fn->returns_buffer)
        v = buffer_result(call, g);
    else
        v = other_result(call, g);
    const struct value *of = &call->choices[0].value;
    if (fn->effects & EFFECT_GRADIENT && gradient_is_missing(call->s, of))
        return value_null();
    if (fn->effects & EFFECT_GRADIENT && !gradient_is_sure(call->s, of))
        v.null |= TRI_YES;
    return v;
}

static struct value result_of(const struct pack_call *call, const struct outcomes *g)
{
    struct value v = answer_of(call, g);
    if (v.kind == VALUE_NUMBER && !v.is_real)
        v.unit = unit_asked(call);
    return v;
}

/* Nobody asks about what is in an object that was freed. */
static void forget_freed(const struct pack_call *call)
{
    for (int k = 0; k < call->arg_count && call->fn->effects & EFFECT_FREE; k++) {
        const struct value *v = &call->args[k];
        const struct loc *at = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
        bool is_whole = at && !at->parent && !at->object->many && !at->object->again;
        if (is_whole && (at->object->kind == OBJECT_MADE || at->object->kind == OBJECT_UNKNOWN))
            state_drop_object(call->s, at->object);
    }
}

/* The effects of a call that works. */
static bool apply(const struct pack_call *call, const struct outcomes *g, struct value *result)
{
    learn_operands(call, g);
    struct text_made text = text_make(call);
    write_outs(call, g);
    if (regions_call(call, result)) {
        case_observe(call, NULL, NULL);
        return true;
    }
    *result = result_of(call, g);
    text_put(call, &text, result);
    name_give(call, &text);
    shape_assign(call, result);
    hold(call, result);
    if (!tape_append(call, g, result))
        return go_on(call, result);
    values_assign(call, g, result);
    scaler_advance(call, result);
    forget_freed(call);
    visit_note(call->f, call->fr, call->s, call->inst, call->is_hidden ? call->fn : NULL, g->works);
    /* Where an operand is returned, the result is restricted to what the call can return. */
    bool made = call->fn->returns_tensor && g->result_count;
    if (!call->is_hidden)
        observe_value(call->f, call->fr, call->inst, call->s, result, made ? &g->results[0] : NULL);
    alias_note(call, g);
    case_observe(call, g, result);
    return true;
}

/* An operand is a tensor that is not there: no run has the case at hand. */
static bool is_impossible(const struct pack_call *call)
{
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct value *v = &call->choices[i].value;
        for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++) {
            const struct tensor *t = state_tensor(call->s, v->as.tensor[k]);
            if (t && t->is_absent && v->count == 1)
                return true;
        }
    }
    return false;
}

bool run_pack_call(struct pack_call *call, struct value *result)
{
    struct choice choices[MAX_OPERANDS];
    int made[PACK_MAX_RESULTS + 1] = {0};
    struct amount asked = {0};
    for (int i = 0; i < MAX_OPERANDS; i++) /* the options are large, and counted */
        memset(&choices[i], 0, offsetof(struct choice, options));
    bool is_with_contract = call->fn->effects & (EFFECT_EXPECT | EFFECT_PURE);
    if (call->fn->effects & EFFECT_NO_RETURN ||
        (!is_with_contract && !path_goes_on(call->f, call->s)))
        return false;
    call->choices = choices;
    call->made = made;
    call->asked = &asked;
    call->in_region = regions_open(call->f, call->s, &call->regions);
    default_dtypes(call->f, call->s, &call->regions);
    call_bind(call);
    if (is_impossible(call))
        return false;
    if (is_of_repaired(call)) {
        visit_note(call->f, call->fr, call->s, call->inst, call->is_hidden ? call->fn : NULL,
                   false);
        *result = value_any;
        return true;
    }
    const struct outcomes *g = checked_outcomes(call);
    if (!g)
        return go_on(call, result);
    if (g->reasons[ERROR_ARGUMENT] && !g->works && lookup_has_failed(call->f, call->s))
        return false;
    scaler_observe(call);
    if (!(g = scaler_check(call, g)))
        return go_on(call, result);
    for (int k = 1; k < ERROR_KIND_COUNT; k++)
        if (g->reasons[k]) {
            call->may_fail = true;
            call_fail(call, (enum error_kind)k, g);
        }
    if (!g->works && !call->fn->goes_on)
        return go_on(call, result);
    if (call->fn->effects & EFFECT_BOX) {
        *result = boxed(call, g);
        return true;
    }
    return apply(call, g, result);
}
