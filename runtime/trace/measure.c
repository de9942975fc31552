/* The queries of instrumented programs (miscast/probe.h): an expression is evaluated again over
 * wide copies of its operands, and the distance between the two results is reported. */
#include "miscast/probe.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/amp/amp.h"
#include "runtime/core/thread.h"
#include "runtime/core/watch.h"
#include "runtime/compute/compute.h"
#include "runtime/trace/elements.h"
#include "runtime/trace/probe.h"

/* ---- running wide -------------------------------------------------------------------------- */

void mc_probe_wide_begin(void)
{
    struct probe_thread *p = probe_self();
    struct thread *t = thread_self();
    if (!p || p->wide++ > 0)
        return;
    struct before_wide *b = &p->before;
    b->no_grad = t->no_grad;
    b->has_error = t->has_error;
    b->last_error = t->last_error;
    b->rng = t->rng;
    autocast_pause(t, b->autocast_on);
    t->no_grad = true;
    t->has_error = false;
}

void mc_probe_wide_end(void)
{
    struct probe_thread *p = probe_self();
    struct thread *t = thread_self();
    if (!p || p->wide == 0 || --p->wide > 0)
        return;
    const struct before_wide *b = &p->before;
    t->no_grad = b->no_grad;
    t->has_error = b->has_error;
    t->last_error = b->last_error;
    t->rng = b->rng;
    autocast_resume(t, b->autocast_on);
}

mc_tensor *mc_op_probe_wide(mc_place at, mc_tensor *x)
{
    if (!is_alive(x))
        return NULL;
    mc_probe_wide_begin();
    OP_BEGIN(op, "probe_wide", at, x);
    mc_dtype wide = dtype_is_float(x->dtype) ? MC_F64 : MC_I64;
    mc_tensor *y = x->dtype == wide ? op_clone(&op, x) : op_cast(&op, x, wide);
    y = op_end(&op, y);
    mc_probe_wide_end();
    return y;
}

mc_tensor *mc_op_probe_other(mc_place at, mc_tensor *x)
{
    if (!is_alive(x))
        return NULL;
    mc_probe_wide_begin();
    OP_BEGIN(op, "probe_other", at, x);
    mc_tensor *twice = op_tf(&op, BINARY_mul, x, 2);
    mc_tensor *zero = op_tf(&op, BINARY_eq, x, 0);
    mc_tensor *y =
        twice && zero ? op_where(&op, zero, mc_arg_float(1), mc_arg_tensor(twice)) : NULL;
    y = op_end(&op, y);
    mc_probe_wide_end();
    return y;
}

void mc_probe_given(const char *what)
{
    struct probe_thread *p = probe_self();
    if (p)
        p->given = what;
}

bool mc_probe_lost(void)
{
    const struct probe_thread *p = probe_self();
    return p && p->lost;
}

/* ---- expecting ----------------------------------------------------------------------------- */

static const char *why_none(const struct thread *t)
{
    return t->has_error ? t->last_error.message : "the wide expression is NULL";
}

void mc_op_probe_expect(mc_place at, mc_tensor *wide)
{
    struct probe_thread *p = probe_self();
    (void)at;
    if (!p || p->pending_count++ >= PENDING)
        return;
    struct pending *e = &p->pending[p->pending_count - 1];
    e->wide = is_alive(wide) ? tensor_alias(wide) : NULL;
    snprintf(e->reason, sizeof e->reason, "%s", why_none(thread_self()));
}

/* ---- measuring ----------------------------------------------------------------------------- */

static void put_pair(struct line *l, const char *key, double value)
{
    put(l, ",\"%s\":", key);
    put_number(l, value);
}

/* As text, since JSON has no infinities, with as many digits as it takes to distinguish them. */
static void put_worst(struct line *l, double got, double wide)
{
    char a[40], b[40];
    for (int digits = 5; digits <= 17; digits += 2) {
        snprintf(a, sizeof a, "%.*g", digits, got);
        snprintf(b, sizeof b, "%.*g", digits, wide);
        if (strcmp(a, b) != 0)
            break;
    }
    put(l, ",\"worst_got\":\"%s\",\"worst_wide\":\"%s\"", a, b);
}

static void put_difference(struct line *l, const mc_tensor *x, const mc_tensor *wide,
                           const mc_tensor *rounded)
{
    struct difference d = elements_compare(x, wide, rounded);
    probe_self()->lost = d.differing || d.max_abs > 0;
    struct survey got = elements_survey(x), expected = elements_survey(wide);
    put(l, ",\"dtype\":\"%s\",\"wide_dtype\":\"%s\",\"elements\":%" PRId64, dtype_name(x->dtype),
        dtype_name(wide->dtype), x->numel);
    put_pair(l, "max_abs_difference", d.max_abs);
    put_pair(l, "max_rel_difference", d.max_rel);
    put_pair(l, "mean_abs_difference", d.mean_abs);
    put_pair(l, "max_abs_wide", d.max_abs_wide);
    put(l,
        ",\"differing\":%" PRId64 ",\"nan\":%" PRId64 ",\"inf\":%" PRId64 ",\"wide_nan\":%" PRId64
        ",\"wide_inf\":%" PRId64,
        d.differing, got.nan, got.inf, expected.nan, expected.inf);
    if (d.has_worst)
        put_worst(l, d.worst_got, d.worst_wide);
}

static void write_measure(mc_place at, const mc_tensor *x, const struct pending *e,
                          const mc_tensor *rounded)
{
    const char *failed = !e->wide                         ? e->reason
                         : !is_alive(x)                   ? "the expression itself is NULL"
                         : !tensor_same_shape(x, e->wide) ? "the wide result has another shape"
                                                          : NULL;
    struct probe_thread *p = probe_self();
    const char *given = p->given;
    struct line *l = probe_line();
    p->given = NULL;
    p->lost = false;
    if (!l)
        return;
    put(l, "\"measure\":{");
    put_place(l, at);
    if (given) {
        put(l, ",\"given\":");
        put_string(l, given);
    }
    if (failed) {
        put(l, ",\"failed\":");
        put_string(l, failed);
    } else {
        put_difference(l, x, e->wide, rounded);
    }
    put(l, "}");
    probe_line_close(l);
}

/* Integers are not rounded: one that does not fit has become another number. */
static void measure(mc_place at, mc_tensor *x, const struct pending *e)
{
    bool rounds = e->wide && is_alive(x) && dtype_is_float(x->dtype);
    mc_probe_wide_begin();
    OP_BEGIN0(op, "probe_got", at);
    mc_tensor *rounded = rounds ? op_cast(&op, e->wide, x->dtype) : NULL;
    mc_probe_wide_end();
    write_measure(at, x, e, rounded);
    mc_probe_wide_begin();
    op_finish(&op);
    mc_probe_wide_end();
}

mc_tensor *mc_op_probe_got(mc_place at, mc_tensor *x)
{
    struct probe_thread *p = probe_self();
    if (!p || p->pending_count == 0 || --p->pending_count >= PENDING)
        return x;
    struct pending *e = &p->pending[p->pending_count];
    if (!probe_is_wide() && trace_enabled())
        measure(at, x, e);
    if (e->wide)
        tensor_unref(e->wide);
    e->wide = NULL;
    return x;
}

/* ---- branches ------------------------------------------------------------------------------ */

enum { BRANCHES = 256, KINDS = 8, A_FEW = 2 };

int64_t mc_probe_branch(int number, int64_t value)
{
    static atomic_uchar seen[BRANCHES][KINDS];
    struct line *l = NULL;
    if (number >= 0 && number < BRANCHES && trace_enabled() && !probe_is_wide() &&
        atomic_fetch_add(&seen[number][(uint64_t)value % KINDS], 1) < A_FEW)
        l = probe_line();
    if (l) {
        put(l, "\"branch\":%d,\"value\":%" PRId64, number, value);
        probe_line_close(l);
    }
    return value;
}

/* ---- quotients ----------------------------------------------------------------------------- */

void mc_op_probe_quotient(mc_place at, double of, double by)
{
    static atomic_uint lost, others;
    bool is_lost = by == 1 ? of == 0 : fmod(of, by) != 0;
    struct line *l = NULL;
    if (trace_enabled() && !probe_is_wide() &&
        atomic_fetch_add(is_lost ? &lost : &others, 1) < BRANCHES)
        l = probe_line();
    if (!l)
        return;
    put(l, "\"quotient\":{\"of\":%.17g,\"by\":%.17g,", of, by);
    put_place(l, at);
    put(l, "}");
    probe_line_close(l);
}

/* ---- pointers ------------------------------------------------------------------------------ */

static void put_watched(struct line *l, const struct watched *at)
{
    put(l, ",\"storage\":%" PRIu64 ",\"dtype\":", at->serial);
    put_string(l, at->dtype == MC_DTYPE_DEFAULT ? NULL : dtype_name(at->dtype));
    put(l, ",\"device\":\"%s\",\"offset\":%td,\"bytes_left\":%td", mc_device_name(at->device),
        at->offset, (ptrdiff_t)at->bytes - at->offset);
}

/* Reads memory that may not be mapped without crashing, by asking the kernel. The system call is
 * made directly, as a sanitizer would treat it as an access. */
static bool read_memory(const void *p, void *to, size_t bytes)
{
    int ends[2];
    if (!p || pipe(ends) != 0)
        return false;
    bool ok = syscall(SYS_write, ends[1], p, bytes) == (long)bytes &&
              read(ends[0], to, bytes) == (ssize_t)bytes;
    close(ends[0]);
    close(ends[1]);
    return ok;
}

/* Whether the first word of the memory is itself an address. */
static bool holds_address(const void *p)
{
    const void *word;
    char first;
    return read_memory(p, &word, sizeof word) && read_memory(word, &first, 1);
}

/* One past the end of a block still belongs to it, as in C. */
static bool points_into(const void *p, struct watched *at)
{
    return p && watch_enabled() && watch_find(p, at) && !at->freed && at->offset >= 0 &&
           (size_t)at->offset <= at->bytes;
}

const void *mc_op_probe_pointer(mc_place at, const void *p, const char *what)
{
    struct watched found;
    struct line *l = trace_enabled() ? probe_line() : NULL;
    if (!l)
        return p;
    put(l, "\"pointer\":{\"what\":");
    put_string(l, what);
    put(l, ",");
    put_place(l, at);
    if (points_into(p, &found))
        put_watched(l, &found);
    else
        put(l, ",\"storage\":null,\"dtype\":null,\"device\":null,\"offset\":null,"
               "\"bytes_left\":null");
    put_bool(l, "holds_address", holds_address(p));
    put(l, "}");
    probe_line_close(l);
    return p;
}

size_t mc_op_probe_size(mc_place at, size_t n, const char *what)
{
    struct line *l = trace_enabled() ? probe_line() : NULL;
    if (!l)
        return n;
    put(l, "\"pointer\":{\"what\":");
    put_string(l, what);
    put(l, ",");
    put_place(l, at);
    put(l, ",\"size\":%zu}", n);
    probe_line_close(l);
    return n;
}

bool mc_probe_find(const void *p, mc_probe_memory *found)
{
    struct watched at;
    if (!points_into(p, &at))
        return false;
    *found = (mc_probe_memory){at.device != MC_CPU, at.bytes - (size_t)at.offset};
    return true;
}

void mc_probe_called(const char *name, const void *from, const char *kind, const char *message)
{
    struct line *l = trace_enabled() ? probe_line() : NULL;
    if (!l)
        return;
    put(l, "\"op\":");
    put_string(l, name);
    put(l, ",\"stand_in\":true,\"frames\":[\"%#jx\"],\"error\":", (uintmax_t)fault_code(from));
    if (kind) {
        put(l, "{\"kind\":");
        put_string(l, kind);
        put(l, ",\"message\":");
        put_string(l, message);
        put(l, "}");
    } else {
        put(l, "null");
    }
    probe_line_close(l);
}
