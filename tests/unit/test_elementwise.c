/* Elementwise ops: values, promotion, in-place and out=, layouts, memory that overlaps. */
#include "tests/unit/values.h"

#include <stdlib.h>

static mc_tensor *list(mc_dtype dtype, int n, const double *numbers)
{
    return mc_to_dtype(mc_from_array(numbers, mc_shape(n)), dtype);
}
#define LIST(dtype, ...)                                                                           \
    list(dtype, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (const double[]){__VA_ARGS__})

#define assert_list(t, ...)                                                                        \
    check_list(t, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (const double[]){__VA_ARGS__})

static void check_list(mc_tensor *t, int n, const double *want)
{
    const double *got = values(t);
    assert_int_equal(mc_numel(t), n);
    for (int i = 0; i < n; i++)
        if (got[i] != want[i] && !(isnan(got[i]) && isnan(want[i])))
            fail_msg("element %d: got %.17g, want %.17g", i, got[i], want[i]);
}

static void integers_wrap(void **state)
{
    (void)state;
    mc_tensor *x = LIST(MC_U8, 250, 3);
    assert_list(mc_add(x, 10), 4, 13);
    assert_list(mc_mul(x, x), 36, 9);
    assert_list(mc_neg(x), 6, 253);
    assert_list(mc_sub(LIST(MC_I8, -128), 1), 127);
    assert_list(mc_square(LIST(MC_I32, 65536)), 0);
    assert_int_equal(mc_dtype_of(mc_add(x, 10)), MC_U8);
}

static void division_and_remainders(void **state)
{
    (void)state;
    mc_tensor *x = LIST(MC_I32, 7, -7, 7, -7), *y = LIST(MC_I32, 2, 2, -2, -2);
    assert_list(mc_div(x, y), 3.5, -3.5, -3.5, 3.5);
    assert_int_equal(mc_dtype_of(mc_div(x, y)), MC_F32);
    assert_list(mc_floor_divide(x, y), 3, -4, -4, 3);
    assert_list(mc_remainder(x, y), 1, 1, -1, -1);
    assert_list(mc_fmod(x, y), 1, -1, 1, -1);
    mc_tensor *f = mc_float(x), *g = mc_float(y);
    assert_list(mc_floor_divide(f, g), 3, -4, -4, 3);
    assert_list(mc_remainder(f, g), 1, 1, -1, -1);
    assert_int_equal(failed(mc_floor_divide(x, 0)), MC_ERROR_VALUE);
    assert_int_equal(failed(mc_remainder(x, 0)), MC_ERROR_VALUE);
    assert_list(mc_floor_divide(LIST(MC_I64, -0x1p63), -1), -0x1p63);
    assert_list(mc_div(LIST(MC_F32, 1, -1, 0), 0), INFINITY, -INFINITY, NAN);
}

static void powers(void **state)
{
    (void)state;
    assert_list(mc_pow(LIST(MC_I64, 3, -2), 3), 27, -8);
    assert_list(mc_pow(LIST(MC_I64, 3, 1, -1), LIST(MC_I64, -1, -5, -3)), 0, 1, -1);
    assert_int_equal(failed(mc_pow(LIST(MC_I64, 3), -1)), MC_ERROR_VALUE);
    assert_list(mc_pow(LIST(MC_F32, 4, 2), 0.5), 2, 1.41421353816986083984375);
    assert_list(mc_pow(LIST(MC_BOOL, 1, 0), (bool)1), 1, 0);
}

static void shifts_and_bits(void **state)
{
    (void)state;
    assert_list(mc_bitwise_left_shift(LIST(MC_I8, 1, 1, -1), LIST(MC_I8, 6, 8, 1)), 64, 0, -2);
    assert_list(mc_bitwise_right_shift(LIST(MC_I8, -4, 4, -4), LIST(MC_I8, 1, 9, 9)), -2, 0, -1);
    assert_list(mc_bitwise_not(LIST(MC_U8, 1)), 254);
    assert_list(mc_bitwise_not(LIST(MC_BOOL, 1, 0)), 0, 1);
}

static void nan_is_kept(void **state)
{
    (void)state;
    mc_tensor *x = LIST(MC_F32, NAN, -1, 2);
    assert_list(mc_maximum(x, 0), NAN, 0, 2);
    assert_list(mc_minimum(x, 0), NAN, -1, 0);
    assert_list(mc_relu(x), NAN, 0, 2);
    assert_list(mc_clamp(x, 0, 1), NAN, 0, 1);
    assert_list(mc_clamp(x, NULL, 1), NAN, -1, 1);
    assert_list(mc_isnan(x), 1, 0, 0);
    assert_list(mc_logical_not(x), 0, 0, 0);
    assert_int_equal(failed(mc_clamp(x, NULL, NULL)), MC_ERROR_ARGUMENT);
}

static void rounding(void **state)
{
    (void)state;
    mc_tensor *x = LIST(MC_F32, 0.5, 1.5, -0.5, 2.4);
    assert_list(mc_round(x), 0, 2, -0.0, 2);
    assert_list(mc_trunc(x), 0, 1, -0.0, 2);
    assert_list(mc_frac(LIST(MC_F32, -1.25)), -0.25);
}

/* A number keeps its f32 value beside a half tensor; a dimensioned tensor has been rounded. */
static void a_number_is_not_rounded_to_half_first(void **state)
{
    (void)state;
    mc_tensor *x = LIST(MC_F16, 1023);
    assert_list(mc_mul(x, 1.0005), 1023.5);
    assert_list(mc_mul(x, LIST(MC_F16, 1.0005)), 1024);
}

static void promotion_in_short(void **state)
{
    (void)state;
    mc_tensor *i = LIST(MC_I32, 1, 2), *h = LIST(MC_F16, 1, 2), *b = LIST(MC_BF16, 1, 2);
    assert_int_equal(mc_dtype_of(mc_mul(i, LIST(MC_F32, 1, 2))), MC_F32);
    assert_int_equal(mc_dtype_of(mc_add(h, b)), MC_F32);
    assert_int_equal(mc_dtype_of(mc_add(h, 2.5)), MC_F16);
    assert_int_equal(mc_dtype_of(mc_add(i, 2.5)), MC_F32);
    assert_int_equal(mc_dtype_of(mc_add(h, mc_scalar_tensor(1.0, .dtype = MC_F64))), MC_F16);
    assert_int_equal(mc_dtype_of(mc_eq(i, h)), MC_BOOL);
    assert_int_equal(failed(mc_sub(LIST(MC_BOOL, 1), LIST(MC_BOOL, 1))), MC_ERROR_DTYPE);
}

static void in_place(void **state)
{
    (void)state;
    mc_tensor *x = LIST(MC_F16, 1, 2), *i = LIST(MC_I32, 1, 2);
    assert_ptr_equal(mc_add_(x, LIST(MC_F32, 0.5, 0.5)), x);
    assert_list(x, 1.5, 2.5);
    assert_int_equal(mc_dtype_of(x), MC_F16);
    assert_int_equal(failed(mc_add_(i, 0.5)), MC_ERROR_CAST);
    assert_int_equal(failed(mc_div_(i, 2)), MC_ERROR_CAST);
    assert_int_equal(failed(mc_sqrt_(i)), MC_ERROR_CAST);
    assert_list(i, 1, 2);
    assert_list(mc_lt_(i, 2), 1, 0);
    assert_int_equal(failed(mc_add_(x, mc_ones(mc_shape(3, 2)))), MC_ERROR_SHAPE);
    assert_list(mc_sub_(x, 1, .alpha = MC_NUM(0.5)), 1, 2);
    assert_int_equal(failed(mc_add(i, i, .alpha = MC_NUM(0.5))), MC_ERROR_DTYPE);
    assert_list(mc_add(LIST(MC_I64, 3, 4), -2, .alpha = MC_NUM(INT64_MAX)), 5, 6); /* it wraps */
}

static void out_is_written(void **state)
{
    (void)state;
    mc_tensor *x = LIST(MC_F32, 1, 2), *out = mc_zeros(mc_shape(2), .dtype = MC_F64);
    assert_ptr_equal(mc_mul(x, x, .out = out), out);
    assert_list(out, 1, 4);
    assert_int_equal(failed(mc_mul(x, x, .out = mc_zeros(mc_shape(2), .dtype = MC_I32))),
                     MC_ERROR_CAST);
    assert_int_equal(failed(mc_mul(x, x, .out = mc_zeros(mc_shape(3)))), MC_ERROR_SHAPE);
}

static void layouts(void **state)
{
    (void)state;
    mc_tensor *x = mc_reshape(mc_arange(24.0), 2, 3, 4);
    mc_tensor *t = mc_permute(x, 2, 0, 1), *sum = mc_add(t, mc_contiguous(t));
    assert_shape(sum, mc_shape(4, 2, 3));
    assert_true(mc_equal(sum, mc_mul(t, 2)));
    mc_tensor *row = mc_arange(4.0), *column = mc_reshape(mc_arange(3.0), 3, 1);
    mc_tensor *grid = mc_add(mc_mul(column, 10), row);
    assert_shape(grid, mc_shape(3, 4));
    assert_float_equal(mc_item(mc_select(mc_select(grid, 0, 2), 0, 3)), 23, 0);
    assert_shape(mc_add(mc_zeros(mc_shape(0, 3)), 1), mc_shape(0, 3));
    assert_shape(mc_add(mc_zeros(mc_shape(0, 3)), mc_ones(mc_shape(1, 3))), mc_shape(0, 3));
    assert_shape(mc_mul(mc_scalar_tensor(2.0), mc_scalar_tensor(3.0)), mc_shape());
    assert_int_equal(failed(mc_add(mc_ones(mc_shape(2)), mc_ones(mc_shape(3)))), MC_ERROR_SHAPE);
}

static void halves_in_any_layout(void **state)
{
    (void)state;
    mc_tensor *x = mc_half(mc_reshape(mc_arange(2000.0), 40, 50));
    mc_tensor *y = mc_add(mc_t(x), mc_t(x)), *z = mc_contiguous(mc_t(mc_mul(x, 2)));
    assert_true(mc_equal(y, z));
    assert_true(mc_equal(mc_relu(mc_t(x)), mc_t(x)));
}

/* Reading x[:-1] while x[1:] is written must see the old values. */
static void overlapping_memory(void **state)
{
    (void)state;
    mc_tensor *x = mc_arange(6.0);
    mc_add_(mc_slice(x, 0, 1, 6), mc_slice(x, 0, 0, 5));
    assert_list(x, 0, 1, 3, 5, 7, 9);
    mc_copy_(mc_slice(x, 0, 0, 5), mc_slice(x, 0, 1, 6));
    assert_list(x, 1, 3, 5, 7, 9, 9);
    assert_int_equal(failed(mc_add_(mc_expand(mc_ones(mc_shape(1)), 4), 1)), MC_ERROR_ARGUMENT);
    mc_tensor *m = mc_reshape(mc_arange(9.0), 3, 3);
    mc_copy_(m, mc_t(m));
    assert_list(m, 0, 3, 6, 1, 4, 7, 2, 5, 8);
}

static void views_share_and_copies_do_not(void **state)
{
    (void)state;
    mc_tensor *x = mc_zeros(mc_shape(2, 3));
    mc_fill_(mc_select(x, 1, 0), 7);
    assert_list(x, 7, 0, 0, 7, 0, 0);
    assert_true(mc_is_same_storage(x, mc_reshape(x, 3, 2)));
    assert_false(mc_is_same_storage(x, mc_reshape(mc_t(x), 6)));
    assert_int_equal(failed(mc_view(mc_t(x), 6)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_view(x, 4)), MC_ERROR_SHAPE);
    assert_shape(mc_view(x, -1, 2), mc_shape(3, 2));
    assert_int_equal(failed(mc_view(x, -1, -1)), MC_ERROR_SHAPE);
    assert_shape(mc_flatten(mc_zeros(mc_shape(2, 3, 4)), 1, 2), mc_shape(2, 12));
    assert_shape(mc_slice(mc_arange(5), 0, -2, 100), mc_shape(2));
    assert_list(mc_slice_step(mc_arange(7), 0, 1, 7, 2), 1, 3, 5);
    assert_shape(mc_unsqueeze(mc_squeeze(mc_zeros(mc_shape(1, 3)), 0), -1), mc_shape(3, 1));
    assert_shape(mc_view(mc_expand(mc_ones(mc_shape(3, 1)), 3, 4), 3, 2, 2), mc_shape(3, 2, 2));
}

static void numbers_that_do_not_fit(void **state)
{
    (void)state;
    assert_int_equal(failed(mc_fill_(LIST(MC_F16, 1), -1e9)), MC_ERROR_OVERFLOW);
    assert_int_equal(failed(mc_fill_(LIST(MC_I8, 1), 300)), MC_ERROR_OVERFLOW);
    assert_list(mc_fill_(LIST(MC_F16, 1), INFINITY), INFINITY);
    assert_list(mc_fill_(LIST(MC_I32, 1), 1.9), 1);
    assert_list(mc_fill_(LIST(MC_BOOL, 0), -1e9), 1);
}

static void choosing_and_mixing(void **state)
{
    (void)state;
    mc_tensor *mask = LIST(MC_BOOL, 1, 0), *x = LIST(MC_F16, 1, 2), *y = LIST(MC_F16, 3, 6);
    assert_list(mc_where(mask, x, 0), 1, 0);
    assert_list(mc_where(mask, x, y), 1, 6);
    assert_int_equal(mc_dtype_of(mc_where(mask, x, 0)), MC_F16);
    assert_int_equal(mc_dtype_of(mc_where(mask, x, LIST(MC_F32, 1, 2))), MC_F32);
    assert_int_equal(failed(mc_where(x, x, y)), MC_ERROR_DTYPE);
    assert_list(mc_lerp(x, y, 0.5), 2, 4);
    assert_list(mc_lerp(x, y, LIST(MC_F16, 0, 1)), 1, 6);
    assert_list(mc_addcmul(x, x, y, .value = MC_NUM(2)), 7, 26);
    assert_list(mc_prelu(LIST(MC_F32, -2, 4), LIST(MC_F32, 0.5)), -1, 4);
    assert_true(mc_allclose(x, mc_add(x, 0)));
    assert_false(mc_allclose(LIST(MC_F32, NAN), LIST(MC_F32, NAN)));
    assert_true(mc_allclose(LIST(MC_F32, NAN), LIST(MC_F32, NAN), .equal_nan = true));
    assert_true(mc_equal(LIST(MC_I32, 1, 2), LIST(MC_F32, 1, 2)));
    assert_false(mc_equal(LIST(MC_I32, 1), LIST(MC_I32, 1, 2)));
}

/* Every op there is, on large strided data, against itself on a contiguous copy. */
static void large_and_strided(void **state)
{
    (void)state;
    mc_tensor *x = mc_rand(mc_shape(300, 500), .dtype = MC_F64), *t = mc_t(x);
    mc_tensor *(*const ops[])(mc_place, mc_tensor *) = {
        mc_op_exp, mc_op_sqrt, mc_op_tanh, mc_op_erf, mc_op_silu, mc_op_neg, mc_op_reciprocal};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        mc_scope s = mc_scope_begin();
        assert_true(mc_equal(ops[i](MC_AT, t), mc_t(ops[i](MC_AT, x))));
        mc_scope_end(s);
    }
}

/* The functions that are not libm's: two units of the last place at most, everywhere, and the same
 * in any layout. */
static void smooth_functions(void **state)
{
    (void)state;
    enum { N = 20000 };
    static const struct {
        const char *name;
        mc_tensor *(*op)(mc_place, mc_tensor *);
        double (*truth)(double);
        double reach;
    } cases[] = {
        {"exp", mc_op_exp, exp, 110}, {"erf", mc_op_erf, erf, 5}, {"tanh", mc_op_tanh, tanh, 12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mc_tensor *x = mc_linspace(-cases[i].reach, cases[i].reach, N);
        mc_tensor *y = cases[i].op(MC_AT, x), *pairs = mc_reshape(x, 2, N / 2);
        const float *in = mc_data_f32(x), *got = mc_data_f32(y);
        for (int k = 0; k < N; k++) {
            double want = cases[i].truth((double)in[k]);
            double unit = nextafterf(fabsf((float)want), INFINITY) - fabsf((float)want);
            if (isinf((float)want) ? got[k] != (float)want : !(fabs(got[k] - want) <= 2 * unit))
                fail_msg("%s of %.9g is %.9g, not %.9g", cases[i].name, in[k], got[k], want);
        }
        assert_true(mc_equal(mc_contiguous(mc_t(cases[i].op(MC_AT, mc_t(pairs)))),
                             mc_reshape(y, 2, N / 2)));
        assert_list(cases[i].op(MC_AT, LIST(MC_F32, INFINITY)), cases[i].truth(INFINITY));
        assert_list(cases[i].op(MC_AT, LIST(MC_F32, -INFINITY)), cases[i].truth(-INFINITY));
        assert_true(isnan(values(cases[i].op(MC_AT, LIST(MC_F32, NAN)))[0]));
        assert_int_equal(signbit(values(cases[i].op(MC_AT, LIST(MC_F32, -0.0)))[0]) != 0,
                         signbit(cases[i].truth(-0.0)) != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(integers_wrap),
        TEST(division_and_remainders),
        TEST(powers),
        TEST(shifts_and_bits),
        TEST(nan_is_kept),
        TEST(rounding),
        TEST(a_number_is_not_rounded_to_half_first),
        TEST(promotion_in_short),
        TEST(in_place),
        TEST(out_is_written),
        TEST(layouts),
        TEST(halves_in_any_layout),
        TEST(overlapping_memory),
        TEST(views_share_and_copies_do_not),
        TEST(numbers_that_do_not_fit),
        TEST(choosing_and_mixing),
        TEST(large_and_strided),
        TEST(smooth_functions),
    };
    return cmocka_run_group_tests_name("elementwise", tests, NULL, NULL);
}
