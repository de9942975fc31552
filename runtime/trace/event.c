/* One op as fields of a line of JSON, for traces and probes: operands, result, outcome,
 * conversions. */
#include "runtime/trace/trace.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "runtime/trace/elements.h"
#include "runtime/trace/line.h"

void put_kind(struct line *l, const mc_tensor *t)
{
    put(l, "\"dtype\":\"%s\",\"device\":\"%s\",\"shape\":[", dtype_name(t->dtype),
        mc_device_name(tensor_device(t)));
    for (int i = 0; i < t->ndim; i++)
        put(l, "%s%" PRId64, i ? "," : "", t->shape[i]);
    put(l, "]");
}

void put_survey(struct line *l, const mc_tensor *t)
{
    struct survey s = elements_survey(t);
    put(l, ",\"nan\":%" PRId64 ",\"inf\":%" PRId64 ",\"min\":", s.nan, s.inf);
    put_number(l, s.min);
    put(l, ",\"max\":");
    put_number(l, s.max);
}

static void put_tensor(struct line *l, const struct trace_event *e, const struct event_format *how,
                       const mc_tensor *t, bool is_result)
{
    if (is_alive(t))
        how->tensor(l, e->op, t, is_result);
    else
        put(l, "null");
}

static void put_conversions(struct line *l, const struct trace_event *e)
{
    put(l,
        ",\"conversions\":{\"count\":%d,\"bytes\":%" PRIu64 ",\"ns\":%" PRIu64
        ",\"total_count\":%" PRIu64 ",\"total_bytes\":%" PRIu64 ",\"total_ns\":%" PRIu64 "}",
        e->op->conversion_count, e->op->conversion_bytes, e->op->conversion_ns, e->total.count,
        e->total.bytes, e->total.ns);
}

/* An op that did nothing because an earlier error left it without an operand is "skipped". */
static void put_outcome(struct line *l, const struct trace_event *e)
{
    size_t length = strlen(e->op->name);
    put_bool(l, "in_place", length && e->op->name[length - 1] == '_');
    put_bool(l, "backward", e->op->is_backward);
    put_bool(l, "skipped", !e->error && !e->op->ok);
    put(l, ",\"error\":");
    if (!e->error) {
        put(l, "null");
        return;
    }
    put(l, "{\"kind\":\"%s\",\"message\":", mc_error_kind_name(e->error->kind));
    put_string(l, e->error->message);
    put(l, "}");
}

/* Small numbers in the order in which threads are first seen, as the system's ids say nothing. */
static int thread_number(void)
{
    static atomic_int threads;
    static _Thread_local int number = -1;
    if (number < 0)
        number = atomic_fetch_add(&threads, 1);
    return number;
}

void put_event(struct line *l, const struct trace_event *e, const struct event_format *how)
{
    const struct op *op = e->op;
    put(l, "\"op\":");
    put_string(l, op->name);
    put(l, ",");
    put_place(l, op->at);
    put(l, ",\"pid\":%ld,\"thread\":%d,\"start_ns\":%" PRIu64 ",\"ns\":%" PRIu64, (long)getpid(),
        thread_number(), op->start_ns, e->ns);
    put(l, ",\"operands\":[");
    for (int i = 0; i < op->operand_count; i++) {
        put(l, "%s", i ? "," : "");
        put_tensor(l, e, how, op->operands[i], false);
    }
    put(l, "],\"result\":");
    put_tensor(l, e, how, e->result, true);
    for (int i = 0; i < op->extra_count; i++) {
        put(l, "%s", i ? "," : ",\"more_results\":[");
        put_tensor(l, e, how, op->extra[i], true);
    }
    put(l, "%s", op->extra_count > 0 ? "]" : "");
    put_outcome(l, e);
    put_conversions(l, e);
    if (how->more)
        how->more(l, e);
}
