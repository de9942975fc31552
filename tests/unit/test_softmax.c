/* Ops along one dimension: softmax and its relatives against naive ones in double, their precision
 * and their edges; running sums and products. */
#include "tests/unit/groups.h"

static mc_tensor *matrix(void)
{
    static const float x[] = {1, 2, 3, 4, 5, 6};
    return mc_from_array(x, mc_shape(2, 3));
}

/* ---- softmax ------------------------------------------------------------------------------- */

static void check_softmax(mc_tensor *x, int dim)
{
    mc_scope s = mc_scope_begin();
    mc_dtype d = mc_dtype_of(x);
    struct groups g = group(x, 1u << dim), soft = group(mc_softmax(x, dim), 1u << dim);
    struct groups logs = group(mc_log_softmax(x, dim), 1u << dim);
    const double *sums = values(mc_logsumexp(x, dim));
    for (int64_t i = 0; i < g.count; i++) {
        const double *v = g.v + i * g.size;
        double top = naive_max(v, g.size), sum = 0;
        for (int64_t k = 0; k < g.size; k++)
            sum += exp(v[k] - top);
        assert_near(d, sums[i], top + log(sum));
        for (int64_t k = 0; k < g.size; k++) {
            assert_near(d, soft.v[i * g.size + k], exp(v[k] - top) / sum);
            assert_near(d, logs.v[i * g.size + k], v[k] - top - log(sum));
        }
    }
    free(g.v);
    free(soft.v);
    free(logs.v);
    mc_scope_end(s);
}

static void softmax_is_naive(void **state)
{
    (void)state;
    static const mc_dtype dtypes[] = {MC_F32, MC_F64, MC_F16, MC_BF16};
    for (size_t i = 0; i < COUNT(dtypes); i++) {
        mc_tensor *x = some(mc_shape(5, 33, 40), dtypes[i]),
                  *wide = some(mc_shape(2, 5000), dtypes[i]);
        for (int dim = 0; dim < 3; dim++) {
            check_softmax(mc_mul(x, 3), dim);
            check_softmax(mc_permute(x, 1, 2, 0), dim);
        }
        check_softmax(wide, 1);
        check_softmax(wide, 0);
        check_softmax(mc_t(wide), 0);
    }
}

/* Not only near: to the last place or two, down to where f32 ends. */
static void softmax_is_precise(void **state)
{
    (void)state;
    enum { N = 2000 };
    mc_tensor *x = mc_linspace(-104, 0, N);
    const float *v = mc_data_f32(x), *got = mc_data_f32(mc_softmax(mc_unsqueeze(x, 1), 0));
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += exp((double)v[i]);
    for (int i = 0; i < N; i++) {
        double want = exp((double)v[i]) / sum;
        assert_true(fabs((double)got[i] - want) <= want * 4e-7 + 1e-45);
    }
}

static void softmax_at_the_edges(void **state)
{
    (void)state;
    static const float x[] = {1e30f,    0, 0, -INFINITY, -INFINITY, -INFINITY,
                              INFINITY, 1, 2, -1e4f,     NAN,       0};
    mc_tensor *t = mc_from_array(x, mc_shape(4, 3));
    const double *soft = values(mc_softmax(t, 1)), *sums = values(mc_logsumexp(t, 1));
    assert_near(MC_F64, soft[0], 1);
    assert_near(MC_F64, soft[1], 0);
    assert_true(isnan(soft[3]) && isnan(soft[6]) && isnan(soft[9]));
    assert_true(sums[0] == (double)1e30f && sums[1] == -(double)INFINITY &&
                sums[2] == (double)INFINITY);
    assert_true(isnan(sums[3]));
    const double *across = values(mc_logsumexp(mc_contiguous(mc_t(mc_cat(0, t, t, t, t, t))), 0));
    assert_true(across[0] == (double)1e30f && across[17] == -(double)INFINITY);
    assert_true(across[18] == (double)INFINITY && isnan(across[19]));
}

static void softmax_dtypes(void **state)
{
    (void)state;
    mc_tensor *x = matrix();
    assert_int_equal(mc_dtype_of(mc_softmax(mc_half(x), 1, .dtype = MC_F32)), MC_F32);
    assert_int_equal(mc_dtype_of(mc_softmax(mc_long(x), 1, .dtype = MC_BF16)), MC_BF16);
    assert_int_equal(mc_dtype_of(mc_logsumexp(mc_long(x), 1)), MC_F32);
    assert_int_equal(failed(mc_softmax(mc_long(x), 1)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_softmax(x, 1, .dtype = MC_I64)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_softmax(x, 1, .dtype = (mc_dtype)77)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_softmax(x, 2)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_log_softmax(x, -3)), MC_ERROR_SHAPE);
}

/* ---- scans --------------------------------------------------------------------------------- */

static void scans(void **state)
{
    (void)state;
    static const double rows[] = {1, 3, 6, 4, 9, 15}, columns[] = {1, 2, 3, 4, 10, 18};
    mc_tensor *x = matrix();
    assert_memory_equal(values(mc_cumsum(x, 1)), rows, sizeof rows);
    assert_memory_equal(values(mc_cumprod(x, 0)), columns, sizeof columns);
    assert_memory_equal(values(mc_t(mc_cumsum(mc_t(x), 0))), rows, sizeof rows);
    assert_int_equal(mc_dtype_of(mc_cumsum(mc_to_dtype(x, MC_I8), 0)), MC_I64);
    assert_near(MC_F64, values(mc_cumsum(mc_ones(mc_shape(7000), .dtype = MC_U8), 0))[6999], 7000);
    mc_tensor *half = mc_cumsum(mc_ones(mc_shape(3000), .dtype = MC_F16), -1);
    assert_near(MC_F64, values(half)[2999],
                3000); /* carried in more than f16, where 2048 + 1 is 2048 */
    assert_int_equal(failed(mc_cumsum(mc_to_dtype(x, MC_F8_E4M3), 0)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_cumprod(x, 2)), MC_ERROR_SHAPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(softmax_is_naive),
        TEST(softmax_is_precise),
        TEST(softmax_at_the_edges),
        TEST(softmax_dtypes),
        TEST(scans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
