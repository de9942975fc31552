/* Tensors that an optimizer holds and no backward reaches: they have no gradient, and its steps
 * do not change them. Over all paths of a root: one backward that reaches a tensor is enough. */
#include "analyzer/flow/results/results.h"

void gradient_note(struct flow *f, int tensor)
{
    map_put(f->own.graded, (uint64_t)tensor, f);
}

void optimizer_step_note(struct flow *f, const struct ir_function *fn, ir_value inst,
                         const struct tensor *t)
{
    struct flow_untrained call = {fn, inst, t->how};
    struct key key =
        key_of_index(KEY_OPTIMIZER_STEP, (uint64_t)(uintptr_t)fn, (uint64_t)inst, t->id);
    if (key_map_get(f->own.counted, key))
        return;
    key_map_put(f->own.counted, key, f);
    struct optimizer_step one = {t->id, call};
    LIST_ADD(f->kept, &f->own.optimizer_steps, one);
}

bool is_untrained(const struct flow *f, const struct optimizer_step *s)
{
    return !map_get(f->own.graded, (uint64_t)s->tensor);
}

int flow_untrained_count(const struct flow *f)
{
    return f->graded_unknown ? 0 : f->untrained_list.count;
}

const struct flow_untrained *flow_untrained_at(const struct flow *f, int i)
{
    return &f->untrained_list.items[i];
}
