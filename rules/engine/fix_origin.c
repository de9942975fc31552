/* Fixes where the dtype of a tensor was decided: the call that created it gets a dtype, a cast that
 * should not be there goes, host data are cast as soon as they are a tensor. All calls that use the
 * tensor are evaluated with the new dtype first: the fix is not offered if one of them would fail,
 * or fails in another way. */
#include "rules/engine/engine.h"

#include <string.h>

enum { MAX_DEPTH = 12, MAX_USES = 200, MAX_VISITED = 256 };

/* ---- what else changes ---------------------------------------------------------------------- */

/* A tensor that is to have another dtype, with all that is computed from it. */
struct change {
    struct check *check;
    const struct origin_fix *fix;
    uint64_t visited[MAX_VISITED];
    int count;
    bool returned; /* by a function, or what is computed from it */
    bool reached;  /* the call that fails gets the new dtype */
    bool lenient;  /* calls that are not decided do not matter */
};

static bool is_visited(struct change *ch, const struct flow_call *by, int operand, enum dtype to)
{
    const uint64_t words[] = {(uint64_t)(uintptr_t)by, (uint64_t)operand, (uint64_t)to};
    uint64_t key = hash_bytes(words, sizeof words, 5);
    for (int i = 0; i < ch->count; i++)
        if (ch->visited[i] == key)
            return true;
    if (ch->count < MAX_VISITED)
        ch->visited[ch->count++] = key;
    return false;
}

static bool tensor_operand(const struct flow_operand *o, struct operand *out)
{
    const struct fact *f = &o->fact;
    bool cpu = f->devices >> DEVICE_CPU & 1;
    if (!is_one(f->dtypes))
        return false;
    *out = (struct operand){.kind = o->kind,
                            .dtype = dtype_of_set(f->dtypes),
                            .device = cpu ? DEVICE_CPU : DEVICE_CUDA,
                            .gpus = cpu ? 0 : (uint16_t)(fact_places(f) >> 1),
                            .zero_dim = f->zero_dim == TRI_YES,
                            .ranks = f->ranks};
    return true;
}

/* The operand of a call that was reached; false: it is one of several. */
static bool operand_of(const struct flow_operand *o, struct operand *out)
{
    *out = (struct operand){.kind = o->kind};
    if (o->kind == OPERAND_TENSOR)
        return tensor_operand(o, out);
    out->known = o->number_count == 1 && !o->any_number && !o->absent;
    out->number = out->known ? o->numbers[0] : 0;
    if (o->kind == OPERAND_DTYPE)
        out->dtype = (enum dtype)out->number;
    if (o->kind == OPERAND_DEVICE)
        out->device = (enum device)out->number;
    if (o->kind == OPERAND_BUFFER)
        out->dtype = dtype_of_set(o->fact.dtypes);
    return o->kind != OPERAND_DTYPE || out->known || o->absent || !o->value;
}

static bool operands_of(const struct flow_call *by, struct operand *out)
{
    for (int k = 0; k < by->operand_count; k++)
        if (!operand_of(&by->operands[k], &out[k]))
            return false;
    return true;
}

static struct regions regions_of(const struct flow_call *by)
{
    struct regions r = {0};
    for (int d = 0; d < DEVICE_COUNT; d++)
        r.autocast[d] = dtype_of_set(by->autocast[d]);
    return r;
}

static bool survives(struct change *ch, const struct ir_function *f, ir_value inst, enum dtype to,
                     int depth);

static bool is_failing(const struct change *ch, const struct flow_call *by)
{
    return by->function == ch->fix->function && by->inst == ch->fix->except;
}

/* Whether the op would compute in fewer bits than it did. In f64, nobody meant to. */
static bool loses_precision(const struct pack_function *op, enum dtype before, enum dtype after)
{
    bool passes_on = op->family == FAMILY_CAST || op->family == FAMILY_CLONE ||
                     op->alias != ALIAS_FRESH || op->family == FAMILY_TRANSPOSE;
    return !passes_on && before >= DTYPE_F16 && before != DTYPE_F64 &&
           dtype_bits(after) < dtype_bits(before);
}

/* Whether floats are written to what is to be integers. */
static bool takes_fractions(const struct flow_call *by, int operand, enum dtype to)
{
    bool takes = false;
    for (int k = 0; k < by->operand_count; k++)
        takes |= k != operand && (by->operands[k].kind == OPERAND_FLOAT ||
                                  by->operands[k].fact.dtypes & SET_FLOATS);
    return to < DTYPE_F16 && by->callee->params[operand].written && takes;
}

/* A use of the tensor in its new dtype. */
static bool use_survives(struct change *ch, const struct consumer *use, enum dtype to, int depth)
{
    const struct flow_call *by = use->by;
    struct operand operands[PACK_MAX_PARAMS];
    struct outcome before = {0}, after = {0};
    ch->reached |= is_failing(ch, by) && to == ch->fix->to;
    if (takes_fractions(by, use->operand, to))
        return false;
    if (is_failing(ch, by) || is_visited(ch, by, use->operand, to) ||
        by->callee->effects & (EFFECT_FREE | EFFECT_KEEP))
        return true;
    if (by->callee->params[use->operand].many || !operands_of(by, operands))
        return ch->lenient;
    const struct regions regions = regions_of(by);
    pack_call_in(by->callee, operands, by->operand_count, &regions, &before);
    operands[use->operand].dtype = to;
    pack_call_in(by->callee, operands, by->operand_count, &regions, &after);
    if (after.error != ERROR_NONE)
        return ch->lenient && before.error != ERROR_NONE;
    if (before.error != ERROR_NONE || !after.result_count ||
        after.results[0].dtype == before.results[0].dtype)
        return true;
    if (!ch->fix->narrows && !ch->lenient &&
        loses_precision(by->callee, before.results[0].dtype, after.results[0].dtype))
        return false;
    return survives(ch, by->function, by->inst, after.results[0].dtype, depth + 1);
}

static bool makes(const struct flow_value *v, const struct ir_function *f, ir_value inst)
{
    for (int i = 0; v && i < v->made_count; i++)
        if (v->made[i]->function == f && v->made[i]->inst == inst)
            return true;
    return v && v->how && v->how->function == f && v->how->inst == inst;
}

static bool is_returned(struct check *c, const struct ir_function *f, ir_value inst)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op == IR_RETURN && i->arg_count &&
            makes(flow_value_of(c->in->flow, f, value_within(c, f, i->args[0])), f, inst))
            return true;
    }
    return false;
}

static bool survives(struct change *ch, const struct ir_function *f, ir_value inst, enum dtype to,
                     int depth)
{
    const consumer_list *uses = consumers_of(ch->check, f, inst);
    if (depth > MAX_DEPTH || ch->count >= MAX_VISITED || uses->count > MAX_USES)
        return false;
    ch->returned |= is_returned(ch->check, f, inst);
    for (int i = 0; i < uses->count; i++)
        if (!use_survives(ch, &uses->items[i], to, depth))
            return false;
    return true;
}

bool result_survives(struct check *c, const struct call *call, enum dtype to)
{
    struct origin_fix none = {.to = to, .function = call->function, .narrows = true};
    struct change ch = {.check = c, .fix = &none};
    return consumers_of(c, call->function, call->inst)->count &&
           survives(&ch, call->function, call->inst, to, 0);
}

/* ---- the edit ------------------------------------------------------------------------------- */

static const struct argument *tensor_of(const struct call *call)
{
    for (int k = 0; k < call->count; k++)
        if (argument_is_tensor(&call->arguments[k]))
            return &call->arguments[k];
    return NULL;
}

static bool reads_host_data(const struct call *call)
{
    return pack_param_with(call->callee, ROLE_DATA) >= 0;
}

/* A cast to the wrong dtype: it goes if its operand has the right one. */
static bool edit_cast(struct check *c, struct finding *f, const struct call *made,
                      struct origin_fix *fix)
{
    const struct argument *x = tensor_of(made), *dtype = call_argument(made, ROLE_DTYPE);
    const char *to = write_dtype(made->callee, fix->to);
    if (!x || (dtype && dtype->value && !fix->replaces && !is_literal(made, dtype)))
        return false;
    if (argument_dtypes(x) == DTYPE_SET(fix->to) && fix_unwrap(c, f, made, x)) {
        fix->what = arena_printf(c->in->arena, "leave out the cast of %s to %s", fix->name,
                                 dtype_word(fix->is));
        return true;
    }
    fix->what = arena_printf(c->in->arena, "cast %s to %s instead of %s", fix->name,
                             dtype_word(fix->to), dtype_word(fix->is));
    return dtype && dtype->value ? fix_option(c, f, made, ROLE_DTYPE, to)
                                 : to && fix_cast_again(c, f, made, x, to);
}

/* Whether the lineage of the tensor goes through the step. */
static bool leads_to(const struct step *how, const struct step *to, int depth)
{
    if (!how || !to || depth > MAX_DEPTH)
        return false;
    return how == to || leads_to(how->from[0], to, depth + 1) ||
           leads_to(how->from[1], to, depth + 1);
}

/* A parameter of the function from which the tensor with the right dtype was computed: it is there
 * wherever in the function the tensor is created. NULL: none. */
static const char *like_parameter(struct check *c, const struct call *made, const struct step *like)
{
    const struct ir_function *f = made->function;
    for (int n = 1; n < f->insts.count && like; n++) {
        int64_t local = variable_read(c, f, (ir_value)n);
        if (local < 0 || local >= f->param_count)
            continue;
        const struct flow_value *v = flow_value_of(c->in->flow, f, (ir_value)n);
        if (v && v->how && v->fact.dtypes == like->fact.dtypes && leads_to(like, v->how, 0) &&
            !is_set_before(code_view(c, f), local, made->inst))
            return value_name(c->in->arena, f, (ir_value)n);
    }
    return NULL;
}

/* The store that decides what a variable holds there: in front of it, or the only one that comes
 * there, in the block that the function begins with. 0: none. */
static ir_value store_deciding(struct check *c, const struct ir_function *f, int64_t local,
                               ir_value inst)
{
    const struct code_view *v = code_view(c, f);
    ir_value store = store_before(v, local, inst);
    const value_list *all = store ? NULL : stores_reaching(c, f, local, inst);
    bool always = all && all->count == 1 && v->block[all->items[0]] == 0;
    return always ? all->items[0] : store;
}

/* A variable that already holds the tensor with the right dtype where the other is created, far:
 * wherever it was set; NULL: none. */
static const char *like_variable(struct check *c, const struct call *made, const struct step *like,
                                 bool far)
{
    const struct ir_function *f = made->function;
    for (int n = 1; n < f->insts.count && like; n++) {
        int64_t local = variable_read(c, f, (ir_value)n);
        ir_value set = local < 0 ? 0
                       : far     ? store_deciding(c, f, local, made->inst)
                                 : store_before(code_view(c, f), local, made->inst);
        const struct flow_value *v =
            set ? flow_value_of(c->in->flow, f, value_behind(f, ir_written(&f->insts.items[set])))
                : NULL;
        if (v && v->how == like)
            return value_name(c->in->arena, f, (ir_value)n);
    }
    return NULL;
}

/* The dtype as it can be written at the origin; NULL: not known there. */
static const char *dtype_there(struct check *c, const struct call *made,
                               const struct origin_fix *fix)
{
    const struct written_call at = as_written(made);
    bool here = made->function == fix->function;
    const char *like = here ? like_parameter(c, made, fix->like) : NULL;
    like = like || !here ? like : like_variable(c, made, fix->like, fix->several);
    if (like)
        return write_dtype_of(c, &at, like);
    const struct step *s = deciding_step(c, fix->like, ASPECT_DTYPE, DTYPE_BIT(fix->to));
    const char *chosen = s && (!fix->several || !is_one(s->fact.dtypes))
                             ? decision_text(c, s, ROLE_DTYPE, made->function, made->inst)
                             : NULL;
    if (chosen)
        return chosen;
    return fix->several ? NULL : write_dtype(made->callee, fix->to);
}

/* Whether the elements would be others: fractions are cut off where an integer is made of them, or
 * numbers that are stored as bytes are no longer rounded. */
static bool changes_elements(const struct call *made, const struct origin_fix *fix)
{
    bool to_int = fix->is >= DTYPE_F16 && fix->to < DTYPE_F16;
    const struct argument *value = call_argument(made, ROLE_VALUE);
    bool is_whole = (made->family == FAMILY_FILL && !value) ||
                    (made->result && made->result->fact.range.is_whole);
    bool from_int = fix->is < DTYPE_F16 && fix->is != DTYPE_BOOL && fix->to >= DTYPE_F16;
    return is_dynamic(&made->function->insts.items[made->inst]) &&
           ((to_int && !call_is_cast(made) && !is_whole) || (from_int && call_is_cast(made)));
}

static bool edit(struct check *c, struct finding *f, const struct call *made,
                 struct origin_fix *fix)
{
    if (changes_elements(made, fix))
        return false;
    const char *to = dtype_there(c, made, fix);
    const struct argument *dtype = call_argument(made, ROLE_DTYPE);
    if (call_is_cast(made))
        return !fix->several && edit_cast(c, f, made, fix);
    if (reads_host_data(made)) {
        fix->what = arena_printf(c->in->arena, "cast %s to %s where it is read", fix->name,
                                 dtype_word(fix->to));
        return to && is_spelled_out(c, made) &&
               fix_wrap(c, f, call_span(made), write_cast(made->callee, to), to);
    }
    fix->what = arena_printf(c->in->arena, "create %s as %s", fix->name, dtype_word(fix->to));
    return to && dtype && (!dtype->value || fix->replaces) &&
           fix_option(c, f, made, ROLE_DTYPE, to);
}

/* The variable that the result of the call is stored in, else the name given. */
static const char *stored_in(struct check *c, const struct call *made, const char *otherwise)
{
    const struct ir_function *f = made->function;
    ir_value place = call_place(c, made);
    bool is_local = place && f->insts.items[place].op == IR_LOCAL;
    bool is_set = place && ir_op_is_dynamic(f->insts.items[place].op);
    const char *name = is_set ? value_name(c->in->arena, f, place) : NULL;
    return is_local ? f->locals.items[f->insts.items[place].integer].name : name ? name : otherwise;
}

/* Where it was created or cast, if all its uses take the new dtype. */
static bool edit_created(struct check *c, struct finding *f, const struct step *s,
                         const struct call *made, struct origin_fix *fix)
{
    struct change ch = {.check = c, .fix = fix, .lenient = fix->lenient};
    if (strchr(fix->name, '(')) /* it is not what is computed from it that is created */
        fix->name = stored_in(c, made, fix->name);
    if (!survives(&ch, s->function, s->inst, fix->to, 0) || (fix->except && !ch.reached) ||
        !edit(c, f, made, fix))
        return false;
    fix->at = s;
    fix->unsafe = ch.returned;
    return true;
}

/* ---- where two dtypes meet ------------------------------------------------------------------- */

/* The first tensor that can have the dtype, but for one; always: it has no other. */
static const struct argument *having(const struct call *call, enum dtype d, bool always,
                                     const struct argument *except)
{
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        if (a != except && argument_is_tensor(a) && a->param->role != ROLE_LIKE &&
            (always ? argument_dtypes(a) == DTYPE_SET(d) : argument_dtypes(a) >> d & 1))
            return a;
    }
    return NULL;
}

/* The operand with the right dtype of a call that promoted it to the wrong one; NULL: none. */
static const struct argument *promoted(const struct call *call, const struct origin_fix *fix,
                                       bool always)
{
    bool meets = call->result && call->result->fact.dtypes >> fix->is & 1;
    if (!meets || call_is_cast(call) || call_written(call) || is_in_autocast(call))
        return NULL;
    const struct argument *wrong = having(call, fix->is, always, NULL);
    const struct argument *right = wrong ? having(call, fix->to, true, wrong) : NULL;
    return right || !wrong ? right : having(call, fix->to, false, wrong);
}

/* The last op on the way to the tensor in which the two dtypes met: from there on it is the wrong
 * one. Its result is cast back. */
static const struct step *find_promotion(struct check *c, const struct origin_fix *fix, bool always,
                                         struct call *call, const struct argument **x)
{
    const struct step *s = fix->how;
    for (int n = 0; s && n < MAX_VISITED; n++) {
        *x = step_call(c, s, call) ? promoted(call, fix, always) : NULL;
        if (*x)
            return s;
        s = s->from[0] ? s->from[0] : s->from[1];
    }
    return NULL;
}

/* Of two operands, the other was created there, without a dtype. */
static bool edit_buffer(struct check *c, struct finding *f, const struct call *call,
                        const struct argument *right, struct origin_fix *fix)
{
    const struct argument *wrong = having(call, fix->is, true, right);
    const struct step *s =
        wrong ? deciding_step(c, wrong->seen->how, ASPECT_DTYPE, DTYPE_BIT(fix->is)) : NULL;
    struct origin_fix own = *fix;
    struct call made;
    if (!s || s->function != call->function || !step_call(c, s, &made) || !call_is_factory(&made))
        return false;
    own.name = stored_in(c, &made, wrong->name);
    own.how = s;
    own.like = right->seen->how;
    own.function = call->function;
    own.except = call->inst;
    own.several = !is_one(argument_dtypes(right));
    own.narrows = true;
    if (!edit_created(c, f, s, &made, &own))
        return false;
    fix->what = own.what;
    fix->at = s;
    fix->unsafe = own.unsafe;
    return true;
}

static bool edit_promotion(struct check *c, struct finding *f, struct origin_fix *fix)
{
    struct change ch = {.check = c, .fix = fix, .lenient = true};
    struct call call;
    const struct argument *x = NULL;
    const struct step *s = fix->like ? find_promotion(c, fix, true, &call, &x) : NULL;
    if (!s && fix->like)
        s = find_promotion(c, fix, false, &call, &x);
    if (s && edit_buffer(c, f, &call, x, fix))
        return true;
    if (!s || !is_spelled_out(c, &call) || !survives(&ch, s->function, s->inst, fix->to, 0))
        return false;
    const struct written_call at = as_written(&call);
    const char *name = value_name(c->in->arena, call.function, x->value);
    const char *to = name ? write_dtype_of(c, &at, name) : NULL;
    fix->what = arena_printf(c->in->arena, "cast the result of %s to the dtype of %s",
                             call.callee->shown, x->name);
    fix->at = s;
    fix->unsafe = true;
    return to && fix_wrap(c, f, call_span(&call), write_cast(call.callee, to), to);
}

/* ---- where it was decided ---------------------------------------------------------------------
 */

static bool holds(const struct condition *list, const struct condition *w)
{
    for (; list; list = list->before)
        if (list->function == w->function && list->truth == w->truth &&
            !memcmp(&list->span, &w->span, sizeof w->span))
            return true;
    return false;
}

/* Under a condition in its own function, somebody asked for it: unless nothing is reached without
 * the condition. */
static bool was_asked_for(struct check *c, const struct step *s, const struct origin_fix *fix)
{
    for (const struct condition *w = s->when; w; w = w->before)
        if (w->function == s->function && !holds(fix->when, w) &&
            condition_is_shown(sources_get(c->in->sources, w->span.file), s->when, w))
            return true;
    return false;
}

/* A tensor that was created with the dtype of another. */
static const struct step *created_like(struct check *c, const struct step *how)
{
    struct call made;
    for (int n = 0; how && n < MAX_VISITED; n++) {
        bool is_call = step_call(c, how, &made) && !call_is_cast(&made) && !call_written(&made);
        const struct argument *dtype = is_call ? call_argument(&made, ROLE_DTYPE) : NULL;
        if (dtype && dtype->param->path[0] && made.callee->alias == ALIAS_FRESH &&
            call_argument(&made, ROLE_DEVICE))
            return how;
        how = how->from[0] ? how->from[0] : how->from[1];
    }
    return NULL;
}

/* The call that made a tensor of this library of one that another library computed, with the dtype
 * that it has there; NULL: none. */
static const struct step *entering_step(struct check *c, const struct step *how, enum dtype is,
                                        struct call *made)
{
    for (int n = 0; how && n < MAX_VISITED; n++) {
        const struct step *of = how->from[0];
        const struct pack_function *by = step_callee(c, how), *before = step_callee(c, of);
        if (!by || how->from[1] || how->fact.dtypes != DTYPE_SET(is))
            return NULL;
        if (before && pack_spelling_of(by) != pack_spelling_of(before))
            return step_call(c, how, made) && is_spelled_out(c, made) ? how : NULL;
        how = of;
    }
    return NULL;
}

/* It is cast as soon as it is a tensor of this library. */
static bool edit_entering(struct check *c, struct finding *f, struct origin_fix *fix)
{
    struct change ch = {.check = c, .fix = fix, .lenient = fix->lenient};
    struct call made;
    const struct step *s = entering_step(c, fix->how, fix->is, &made);
    const char *to = s ? dtype_there(c, &made, fix) : NULL;
    if (!to || !survives(&ch, s->function, s->inst, fix->to, 0) || (fix->except && !ch.reached) ||
        !fix_wrap(c, f, call_span(&made), write_cast(made.callee, to), to))
        return false;
    fix->what = arena_printf(c->in->arena, "cast %s to %s where it becomes a tensor", fix->name,
                             dtype_word(fix->to));
    fix->at = s;
    fix->unsafe = ch.returned;
    return true;
}

bool fix_at_origin(struct check *c, struct finding *f, struct origin_fix *fix)
{
    const struct step *s = fix->replaces ? created_like(c, fix->how) : NULL;
    s = s ? s : deciding_step(c, fix->how, ASPECT_DTYPE, DTYPE_BIT(fix->is));
    struct call made;
    if (edit_promotion(c, f, fix) || (fix->replaces && edit_entering(c, f, fix)))
        return true;
    if (fix->flagged || !s || !s->inst || was_asked_for(c, s, fix) || !step_call(c, s, &made) ||
        !made.result || made.result->fact.dtypes != DTYPE_SET(fix->is))
        return false;
    return edit_created(c, f, s, &made, fix);
}

bool fix_leave_out(struct check *c, struct finding *f, const struct call *cast,
                   const struct argument *x)
{
    struct origin_fix fix = {.name = x->name,
                             .how = cast->result ? cast->result->how : NULL,
                             .to = dtype_of_set(argument_dtypes(x)),
                             .function = cast->function};
    if (!call_is_cast(cast) || !fix.how || !is_one(fix.how->fact.dtypes) ||
        !is_one(argument_dtypes(x)))
        return false;
    fix.is = dtype_of_set(fix.how->fact.dtypes);
    return fix_at_origin(c, f, &fix);
}

/* ---- devices -------------------------------------------------------------------------------- */

/* Where the operand can be on all paths; in a language that is compiled, in the case that fails. */
static unsigned places_of(struct check *c, const struct failing *of,
                          const struct failing_operand *o)
{
    const struct flow_failure *r = of->failure;
    const struct flow_value *v =
        o->value ? flow_value_of(c->in->flow, r->function, o->value) : NULL;
    const struct flow_call *seen = flow_call_of(c->in->flow, r->function, r->inst);
    if (!is_dynamic(&r->function->insts.items[r->inst]))
        return operand_places(&o->is);
    return v                                   ? fact_places(&v->fact)
           : seen && seen->callee == r->callee ? fact_places(&seen->operands[o->index].fact)
                                               : operand_places(&o->is);
}

/* A parameter of the function that is on the device in every case, or where the other one is; NULL:
 * none. */
static const char *parameter_on(struct check *c, const struct ir_function *f, unsigned places,
                                unsigned all)
{
    for (int n = 1; n < f->insts.count; n++) {
        int64_t local = variable_read(c, f, (ir_value)n);
        if (local < 0 || local >= f->param_count || code_view(c, f)->stores[local].count)
            continue;
        const struct flow_value *v = flow_value_of(c->in->flow, f, (ir_value)n);
        if (v && !v->fact.buffer &&
            (fact_places(&v->fact) == places || fact_places(&v->fact) == all))
            return value_name(c->in->arena, f, (ir_value)n);
    }
    return NULL;
}

/* Whether it was moved there by a call that names no device: a function of a pack that casts, or of
 * a library that is followed. */
static bool is_moved_by_name(struct check *c, const struct step *s)
{
    struct call moved;
    const struct ir_inst *i = &s->function->insts.items[s->inst];
    if (!step_call(c, s, &moved))
        return i->op == IR_INVOKE && i->arg_count == 1;
    const struct argument *device = call_argument(&moved, ROLE_DEVICE);
    return call_is_cast(&moved) && (!device || !device->value) && !call_argument(&moved, ROLE_LIKE);
}

/* Whether every run of the function that creates the one tensor moves the other. */
static bool is_moved_always(struct check *c, const struct step *moved, const struct call *made)
{
    const struct ir_function *f = made->function;
    const struct ir_inst *move = &f->insts.items[moved->inst];
    ir_value first = f->blocks.items[0].insts[0];
    return first == moved->inst || !path_exists(c, f, first, made->inst, is_inst, move) ||
           !path_exists(c, f, made->inst, 0, is_inst, move);
}

/* On the device that the program names for the other one, if it is always moved. */
static bool create_there(struct check *c, struct finding *f, const struct call *made,
                         const struct failing_operand *o, const struct failing_operand *to)
{
    const struct step *s = deciding_step(c, to->how, ASPECT_GPU, operand_places(&to->is));
    const struct argument *device = call_argument(made, ROLE_DEVICE);
    const char *text = decision_text(c, s, ROLE_DEVICE, made->function, made->inst);
    if (!text && s && s->inst && s->function == made->function && to->is.device == DEVICE_CUDA &&
        is_moved_by_name(c, s))
        text = pack_spelling_of(made->callee)->devices[DEVICE_CUDA];
    if (!s || (s->inst && s->function == made->function && !is_moved_always(c, s, made)))
        return false;
    if (!text || !device || device->value || !fix_option(c, f, made, ROLE_DEVICE, text))
        return false;
    f->fix.what = arena_printf(c->in->arena, "create %s on %s", o->name, text);
    return true;
}

/* Whether a cast or move was applied between the two: it may choose the device again. */
static bool is_moved_since(struct check *c, const struct step *how, const struct step *made)
{
    for (int n = 0; how && how != made && n < MAX_VISITED; n++) {
        const struct pack_function *by = step_callee(c, how);
        if (by && by->family == FAMILY_CAST)
            return true;
        how = how->on ? how->on : how->from[0];
    }
    return how != made;
}

bool fix_created_on(struct check *c, struct finding *f, const struct failing *of,
                    const struct failing_operand *o, const struct failing_operand *to)
{
    const struct ir_function *fn = of->failure->function;
    const struct step *s = deciding_step(c, o->how, ASPECT_GPU, operand_places(&o->is));
    struct call made;
    if (!s || !s->inst || !step_call(c, s, &made) || !call_is_factory(&made))
        return false;
    bool far = is_dynamic(&s->function->insts.items[s->inst]) && !is_moved_since(c, o->how, s);
    if (s->function != fn || o->how != s)
        return far && create_there(c, f, &made, o, to);
    const struct written_call at = as_written(&made);
    const char *like = parameter_on(c, fn, operand_places(&to->is), places_of(c, of, to));
    like = like ? like : like_variable(c, &made, to->how, false);
    if (!like || (consumers_of(c, fn, s->inst)->count > 1 && !o->param->written) ||
        !fix_option(c, f, &made, ROLE_DEVICE, write_device_of(c, &at, like)))
        return far && create_there(c, f, &made, o, to);
    f->fix.what = arena_printf(c->in->arena, "create %s where %s is", o->name, like);
    return true;
}
