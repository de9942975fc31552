/* The gradient of every op that has one, against central differences in f64, with operands that are
 * contiguous, strided and broadcast; the same on the simulated device, and in f16 and bf16 against
 * f64. grad_ops.def has a row for each op, and a test holds it against the header: an op without
 * one is an error. */
#include <miscast/tensor.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Between the gradient and the difference quotient, relative to the larger of it and 1. */
#define F64_BOUND 1e-6
#define DELTA     1e-5
/* In half precision: so many units of the dtype, relative to the operand's largest gradient or 1.
 */
#define HALF_UNITS 2

/* ---- rows ----------------------------------------------------------------------------------- */

enum kind { SLOPED, FLAT, CONSTANT, CAST, UNKNOWN };
enum { DISTINCT = 1, WHOLE = 2 };

struct domain {
    double low, high;
};

struct input {
    bool given;
    struct domain domain;
    mc_shape shape;
};

struct row {
    const char *op;
    enum kind kind;
    int flags;
    struct input in[3];
    mc_tensor *(*call)(mc_tensor *x, mc_tensor *y, mc_tensor *z);
    int line; /* of grad_ops.def */
};

/* ---- what calls need besides their operands -------------------------------------------------- */

static mc_tensor *copy(mc_tensor *x)
{
    return mc_mul(x, 1);
}

static mc_tensor *freed_later(mc_tensor *kept)
{
    mc_tensor *y = mc_mul(kept, 1.5);
    mc_free(kept);
    return y;
}

/* Two of three are set. */
static mc_tensor *mask_to(mc_tensor *x, mc_shape shape)
{
    int64_t n = 1;
    for (int i = 0; i < shape.ndim; i++)
        n *= shape.dims[i];
    mc_tensor *order = mc_arange(n, .device = mc_device_of(x));
    return mc_view_to(mc_ne(mc_remainder(order, 3), 1), shape);
}
#define mask_of(x, ...) mask_to(x, mc_shape(__VA_ARGS__))
#define mask(x)         mask_to(x, mc_shape_of(x))

static mc_tensor *table(mc_tensor *x)
{
    return mc_zeros(mc_shape(3, mc_numel(x)), .device = mc_device_of(x));
}

static mc_tensor *two_of_three(mc_tensor *x)
{
    return mask_of(x, 3);
}

/* Ones with a zero here and there. */
static mc_tensor *zeros_in(mc_tensor *x)
{
    mc_tensor *order = mc_arange(mc_numel(x), .device = mc_device_of(x));
    mc_tensor *ones = mc_to_dtype(mc_gt(mc_remainder(order, 5), 0), mc_dtype_of(x));
    return mc_view_to(ones, mc_shape_of(x));
}

static mc_tensor *indices_from(mc_tensor *x, mc_dims numbers)
{
    mc_tensor *t = mc_from_array(numbers.dims, mc_shape(numbers.count));
    return mc_to_device(t, mc_device_of(x));
}
#define numbers(x, ...) indices_from(x, mc_dims(__VA_ARGS__))

/* first, first + 0.4 … for each of x's dimension 1. */
static mc_tensor *row_of(mc_tensor *x, double first)
{
    mc_tensor *order = mc_arange(mc_size(x, 1), .dtype = MC_F64);
    mc_tensor *row = mc_add(mc_mul(order, 0.4), first);
    return mc_to(row, .dtype = mc_dtype_of(x), .device = mc_device_of(x));
}

static mc_tensor *eye(mc_tensor *x, int64_t n)
{
    return mc_eye(n, .dtype = mc_dtype_of(x), .device = mc_device_of(x));
}

static mc_dtype same_size_int(mc_tensor *x)
{
    return mc_dtype_size(mc_dtype_of(x)) == 8 ? MC_I64 : MC_I16;
}

static mc_tensor *chunks(mc_tensor *x)
{
    mc_tensor *parts[3] = {NULL};
    size_t count = mc_chunk(x, 3, 1, parts, 3);
    return count == 3 ? mc_mul(mc_mul(parts[0], 3), parts[1]) : NULL;
}

static mc_tensor *splits(mc_tensor *x)
{
    mc_tensor *parts[3] = {NULL};
    size_t count = mc_split(x, 2, -1, parts, 3);
    return count == 3 ? mc_add(mc_mul(parts[0], parts[1]), parts[2]) : NULL;
}

/* Signs of singular vectors are arbitrary; this is not. */
static mc_tensor *svd_product(mc_tensor *x)
{
    mc_tensor *u, *vh, *s = mc_svd(x, .u = &u, .vh = &vh, .reduced = true);
    return mc_matmul(mc_mul(mc_mul(u, u), s), mc_mul(vh, vh));
}

#define ANY      ((struct domain){-1.5, 1.5})
#define POSITIVE ((struct domain){0.2, 2.2})
#define UNIT     ((struct domain){0.1, 0.9})
#define NO       ((struct input){0})
#define IN(domain, ...)                                                                            \
    ((struct input){                                                                               \
        true, domain, {sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), {__VA_ARGS__}}})
#define SCALAR(domain) ((struct input){true, domain, {0}})
#define JOIN(a, b)     a##b
#define GLUE(a, b)     JOIN(a, b)
#define ROW(op, ...)   ENTRY(GLUE(line_, __LINE__), #op, __VA_ARGS__)

#define ENTRY(id, op, kind, flags, a, b, c, ...)                                                   \
    static mc_tensor *id(mc_tensor *x, mc_tensor *y, mc_tensor *z)                                 \
    {                                                                                              \
        (void)y;                                                                                   \
        (void)z;                                                                                   \
        return __VA_ARGS__;                                                                        \
    }
#include "tests/unit/grad_ops.def"
#undef ENTRY

static const struct row *rows; /* main has them */
static int row_count;

/* ---- operands ------------------------------------------------------------------------------- */

/* contiguous; every other element of a larger leaf; one slice of dimension 0, seen many times; none
 * of dimension 0 at all */
enum layout { CONTIGUOUS, STRIDED, BROADCAST, EMPTY };

/* Different for every i, and away from multiples of 0.5, where functions have their corners. */
static double value_at(struct domain d, int64_t i)
{
    double at = 0.37 + 0.6180339887498949 * (double)i;
    double v = d.low + (d.high - d.low) * (at - floor(at));
    double off = v * 2 - round(v * 2);
    return fabs(off) < 0.06 ? v + copysign(0.05, off) : v;
}

static mc_shape leaf_shape(const struct input *in, enum layout layout)
{
    mc_shape s = in->shape;
    if (layout == STRIDED && s.ndim)
        s.dims[s.ndim - 1] *= 2;
    else if (layout == STRIDED)
        s = mc_shape(2);
    else if (layout == BROADCAST && s.ndim)
        s.dims[0] = 1;
    else if (layout == EMPTY && s.ndim)
        s.dims[0] = 0;
    return s;
}

static mc_tensor *operand_of(mc_tensor *leaf, const struct input *in, enum layout layout)
{
    if (layout == STRIDED && in->shape.ndim == 0)
        return mc_select(leaf, 0, 1);
    if (layout == STRIDED)
        return mc_slice_step(leaf, -1, 0, mc_size(leaf, -1), 2);
    if (layout == BROADCAST && in->shape.ndim)
        return mc_expand_to(leaf, in->shape);
    return leaf;
}

/* The operands of a row, and what they are views of. */
struct operands {
    const struct row *row;
    enum layout layout;
    int count;
    mc_tensor *leaf[3];
};

static struct operands make_operands(const struct row *row, enum layout layout)
{
    struct operands o = {.row = row, .layout = layout};
    for (int k = 0; k < 3 && row->in[k].given; k++, o.count++) {
        mc_tensor *t = mc_empty(leaf_shape(&row->in[k], layout), .dtype = MC_F64);
        for (int64_t i = 0; i < mc_numel(t); i++)
            mc_data_f64(t)[i] = value_at(row->in[k].domain, i + 100 * k);
        o.leaf[k] = mc_requires_grad_(t, true);
    }
    return o;
}

/* The same numbers elsewhere, or rounded to another dtype. */
static struct operands moved(const struct operands *from, mc_dtype dtype, mc_device device)
{
    struct operands o = *from;
    for (int k = 0; k < o.count; k++) {
        mc_tensor *t = mc_to(mc_detach(o.leaf[k]), .dtype = dtype, .device = device, .copy = true);
        o.leaf[k] = mc_requires_grad_(t, true);
    }
    return o;
}

static mc_tensor *call(const struct operands *o)
{
    mc_tensor *t[3] = {NULL, NULL, NULL};
    for (int k = 0; k < o->count; k++)
        t[k] = operand_of(o->leaf[k], &o->row->in[k], o->layout);
    mc_manual_seed(11);
    return o->row->call(t[0], t[1], t[2]);
}

/* ---- weights of the result --------------------------------------------------------------------
 */

/* Which every dtype holds exactly. */
static double weight_at(int64_t i)
{
    static const double some[] = {1, -0.5, 0.75, 1.5, -1, 0.25, -0.75};
    return some[i % 7];
}

static mc_tensor *weights_for(mc_tensor *z)
{
    mc_tensor *w = mc_empty(mc_shape_of(z), .dtype = MC_F64);
    for (int64_t i = 0; i < mc_numel(w); i++)
        mc_data_f64(w)[i] = weight_at(i);
    return mc_to(w, .dtype = mc_dtype_of(z), .device = mc_device_of(z));
}

static double weighted_sum(const struct operands *o)
{
    mc_grad_mode mode = mc_no_grad_begin();
    mc_scope scope = mc_scope_begin();
    mc_tensor *z = mc_contiguous(mc_double(mc_cpu(call(o))));
    double sum = 0;
    assert_non_null(z);
    for (int64_t i = 0; i < mc_numel(z); i++)
        sum += mc_data_f64(z)[i] * weight_at(i);
    mc_scope_end(scope);
    mc_grad_mode_end(mode);
    return sum;
}

/* ---- checks --------------------------------------------------------------------------------- */

static const char *const layout_names[] = {"contiguous", "strided", "broadcast", "empty"};

MC_PRINTF(2, 3) static void wrong(const struct operands *o, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    const mc_error *e = mc_last_error();
    fail_msg("%s (grad_ops.def:%d), %s: %s%s%s", o->row->op, o->row->line, layout_names[o->layout],
             text, e ? ": " : "", e ? e->message : "");
}

/* The elements of operand k's gradient, in f64; zeros where there is none. */
static double *gradient(const struct operands *o, int k)
{
    mc_tensor *g = mc_grad(o->leaf[k]);
    mc_tensor *flat = g ? mc_contiguous(mc_double(mc_cpu(g))) : NULL;
    if (!g)
        flat = mc_zeros(mc_shape_of(o->leaf[k]), .dtype = MC_F64);
    return mc_data_f64(flat);
}

static mc_tensor *go_back(const struct operands *o)
{
    mc_tensor *z = call(o);
    if (!z)
        wrong(o, "there is no result");
    if (!mc_requires_grad(z))
        wrong(o, "the result does not require grad");
    mc_tensor *w = weights_for(z);
    if (!mc_backward(z, .gradient = w))
        wrong(o, "backward failed");
    for (int k = 0; k < o->count; k++) {
        mc_tensor *g = mc_grad(o->leaf[k]);
        if (g && (mc_dtype_of(g) != mc_dtype_of(o->leaf[k]) ||
                  mc_device_of(g) != mc_device_of(o->leaf[k])))
            wrong(o, "the gradient of operand %d is of another dtype or device", k);
    }
    return z;
}

static void against_differences(const struct operands *o)
{
    for (int k = 0; k < o->count; k++) {
        double *g = gradient(o, k), *data = mc_data_f64(o->leaf[k]);
        for (int64_t i = 0; i < mc_numel(o->leaf[k]); i++) {
            double was = data[i];
            data[i] = was + DELTA;
            double above = weighted_sum(o);
            data[i] = was - DELTA;
            double below = weighted_sum(o);
            data[i] = was;
            double slope = (above - below) / (2 * DELTA);
            if (!(fabs(g[i] - slope) <= F64_BOUND * fmax(1, fabs(slope))))
                wrong(o, "operand %d, element %d: gradient %.10g, difference quotient %.10g", k,
                      (int)i, g[i], slope);
        }
    }
}

static void expect_zero(const struct operands *o)
{
    for (int k = 0; k < o->count; k++) {
        double *g = gradient(o, k);
        for (int64_t i = 0; i < mc_numel(o->leaf[k]); i++)
            if (g[i] != 0)
                wrong(o, "operand %d has a gradient of %g", k, g[i]);
    }
}

static void check_row(const struct row *row, enum layout layout)
{
    struct operands o = make_operands(row, layout);
    mc_tensor *z;
    switch (row->kind) {
    case SLOPED:
        go_back(&o);
        against_differences(&o);
        break;
    case CAST:
    case FLAT:
        go_back(&o);
        if (row->kind == FLAT)
            expect_zero(&o);
        break;
    case CONSTANT:
        z = call(&o);
        if (!z || mc_requires_grad(z))
            wrong(&o, z ? "the result requires grad" : "there is no result");
        break;
    case UNKNOWN:
        z = call(&o);
        if (!z || !mc_requires_grad(z) || mc_backward(z, .gradient = weights_for(z)) ||
            mc_last_error()->kind != MC_ERROR_GRAD)
            wrong(&o, "backward does not say that there is no gradient");
        mc_clear_error();
        break;
    }
}

static bool fits(const struct row *row, enum layout layout)
{
    return layout != BROADCAST || !(row->flags & DISTINCT);
}

static void each_row(void (*check)(const struct row *row, enum layout layout), enum layout layout)
{
    mc_set_error_handler(mc_error_remember, NULL);
    for (int i = 0; i < row_count; i++) {
        if (!fits(&rows[i], layout))
            continue;
        mc_scope scope = mc_scope_begin();
        mc_clear_error();
        check(&rows[i], layout);
        mc_scope_end(scope);
    }
}

static void contiguous_operands(void **state)
{
    (void)state;
    each_row(check_row, CONTIGUOUS);
}

static void strided_operands(void **state)
{
    (void)state;
    each_row(check_row, STRIDED);
}

static void broadcast_operands(void **state)
{
    (void)state;
    each_row(check_row, BROADCAST);
}

/* ---- nothing ----------------------------------------------------------------------------------
 */

/* An op may refuse to work on nothing; what it does it must be able to go back through. */
static void check_empty(const struct row *row, enum layout layout)
{
    struct operands o = make_operands(row, layout);
    mc_tensor *z = call(&o);
    mc_clear_error();
    if (!z || !mc_requires_grad(z) || row->kind == UNKNOWN)
        return;
    if (!mc_backward(z, .gradient = weights_for(z)))
        wrong(&o, "backward failed");
    for (int k = 0; k < o.count; k++) {
        mc_tensor *g = mc_grad(o.leaf[k]);
        if (g && mc_numel(g) != mc_numel(o.leaf[k]))
            wrong(&o, "the gradient of operand %d is of another shape", k);
    }
}

static void empty_operands(void **state)
{
    (void)state;
    each_row(check_empty, EMPTY);
}

/* ---- the simulated device ----------------------------------------------------------------------
 */

static void check_on_device(const struct row *row, enum layout layout)
{
    if (row->kind != SLOPED && row->kind != FLAT)
        return;
    struct operands here = make_operands(row, layout), there = moved(&here, MC_F64, MC_CUDA);
    go_back(&here);
    go_back(&there);
    for (int k = 0; k < here.count; k++) {
        double *a = gradient(&here, k), *b = gradient(&there, k);
        for (int64_t i = 0; i < mc_numel(here.leaf[k]); i++)
            if (!(fabs(a[i] - b[i]) <= 1e-12 * fmax(1, fabs(a[i]))))
                wrong(&there, "operand %d: %.17g on the cpu, %.17g on cuda", k, a[i], b[i]);
    }
}

static void on_the_device(void **state)
{
    (void)state;
    each_row(check_on_device, CONTIGUOUS);
}

/* ---- half precision -----------------------------------------------------------------------------
 */

static double worst_units;

/* Both begin from the same rounded numbers. */
static void check_half(const struct row *row, mc_dtype dtype, double unit)
{
    if ((row->kind != SLOPED && row->kind != FLAT) || row->flags & WHOLE)
        return;
    struct operands exact = make_operands(row, CONTIGUOUS), half = moved(&exact, dtype, MC_CPU);
    exact = moved(&half, MC_F64, MC_CPU);
    go_back(&exact);
    go_back(&half);
    for (int k = 0; k < half.count; k++) {
        double *a = gradient(&exact, k), *b = gradient(&half, k), most = 1;
        for (int64_t i = 0; i < mc_numel(half.leaf[k]); i++)
            most = fmax(most, fabs(a[i]));
        for (int64_t i = 0; i < mc_numel(half.leaf[k]); i++) {
            double units = fabs(a[i] - b[i]) / (most * unit);
            worst_units = fmax(worst_units, units);
            if (!(units <= HALF_UNITS))
                wrong(&half, "operand %d: %g in %s, %g in f64", k, b[i], mc_dtype_name(dtype),
                      a[i]);
        }
    }
}

static void check_f16(const struct row *row, enum layout layout)
{
    (void)layout;
    check_half(row, MC_F16, 0x1p-10);
}

static void check_bf16(const struct row *row, enum layout layout)
{
    (void)layout;
    check_half(row, MC_BF16, 0x1p-7);
}

static void in_f16(void **state)
{
    (void)state;
    each_row(check_f16, CONTIGUOUS);
}

static void in_bf16(void **state)
{
    (void)state;
    each_row(check_bf16, CONTIGUOUS);
    print_message("largest error in half precision: %.1f units of %d\n", worst_units, HALF_UNITS);
}

/* ---- no op is left out
 * --------------------------------------------------------------------------- */

static bool has_row(const char *op, size_t length)
{
    for (int i = 0; i < row_count; i++)
        if (strlen(rows[i].op) == length && strncmp(rows[i].op, op, length) == 0)
            return true;
    return false;
}

static char *read_header(void)
{
    FILE *f = fopen(TENSOR_HEADER, "rb");
    char *text = calloc(1, 1 << 20);
    assert_non_null(f);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

/* A declaration that takes tensors and returns one, or several (size_t). */
static bool is_op(const char *declaration, const char *name, const char *end)
{
    bool returns = strncmp(declaration, "MC_API mc_tensor *", 18) == 0 ||
                   strncmp(declaration, "MC_API size_t ", 14) == 0;
    const char *takes = strstr(name, "mc_tensor *");
    return returns && takes && takes < end;
}

static void every_op_has_a_row(void **state)
{
    (void)state;
    char *text = read_header();
    int ops = 0, missing = 0;
    for (char *at = strstr(text, "\nMC_API "); at; at = strstr(at + 1, "\nMC_API ")) {
        char *end = strchr(at, ';'), *name = strstr(at, "mc_op_");
        if (!end || !name || name > end || !is_op(at + 1, name, end))
            continue;
        size_t length = strcspn(name + 6, "(");
        ops++;
        if (has_row(name + 6, length))
            continue;
        print_error("%.*s has no row in grad_ops.def\n", (int)length, name + 6);
        missing++;
    }
    free(text);
    assert_true(ops > 250);
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct row all[] = {
#define ENTRY(id, op, kind, flags, a, b, c, ...) {op, kind, flags, {a, b, c}, id, __LINE__},
#include "tests/unit/grad_ops.def"
#undef ENTRY
    };
    rows = all;
    row_count = sizeof all / sizeof *all;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_op_has_a_row),
        cmocka_unit_test(contiguous_operands),
        cmocka_unit_test(strided_operands),
        cmocka_unit_test(broadcast_operands),
        cmocka_unit_test(empty_operands),
        cmocka_unit_test(on_the_device),
        cmocka_unit_test(in_f16),
        cmocka_unit_test(in_bf16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
