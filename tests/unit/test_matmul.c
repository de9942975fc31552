/* Matrix products and einsum against sums written out element by element, for every dtype that has
 * them; broadcasting, layouts, empty operands, and what is refused. */
#include "tests/unit/values.h"

static const mc_dtype all_dtypes[] = {MC_BOOL, MC_U8,   MC_I8,  MC_I16, MC_I32,     MC_I64,
                                      MC_F16,  MC_BF16, MC_F32, MC_F64, MC_F8_E4M3, MC_F8_E5M2};
enum { DTYPES = sizeof all_dtypes / sizeof *all_dtypes };

static bool is_f8(mc_dtype d)
{
    return d == MC_F8_E4M3 || d == MC_F8_E5M2;
}

/* Small whole numbers, different for each seed: every dtype holds them and their short sums. */
static mc_tensor *whole(mc_shape shape, mc_dtype dtype, uint32_t seed)
{
    mc_tensor *t = mc_empty(shape, .dtype = MC_F64);
    double *x = mc_data_f64(t);
    for (int64_t i = 0; i < mc_numel(t); i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (double)(seed >> 30);
    }
    return mc_to_dtype(t, dtype);
}

/* (m, k) times (k, n), into a new f64 tensor. */
static mc_tensor *naive(mc_tensor *a, mc_tensor *b)
{
    mc_shape sa = mc_shape_of(a), sb = mc_shape_of(b);
    int64_t m = sa.dims[0], k = sa.dims[1], n = sb.dims[1];
    const double *x = values(a), *y = values(b);
    mc_tensor *c = mc_zeros(mc_shape(m, n), .dtype = MC_F64);
    double *z = mc_data_f64(c);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t l = 0; l < k; l++)
                z[i * n + j] += x[i * k + l] * y[l * n + j];
    return c;
}

/* Whether got is want rounded to got's dtype, up to what sums in another order lose. */
static void assert_product(mc_tensor *got, mc_tensor *want)
{
    assert_non_null(got);
    mc_dtype dtype = mc_dtype_of(got);
    assert_shape(got, mc_shape_of(want));
    const double *g = values(got), *w = values(mc_to_dtype(want, dtype));
    for (int64_t i = 0; i < mc_numel(got); i++)
        if (!(fabs(g[i] - w[i]) <= (fabs(w[i]) + 1) * (dtype == MC_F64 ? 1e-12 : 1e-5)))
            fail_msg("%s, element %lld: got %.17g, want %.17g", mc_dtype_name(dtype), (long long)i,
                     g[i], w[i]);
}

/* ---- mm ------------------------------------------------------------------------------------- */

static void mm_equals_sums(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{1, 1, 1},    {2, 3, 4},   {1, 7, 5},
                                       {5, 7, 1},    {1, 9, 1},   {17, 5, 9},
                                       {16, 16, 16}, {3, 40, 33}, {33, 17, 130}};
    for (int d = 1; d < DTYPES; d++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            mc_tensor *a = whole(mc_shape(sizes[i][0], sizes[i][1]), all_dtypes[d], 1);
            mc_tensor *b = whole(mc_shape(sizes[i][1], sizes[i][2]), all_dtypes[d], 2);
            mc_tensor *c = mc_mm(a, b);
            assert_int_equal(mc_dtype_of(c), all_dtypes[d]);
            assert_product(c, naive(a, b));
        }
}

static void mm_reads_any_layout(void **state)
{
    (void)state;
    for (int d = 1; d < DTYPES; d++) {
        mc_tensor *a = whole(mc_shape(20, 14), all_dtypes[d], 3);
        mc_tensor *b = whole(mc_shape(14, 18), all_dtypes[d], 4);
        mc_tensor *at = mc_t(mc_contiguous(mc_t(a))), *bt = mc_t(mc_contiguous(mc_t(b)));
        mc_tensor *want = naive(a, b);
        assert_product(mc_mm(at, b), want);
        assert_product(mc_mm(a, bt), want);
        assert_product(mc_mm(at, bt), want);
        mc_tensor *rows = mc_slice_step(a, 0, 0, 20, 3), *cols = mc_slice_step(b, 1, 1, 18, 2);
        assert_product(mc_mm(rows, cols), naive(rows, cols));
        mc_tensor *inner = mc_slice_step(a, 1, 0, 14, 2), *even = mc_slice_step(b, 0, 0, 14, 2);
        assert_product(mc_mm(inner, even), naive(inner, even));
        mc_tensor *same = mc_expand(mc_narrow(a, 0, 0, 1), 6, 14);
        assert_product(mc_mm(same, b), naive(same, b));
        mc_tensor *column = mc_expand(mc_narrow(b, 1, 2, 1), 14, 5);
        assert_product(mc_mm(a, column), naive(a, column));
    }
}

static void mm_of_large_matrices(void **state)
{
    (void)state;
    static const mc_dtype dtypes[] = {MC_F32, MC_F64, MC_F16, MC_BF16, MC_I32};
    for (int d = 0; d < 5; d++) {
        mc_tensor *a = some(mc_shape(190, 170), dtypes[d]),
                  *b = some(mc_shape(170, 210), dtypes[d]);
        mc_tensor *bt = mc_t(mc_contiguous(mc_t(b))), *want = naive(a, b);
        assert_product(mc_mm(a, b), want);
        assert_product(mc_mm(a, bt), want);
        mc_tensor *x = mc_narrow(b, 1, 3, 1);
        assert_product(mc_mm(a, x), naive(a, x));
        mc_tensor *y = mc_narrow(a, 0, 3, 1);
        assert_product(mc_mm(y, bt), naive(y, bt));
    }
}

/* More than one tile of converted panels. */
static void mm_over_tiles(void **state)
{
    (void)state;
    mc_tensor *a = whole(mc_shape(2, 4500), MC_BF16, 5), *b = whole(mc_shape(4500, 2), MC_BF16, 6);
    assert_product(mc_mm(a, b), naive(a, b));
    mc_tensor *c = whole(mc_shape(2, 3), MC_F16, 7), *wide = whole(mc_shape(3, 4200), MC_F16, 8);
    assert_product(mc_mm(c, wide), naive(c, wide));
    assert_product(mc_mm(mc_t(wide), mc_t(c)), naive(mc_t(wide), mc_t(c)));
}

static void integers_wrap(void **state)
{
    (void)state;
    mc_tensor *a = mc_full(mc_shape(3, 50), 11, .dtype = MC_U8);
    assert_int_equal((int)values(mc_mm(a, mc_t(a)))[0], 50 * 121 % 256);
    mc_tensor *b = mc_full(mc_shape(2, 4), 30000, .dtype = MC_I16);
    int16_t want = (int16_t)(uint16_t)(4u * 30000u * 30000u);
    assert_int_equal((int)values(mc_mm(b, mc_t(b)))[0], want);
    mc_tensor *c = mc_full(mc_shape(2, 2), -1, .dtype = MC_I16);
    assert_int_equal((int)values(mc_mm(c, c))[0], 2);
}

/* A sum of halves is rounded once: 2048 + 1 + 1 is lost if each step is rounded to f16. */
static void halves_are_summed_wide(void **state)
{
    (void)state;
    mc_tensor *a = mc_ones(mc_shape(3, 4096), .dtype = MC_F16);
    assert_int_equal((int)values(mc_mm(a, mc_t(a)))[0], 4096);
    assert_int_equal((int)values(mc_dot(mc_select(a, 0, 0), mc_select(a, 0, 1)))[0], 4096);
}

static void nothing_is_zero(void **state)
{
    (void)state;
    for (int d = 1; d < DTYPES; d++) {
        mc_dtype dtype = all_dtypes[d];
        mc_tensor *c =
            mc_mm(mc_ones(mc_shape(2, 0), .dtype = dtype), mc_ones(mc_shape(0, 3), .dtype = dtype));
        assert_shape(c, mc_shape(2, 3));
        assert_true(values(c)[0] == 0 && values(c)[5] == 0);
        c = mc_mm(mc_ones(mc_shape(0, 4), .dtype = dtype), mc_ones(mc_shape(4, 3), .dtype = dtype));
        assert_shape(c, mc_shape(0, 3));
        if (is_f8(dtype))
            continue;
        c = mc_bmm(mc_ones(mc_shape(0, 2, 4), .dtype = dtype),
                   mc_ones(mc_shape(0, 4, 3), .dtype = dtype));
        assert_shape(c, mc_shape(0, 2, 3));
        c = mc_matmul(mc_ones(mc_shape(0), .dtype = dtype), mc_ones(mc_shape(0), .dtype = dtype));
        assert_shape(c, mc_shape());
        assert_true(values(c)[0] == 0);
    }
}

/* ---- matmul --------------------------------------------------------------------------------- */

static void matmul_shapes(void **state)
{
    (void)state;
    mc_tensor *v = some(mc_shape(3), MC_F32), *m = some(mc_shape(4, 3), MC_F32);
    mc_tensor *b = some(mc_shape(2, 4, 3), MC_F32), *n = some(mc_shape(3, 5), MC_F32);
    assert_shape(mc_matmul(v, v), mc_shape());
    assert_shape(mc_matmul(m, v), mc_shape(4));
    assert_shape(mc_matmul(v, n), mc_shape(5));
    assert_shape(mc_matmul(m, n), mc_shape(4, 5));
    assert_shape(mc_matmul(b, v), mc_shape(2, 4));
    assert_shape(mc_matmul(b, n), mc_shape(2, 4, 5));
    assert_shape(mc_matmul(v, mc_transpose(b, 1, 2)), mc_shape(2, 4));
    assert_shape(mc_matmul(m, mc_transpose(b, 1, 2)), mc_shape(2, 4, 4));
    assert_shape(mc_matmul(mc_unsqueeze(b, 1), mc_transpose(b, 1, 2)), mc_shape(2, 2, 4, 4));
    assert_shape(mc_matmul(mc_zeros(mc_shape(5, 0, 3)), n), mc_shape(5, 0, 5));
    assert_shape(mc_matmul(mc_zeros(mc_shape(1, 1, 4, 3)), mc_transpose(b, 1, 2)),
                 mc_shape(1, 2, 4, 4));
}

/* Each matrix of the result is the product of those that broadcasting puts together. */
static void batches_broadcast(void **state)
{
    (void)state;
    static const mc_dtype dtypes[] = {MC_F32, MC_F64, MC_F16, MC_I64};
    for (int d = 0; d < 4; d++) {
        mc_tensor *a = whole(mc_shape(3, 1, 4, 5), dtypes[d], 9);
        mc_tensor *b = whole(mc_shape(2, 5, 6), dtypes[d], 10);
        mc_tensor *c = mc_matmul(a, b);
        assert_shape(c, mc_shape(3, 2, 4, 6));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 2; j++)
                assert_product(mc_select(mc_select(c, 0, i), 0, j),
                               naive(mc_select(mc_select(a, 0, i), 0, 0), mc_select(b, 0, j)));
    }
}

static void one_matrix_for_all_batches(void **state)
{
    (void)state;
    mc_tensor *a = some(mc_shape(3, 4, 5), MC_F32), *b = some(mc_shape(5, 6), MC_F32);
    mc_tensor *swapped = mc_transpose(mc_contiguous(mc_transpose(a, 0, 1)), 0, 1);
    mc_tensor *c = mc_matmul(a, b), *s = mc_matmul(swapped, b),
              *left = mc_matmul(mc_t(b), mc_transpose(a, 1, 2));
    for (int i = 0; i < 3; i++) {
        mc_tensor *want = naive(mc_select(a, 0, i), b);
        assert_product(mc_select(c, 0, i), want);
        assert_product(mc_select(s, 0, i), want);
        assert_product(mc_select(left, 0, i), mc_t(want));
    }
}

static void bmm_of_many(void **state)
{
    (void)state;
    static const mc_dtype dtypes[] = {MC_F32, MC_F64, MC_BF16, MC_I32};
    for (int d = 0; d < 4; d++) {
        mc_tensor *a = some(mc_shape(40, 33, 17), dtypes[d]);
        mc_tensor *b = some(mc_shape(40, 17, 35), dtypes[d]);
        mc_tensor *c = mc_bmm(a, b);
        for (int i = 0; i < 40; i += 13)
            assert_product(mc_select(c, 0, i), naive(mc_select(a, 0, i), mc_select(b, 0, i)));
    }
}

static void mv_dot_outer(void **state)
{
    (void)state;
    for (int d = 1; d < DTYPES; d++) {
        mc_dtype dtype = all_dtypes[d];
        mc_tensor *m = whole(mc_shape(6, 10), dtype, 11), *v = whole(mc_shape(20), dtype, 12);
        mc_tensor *x = mc_slice_step(v, 0, 0, 20, 2), *y = mc_narrow(v, 0, 5, 10);
        if (is_f8(dtype)) {
            assert_int_equal(failed(mc_mv(m, x)), MC_ERROR_DTYPE);
            assert_int_equal(failed(mc_dot(x, y)), MC_ERROR_DTYPE);
            assert_int_equal(failed(mc_bmm(mc_unsqueeze(m, 0), mc_unsqueeze(mc_t(m), 0))),
                             MC_ERROR_DTYPE);
        } else {
            assert_product(mc_unsqueeze(mc_mv(m, x), 1), naive(m, mc_unsqueeze(x, 1)));
            assert_product(mc_unsqueeze(mc_mv(mc_contiguous(m), x), 1),
                           naive(m, mc_unsqueeze(x, 1)));
            mc_tensor *dot = mc_dot(x, y);
            assert_shape(dot, mc_shape());
            assert_product(mc_reshape(dot, 1, 1), naive(mc_unsqueeze(x, 0), mc_unsqueeze(y, 1)));
        }
        assert_product(mc_outer(x, y), naive(mc_unsqueeze(x, 1), mc_unsqueeze(y, 0)));
    }
    mc_tensor *mixed = mc_outer(mc_ones(mc_shape(2), .dtype = MC_I32), mc_ones(mc_shape(3)));
    assert_int_equal(mc_dtype_of(mixed), MC_F32);
}

/* ---- out, addmm, linear --------------------------------------------------------------------- */

static void out_is_written(void **state)
{
    (void)state;
    mc_tensor *a = some(mc_shape(4, 4), MC_F32), *want = naive(a, a);
    mc_tensor *out = mc_full(mc_shape(4, 4), NAN);
    assert_ptr_equal(mc_mm(a, a, .out = out), out);
    assert_product(out, want);
    mc_tensor *strided = mc_t(mc_full(mc_shape(4, 4), NAN));
    assert_ptr_equal(mc_matmul(a, a, .out = strided), strided);
    assert_product(strided, want);
    mc_tensor *self = mc_clone(a);
    assert_product(mc_mm(self, self, .out = self), want);
    assert_int_equal(failed(mc_mm(a, a, .out = mc_zeros(mc_shape(4, 3)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_mm(a, a, .out = mc_zeros(mc_shape(4, 4), .dtype = MC_F64))),
                     MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_mm(a, a, .out = mc_zeros(mc_shape(4, 4), .device = MC_CUDA))),
                     MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_mm(a, a, .out = mc_expand(mc_zeros(mc_shape(1, 4)), 4, 4))),
                     MC_ERROR_ARGUMENT);
}

/* beta * input + alpha * product, in f64. */
static mc_tensor *combine(mc_tensor *input, double beta, mc_tensor *product, double alpha)
{
    return mc_add(mc_mul(mc_double(input), beta), mc_mul(product, alpha));
}

static void addmm_adds(void **state)
{
    (void)state;
    for (int d = 1; d < DTYPES; d++) {
        mc_dtype dtype = all_dtypes[d];
        mc_tensor *a = whole(mc_shape(3, 5), dtype, 13), *b = whole(mc_shape(5, 4), dtype, 14);
        mc_tensor *m = whole(mc_shape(3, 4), dtype, 15), *row = whole(mc_shape(4), dtype, 16);
        mc_tensor *p = naive(a, b), *x = mc_clone(m), *column = whole(mc_shape(3, 1), dtype, 17);
        mc_tensor *one = mc_ones(mc_shape(), .dtype = dtype);
        assert_product(mc_addmm(m, a, b), combine(m, 1, p, 1));
        assert_product(mc_addmm(row, a, b, .beta = MC_NUM(2)), combine(row, 2, p, 1));
        assert_product(mc_addmm(column, a, b, .alpha = MC_NUM(2)), combine(column, 1, p, 2));
        assert_product(mc_addmm(one, a, b, .beta = MC_NUM(0)), p);
        assert_product(mc_addmm(row, a, b, .beta = MC_NUM(3), .alpha = MC_NUM(0)),
                       mc_expand(mc_mul(mc_double(row), 3), 3, 4));
        assert_ptr_equal(mc_addmm_(x, a, b, .beta = MC_NUM(2)), x);
        assert_product(x, combine(m, 2, p, 1));
        mc_tensor *strided = mc_t(mc_contiguous(mc_t(m)));
        assert_ptr_equal(mc_addmm_(strided, a, b), strided);
        assert_product(strided, combine(m, 1, p, 1));
    }
}

static void addmm_options(void **state)
{
    (void)state;
    mc_tensor *a = some(mc_shape(3, 3), MC_F32), *p = naive(a, a), *x = mc_clone(a);
    assert_product(mc_addmm_(x, x, x), combine(a, 1, p, 1));
    assert_product(mc_addmm(a, a, a, .beta = MC_NUM(0.5), .alpha = MC_NUM(-0.25)),
                   combine(a, 0.5, p, -0.25));
    /* What is multiplied by 0 is not read. */
    mc_tensor *nan = mc_full(mc_shape(3, 3), NAN);
    assert_product(mc_addmm(nan, a, a, .beta = MC_NUM(0)), p);
    assert_product(mc_addmm(a, nan, nan, .alpha = MC_NUM(0)), a);
    mc_tensor *row = mc_narrow(a, 0, 0, 1), *nan_row = mc_narrow(nan, 0, 0, 1);
    assert_product(mc_addmm(nan_row, row, a, .beta = MC_NUM(0)), naive(row, a));
    assert_product(mc_addmm(mc_ones(mc_shape(2, 2)), mc_ones(mc_shape(2, 0)),
                            mc_ones(mc_shape(0, 2)), .beta = MC_NUM(3)),
                   mc_full(mc_shape(2, 2), 3.0));
    assert_int_equal(failed(mc_addmm(a, a, a, .beta = MC_NUM(a))), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_addmm(mc_ones(mc_shape(2, 3)), a, a)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_addmm_(mc_ones(mc_shape(1, 3)), a, a)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_addmm(mc_half(a), a, a)), MC_ERROR_DTYPE);
    mc_tensor *i = mc_ones(mc_shape(2, 2), .dtype = MC_I64);
    assert_int_equal((int)values(mc_addmm(i, i, i, .alpha = MC_NUM(1.9)))[0], 3);
    assert_int_equal(failed(mc_addmm(i, i, i, .alpha = MC_NUM(1e30))), MC_ERROR_OVERFLOW);
}

static void baddbmm_adds(void **state)
{
    (void)state;
    mc_tensor *a = some(mc_shape(4, 3, 5), MC_F32), *b = some(mc_shape(4, 5, 2), MC_F32);
    mc_tensor *input = some(mc_shape(4, 1, 2), MC_F32), *x = some(mc_shape(4, 3, 2), MC_F32);
    mc_tensor *before = mc_clone(x);
    mc_tensor *c = mc_baddbmm(input, a, b, .beta = MC_NUM(2), .alpha = MC_NUM(3));
    assert_ptr_equal(mc_baddbmm_(x, a, b), x);
    for (int i = 0; i < 4; i++) {
        mc_tensor *p = naive(mc_select(a, 0, i), mc_select(b, 0, i));
        assert_product(mc_select(c, 0, i), combine(mc_select(input, 0, i), 2, p, 3));
        assert_product(mc_select(x, 0, i), combine(mc_select(before, 0, i), 1, p, 1));
    }
    mc_tensor *f8 = mc_ones(mc_shape(1, 2, 2), .dtype = MC_F8_E5M2);
    assert_int_equal(failed(mc_baddbmm(f8, f8, f8)), MC_ERROR_DTYPE);
}

static void linear_is_a_product(void **state)
{
    (void)state;
    static const mc_dtype dtypes[] = {MC_F32, MC_F64, MC_F16, MC_BF16, MC_I32, MC_F8_E4M3};
    for (int d = 0; d < 6; d++) {
        mc_dtype dtype = dtypes[d];
        mc_tensor *x = whole(mc_shape(2, 3, 5), dtype, 18), *w = whole(mc_shape(4, 5), dtype, 19);
        mc_tensor *bias = whole(mc_shape(4), dtype, 20), *flat = mc_reshape(x, 6, 5);
        mc_tensor *p = naive(flat, mc_t(w));
        assert_product(mc_linear(flat, w, NULL), p);
        assert_product(mc_linear(flat, w, bias), combine(bias, 1, p, 1));
        mc_tensor *y = mc_linear(x, w, bias);
        assert_shape(y, mc_shape(2, 3, 4));
        assert_product(mc_reshape(y, 6, 4), combine(bias, 1, p, 1));
        mc_tensor *one = mc_linear(mc_select(flat, 0, 2), w, bias);
        assert_shape(one, mc_shape(4));
        assert_product(one, mc_select(combine(bias, 1, p, 1), 0, 2));
    }
    mc_tensor *x = mc_ones(mc_shape(2, 3)), *w = mc_ones(mc_shape(4, 3));
    assert_shape(mc_linear(x, mc_ones(mc_shape(3)), NULL), mc_shape(2));
    assert_int_equal(failed(mc_linear(x, mc_t(w), NULL)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_linear(mc_ones(mc_shape()), w, NULL)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_linear(x, w, mc_ones(mc_shape(3)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_linear(x, w, mc_ones(mc_shape(4), .dtype = MC_F16))),
                     MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_linear(x, w, mc_ones(mc_shape(4), .device = MC_CUDA))),
                     MC_ERROR_DEVICE);
}

/* ---- what is refused ------------------------------------------------------------------------ */

static void bad_operands(void **state)
{
    (void)state;
    mc_tensor *a = mc_ones(mc_shape(2, 3)), *b = mc_ones(mc_shape(2, 3)), *s = mc_ones(mc_shape());
    mc_tensor *half = mc_half(mc_t(a)), *there = mc_cuda(mc_t(a));
    assert_int_equal(failed(mc_mm(a, b)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_mm(a, mc_ones(mc_shape(3)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_matmul(a, b)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_matmul(a, s)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_matmul(mc_ones(mc_shape(2, 2, 3)), mc_ones(mc_shape(3, 3, 2)))),
                     MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_bmm(mc_ones(mc_shape(1, 2, 3)), mc_ones(mc_shape(2, 3, 2)))),
                     MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_mv(a, mc_ones(mc_shape(2)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_dot(mc_ones(mc_shape(2)), mc_ones(mc_shape(3)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_dot(a, a)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_outer(a, b)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_mm(a, half)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_mm(a, there)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_mm(a, mc_half(there))), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_mm(mc_bool(a), mc_bool(mc_t(a)))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_mm(NULL, a)), MC_ERROR_ARGUMENT);
}

/* cuda has products of f16, bf16, f32 and f64 alone. */
static void cuda_takes_fewer_dtypes(void **state)
{
    (void)state;
    for (int d = 0; d < DTYPES; d++) {
        mc_dtype dtype = all_dtypes[d];
        mc_tensor *a = mc_ones(mc_shape(2, 2), .dtype = dtype, .device = MC_CUDA);
        bool taken = dtype >= MC_F16 && dtype <= MC_F64;
        mc_tensor *c = mc_mm(a, a);
        if (taken)
            assert_true(mc_device_of(c) == MC_CUDA && values(c)[3] == 2);
        else
            assert_int_equal(failed(c), MC_ERROR_DTYPE);
    }
}

/* Operands that are huge without having memory. */
static void huge_shapes(void **state)
{
    (void)state;
    mc_tensor *one = mc_ones(mc_shape(1, 1));
    mc_tensor *tall = mc_expand(one, INT64_C(1) << 40, 1),
              *wide = mc_expand(one, 1, INT64_C(1) << 40);
    assert_int_equal(failed(mc_mm(tall, wide)), MC_ERROR_SHAPE);
    mc_tensor *c = mc_mm(mc_narrow(tall, 0, 0, 3), mc_narrow(wide, 1, 0, 2));
    assert_shape(c, mc_shape(3, 2));
    mc_tensor *three = mc_expand(one, 3, INT64_C(1) << 40);
    mc_tensor *empty = mc_matmul(mc_zeros(mc_shape(0, 3)), three);
    assert_shape(empty, mc_shape(0, INT64_C(1) << 40));
}

/* ---- einsum --------------------------------------------------------------------------------- */

static void einsum_is_matmul(void **state)
{
    (void)state;
    mc_tensor *a = some(mc_shape(3, 4), MC_F32), *b = some(mc_shape(4, 5), MC_F32),
              *p = naive(a, b);
    assert_product(mc_einsum2("ij,jk->ik", a, b), p);
    assert_product(mc_einsum2("ij,jk", a, b), p);
    assert_product(mc_einsum2(" ij , jk -> ki ", a, b), mc_t(p));
    assert_product(mc_einsum2("ab,cb->ac", a, mc_t(b)), p);
    assert_product(mc_einsum2("...j,jk->...k", a, b), p);
    mc_tensor *x = some(mc_shape(2, 3, 4), MC_F32), *y = some(mc_shape(2, 4, 5), MC_F32);
    mc_tensor *z = mc_einsum2("bij,bjk->bik", x, y), *dots = mc_einsum2("...ij,...jk->...ik", x, y);
    mc_tensor *front = mc_einsum2("bij,bjk->kbi", x, y);
    for (int i = 0; i < 2; i++) {
        mc_tensor *want = naive(mc_select(x, 0, i), mc_select(y, 0, i));
        assert_product(mc_select(z, 0, i), want);
        assert_product(mc_select(dots, 0, i), want);
        assert_product(mc_select(front, 1, i), mc_t(want));
    }
}

static void einsum_sums_and_multiplies(void **state)
{
    (void)state;
    mc_tensor *a = some(mc_shape(3, 4), MC_F64), *b = some(mc_shape(3, 4), MC_F64);
    mc_tensor *v = some(mc_shape(5), MC_F64), *ab = mc_mul(a, b);
    assert_product(mc_einsum2("ij,ij->", a, b), mc_sum(ab));
    assert_product(mc_einsum2("ij,ij->i", a, b), mc_sum(ab, mc_dims(1)));
    assert_product(mc_einsum2("ij,ij->ji", a, b), mc_t(ab));
    assert_product(mc_einsum2("ij,k->kj", a, v), mc_outer(v, mc_sum(a, mc_dims(0))));
    assert_product(mc_einsum2("ij,k->", a, v), mc_mul(mc_sum(a), mc_sum(v)));
    assert_product(mc_einsum2("i,j->ij", v, v), mc_outer(v, v));
    mc_tensor *square = some(mc_shape(4, 4), MC_F64), *i = mc_eye(4, .dtype = MC_F64);
    mc_tensor *diagonal = mc_sum(mc_mul(square, i), mc_dims(1));
    assert_product(mc_einsum2("ii,i->i", square, mc_ones(mc_shape(4), .dtype = MC_F64)), diagonal);
    assert_product(mc_einsum2("ii,j->j", square, mc_ones(mc_shape(1), .dtype = MC_F64)),
                   mc_reshape(mc_sum(diagonal), 1));
    assert_product(mc_einsum2("ij,ij->ij", a, mc_narrow(b, 0, 0, 1)),
                   mc_mul(a, mc_narrow(b, 0, 0, 1)));
    assert_product(mc_einsum2("ij,jk->ik", mc_zeros(mc_shape(2, 0)), mc_zeros(mc_shape(0, 3))),
                   mc_zeros(mc_shape(2, 3), .dtype = MC_F64));
}

static void einsum_dtypes(void **state)
{
    (void)state;
    mc_tensor *i = mc_ones(mc_shape(2, 2), .dtype = MC_I32), *f = mc_ones(mc_shape(2, 2));
    assert_int_equal(failed(mc_einsum2("ij,jk->ik", i, f)), MC_ERROR_DTYPE);
    assert_int_equal(mc_dtype_of(mc_einsum2("ij,kl->ijkl", i, f)), MC_F32);
    assert_int_equal(mc_dtype_of(mc_einsum2("ij,jk->ik", i, i)), MC_I32);
    /* PyTorch sums integers to i64 before it multiplies. */
    assert_int_equal(mc_dtype_of(mc_einsum2("ij,k->k", i, mc_select(i, 0, 0))), MC_I64);
    mc_tensor *h = mc_ones(mc_shape(4096), .dtype = MC_F16);
    assert_true(values(mc_einsum2("i,j->j", h, mc_full(mc_shape(1), 0.5, .dtype = MC_F16)))[0] ==
                2048);
}

static void einsum_refuses(void **state)
{
    (void)state;
    mc_tensor *a = mc_ones(mc_shape(2, 3)), *b = mc_ones(mc_shape(3, 2));
    static const struct {
        const char *equation;
        mc_error_kind kind;
    } cases[] = {
        {NULL, MC_ERROR_ARGUMENT},
        {"", MC_ERROR_ARGUMENT},
        {"ij->ij", MC_ERROR_ARGUMENT},
        {"ij,jk->iz", MC_ERROR_ARGUMENT},
        {"ij,jk->ii", MC_ERROR_ARGUMENT},
        {"ij,j1->i", MC_ERROR_ARGUMENT},
        {"ij,jk,kl->il", MC_ERROR_ARGUMENT},
        {"ij,jk->i>k", MC_ERROR_ARGUMENT},
        {"ijk,jk->i", MC_ERROR_SHAPE},
        {"i,jk->i", MC_ERROR_SHAPE},
        {"ij,ij->ij", MC_ERROR_SHAPE},
        {"ii,jk->i", MC_ERROR_SHAPE},
        {"i.,jk->i", MC_ERROR_ARGUMENT},
        {"abcdefghijklmnopq,jk->a", MC_ERROR_SHAPE},
        {"......i,jk->i", MC_ERROR_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(failed(mc_einsum2(cases[i].equation, a, b)), cases[i].kind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(mm_equals_sums),
        TEST(mm_reads_any_layout),
        TEST(mm_of_large_matrices),
        TEST(mm_over_tiles),
        TEST(integers_wrap),
        TEST(halves_are_summed_wide),
        TEST(nothing_is_zero),
        TEST(matmul_shapes),
        TEST(batches_broadcast),
        TEST(one_matrix_for_all_batches),
        TEST(bmm_of_many),
        TEST(mv_dot_outer),
        TEST(out_is_written),
        TEST(addmm_adds),
        TEST(addmm_options),
        TEST(baddbmm_adds),
        TEST(linear_is_a_product),
        TEST(bad_operands),
        TEST(cuda_takes_fewer_dtypes),
        TEST(huge_shapes),
        TEST(einsum_is_matmul),
        TEST(einsum_sums_and_multiplies),
        TEST(einsum_dtypes),
        TEST(einsum_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
