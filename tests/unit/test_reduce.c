/* Reductions: values against naive ones in double over every choice of dimensions and layout,
 * numbers worked out by hand, NaN, empty and 0-dim tensors, accuracy of long sums, and what is
 * refused. */
#include "tests/unit/groups.h"

/* ---- a naive reference --------------------------------------------------------------------- */

static mc_dims dims_of(unsigned over)
{
    mc_dims d = mc_dims();
    for (int i = 0; i < MC_MAX_DIMS; i++)
        if (over >> i & 1)
            d.dims[d.count++] = i;
    return d;
}

static double naive_sum(const double *v, int64_t n)
{
    long double s = 0;
    for (int64_t i = 0; i < n; i++)
        s += v[i];
    return (double)s;
}

static double naive_mean(const double *v, int64_t n)
{
    return naive_sum(v, n) / (double)n;
}

static double naive_min(const double *v, int64_t n)
{
    double m = v[0];
    for (int64_t i = 1; i < n; i++)
        m = v[i] < m ? v[i] : m;
    return m;
}

static double naive_any(const double *v, int64_t n)
{
    bool any = false;
    for (int64_t i = 0; i < n; i++)
        any |= v[i] != 0;
    return any;
}

static double naive_all(const double *v, int64_t n)
{
    bool all = true;
    for (int64_t i = 0; i < n; i++)
        all &= v[i] != 0;
    return all;
}

static double naive_var(const double *v, int64_t n)
{
    long double mean = naive_mean(v, n), s = 0;
    for (int64_t i = 0; i < n; i++)
        s += (v[i] - mean) * (v[i] - mean);
    return (double)(s / (n - 1));
}

static double naive_norm(const double *v, int64_t n)
{
    long double s = 0;
    for (int64_t i = 0; i < n; i++)
        s += v[i] * v[i];
    return sqrt((double)s);
}

static double naive_norm3(const double *v, int64_t n)
{
    long double s = 0;
    for (int64_t i = 0; i < n; i++)
        s += pow(fabs(v[i]), 3);
    return cbrt((double)s);
}

static double naive_argmax(const double *v, int64_t n)
{
    int64_t at = 0;
    for (int64_t i = 1; i < n; i++)
        at = v[i] > v[at] ? i : at;
    return (double)at;
}

static void compare(mc_tensor *got, struct groups g, double (*naive)(const double *, int64_t))
{
    const double *v = values(got);
    assert_int_equal(mc_numel(got), g.count);
    for (int64_t i = 0; i < g.count; i++)
        assert_near(mc_dtype_of(got), v[i], naive(g.v + i * g.size, g.size));
}

static void check_all(mc_tensor *x, unsigned over)
{
    mc_scope s = mc_scope_begin();
    struct groups g = group(x, over);
    mc_dims dims = dims_of(over);
    bool floating = mc_is_floating_point(x);
    compare(mc_sum(x, .dim = dims), g, naive_sum);
    compare(mc_amax(x, .dim = dims), g, naive_max);
    compare(mc_amin(x, .dim = dims, .keepdim = true), g, naive_min);
    compare(mc_any(x, .dim = dims), g, naive_any);
    compare(mc_all(x, .dim = dims), g, naive_all);
    compare(mc_mean(x, .dim = dims, .dtype = MC_F64), g, naive_mean);
    if (floating) {
        compare(mc_mean(x, .dim = dims), g, naive_mean);
        compare(mc_var(x, .dim = dims), g, naive_var);
        compare(mc_norm(x, .dim = dims), g, naive_norm);
        compare(mc_norm(x, .dim = dims, .p = 3), g, naive_norm3);
    }
    if (mc_dtype_of(x) != MC_BOOL && (dims.count == 1 || over == (1u << mc_ndim(x)) - 1))
        compare(mc_argmax(x, .dim = dims.count == 1 ? dims : (mc_dims){0}), g, naive_argmax);
    assert_null(mc_last_error());
    free(g.v);
    mc_scope_end(s);
}

static void check_dims(mc_tensor *x)
{
    for (unsigned over = 1; over < 1u << mc_ndim(x); over++)
        check_all(x, over);
}

static void reductions_are_naive(void **state)
{
    (void)state;
    static const mc_dtype dtypes[] = {MC_F32, MC_F64, MC_F16, MC_BF16, MC_I64,
                                      MC_I32, MC_I16, MC_I8,  MC_BOOL};
    for (size_t i = 0; i < COUNT(dtypes); i++) {
        mc_tensor *x = some(mc_shape(3, 18, 5), dtypes[i]);
        check_dims(x);
        check_dims(mc_permute(x, 2, 0, 1));
        check_dims(mc_transpose(x, 0, 2));
        check_dims(mc_narrow(mc_narrow(x, 1, 2, 7), 2, 1, 3));
        check_dims(mc_expand(mc_narrow(x, 0, 1, 1), 2, 18, 5));
    }
}

/* Past the strip, the tile and the place where few results are cut into chunks. */
static void large_reductions_are_naive(void **state)
{
    (void)state;
    check_dims(some(mc_shape(5000, 40), MC_F32));
    check_dims(some(mc_shape(40, 5000), MC_F32));
    check_dims(mc_t(some(mc_shape(700, 301), MC_F16)));
    check_dims(some(mc_shape(300000, 3), MC_F32));
    check_dims(some(mc_shape(3, 300000), MC_I32));
    check_dims(some(mc_shape(2, 70000, 2), MC_F64));
}

/* ---- by hand ------------------------------------------------------------------------------- */

static mc_tensor *matrix(void)
{
    static const float x[] = {1, 2, 3, 4, 5, 6};
    return mc_from_array(x, mc_shape(2, 3));
}

static void by_hand(void **state)
{
    (void)state;
    mc_tensor *x = matrix();
    assert_near(MC_F64, mc_item(mc_sum(x)), 21);
    assert_near(MC_F64, mc_item(mc_prod(x)), 720);
    assert_near(MC_F64, mc_item(mc_mean(x)), 3.5);
    assert_near(MC_F64, mc_item(mc_var(x)), 3.5);
    assert_near(MC_F32, mc_item(mc_var(x, .population = true)), 17.5 / 6);
    assert_near(MC_F32, mc_item(mc_std(x)), sqrt(3.5));
    assert_near(MC_F32, mc_item(mc_norm(x)), sqrt(91));
    assert_near(MC_F64, mc_item(mc_norm(mc_neg(x), .p = 1)), 21);
    assert_near(MC_F64, mc_item(mc_norm(mc_neg(x), .p = (double)INFINITY)), 6);
    assert_near(MC_F64, mc_item(mc_norm(mc_neg(x), .p = -(double)INFINITY)), 1);
    assert_int_equal(mc_item_int(mc_count_nonzero(mc_sub(x, 3))), 5);
    assert_shape(mc_sum(x, .dim = mc_dims(-1)), mc_shape(2));
    assert_shape(mc_sum(x, .dim = mc_dims(0), .keepdim = true), mc_shape(1, 3));
    assert_shape(mc_sum(x, .keepdim = true), mc_shape(1, 1));
    assert_near(MC_F64, values(mc_sum(x, .dim = mc_dims(0)))[2], 9);
    assert_near(MC_F64, values(mc_sum(x, .dim = mc_dims(1)))[1], 15);
}

static void result_dtypes(void **state)
{
    (void)state;
    mc_tensor *x = matrix();
    assert_int_equal(mc_dtype_of(mc_sum(mc_to_dtype(x, MC_U8))), MC_I64);
    assert_int_equal(mc_dtype_of(mc_prod(mc_to_dtype(x, MC_BOOL))), MC_I64);
    assert_int_equal(mc_dtype_of(mc_sum(mc_half(x))), MC_F16);
    assert_int_equal(mc_dtype_of(mc_sum(mc_half(x), .dtype = MC_F64)), MC_F64);
    assert_int_equal(mc_dtype_of(mc_all(mc_to_dtype(x, MC_U8))), MC_U8);
    assert_int_equal(mc_dtype_of(mc_any(x)), MC_BOOL);
    assert_int_equal(mc_item_int(mc_sum(mc_mul(x, 0.75), .dtype = MC_I64)), 0 + 1 + 2 + 3 + 3 + 4);
    assert_int_equal(mc_item_int(mc_sum(mc_mul(mc_to_dtype(x, MC_I32), 50), .dtype = MC_U8)),
                     21 * 50 % 256);
    assert_int_equal(mc_item_int(mc_sum(x, .dtype = MC_BOOL)), 1);
    /* 300 times 300 is past f16, but not on the way. */
    mc_tensor *h = mc_full(mc_shape(300), 300.0, .dtype = MC_F16);
    assert_true(isinf(mc_item(mc_sum(h))));
    assert_near(MC_F64, mc_item(mc_mean(h)), 300);
    assert_near(MC_F64, mc_item(mc_sum(h, .dtype = MC_F32)), 90000);
}

static void truth(void **state)
{
    (void)state;
    static const float x[] = {0, -0.0f, NAN, 1e-45f};
    mc_tensor *t = mc_from_array(x, mc_shape(2, 2));
    assert_int_equal(mc_item_int(mc_count_nonzero(t)), 2);
    assert_int_equal(mc_item_int(mc_any(mc_select(t, 0, 0))), 0);
    assert_int_equal(mc_item_int(mc_all(mc_select(t, 0, 1))), 1);
    assert_int_equal(mc_item_int(mc_all(t)), 0);
    assert_int_equal(mc_item_int(mc_any(mc_to_dtype(t, MC_F8_E5M2))), 1);
    /* A bool made elsewhere may be any byte. */
    unsigned char odd[] = {2, 255, 0, 1};
    mc_tensor *b = mc_from_blob((void *)odd, mc_shape(4), .dtype = MC_BOOL);
    assert_int_equal(mc_item_int(mc_sum(b)), 3);
    assert_int_equal(mc_item_int(mc_count_nonzero(b)), 3);
}

static void integers_wrap(void **state)
{
    (void)state;
    static const int64_t big[] = {INT64_MAX, 1};
    mc_tensor *x = mc_from_array(big, mc_shape(2));
    assert_true(mc_item_int(mc_sum(x)) == INT64_MIN);
    assert_true(mc_item_int(mc_prod(mc_mul(x, 2))) == -4);
    assert_true(values(mc_cumsum(x, 0))[1] == (double)INT64_MIN);
}

/* ---- NaN ----------------------------------------------------------------------------------- */

static void nan_propagates(void **state)
{
    (void)state;
    static const int64_t places[] = {0, 3, 70, 4999};
    for (size_t i = 0; i < COUNT(places); i++) {
        mc_tensor *x = some(mc_shape(5000), MC_F32), *where = NULL;
        mc_data_f32(x)[places[i]] = NAN;
        assert_true(isnan(mc_item(mc_max(x))));
        assert_true(isnan(mc_item(mc_amin(x))));
        assert_true(isnan(mc_item(mc_norm(x, .p = (double)INFINITY))));
        assert_int_equal(mc_item_int(mc_argmax(x)), places[i]);
        assert_int_equal(mc_item_int(mc_argmin(x)), places[i]);
        mc_tensor *wide = mc_unsqueeze(x, 1);
        assert_true(isnan(
            values(mc_max(mc_expand(wide, 5000, 20), .dim = mc_dims(0), .indices = &where))[3]));
        assert_int_equal((int64_t)values(where)[7], places[i]);
        assert_true(isnan(mc_item(mc_median(x))));
        mc_median(x, .dim = mc_dims(0), .indices = &where);
        assert_int_equal(mc_item_int(where), places[i]);
    }
}

/* ---- empty and 0-dim ----------------------------------------------------------------------- */

static void empty_tensors(void **state)
{
    (void)state;
    mc_tensor *x = mc_empty(mc_shape(0, 3)), *where = x;
    assert_near(MC_F64, mc_item(mc_sum(x)), 0);
    assert_near(MC_F64, mc_item(mc_prod(x)), 1);
    assert_true(isnan(mc_item(mc_mean(x))));
    assert_true(isnan(mc_item(mc_var(x))));
    assert_true(isnan(mc_item(mc_median(x))));
    assert_near(MC_F64, mc_item(mc_norm(x)), 0);
    assert_int_equal(mc_item_int(mc_all(x)), 1);
    assert_int_equal(mc_item_int(mc_any(x)), 0);
    assert_int_equal(mc_item_int(mc_count_nonzero(x)), 0);
    assert_near(MC_F64, values(mc_prod(x, .dim = mc_dims(0)))[2], 1);
    assert_shape(mc_amax(x, .dim = mc_dims(1)), mc_shape(0));
    assert_shape(mc_argmax(x, .dim = mc_dims(1)), mc_shape(0));
    assert_shape(mc_softmax(x, 0), mc_shape(0, 3));
    assert_shape(mc_sort(x), mc_shape(0, 3));
    assert_shape(mc_cumsum(x, 1), mc_shape(0, 3));
    assert_true(values(mc_logsumexp(x, 0))[1] == -(double)INFINITY);
    assert_int_equal(failed(mc_max(x)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_amin(x, .dim = mc_dims(0))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_argmax(x)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_norm(x, .p = (double)INFINITY)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_min(x, .dim = mc_dims(0), .indices = &where)), MC_ERROR_SHAPE);
    assert_null(where);
    assert_int_equal(failed(mc_median(x, .dim = mc_dims(0))), MC_ERROR_SHAPE);
}

static void no_dimensions(void **state)
{
    (void)state;
    mc_tensor *x = mc_scalar_tensor(2.5), *where = NULL;
    assert_near(MC_F64, mc_item(mc_sum(x, .dim = mc_dims(-1))), 2.5);
    assert_true(isnan(mc_item(mc_var(x))));
    assert_near(MC_F64, mc_item(mc_var(x, .population = true)), 0);
    assert_near(MC_F64, mc_item(mc_max(x, .dim = mc_dims(0), .indices = &where)), 2.5);
    assert_int_equal(mc_item_int(where), 0);
    assert_near(MC_F64, mc_item(mc_softmax(x, 0)), 1);
    assert_near(MC_F64, mc_item(mc_log_softmax(x, -1)), 0);
    assert_near(MC_F64, mc_item(mc_logsumexp(x, 0)), 2.5);
    assert_near(MC_F64, mc_item(mc_cumprod(x, 0)), 2.5);
    assert_near(MC_F64, mc_item(mc_sort(x, .indices = &where)), 2.5);
    assert_near(MC_F64, mc_item(mc_topk(x, 1)), 2.5);
    assert_near(MC_F64, mc_item(mc_median(x)), 2.5);
    assert_int_equal(mc_ndim(mc_argmin(x)), 0);
}

/* A size that is 0 makes room for others whose product is past any integer. */
static void huge_and_empty(void **state)
{
    (void)state;
    int64_t huge = (int64_t)1 << 28;
    mc_tensor *x = mc_empty(mc_shape(huge, huge, 0, 2));
    assert_near(MC_F64, mc_item(mc_sum(x)), 0);
    assert_near(MC_F64, values(mc_sum(x, .dim = mc_dims(0, 1, 2)))[1], 0);
    assert_int_equal(mc_numel(mc_sum(x, .dim = mc_dims(0))), 0);
    assert_int_equal(failed(mc_sum(x, .dim = mc_dims(2))), MC_ERROR_MEMORY);
}

/* ---- accuracy and threads ------------------------------------------------------------------ */

static void long_sums_are_accurate(void **state)
{
    (void)state;
    int64_t n = 3000000;
    mc_tensor *x = mc_full(mc_shape(n), 0.1);
    double want = (double)0.1f * (double)n;
    assert_true(fabs(mc_item(mc_sum(x)) / want - 1) < 1e-6);
    assert_true(fabs(values(mc_sum(mc_reshape(x, n / 30, 30), .dim = mc_dims(0)))[7] * 30 / want -
                     1) < 1e-6);
    /* Far from 0: squares of the values would have nothing left of the spread. */
    mc_tensor *far =
        mc_add(mc_full(mc_shape(1000), 1e6, .dtype = MC_F32), mc_remainder(mc_arange(1000), 2));
    assert_near(MC_F32, mc_item(mc_var(far, .population = true)), 0.25);
    assert_true(fabs(values(mc_cumsum(x, 0))[n - 1] / want - 1) < 1e-6);
}

static void threads_do_not_show(void **state)
{
    (void)state;
    int before = mc_get_num_threads();
    mc_tensor *x = mc_randn(mc_shape(900, 701));
    mc_set_num_threads(1);
    mc_tensor *all = mc_sum(x), *rows = mc_mean(x, .dim = mc_dims(1)),
              *columns = mc_var(x, .dim = mc_dims(0));
    mc_set_num_threads(3);
    assert_int_equal(mc_equal(all, mc_sum(x)), 1);
    assert_int_equal(mc_equal(rows, mc_mean(x, .dim = mc_dims(1))), 1);
    assert_int_equal(mc_equal(columns, mc_var(x, .dim = mc_dims(0))), 1);
    mc_set_num_threads(before);
}

/* ---- min, max, median with places ---------------------------------------------------------- */

static void extremes_with_places(void **state)
{
    (void)state;
    static const float x[] = {3, 1, 3, -2, 7, 7};
    mc_tensor *t = mc_from_array(x, mc_shape(2, 3)), *where = NULL;
    mc_tensor *high = mc_max(t, .dim = mc_dims(1), .indices = &where);
    assert_near(MC_F64, values(high)[0], 3);
    assert_near(MC_F64, values(high)[1], 7);
    assert_near(MC_F64, values(where)[0], 0); /* the first of equals */
    assert_near(MC_F64, values(where)[1], 1);
    mc_tensor *low = mc_min(t, .dim = mc_dims(0), .keepdim = true, .indices = &where);
    assert_shape(low, mc_shape(1, 3));
    assert_shape(where, mc_shape(1, 3));
    assert_near(MC_F64, values(where)[0], 1);
    assert_near(MC_F64, values(where)[2], 0);
    assert_int_equal(mc_item_int(mc_argmax(t)), 4);
    assert_int_equal(mc_item_int(mc_argmin(mc_t(t))), 1);
    assert_shape(mc_argmax(t, .keepdim = true), mc_shape(1, 1));
}

static void medians(void **state)
{
    (void)state;
    static const float x[] = {5, 1, 4, 2, 9, 9, 9, 0};
    mc_tensor *t = mc_from_array(x, mc_shape(2, 4)), *where = NULL;
    assert_near(MC_F64, mc_item(mc_median(t)), 4);
    mc_tensor *m = mc_median(t, .dim = mc_dims(1), .indices = &where);
    assert_near(MC_F64, values(m)[0], 2);
    assert_near(MC_F64, values(where)[0], 3);
    assert_near(MC_F64, values(m)[1], 9);
    assert_shape(mc_median(t, .dim = mc_dims(0), .keepdim = true), mc_shape(1, 4));
    assert_near(MC_F64, mc_item(mc_median(mc_arange(10001))), 5000);
    assert_int_equal(mc_dtype_of(mc_median(mc_to_dtype(t, MC_U8))), MC_U8);
}

/* ---- refusals ------------------------------------------------------------------------------ */

static void refusals(void **state)
{
    (void)state;
    mc_tensor *x = matrix(), *where = x;
    assert_int_equal(failed(mc_mean(mc_long(x))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_mean(x, .dtype = MC_I64)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_sum(mc_to_dtype(x, MC_F8_E4M3))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_sum(x, .dtype = MC_F8_E4M3)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_sum(x, .dtype = (mc_dtype)-3)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_sum(x, .dim = mc_dims(2))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_sum(x, .dim = mc_dims(0, -2))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_sum(x, .dim = (mc_dims){.count = 9})), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_sum(x, .dim = (mc_dims){.count = -1})), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_amax(x, .dtype = MC_F32)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_argmax(x, .dim = mc_dims(0, 1))), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_argmax(mc_to_dtype(x, MC_BOOL))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_max(x, .indices = &where)), MC_ERROR_ARGUMENT);
    assert_null(where);
    assert_int_equal(failed(mc_var(mc_long(x))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_norm(mc_long(x))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_median(mc_to_dtype(x, MC_BOOL))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_sum(NULL)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_max(NULL, .indices = &where)), MC_ERROR_ARGUMENT);
}

static void on_cuda(void **state)
{
    (void)state;
    if (!mc_cuda_is_available())
        skip();
    mc_tensor *x = mc_cuda(matrix()), *f8 = mc_to_dtype(x, MC_F8_E5M2);
    assert_near(MC_F64, mc_item(mc_sum(x)), 21);
    assert_int_equal(mc_device_of(mc_argmax(x)), MC_CUDA);
    assert_int_equal(mc_item_int(mc_count_nonzero(f8)), 6);
    assert_int_equal(failed(mc_all(f8)), MC_ERROR_DTYPE);
    assert_int_equal(mc_item_int(mc_median(mc_to_dtype(x, MC_BOOL))), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reductions_are_naive),
        TEST(large_reductions_are_naive),
        TEST(by_hand),
        TEST(result_dtypes),
        TEST(truth),
        TEST(integers_wrap),
        TEST(nan_propagates),
        TEST(empty_tensors),
        TEST(no_dimensions),
        TEST(huge_and_empty),
        TEST(long_sums_are_accurate),
        TEST(threads_do_not_show),
        TEST(extremes_with_places),
        TEST(medians),
        TEST(refusals),
        TEST(on_cuda),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
