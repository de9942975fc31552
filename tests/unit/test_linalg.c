/* Attention against its definition, element by element; inverse, cholesky and svd by what their
 * results must satisfy. */
#include "tests/unit/values.h"

/* Numbers in [-1, 1), the same on every run. */
static mc_tensor *numbers(mc_shape shape, mc_dtype dtype, uint32_t seed)
{
    mc_tensor *t = mc_empty(shape, .dtype = MC_F64);
    double *x = mc_data_f64(t);
    for (int64_t i = 0; i < mc_numel(t); i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (double)(seed >> 8) * 0x1p-23 - 1;
    }
    return mc_to_dtype(t, dtype);
}

static void assert_close(mc_tensor *got, mc_tensor *want, double bound)
{
    assert_non_null(got);
    assert_shape(got, mc_shape_of(want));
    const double *g = values(got), *w = values(want);
    for (int64_t i = 0; i < mc_numel(got); i++)
        if (!(fabs(g[i] - w[i]) <= bound * (1 + fabs(w[i]))) && !(isnan(g[i]) && isnan(w[i])))
            fail_msg("element %lld: got %.17g, want %.17g", (long long)i, g[i], w[i]);
}

static double bound_of(mc_dtype dtype)
{
    return dtype == MC_F64 ? 1e-12 : dtype == MC_F32 ? 2e-6 : dtype == MC_F16 ? 0x1p-11 : 0x1p-8;
}

/* ---- attention ------------------------------------------------------------------------------ */

struct look {
    const double *added;   /* (l, s), or NULL */
    const double *allowed; /* (l, s), or NULL */
    bool causal;
    double scale; /* 0: the default */
};

/* One head, in f64: q (l, e), k (s, e), v (s, d). */
static mc_tensor *attend(mc_tensor *q, mc_tensor *k, mc_tensor *v, struct look look)
{
    int64_t l = mc_size(q, 0), e = mc_size(q, 1), s = mc_size(k, 0), d = mc_size(v, 1);
    const double *qs = values(q), *ks = values(k), *vs = values(v);
    mc_tensor *out = mc_zeros(mc_shape(l, d), .dtype = MC_F64);
    double *y = mc_data_f64(out), scale = look.scale != 0 ? look.scale : 1 / sqrt((double)e);
    double *weights = mc_data_f64(mc_zeros(mc_shape(s + 1), .dtype = MC_F64));
    for (int64_t i = 0; i < l; i++) {
        double max = -INFINITY, sum = 0;
        for (int64_t j = 0; j < s; j++) {
            double score = 0;
            for (int64_t x = 0; x < e; x++)
                score += qs[i * e + x] * ks[j * e + x];
            score = score * scale + (look.added ? look.added[i * s + j] : 0);
            bool hidden = (look.causal && j > i) || (look.allowed && !look.allowed[i * s + j]);
            weights[j] = hidden ? -INFINITY : score;
            max = fmax(max, weights[j]);
        }
        for (int64_t j = 0; j < s; j++)
            sum += weights[j] = max == -INFINITY ? 0 : exp(weights[j] - max);
        for (int64_t j = 0; j < s; j++)
            for (int64_t x = 0; sum > 0 && x < d; x++)
                y[i * d + x] += weights[j] / sum * vs[j * d + x];
    }
    return out;
}

static const mc_dtype floats[] = {MC_F16, MC_BF16, MC_F32, MC_F64};

static void attention_of_one_head(void **state)
{
    (void)state;
    static const int64_t sizes[][4] = {
        {1, 1, 1, 1}, {3, 5, 4, 2}, {33, 40, 16, 8}, {70, 70, 64, 64}};
    for (int f = 0; f < 4; f++)
        for (int i = 0; i < 4; i++) {
            const int64_t *n = sizes[i];
            mc_tensor *q = numbers(mc_shape(n[0], n[2]), floats[f], 1);
            mc_tensor *k = numbers(mc_shape(n[1], n[2]), floats[f], 2);
            mc_tensor *v = numbers(mc_shape(n[1], n[3]), floats[f], 3);
            mc_tensor *y = mc_scaled_dot_product_attention(q, k, v);
            assert_int_equal(mc_dtype_of(y), floats[f]);
            assert_close(y, attend(q, k, v, (struct look){0}), bound_of(floats[f]));
            y = mc_scaled_dot_product_attention(q, k, v, .causal = true, .scale = 0.7);
            assert_close(y, attend(q, k, v, (struct look){.causal = true, .scale = 0.7}),
                         bound_of(floats[f]));
        }
}

static void attention_with_masks(void **state)
{
    (void)state;
    for (int f = 0; f < 4; f++) {
        mc_dtype dtype = floats[f];
        mc_tensor *q = numbers(mc_shape(5, 8), dtype, 1), *k = numbers(mc_shape(20, 8), dtype, 2);
        mc_tensor *v = numbers(mc_shape(20, 6), dtype, 3), *m = numbers(mc_shape(5, 20), dtype, 4);
        mc_tensor *look = mc_gt(m, 0.1), *y;
        y = mc_scaled_dot_product_attention(q, k, v, .mask = m);
        assert_close(y, attend(q, k, v, (struct look){.added = values(m)}), bound_of(dtype));
        y = mc_scaled_dot_product_attention(q, k, v, .mask = mc_float(m));
        assert_close(y, attend(q, k, v, (struct look){.added = values(mc_float(m))}),
                     bound_of(dtype));
        y = mc_scaled_dot_product_attention(q, k, v, .mask = look);
        assert_close(y, attend(q, k, v, (struct look){.allowed = values(look)}), bound_of(dtype));
        mc_tensor *row = mc_narrow(look, 0, 1, 1);
        y = mc_scaled_dot_product_attention(q, k, v, .mask = row);
        assert_close(y, attend(q, k, v, (struct look){.allowed = values(mc_expand(row, 5, 20))}),
                     bound_of(dtype));
    }
}

/* Heads that lie one beside the other, as models have them: (batch, tokens, heads, size). */
static void attention_of_heads(void **state)
{
    (void)state;
    for (int f = 0; f < 4; f++) {
        mc_tensor *q = mc_transpose(numbers(mc_shape(2, 9, 3, 8), floats[f], 1), 1, 2);
        mc_tensor *k = mc_transpose(numbers(mc_shape(2, 7, 3, 8), floats[f], 2), 1, 2);
        mc_tensor *v = mc_transpose(numbers(mc_shape(2, 7, 3, 8), floats[f], 3), 1, 2);
        mc_tensor *look = mc_gt(numbers(mc_shape(2, 1, 1, 7), MC_F32, 4), -0.5);
        mc_tensor *y = mc_scaled_dot_product_attention(q, k, v, .mask = look);
        assert_shape(y, mc_shape(2, 3, 9, 8));
        for (int b = 0; b < 2; b++)
            for (int h = 0; h < 3; h++) {
                mc_tensor *m = mc_expand(mc_select(mc_select(look, 0, b), 0, 0), 9, 7);
                mc_tensor *want = attend(
                    mc_select(mc_select(q, 0, b), 0, h), mc_select(mc_select(k, 0, b), 0, h),
                    mc_select(mc_select(v, 0, b), 0, h), (struct look){.allowed = values(m)});
                assert_close(mc_select(mc_select(y, 0, b), 0, h), want, bound_of(floats[f]));
            }
    }
}

/* More rows than one block has. */
static void attention_in_blocks(void **state)
{
    (void)state;
    mc_tensor *q = numbers(mc_shape(1500, 4), MC_F32, 1),
              *k = numbers(mc_shape(1500, 4), MC_F32, 2);
    mc_tensor *v = numbers(mc_shape(1500, 3), MC_F32, 3);
    assert_close(mc_scaled_dot_product_attention(q, k, v, .causal = true),
                 attend(q, k, v, (struct look){.causal = true}), 2e-6);
    assert_close(mc_scaled_dot_product_attention(mc_half(q), mc_half(k), mc_half(v)),
                 attend(mc_half(q), mc_half(k), mc_half(v), (struct look){0}), 0x1p-11);
}

static void attention_at_the_edges(void **state)
{
    (void)state;
    mc_tensor *q = numbers(mc_shape(3, 4), MC_F32, 1),
              *none = mc_zeros(mc_shape(3, 3), .dtype = MC_BOOL);
    mc_tensor *hidden = mc_full(mc_shape(3, 3), -INFINITY), *nan = mc_full(mc_shape(3, 4), NAN);
    mc_tensor *zeros = mc_zeros(mc_shape(3, 4));
    assert_close(mc_scaled_dot_product_attention(q, q, q, .mask = none), zeros, 0);
    assert_close(mc_scaled_dot_product_attention(q, q, q, .mask = hidden), zeros, 0);
    assert_close(mc_scaled_dot_product_attention(nan, q, q), nan, 0);
    mc_tensor *nothing = mc_zeros(mc_shape(0, 4));
    assert_close(mc_scaled_dot_product_attention(q, nothing, nothing), zeros, 0);
    assert_shape(mc_scaled_dot_product_attention(nothing, q, q), mc_shape(0, 4));
    mc_tensor *flat = mc_zeros(mc_shape(3, 0));
    assert_close(mc_scaled_dot_product_attention(flat, flat, mc_ones(mc_shape(3, 2))),
                 mc_ones(mc_shape(3, 2)), 1e-6);
    /* Scores far apart: one weight is 1, the others vanish. */
    mc_tensor *eye = mc_eye(3);
    assert_close(mc_scaled_dot_product_attention(eye, eye, eye, .scale = 1000), eye, 0);
}

static void attention_refuses(void **state)
{
    (void)state;
    mc_tensor *q = mc_ones(mc_shape(2, 2)), *i = mc_long(q), *half = mc_half(q);
    mc_tensor *there = mc_cuda(q), *look = mc_bool(q);
#define ATTEND(...) failed(mc_scaled_dot_product_attention(__VA_ARGS__))
    assert_int_equal(ATTEND(q, half, half), MC_ERROR_DTYPE);
    assert_int_equal(ATTEND(q, mc_half(there), half), MC_ERROR_DTYPE);
    assert_int_equal(ATTEND(q, there, there), MC_ERROR_DEVICE);
    assert_int_equal(ATTEND(i, i, i), MC_ERROR_DTYPE);
    assert_int_equal(ATTEND(q, q, q, .mask = half), MC_ERROR_DTYPE);
    assert_int_equal(ATTEND(q, q, q, .mask = mc_half(there)), MC_ERROR_DTYPE);
    assert_int_equal(ATTEND(q, q, q, .mask = there), MC_ERROR_DEVICE);
    assert_int_equal(ATTEND(i, i, i, .mask = mc_cuda(look)), MC_ERROR_OVERFLOW);
    assert_int_equal(ATTEND(i, i, i, .mask = mc_cuda(i)), MC_ERROR_DEVICE);
    assert_int_equal(ATTEND(q, q, q, .mask = look, .causal = true), MC_ERROR_ARGUMENT);
    assert_int_equal(ATTEND(q, q, q, .mask = mc_ones(mc_shape(3, 2))), MC_ERROR_SHAPE);
    assert_int_equal(ATTEND(q, mc_ones(mc_shape(2, 3)), q), MC_ERROR_SHAPE);
    assert_int_equal(ATTEND(q, q, mc_ones(mc_shape(3, 2))), MC_ERROR_SHAPE);
    assert_int_equal(ATTEND(mc_ones(mc_shape(2)), q, q), MC_ERROR_SHAPE);
    assert_int_equal(ATTEND(NULL, q, q), MC_ERROR_ARGUMENT);
#undef ATTEND
}

/* ---- inverse, cholesky, svd ----------------------------------------------------------------- */

static void inverse_undoes(void **state)
{
    (void)state;
    for (int f = 2; f < 4; f++) {
        mc_dtype dtype = floats[f];
        double bound = dtype == MC_F64 ? 1e-11 : 1e-3;
        mc_tensor *x =
            mc_add(numbers(mc_shape(3, 2, 6, 6), dtype, 5), mc_mul(mc_eye(6, .dtype = dtype), 4));
        mc_tensor *eye = mc_expand(mc_eye(6, .dtype = dtype), 3, 2, 6, 6);
        assert_close(mc_matmul(mc_inverse(x), x), eye, bound);
        mc_tensor *across = mc_transpose(x, 2, 3);
        assert_close(mc_matmul(across, mc_inverse(across)), eye, bound);
        mc_tensor *large = numbers(mc_shape(300, 300), dtype, 6);
        mc_tensor *i = mc_matmul(large, mc_inverse(large));
        assert_close(i, mc_eye(300, .dtype = dtype), dtype == MC_F64 ? 1e-8 : 0.05);
    }
    mc_tensor *small = mc_add(mc_ones(mc_shape(2, 2)), mc_eye(2));
    assert_close(mc_mul(mc_inverse(small), 3),
                 mc_sub(mc_mul(mc_eye(2), 3), mc_ones(mc_shape(2, 2))), 1e-6);
    assert_shape(mc_inverse(mc_zeros(mc_shape(4, 0, 0))), mc_shape(4, 0, 0));
    assert_int_equal(failed(mc_inverse(mc_ones(mc_shape(2, 2)))), MC_ERROR_VALUE);
    assert_int_equal(failed(mc_inverse(mc_ones(mc_shape(2, 3)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_inverse(mc_half(mc_eye(2)))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_inverse(mc_ones(mc_shape(2)))), MC_ERROR_SHAPE);
}

static void cholesky_is_a_root(void **state)
{
    (void)state;
    for (int f = 2; f < 4; f++) {
        mc_dtype dtype = floats[f];
        double bound = dtype == MC_F64 ? 1e-12 : 1e-5;
        mc_tensor *r = numbers(mc_shape(2, 7, 9), dtype, 7);
        mc_tensor *x = mc_matmul(r, mc_transpose(r, 1, 2)), *l = mc_cholesky(x);
        assert_close(mc_matmul(l, mc_transpose(l, 1, 2)), x, bound);
        assert_close(mc_tril(l, 0), l, 0);
        /* Only the lower triangle is read. */
        assert_close(mc_cholesky(mc_tril(x, 0)), l, 0);
    }
    assert_int_equal(failed(mc_cholesky(mc_ones(mc_shape(2, 2)))), MC_ERROR_VALUE);
    assert_int_equal(failed(mc_cholesky(mc_neg(mc_eye(2)))), MC_ERROR_VALUE);
    assert_int_equal(failed(mc_cholesky(mc_ones(mc_shape(3, 2)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_cholesky(mc_long(mc_eye(2)))), MC_ERROR_DTYPE);
}

/* u · diag(s) · vh with the first columns and rows. */
static mc_tensor *assemble(mc_tensor *u, mc_tensor *s, mc_tensor *vh)
{
    int64_t r = mc_size(s, -1);
    return mc_matmul(mc_mul(mc_narrow(u, -1, 0, r), mc_unsqueeze(s, -2)), mc_narrow(vh, -2, 0, r));
}

static void svd_takes_apart(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{5, 5}, {3, 6}, {7, 2}, {1, 4}};
    for (int f = 2; f < 4; f++)
        for (int i = 0; i < 4; i++) {
            int64_t m = sizes[i][0], n = sizes[i][1], r = m < n ? m : n;
            double bound = floats[f] == MC_F64 ? 1e-12 : 1e-5;
            mc_tensor *x = numbers(mc_shape(2, m, n), floats[f], 8), *u, *vh, *s;
            s = mc_svd(x, .u = &u, .vh = &vh);
            assert_shape(u, mc_shape(2, m, m));
            assert_shape(vh, mc_shape(2, n, n));
            assert_close(assemble(u, s, vh), x, bound);
            mc_tensor *eye = mc_expand(mc_eye(m, .dtype = floats[f]), 2, m, m);
            assert_close(mc_matmul(u, mc_transpose(u, 1, 2)), eye, bound);
            assert_close(mc_svd(x), s, bound);
            s = mc_svd(x, .u = &u, .vh = &vh, .reduced = true);
            assert_shape(u, mc_shape(2, m, r));
            assert_shape(vh, mc_shape(2, r, n));
            assert_close(assemble(u, s, vh), x, bound);
            const double *v = values(s);
            for (int64_t j = 1; j < r; j++)
                assert_true(v[j] <= v[j - 1] && v[j] >= 0);
        }
}

static void svd_at_the_edges(void **state)
{
    (void)state;
    mc_tensor *u = NULL, *vh = NULL;
    assert_close(mc_svd(mc_ones(mc_shape(2, 2))), mc_mul(mc_select(mc_eye(2), 0, 0), 2), 1e-6);
    assert_shape(mc_svd(mc_zeros(mc_shape(3, 0)), .u = &u, .vh = &vh), mc_shape(0));
    assert_close(u, mc_eye(3), 0);
    assert_shape(vh, mc_shape(0, 0));
    assert_int_equal(failed(mc_svd(mc_half(mc_eye(2)), .u = &u)), MC_ERROR_DTYPE);
    assert_null(u);
    assert_int_equal(failed(mc_svd(mc_ones(mc_shape(3)))), MC_ERROR_SHAPE);
    mc_tensor *there = mc_svd(mc_eye(2, .device = MC_CUDA));
    assert_int_equal(mc_device_of(there), MC_CUDA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(attention_of_one_head), TEST(attention_with_masks),   TEST(attention_of_heads),
        TEST(attention_in_blocks),   TEST(attention_at_the_edges), TEST(attention_refuses),
        TEST(inverse_undoes),        TEST(cholesky_is_a_root),     TEST(svd_takes_apart),
        TEST(svd_at_the_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
