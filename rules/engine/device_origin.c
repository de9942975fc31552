/* How tensors came to be on different devices: what decided that one is on the CPU and the other is
 * not. */
#include "rules/engine/engine.h"

#include <string.h>

const struct failing_operand *failing_on(const struct failing *f, enum device d)
{
    for (int k = 0; k < f->count; k++)
        if (f->operands[k].blamed && f->operands[k].is.kind == OPERAND_TENSOR &&
            f->operands[k].is.device == d)
            return &f->operands[k];
    return NULL;
}

static bool is_on_gpus(const struct failing_operand *o)
{
    return o->blamed && o->is.kind == OPERAND_TENSOR && o->is.device == DEVICE_CUDA && o->is.gpus;
}

bool failing_on_two(const struct failing *f, const struct failing_operand **a,
                    const struct failing_operand **b)
{
    for (int k = 1; k < f->count; k++)
        for (int i = 0; i < k; i++)
            if (is_on_gpus(&f->operands[i]) && is_on_gpus(&f->operands[k]) &&
                !(f->operands[i].is.gpus & f->operands[k].is.gpus)) {
                *a = &f->operands[i];
                *b = &f->operands[k];
                return true;
            }
    return false;
}

/* Whether it would work with all operands on that device. */
static bool works_on(const struct failing *f, enum device d)
{
    struct operand operands[MAX_COMBINED];
    struct outcome o = {0};
    memcpy(operands, f->combination, sizeof operands);
    for (int k = 0; k < f->count; k++) {
        operands[f->operands[k].at].device = d;
        operands[f->operands[k].at].gpus = 0;
    }
    pack_call_many(f->failure->callee, operands, f->combination_count, &o);
    return o.error == ERROR_NONE;
}

/* Some APIs report it as a dtype error; a call that also fails on one device is not about devices.
 */
bool failing_is_device(const struct failing *f)
{
    if (f->failure->kind == ERROR_DEVICE)
        return true;
    return f->failure->kind == ERROR_DTYPE && !failing_is_mixed(f) && failing_on(f, DEVICE_CPU) &&
           failing_on(f, DEVICE_CUDA) && (works_on(f, DEVICE_CPU) || works_on(f, DEVICE_CUDA));
}

bool failing_is_host_read(const struct failing *f)
{
    bool is_view = f->count == 1 && f->failure->callee->alias == ALIAS_VIEW &&
                   f->operands[0].is.device == DEVICE_CUDA;
    return f->failure->kind == ERROR_DEVICE && (f->family == FAMILY_DATA_POINTER || is_view);
}

/* ---- fields --------------------------------------------------------------------------------- */

enum { MAX_DEPTH = 8 };

/* The record, and all records nested in it. */
static void visit_records(const struct type *t, int depth, void (*found)(void *, const char *),
                          void *context)
{
    while (t && t->kind == TYPE_ARRAY)
        t = t->of;
    if (!t || t->kind != TYPE_RECORD || !t->name || depth > MAX_DEPTH)
        return;
    found(context, t->name);
    for (int i = 0; i < t->field_count; i++)
        visit_records(t->fields[i].type, depth + 1, found, context);
}

/* The record with a field that is set to a tensor moved to the GPU; NULL: none. */
static const struct type *moved_record(const struct check_input *in, const struct ir_function *f,
                                       const struct ir_inst *store)
{
    const struct ir_inst *at = &f->insts.items[store->args[0]];
    const struct type *pointer = at->op == IR_FIELD ? f->insts.items[at->args[0]].type : NULL;
    if (!pointer || pointer->kind != TYPE_POINTER)
        return NULL;
    ir_value v = value_behind(f, store->args[1]);
    const struct ir_inst *made = &f->insts.items[v];
    const struct pack_function *callee =
        made->op == IR_CALL && made->name ? packs_find(in->packs, made->name) : NULL;
    if (!callee || callee->alias != ALIAS_MAYBE_SAME)
        return NULL;
    const struct flow_value *value = flow_value_of(in->flow, f, v);
    return value && value->fact.devices == 1u << DEVICE_CUDA ? pointer->of : NULL;
}

void rules_moved(const struct check_input *in, const struct ir_function *f,
                 void (*found)(void *context, const char *record), void *context)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        const struct type *record = i->op == IR_STORE ? moved_record(in, f, i) : NULL;
        if (record)
            visit_records(record, 0, found, context);
    }
}

struct search {
    const char *record;
    bool found;
};

static void find_record(void *context, const char *record)
{
    struct search *s = context;
    s->found |= !strcmp(s->record, record);
}

static bool is_moved_elsewhere(const struct check *c, const struct type *record)
{
    const struct check_watch *w = c->in->watch;
    struct search s = {.record = record->name};
    if (w)
        return w->is_moved(w->context, record->name);
    for (int u = 0; u < c->in->unit_count && !s.found; u++)
        for (int k = 0; k < c->in->units[u]->functions.count && !s.found; k++)
            rules_moved(c->in, c->in->units[u]->functions.items[k], find_record, &s);
    return s.found;
}

/* ---- decisions ------------------------------------------------------------------------------ */

static bool is_factory(const struct pack_function *f)
{
    for (int i = 0; f && i < f->param_count; i++)
        if (f->params[i].kind == OPERAND_TENSOR)
            return false;
    return f && f->returns_tensor;
}

static const struct step *decided(const struct failing *f, const struct failing_operand *o)
{
    return deciding_step(f->check, o->how, ASPECT_DEVICE, operand_places(&o->is));
}

/* In the body of a unit, names are its own variables. */
static bool is_bound_here(const struct ir_function *f, const struct ir_inst *i)
{
    return i->op != IR_GLOBAL && !strcmp(f->name, "(init)");
}

bool is_from_outside(const struct ir_function *f, ir_value v)
{
    for (v = v ? value_behind(f, v) : 0; v;) {
        const struct ir_inst *i = &f->insts.items[v];
        int64_t root = ir_path_root(f, i);
        if (root != IR_ROOT_NONE)
            return root == IR_ROOT_NAME ? !is_bound_here(f, i) : root < f->param_count;
        v = value_behind(f, ir_path_base(i));
    }
    return false;
}

static bool is_dynamic_call(const struct ir_inst *i)
{
    return i->op == IR_INVOKE || (i->op == IR_CALL && is_dynamic(i));
}

/* The call by which the function was entered. */
static const struct ir_inst *entering(const struct ir_function *f, const struct frame_place *called)
{
    for (int n = 1; called && n < called->caller->insts.count; n++) {
        const struct ir_inst *i = &called->caller->insts.items[n];
        bool is_of_name = i->op == IR_CALL && i->name && !strcmp(i->name, f->name);
        if ((is_of_name || is_dynamic_call(i)) && i->span.line == called->span.line &&
            i->span.column == called->span.column)
            return i;
    }
    return NULL;
}

/* The argument for a parameter; 0: none, or it is not known which. In a dynamic language, a method
 * is called on an argument of its own, and others have labels. */
static ir_value passed_for(const struct ir_function *f, const struct ir_inst *call, int param)
{
    bool is_method = f->param_count && !strcmp(f->locals.items[0].name, "self");
    int at = param + (is_dynamic_call(call) && !is_method);
    for (int k = 0; call->labels && k < call->arg_count; k++) {
        if (call->labels[k] && !strcmp(call->labels[k], f->locals.items[param].name))
            return call->args[k];
        if (call->labels[k] && k <= at)
            return 0;
    }
    return at < call->arg_count ? call->args[at] : 0;
}

static void count_load(const struct ir_function *f, ir_value user, enum variable_use how,
                       void *count)
{
    (void)f, (void)user;
    *(int *)count += how == VARIABLE_READ;
}

static int count_loads(struct check *c, const struct ir_function *f, int64_t local)
{
    int loads = 0;
    variable_users(c, f, local, count_load, &loads);
    return loads;
}

/* How often a part of a local record or array is read: t[0], not t[1]. */
static int count_loads_of(const struct ir_function *f, const struct ir_place *of)
{
    int loads = 0;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        struct ir_place at;
        loads += i->op == IR_LOAD && ir_place_of(f, i->args[0], &at) &&
                 ir_places_overlap(&at, of) == IR_SAME;
    }
    return loads;
}

struct sets {
    const struct code_view *code;
    ir_value load;
    bool inside;
};

static void find_set(const struct ir_function *f, ir_value user, enum variable_use how,
                     void *context)
{
    struct sets *s = context;
    (void)f;
    s->inside |= how == VARIABLE_SET && is_in_one_loop(s->code, user, s->load);
}

/* Whether the same tensor is read again in the next iteration: nothing in the loop sets the local.
 */
static bool is_read_again(struct check *c, const struct ir_function *f, int64_t local,
                          ir_value load)
{
    struct sets s = {code_view(c, f), load, false};
    variable_users(c, f, local, find_set, &s);
    return is_in_loop(s.code, load) && !s.inside;
}

/* In the function with the cast, the variable may refer to another tensor afterwards; in its
 * callers, any read of the variable is a read of the old one. */
static bool is_read_elsewhere(struct check *c, const struct ir_function *f, ir_value v,
                              const struct frame_place *called, bool cast_here)
{
    v = v ? value_within(c, f, v) : 0;
    const struct ir_inst *i = &f->insts.items[v];
    if (!v || !ir_op_reads(i->op))
        return false;
    int64_t variable = variable_read(c, f, v);
    struct ir_place part;
    if (variable < 0)
        return is_from_outside(f, v) || (i->op == IR_LOAD && ir_place_of(f, i->args[0], &part) &&
                                         count_loads_of(f, &part) > 1);
    bool given = variable < f->param_count;
    if ((!given || !cast_here) &&
        (count_loads(c, f, variable) > 1 || is_read_again(c, f, variable, v)))
        return true;
    const struct ir_inst *call = given ? entering(f, called) : NULL;
    ir_value passed = call ? passed_for(f, call, (int)variable) : 0;
    if (!passed)
        return given;
    return is_read_elsewhere(c, called->caller, passed, called->outer, false);
}

bool is_shared(struct check *c, const struct ir_function *f, ir_value v,
               const struct frame_place *called)
{
    return is_read_elsewhere(c, f, v, called, true);
}

/* ---- what a dynamic language keeps ----------------------------------------------------------- */

struct read_after {
    struct check *check;
    struct variable variable;
    ir_value at;
    const char *key; /* of the element that is meant; NULL: any */
    bool any;
};

bool sets_variable(struct check *c, const struct ir_inst *i, const void *context)
{
    const struct variable *v = context;
    return ir_written(i) &&
           variable_set(c, v->function, (ir_value)(i - v->function->insts.items)) == v->local;
}

/* The text that an element is taken by; NULL: another key, or no element. */
static const char *key_of_element(const struct ir_function *f, ir_value element)
{
    const struct ir_inst *i = &f->insts.items[element];
    bool is_element = i->op == IR_APPLY && i->integer == PROTOCOL_GETITEM;
    const struct ir_inst *key = is_element ? &f->insts.items[i->args[1]] : NULL;
    return key && key->op == IR_TEXT ? key->name : NULL;
}

/* Whether all that is taken there are elements by other keys. */
static bool takes_others(const struct read_after *r, const struct ir_function *f, ir_value read)
{
    const value_list *users = &code_view(r->check, f)->users[read];
    for (int k = 0; k < users->count; k++) {
        const char *key = key_of_element(f, users->items[k]);
        if (!key || !strcmp(key, r->key))
            return false;
    }
    return users->count > 0;
}

static void find_read_after(const struct ir_function *f, ir_value user, enum variable_use how,
                            void *context)
{
    struct read_after *r = context;
    r->any |= how == VARIABLE_READ && !(r->key && takes_others(r, f, user)) &&
              path_exists(r->check, f, r->at, user, sets_variable, &r->variable);
}

bool is_read_after(struct check *c, const struct ir_function *f, int64_t variable, ir_value at)
{
    struct read_after r = {c, {f, variable}, at, NULL, false};
    variable_users(c, f, variable, find_read_after, &r);
    return r.any;
}

/* The one value that a variable holds where it is read; 0: there are several, or it is not known.
 */
ir_value value_held(struct check *c, const struct ir_function *f, int64_t variable, ir_value read)
{
    ir_value store = store_before(code_view(c, f), variable, read);
    const value_list *all = store ? NULL : stores_reaching(c, f, variable, read);
    store = all && all->count == 1 ? all->items[0] : store;
    return store ? ir_written(&f->insts.items[store]) : 0;
}

/* What an element, a part or a next element is taken from; 0: it is none. */
static ir_value taken_from(struct check *c, const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = &f->insts.items[v];
    const struct flow_call *by = flow_call_of(c->in->flow, f, v);
    if (i->op == IR_APPLY && i->integer == PROTOCOL_NEXT) {
        const struct ir_inst *iterator = &f->insts.items[i->args[0]];
        return iterator->op == IR_APPLY && iterator->arg_count ? iterator->args[0] : 0;
    }
    bool has_all = i->op == IR_INVOKE && i->arg_count == 1 && !by &&
                   (!strcmp(i->name, "items") || !strcmp(i->name, "values"));
    if (has_all || (i->op == IR_APPLY && i->integer == PROTOCOL_UNPACK))
        return i->args[0];
    bool is_element = i->op == IR_APPLY && i->integer == PROTOCOL_GETITEM;
    bool is_view = by && by->callee->alias != ALIAS_FRESH && i->arg_count;
    return is_element && (!by || is_view) ? i->args[0] : is_view ? i->args[0] : 0;
}

enum { MAX_HELD = 12 };

/* The same element of a container that a variable holds. */
static bool is_element_read_after(struct check *c, const struct ir_function *f, int64_t variable,
                                  const char *key, ir_value at)
{
    struct read_after r = {c, {f, variable}, at, key, false};
    variable_users(c, f, variable, find_read_after, &r);
    return r.any;
}

/* key: of the element of it that is meant; NULL: all of it. */
static bool is_kept(struct check *c, const struct ir_function *f, ir_value v, const char *key,
                    ir_value at, const struct frame_place *called, int depth)
{
    v = v ? value_within(c, f, v) : 0;
    const struct ir_inst *i = &f->insts.items[v];
    ir_value whole = v && depth ? taken_from(c, f, v) : 0;
    if (!v || !depth)
        return false;
    if (whole)
        return is_kept(c, f, whole, key_of_element(f, v), at, called, depth - 1);
    if (i->op == IR_ATTR)
        return is_from_outside(f, v);
    int64_t variable = variable_read(c, f, v);
    if (variable < 0)
        return i->op == IR_NAME;
    if (variable < f->param_count) {
        const struct ir_inst *call = entering(f, called);
        ir_value passed = call ? passed_for(f, call, (int)variable) : 0;
        return passed &&
               is_kept(c, called->caller, passed, key,
                       (ir_value)(call - called->caller->insts.items), called->outer, depth - 1);
    }
    ir_value held = value_held(c, f, variable, v);
    return is_element_read_after(c, f, variable, key, at) ||
           (held && (taken_from(c, f, held) || ir_op_reads(f->insts.items[held].op)) &&
            is_kept(c, f, held, key, at, called, depth - 1));
}

bool is_kept_elsewhere(struct check *c, const struct ir_function *f, ir_value v, ir_value at,
                       const struct frame_place *called)
{
    return is_kept(c, f, v, NULL, at, called, MAX_HELD);
}

ir_value value_passed(const struct ir_function *f, const struct frame_place *called, int param,
                      ir_value *call)
{
    const struct ir_inst *i = entering(f, called);
    *call = i ? (ir_value)(i - called->caller->insts.items) : 0;
    return i ? passed_for(f, i, param) : 0;
}

/* The call, in all cases or in the first, with a result that is not where the operand is. */
static bool leads_away(struct check *c, const struct flow_call *seen, unsigned places,
                       struct call *move)
{
    if (!call_view(c, seen->function, seen->inst, move))
        return false;
    if (move->result && !(fact_places(&move->result->fact) & places))
        return true;
    for (int i = 0; i < seen->case_count; i++)
        if (seen->cases[i].has_result && !(fact_places(&seen->cases[i].result) & places)) {
            call_view_case(c, seen, &seen->cases[i], move);
            return true;
        }
    return false;
}

bool failing_move(const struct failing *f, const struct failing_operand *o, struct call *move)
{
    const conversion_list *l = conversions_of(f->check, o->how);
    const struct call fails = {.function = f->failure->function, .inst = f->failure->inst};
    for (int i = 0; i < l->count; i++) {
        bool is_before = l->items[i]->function != fails.function ||
                         comes_after(f->check,
                                     &(struct call){.function = l->items[i]->function,
                                                    .inst = l->items[i]->inst},
                                     &fails);
        if (is_before && leads_away(f->check, l->items[i], operand_places(&o->is), move))
            return true;
    }
    return false;
}

/* Whether the call was given a device that somebody else chose: an option, or a caller. */
static bool is_device_given(const struct failing *f, const struct step *s)
{
    const struct flow_call *seen = flow_call_of(f->check->in->flow, s->function, s->inst);
    for (int k = 0; seen && k < seen->operand_count; k++)
        if (seen->operands[k].kind == OPERAND_DEVICE && operand_is_open(seen, k))
            return true;
    return false;
}

/* Whether its device was decided in the failing function. */
static bool is_decided_here(const struct failing *f, const struct failing_operand *o)
{
    const struct step *s = decided(f, o);
    return s && s->inst && s->function == f->failure->function && !is_device_given(f, s);
}

/* Of two cuda devices, neither is the wrong one: what matters is where each was decided. */
bool failing_named(const struct failing *f, const struct failing_operand **named,
                   const struct failing_operand **given)
{
    const struct ir_function *here = f->failure->function;
    const struct failing_operand *a = failing_on(f, DEVICE_CUDA), *b = failing_on(f, DEVICE_CPU);
    if (a && b) {
        *named = a;
        *given = b;
        return is_from_outside(here, b->value) && !is_from_outside(here, a->value) &&
               is_decided_here(f, a);
    }
    if (!failing_on_two(f, &a, &b) || is_decided_here(f, a) == is_decided_here(f, b))
        return false;
    *named = is_decided_here(f, a) ? a : b;
    *given = *named == a ? b : a;
    return !is_from_outside(here, (*named)->value);
}

/* Programs of dynamic languages make tensors in models, loaders and libraries, where the device is
 * the caller's affair: only what the failing function makes itself was made in the wrong place. */
static bool is_made_near(const struct failing *f, const struct failing_operand *o)
{
    const struct step *s = decided(f, o);
    return is_decided_here(f, o) || !is_dynamic(&s->function->insts.items[s->inst]);
}

enum device_pattern failing_pattern(const struct failing *f)
{
    const struct failing_operand *cpu = failing_on(f, DEVICE_CPU),
                                 *cuda = failing_on(f, DEVICE_CUDA);
    const struct ir_function *here = f->failure->function;
    if (!failing_is_device(f) || failing_is_host_read(f))
        return PATTERN_NONE;
    const struct failing_operand *named, *given;
    if (!cpu || !cuda)
        return failing_named(f, &named, &given) ? PATTERN_HARD_CODED : PATTERN_OTHER;
    struct call move;
    if (cpu->how && failing_move(f, cpu, &move))
        return PATTERN_STALE;
    const struct type *record = record_with_field(here, cpu->value);
    if (record && record->name && is_moved_elsewhere(f->check, record))
        return PATTERN_FIELD;
    if (failing_named(f, &named, &given))
        return PATTERN_HARD_CODED;
    return is_factory(step_callee(f->check, decided(f, cpu))) && is_made_near(f, cpu)
               ? PATTERN_FACTORY
               : PATTERN_OTHER;
}
