/* Probes: ops that have ended come in, with what they noted about themselves; lines of JSON go out
 * with enough detail to judge a program by: which tensor is which, what was written, which modes
 * were on. See trace.h for the variables. */
#include "runtime/trace/probe.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/amp/amp.h"
#include "runtime/autograd/graph.h"
#include "runtime/core/pool.h"
#include "runtime/core/thread.h"
#include "runtime/core/watch.h"
#include "runtime/trace/channel.h"
#include "runtime/trace/elements.h"
#include "runtime/trace/protocol.h"

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZED 1
#elif defined(__has_feature)
#define ADDRESS_SANITIZED __has_feature(address_sanitizer)
#else
#define ADDRESS_SANITIZED 0
#endif
#if ADDRESS_SANITIZED
#include <sanitizer/asan_interface.h>
#endif

#define VARIABLE "MISCAST_PROBE"

/* More events at the end of the limit: errors, and what was lost. */
enum { ERRORS_BEYOND = 100, LOSSES_BEYOND = 500 };

static struct {
    atomic_int fd; /* -1: no events are requested */
    atomic_bool cut, ended;
    uint64_t limit, full, count; /* under the line's lock, like serials */
    unsigned serials;
    pthread_key_t key;
} probe = {.fd = -1, .limit = 200000, .full = UINT64_MAX};

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static _Thread_local struct probe_thread *self;

/* ---- threads ------------------------------------------------------------------------------- */

static void thread_gone(void *p)
{
    struct probe_thread *t = p;
    for (int i = 0; i < t->pending_count && i < PENDING; i++)
        if (t->pending[i].wide)
            tensor_unref(t->pending[i].wide);
    free(t);
    self = NULL;
}

static void make_key(void)
{
    pthread_key_create(&probe.key, thread_gone);
}

struct probe_thread *probe_self(void)
{
    pthread_once(&key_once, make_key);
    if (!self && (self = calloc(1, sizeof *self)))
        pthread_setspecific(probe.key, self);
    return self;
}

bool probe_is_wide(void)
{
    return self && self->wide > 0;
}

bool probe_goes_on(void)
{
    const char *said = secure_getenv("MISCAST_PROBE_ERRORS");
    return said && strcmp(said, "go-on") == 0;
}

/* ---- frames -------------------------------------------------------------------------------- */

/* AddressSanitizer may place variables elsewhere; this is where they would be on the stack. */
static uintptr_t stack_address(const struct op *op)
{
    void *real = NULL;
#if ADDRESS_SANITIZED
    void *fake = __asan_get_current_fake_stack();
    real = fake ? __asan_addr_is_in_fake_stack(fake, (void *)(uintptr_t)op, NULL, NULL) : NULL;
#endif
    return real ? (uintptr_t)real : (uintptr_t)op;
}

/* A handler may leave ops by longjmp: an open op that is not higher on the stack than the new one
 * has been left. */
void probe_enter(const struct op *op)
{
    struct probe_thread *t = probe_self();
    uintptr_t stack = stack_address(op);
    fault_near(op->at);
    if (!t)
        return;
    while (t->depth > 0 && t->depth <= FRAMES && t->frames[t->depth - 1].stack <= stack)
        t->depth--;
    if (t->depth++ >= FRAMES)
        return;
    struct frame *f = &t->frames[t->depth - 1];
    f->op = op;
    f->stack = stack;
    f->note_count = f->written_count = 0;
}

static struct frame *frame_of(const struct op *op)
{
    for (int i = self ? self->depth - 1 : -1; i >= 0; i--)
        if (i < FRAMES && self->frames[i].op == op)
            return &self->frames[i];
    return NULL;
}

static void leave(const struct op *op)
{
    const struct frame *f = frame_of(op);
    if (f)
        self->depth = (int)(f - self->frames);
    else if (self && self->depth > FRAMES)
        self->depth--;
}

void probe_note(const struct op *op, struct note note)
{
    struct frame *f = frame_of(op);
    if (f && f->note_count < NOTES)
        f->notes[f->note_count++] = note;
}

/* Tensors that the op made itself are not reported. */
static bool made_by(const struct op *op, const mc_tensor *x)
{
    for (const mc_tensor *t = scope_newest(op->thread); t != op->mark; t = t->next)
        if (t == x)
            return true;
    return false;
}

static bool is_operand(const struct op *op, const mc_tensor *x)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i] == x)
            return true;
    return false;
}

/* backward accumulates gradients that it frees before it ends: only operands remain valid. */
static bool outlives(const struct op *op, const mc_tensor *x)
{
    bool goes_back = op->is_backward || strcmp(op->name, "backward") == 0;
    return is_operand(op, x) || (!goes_back && !made_by(op, x));
}

void probe_writes(const struct op *op, const mc_tensor *x)
{
    struct frame *f = frame_of(op);
    if (!f || f->written_count == LINE_WRITTEN || atomic_load(&probe.fd) < 0 ||
        atomic_load(&probe.cut) || probe_is_wide() || !outlives(op, x))
        return;
    for (int i = 0; i < f->written_count; i++)
        if (f->written[i].tensor == x)
            return;
    f->written[f->written_count].tensor = x;
    f->written[f->written_count++].before = elements_hash(x);
}

/* ---- tensors ------------------------------------------------------------------------------- */

/* Assigned on first use, under the line's lock. */
static unsigned serial_of(const mc_tensor *t)
{
    mc_tensor *seen = (mc_tensor *)t;
    if (!seen->serial)
        seen->serial = ++probe.serials;
    return seen->serial;
}

static void put_storage(struct line *l, uint64_t serial)
{
    if (serial)
        put(l, ",\"storage\":%" PRIu64, serial);
    else
        put(l, ",\"storage\":null");
}

/* The fields up to here are common to all events. */
static void put_identity(struct line *l, const struct op *op, const mc_tensor *t)
{
    char name[64];
    put(l, "{\"name\":");
    put_string(l, is_operand(op, t) ? op_operand_name(op, t, name, sizeof name) : NULL);
    put(l, ",\"id\":%u", serial_of(t));
    put_storage(l, watch_serial(t->storage));
    put(l, ",");
    put_kind(l, t);
    put(l, ",\"offset\":%" PRId64 ",\"version\":%u,\"bytes\":%zu", t->offset,
        atomic_load_explicit(&t->storage->version, memory_order_relaxed),
        (size_t)t->numel * dtype_size(t->dtype));
}

static void put_reference(struct line *l, const mc_tensor *t)
{
    if (!is_alive(t)) {
        put(l, "null");
        return;
    }
    put(l, "{\"id\":%u", serial_of(t));
    put_storage(l, watch_serial(t->storage));
    put(l, "}");
}

static void put_tensor(struct line *l, const struct op *op, const mc_tensor *t, bool is_result)
{
    put_identity(l, op, t);
    put_bool(l, "requires_grad", tensor_requires_grad(t));
    put_bool(l, "leaf", view_is_leaf(t));
    if (is_result)
        put_survey(l, t);
    put(l, "}");
}

/* ---- notes --------------------------------------------------------------------------------- */

static void put_note(struct line *l, const struct note *n)
{
    put(l, "\"%s\":", n->key);
    switch (n->kind) {
    case NOTE_NUMBER:
        put_number(l, n->as.number);
        break;
    case NOTE_FLAG:
        put(l, "%s", n->as.flag ? "true" : "false");
        break;
    case NOTE_TEXT:
        put_string(l, n->as.text);
        break;
    }
}

static void put_frame(struct line *l, const struct op *op, const struct frame *f)
{
    put(l, ",\"details\":{");
    for (int i = 0; i < f->note_count; i++) {
        put(l, "%s", i ? "," : "");
        put_note(l, &f->notes[i]);
    }
    put(l, "},\"written\":[");
    for (int i = 0; i < f->written_count; i++) {
        const mc_tensor *t = f->written[i].tensor;
        uint64_t before = f->written[i].before, after = elements_hash(t);
        put(l, "%s", i ? "," : "");
        put_identity(l, op, t);
        put(l, ",\"before\":\"%016" PRIx64 "\",\"after\":\"%016" PRIx64 "\"", before, after);
        put_bool(l, "changed", before != after);
        put_survey(l, t);
        put(l, "}");
    }
    put(l, "]");
}

static void put_autocast(struct line *l, const struct autocast *a)
{
    static const char *const names[2] = {"cpu", "cuda"};
    put(l, ",\"autocast\":{");
    for (int i = 0; i < 2; i++) {
        put(l, "%s\"%s\":", i ? "," : "", names[i]);
        put_string(l, a && a->device[i].on ? dtype_name(a->device[i].dtype) : NULL);
    }
    put(l, "}");
}

static void put_more(struct line *l, const struct trace_event *e)
{
    static const struct frame silent = {0};
    const struct frame *f = frame_of(e->op);
    put(l, ",\"depth\":%d", f ? (int)(f - self->frames) : self ? self->depth : 0);
    put_autocast(l, e->op->thread->autocast_state);
    put_bool(l, "grad_mode", !e->op->thread->no_grad);
    put_frame(l, e->op, f ? f : &silent);
}

/* ---- lines --------------------------------------------------------------------------------- */

static struct line *line_up_to(uint64_t limit)
{
    if (atomic_load(&probe.fd) < 0 || probe_is_wide())
        return NULL;
    struct line *l = line_open();
    if (probe.count < limit) {
        put(l, "{\"seq\":%" PRIu64 ",", ++probe.count);
        return l;
    }
    if (!atomic_exchange(&probe.cut, true))
        put(l, "{\"cut\":true}\n");
    line_close(l, &probe.fd, VARIABLE);
    return NULL;
}

struct line *probe_line(void)
{
    return atomic_load(&probe.cut) ? NULL : line_up_to(probe.limit);
}

/* Errors are still reported when nothing else is, for a while. */
static struct line *probe_line_beyond(void)
{
    return line_up_to(probe.limit + ERRORS_BEYOND);
}

struct line *probe_line_last(void)
{
    return line_up_to(probe.limit + ERRORS_BEYOND + LOSSES_BEYOND);
}

void probe_line_close(struct line *l)
{
    put(l, "}\n");
    line_close(l, &probe.fd, VARIABLE);
}

/* Guard pages need the dtype of the memory, even if no events are written. */
static void type_results(const struct trace_event *e)
{
    if (is_alive(e->result))
        watch_typed(e->result->storage, e->result->dtype);
    for (int i = 0; i < e->op->extra_count; i++)
        watch_typed(e->op->extra[i]->storage, e->op->extra[i]->dtype);
}

/* The short form, for an op like many before it: which tensors it reads and makes. */
static void put_briefly(struct line *l, const struct trace_event *e)
{
    size_t length = strlen(e->op->name);
    put(l, "\"op\":");
    put_string(l, e->op->name);
    put(l, ",\"line\":%u,\"brief\":true,\"operands\":[", e->op->at.line);
    for (int i = 0; i < e->op->operand_count; i++) {
        put(l, "%s", i ? "," : "");
        put_reference(l, e->op->operands[i]);
    }
    put(l, "],\"result\":");
    put_reference(l, e->result);
    put_bool(l, "in_place", length && e->op->name[length - 1] == '_');
}

/* It takes tensors and has no notes: ops that steer a program are always reported in full. */
static bool is_plain(const struct trace_event *e)
{
    const struct frame *f = frame_of(e->op);
    return !e->error && e->op->ok && e->op->operand_count > 0 && !(f && f->note_count > 0);
}

static void write_event(const struct trace_event *e)
{
    static const struct event_format richly = {.tensor = put_tensor, .more = put_more};
    struct line *l = e->error ? probe_line_beyond() : probe_line();
    if (!l)
        return;
    if (is_plain(e) && repeats_seen(e->op) && probe.count > probe.full)
        put_briefly(l, e);
    else
        put_event(l, e, &richly);
    probe_line_close(l);
}

void probe_event(const struct trace_event *e)
{
    type_results(e);
    write_event(e);
    leave(e->op);
}

void probe_mark(const char *name)
{
    struct op op = {.name = name, .ok = true, .start_ns = now_ns(), .thread = thread_self()};
    struct trace_event e = {.op = &op};
    write_event(&e);
}

/* ---- the end ------------------------------------------------------------------------------- */

enum { REGIONS_TOLD = 4 };

static void put_regions(struct line *l, const struct thread *t)
{
    mc_place places[REGIONS_TOLD];
    int count = t ? autocast_open(t->autocast_state, places, REGIONS_TOLD) : 0;
    put(l, ",\"open_autocast\":[");
    for (int i = 0; i < count; i++) {
        put(l, "%s{", i ? "," : "");
        put_place(l, places[i]);
        put(l, "}");
    }
    put(l, "]");
}

/* For the thread that ends the process. */
static void end_with(struct line *l)
{
    const struct thread *t = thread_if_any();
    put(l, "{\"end\":true,\"pid\":%ld,\"events\":%" PRIu64, (long)getpid(), probe.count);
    put_regions(l, t);
    put(l, ",\"open_scopes\":%d,\"live_tensors\":%zu}\n", t ? t->depth : 0, pool_live_tensors());
    line_close(l, &probe.fd, VARIABLE);
}

void probe_end(void)
{
    if (atomic_load(&probe.fd) >= 0 && !atomic_exchange(&probe.ended, true))
        end_with(line_open());
}

/* abort() runs this in the thread that called it. A line that it was writing is lost. */
static void aborted(int signal)
{
    struct line *l = atomic_exchange(&probe.ended, true) ? NULL : line_try_open();
    if (l)
        end_with(l);
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(signal, &usual, NULL);
    raise(signal);
}

static void handle_abort(void)
{
    struct sigaction now, ours = {.sa_handler = aborted};
    if (sigaction(SIGABRT, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
        sigaction(SIGABRT, &ours, NULL);
}

/* With the channel, nothing about events depends on the environment, which the program can change.
 */
static void begin_channel(void)
{
    probe.limit = CHANNEL_EVENTS;
    probe.full = CHANNEL_FULL;
    atomic_store(&probe.fd, CHANNEL_DESCRIPTOR);
}

static void begin_file(void)
{
    const char *name = secure_getenv(VARIABLE), *limit = secure_getenv("MISCAST_PROBE_LIMIT");
    const char *full = secure_getenv("MISCAST_PROBE_FULL");
    if (name && *name)
        atomic_store(&probe.fd, trace_open(VARIABLE, name));
    if (limit && *limit)
        probe.limit = strtoull(limit, NULL, 10);
    if (full && *full)
        probe.full = strtoull(full, NULL, 10);
}

bool probe_begin(void)
{
    if (channel_is_open())
        begin_channel();
    else
        begin_file();
    int fd = atomic_load(&probe.fd);
    if (fd < 0 && !watch_guards())
        return false;
    if (fd >= 0)
        handle_abort();
    fault_install(fd >= 0 ? fd : STDERR_FILENO, watch_guards());
    return true;
}
