/* Tensors that an optimizer holds and no backward reaches: they have no gradient, and its steps
 * do not change them. Over all paths of a root: one backward that reaches a tensor is enough; or
 * one in the runs in which a cast or move had made another tensor of it before the step. */
#include "analyzer/flow/results/results.h"

static diagram when_at(const struct flow *f, const struct state *s)
{
    return !f->merges ? DIAGRAM_YES : s->cases ? s->cases->care : s->path;
}

static diagram either(struct flow *f, diagram a, diagram b)
{
    return f->merges ? guards_either(f->guards, a, b) : a | b;
}

void gradient_note_where(struct flow *f, const struct state *s, int tensor, diagram where)
{
    uintptr_t before = (uintptr_t)map_get(f->own.graded, (uint64_t)tensor);
    diagram now = when_at(f, s);
    if (where != DIAGRAM_YES)
        now = guards_both(f->guards, now, where);
    diagram all = before ? either(f, (diagram)(before - 1), now) : now;
    map_put(f->own.graded, (uint64_t)tensor, (void *)((uintptr_t)all + 1));
}

void gradient_note(struct flow *f, const struct state *s, int tensor)
{
    gradient_note_where(f, s, tensor, DIAGRAM_YES);
}

void optimizer_step_note(struct flow *f, const struct state *s, const struct optimizer_step *step,
                         bool copied)
{
    struct key key = key_of_index(KEY_OPTIMIZER_STEP, (uint64_t)(uintptr_t)step->call.function,
                                  (uint64_t)step->call.inst, step->tensor);
    uintptr_t at = (uintptr_t)key_map_get(f->own.counted, key);
    diagram when = copied ? when_at(f, s) : DIAGRAM_NO;
    if (at) {
        struct optimizer_step *known = &f->own.optimizer_steps.items[at - 1];
        known->copied = either(f, known->copied, when);
        known->is_frozen &= step->is_frozen;
        known->is_cleared &= step->is_cleared;
        known->is_piled |= step->is_piled;
        return;
    }
    struct optimizer_step one = *step;
    one.copied = when;
    LIST_ADD(f->kept, &f->own.optimizer_steps, one);
    key_map_put(f->own.counted, key, (void *)(uintptr_t)f->own.optimizer_steps.count);
}

void stepped_note(struct flow *f, const struct value *v)
{
    f->own.stepped_unknown |= v->kind != VALUE_TENSOR;
    for (int k = 0; k < v->count && v->kind == VALUE_TENSOR; k++)
        map_put(f->own.stepped, (uint64_t)v->as.tensor[k], f);
}

void thawed_note(struct flow *f, const struct ir_function *fn, ir_value inst, int tensor)
{
    struct flow_left_out what = {
        .function = fn, .inst = inst, .are_tensors = true, .is_thawed = true};
    LIST_ADD(f->kept, &f->own.left_tensors, ((struct left_tensor){tensor, what}));
}

static bool is_left_out(const struct flow *f, const struct flow_left_out *l)
{
    for (int i = 0; i < f->own.left_out.count; i++)
        if (f->own.left_out.items[i].function == l->function &&
            f->own.left_out.items[i].inst == l->inst && !f->own.left_out.items[i].is_unsaved)
            return true;
    return false;
}

/* Tensors of modules that get a gradient, next to others that an optimizer steps with. */
static void left_tensors_decide(struct flow *f)
{
    for (int i = 0; i < f->own.left_tensors.count; i++) {
        const struct left_tensor *l = &f->own.left_tensors.items[i];
        bool is_alone = f->own.optimizer_steps.count && !f->own.stepped_unknown;
        is_alone &= !l->what.is_thawed || !(f->own.escaped || f->own.handed_out);
        if (!is_alone || !map_get(f->own.graded, (uint64_t)l->tensor) ||
            map_get(f->own.stepped, (uint64_t)l->tensor) || is_left_out(f, &l->what))
            continue;
        struct flow_left_out what = l->what;
        const struct flow_untrained *step = &f->own.optimizer_steps.items[0].call;
        if (what.is_thawed)
            what.at = step->function->insts.items[step->inst].span;
        LIST_ADD(f->kept, &f->own.left_out, what);
    }
}

static bool is_of_step(const struct optimizer_step *a, const struct optimizer_step *b)
{
    return a->call.function == b->call.function && a->call.inst == b->call.inst;
}

static bool is_graded(const struct flow *f, const struct optimizer_step *s)
{
    return f->own.graded_unknown || f->own.escaped || f->own.escaped_graded ||
           map_get(f->own.graded, (uint64_t)s->tensor);
}

/* What is wrong with all tensors of a step, of which this is the first. False: nothing. */
static bool find_bad_step(const struct flow *f, const struct optimizer_step *first,
                          struct flow_bad_step *out)
{
    bool is_graded_any = false, is_empty = f->is_dynamic || first->is_cleared;
    for (int i = 0; i < f->own.optimizer_steps.count; i++) {
        const struct optimizer_step *s = &f->own.optimizer_steps.items[i];
        if (!is_of_step(s, first))
            continue;
        is_graded_any |= is_graded(f, s);
        is_empty &= s->tensor && (s->is_cleared || !is_graded(f, s));
    }
    *out = (struct flow_bad_step){.function = first->call.function,
                                  .inst = first->call.inst,
                                  .how = first->call.how,
                                  .kind = is_graded_any ? STEP_CLEARED : STEP_UNGRADED};
    return is_empty && map_count(f->own.graded);
}

/* Nothing in the program clears the gradient, which steps use again and again. */
static bool is_piling_up(const struct flow *f, const struct optimizer_step *s)
{
    return s->tensor && s->is_piled && !f->own.cleared_unknown && !f->own.escaped &&
           !map_get(f->own.cleared, (uint64_t)s->tensor);
}

static bool is_first_of_step(const struct flow *f, int n)
{
    for (int i = 0; i < n; i++)
        if (is_of_step(&f->own.optimizer_steps.items[i], &f->own.optimizer_steps.items[n]))
            return false;
    return true;
}

static void bad_steps_decide(struct flow *f)
{
    for (int i = 0; i < f->own.optimizer_steps.count; i++) {
        const struct optimizer_step *s = &f->own.optimizer_steps.items[i];
        struct flow_bad_step bad;
        bool is_bad = is_first_of_step(f, i) && find_bad_step(f, s, &bad);
        if (!is_bad && is_piling_up(f, s)) {
            bad = (struct flow_bad_step){s->call.function, s->call.inst, s->call.how, STEP_PILED};
            is_bad = true;
        }
        if (is_bad)
            LIST_ADD(f->kept, &f->own.bad_steps, bad);
    }
}

void untrained_decide(struct flow *f)
{
    left_tensors_decide(f);
    bad_steps_decide(f);
    for (int i = 0; i < f->own.optimizer_steps.count; i++) {
        struct optimizer_step *s = &f->own.optimizer_steps.items[i];
        uintptr_t graded = (uintptr_t)map_get(f->own.graded, (uint64_t)s->tensor);
        if (!s->tensor || s->is_frozen)
            continue;
        s->call.is_alone = f->is_dynamic && !f->own.graded_unknown && map_count(f->own.graded) > 0;
        s->untrained = !graded || (f->merges && s->copied != DIAGRAM_NO &&
                                   !guards_meet(f->guards, (diagram)(graded - 1), s->copied));
    }
}

int flow_untrained_count(const struct flow *f)
{
    return f->untrained_list.count;
}

const struct flow_untrained *flow_untrained_at(const struct flow *f, int i)
{
    return &f->untrained_list.items[i];
}

bool flow_is_untrained(const struct flow *f, const struct flow_untrained *idle)
{
    return idle->is_alone || !f->graded_unknown;
}
