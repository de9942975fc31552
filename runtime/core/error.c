/* Errors in the user's calls: built from the running op, passed to the handler, remembered per
 * thread. */
#include "runtime/core/core.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/hooks.h"
#include "runtime/core/thread.h"

static struct {
    pthread_mutex_t lock;
    mc_error_handler handler;
    void *user;
} installed = {.lock = PTHREAD_MUTEX_INITIALIZER};

void core_bug(const char *file, int line, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "%s:%d: bug in miscast: ", file, line);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

const char *shape_describe(int ndim, const int64_t *dims, char *buf, size_t size)
{
    size_t at = (size_t)snprintf(buf, size, "(");
    for (int i = 0; i < ndim && i < MC_MAX_DIMS && at < size; i++)
        at += (size_t)snprintf(buf + at, size - at, i ? ", %lld" : "%lld", (long long)dims[i]);
    if (at < size)
        snprintf(buf + at, size - at, ")");
    return buf;
}

static const char *operand_describe(const mc_operand *o, char *buf, size_t size)
{
    char shape[200];
    snprintf(buf, size, "%s %s %s", dtype_name(o->dtype), mc_device_name(o->device),
             shape_describe(o->ndim, o->shape, shape, sizeof shape));
    return buf;
}

static mc_operand operand_of(const mc_tensor *t)
{
    mc_operand o = {.dtype = t->dtype, .device = tensor_device(t), .ndim = t->ndim};
    memcpy(o.shape, t->shape, sizeof o.shape);
    for (int i = t->ndim; i < MC_MAX_DIMS; i++)
        o.shape[i] = 0;
    return o;
}

const char *tensor_describe(const mc_tensor *t, char *buf, size_t size)
{
    mc_operand o = operand_of(t);
    return operand_describe(&o, buf, size);
}

void mc_error_print(const mc_error *e)
{
    char text[256];
    if (!e)
        return;
    bool named = !strncmp(e->message, e->op, strlen(e->op));
    fprintf(stderr, "%s:%d: error: %s%s%s [%s]\n", e->at.file ? e->at.file : "?", e->at.line,
            named ? "" : e->op, named ? "" : ": ", e->message, mc_error_kind_name(e->kind));
    for (int i = 0; i < e->operand_count; i++)
        fprintf(stderr, "  %s: %s\n", e->operands[i].name,
                operand_describe(&e->operands[i], text, sizeof text));
    if (e->at.function)
        fprintf(stderr, "  in %s()\n", e->at.function);
}

void mc_error_remember(const mc_error *error, void *user)
{
    (void)error;
    (void)user;
}

static void print_and_abort(const mc_error *error)
{
    fflush(stdout);
    mc_error_print(error);
    fprintf(stderr, "  the program ends here; mc_set_error_handler lets it go on\n");
    core_hooks.trace_finish();
    abort();
}

mc_error_handler mc_set_error_handler(mc_error_handler handler, void *user)
{
    pthread_mutex_lock(&installed.lock);
    mc_error_handler before = installed.handler;
    installed.handler = handler;
    installed.user = user;
    pthread_mutex_unlock(&installed.lock);
    return before;
}

const mc_error *mc_last_error(void)
{
    struct thread *t = thread_self();
    return t->has_error ? &t->last_error : NULL;
}

void mc_clear_error(void)
{
    thread_self()->has_error = false;
}

/* Called with no lock held, so that a handler may leave by longjmp, and with a copy, so that it may
 * call ops. */
void error_hand_over(struct thread *t)
{
    mc_error error = t->last_error;
    if (core_hooks.errors_are_ignored())
        return;
    pthread_mutex_lock(&installed.lock);
    mc_error_handler handler = installed.handler;
    void *user = installed.user;
    pthread_mutex_unlock(&installed.lock);
    if (handler)
        handler(&error, user);
    else if (core_hooks.errors_go_on())
        mc_error_print(&error);
    else
        print_and_abort(&error);
}

static void trace_failure(struct op *op)
{
    if (op->start_ns)
        core_hooks.trace_op(op, NULL, &op->thread->last_error);
    op->start_ns = 0;
}

void *op_fail(struct op *op, mc_error_kind kind, const char *fmt, ...)
{
    struct thread *t = op->thread;
    mc_error *e = &t->last_error;
    if (!op->ok) /* only the first error of an op is reported */
        return NULL;
    op->ok = false;
    op->failed = true;
    e->kind = kind;
    e->op = op->name;
    e->at = op->at;
    va_list args;
    va_start(args, fmt);
    vsnprintf(e->message, sizeof e->message, fmt, args);
    va_end(args);
    e->operand_count = op->operand_count;
    for (int i = 0; i < op->operand_count; i++) {
        e->operands[i] = operand_of(op->operands[i]);
        op_operand_name(op, op->operands[i], e->operands[i].name, sizeof e->operands[i].name);
    }
    t->has_error = true;
    trace_failure(op);
    return NULL;
}

void op_take_error(struct op *op, struct op *inner)
{
    mc_error *e = &op->thread->last_error;
    char message[sizeof e->message];
    const char *file = inner->at.file ? inner->at.file : "?";
    if (!inner->failed || !op->ok)
        return;
    size_t length = strlen(inner->name);
    snprintf(message, sizeof message, "%s", e->message);
    bool named = !strncmp(message, inner->name, length) && message[length] == ' ';
    if (!named || message[length + 1] != '(')
        snprintf(e->message, sizeof e->message, "%s (%s:%d)%s%.*s", inner->name, file,
                 inner->at.line, named ? "" : ": ", (int)sizeof message / 2,
                 message + (named ? length : 0));
    e->op = op->name;
    e->at = op->at;
    inner->failed = false;
    op->ok = false;
    op->failed = true;
    trace_failure(op);
}
