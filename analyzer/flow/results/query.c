/* The results, as rules and front ends read them. */
#include "analyzer/flow/results/results.h"

int64_t flow_spent(const struct flow *f)
{
    return f->spent;
}

int flow_root_count(const struct flow *f)
{
    return f->finished.count;
}

const struct flow_root *flow_root_at(const struct flow *f, int i)
{
    return &f->finished.items[i]->summary;
}

void flow_watch(struct flow *f, void (*asked)(void *context, const struct ir_function *fn),
                void *context)
{
    f->asked = asked;
    f->context = context;
}

void flow_touch(const struct flow *f, const struct ir_function *fn)
{
    if (f->asked)
        f->asked(f->context, fn);
}

missing_list flow_missing_in(const struct flow *f, const struct ir_function *fn)
{
    const struct code *c = code_of(f, fn);
    return c ? c->missing : (missing_list){0};
}

bool flow_names_device(const struct flow *f, const struct ir_function *fn, ir_value inst)
{
    const struct code *c = code_of(f, fn);
    flow_touch(f, fn);
    return c && key_map_get(f->counted, device_key(c, inst));
}

int flow_dropped_in(const struct flow *f, const struct ir_function *fn)
{
    const struct code *c = code_of(f, fn);
    return c ? c->dropped : 0;
}

bool flow_was_entered(const struct flow *f, const struct ir_function *fn)
{
    const struct code *c = code_of(f, fn);
    return c && c->was_entered;
}

const struct ir_function *flow_callee_of(const struct flow *f, const struct ir_function *fn,
                                         ir_value inst)
{
    const struct code *c = code_of(f, fn);
    const struct code *to = c && c->names && !c->packed[inst] ? c->callee[inst] : NULL;
    flow_touch(f, fn);
    if (to)
        flow_touch(f, to->fn);
    return to ? to->fn : NULL;
}

int flow_value_count(const struct flow *f)
{
    return f->value_list.count;
}

const struct flow_value *flow_value_at(const struct flow *f, int i)
{
    return f->value_list.items[i];
}

const struct flow_value *flow_value_of(const struct flow *f, const struct ir_function *fn,
                                       ir_value inst)
{
    const struct code *c = code_of(f, fn);
    flow_touch(f, fn);
    return c && c->all_values && inst > 0 && inst < fn->insts.count ? c->all_values[inst] : NULL;
}

int flow_failure_count(const struct flow *f)
{
    return f->failure_list.count;
}

const struct flow_failure *flow_failure_at(const struct flow *f, int i)
{
    return &f->failure_list.items[i]->failure;
}

const struct flow_counts *flow_counts(const struct flow *f)
{
    return &f->counts;
}

int flow_call_count(const struct flow *f)
{
    return f->call_list.count;
}

const struct flow_call *flow_call_at(const struct flow *f, int i)
{
    return f->call_list.items[i];
}

const struct flow_call *flow_call_of(const struct flow *f, const struct ir_function *fn,
                                     ir_value inst)
{
    const struct code *c = code_of(f, fn);
    flow_touch(f, fn);
    return c && c->all_reached && inst > 0 && inst < fn->insts.count ? c->all_reached[inst] : NULL;
}

int flow_bad_step_count(const struct flow *f)
{
    return f->bad_step_list.count;
}

const struct flow_bad_step *flow_bad_step_at(const struct flow *f, int i)
{
    return &f->bad_step_list.items[i];
}

int flow_left_out_count(const struct flow *f)
{
    return f->left_out_list.count;
}

const struct flow_left_out *flow_left_out_at(const struct flow *f, int i)
{
    return &f->left_out_list.items[i];
}
