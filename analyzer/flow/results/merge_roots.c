/* The results of each root are joined into those of all, in program order. A root whose results
 * at a function add nothing to those of earlier roots is not effective there: without it the
 * results would be the same. Whether it is depends only on the digest of its results. */
#include "analyzer/flow/results/results.h"

#include <string.h>

/* ---- results of the current root ------------------------------------------------------------- */

void merge_begin(struct flow *f)
{
    f->root++;
    f->own = (struct root_results){.failed = key_map_new(f->kept),
                                   .visited = key_map_new(f->kept),
                                   .counted = key_map_new(f->kept),
                                   .set_at = map_new(f->kept),
                                   .listed = map_new(f->kept),
                                   .stepped = map_new(f->kept),
                                   .frozen = map_new(f->kept),
                                   .graded = map_new(f->kept),
                                   .cleared = map_new(f->kept)};
    f->heap = heap_new(f->kept, f->shapes);
    f->computations = memo_new(f->kept);
    f->versions = 0;
    f->contexts = key_map_new(f->kept);
    f->context_count = 0;
    f->globals = key_map_new(f->kept);
    f->steps = memo_new(f->kept);
    memset(f->region_locs, 0, sizeof f->region_locs);
}

/* ---- digests --------------------------------------------------------------------------------- */

static void add_bytes(struct reach *r, const void *bytes, size_t n)
{
    r->gave.low = hash_bytes(bytes, n, r->gave.low);
    r->gave.high = hash_bytes(bytes, n, ~r->gave.high);
}

static void add_number(struct reach *r, uint64_t n)
{
    add_bytes(r, &n, sizeof n);
}

static void add_word(struct reach *r, const char *s)
{
    add_bytes(r, s ? s : "", s ? strlen(s) : 0);
}

static void add_fact(struct reach *r, const struct fact *f)
{
    const uint64_t all[] = {f->dtypes, f->devices, f->zero_dim, f->grad,   f->null,
                            f->leaf,   f->ranks,   f->gpus,     f->buffer, f->grad_open};
    add_bytes(r, all, sizeof all);
    if (f->shape)
        add_bytes(r, f->shape->dims, sizeof *f->shape->dims * (size_t)f->shape->count);
    if (f->range.is_known) {
        const double bounds[] = {f->range.low, f->range.high};
        const uint64_t is[] = {f->range.is_whole, f->range.may_be_nan, f->range.meets_low,
                               f->range.meets_high, f->range.is_single};
        add_bytes(r, bounds, sizeof bounds);
        add_bytes(r, is, sizeof is);
    }
}

static void add_place(const struct flow *f, struct reach *r, const struct step *s)
{
    const struct code *c = code_of(f, s->function);
    add_number(r, c ? c->id : 0);
    add_number(r, (uint64_t)s->inst);
    if (!s->inst)
        add_number(r, access_hash(s->place));
}

static void add_way(struct reach *r, const struct step *s)
{
    add_number(r, s ? s->fact.dtypes << 32 | fact_places(&s->fact) : 1);
    if (s && s->fact.dtypes >> 32)
        add_number(r, s->fact.dtypes >> 32);
}

static void add_value(const struct flow *f, struct reach *r, const struct flow_value *v)
{
    add_number(r, (uint64_t)v->inst);
    add_fact(r, &v->fact);
    add_way(r, v->how);
    for (int i = 0; i < v->other_way_count; i++)
        add_way(r, v->other_ways[i]);
    for (int i = 0; i < v->made_count; i++)
        add_place(f, r, v->made[i]);
    for (int i = 0; i < v->alias_count; i++) {
        add_number(r, v->aliases[i].kinds);
        add_place(f, r, v->aliases[i].of);
    }
    add_number(r, (v->via != NULL) | (v->changed != NULL) << 1);
}

/* Lines count from the beginning of the function, so that moving it in its file changes nothing. */
static void add_line(const struct flow *f, struct reach *r, const struct ir_function *fn,
                     const struct span *s)
{
    const struct code *c = code_of(f, fn);
    bool within = fn && s->line >= fn->span.line && s->line <= fn->span.end_line && s->file &&
                  fn->span.file && !strcmp(s->file, fn->span.file);
    const int64_t all[] = {c ? (int64_t)c->id : 0, within, s->line - (within ? fn->span.line : 0),
                           s->column};
    add_bytes(r, all, sizeof all);
}

static void add_caller(const struct flow *f, struct reach *r, const struct frame_place *called)
{
    add_number(r, called != NULL);
    if (called)
        add_line(f, r, called->caller, &called->span);
}

static void add_condition(const struct flow *f, struct reach *r, const struct condition *c)
{
    for (; c; c = c->before) {
        const int64_t all[] = {c->truth, c->is_case, c->value};
        add_bytes(r, all, sizeof all);
        add_line(f, r, c->function, &c->span);
        add_word(r, c->span.file);
    }
}

static void add_call(const struct flow *f, struct reach *r, const struct flow_call *c)
{
    add_number(r, (uint64_t)c->inst << 1 | c->several);
    add_bytes(r, &c->rounds, sizeof c->rounds);
    add_caller(f, r, c->called);
    add_bytes(r, c->autocast, sizeof c->autocast);
    add_number(r, c->gradients | (c->graded != NULL) << 8 | (c->scaler != NULL) << 9);
    for (int i = 0; i < c->operand_count; i++) {
        const struct flow_operand *o = &c->operands[i];
        add_number(r, (uint64_t)o->kind << 8 | o->absent | o->unknown << 1 | o->any_number << 2 |
                          (o->how != NULL) << 3 | (o->half != NULL) << 4 | (o->moved != NULL) << 5);
        add_fact(r, &o->fact);
        add_bytes(r, o->numbers, sizeof *o->numbers * (size_t)o->number_count);
    }
    add_number(r, c->has_more | c->fails << 1);
    for (int i = 0; i < c->case_count; i++) {
        add_bytes(r, &c->cases[i].key, sizeof c->cases[i].key);
        add_caller(f, r, c->cases[i].called);
        add_condition(f, r, c->cases[i].when);
        add_fact(r, &c->cases[i].result);
        for (int k = 0; k < c->operand_count; k++)
            add_fact(r, &c->cases[i].operands[k].fact);
    }
}

static void add_failure(const struct flow *f, struct reach *r, const struct flow_failure *x)
{
    const int64_t all[] = {x->inst, x->kind,
                           x->past | x->unknown << 1 | x->blurred << 2 | x->vague << 3};
    add_bytes(r, all, sizeof all);
    add_caller(f, r, x->called);
    add_condition(f, r, x->when);
}

/* ---- joining --------------------------------------------------------------------------------- */

static bool join_step(const struct step **into, const struct step *from)
{
    if (*into || !from)
        return false;
    *into = from;
    return true;
}

static bool join_value(struct flow *f, struct code *c, const struct flow_value *v)
{
    struct flow_value *all = c->all_values[v->inst];
    if (!all) {
        all = c->all_values[v->inst] = arena_copy(f->arena, v, sizeof *v);
        LIST_ADD(f->arena, &f->value_list, all);
        return true;
    }
    bool more = fact_grow(&all->fact, &v->fact);
    if (v->how)
        more |= observe_way(all, v->how);
    for (int i = 0; i < v->other_way_count; i++)
        more |= observe_way(all, v->other_ways[i]);
    for (int i = 0; i < v->made_count; i++)
        more |= observe_maker(all, v->made[i]);
    for (int i = 0; i < v->alias_count; i++)
        more |= observe_alias(all, v->aliases[i].kinds, v->aliases[i].of);
    more |= join_step(&all->via, v->via);
    more |= join_step(&all->changed, v->changed);
    return more;
}

static bool join_number(struct flow_operand *into, double n)
{
    for (int i = 0; i < into->number_count; i++)
        if (into->numbers[i] == n)
            return false;
    if (into->number_count == FLOW_NUMBERS) {
        bool more = !into->any_number;
        into->any_number = true;
        return more;
    }
    into->numbers[into->number_count++] = n;
    return true;
}

static bool join_flag(bool *into, bool from)
{
    bool more = from && !*into;
    *into |= from;
    return more;
}

static bool join_operand(struct flow_operand *into, const struct flow_operand *o)
{
    bool more = fact_grow(&into->fact, &o->fact);
    if (into->kind == OPERAND_ABSENT && o->kind != OPERAND_ABSENT) {
        into->kind = o->kind;
        more = true;
    }
    more |= join_flag(&into->absent, o->absent);
    more |= join_flag(&into->unknown, o->unknown);
    more |= join_flag(&into->any_number, o->any_number);
    more |= join_step(&into->how, o->how);
    more |= join_step(&into->half, o->half);
    more |= join_step(&into->moved, o->moved);
    for (int i = 0; i < o->number_count; i++)
        more |= join_number(into, o->numbers[i]);
    return more;
}

static bool join_call(struct flow *f, struct code *c, const struct flow_call *call)
{
    struct flow_call *all = c->all_reached[call->inst];
    bool more = !all;
    if (!all) {
        all = c->all_reached[call->inst] = arena_copy(f->arena, call, sizeof *call);
        all->cases = NULL;
        all->case_count = 0;
        LIST_ADD(f->arena, &f->call_list, all);
    }
    for (int i = 0; i < call->case_count; i++)
        more |= case_join(f->arena, all, &call->cases[i]);
    more |= join_flag(&all->has_more, call->has_more);
    more |= join_flag(&all->fails, call->fails);
    bool several = call->several || !place_is_same(all->called, call->called);
    more |= join_flag(&all->several, several);
    more |= all->rounds < call->rounds;
    all->rounds = all->rounds < call->rounds ? call->rounds : all->rounds;
    for (int i = 0; i < all->operand_count; i++)
        more |= join_operand(&all->operands[i], &call->operands[i]);
    for (int d = 0; d < DEVICE_COUNT; d++) {
        more |= (call->autocast[d] & ~all->autocast[d]) != 0;
        all->autocast[d] |= call->autocast[d];
    }
    more |= (call->records & ~all->records) != 0;
    all->records |= call->records;
    more |= (call->gradients & ~all->gradients) != 0;
    all->gradients |= call->gradients;
    more |= join_step(&all->graded, call->graded);
    more |= join_step(&all->scaler, call->scaler);
    return more;
}

static bool join_failure(struct flow *f, const struct failed *r)
{
    struct failed *all = key_map_get(f->failures, r->key);
    bool unknown = r->failure.unknown, more = !all;
    if (!all) {
        all = arena_copy(f->arena, r, sizeof *r);
        key_map_put(f->failures, r->key, all);
        LIST_ADD(f->arena, &f->failure_list, all);
    } else if (failure_rank(&r->failure) < failure_rank(&all->failure)) {
        all->failure = r->failure;
        more = true;
    }
    const struct condition *when =
        all->met[unknown] ? condition_common(all->when[unknown], r->failure.when) : r->failure.when;
    more |= !all->met[unknown] || when != all->when[unknown];
    all->met[unknown] = true;
    all->when[unknown] = when;
    return more;
}

static bool join_visit(struct flow *f, const struct visit *v)
{
    struct visit *all = key_map_get(f->visits, v->key);
    bool more = false;
    if (!all) {
        all = arena_one(f->arena, struct visit);
        key_map_put(f->visits, v->key, all);
    }
    more |= join_flag(&all->is_behind_own, v->is_behind_own);
    for (int past = 0; past < 2; past++) {
        more |= join_flag(&all->seen[past], v->seen[past]);
        more |= join_flag(&all->spared[past], v->spared[past]);
    }
    return more;
}

static bool join_missing(struct flow *f, const struct noted *m)
{
    struct key key = missing_key(m->code, m->inst);
    if (key_map_get(f->counted, key))
        return false;
    key_map_put(f->counted, key, f);
    const struct ir_function *fn = m->code->fn;
    const char *name = ir_callee_name(f->arena, fn, &fn->insts.items[m->inst]);
    missing_add(f->arena, &code_of(f, fn)->missing, name, 1);
    missing_add(f->arena, &f->counts.missing, name, 1);
    f->counts.calls_unmodelled++;
    return true;
}

static bool join_device(struct flow *f, const struct noted *n)
{
    struct key key = device_key(n->code, n->inst);
    bool more = !key_map_get(f->counted, key);
    key_map_put(f->counted, key, f);
    return more;
}

/* ---- a root is done -------------------------------------------------------------------------- */

static struct reach *reach_of(const struct flow *f, const struct ir_function *fn)
{
    return code_of(f, fn)->here;
}

static void merge_facts(struct flow *f)
{
    for (int i = 0; i < f->own.values.count; i++) {
        const struct flow_value *v = f->own.values.items[i];
        struct reach *r = reach_of(f, v->function);
        add_value(f, r, v);
        r->effective |= join_value(f, r->code, v);
    }
    for (int i = 0; i < f->own.calls.count; i++) {
        const struct flow_call *c = f->own.calls.items[i];
        struct reach *r = reach_of(f, c->function);
        add_call(f, r, c);
        r->effective |= join_call(f, r->code, c);
    }
}

static void merge_failures(struct flow *f)
{
    for (int i = 0; i < f->own.failures.count; i++) {
        const struct failed *x = f->own.failures.items[i];
        struct reach *r = reach_of(f, x->failure.function);
        add_failure(f, r, &x->failure);
        r->effective |= join_failure(f, x);
    }
    for (int i = 0; i < f->own.visits.count; i++) {
        const struct visit *v = f->own.visits.items[i];
        struct reach *r = v->code->here;
        add_bytes(r, v->seen, sizeof v->seen);
        add_bytes(r, v->spared, sizeof v->spared);
        r->effective |= join_visit(f, v);
    }
}

static void merge_rest(struct flow *f)
{
    for (int i = 0; i < f->own.missing.count; i++) {
        const struct noted *m = &f->own.missing.items[i];
        add_number(m->code->here, (uint64_t)m->inst);
        m->code->here->effective |= join_missing(f, m);
    }
    for (int i = 0; i < f->own.devices.count; i++) {
        const struct noted *n = &f->own.devices.items[i];
        add_number(n->code->here, (uint64_t)n->inst);
        n->code->here->effective |= join_device(f, n);
    }
    for (int i = 0; i < f->own.optimizer_steps.count; i++) {
        const struct optimizer_step *s = &f->own.optimizer_steps.items[i];
        if (!s->untrained)
            continue;
        LIST_ADD(f->arena, &f->untrained_list, s->call);
        reach_of(f, s->call.function)->effective = true;
    }
    for (int i = 0; i < f->own.bad_steps.count; i++) {
        LIST_ADD(f->arena, &f->bad_step_list, f->own.bad_steps.items[i]);
        reach_of(f, f->own.bad_steps.items[i].function)->effective = true;
    }
    for (int i = 0; i < f->own.left_out.count; i++) {
        LIST_ADD(f->arena, &f->left_out_list, f->own.left_out.items[i]);
        reach_of(f, f->own.left_out.items[i].function)->effective = true;
    }
}

static void merge_counts(struct flow_counts *into, const struct flow_counts *c)
{
    into->roots += c->roots;
    into->calls += c->calls;
    into->anything += c->anything;
    into->cut = into->cut.file ? into->cut : c->cut;
    into->budgets += c->budgets;
    for (int i = 0; i < FLOW_LIMIT_COUNT; i++)
        into->limits[i] += c->limits[i];
    for (int i = 0; i < FLOW_ASSUMED_COUNT; i++)
        into->assumed[i] += c->assumed[i];
}

void merge_nothing(struct flow *f)
{
    for (int i = 0; i < f->value_list.count; i++) {
        const struct flow_value *v = f->value_list.items[i];
        code_of(f, v->function)->all_values[v->inst] = NULL;
    }
    for (int i = 0; i < f->call_list.count; i++) {
        const struct flow_call *c = f->call_list.items[i];
        code_of(f, c->function)->all_reached[c->inst] = NULL;
    }
    for (int i = 0; i < f->codes.count; i++) {
        f->codes.items[i]->was_entered = false;
        f->codes.items[i]->missing.count = 0;
    }
    f->value_list.count = f->call_list.count = f->failure_list.count = f->untrained_list.count = 0;
    f->left_out_list.count = f->bad_step_list.count = 0;
    f->failures = key_map_new(f->arena);
    f->visits = key_map_new(f->arena);
    f->counted = key_map_new(f->arena);
    f->graded_unknown = false;
    f->counts = (struct flow_counts){.functions = f->counts.functions,
                                     .functions_analysed = f->counts.functions_analysed};
}

void merge_end(struct flow *f)
{
    for (int i = 0; i < f->own.entered.count; i++) {
        struct reach *r = &f->own.entered.items[i];
        r->code->here = r;
        r->gave = (struct digest){0};
        r->effective = !r->code->was_entered;
        r->code->was_entered = true;
    }
    merge_facts(f);
    merge_failures(f);
    merge_rest(f);
    merge_counts(&f->counts, &f->own.counts);
    f->graded_unknown |= f->own.graded_unknown;
}
