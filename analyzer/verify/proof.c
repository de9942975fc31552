/* Proof of findings that raise nothing: what a run must show. A rule has a way of being proven
 * (proof.def); a way looks at the events at the place of the finding, and at what became of their
 * tensors before and after. */
#include "analyzer/verify/private.h"

#include <math.h>
#include <string.h>

enum way {
    WAY_NONE,
    WAY_UNUSED,
    WAY_LOST,
    WAY_SHARED,
    WAY_UNTRACKED,
    WAY_OPEN,
    WAY_REPEATED,
    WAY_NOTHING,
    WAY_MOVED,
    WAY_WIDENED,
    WAY_DOUBLE,
    WAY_CONVERTED,
    WAY_REGION,
    WAY_SCALED,
    WAY_SKIPPED,
    WAY_STATE,
    WAY_MEASURED, /* more is lost than by rounding the result */
    WAY_NARROWED, /* anything is */
    WAY_POINTER,
    WAY_STALE,
    WAY_COMMENT,
    WAY_COUNT
};

static const enum way way_of_rule[RULE_COUNT] = {
#define PROOF(rule, way) [RULE_##rule] = WAY_##way,
#include "analyzer/verify/proof.def"
#undef PROOF
};

static enum way way_of(const struct finding *f)
{
    const struct rule *r = rule_find(f->code);
    return r ? way_of_rule[r - rules] : WAY_NONE;
}

bool proof_exists(const struct finding *f)
{
    enum way w = way_of(f);
    return w != WAY_NONE && w != WAY_COMMENT;
}

bool proof_measures(const struct finding *f)
{
    enum way w = way_of(f);
    return !f->failure && (w == WAY_MEASURED || w == WAY_NARROWED);
}

bool proof_guards(const struct finding *f)
{
    return way_of(f) == WAY_POINTER;
}

const char *proof_missing(const struct finding *f)
{
    return way_of(f) == WAY_COMMENT ? "a comment does not run"
                                    : "nothing that could be seen in a run follows from it";
}

/* ---- looking at events -------------------------------------------------------------------------
 */

static bool is_of_op(const struct judging *j, const struct event *e)
{
    return event_is_at(j, e) && !e->skipped && j->op && !strcmp(e->op, j->op);
}

/* Some ops go by another name in the runtime: what happens at the place is then all there is. */
static bool has_op(const struct judging *j)
{
    for (int i = 0; i < j->run->events.count; i++)
        if (is_of_op(j, &j->run->events.items[i]))
            return true;
    return false;
}

/* The next event at the finding's place, from *i on, that is of its call; NULL: none. */
static const struct event *next_event(const struct judging *j, int *i)
{
    bool named = has_op(j);
    while (*i < j->run->events.count) {
        const struct event *e = &j->run->events.items[(*i)++];
        if (event_is_at(j, e) && *e->op && !e->skipped && !e->error &&
            (!named || !strcmp(e->op, j->op)))
            return e;
    }
    return NULL;
}

static int index_of(const struct judging *j, const struct event *e)
{
    return (int)(e - j->run->events.items);
}

/* Whether anything after the event reads the tensor, or memory of it. */
static const struct event *reader_of(const struct judging *j, int from, int64_t id, int64_t storage)
{
    for (int i = from; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        for (int k = 0; k < e->operand_count; k++)
            if (e->operands[k].id == id || e->operands[k].storage == storage)
                return e;
        if (json_integer_value(json_object_get(e->raw, "storage")) == storage)
            return e; /* its address was handed out */
    }
    return NULL;
}

static double megabytes(int64_t bytes)
{
    return (double)bytes / 1e6;
}

/* ---- the ways
 * -------------------------------------------------------------------------------------- */

static bool is_new(const struct event *e)
{
    for (int k = 0; k < e->operand_count; k++)
        if (e->operands[k].id == e->result.id)
            return false;
    return e->result.dtype;
}

static void look_unused(const struct judging *j)
{
    const struct event *e, *read = NULL;
    for (int i = 0; (e = next_event(j, &i));) {
        if (!is_new(e))
            continue;
        read = reader_of(j, i, e->result.id, e->result.storage);
        if (!read) {
            judge_set(j, VERDICT_CONFIRMED, e,
                      arena_printf(j->v->arena, "made a tensor of %s on %s here that nothing read",
                                   e->result.dtype, e->result.device));
            return;
        }
    }
    if (read)
        judge_set(
            j, VERDICT_REFUTED, read,
            arena_printf(j->v->arena, "used the result in %s at line %d", read->op, read->line));
}

/* The event, from the i-th on, that writes into the memory; NULL: none. */
static const struct event *writer_of(const struct judging *j, int i, int64_t storage)
{
    for (; i < j->run->events.count; i++)
        if (j->run->events.items[i].written.storage == storage)
            return &j->run->events.items[i];
    return NULL;
}

/* The finding is about what makes the copy, or about what writes into it. */
static void look_lost(const struct judging *j)
{
    const struct event *e, *read = NULL, *kept = NULL;
    for (int i = 0; (e = next_event(j, &i));) {
        const struct event *write = e->written.dtype ? e : NULL;
        if (!write && is_new(e))
            write = writer_of(j, i, e->result.storage);
        if (!write)
            continue;
        const struct event_tensor *w = &write->written;
        if (write != e && e->operand_count && e->operands[0].storage == w->storage) {
            kept = e;
            continue;
        }
        read = reader_of(j, index_of(j, write) + 1, w->id, w->storage);
        if (!read) {
            judge_set(j, VERDICT_CONFIRMED, write,
                      arena_printf(j->v->arena,
                                   "wrote %lld bytes into a copy here that nothing read",
                                   (long long)w->bytes));
            return;
        }
    }
    if (kept)
        judge_set(j, VERDICT_NOT_REACHED, kept,
                  "got here, but with a view, through which it wrote");
    else if (read)
        judge_set(j, VERDICT_REFUTED, read,
                  arena_printf(j->v->arena, "read what was written in %s at line %d", read->op,
                               read->line));
}

/* Whether the tensor was somebody's before: it came out of an op that gave its operand back, or a
 * view of it, or another function made it. */
static bool is_shared(const struct judging *j, const struct event *at, const struct event_tensor *t)
{
    int end = index_of(j, at);
    for (int i = 0; i < end; i++) {
        const struct event *e = &j->run->events.items[i];
        bool made_elsewhere = e->function && at->function && strcmp(e->function, at->function) != 0;
        for (int k = 0; k < e->operand_count; k++)
            if (e->operands[k].storage == t->storage && e->result.storage == t->storage &&
                !e->in_place)
                return true;
        if (e->result.storage == t->storage && made_elsewhere)
            return true;
    }
    return false;
}

static void look_shared(const struct judging *j)
{
    const struct event *e, *alone = NULL;
    for (int i = 0; (e = next_event(j, &i));) {
        const struct event_tensor *w = &e->written;
        if (!w->dtype)
            continue;
        if (is_shared(j, e, w) && (!w->before || strcmp(w->before, w->after) != 0)) {
            judge_set(j, VERDICT_CONFIRMED, e,
                      "changed a tensor here that others have, too: it is no copy");
            return;
        }
        alone = e;
    }
    if (alone)
        judge_set(j, VERDICT_NOT_REACHED, alone, "got here, but with a copy");
}

static void look_untracked(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e)
        for (int k = 0; k < e->operand_count; k++)
            if (e->operands[k].requires_grad && e->result.dtype && !e->result.requires_grad) {
                judge_set(j, VERDICT_CONFIRMED, e,
                          arena_printf(j->v->arena,
                                       "took what requires a gradient, and gave %s that does not",
                                       e->result.dtype));
                return;
            }
    if (other)
        judge_set(j, VERDICT_NOT_REACHED, other, "got here, but no gradient was asked for");
}

static void look_open(const struct judging *j)
{
    const json_t *open = json_object_get(j->run->last, "open_autocast");
    for (size_t i = 0; i < json_array_size(open); i++) {
        const json_t *at = json_array_get(open, i);
        struct event e = {.line = (int)json_integer_value(json_object_get(at, "line"))};
        const char *file = json_string_value(json_object_get(at, "file"));
        e.file = file ? path_real(j->v, j->directory, file) : NULL;
        if (event_is_at(j, &e)) {
            judge_set(j, VERDICT_CONFIRMED, NULL, "ended with the region that begins here open");
            return;
        }
    }
    int i = 0;
    const struct event *e = next_event(j, &i);
    if (e && j->run->last)
        judge_set(j, VERDICT_REFUTED, e, "ended with no such region open");
}

static void look_repeated(const struct judging *j)
{
    const struct event *e, *first = NULL;
    int64_t bytes = 0;
    uint64_t ns = 0;
    int times = 0;
    for (int i = 0; (e = next_event(j, &i));) {
        if (!e->operand_count || !is_new(e))
            continue;
        if (first && e->operands[0].storage == first->operands[0].storage &&
            e->operands[0].version == first->operands[0].version) {
            times++;
            bytes += e->result.bytes;
            ns += e->ns;
        }
        first = first ? first : e;
    }
    if (times)
        judge_set(j, VERDICT_CONFIRMED, first,
                  arena_printf(j->v->arena,
                               "converted the same tensor %d times more: %.3g MB, %.3g ms", times,
                               megabytes(bytes), (double)ns / 1e6));
    else if (first)
        judge_set(j, VERDICT_NOT_REACHED, first, "got here, but the tensor was another each time");
}

static void look_nothing(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e)
        if (e->operand_count && e->operands[0].dtype && e->result.dtype &&
            !strcmp(e->operands[0].dtype, e->result.dtype) &&
            !strcmp(e->operands[0].device, e->result.device)) {
            judge_set(j, VERDICT_CONFIRMED, e,
                      arena_printf(j->v->arena, "gave %s here as it was", e->result.dtype));
            return;
        }
    if (other)
        judge_set(j, VERDICT_REFUTED, other, "changed the tensor here");
}

static void look_moved(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e) {
        const struct event_tensor *from = e->operand_count ? &e->operands[0] : NULL;
        if (from && from->device && e->result.device &&
            strcmp(from->device, e->result.device) != 0) {
            judge_set(j, VERDICT_CONFIRMED, e,
                      arena_printf(j->v->arena, "copied %.3g MB from %s to %s here, in %.3g ms",
                                   megabytes(e->result.bytes), from->device, e->result.device,
                                   (double)e->ns / 1e6));
            return;
        }
    }
    if (other)
        judge_set(j, VERDICT_NOT_REACHED, other, "got here, but nothing had to be moved");
}

static int width(const char *dtype)
{
    enum dtype d = dtype ? dtype_named(dtype) : DTYPE_NONE;
    return d == DTYPE_F64 ? 64 : d == DTYPE_F32 ? 32 : d == DTYPE_F16 || d == DTYPE_BF16 ? 16 : 0;
}

static void look_widened(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e)
        for (int k = 0; k < e->operand_count; k++)
            if (width(e->operands[k].dtype) &&
                width(e->result.dtype) > width(e->operands[k].dtype)) {
                judge_set(j, VERDICT_CONFIRMED, e,
                          arena_printf(j->v->arena, "made %s of %s here", e->result.dtype,
                                       e->operands[k].dtype));
                return;
            }
    if (other)
        judge_set(j, VERDICT_REFUTED, other, "made nothing wider here");
}

static void look_double(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e)
        if (width(e->result.dtype) == 64 && !strncmp(e->result.device, "cuda", 4)) {
            judge_set(j, VERDICT_CONFIRMED, e, "computed in f64 on cuda here");
            return;
        }
    if (other)
        judge_set(j, VERDICT_REFUTED, other, "did not compute in f64 on cuda here");
}

static void look_converted(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e) {
        const json_t *c = json_object_get(e->raw, "conversions");
        if (json_integer_value(json_object_get(c, "count")) > 0 ||
            (e->operand_count && e->result.dtype && e->operands[0].dtype &&
             strcmp(e->result.dtype, e->operands[0].dtype) != 0)) {
            judge_set(j, VERDICT_CONFIRMED, e,
                      arena_printf(j->v->arena, "was computed in %s here", e->result.dtype));
            return;
        }
    }
    if (other)
        judge_set(j, VERDICT_REFUTED, other, "was computed in the dtype of its operands");
}

static bool is_in_region(const struct event *e)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)json_object_get(e->raw, "autocast"), key,
                        value) if (json_is_string(value)) return true;
    return false;
}

static void look_region(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e)
        if (is_in_region(e)) {
            judge_set(j, VERDICT_CONFIRMED, e, "ran here with autocast on");
            return;
        }
    if (other)
        judge_set(j, VERDICT_REFUTED, other, "ran here with autocast off");
}

static bool is_op(const struct event *e, const char *name)
{
    return !strcmp(e->op, name);
}

/* Between a backward from a scaled loss and the unscaling, gradients are scaled. */
static void look_scaled(const struct judging *j)
{
    bool scaled = false;
    const struct event *passed = NULL;
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        if (is_op(e, "grad_scaler_scale"))
            scaled = true;
        if (is_op(e, "grad_scaler_unscale_") || is_op(e, "grad_scaler_step") ||
            is_op(e, "optimizer_zero_grad"))
            scaled = false;
        if (!event_is_at(j, e) || !strstr(e->op, "clip"))
            continue;
        if (scaled) {
            judge_set(j, VERDICT_CONFIRMED, e, "clipped gradients here that were scaled still");
            return;
        }
        passed = e;
    }
    if (passed)
        judge_set(j, VERDICT_REFUTED, passed, "clipped gradients here that were not scaled");
}

static void look_skipped(const struct judging *j)
{
    const struct event *at = NULL;
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        bool uses = is_op(e, "grad_scaler_unscale_") || is_op(e, "grad_scaler_step");
        if (is_op(e, "grad_scaler_update"))
            at = NULL;
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
}

static void look_state(const struct judging *j)
{
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        if (!event_is_at(j, e))
            continue;
        for (int k = 0; k < e->operand_count; k++)
            if (width(e->operands[k].dtype) == 16) {
                judge_set(j, VERDICT_CONFIRMED, e,
                          arena_printf(j->v->arena, "made an optimizer here of parameters in %s",
                                       e->operands[k].dtype));
                return;
            }
        judge_set(j, VERDICT_REFUTED, e, "made an optimizer here of wider parameters");
    }
}

static double number_at(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

/* Rounding alone is no finding: something must differ from what the wide result rounds to. */
static bool measure_shows(const struct judging *j, const struct event *e, const json_t *m)
{
    double infinite = number_at(m, "inf") - number_at(m, "wide_inf");
    double nan = number_at(m, "nan") - number_at(m, "wide_nan");
    double differing = number_at(m, "differing"), by = number_at(m, "max_abs_difference");
    bool narrowed = way_of(j->finding) == WAY_NARROWED;
    const char *wide = json_string_value(json_object_get(m, "wide_dtype"));
    if (infinite > 0 || nan > 0)
        judge_set(j, VERDICT_CONFIRMED, e,
                  arena_printf(j->v->arena, "gave %.0f infinite and %.0f NaN where %s gives none",
                               fmax(infinite, 0), fmax(nan, 0), wide));
    else if (differing > 0)
        judge_set(j, VERDICT_CONFIRMED, e,
                  arena_printf(j->v->arena,
                               "differs here from the same in %s in %.0f of %.0f elements, by up "
                               "to %.3g",
                               wide, differing, number_at(m, "elements"), by));
    else if (narrowed && by > 0)
        judge_set(
            j, VERDICT_CONFIRMED, e,
            arena_printf(j->v->arena, "differs here from the same in %s by up to %.3g", wide, by));
    return j->verdict->kind == VERDICT_CONFIRMED;
}

static void look_measured(const struct judging *j)
{
    const struct event *same = NULL;
    const char *failed = NULL;
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        const json_t *m = json_object_get(e->raw, "measure");
        if (!m || !event_is_at(j, e))
            continue;
        const char *reason = json_string_value(json_object_get(m, "failed"));
        if (reason)
            failed = reason;
        else if (measure_shows(j, e, m))
            return;
        else
            same = e;
    }
    if (same)
        judge_set(j, VERDICT_NOT_REACHED, same, "got here, but with these values nothing is lost");
    else if (failed)
        judge_set(j, VERDICT_NOT_RUN, NULL,
                  arena_printf(j->v->arena, "the same cannot be computed wider: %s", failed));
}

/* A fault tells the truth about memory; else what the runtime knows of the pointer's. */
static void look_pointer(const struct judging *j)
{
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        const json_t *fault = json_object_get(e->raw, "fault");
        const json_t *pointer = json_object_get(e->raw, "pointer");
        const char *dtype = json_string_value(json_object_get(fault ? fault : pointer, "dtype"));
        const char *device = json_string_value(json_object_get(fault ? fault : pointer, "device"));
        if (fault && (event_is_at(j, e) || dtype)) {
            judge_set(
                j, VERDICT_CONFIRMED, e,
                arena_printf(j->v->arena,
                             "touched memory that is not its own: %lld bytes into %lld of %s on %s",
                             (long long)number_at(fault, "offset"),
                             (long long)number_at(fault, "bytes"), dtype ? dtype : "bytes",
                             device ? device : "cpu"));
            return;
        }
        if (pointer && event_is_at(j, e) && dtype)
            judge_set(
                j, VERDICT_CONFIRMED, e,
                arena_printf(j->v->arena, "handed over a pointer here to %s on %s", dtype, device));
    }
}

/* What is changed here is not what the others compute with: it was copied when they were moved. */
static void look_stale(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e)
        for (int k = 0; k < e->operand_count; k++)
            for (int n = 0; n < index_of(j, e); n++) {
                const struct event *move = &j->run->events.items[n];
                if (move->operand_count && move->operands[0].id == e->operands[k].id &&
                    is_new(move) && move->result.device &&
                    strcmp(move->operands[0].device, move->result.device) != 0) {
                    judge_set(j, VERDICT_CONFIRMED, e,
                              arena_printf(j->v->arena,
                                           "used a tensor here on %s that was copied to %s at line "
                                           "%d",
                                           move->operands[0].device, move->result.device,
                                           move->line));
                    return;
                }
            }
    if (other)
        judge_set(j, VERDICT_REFUTED, other, "used what was not moved");
}

static void (*const looks[WAY_COUNT])(const struct judging *) = {
    [WAY_UNUSED] = look_unused,       [WAY_LOST] = look_lost,
    [WAY_SHARED] = look_shared,       [WAY_UNTRACKED] = look_untracked,
    [WAY_OPEN] = look_open,           [WAY_REPEATED] = look_repeated,
    [WAY_NOTHING] = look_nothing,     [WAY_MOVED] = look_moved,
    [WAY_WIDENED] = look_widened,     [WAY_DOUBLE] = look_double,
    [WAY_CONVERTED] = look_converted, [WAY_REGION] = look_region,
    [WAY_SCALED] = look_scaled,       [WAY_SKIPPED] = look_skipped,
    [WAY_STATE] = look_state,         [WAY_MEASURED] = look_measured,
    [WAY_NARROWED] = look_measured,   [WAY_POINTER] = look_pointer,
    [WAY_STALE] = look_stale,
};

void proof_look(const struct judging *j)
{
    void (*look)(const struct judging *) = looks[way_of(j->finding)];
    if (look)
        look(j);
}
