/* Tracing: ops that have ended come in, lines of JSON go out, one write(2) each, so that lines
 * stay whole between threads and processes and nothing is lost in an abort. Decides once, from the
 * environment, whether anything is recorded at all. */
#include "runtime/trace/trace.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/trace/channel.h"
#include "runtime/trace/line.h"

/* Tracing is per process: this is set up once, then only the atomics change. */
static struct {
    pthread_once_t decided;
    atomic_int fd; /* -1: no lines are requested, or writing them failed */
    bool profiling, probing;
    atomic_int threads; /* numbered so far */
    atomic_uint_fast64_t conversion_count, conversion_bytes, conversion_ns;
} trace = {.decided = PTHREAD_ONCE_INIT, .fd = -1};

/* ---- events -------------------------------------------------------------------------------- */

void put_kind(struct line *l, const mc_tensor *t)
{
    put(l, "\"dtype\":\"%s\",\"device\":\"%s\",\"shape\":[", dtype_name(t->dtype),
        mc_device_name(tensor_device(t)));
    for (int i = 0; i < t->ndim; i++)
        put(l, "%s%" PRId64, i ? "," : "", t->shape[i]);
    put(l, "]");
}

static void put_plainly(struct line *l, const struct op *op, const mc_tensor *t, bool is_result)
{
    (void)op;
    (void)is_result;
    put(l, "{");
    put_kind(l, t);
    put(l, "}");
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
    static _Thread_local int number = -1;
    if (number < 0)
        number = atomic_fetch_add(&trace.threads, 1);
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

static void write_event(const struct trace_event *e)
{
    static const struct event_format plainly = {.tensor = put_plainly};
    struct line *l = line_open();
    put(l, "{");
    put_event(l, e, &plainly);
    put(l, "}\n");
    line_close(l, &trace.fd, "MISCAST_TRACE");
}

/* ---- on or off ----------------------------------------------------------------------------- */

static void decide(void)
{
    const char *name = secure_getenv("MISCAST_TRACE");
    if (name && *name)
        atomic_store(&trace.fd, trace_open("MISCAST_TRACE", name));
    trace.profiling = profile_begin(secure_getenv("MISCAST_PROFILE"));
    if (trace.profiling)
        atexit(profile_print);
    trace.probing = probe_begin();
    if (trace.probing && !channel_is_open()) /* which ends by itself, later */
        atexit(probe_end);
    bool on = trace.profiling || trace.probing || atomic_load(&trace.fd) >= 0;
    atomic_store(&trace_state, on ? TRACE_ON : TRACE_OFF);
}

bool trace_decide(void)
{
    pthread_once(&trace.decided, decide);
    return atomic_load(&trace_state) == TRACE_ON;
}

/* Time of the ops that have ended in this thread, nested ones not counted twice. */
static _Thread_local uint64_t spent_ns;

uint64_t trace_begin(struct op *op)
{
    op->spent_ns = spent_ns;
    if (trace.probing)
        probe_enter(op);
    return now_ns();
}

static struct conversions add_conversions(const struct op *op)
{
    uint64_t count = (uint64_t)op->conversion_count;
    return (struct conversions){
        count + atomic_fetch_add(&trace.conversion_count, count),
        op->conversion_bytes + atomic_fetch_add(&trace.conversion_bytes, op->conversion_bytes),
        op->conversion_ns + atomic_fetch_add(&trace.conversion_ns, op->conversion_ns),
    };
}

void trace_op(const struct op *op, const mc_tensor *result, const mc_error *error)
{
    uint64_t ns = now_ns() - op->start_ns, inside = spent_ns - op->spent_ns;
    struct trace_event e = {op, result, error, ns, ns > inside ? ns - inside : 0, {0}};
    spent_ns = op->spent_ns + ns;
    if (!trace_decide())
        return;
    bool told = !probe_is_wide();
    e.total = told ? add_conversions(op) : e.total;
    if (told && atomic_load(&trace.fd) >= 0)
        write_event(&e);
    if (told && trace.profiling)
        profile_add(&e);
    if (trace.probing)
        probe_event(&e);
}

void trace_finish(void)
{
    if (trace_decide() && trace.profiling)
        profile_print();
    if (trace_decide() && trace.probing)
        probe_end();
}
