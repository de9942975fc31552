/* Elementwise kernels with their shadow. What is not continuous is decided by the real values:
 * whether relu passes a gradient, what floor rounds to. */
#include <string.h>

#include "runtime/shadow/kernels.h"
#include "runtime/shadow/pass.h"
#include "runtime/shadow/shadow.h"

/* ---- loops --------------------------------------------------------------------------------- */

struct walk {
    struct pass pass;
    const struct loop *loop;
    struct view *views[LOOP_MAX]; /* NULL: a number */
};

static void walk_init(struct walk *w, const struct loop *loop)
{
    pass_init(&w->pass);
    w->loop = loop;
    memset(w->views, 0, sizeof w->views);
}

static void walk_part(struct walk *w, int k, enum role role, mc_dtype dtype)
{
    if (k >= w->loop->count || !w->loop->data[k])
        return;
    struct view v = loop_view(w->loop, k, dtype);
    w->views[k] = pass_part(&w->pass, role, &v);
}

static struct loop walk_loop(const struct walk *w)
{
    return wide_loop(w->loop, w->views);
}

/* A number of the loop in the widest dtype. */
static void widen_number(struct loop *l, int k, mc_dtype dtype)
{
    uint64_t wide = 0;
    widen(NULL, (const char *)&l->number[k], dtype, 1, (char *)&wide);
    l->number[k] = wide;
}

/* ---- casts and fills ----------------------------------------------------------------------- */

static void shadow_cast(mc_dtype to, mc_dtype from, const struct loop *loop, bool cuda)
{
    struct walk w;
    bool truncates = dtype_is_int(to) && dtype_is_float(from);
    walk_init(&w, loop);
    walk_part(&w, 0, PART_WRITE, to);
    walk_part(&w, 1, truncates ? PART_REAL : PART_READ, from);
    pass_before(&w.pass)->elementwise->cast(to, from, loop, cuda);
    while (pass_next(&w.pass)) {
        struct loop l = walk_loop(&w);
        if (!w.views[1])
            widen_number(&l, 1, from);
        cpu_elementwise.cast(dtype_widest(to), dtype_widest(from), &l, false);
        if (truncates && w.views[1] && w.pass.stage == PASS_SHADOW)
            judge_cast(&w.pass, &w.pass.parts[1], &w.pass.parts[0]);
    }
}

static double number(mc_arg a)
{
    return a.kind == MC_ARG_FLOAT ? a.as.f : (double)a.as.i;
}

static void shadow_fill(mc_dtype dtype, const struct loop *loop, mc_arg value)
{
    struct walk w;
    walk_init(&w, loop);
    walk_part(&w, 0, PART_WRITE, dtype);
    pass_before(&w.pass)->elementwise->fill(dtype, loop, value);
    while (pass_next(&w.pass)) {
        struct loop l = walk_loop(&w);
        cpu_elementwise.fill(dtype_widest(dtype), &l, value);
        if (dtype_is_int(dtype) && w.pass.stage == PASS_SHADOW)
            judge_fraction(&w.pass, &w.pass.parts[0], number(value));
    }
}

/* ---- one operand --------------------------------------------------------------------------- */

enum result { SAME, REAL, FLAG };

static bool is_flag(enum unary op)
{
    static const char results[UNARY_COUNT] = {
#define UNARY(name, cpu, cuda, result, ...) [UNARY_##name] = result,
#include "runtime/kernels/unary.def"
#undef UNARY
    };
    return results[op] == FLAG;
}

static bool jumps(enum unary op)
{
    return op == UNARY_floor || op == UNARY_ceil || op == UNARY_round || op == UNARY_trunc ||
           op == UNARY_frac || op == UNARY_sign;
}

static bool slope_jumps(enum unary op)
{
    return op == UNARY_abs || op == UNARY_hardtanh || op == UNARY_relu || op == UNARY_relu6 ||
           op == UNARY_leaky_relu || op == UNARY_hardswish || op == UNARY_selu || op == UNARY_elu ||
           op == UNARY_softplus || op == UNARY_logit;
}

static void shadow_unary(enum unary op, mc_dtype dtype, const struct loop *loop, double p0,
                         double p1)
{
    struct walk w;
    walk_init(&w, loop);
    walk_part(&w, 0, PART_WRITE, is_flag(op) ? MC_BOOL : dtype);
    walk_part(&w, 1, jumps(op) ? PART_REAL : PART_READ, dtype);
    pass_before(&w.pass)->elementwise->unary(op, dtype, loop, p0, p1);
    if (is_flag(op) || op == UNARY_bitwise_not) {
        pass_real(&w.pass);
        return;
    }
    while (pass_next(&w.pass)) {
        struct loop l = walk_loop(&w);
        cpu_elementwise.unary(op, dtype_widest(dtype), &l, p0, p1);
    }
}

static void shadow_unary_back(enum unary op, mc_dtype dtype, const struct loop *loop, double p0,
                              double p1)
{
    struct walk w;
    walk_init(&w, loop);
    walk_part(&w, 0, PART_WRITE, dtype);
    walk_part(&w, 1, PART_READ, dtype);
    walk_part(&w, 2, slope_jumps(op) ? PART_REAL : PART_READ, dtype);
    pass_before(&w.pass)->elementwise->unary_back(op, dtype, loop, p0, p1);
    while (pass_next(&w.pass)) {
        struct loop l = walk_loop(&w);
        cpu_elementwise.unary_back(op, dtype_widest(dtype), &l, p0, p1);
    }
}

/* ---- two operands -------------------------------------------------------------------------- */

/* The operands of the next binary kernel, before numbers were rounded. */
static _Thread_local mc_arg operands[2];

void shadow_numbers(mc_arg a, mc_arg b)
{
    operands[0] = a;
    operands[1] = b;
}

static bool compares(enum binary op)
{
    static const char results[BINARY_COUNT] = {
#define BINARY(name, takes, result, ...) [BINARY_##name] = result,
#include "runtime/kernels/binary.def"
#undef BINARY
    };
    return results[op] == FLAG;
}

static bool is_bitwise(enum binary op)
{
    return op >= BINARY_bitwise_and && op <= BINARY_bitwise_right_shift;
}

/* Bits are what they are, except those that are all moved out of the dtype. */
static bool loses_all(enum binary op, mc_dtype dtype, mc_arg by)
{
    return op == BINARY_bitwise_left_shift && by.kind == MC_ARG_INT &&
           by.as.i >= 8 * (int64_t)dtype_size(dtype) && by.as.i < 64;
}

static bool divides_whole(enum binary op)
{
    return op == BINARY_floor_divide || op == BINARY_fmod || op == BINARY_remainder;
}

/* A tensor of one element may be read as a number: it is an operand of the pass all the same. */
static struct view *number_part(struct walk *w, int k, mc_arg exact)
{
    if (w->loop->data[k] || exact.kind != MC_ARG_TENSOR || !exact.as.tensor)
        return NULL;
    const mc_tensor *t = exact.as.tensor;
    struct view v = {.data = tensor_bytes(t), .dtype = t->dtype, .numel = 1};
    return t->numel == 1 && t->dtype != MC_BOOL ? pass_read(&w->pass, &v) : NULL;
}

static mc_arg value_at(const struct view *v)
{
    mc_arg value = {.kind = v->dtype == MC_F64 ? MC_ARG_FLOAT : MC_ARG_INT};
    memcpy(&value.as, v->data, 8);
    return value;
}

static void set_number(struct loop *l, int k, mc_dtype dtype, mc_arg exact, const struct view *part)
{
    if (part)
        exact = value_at(part);
    if (exact.kind == MC_ARG_NONE || exact.kind == MC_ARG_TENSOR)
        widen_number(l, k, dtype);
    else
        number_to_bytes(exact, dtype_widest(dtype), &l->number[k]);
}

static bool shadow_binary(enum binary op, mc_dtype dtype, const struct loop *loop, bool b_float)
{
    struct walk w;
    mc_arg exact[2] = {operands[0], operands[1]};
    enum role role = divides_whole(op) ? PART_REAL : PART_READ;
    operands[0] = operands[1] = (mc_arg){0};
    walk_init(&w, loop);
    walk_part(&w, 0, PART_WRITE, compares(op) ? MC_BOOL : dtype);
    walk_part(&w, 1, role, dtype);
    walk_part(&w, 2, role, dtype);
    struct view *a = number_part(&w, 1, exact[0]), *b = number_part(&w, 2, exact[1]);
    bool done = pass_before(&w.pass)->elementwise->binary(op, dtype, loop, b_float);
    w.pass.is_pair = true;
    if (compares(op) || (is_bitwise(op) && !loses_all(op, dtype, exact[1])) || !done) {
        pass_real(&w.pass);
        return done;
    }
    while (pass_next(&w.pass)) {
        struct loop l = walk_loop(&w);
        if (!w.views[1])
            set_number(&l, 1, dtype, exact[0], a);
        if (!w.views[2])
            set_number(&l, 2, b_float ? MC_F32 : dtype, exact[1], b);
        if (!cpu_elementwise.binary(op, dtype_widest(dtype), &l, false))
            pass_fail(&w.pass);
    }
    return true;
}

static void shadow_where(mc_dtype dtype, const struct loop *loop)
{
    struct walk w;
    walk_init(&w, loop);
    walk_part(&w, 0, PART_WRITE, dtype);
    walk_part(&w, 1, PART_FOLLOW, MC_BOOL);
    walk_part(&w, 2, PART_READ, dtype);
    walk_part(&w, 3, PART_READ, dtype);
    pass_before(&w.pass)->elementwise->where(dtype, loop);
    while (pass_next(&w.pass)) {
        struct loop l = walk_loop(&w);
        for (int k = 2; k < 4; k++)
            if (!w.views[k])
                widen_number(&l, k, dtype);
        cpu_elementwise.where(dtype_widest(dtype), &l);
    }
}

const struct elementwise_kernels shadow_elementwise = {
    .cast = shadow_cast,
    .fill = shadow_fill,
    .unary = shadow_unary,
    .unary_back = shadow_unary_back,
    .binary = shadow_binary,
    .where = shadow_where,
};
