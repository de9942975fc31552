/* Proof by state: autocast regions, scaled gradients, what optimizers hold. */
#include "analyzer/verify/proof.h"

#include <string.h>

void look_converted(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e) {
        const json_t *c = json_object_get(e->raw, "conversions");
        if (json_integer_value(json_object_get(c, "count")) > 0 ||
            (e->operand_count && e->result.dtype && e->operands[0].dtype &&
             strcmp(e->result.dtype, e->operands[0].dtype) != 0)) {
            judge_set(j, VERDICT_CONFIRMED, e,
                      arena_printf(j->v->arena, "computed this in %s", e->result.dtype));
            return;
        }
    }
    if (other)
        judge_set(j, VERDICT_REFUTED, other, "computed this in the dtype of its operands");
}

/* The dtype that autocast has on cuda when the event ends; NULL: it is off. */
static const char *region_dtype(const struct event *e)
{
    return json_string_value(json_object_get(json_object_get(e->raw, "autocast"), "cuda"));
}

/* Ops from the event on, while its region is open, that computed in f16. */
static int halves_inside(const struct judging *j, int i)
{
    int count = 0;
    for (; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        const json_t *c = json_object_get(e->raw, "conversions");
        if (!e->raw) /* brief form: like others before it */
            continue;
        if (*e->op && !region_dtype(e))
            break;
        count += e->result.dtype && !strcmp(e->result.dtype, "f16") &&
                 json_integer_value(json_object_get(c, "count")) > 0;
    }
    return count;
}

/* The region names its dtype; the proof is that something in it is converted. */
void look_inside(const struct judging *j)
{
    const struct event *e, *empty = NULL, *other = NULL;
    for (int i = 0; (e = next_event(j, &i));) {
        const char *dtype = region_dtype(e);
        int count = dtype && !strcmp(dtype, "f16") ? halves_inside(j, i) : 0;
        if (count) {
            judge_set(j, VERDICT_CONFIRMED, e,
                      arena_printf(j->v->arena,
                                   "began a region here in which %d operation%s converted to f16",
                                   count, count == 1 ? " was" : "s were"));
            return;
        }
        if (dtype && !strcmp(dtype, "f16"))
            empty = e;
        else
            other = e;
    }
    if (empty)
        judge_set(j, VERDICT_NOT_REACHED, empty,
                  "began a region in f16 here, but nothing in it was converted");
    else if (other)
        judge_set(j, VERDICT_REFUTED, other, "began no region in f16 here");
}

static bool is_in_region(const struct event *e)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)json_object_get(e->raw, "autocast"), key,
                        value) if (json_is_string(value)) return true;
    return false;
}

void look_region(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e)
        if (is_in_region(e)) {
            judge_set(j, VERDICT_CONFIRMED, e, "did this with autocast on");
            return;
        }
    if (other)
        judge_set(j, VERDICT_REFUTED, other, "did this with autocast off");
}

static bool is_op(const struct event *e, const char *name)
{
    return !strcmp(e->op, name);
}

/* By a scaler that scales at all: the event has its scale. */
static bool is_by_scaler(const struct event *e, const char *name)
{
    const json_t *scale = json_object_get(json_object_get(e->raw, "details"), "scale");
    return is_op(e, name) && !(scale && json_number_value(scale) == 1);
}

/* Of an optimizer by itself: sgd_step, adam_step. */
static bool is_step(const struct event *e)
{
    size_t length = strlen(e->op);
    return length > 5 && !strcmp(e->op + length - 5, "_step") && !is_op(e, "grad_scaler_step");
}

enum gradients { PLAIN, SCALED, UNSCALED };

static enum gradients gradients_after(enum gradients g, const struct event *e)
{
    if (is_by_scaler(e, "grad_scaler_scale"))
        return SCALED;
    if (is_op(e, "grad_scaler_unscale_"))
        return g == SCALED ? UNSCALED : g;
    bool done = is_op(e, "grad_scaler_step") || is_op(e, "optimizer_zero_grad");
    return done ? PLAIN : g;
}

static bool uses_gradients(const struct event *e)
{
    return is_op(e, "add_") || is_op(e, "sub_") || is_op(e, "item");
}

/* Whether no scaler scaled the gradients that are clipped there, but the program itself multiplied
 * the loss: events do not have the number. */
static bool is_scaled_by_program(const struct judging *j)
{
    const struct flow *flow = j->v->in->flow;
    const struct span *at = &j->finding->span;
    bool is_clip = false;
    for (int i = 0; flow && i < flow_call_count(flow); i++) {
        const struct flow_call *c = flow_call_at(flow, i);
        const struct span *called = &c->function->insts.items[c->inst].span;
        if (!(c->callee->effects & EFFECT_CLIPS) || called->line != at->line ||
            called->column != at->column || strcmp(called->file, at->file) != 0)
            continue;
        if (c->gradients & GRADIENTS_SCALED)
            return false;
        is_clip = true;
    }
    return is_clip;
}

/* Between a backward from a scaled loss and the unscaling, gradients are scaled; from there on they
 * wait for the scaler to step. */
void look_scaled(const struct judging *j)
{
    enum gradients now = PLAIN;
    const struct event *passed = NULL;
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        bool clips = strstr(e->op, "clip"), steps = is_step(e), adds = uses_gradients(e);
        now = gradients_after(now, e);
        if (!event_is_at(j, e) || !(clips || steps || adds))
            continue;
        if (now == SCALED || (steps && now == UNSCALED)) {
            judge_set(j, VERDICT_CONFIRMED, e,
                      clips  ? "clipped gradients here that were still scaled"
                      : adds ? "used gradients here that were still scaled"
                      : now == SCALED
                          ? "made a step here with gradients that were still scaled"
                          : "made a step here that the scaler had unscaled gradients for");
            return;
        }
        passed = e;
    }
    if (passed && is_scaled_by_program(j))
        judge_set(j, VERDICT_NOT_REACHED, passed,
                  "clipped gradients here; by which number the loss was multiplied does not show");
    else if (passed)
        judge_set(j, VERDICT_REFUTED, passed,
                  strstr(passed->op, "clip") ? "clipped gradients here that were not scaled"
                  : uses_gradients(passed)   ? "used gradients here that were not scaled"
                                             : "made a step here that no scaler had to do with");
}

void look_skipped(const struct judging *j)
{
    const struct event *at = NULL, *updated = NULL;
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        bool uses = is_op(e, "grad_scaler_unscale_") || is_op(e, "grad_scaler_step");
        if (is_op(e, "grad_scaler_update")) {
            updated = at && event_is_at(j, at) ? at : updated;
            at = NULL;
        }
        bool again = at && (is_op(e, "grad_scaler_scale") || e->error) && !event_is_at(j, e);
        if (again || (at && uses && e->error)) {
            judge_set(j, VERDICT_CONFIRMED, at, "used the scaler again before it was updated");
            return;
        }
        if (uses && !e->error)
            at = e;
    }
    if (at)
        judge_set(j, VERDICT_CONFIRMED, at, "ended before the scaler was updated");
    else if (updated)
        judge_set(j, VERDICT_REFUTED, updated,
                  "updated the scaler each time before it was used again");
}

/* Unscaling refuses gradients in half precision. */
void look_refused(const struct judging *j)
{
    const struct event *passed = NULL;
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        if (!event_is_at(j, e))
            continue;
        if (e->error && !strcmp(e->error_kind, "unscale") && is_about_narrow_gradients(e)) {
            judge_set(j, VERDICT_CONFIRMED, e, event_raised(j->v, e));
            return;
        }
        passed = strstr(e->op, "grad_scaler") && !e->error ? e : passed;
    }
    if (passed)
        judge_set(j, VERDICT_NOT_REACHED, passed, "executed this line, but unscaled the gradients");
}

void look_state(const struct judging *j)
{
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        if (!event_is_at(j, e))
            continue;
        for (int k = 0; k < e->operand_count; k++)
            if (dtype_width(e->operands[k].dtype) == 16) {
                judge_set(j, VERDICT_CONFIRMED, e,
                          arena_printf(j->v->arena, "made an optimizer here of parameters in %s",
                                       e->operands[k].dtype));
                return;
            }
        if (dtype_width(e->result.dtype) == 16) {
            judge_set(
                j, VERDICT_CONFIRMED, e,
                arena_printf(j->v->arena, "made what an optimizer keeps %s here", e->result.dtype));
            return;
        }
        judge_set(j, VERDICT_REFUTED, e, "made an optimizer here of wider parameters");
    }
}
