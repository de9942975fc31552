/* Sorting, topk and argsort: order, stability, where NaN and the zeros go, every dtype and layout,
 * and lengths on both sides of where the method changes. */
#include "tests/unit/groups.h"

static const mc_dtype dtypes[] = {MC_F32, MC_F64, MC_F16, MC_BF16, MC_I64,
                                  MC_I32, MC_I16, MC_I8,  MC_U8,   MC_BOOL};

/* a before b in a sorted row; NaN is greater than all. */
static bool in_order(double a, double b, bool descending)
{
    double low = descending ? b : a, high = descending ? a : b;
    return isnan(high) || low <= high;
}

static bool equal(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* A row holds in's values at its indices, in order, and equal ones in the order they had. */
static void check_row(const double *in, const double *sorted, const double *places, int64_t n,
                      bool descending)
{
    for (int64_t i = 0; i < n; i++) {
        assert_true(equal(sorted[i], in[(int64_t)places[i]]));
        if (i == 0)
            continue;
        assert_true(in_order(sorted[i - 1], sorted[i], descending));
        assert_true(!equal(sorted[i - 1], sorted[i]) || places[i - 1] < places[i]);
    }
}

static void check_sort(mc_tensor *x, int dim, bool descending)
{
    mc_scope s = mc_scope_begin();
    mc_tensor *where = NULL;
    mc_tensor *sorted =
        mc_sort(x, .dim = mc_dims(dim), .descending = descending, .indices = &where);
    assert_int_equal(mc_dtype_of(sorted), mc_dtype_of(x));
    assert_int_equal(mc_dtype_of(where), MC_I64);
    assert_true(mc_equal(where, mc_argsort(x, .dim = mc_dims(dim), .descending = descending)));
    struct groups in = group(x, 1u << dim), out = group(sorted, 1u << dim);
    struct groups places = group(where, 1u << dim);
    for (int64_t i = 0; i < in.count; i++)
        check_row(in.v + i * in.size, out.v + i * in.size, places.v + i * in.size, in.size,
                  descending);
    free(in.v);
    free(out.v);
    free(places.v);
    mc_scope_end(s);
}

static void sorts(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1, 2, 16, 17, 100, 2047, 2048, 5000};
    for (size_t d = 0; d < COUNT(dtypes); d++)
        for (size_t i = 0; i < COUNT(lengths); i++) {
            mc_tensor *x = some(mc_shape(3, lengths[i]), dtypes[d]);
            check_sort(x, 1, false);
            check_sort(x, 1, true);
            check_sort(mc_t(x), 0, false);
            check_sort(mc_narrow(x, 1, 0, (lengths[i] + 1) / 2), 0, true);
        }
}

/* Full range, so that every digit counts. */
static void sorts_wide_values(void **state)
{
    (void)state;
    mc_tensor *x = mc_randn(mc_shape(2, 6000), .dtype = MC_F64);
    mc_tensor *f = mc_to_dtype(mc_mul(x, 1e30), MC_F32);
    mc_tensor *i = mc_to_dtype(mc_mul(x, 1e15), MC_I64);
    check_sort(mc_mul(x, 1e200), 1, false);
    check_sort(f, 1, true);
    check_sort(i, 1, false);
}

static void nan_and_zeros(void **state)
{
    (void)state;
    static const float x[] = {0, NAN, -INFINITY, -0.0f, INFINITY, NAN, -1, 0};
    static const mc_dtype floats[] = {MC_F32, MC_F64, MC_F16, MC_BF16};
    for (size_t i = 0; i < COUNT(floats); i++) {
        mc_tensor *t = mc_to_dtype(mc_from_array(x, mc_shape(8)), floats[i]), *where = NULL;
        check_sort(t, 0, false);
        check_sort(t, 0, true);
        const double *up = values(mc_sort(t, .indices = &where)), *at = values(where);
        static const double places[] = {2, 6, 0, 3, 7, 4, 1, 5};
        assert_true(up[0] == -(double)INFINITY && isnan(up[6]) && isnan(up[7]));
        assert_memory_equal(at, places, sizeof places);
        assert_true(signbit(up[3]));
        assert_true(isnan(values(mc_sort(t, .descending = true))[0]));
    }
}

static void check_topk(mc_tensor *x, int64_t k, bool smallest)
{
    mc_scope s = mc_scope_begin();
    mc_tensor *where = NULL, *all_where = NULL;
    mc_tensor *top = mc_topk(x, k, .smallest = smallest, .indices = &where);
    mc_tensor *all = mc_sort(x, .descending = !smallest, .indices = &all_where);
    assert_true(mc_equal(top, mc_narrow(all, -1, 0, k)));
    assert_true(mc_equal(where, mc_narrow(all_where, -1, 0, k)));
    mc_scope_end(s);
}

static void topk_is_the_front_of_a_sort(void **state)
{
    (void)state;
    static const int64_t lengths[] = {5, 100, 3000}, counts[] = {0, 1, 2, 5};
    for (size_t d = 0; d < COUNT(dtypes) - 1; d++) /* bool is not taken */
        for (size_t i = 0; i < COUNT(lengths); i++)
            for (size_t c = 0; c < COUNT(counts); c++) {
                check_topk(some(mc_shape(2, lengths[i]), dtypes[d]), counts[c], false);
                check_topk(some(mc_shape(2, lengths[i]), dtypes[d]), counts[c], true);
            }
    check_topk(mc_randn(mc_shape(2, 100000)), 500, false);
    check_topk(mc_randn(mc_shape(2, 8191), .dtype = MC_BF16), 404, false); /* many equal ones */
    check_topk(mc_to_dtype(mc_arange(100000), MC_F32), 50, false);
    mc_tensor *x = some(mc_shape(4, 3), MC_F32);
    assert_shape(mc_topk(x, 2, .dim = mc_dims(0)), mc_shape(2, 3));
}

static void refusals(void **state)
{
    (void)state;
    mc_tensor *x = some(mc_shape(2, 3), MC_F32), *where = x;
    assert_int_equal(failed(mc_topk(x, 4, .indices = &where)), MC_ERROR_ARGUMENT);
    assert_null(where);
    assert_int_equal(failed(mc_topk(x, -1)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_topk(mc_scalar_tensor(1), 2)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_topk(mc_to_dtype(x, MC_BOOL), 1)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_sort(mc_to_dtype(x, MC_F8_E4M3))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_sort(x, .dim = mc_dims(2))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_sort(x, .dim = mc_dims(0, 1))), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_argsort(x, .indices = &where)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_sort(NULL, .indices = &where)), MC_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sorts),         TEST(sorts_wide_values),
        TEST(nan_and_zeros), TEST(topk_is_the_front_of_a_sort),
        TEST(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
