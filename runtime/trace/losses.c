/* The end of a program that ran with shadow values: what was lost, one line of JSON per source line
 * and kind, worst first; then a line about what was covered. For `miscast verify` losses are events
 * among the others. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/losses.h"

#include <signal.h>
#include <unistd.h>

#include "runtime/shadow/ledger.h"
#include "runtime/shadow/shadow.h"
#include "runtime/trace/channel.h"
#include "runtime/trace/probe.h"
#include "runtime/trace/trace.h"

#define VARIABLE "MISCAST_RUN"

static struct {
    atomic_int fd;
    atomic_bool written;
    bool as_events, as_text;
    atomic_int interrupted; /* a signal that waits for the end of an op */
} run = {.fd = -1};

static double threshold(void)
{
    const char *said = secure_getenv("MISCAST_RUN_THRESHOLD");
    double value = said && !run.as_events ? strtod(said, NULL) : 0;
    return value > 0 && isfinite(value) ? value : 0.01;
}

static void handle_signals(void);

static bool begin_events(void)
{
    run.as_events = true;
    shadow_begin(threshold());
    return true;
}

bool losses_begin(void)
{
    const char *name = secure_getenv(VARIABLE);
    if (channel_is_open() || secure_getenv("MISCAST_PROBE_SHADOW"))
        return (!channel_is_open() || channel_wants_shadow()) && begin_events();
    if (!name || !*name)
        return false;
    run.as_text = strcmp(name, "1") == 0;
    atomic_store(&run.fd, run.as_text ? STDERR_FILENO : trace_open(VARIABLE, name));
    if (atomic_load(&run.fd) < 0)
        return false;
    shadow_begin(threshold());
    handle_signals();
    return true;
}

/* ---- one loss ------------------------------------------------------------------------------ */

static void put_site(struct line *l, const char *key, unsigned number)
{
    const struct site *s = site_get(number);
    if (!s)
        return;
    put(l, ",\"%s\":{", key);
    put_place(l, (mc_place){.file = s->file, .line = s->line, .function = s->function});
    put(l, ",\"op\":");
    put_string(l, s->op);
    put_bool(l, "backward", s->backward);
    put(l, "}");
}

static void put_dims(struct line *l, const char *key, int n, const int64_t *dims)
{
    put(l, ",\"%s\":[", key);
    for (int i = 0; i < n; i++)
        put(l, "%s%" PRId64, i ? "," : "", dims[i]);
    put(l, "]");
}

static void put_index(struct line *l, const struct loss *s)
{
    int64_t index[MC_MAX_DIMS], rest = s->worst;
    for (int i = s->ndim - 1; i >= 0; i--) {
        index[i] = s->shape[i] ? rest % s->shape[i] : 0;
        rest /= s->shape[i] ? s->shape[i] : 1;
    }
    put_dims(l, "index", s->ndim, index);
}

static void put_loss(struct line *l, const struct loss *s)
{
    put(l, "\"loss\":\"%s\",\"dtype\":\"%s\"", loss_name(s->kind), dtype_name(s->dtype));
    put_site(l, "at", s->site);
    put_dims(l, "shape", s->ndim, s->shape);
    put_index(l, s);
    char got[40], expected[40];
    loss_values(s, got, expected);
    put(l, ",\"got\":\"%s\",\"expected\":\"%s\"", got, expected);
    put(l, ",\"elements\":%" PRId64 ",\"of\":%" PRId64 ",\"times\":%" PRIu64, s->elements, s->numel,
        s->times);
    put(l, ",\"introduced\":%.3g,\"inherited\":%.3g", fmin(s->introduced, 1e300),
        fmin(s->inherited, 1e300));
    put_site(l, "since", s->since);
    put_site(l, "from", s->from);
}

static void put_coverage(struct line *l, const struct coverage *c)
{
    put(l,
        "{\"coverage\":{\"ops\":%" PRIu64 ",\"kernels\":%" PRIu64 ",\"uncovered\":%" PRIu64
        ",\"names\":[",
        c->ops, c->kernels, c->uncovered);
    for (size_t i = 0; i < sizeof c->uncovered_ops / sizeof *c->uncovered_ops; i++)
        if (*c->uncovered_ops[i]) {
            put(l, "%s", i ? "," : "");
            put_string(l, c->uncovered_ops[i]);
        }
    put(l, "]}}\n");
}

/* ---- all of them --------------------------------------------------------------------------- */

static void write_event(const struct loss *s)
{
    struct line *l = probe_line_last();
    if (!l)
        return;
    put_loss(l, s);
    probe_line_close(l);
}

static void write_line(const struct loss *s)
{
    struct line *l = line_open();
    if (run.as_text) {
        put_loss_text(l, s);
    } else {
        put(l, "{");
        put_loss(l, s);
        put(l, "}\n");
    }
    line_close(l, &run.fd, VARIABLE);
}

static void write_coverage(size_t count)
{
    struct line *l = line_open();
    if (run.as_text)
        put_coverage_text(l, count, &shadow_coverage);
    else
        put_coverage(l, &shadow_coverage);
    line_close(l, &run.fd, VARIABLE);
}

/* Under the ledger's lock. */
static void write_all(void)
{
    size_t count;
    const struct loss *all = losses_sorted(&count);
    for (size_t i = 0; i < count; i++)
        (run.as_events ? write_event : write_line)(&all[i]);
    if (!run.as_events)
        write_coverage(count);
}

void losses_end(void)
{
    if (atomic_exchange(&run.written, true))
        return;
    ledger_lock();
    write_all();
    ledger_unlock();
}

/* ---- signals ------------------------------------------------------------------------------- */

/* In a handler: false if the op that was interrupted has the ledger. */
static bool losses_try_end(void)
{
    struct line *l = NULL;
    if (atomic_load(&run.written) || !ledger_try_lock())
        return atomic_load(&run.written);
    if ((l = line_try_open())) {
        line_close(l, &run.fd, VARIABLE); /* nobody is writing one */
        if (!atomic_exchange(&run.written, true))
            write_all();
    }
    ledger_unlock();
    return l;
}

static void take_effect(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

/* A program that is asked to end goes on to the end of its op, if it is in one. */
static void asked_to_end(int number)
{
    if (losses_try_end())
        take_effect(number);
    else
        atomic_store(&run.interrupted, number);
}

static void crashed(int number)
{
    (void)losses_try_end();
    take_effect(number);
}

void losses_op_ended(void)
{
    int number = atomic_load_explicit(&run.interrupted, memory_order_relaxed);
    if (!number)
        return;
    losses_end();
    take_effect(number);
}

/* Unless the program has a handler of its own by now. */
static void handle_signals(void)
{
    static const struct {
        int number;
        void (*handler)(int);
    } rows[] = {{SIGINT, asked_to_end}, {SIGTERM, asked_to_end}, {SIGHUP, asked_to_end},
                {SIGABRT, crashed},     {SIGFPE, crashed},       {SIGILL, crashed},
                {SIGSEGV, crashed},     {SIGBUS, crashed}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sigaction now, ours = {.sa_handler = rows[i].handler};
        if (sigaction(rows[i].number, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(rows[i].number, &ours, NULL);
    }
}
