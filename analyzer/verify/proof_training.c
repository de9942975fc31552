/* Proof by what training gets at: the closing record of a run says which tensors that optimizers
 * hold had no gradient but 0, and which tensors with a gradient no optimizer holds. */
#include "analyzer/verify/proof.h"

#include <string.h>

/* The first event on the lines of the finding, from *i on; NULL: none. */
static const struct event *event_on_lines(const struct judging *j, int *i)
{
    const struct span *at = &j->finding->span;
    const char *file = path_real(j->v, NULL, at->file);
    while (*i < j->run->events.count) {
        const struct event *e = &j->run->events.items[(*i)++];
        if (*e->op && !e->skipped && !e->error && e->file == file && e->line >= at->line &&
            e->line <= at->end_line)
            return e;
    }
    return NULL;
}

static int64_t number_of(const struct judging *j, const char *name)
{
    const json_t *training = json_object_get(j->run->last, "training");
    return json_integer_value(json_object_get(training, name));
}

/* Whether the run trained, as far as it was watched. */
static bool has_trained(const struct judging *j, const struct event *e)
{
    if (number_of(j, "steps"))
        return true;
    judge_set(j, VERDICT_NOT_REACHED, e,
              "executed this line, but no step of an optimizer was seen");
    return false;
}

static const char *idle_text(const struct judging *j)
{
    return arena_printf(j->v->arena,
                        "executed this line, and in %lld step%s %lld of the %lld tensors that "
                        "optimizers hold had no gradient but 0",
                        (long long)number_of(j, "steps"), number_of(j, "steps") == 1 ? "" : "s",
                        (long long)number_of(j, "idle"), (long long)number_of(j, "held"));
}

/* Whether the finding is about a parameter that an optimizer holds, and not about one of several
 * terms of a loss. */
static bool is_about_parameter(const struct finding *f)
{
    for (int i = 0; i < f->origins.count; i++)
        if (!strcmp(f->origins.items[i].what, "steps"))
            return true;
    return false;
}

/* A parameter gets no gradient; one that a number is rounded from may get it in another way. */
void look_idle(const struct judging *j)
{
    int i = 0;
    const struct event *e = event_on_lines(j, &i);
    bool is_parameter = is_about_parameter(j->finding), is_idle = number_of(j, "idle");
    if (!e || !has_trained(j, e))
        return;
    if (is_idle)
        judge_set(j, VERDICT_CONFIRMED, e, idle_text(j));
    else
        judge_set(j, is_parameter ? VERDICT_REFUTED : VERDICT_NOT_REACHED, e,
                  is_parameter
                      ? "executed this line, and all tensors that optimizers hold had a gradient"
                      : "executed this line, but all tensors that optimizers hold had a gradient");
}

/* A term of a loss gets no gradient, or a parameter. */
void look_cut(const struct judging *j)
{
    if (!is_about_parameter(j->finding))
        look_untracked(j);
    else
        look_idle(j);
}

/* An optimizer steps, and nothing that it holds has a gradient. */
void look_stepless(const struct judging *j)
{
    int i = 0;
    const struct event *e = event_on_lines(j, &i);
    if (!e || !has_trained(j, e))
        return;
    if (number_of(j, "idle_optimizers"))
        judge_set(j, VERDICT_CONFIRMED, e, idle_text(j));
    else
        judge_set(j, VERDICT_REFUTED, e, "made a step here with gradients");
}

static bool is_left_out(const struct judging *j, int64_t storage)
{
    const json_t *training = json_object_get(j->run->last, "training");
    const json_t *all = json_object_get(training, "left_out");
    for (size_t i = 0; storage && i < json_array_size(all); i++)
        if (json_integer_value(json_array_get(all, i)) == storage)
            return true;
    return false;
}

/* What the event made or wrote. */
static bool makes_left_out(const struct judging *j, const struct event *e)
{
    bool is = is_left_out(j, e->result.storage) || is_left_out(j, e->written.storage);
    for (int k = 0; k < e->operand_count; k++)
        is |= is_left_out(j, e->operands[k].storage);
    return is;
}

/* What is made here has a gradient, and no optimizer holds it. */
void look_left_out(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = event_on_lines(j, &i)); other = e)
        if (makes_left_out(j, e)) {
            judge_set(j, VERDICT_CONFIRMED, e,
                      "made a tensor here that had a gradient later, and no optimizer held it");
            return;
        }
    if (other && has_trained(j, other))
        judge_set(
            j, VERDICT_NOT_REACHED, other,
            "executed this line, but nothing that it made had a gradient without an optimizer");
}
