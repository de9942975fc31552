/* The frame of a running op: checks that operands are there, frees temporaries, writes the trace.
 */
#include "runtime/core/core.h"

#include <stdio.h>
#include <time.h>

#include "runtime/core/thread.h"
#include "runtime/trace/trace.h"

uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void add_operand(struct op *op, const mc_tensor *t)
{
    if (op->operand_count < MC_MAX_OPERANDS)
        op->operands[op->operand_count++] = t;
}

/* A NULL operand is no news when it is the result of an op that failed. */
static void missing(struct op *op, int position)
{
    if (op->thread->has_error)
        op->ok = false;
    else
        op_fail(op, MC_ERROR_ARGUMENT, "operand %d is NULL", position + 1);
}

static void freed(struct op *op, const mc_tensor *t)
{
    if (t->magic == TENSOR_DEAD)
        op_fail(op, MC_ERROR_ARGUMENT, "an operand was freed before; it was made at %s:%d",
                t->made.file ? t->made.file : "?", t->made.line);
    else
        op_fail(op, MC_ERROR_ARGUMENT, "an operand is not a tensor");
}

void op_begin(struct op *op, const char *name, mc_place at, mc_tensor *const *required, int count)
{
    op->name = name;
    op->at = at;
    op->ok = true;
    op->operand_count = 0;
    op->thread = thread_self();
    op->depth = op->thread->depth;
    op->mark = scope_newest(op->thread);
    op->extra_count = 0;
    op->conversion_ns = op->conversion_bytes = 0;
    op->conversion_count = 0;
    op->start_ns = trace_enabled() ? now_ns() : 0;
    for (int i = 0; i < count; i++)
        if (required[i] && required[i]->magic == TENSOR_ALIVE)
            add_operand(op, required[i]);
    for (int i = 0; i < count && op->ok; i++) {
        if (!required[i])
            missing(op, i);
        else if (required[i]->magic != TENSOR_ALIVE)
            freed(op, required[i]);
    }
}

bool op_optional(struct op *op, const mc_tensor *t)
{
    if (t && t->magic != TENSOR_ALIVE)
        freed(op, t);
    else if (t)
        add_operand(op, t);
    return op->ok;
}

bool op_arg(struct op *op, mc_arg a)
{
    if (a.kind == MC_ARG_TENSOR && !a.as.tensor)
        missing(op, op->operand_count);
    else if (a.kind == MC_ARG_TENSOR)
        op_optional(op, a.as.tensor);
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

/* A handler may have ended the scope or freed the tensor that marks where this op began: what is
 * left then goes with its scope. */
static bool mark_stands(const struct op *op)
{
    const mc_tensor *ring = &op->thread->scopes[op->depth].ring;
    const mc_tensor *t = ring->next;
    if (op->thread->depth != op->depth)
        return false;
    while (t != ring && t != op->mark)
        t = t->next;
    return t == op->mark;
}

/* Everything newer than the mark was made by this op. */
static void free_temporaries(struct op *op, const mc_tensor *result)
{
    mc_tensor *t = scope_newest(op->thread);
    if (!op->ok && !mark_stands(op))
        return;
    while (t != op->mark) {
        mc_tensor *next = t->next;
        if (t != result && !is_extra(op, t))
            tensor_free(t);
        t = next;
    }
}

mc_tensor *op_end(struct op *op, mc_tensor *result)
{
    if (!op->ok) {
        result = NULL;
        op->extra_count = 0;
    }
    if (op->start_ns)
        trace_op(op, result, NULL);
    free_temporaries(op, result);
    return result;
}

void op_finish(struct op *op)
{
    op_end(op, NULL);
}
