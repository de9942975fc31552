/* Proof by the history of tensors: events at the place of the finding, and what happened to their
 * tensors before and after. */
#include "analyzer/verify/proof.h"

#include <string.h>

/* ---- looking at events -------------------------------------------------------------------------
 */

static bool is_of_op(const struct judging *j, const struct event *e)
{
    return event_is_at(j, e) && !e->skipped && !e->backward && j->op && !strcmp(e->op, j->op);
}

/* Some ops have another name in the runtime: then every event at the place counts. */
static bool has_op(const struct judging *j)
{
    for (int i = 0; i < j->run->events.count; i++)
        if (is_of_op(j, &j->run->events.items[i]))
            return true;
    return false;
}

const struct event *next_event(const struct judging *j, int *i)
{
    bool named = has_op(j);
    while (*i < j->run->events.count) {
        const struct event *e = &j->run->events.items[(*i)++];
        if (event_is_at(j, e) && *e->op && !e->skipped && !e->error && !e->backward &&
            (!named || !strcmp(e->op, j->op)))
            return e;
    }
    return NULL;
}

int event_index(const struct judging *j, const struct event *e)
{
    return (int)(e - j->run->events.items);
}

/* Whether anything after the event reads the tensor, or memory of it. */
static const struct event *reader_of(const struct judging *j, int from, int64_t id, int64_t storage)
{
    for (int i = from; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        for (int k = 0; k < e->operand_count; k++)
            if (e->operands[k].id == id || (storage && e->operands[k].storage == storage))
                return e;
        if (storage && json_integer_value(json_object_get(e->raw, "storage")) == storage)
            return e; /* its address was taken */
    }
    return NULL;
}

/* Whether every event was recorded, so that a read cannot have been missed. */
static bool is_whole(const struct judging *j, const struct event *e)
{
    if (j->run->cut)
        judge_set(j, VERDICT_NOT_REACHED, e,
                  "executed this line, but did so much more that not all of it was recorded");
    else if (!j->run->complete)
        judge_set(j, VERDICT_NOT_REACHED, e,
                  "executed this line, but the record of its events is incomplete");
    return !j->run->cut && j->run->complete;
}

/* "256 bytes", "1.02 kB", "16.8 MB" */
static const char *size_text(const struct judging *j, int64_t bytes)
{
    if (bytes < 1000)
        return arena_printf(j->v->arena, "%lld bytes", (long long)bytes);
    bool large = bytes >= 1000000;
    return arena_printf(j->v->arena, "%.3g %s", (double)bytes / (large ? 1e6 : 1e3),
                        large ? "MB" : "kB");
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

/* The memory that the result has and no operand; 0: it is a view, and who reads the memory may read
 * it through the operand. */
static int64_t own_storage(const struct event *e)
{
    for (int k = 0; k < e->operand_count; k++)
        if (e->operands[k].storage == e->result.storage)
            return 0;
    return e->result.storage;
}

void look_unused(const struct judging *j)
{
    const struct event *e, *read = NULL;
    for (int i = 0; (e = next_event(j, &i));) {
        if (!is_new(e))
            continue;
        read = reader_of(j, i, e->result.id, own_storage(e));
        if (!read && !is_whole(j, e))
            return;
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

/* The event, from the i-th on, that writes into the memory; NULL: none. In brief form, events have
 * what they wrote to as their result. */
static const struct event *writer_of(const struct judging *j, int i, int64_t storage)
{
    for (; storage && i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        if (e->written.storage == storage ||
            (!e->raw && e->in_place && e->result.storage == storage))
            return e;
    }
    return NULL;
}

/* Whether the event only changes the memory again, or makes another tensor over it: what was
 * written there is as lost as before. */
static bool stays_within(const struct event *e, int64_t storage)
{
    return storage && (e->written.storage == storage || e->result.storage == storage);
}

/* What uses the memory otherwise, after the event that wrote to it; NULL: nothing does. */
static const struct event *user_of(const struct judging *j, const struct event *write,
                                   const struct event_tensor *w)
{
    const struct event *e;
    for (int i = event_index(j, write) + 1; (e = reader_of(j, i, w->id, w->storage));
         i = event_index(j, e) + 1)
        if (!stays_within(e, w->storage))
            return e;
    return NULL;
}

/* The finding is about what makes the copy, about what writes into it, or about a result that
 * nothing is done with. */
void look_lost(const struct judging *j)
{
    const struct event *e, *read = NULL, *kept = NULL;
    bool made = false;
    for (int i = 0; (e = next_event(j, &i));) {
        const struct event *write = e->written.dtype ? e : NULL;
        if (!write && is_new(e))
            write = writer_of(j, i, e->result.storage);
        if (!write) {
            made = true;
            continue;
        }
        const struct event_tensor *w = write->written.dtype ? &write->written : &e->result;
        if (write != e && e->operand_count && e->operands[0].storage == w->storage) {
            kept = e;
            continue;
        }
        read = user_of(j, write, w);
        if (!read && !is_whole(j, write))
            return;
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
                  "executed this line, but with a view, and wrote through it");
    else if (read)
        judge_set(j, VERDICT_REFUTED, read,
                  arena_printf(j->v->arena, "read what was written in %s at line %d", read->op,
                               read->line));
    else if (made) /* nothing was written at all */
        look_unused(j);
}

/* Whether the tensor is used elsewhere: it is the result of an op that returned its operand or a
 * view of it, or another function made it. */
static bool is_shared(const struct judging *j, const struct event *at, const struct event_tensor *t)
{
    int end = event_index(j, at);
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

void look_shared(const struct judging *j)
{
    const struct event *e, *alone = NULL;
    for (int i = 0; (e = next_event(j, &i));) {
        const struct event_tensor *w = &e->written;
        if (!w->dtype)
            continue;
        if (is_shared(j, e, w) && (!w->before || strcmp(w->before, w->after) != 0)) {
            judge_set(j, VERDICT_CONFIRMED, e, "changed a tensor here that is used elsewhere, too");
            return;
        }
        alone = e;
    }
    if (alone)
        judge_set(j, VERDICT_NOT_REACHED, alone, "executed this line, but with a copy");
}

/* Whether a later event on another line reads the memory: on the same line, it is the expression
 * that the change is a part of. */
static const struct event *reader_elsewhere(const struct judging *j, const struct event *at,
                                            const struct event_tensor *t)
{
    const struct event *e;
    for (int i = event_index(j, at) + 1; (e = reader_of(j, i, t->id, t->storage));
         i = event_index(j, e) + 1)
        if (e->line != at->line)
            return e;
    return NULL;
}

void look_again(const struct judging *j)
{
    const struct event *e, *alone = NULL;
    for (int i = 0; (e = next_event(j, &i)); alone = e) {
        const struct event_tensor *w = &e->written;
        const struct event *read = w->dtype ? reader_elsewhere(j, e, w) : NULL;
        if (read && (!w->before || strcmp(w->before, w->after) != 0)) {
            judge_set(j, VERDICT_CONFIRMED, e,
                      arena_printf(j->v->arena, "changed the tensor, which %s read at line %d",
                                   read->op, read->line));
            return;
        }
    }
    if (alone)
        judge_set(j, VERDICT_NOT_REACHED, alone,
                  "executed this line, but nothing read the tensor afterwards");
}

void look_untracked(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e)
        for (int k = 0; k < e->operand_count; k++)
            if (e->operands[k].requires_grad && is_new(e) && e->result.requires_grad &&
                e->result.is_leaf) {
                judge_set(j, VERDICT_CONFIRMED, e,
                          "took what requires a gradient, and made a tensor with one of its own");
                return;
            } else if (e->operands[k].requires_grad && e->result.dtype &&
                       !e->result.requires_grad) {
                judge_set(j, VERDICT_CONFIRMED, e,
                          arena_printf(j->v->arena,
                                       "took what requires a gradient, and gave %s that does not",
                                       e->result.dtype));
                return;
            }
    if (other)
        judge_set(j, VERDICT_NOT_REACHED, other,
                  "executed this line, but no gradient was asked for");
}

void look_open(const struct judging *j)
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

void look_repeated(const struct judging *j)
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
                               "converted the same tensor %s%d more time%s: %s, %.3g ms",
                               j->run->brief || j->run->cut ? "at least " : "", times,
                               times == 1 ? "" : "s", size_text(j, bytes), (double)ns / 1e6));
    else if (first)
        judge_set(j, VERDICT_NOT_REACHED, first,
                  "executed this line, but the tensor was another each time");
}

void look_nothing(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e)
        if (e->operand_count && e->operands[0].dtype && e->result.dtype &&
            !strcmp(e->operands[0].dtype, e->result.dtype) &&
            !strcmp(e->operands[0].device, e->result.device)) {
            judge_set(
                j, VERDICT_CONFIRMED, e,
                arena_printf(j->v->arena, "left a tensor of %s here as it was", e->result.dtype));
            return;
        }
    if (other)
        judge_set(j, VERDICT_REFUTED, other, "changed the tensor here");
}

void look_moved(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e) {
        const struct event_tensor *from = e->operand_count ? &e->operands[0] : NULL;
        if (from && from->device && e->result.device &&
            strcmp(from->device, e->result.device) != 0) {
            judge_set(j, VERDICT_CONFIRMED, e,
                      arena_printf(j->v->arena, "copied %s from %s to %s here, in %.3g ms",
                                   size_text(j, e->result.bytes), from->device, e->result.device,
                                   (double)e->ns / 1e6));
            return;
        }
    }
    if (other)
        judge_set(j, VERDICT_NOT_REACHED, other, "executed this line, but nothing had to be moved");
}

int dtype_width(const char *dtype)
{
    enum dtype d = dtype ? dtype_named(dtype) : DTYPE_NONE;
    return d == DTYPE_F64 ? 64 : d == DTYPE_F32 ? 32 : d == DTYPE_F16 || d == DTYPE_BF16 ? 16 : 0;
}

void look_widened(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e)
        for (int k = 0; k < e->operand_count; k++)
            if (dtype_width(e->operands[k].dtype) &&
                dtype_width(e->result.dtype) > dtype_width(e->operands[k].dtype)) {
                judge_set(j, VERDICT_CONFIRMED, e,
                          arena_printf(j->v->arena, "made %s of %s here", e->result.dtype,
                                       e->operands[k].dtype));
                return;
            }
    if (other)
        judge_set(j, VERDICT_REFUTED, other, "made nothing wider here");
}

void look_double(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e)
        if (dtype_width(e->result.dtype) == 64 && !strncmp(e->result.device, "cuda", 4)) {
            judge_set(j, VERDICT_CONFIRMED, e, "computed in f64 on cuda here");
            return;
        }
    if (other)
        judge_set(j, VERDICT_REFUTED, other, "did not compute in f64 on cuda here");
}

/* A tensor of f64 followed from op to op, until it is cast. */
enum { MAX_TRACKED = 64 };

struct tracked {
    int64_t ids[MAX_TRACKED];
    int count;
    const struct event *cast, *used; /* the first that made it narrower; that computed with it */
};

static bool is_tracked(const struct tracked *t, int64_t id)
{
    for (int i = 0; i < t->count; i++)
        if (t->ids[i] == id)
            return true;
    return false;
}

static void track(struct tracked *t, const struct event *e)
{
    bool takes = false, alone = true;
    for (int k = 0; k < e->operand_count; k++) {
        bool it = is_tracked(t, e->operands[k].id);
        takes |= it;
        alone &= it || !e->operands[k].ndim;
    }
    int width = dtype_width(e->result.dtype);
    if (!takes || !e->result.dtype)
        return;
    if (alone && width && width < 64)
        t->cast = t->cast ? t->cast : e;
    else if (alone && width == 64 && t->count < MAX_TRACKED)
        t->ids[t->count++] = e->result.id;
    else
        t->used = e;
}

void look_wasted(const struct judging *j)
{
    const struct event *e, *other = NULL;
    struct tracked t = {0};
    for (int i = 0; (e = next_event(j, &i)) && !t.used; other = e) {
        if (dtype_width(e->result.dtype) != 64)
            continue;
        t = (struct tracked){.ids = {e->result.id}, .count = 1};
        for (int n = i; n < j->run->events.count && !t.used; n++)
            track(&t, &j->run->events.items[n]);
        if (!t.cast || t.used)
            continue;
        judge_set(j, VERDICT_CONFIRMED, e,
                  arena_printf(j->v->arena, "made %s of f64 here, and only cast them, at line %d",
                               size_text(j, e->result.bytes), t.cast->line));
        return;
    }
    if (t.used)
        judge_set(j, VERDICT_REFUTED, t.used,
                  arena_printf(j->v->arena, "computed with f64 in %s at line %d", t.used->op,
                               t.used->line));
    else if (other)
        judge_set(j, VERDICT_NOT_REACHED, other, "executed this line, but did not cast it");
}

/* The first place that the finding names makes something, too. */
void look_unlike(const struct judging *j)
{
    const struct finding *f = j->finding;
    const struct span *other_span = f->origins.count ? &f->origins.items[0].span : NULL;
    const struct event *e, *other = NULL;
    for (int i = 0; other_span && (e = next_event(j, &i)); other = e)
        for (int n = 0; n < j->run->events.count && e->result.dtype; n++) {
            const struct event *b = &j->run->events.items[n];
            if (b->line != other_span->line || b->file != e->file || strcmp(b->op, e->op) != 0 ||
                !b->result.dtype || !strcmp(b->result.dtype, e->result.dtype))
                continue;
            judge_set(j, VERDICT_CONFIRMED, e,
                      arena_printf(j->v->arena, "made %s here, and %s at line %d", e->result.dtype,
                                   b->result.dtype, b->line));
            return;
        }
    if (other)
        judge_set(j, VERDICT_REFUTED, other, "made the same next to it");
}

/* The first place that the finding names makes something without a dtype: in f32, if nothing had
 * changed the default. */
void look_leaked(const struct judging *j)
{
    const struct finding *f = j->finding;
    int line = f->origins.count ? f->origins.items[0].span.line : 0;
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        if (e->line != line || !e->result.dtype || e->error)
            continue;
        bool is_default = !strcmp(e->result.dtype, "f32");
        judge_set(j, is_default ? VERDICT_REFUTED : VERDICT_CONFIRMED, e,
                  arena_printf(j->v->arena, "made %s there", e->result.dtype));
        return;
    }
}

static bool is_named(const struct finding *f, int line)
{
    for (int i = 0; i < f->origins.count; i++)
        if (f->origins.items[i].span.line == line)
            return true;
    return false;
}

/* Where the tensor, or a view of it, was copied to: a device; or, at a line that the finding names,
 * a dtype. NULL: nowhere. */
static const char *copied_to(const struct judging *j, const struct event *move,
                             const struct event_tensor *x)
{
    const struct event_tensor *from = &move->operands[0], *to = &move->result;
    bool same = move->operand_count && (from->id == x->id || from->storage == x->storage);
    if (!same || !is_new(move) || !to->device || !to->dtype)
        return NULL;
    return strcmp(from->device, to->device) != 0                                     ? to->device
           : strcmp(from->dtype, to->dtype) != 0 && is_named(j->finding, move->line) ? to->dtype
                                                                                     : NULL;
}

/* What is used here is the original of a tensor that was copied. */
void look_stale(const struct judging *j)
{
    const struct event *e, *other = NULL;
    for (int i = 0; (e = next_event(j, &i)); other = e)
        for (int k = 0; k < e->operand_count; k++)
            for (int n = 0; n < event_index(j, e); n++) {
                const struct event *move = &j->run->events.items[n];
                const char *to = copied_to(j, move, &e->operands[k]);
                if (!to)
                    continue;
                judge_set(j, VERDICT_CONFIRMED, e,
                          arena_printf(j->v->arena,
                                       "used a tensor here on %s that was copied to %s at line %d",
                                       move->operands[0].device, to, move->line));
                return;
            }
    if (other)
        judge_set(j, VERDICT_REFUTED, other, "used what was not moved");
}
