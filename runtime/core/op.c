/* Begin and end of an op: checks its operands, frees its temporaries, passes it to the trace. */
#include "runtime/core/core.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "runtime/core/hooks.h"
#include "runtime/core/thread.h"

atomic_int trace_state = TRACE_UNDECIDED;

uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline void add_operand(struct op *op, const mc_tensor *t, const char *list, int nth)
{
    int i = op->operand_count;
    if (tensor_requires_grad(t) && !op->thread->no_grad)
        op->tracks = true;
    if (i == MC_MAX_OPERANDS)
        return;
    op->operands[i] = t;
    if (op->tracks && t->view > VIEW_FREELY)
        core_hooks.op_check_history(op, t);
    op->names[i].list = list;
    op->names[i].nth = nth;
    op->operand_count++;
}

/* The n-th name in a list as the preprocessor spells it: "a, b". "o.out" becomes out. */
static const char *nth_name(const char *list, int n, int *length)
{
    for (; n > 0 && *list; n--) {
        list += strcspn(list, ",");
        list += strspn(list, ", ");
    }
    *length = (int)strcspn(list, ",");
    const char *dot = memchr(list, '.', (size_t)*length);
    *length -= dot ? (int)(dot + 1 - list) : 0;
    return dot ? dot + 1 : list;
}

const char *op_operand_name(const struct op *op, const mc_tensor *t, char *buf, size_t size)
{
    int i = 0, length = 0;
    while (i < op->operand_count && op->operands[i] != t)
        i++;
    if (i == op->operand_count) /* a view that the op made of an operand */
        for (i = 0; i < op->operand_count && op->operands[i]->storage != t->storage;)
            i++;
    bool known = i < op->operand_count;
    const char *name = known ? nth_name(op->names[i].list, op->names[i].nth, &length) : NULL;
    if (!known)
        snprintf(buf, size, "an operand");
    else if (!length) /* one of an array */
        snprintf(buf, size, "tensor %d", i + 1);
    else
        snprintf(buf, size, "%.*s", length, name);
    return buf;
}

/* A NULL operand is not reported again when it is the result of an op that failed. */
static void missing(struct op *op, const char *list, int nth)
{
    int length;
    const char *name = nth_name(list, nth, &length);
    if (op->thread->has_error)
        op->ok = false;
    else
        op_fail(op, MC_ERROR_ARGUMENT, "%.*s is NULL", length ? length : 8,
                length ? name : "a tensor");
}

static void freed(struct op *op, const mc_tensor *t)
{
    if (t->magic == TENSOR_DEAD)
        op_fail(op, MC_ERROR_ARGUMENT, "an operand was freed before; it was made at %s:%d",
                t->made.file ? t->made.file : "?", t->made.line);
    else
        op_fail(op, MC_ERROR_ARGUMENT, "an operand is not a tensor");
}

void op_begin(struct op *op, const char *name, mc_place at, mc_tensor *const *required, int count,
              const char *names)
{
    op->name = name;
    op->at = at;
    op->ok = true;
    op->failed = false;
    op->tracks = op->wrote = op->recorded = op->is_backward = false;
    op->operand_count = 0;
    op->thread = thread_self();
    op->autocast = op->thread->autocast;
    op->mark = scope_newest(op->thread);
    op->extra_count = 0;
    op->conversion_ns = op->conversion_bytes = 0;
    op->conversion_count = 0;
    op->start_ns = trace_enabled() ? core_hooks.trace_begin(op) : 0;
    for (int i = 0; i < count; i++)
        if (required[i] && required[i]->magic == TENSOR_ALIVE)
            add_operand(op, required[i], names, i);
    for (int i = 0; i < count && op->ok; i++) {
        if (!required[i])
            missing(op, names, i);
        else if (required[i]->magic != TENSOR_ALIVE)
            freed(op, required[i]);
    }
}

bool op_optional_named(struct op *op, const mc_tensor *t, const char *name)
{
    if (t && t->magic != TENSOR_ALIVE)
        freed(op, t);
    else if (t)
        add_operand(op, t, name, 0);
    return op->ok;
}

bool op_arg_named(struct op *op, mc_arg a, const char *name)
{
    if (a.kind == MC_ARG_TENSOR && !a.as.tensor)
        missing(op, name, 0);
    else if (a.kind == MC_ARG_TENSOR)
        op_optional_named(op, a.as.tensor, name);
    else if ((unsigned)a.kind > MC_ARG_FLOAT)
        op_fail(op, MC_ERROR_ARGUMENT, "an operand is neither a tensor nor a number");
    return op->ok;
}

bool op_alive(mc_place at, const char *name, const mc_tensor *x)
{
    if (x->magic == TENSOR_ALIVE)
        return true;
    OP_BEGIN0(op, name, at);
    freed(&op, x);
    op_finish(&op);
    return false;
}

void op_also_returns(struct op *op, mc_tensor *t)
{
    if (t)
        op->extra[op->extra_count++] = t;
}

static bool is_extra(const struct op *op, const mc_tensor *t)
{
    for (int i = 0; i < op->extra_count; i++)
        if (op->extra[i] == t)
            return true;
    return false;
}

/* Everything newer than the mark was made by this op. */
static void free_temporaries(struct op *op, const mc_tensor *result)
{
    mc_tensor *t = scope_newest(op->thread);
    while (t != op->mark) {
        mc_tensor *next = t->next;
        if (t != result && !is_extra(op, t))
            tensor_free(t);
        t = next;
    }
}

mc_tensor *op_end(struct op *op, mc_tensor *result)
{
    const char *trouble = core_hooks.backend_trouble();
    if (trouble)
        op_fail(op, MC_ERROR_DEVICE, "the GPU reported: %s", trouble);
    if (!op->ok) {
        result = NULL;
        op->extra_count = 0;
    }
    if (op->tracks && result && !op->recorded)
        core_hooks.record_unknown(op, result);
    if (op->start_ns)
        core_hooks.trace_op(op, result, NULL);
    free_temporaries(op, result);
    if (op->failed)
        error_hand_over(op->thread);
    return result;
}

void op_finish(struct op *op)
{
    op_end(op, NULL);
}
