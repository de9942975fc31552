/* Tracing: ops that have ended come in, lines of JSON go out, one write(2) each, so that lines
 * stay whole between threads and processes and nothing is lost in an abort. Decides once, from the
 * environment, whether anything is recorded at all. */
#include "runtime/trace/trace.h"

#include <pthread.h>
#include <stdlib.h>

#include "runtime/core/watch.h"
#include "runtime/shadow/shadow.h"
#include "runtime/trace/channel.h"
#include "runtime/trace/line.h"
#include "runtime/trace/probe.h"

/* Tracing is per process: this is set up once, then only the atomics change. */
static struct {
    pthread_once_t decided;
    atomic_int fd; /* -1: no lines are requested, or writing them failed */
    bool profiling, probing, shadowing, surveys;
    atomic_uint_fast64_t conversion_count, conversion_bytes, conversion_ns;
} trace = {.decided = PTHREAD_ONCE_INIT, .fd = -1};

/* ---- events -------------------------------------------------------------------------------- */

static void put_plainly(struct line *l, const struct op *op, const mc_tensor *t, bool is_result)
{
    (void)op;
    put(l, "{");
    put_kind(l, t);
    if (trace.surveys && is_result)
        put_survey(l, t);
    put(l, "}");
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
    trace.surveys = secure_getenv("MISCAST_TRACE_ELEMENTS");
    trace.profiling = profile_begin(secure_getenv("MISCAST_PROFILE"));
    if (trace.profiling)
        atexit(profile_print);
    trace.probing = probe_begin();
    if (trace.probing && !channel_is_open()) /* which ends by itself, later */
        atexit(probe_end);
    trace.shadowing = losses_begin();
    if (trace.shadowing && !channel_is_open())
        atexit(losses_end);
    bool on = trace.profiling || trace.probing || trace.shadowing || atomic_load(&trace.fd) >= 0;
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
    if (trace.shadowing)
        shadow_enter(op);
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
    if (trace.shadowing)
        shadow_leave(op, result);
    bool told = !probe_is_wide();
    e.total = told ? add_conversions(op) : e.total;
    if (told && atomic_load(&trace.fd) >= 0)
        write_event(&e);
    if (told && trace.profiling)
        profile_add(&e);
    if (trace.probing)
        probe_event(&e);
    if (trace.shadowing)
        losses_op_ended();
}

void trace_finish(void)
{
    if (trace_decide() && trace.profiling)
        profile_print();
    if (trace_decide() && trace.shadowing)
        losses_end();
    if (trace_decide() && trace.probing)
        probe_end();
}

void trace_writes(const struct op *op, const mc_tensor *x)
{
    if (trace.probing)
        probe_writes(op, x);
    if (trace.shadowing)
        shadow_writes(op, x);
}

void trace_exposes(const mc_tensor *x)
{
    if (trace.shadowing)
        shadow_exposes(x);
}

void trace_numbers(mc_arg a, mc_arg b)
{
    if (trace.shadowing)
        shadow_numbers(a, b);
}

/* The library is linked to be initialised first, so that this runs before any constructor of the
 * program or of another library. Events at exit come after everything else that the program does
 * then: the first function registered is called last. */
__attribute__((constructor)) static void open_channel(void)
{
    if (!channel_take_key())
        return;
    if (channel_is_shared())
        program_write();
    watch_request();
    fault_watch_sanitizer();
    (void)atexit(trace_finish);
}
