/* What rules get to know about pack calls: each call that was reached, with everything its
 * parameters were, and those that can fail. */
#include "analyzer/flow/calls/calls.h"

#include <string.h>

/* ---- arguments of parameters ----------------------------------------------------------------- */

static const struct ir_inst *inst_at(const struct ir_function *fn, ir_value n)
{
    return n > 0 && n < fn->insts.count ? &fn->insts.items[n] : NULL;
}

/* Whether it is the address of that field, or of the last field of such a path, of the record. */
static bool is_field_of(const struct ir_function *fn, ir_value address,
                        const struct ir_inst *record, const struct pack_param *p)
{
    int depth = 0;
    while (depth < 3 && p->path[depth])
        depth++;
    const struct ir_inst *at = inst_at(fn, address);
    while (depth > 0) {
        if (!at || at->op != IR_FIELD || !at->name || strcmp(at->name, p->path[--depth]) != 0)
            return false;
        at = inst_at(fn, at->args[0]);
    }
    return at && at->op == IR_LOCAL && record->op == IR_LOCAL && at->integer == record->integer;
}

/* A number or tensor that was boxed on its way. */
static ir_value unboxed(const struct pack_set *packs, const struct ir_function *fn, ir_value n)
{
    const struct ir_inst *i = inst_at(fn, n);
    const struct pack_function *box =
        i && i->op == IR_CALL && i->name && i->arg_count == 1 ? packs_find(packs, i->name) : NULL;
    return box && box->effects & EFFECT_BOX && box->effects & EFFECT_PURE ? i->args[0] : n;
}

/* What the call was given for a field of options is the last that was stored there before it. */
static ir_value option_value(const struct pack_set *packs, const struct ir_function *fn,
                             ir_value call, const struct pack_param *p)
{
    const struct ir_inst *c = &fn->insts.items[call];
    const struct ir_inst *record =
        p->argument < c->arg_count ? inst_at(fn, c->args[p->argument]) : NULL;
    for (ir_value n = call - 1; record && record->op == IR_LOCAL && n > 0; n--) {
        const struct ir_inst *i = &fn->insts.items[n];
        if (i == record)
            break;
        if ((i->op == IR_STORE || i->op == IR_COPY) && is_field_of(fn, i->args[0], record, p))
            return unboxed(packs, fn, i->args[1]);
    }
    return 0;
}

static ir_value argument_in(const struct pack_set *packs, const struct ir_function *fn,
                            ir_value call, const struct pack_param *p)
{
    const struct ir_inst *c = &fn->insts.items[call];
    int at = p->argument + !c->name; /* through a pointer, which comes first */
    if (p->path[0])
        return option_value(packs, fn, call, p);
    return at < c->arg_count ? (p->also_number ? unboxed(packs, fn, c->args[at]) : c->args[at]) : 0;
}

static ir_value argument_of(const struct pack_call *call, const struct pack_param *p)
{
    return call->bound ? call->from[p - call->fn->params]
                       : argument_in(call->f->packs, call->fr->code->fn, call->inst, p);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void join_numbers(struct flow_operand *to, const struct choice *c)
{
    for (int i = 0; i < c->count; i++) {
        const struct operand *o = &c->options[i];
        double n = o->kind == OPERAND_DTYPE    ? o->dtype
                   : o->kind == OPERAND_DEVICE ? o->device
                                               : o->number;
        bool known = o->kind == OPERAND_DTYPE || o->kind == OPERAND_DEVICE || o->known;
        bool found = false;
        if (o->kind == OPERAND_ABSENT || o->kind == OPERAND_TENSOR || o->kind == OPERAND_BUFFER) {
            to->absent |= o->kind == OPERAND_ABSENT;
            continue;
        }
        to->kind = o->kind;
        for (int k = 0; k < to->number_count; k++)
            found |= to->numbers[k] == n;
        if (!known || (!found && to->number_count == FLOW_NUMBERS))
            to->any_number = true;
        else if (!found)
            to->numbers[to->number_count++] = n;
    }
}

void operand_observe(const struct pack_call *call, struct flow_operand *to, int i)
{
    const struct choice *c = &call->choices[i];
    if (c->is_tensor || c->is_buffer) {
        to->kind = c->is_tensor ? OPERAND_TENSOR : OPERAND_BUFFER;
        fact_join(&to->fact, &c->fact);
        to->unknown |= c->unknown;
        if (!to->how)
            to->how = state_step(call->s, c->how);
        if (!to->moved && call_param(call->fn, i)->written)
            to->moved = move_before(call, c);
        if (!to->half)
            to->half = c->half;
    }
    join_numbers(to, c);
}

static void join_regions(const struct region_set *set, struct flow_call *c)
{
    c->records |= (uint8_t)set->records;
    for (int d = 0; d < AUTOCAST_DEVICES; d++)
        for (int i = 0; i < set->count[d]; i++)
            c->autocast[d] |= DTYPE_BIT(set->dtypes[d][i]);
}

/* Casts and views in code that is not shown are its own affair. */
static bool is_shown(const struct pack_call *call)
{
    return !call->is_hidden || (call->fn->alias == ALIAS_FRESH && call->fn->family != FAMILY_CLONE);
}

void call_observe(const struct pack_call *call)
{
    if (!is_shown(call))
        return;
    struct flow_call *c = call->fr->code->reached[call->inst];
    if (!c) {
        c = call->fr->code->reached[call->inst] = arena_one(call->f->kept, struct flow_call);
        c->function = call->fr->code->fn;
        c->inst = call->inst;
        c->callee = call->fn;
        for (int i = 0; i < call->fn->param_count && i < PACK_MAX_PARAMS; i++)
            c->operands[c->operand_count++] =
                (struct flow_operand){.param = i, .value = argument_of(call, &call->fn->params[i])};
        LIST_ADD(call->f->kept, &call->f->own.calls, c);
    }
    if (c->callee !=
        call->fn) /* a function pointer with several targets: only the first is recorded */
        return;
    join_regions(&call->regions, c);
    c->sizes |= (uint8_t)sizes_told(call);
    c->rounds = c->rounds > call->f->rounds ? c->rounds : call->f->rounds;
    c->called = c->called ? c->called : call->fr->called;
    c->several |= !place_is_same(c->called, call->fr->called);
    for (int i = 0; i < c->operand_count; i++)
        operand_observe(call, &c->operands[i], i);
}

/* ---- failures -------------------------------------------------------------------------------- */

static bool can_be(const struct fact *f, const struct operand *o)
{
    return (o->dtype == DTYPE_NONE || f->dtypes >> o->dtype & 1 || dtypes_are_any(f->dtypes)) &&
           (o->device >= DEVICE_COUNT || f->devices >> o->device & 1);
}

/* Of an operand that can be one of several tensors: one with which the call fails. */
static const struct step *how_failing(const struct state *s, const struct choice *c,
                                      const struct operand *said)
{
    for (int i = 0; said && c->value.kind == VALUE_TENSOR && i < c->value.count; i++) {
        const struct tensor *t = state_tensor(s, c->value.as.tensor[i]);
        if (t && t->how && can_be(&t->fact, said))
            return i ? t->how : c->how;
    }
    return c->how;
}

static void add_operands(const struct pack_call *call, struct flow_failure *r,
                         const struct outcomes *g)
{
    diagram runs = state_runs(call->s);
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used && r->operand_count < 8; i++) {
        const struct pack_param *p = call_param(call->fn, i);
        if (!call->choices[i].is_tensor && !call->choices[i].is_buffer)
            continue;
        struct flow_failing *o = &r->operands[r->operand_count++];
        bool is_named = call->names && i < call->fn->param_count && call->names[i];
        o->name = is_named ? call->names[i] : p->name;
        o->param = (int)(p - call->fn->params);
        o->value = i < call->fn->param_count ? argument_of(call, p) : 0;
        o->fact = call->choices[i].fact;
        o->dtypes = g->dtypes[i];
        o->devices = g->devices[i];
        o->gpus = g->gpus[i];
        o->how =
            how_failing(call->s, &call->choices[i], i < r->failing_count ? &r->failing[i] : NULL);
        o->how = step_in_runs(call->s, o->how, &runs);
    }
}

/* An operand may be on any device, and some combination fails for another reason: then it is not
 * known that they are on different devices. */
static bool may_lie_together(const struct choice *choices, const struct outcomes *g)
{
    bool anywhere = false, otherwise = false;
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        anywhere |= choices[i].is_tensor && choices[i].unknown &&
                    choices[i].fact.devices & (choices[i].fact.devices - 1);
    for (int k = 1; k < ERROR_KIND_COUNT; k++)
        otherwise |= k != ERROR_DEVICE && g->reasons[k];
    return anywhere && otherwise;
}

/* Whether more than one of the operands can be several things, or be absent: they may be
 * correlated. */
static bool are_several_open(const struct choice *choices)
{
    int open = 0;
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        const struct fact *is = &choices[i].fact;
        open += choices[i].is_tensor &&
                (is->dtypes & (is->dtypes - 1) || is->devices & (is->devices - 1) ||
                 choices[i].value.null == TRI_MAYBE);
    }
    return open > 1;
}

/* Whether it is not known of the tensor if it requires a gradient, or is a leaf. */
static bool is_grad_vague(const struct fact *is)
{
    return is->grad == TRI_MAYBE || is->leaf == TRI_MAYBE || is->grad_open;
}

static bool are_vague(const struct choice *choices, enum error_kind kind)
{
    bool is_of_grad = kind == ERROR_GRAD || kind == ERROR_LEAF;
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        const struct fact *is = &choices[i].fact;
        if (choices[i].is_tensor &&
            (dtypes_are_any(is->dtypes) || (is_of_grad && is_grad_vague(is))))
            return true;
    }
    return false;
}

/* Whether it is known of each tensor where it is, and they are not in one place. */
static bool are_apart(const struct choice *choices)
{
    unsigned all = 0;
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        unsigned on = choices[i].is_tensor ? choices[i].fact.devices : 0;
        if (on & (on - 1))
            return false;
        all |= on;
    }
    return all & (all - 1);
}

/* Whether the program says where it is. What is passed, and what a module registers, is where
 * whoever calls has put it. */
static bool is_placed(const struct step *how)
{
    bool is_open = !how;
    for (; how && !is_open; how = how->on)
        is_open = !how->inst || how->fact.devices & (how->fact.devices - 1);
    return !is_open;
}

/* Two tensors that nobody has placed are where a question about each says that it is: the answers
 * do not fit, and no caller gets them. */
static bool is_any_placed(const struct choice *choices)
{
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        if (choices[i].is_tensor && is_placed(choices[i].how))
            return true;
    return false;
}

/* Whether a dtype that is passed can be any. */
static bool has_any_dtype(const struct choice *choices)
{
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        const struct choice *c = &choices[i];
        bool is_one_of = c->value.kind == VALUE_NUMBER && c->value.count;
        if (c->count > 1 && c->options[0].kind == OPERAND_DTYPE && !is_one_of)
            return true;
    }
    return false;
}

/* Whether it is not known of the tensor that is written if it has dimensions, and it works with
 * or without: a number of NumPy, for one, is not written but replaced. */
static bool depends_on_dims(const struct pack_call *call, const struct outcomes *g)
{
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used && g->works; i++)
        if (call->choices[i].is_tensor && call_param(call->fn, i)->written &&
            call->choices[i].fact.zero_dim == TRI_MAYBE)
            return true;
    return false;
}

struct flow_failure *call_fail(const struct pack_call *call, enum error_kind kind,
                               const struct outcomes *g)
{
    struct key key = kind == ERROR_CONTRACT
                         ? contract_key(call->fr->code->fn, call->inst, call->fr->called)
                         : key_of_index(KEY_FAILURE, (uint64_t)(uintptr_t)call->fr->code->fn,
                                        (uint64_t)call->inst, (int)kind);
    if (call->fr->is_partial)
        return NULL;
    if (call->bound && kind == ERROR_ARGUMENT && call->f->is_rest)
        return NULL; /* whoever calls the function decides what is left out */
    if (call->bound && kind == ERROR_DEVICE && call->f->is_rest &&
        (g->works || !are_apart(call->choices) || !is_any_placed(call->choices)))
        return NULL; /* and who makes a module decides where it is */
    if (call->bound && kind != ERROR_DEVICE && call->f->is_rest && g->reasons[ERROR_DEVICE] &&
        are_apart(call->choices))
        return NULL; /* no run gets as far as that */
    if (call->bound && kind == ERROR_CAST && depends_on_dims(call, g))
        return NULL;
    if (call->bound && g->works && has_any_dtype(call->choices))
        return NULL; /* which is that of a tensor of which nothing is known */
    if (call->bound && call->s->past && kind != ERROR_DTYPE && kind != ERROR_DEVICE &&
        kind != ERROR_CAST)
        return NULL; /* an exception ended the program: what follows may only follow from it */
    struct flow_failure *r = failure_at(call->f, key);
    bool perhaps = kind == ERROR_DEVICE && g->maybe_devices_differ;
    bool hurried = call->f->sampling || call->f->left < 0; /* loops are not unrolled */
    bool open = perhaps || (hurried && are_several_open(call->choices));
    bool unknown = false,
         blurred = state_is_blurred(call->s) || (open && g->works) || state_may_be_missing(call->s);
    /* Which tensors a Python program still holds is known only where no iterations are joined; that
     * integers are refused a gradient does not depend on it. */
    bool is_of_tape = (kind == ERROR_GRAD && !g->failing[kind]) || kind == ERROR_VERSION;
    bool is_vague_tape = call->bound && is_of_tape;
    bool is_tagged = call_is_tagged(call) || call_reads_replaced(call);
    bool is_guess =
        is_vague_tape || is_tagged || call->f->in_open_recursion || case_combines_parts(call->s);
    blurred |= is_guess || (call->f->confirms && g->works);
    if (kind == ERROR_ARGUMENT && !call->bound) /* without merging, no conditions are kept */
        blurred |= call->s->past || !call->f->merges || case_is_doubtful(call->s);
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
        unknown |= call->choices[i].unknown;
    unknown |= kind == ERROR_DTYPE && !g->fails_with_dimensions;
    unknown &= g->works || (kind == ERROR_DEVICE && may_lie_together(call->choices, g));
    if (unknown && perhaps) /* a contract on the device is implied */
        return NULL;
    if (r && r->unknown == unknown && r->when)
        r->when = condition_common(r->when, state_when(call->f->arena, call->s));
    const struct flow_failure is = {.past = call->s->past,
                                    .caught = call->is_caught,
                                    .unknown = unknown,
                                    .blurred = blurred,
                                    .vague = are_vague(call->choices, kind)};
    if (r && failure_rank(r) <= failure_rank(&is))
        return r;
    if (!r)
        r = failure_add(call->f, key);
    *r = (struct flow_failure){.function = call->fr->code->fn,
                               .inst = call->inst,
                               .callee = call->fn,
                               .kind = kind,
                               .reason = g->reasons[kind],
                               .failing = g->failing[kind],
                               .failing_count = g->failing_count[kind],
                               .unknown = unknown,
                               .is_hidden = call->is_hidden,
                               .joined = call->s->joined ||
                                         (call->s->cases && call->s->cases->is_cut) || is_guess,
                               .blurred = blurred,
                               .vague = is.vague,
                               .past = call->s->past,
                               .behind = call->s->past,
                               .caught = call->is_caught,
                               .one_dtype = g->works && !g->mixed_dtypes,
                               .one_device = g->works && !g->mixed_devices,
                               .when = state_when(call->f->arena, call->s),
                               .called = call->fr->called};
    add_operands(call, r, g);
    return r;
}
