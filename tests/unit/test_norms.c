/* Normalising layers against naive formulas in double, and what they refuse: layer_norm, rms_norm,
 * group_norm, batch_norm with its running statistics. */
#include "tests/unit/values.h"

#include <float.h>

/* ---- normalising --------------------------------------------------------------------------- */

/* What an element at x of a row becomes; mean NAN: the row is not centred. */
struct stats {
    double mean, scale;
};

static struct stats stats_of(const double *row, int64_t n, double eps, bool centre)
{
    double sum = 0, square = 0;
    for (int64_t i = 0; i < n; i++)
        sum += row[i];
    double mean = centre ? sum / (double)n : 0;
    for (int64_t i = 0; i < n; i++)
        square += (row[i] - mean) * (row[i] - mean);
    return (struct stats){mean, 1 / sqrt(square / (double)n + eps)};
}

static void check_layer_norm(mc_dtype dtype, mc_dtype params, int64_t length)
{
    mc_scope s = mc_scope_begin();
    mc_tensor *x = some(mc_shape(3, 2, length), dtype), *w = some(mc_shape(length), params);
    mc_tensor *b = mc_add(w, 1);
    mc_tensor *y = mc_layer_norm(x, w, b, .eps = 1e-3), *plain = mc_layer_norm(x, NULL, NULL);
    assert_shape(y, mc_shape(3, 2, length));
    assert_int_equal(mc_dtype_of(y), dtype);
    const double *in = values(x), *weight = values(w), *got = values(y), *got_plain = values(plain);
    for (int64_t i = 0; i < mc_numel(x); i++) {
        const double *row = in + i / length * length;
        struct stats a = stats_of(row, length, 1e-3, true), c = stats_of(row, length, 1e-5, true);
        double k = weight[i % length];
        assert_near(dtype, got[i], (in[i] - a.mean) * a.scale * k + k + 1);
        assert_near(dtype, got_plain[i], (in[i] - c.mean) * c.scale);
    }
    mc_scope_end(s);
}

static void layer_norm_is_naive(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1, 7, 64, 1023, 2500};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        check_layer_norm(MC_F32, MC_F32, lengths[i]);
        check_layer_norm(MC_F64, MC_F64, lengths[i]);
        check_layer_norm(MC_F16, MC_F16, lengths[i]);
        check_layer_norm(MC_BF16, MC_F32, lengths[i]);
    }
}

static void layer_norm_spans_the_weight(void **state)
{
    (void)state;
    mc_tensor *x = some(mc_shape(4, 3, 5), MC_F32), *w = mc_ones(mc_shape(3, 5));
    mc_tensor *y = mc_layer_norm(x, w, NULL);
    mc_tensor *flat = mc_layer_norm(mc_reshape(x, 4, 15), NULL, NULL);
    assert_memory_equal(values(y), values(flat), 60 * sizeof(double));
    assert_shape(mc_layer_norm(some(mc_shape(0, 5), MC_F32), NULL, NULL), mc_shape(0, 5));
    assert_shape(mc_layer_norm(some(mc_shape(3, 0), MC_F16), NULL, NULL), mc_shape(3, 0));
    assert_int_equal(failed(mc_layer_norm(x, mc_ones(mc_shape(4, 5)), NULL)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_layer_norm(x, w, mc_ones(mc_shape(5)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_layer_norm(x, mc_ones(mc_shape()), NULL)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_layer_norm(mc_ones(mc_shape()), NULL, NULL)), MC_ERROR_SHAPE);
}

static void norm_dtypes(void **state)
{
    (void)state;
    mc_tensor *x = some(mc_shape(2, 2), MC_F16), *w = mc_ones(mc_shape(2));
    assert_int_equal(failed(mc_layer_norm(x, mc_half(w), w)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_layer_norm(mc_float(x), mc_half(w), NULL)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_layer_norm(mc_int(x), NULL, NULL)), MC_ERROR_DTYPE);
    assert_int_equal(mc_dtype_of(mc_rms_norm(x, mc_double(w))), MC_F16);
    assert_int_equal(failed(mc_rms_norm(x, mc_to_dtype(w, MC_F8_E5M2))), MC_ERROR_DTYPE);
    if (!mc_cuda_is_available())
        return;
    assert_int_equal(failed(mc_layer_norm(mc_cuda(x), mc_cuda(w), NULL)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_layer_norm(mc_cuda(mc_int(x)), w, NULL)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_rms_norm(mc_cuda(mc_int(x)), w)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_rms_norm(mc_cuda(x), w)), MC_ERROR_DEVICE);
}

static void check_rms_norm(mc_dtype dtype, mc_dtype weight, double eps)
{
    mc_tensor *x = mc_mul(some(mc_shape(4, 33), dtype), 0x1p-9), *w = some(mc_shape(33), weight);
    mc_tensor *y = mc_rms_norm(x, w);
    assert_int_equal(mc_dtype_of(y), dtype);
    const double *in = values(x), *k = values(w), *got = values(y);
    for (int64_t i = 0; i < mc_numel(x); i++)
        assert_near(dtype, got[i],
                    in[i] * stats_of(in + i / 33 * 33, 33, eps, false).scale * k[i % 33]);
}

static void rms_norm_is_naive(void **state)
{
    (void)state;
    check_rms_norm(MC_F32, MC_F32, FLT_EPSILON);
    check_rms_norm(MC_F16, MC_F16, FLT_EPSILON);
    check_rms_norm(MC_BF16, MC_I64, FLT_EPSILON);
    check_rms_norm(MC_F64, MC_F64, DBL_EPSILON);
    check_rms_norm(MC_F32, MC_F64, FLT_EPSILON);
}

static void check_group_norm(mc_dtype dtype, mc_shape shape, int64_t groups)
{
    mc_tensor *x = some(shape, dtype), *w = some(mc_shape(shape.dims[1]), dtype), *b = mc_add(w, 1);
    mc_tensor *y = mc_group_norm(x, groups, w, b);
    const double *in = values(x), *k = values(w), *got = values(y);
    int64_t length = mc_numel(x) / shape.dims[0] / groups;
    int64_t inner = mc_numel(x) / shape.dims[0] / shape.dims[1];
    for (int64_t i = 0; i < mc_numel(x); i++) {
        struct stats a = stats_of(in + i / length * length, length, 1e-5, true);
        double c = k[i / inner % shape.dims[1]];
        assert_near(dtype, got[i], (in[i] - a.mean) * a.scale * c + c + 1);
    }
}

static void group_norm_is_naive(void **state)
{
    (void)state;
    check_group_norm(MC_F32, mc_shape(2, 6, 5, 3), 3);
    check_group_norm(MC_F64, mc_shape(3, 4), 2);
    check_group_norm(MC_F16, mc_shape(2, 4, 700), 2);
    check_group_norm(MC_BF16, mc_shape(2, 3, 4), 1);
    mc_tensor *x = some(mc_shape(1, 6, 2), MC_F32);
    assert_shape(mc_group_norm(some(mc_shape(0, 6, 2), MC_F32), 3, NULL, NULL), mc_shape(0, 6, 2));
    assert_int_equal(failed(mc_group_norm(x, 4, NULL, NULL)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_group_norm(x, 0, NULL, NULL)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_group_norm(x, 2, mc_ones(mc_shape(2)), NULL)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_group_norm(mc_ones(mc_shape(6)), 2, NULL, NULL)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_group_norm(mc_ones(mc_shape(1, 6)), 6, NULL, NULL)), MC_ERROR_SHAPE);
}

/* The values of channel c of x (n, channels, inner), one after the other. */
static void take_channel(const double *x, int64_t n, int64_t channels, int64_t inner, int64_t c,
                         double *to)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(to + i * inner, x + (i * channels + c) * inner, (size_t)inner * sizeof *to);
}

static void check_batch_norm(mc_dtype dtype, mc_dtype stats, int64_t inner)
{
    enum { N = 4, C = 3, MOST = 200 };
    mc_tensor *x = some(mc_shape(N, C, inner), dtype);
    mc_tensor *mean = mc_full(mc_shape(C), 2.0, .dtype = stats);
    mc_tensor *var = mc_full(mc_shape(C), 3.0, .dtype = stats);
    mc_tensor *w = mc_to_dtype(mc_arange(C), stats);
    mc_tensor *y = mc_batch_norm(x, mean, var, .weight = w, .training = true, .momentum = 0.25);
    const double *in = values(x), *got = values(y), *m = values(mean), *v = values(var);
    assert_int_equal(mc_dtype_of(y), dtype);
    for (int64_t c = 0; c < C; c++) {
        double all[N * MOST];
        int64_t n = N * inner;
        take_channel(in, N, C, inner, c, all);
        struct stats s = stats_of(all, n, 1e-5, true);
        double biased = 1 / (s.scale * s.scale) - 1e-5;
        for (int64_t i = 0; i < n; i++)
            assert_near(dtype, got[(i / inner * C + c) * inner + i % inner],
                        (all[i] - s.mean) * s.scale * (double)c);
        assert_near(stats, m[c], 2 * 0.75 + s.mean * 0.25);
        assert_near(stats, v[c], 3 * 0.75 + biased * (double)n / (double)(n - 1) * 0.25);
    }
}

static void batch_norm_trains(void **state)
{
    (void)state;
    check_batch_norm(MC_F32, MC_F32, 1);
    check_batch_norm(MC_F32, MC_F32, 200);
    check_batch_norm(MC_F64, MC_F64, 7);
    check_batch_norm(MC_F16, MC_F32, 5);
    check_batch_norm(MC_BF16, MC_BF16, 5);
    mc_tensor *x = some(mc_shape(4, 3), MC_F32);
    assert_non_null(mc_batch_norm(x, NULL, NULL, .training = true));
    assert_int_equal(
        failed(mc_batch_norm(some(mc_shape(1, 3), MC_F32), NULL, NULL, .training = true)),
        MC_ERROR_SHAPE);
    mc_tensor *mean = mc_zeros(mc_shape(3));
    mc_batch_norm(some(mc_shape(0, 3), MC_F32), mean, mean, .training = true);
    assert_true(values(mean)[0] == 0);
}

static void batch_norm_evaluates(void **state)
{
    (void)state;
    mc_tensor *x = some(mc_shape(5, 3, 2, 2), MC_F32), *mean = some(mc_shape(3), MC_F32);
    mc_tensor *var = mc_add(mc_square(mean), 1), *b = mc_add(mean, 2);
    mc_tensor *y = mc_batch_norm(x, mean, var, .bias = b, .eps = 0.5);
    const double *in = values(x), *m = values(mean), *got = values(y);
    for (int64_t i = 0; i < 60; i++) {
        int64_t c = i / 4 % 3;
        assert_near(MC_F32, got[i], (in[i] - m[c]) / sqrt(m[c] * m[c] + 1.5) + m[c] + 2);
    }
    assert_int_equal(failed(mc_batch_norm(x, NULL, var)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_batch_norm(x, mean, mc_ones(mc_shape(4)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_batch_norm(x, mc_half(mean), mc_half(var))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_batch_norm(mean, mean, var)), MC_ERROR_SHAPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(layer_norm_is_naive),  TEST(layer_norm_spans_the_weight), TEST(norm_dtypes),
        TEST(rms_norm_is_naive),    TEST(group_norm_is_naive),         TEST(batch_norm_trains),
        TEST(batch_norm_evaluates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
