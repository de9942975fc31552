/* Lines of JSON that the runtime sent while a program ran come in, events go out. A malformed line
 * is an error, and so are more lines than the runtime ever sends: the program may have written
 * them. */
#include "analyzer/verify/events.h"

#include "analyzer/verify/runner.h"
#include "runtime/trace/protocol.h"

#include <string.h>

/* Events, errors beyond their limit, faults, and the closing record. */
enum { MOST_LINES = CHANNEL_EVENTS + 1000 };

static const char *text_at(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}

static int64_t int_at(const json_t *o, const char *key)
{
    return json_integer_value(json_object_get(o, key));
}

static struct event_tensor read_reference(const json_t *o)
{
    return (struct event_tensor){.id = int_at(o, "id"), .storage = int_at(o, "storage")};
}

static void read_tensor(const json_t *o, struct event_tensor *t)
{
    const json_t *shape = json_object_get(o, "shape");
    *t = (struct event_tensor){.name = text_at(o, "name"),
                               .dtype = text_at(o, "dtype"),
                               .device = text_at(o, "device"),
                               .id = int_at(o, "id"),
                               .storage = int_at(o, "storage"),
                               .version = int_at(o, "version"),
                               .bytes = int_at(o, "bytes"),
                               .requires_grad = json_is_true(json_object_get(o, "requires_grad")),
                               .is_leaf = json_is_true(json_object_get(o, "leaf")),
                               .before = text_at(o, "before"),
                               .after = text_at(o, "after"),
                               .nan = int_at(o, "nan"),
                               .inf = int_at(o, "inf")};
    for (size_t i = 0; i < json_array_size(shape) && t->ndim < EVENT_DIMS; i++)
        t->shape[t->ndim++] = json_integer_value(json_array_get(shape, i));
}

/* A record that is not of an op has its place in a member. */
static const json_t *place_of(const json_t *o)
{
    static const char *const others[] = {"measure", "pointer", "quotient", "near"};
    if (json_object_get(o, "loss"))
        return json_object_get(o, "at");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (json_object_get(o, others[i]))
            return json_object_get(o, others[i]);
    return o;
}

static void read_operands(const json_t *o, struct run *r, struct event *e)
{
    size_t count = json_array_size(o);
    e->operand_count = (int)(count < EVENT_TENSORS ? count : EVENT_TENSORS);
    e->operands = arena_array(r->arena, struct event_tensor, e->operand_count);
    for (int i = 0; i < e->operand_count; i++)
        read_tensor(json_array_get(o, (size_t)i), &e->operands[i]);
}

static struct event read_event(struct verifier *v, const json_t *o, const char *directory,
                               struct run *r)
{
    const struct runner *runner = v->in->runner;
    const json_t *error = json_object_get(o, "error");
    const json_t *at = place_of(o);
    const char *file = text_at(at, "file");
    struct event e = {
        .op = text_at(o, "op"),
        .function = text_at(at, "function"),
        .file = file ? (directory ? path_real(v, directory, file) : source_path(v, file)) : NULL,
        .line = (int)int_at(at, "line"),
        .end_line = (int)int_at(at, "end_line"),
        .column = (int)int_at(at, "column"),
        .end_column = (int)int_at(at, "end_column"),
        .call = (int)int_at(at, "call"),
        .calls = (int)int_at(at, "calls"),
        .depth = (int)int_at(o, "depth"),
        .ns = (uint64_t)int_at(o, "ns"),
        .backward = json_is_true(json_object_get(o, "backward")),
        .skipped = json_is_true(json_object_get(o, "skipped")),
        .in_place = json_is_true(json_object_get(o, "in_place")),
        .error_kind = text_at(error, "kind"),
        .error = text_at(error, "message"),
        .raw = o};
    if (at != o && !e.op) { /* of a loss, with the op that it happened in */
        e.op = text_at(at, "op");
        e.backward = json_is_true(json_object_get(at, "backward"));
    }
    e.op = e.op ? e.op : "";
    if (e.error && !e.error_kind && runner->error_kind)
        e.error_kind = runner->error_kind(&e);
    const char *wrong = runner->distrust ? runner->distrust(&e) : NULL;
    if (wrong)
        r->broken = wrong;
    read_operands(json_object_get(o, "operands"), r, &e);
    read_tensor(json_object_get(o, "result"), &e.result);
    read_tensor(json_array_get(json_object_get(o, "written"), 0), &e.written);
    if (json_object_get(o, "frames") && runner->add_frames)
        runner->add_frames(v, r, &e);
    if (e.frames.count) /* more exact than the place of the last op */
        e.file = NULL;
    return e;
}

/* The brief form, of events that are like many before: only what it read and made is kept, and the
 * record is freed. */
static void take_brief(json_t *o, struct run *r)
{
    const char *op = text_at(o, "op");
    const json_t *operands = json_object_get(o, "operands");
    size_t count = json_array_size(operands);
    struct event e = {.op = arena_printf(r->arena, "%s", op ? op : ""),
                      .line = (int)int_at(o, "line"),
                      .in_place = json_is_true(json_object_get(o, "in_place")),
                      .operand_count = (int)(count < EVENT_TENSORS ? count : EVENT_TENSORS)};
    e.operands = arena_array(r->arena, struct event_tensor, e.operand_count);
    for (int i = 0; i < e.operand_count; i++)
        e.operands[i] = read_reference(json_array_get(operands, (size_t)i));
    e.result = read_reference(json_object_get(o, "result"));
    r->brief = true;
    json_decref(o);
    LIST_ADD(r->arena, &r->events, e);
}

/* Several in brief form: [op, line, in place, result, its memory, operand, its memory, ...] each.
 */
static void take_briefs(json_t *o, struct run *r)
{
    const json_t *all = json_object_get(o, "briefs");
    for (size_t i = 0; i < json_array_size(all); i++) {
        const json_t *b = json_array_get(all, i);
        const char *op = json_string_value(json_array_get(b, 0));
        enum { OPERANDS = 5 };
        size_t size = json_array_size(b), count = size > OPERANDS ? (size - OPERANDS) / 2 : 0;
        struct event e = {.op = arena_printf(r->arena, "%s", op ? op : ""),
                          .line = (int)json_integer_value(json_array_get(b, 1)),
                          .in_place = json_is_true(json_array_get(b, 2)),
                          .operand_count = (int)(count < EVENT_TENSORS ? count : EVENT_TENSORS)};
        e.operands = arena_array(r->arena, struct event_tensor, e.operand_count);
        for (int k = 0; k < e.operand_count; k++) {
            size_t at = OPERANDS + 2 * (size_t)k;
            e.operands[k].id = json_integer_value(json_array_get(b, at));
            e.operands[k].storage = json_integer_value(json_array_get(b, at + 1));
        }
        e.result.id = json_integer_value(json_array_get(b, 3));
        e.result.storage = json_integer_value(json_array_get(b, 4));
        r->numbered++;
        LIST_ADD(r->arena, &r->events, e);
    }
    r->brief = true;
    json_decref(o);
}

/* The runtime counted the events that it sent. */
static void take_end(const json_t *o, struct run *r)
{
    r->last = o;
    r->unknown = text_at(o, "unknown");
    r->closed = true;
    if (int_at(o, "events") != r->numbered && !r->cut)
        r->broken = "events are missing";
}

static void take_whole(struct verifier *v, const json_t *o, const char *directory, struct run *r)
{
    const char *report = text_at(o, "sanitizer");
    if (json_is_true(json_object_get(o, "begin"))) {
        r->first = o;
        if (v->in->runner->build_of)
            r->build = v->in->runner->build_of(v, text_at(o, "program"));
    } else if (json_is_true(json_object_get(o, "end"))) {
        take_end(o, r);
    } else if (json_is_true(json_object_get(o, "cut"))) {
        r->cut = true;
    } else if (report) {
        r->closed = true;
        if (v->in->runner->read_memory_report)
            v->in->runner->read_memory_report(v, report, r);
    } else {
        r->closed |= json_object_get(o, "fault") != NULL;
        LIST_ADD(r->arena, &r->events, read_event(v, o, directory, r));
    }
}

void event_take(struct verifier *v, json_t *o, const char *directory, struct run *r)
{
    if (!r->lines) {
        r->lines = json_array();
        r->arena = arena_new();
    }
    if (json_object_get(o, "briefs")) {
        take_briefs(o, r);
        return;
    }
    r->numbered += json_object_get(o, "seq") != NULL;
    if (json_is_true(json_object_get(o, "brief"))) {
        take_brief(o, r);
        return;
    }
    json_array_append_new(r->lines, o);
    take_whole(v, o, directory, r);
}

static int lines_of(const char *text)
{
    int count = 0;
    for (const char *at = text; at && (at = strchr(at, '\n')); at++)
        count++;
    return count;
}

/* For all at once, so that the list is not copied while it grows. */
static void make_room(struct run *r, int count)
{
    r->lines = json_array();
    r->arena = arena_new();
    r->events.items = arena_alloc(r->arena, sizeof *r->events.items * (size_t)count);
    r->events.room = count;
}

bool events_read(struct verifier *v, const char *text, const char *directory, struct run *r,
                 struct error *e)
{
    int count = lines_of(text);
    if (count > MOST_LINES)
        return error_set(e, "there are %d events, which is more than the runtime reports", count);
    make_room(r, count + 8);
    for (const char *at = text, *end; at && (end = strchr(at, '\n')); at = end + 1) {
        json_error_t wrong;
        json_t *o = json_loadb(at, (size_t)(end - at), 0, &wrong);
        if (!json_is_object(o)) {
            json_decref(o);
            return error_set(e, "what the runtime sent cannot be read: %s", wrong.text);
        }
        event_take(v, o, directory, r);
    }
    return true;
}

void run_free(struct run *r)
{
    if (!r)
        return;
    json_decref(r->lines);
    if (r->arena)
        arena_free(r->arena);
    r->arena = NULL;
    r->lines = NULL;
}
