/* Tracing: ops that have ended come in, lines of JSON go out, one write(2) each, so that lines stay
 * whole between threads and processes and nothing is lost in an abort. Decides once, from the
 * environment, whether anything is recorded at all. */
#include "runtime/trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tracing belongs to the process, so this is the process's: set up once, then only the atomics
 * change. */
atomic_int trace_state = TRACE_UNDECIDED;
static struct {
    pthread_once_t decided;
    atomic_int fd; /* -1: no lines are asked for, or writing them failed */
    bool profiling;
    pthread_mutex_t writing; /* a pipe may take a long line in two pieces */
    atomic_int threads;      /* numbered so far */
    atomic_uint_fast64_t conversion_count, conversion_bytes, conversion_ns;
} trace = {.decided = PTHREAD_ONCE_INIT, .fd = -1, .writing = PTHREAD_MUTEX_INITIALIZER};

/* ---- files --------------------------------------------------------------------------------- */

/* Puts the process id for %p, % for %%. False if it does not fit. */
static bool expand_name(const char *name, char *to, size_t size)
{
    size_t used = 0;
    for (; *name; name++) {
        int n;
        if (name[0] == '%' && name[1] == 'p')
            n = snprintf(to + used, size - used, "%ld", (long)getpid());
        else
            n = snprintf(to + used, size - used, "%c", *name);
        if (n < 0 || (size_t)n >= size - used)
            return false;
        used += (size_t)n;
        if (name[0] == '%' && (name[1] == 'p' || name[1] == '%'))
            name++;
    }
    to[used] = '\0';
    return true;
}

int trace_open(const char *variable, const char *name)
{
    if (strcmp(name, "-") == 0)
        return STDERR_FILENO;
    char path[4096];
    errno = ENAMETOOLONG;
    int fd = -1;
    if (expand_name(name, path, sizeof path))
        fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        fprintf(stderr, "miscast: %s: cannot write %s: %s\n", variable, name, strerror(errno));
    return fd;
}

bool trace_write(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, text, size);
        if (n < 0 && errno != EINTR)
            return false;
        text += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* ---- a line of JSON ------------------------------------------------------------------------ */

/* Room for the longest line: four strings of TEXT_MAX at most, twelve tensors of 250 bytes, and
 * some fixed words and numbers. */
enum { TEXT_MAX = 4096, LINE_ROOM = 4 * TEXT_MAX + 4096 };

struct line {
    size_t used;
    char text[LINE_ROOM];
};

MC_PRINTF(2, 3) static void put(struct line *l, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(l->text + l->used, LINE_ROOM - l->used, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= LINE_ROOM - l->used)
        BUG("a trace line is longer than %d bytes", LINE_ROOM);
    l->used += (size_t)n;
}

/* Length of the UTF-8 sequence at s, which ends with a NUL; 0 if it is not one. */
static int utf8_length(const unsigned char *s)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least; /* a smaller code point should have been written shorter */
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (int more = 0; more < 4; more++) {
        if ((s[0] & forms[more].mask) != forms[more].lead)
            continue;
        uint32_t code = s[0] & (unsigned char)~forms[more].mask;
        for (int i = 1; i <= more; i++) {
            if ((s[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (s[i] & 0x3f);
        }
        bool surrogate = code >= 0xd800 && code <= 0xdfff;
        return code >= forms[more].least && code <= 0x10ffff && !surrogate ? more + 1 : 0;
    }
    return 0;
}

/* What stands for the character at s within quotes; *length is how much of s it covers. */
static int escape(const char *s, char to[8], int *length)
{
    unsigned char c = (unsigned char)*s;
    *length = utf8_length((const unsigned char *)s);
    if (*length == 0) {
        *length = 1;
        return snprintf(to, 8, "\\ufffd");
    }
    if (c < 0x20)
        return snprintf(to, 8, "\\u%04x", c);
    if (c == '"' || c == '\\')
        return snprintf(to, 8, "\\%c", c);
    memcpy(to, s, (size_t)*length);
    return *length;
}

/* A string in quotes, cut at TEXT_MAX bytes. */
static void put_string(struct line *l, const char *s)
{
    if (!s) {
        put(l, "null");
        return;
    }
    size_t limit = l->used + TEXT_MAX - 10;
    put(l, "\"");
    while (*s && l->used < limit) {
        char escaped[8];
        int length, n = escape(s, escaped, &length);
        memcpy(l->text + l->used, escaped, (size_t)n);
        l->used += (size_t)n;
        s += length;
    }
    put(l, "\"");
}

/* A tensor that was freed is there to be complained of, not to be described. */
static bool is_alive(const mc_tensor *t)
{
    return t && t->magic == TENSOR_ALIVE;
}

static void put_tensor(struct line *l, const mc_tensor *t)
{
    if (!is_alive(t)) {
        put(l, "null");
        return;
    }
    put(l, "{\"dtype\":\"%s\",\"device\":\"%s\",\"shape\":[", dtype_name(t->dtype),
        mc_device_name(tensor_device(t)));
    for (int i = 0; i < t->ndim; i++)
        put(l, "%s%" PRId64, i ? "," : "", t->shape[i]);
    put(l, "]}");
}

static void put_tensors(struct line *l, const char *name, int count,
                        const mc_tensor *const *tensors)
{
    put(l, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        put(l, "%s", i ? "," : "");
        put_tensor(l, tensors[i]);
    }
    put(l, "]");
}

/* Those of this op, and of all ops of the process up to it. */
static void put_conversions(struct line *l, const struct op *op)
{
    uint64_t count = (uint64_t)op->conversion_count;
    uint64_t bytes = op->conversion_bytes, ns = op->conversion_ns;
    put(l, ",\"conversions\":{\"count\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"ns\":%" PRIu64, count,
        bytes, ns);
    count += atomic_fetch_add(&trace.conversion_count, count);
    bytes += atomic_fetch_add(&trace.conversion_bytes, bytes);
    ns += atomic_fetch_add(&trace.conversion_ns, ns);
    put(l, ",\"total_count\":%" PRIu64 ",\"total_bytes\":%" PRIu64 ",\"total_ns\":%" PRIu64 "}",
        count, bytes, ns);
}

/* An op that did nothing because an earlier error left it without an operand is "skipped". */
static void put_outcome(struct line *l, const struct trace_event *e)
{
    put(l, ",\"result\":");
    put_tensor(l, e->result);
    if (e->op->extra_count > 0)
        put_tensors(l, "more_results", e->op->extra_count, (const mc_tensor *const *)e->op->extra);
    size_t length = strlen(e->op->name);
    bool in_place = length && e->op->name[length - 1] == '_';
    bool skipped = !e->error && !e->op->ok;
    put(l,
        ",\"in_place\":%s,\"backward\":%s,\"skipped\":%s,\"error\":", in_place ? "true" : "false",
        e->op->is_backward ? "true" : "false", skipped ? "true" : "false");
    if (!e->error) {
        put(l, "null");
        return;
    }
    put(l, "{\"kind\":\"%s\",\"message\":", mc_error_kind_name(e->error->kind));
    put_string(l, e->error->message);
    put(l, "}");
}

/* Small numbers in the order in which threads are first seen, as ids of the system say nothing. */
static int thread_number(void)
{
    static _Thread_local int number = -1;
    if (number < 0)
        number = atomic_fetch_add(&trace.threads, 1);
    return number;
}

static void put_event(struct line *l, const struct trace_event *e)
{
    put(l, "{\"op\":");
    put_string(l, e->op->name);
    put(l, ",\"file\":");
    put_string(l, e->op->at.file);
    put(l, ",\"line\":%d,\"function\":", e->op->at.line);
    put_string(l, e->op->at.function);
    put(l, ",\"pid\":%ld,\"thread\":%d,\"start_ns\":%" PRIu64 ",\"ns\":%" PRIu64, (long)getpid(),
        thread_number(), e->op->start_ns, e->ns);
    put_tensors(l, "operands", e->op->operand_count, e->op->operands);
    put_outcome(l, e);
    put_conversions(l, e->op);
    put(l, "}\n");
}

static void write_line(const struct trace_event *e)
{
    struct line l;
    l.used = 0;
    put_event(&l, e);
    pthread_mutex_lock(&trace.writing);
    int fd = atomic_load(&trace.fd);
    if (fd >= 0 && !trace_write(fd, l.text, l.used)) {
        fprintf(stderr, "miscast: MISCAST_TRACE: %s; tracing stops here\n", strerror(errno));
        atomic_store(&trace.fd, -1);
    }
    pthread_mutex_unlock(&trace.writing);
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
    bool on = trace.profiling || atomic_load(&trace.fd) >= 0;
    atomic_store(&trace_state, on ? TRACE_ON : TRACE_OFF);
}

bool trace_decide(void)
{
    pthread_once(&trace.decided, decide);
    return atomic_load(&trace_state) == TRACE_ON;
}

/* What ops took that have ended in this thread, those inside others not counted twice. */
static _Thread_local uint64_t spent_ns;

uint64_t trace_begin(struct op *op)
{
    op->spent_ns = spent_ns;
    return now_ns();
}

void trace_op(const struct op *op, const mc_tensor *result, const mc_error *error)
{
    uint64_t ns = now_ns() - op->start_ns, inside = spent_ns - op->spent_ns;
    struct trace_event e = {op, result, error, ns, ns > inside ? ns - inside : 0};
    spent_ns = op->spent_ns + ns;
    if (!trace_decide())
        return;
    if (atomic_load(&trace.fd) >= 0)
        write_line(&e);
    if (trace.profiling)
        profile_add(&e);
}

void trace_finish(void)
{
    if (trace_decide() && trace.profiling)
        profile_print();
}
