/* Layers against naive loops in double, and what they refuse: convolution, pooling, scaling,
 * look-ups in tables, one-hot rows. */
#include "tests/unit/values.h"

/* ---- convolution --------------------------------------------------------------------------- */

struct conv_case {
    int64_t n, c, h, w, oc, kh, kw;
    mc_conv_options o;
};

static int64_t pick(mc_dims given, int axis, int64_t fallback)
{
    return given.count == 0 ? fallback : given.dims[given.count == 1 ? 0 : axis];
}

static int64_t conv_size(const struct conv_case *k, int axis)
{
    int64_t size = axis ? k->w : k->h, window = axis ? k->kw : k->kh;
    return (size + 2 * pick(k->o.padding, axis, 0) - pick(k->o.dilation, axis, 1) * (window - 1) -
            1) /
               pick(k->o.stride, axis, 1) +
           1;
}

/* The sum at one place: channel o of sample n at (y, x). */
static double conv_at(const struct conv_case *k, const double *in, const double *weight, int64_t n,
                      int64_t o, int64_t y, int64_t x)
{
    int64_t groups = k->o.groups ? k->o.groups : 1, per = k->c / groups;
    double sum = 0;
    for (int64_t c = 0; c < per; c++)
        for (int64_t i = 0; i < k->kh; i++)
            for (int64_t j = 0; j < k->kw; j++) {
                int64_t iy = y * pick(k->o.stride, 0, 1) - pick(k->o.padding, 0, 0) +
                             i * pick(k->o.dilation, 0, 1);
                int64_t ix = x * pick(k->o.stride, 1, 1) - pick(k->o.padding, 1, 0) +
                             j * pick(k->o.dilation, 1, 1);
                int64_t channel = o / (k->oc / groups) * per + c;
                if (iy >= 0 && iy < k->h && ix >= 0 && ix < k->w)
                    sum += in[((n * k->c + channel) * k->h + iy) * k->w + ix] *
                           weight[((o * per + c) * k->kh + i) * k->kw + j];
            }
    return sum;
}

static void check_conv(const struct conv_case *k, mc_dtype dtype, bool with_bias)
{
    int64_t groups = k->o.groups ? k->o.groups : 1, oh = conv_size(k, 0), ow = conv_size(k, 1);
    mc_tensor *x = some(mc_shape(k->n, k->c, k->h, k->w), dtype);
    mc_tensor *weight = some(mc_shape(k->oc, k->c / groups, k->kh, k->kw), dtype);
    mc_tensor *bias = with_bias ? some(mc_shape(k->oc), dtype) : NULL;
    mc_tensor *y = mc_op_conv2d(MC_AT, x, weight, bias, k->o);
    assert_shape(y, mc_shape(k->n, k->oc, oh, ow));
    assert_int_equal(mc_dtype_of(y), dtype);
    const double *in = values(x), *w = values(weight), *b = bias ? values(bias) : NULL;
    const double *got = values(y);
    for (int64_t i = 0; i < mc_numel(y); i++) {
        int64_t n = i / ow / oh / k->oc, o = i / ow / oh % k->oc;
        double want = conv_at(k, in, w, n, o, i / ow % oh, i % ow) + (b ? b[o] : 0);
        assert_near(dtype, got[i], want);
    }
}

static void conv2d_is_the_naive_sum(void **state)
{
    static const mc_dtype dtypes[] = {MC_F64, MC_F32, MC_F16, MC_BF16, MC_I64, MC_I16};
    const struct conv_case conv_cases[] = {
        {1, 1, 1, 1, 1, 1, 1, {.groups = 0}},
        {2, 3, 5, 7, 4, 3, 3, {.padding = mc_dims(1)}},
        {2, 3, 5, 7, 4, 1, 1, {.groups = 1}},
        {3, 4, 8, 6, 6, 3, 2, {.stride = mc_dims(2, 1), .padding = mc_dims(1, 1), .groups = 2}},
        {1,
         4,
         9,
         9,
         4,
         3,
         3,
         {.stride = mc_dims(2), .padding = mc_dims(2), .dilation = mc_dims(2), .groups = 4}},
        {2,
         2,
         3,
         11,
         3,
         2,
         4,
         {.stride = mc_dims(3, 2), .padding = mc_dims(0, 5), .dilation = mc_dims(1, 3)}},
        {1, 2, 4, 4, 2, 3, 3, {.padding = mc_dims(1, 0)}},
        {1, 2, 4, 4, 2, 1, 1, {.stride = mc_dims(2)}},
        {40, 8, 40, 40, 2, 3, 3, {.padding = mc_dims(1)}}, /* columns of more than one batch of
                                                              samples */
    };
    (void)state;
    for (size_t k = 0; k < sizeof conv_cases / sizeof *conv_cases; k++)
        for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
            mc_scope s = mc_scope_begin();
            check_conv(&conv_cases[k], dtypes[d], d % 2 == k % 2);
            mc_scope_end(s);
        }
}

static void conv1d_is_conv2d_of_height_1(void **state)
{
    (void)state;
    mc_tensor *x = some(mc_shape(2, 4, 9), MC_F32), *w = some(mc_shape(6, 2, 3), MC_F32);
    mc_tensor *b = some(mc_shape(6), MC_F32);
    mc_tensor *y = mc_conv1d(x, w, b, .stride = mc_dims(2), .padding = mc_dims(1), .groups = 2);
    mc_tensor *z = mc_conv2d(mc_unsqueeze(x, 2), mc_unsqueeze(w, 2), b, .stride = mc_dims(1, 2),
                             .padding = mc_dims(0, 1), .groups = 2);
    assert_shape(y, mc_shape(2, 6, 5));
    assert_memory_equal(values(y), values(z), 60 * sizeof(double));
}

static void conv_takes_one_sample_and_none(void **state)
{
    (void)state;
    mc_tensor *w = some(mc_shape(3, 2, 2, 2), MC_F32), *w1 = some(mc_shape(3, 2, 2), MC_F32);
    assert_shape(mc_conv2d(some(mc_shape(2, 4, 5), MC_F32), w, NULL), mc_shape(3, 3, 4));
    assert_shape(mc_conv1d(some(mc_shape(2, 4), MC_F32), w1, NULL), mc_shape(3, 3));
    assert_shape(mc_conv2d(some(mc_shape(0, 2, 4, 5), MC_F32), w, NULL), mc_shape(0, 3, 3, 4));
    mc_tensor *nothing = mc_conv2d(some(mc_shape(1, 0, 2, 2), MC_F32),
                                   some(mc_shape(3, 0, 1, 1), MC_F32), mc_ones(mc_shape(3)));
    assert_shape(nothing, mc_shape(1, 3, 2, 2));
    assert_true(values(nothing)[11] == 1);
}

static void conv_follows_strides(void **state)
{
    (void)state;
    mc_tensor *x = mc_transpose(some(mc_shape(2, 3, 4, 5), MC_F32), 2, 3);
    mc_tensor *w = mc_transpose(some(mc_shape(2, 3, 2, 2), MC_F32), 2, 3);
    mc_tensor *b = mc_narrow(some(mc_shape(4), MC_F32), 0, 1, 2);
    mc_tensor *y = mc_conv2d(x, w, b);
    mc_tensor *z = mc_conv2d(mc_contiguous(x), mc_contiguous(w), mc_contiguous(b));
    assert_memory_equal(values(y), values(z), (size_t)mc_numel(y) * sizeof(double));
}

static void conv_refuses(void **state)
{
    (void)state;
    mc_tensor *x = some(mc_shape(1, 4, 4, 4), MC_F32), *w = some(mc_shape(4, 4, 3, 3), MC_F32);
    mc_tensor *h = some(mc_shape(4), MC_F16), *b = some(mc_shape(3), MC_F32);
    assert_int_equal(failed(mc_conv2d(x, w, h)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_conv2d(x, w, b)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_conv2d(x, w, NULL, .groups = 2)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_conv2d(x, w, NULL, .groups = 3)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_conv2d(x, w, NULL, .groups = -1)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_conv2d(x, w, NULL, .stride = mc_dims(-1))), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_conv2d(x, w, NULL, .dilation = mc_dims(2))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_conv2d(x, w, NULL, .padding = mc_dims(INT64_MAX))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_conv2d(x, w, NULL, .dilation = mc_dims(INT64_MAX))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_conv1d(x, w, NULL)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_conv2d(mc_bool(x), mc_bool(w), NULL)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_conv2d(x, NULL, NULL)), MC_ERROR_ARGUMENT);
}

/* As recorded: a difference of device is one of type to the libraries behind cuda and f16. */
static void conv_devices(void **state)
{
    (void)state;
    if (!mc_cuda_is_available())
        skip();
    mc_tensor *x = some(mc_shape(1, 2, 4, 4), MC_F32), *w = some(mc_shape(2, 2, 1, 1), MC_F32);
    assert_int_equal(failed(mc_conv2d(x, mc_cuda(w), NULL)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_conv2d(mc_cuda(x), w, NULL)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_conv2d(mc_half(x), mc_half(mc_cuda(w)), NULL)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_conv2d(mc_cuda(mc_long(x)), mc_cuda(mc_long(w)), NULL)),
                     MC_ERROR_DTYPE);
    mc_tensor *y = mc_conv2d(mc_cuda(x), mc_cuda(w), NULL);
    assert_true(mc_is_cuda(y));
    assert_memory_equal(values(y), values(mc_conv2d(x, w, NULL)), 32 * sizeof(double));
}

/* ---- pooling ------------------------------------------------------------------------------- */

static double pool_at(const double *plane, int64_t h, int64_t w, int64_t y, int64_t x, int64_t size,
                      bool max)
{
    double best = -INFINITY, sum = 0;
    for (int64_t i = y; i < y + size; i++)
        for (int64_t j = x; j < x + size; j++)
            if (i >= 0 && i < h && j >= 0 && j < w) {
                best = fmax(best, plane[i * w + j]);
                sum += plane[i * w + j];
            }
    return max ? best : sum / (double)(size * size);
}

static void check_pool(mc_dtype dtype, bool max)
{
    mc_tensor *x = some(mc_shape(2, 3, 7, 9), dtype);
    mc_tensor *y = max ? mc_max_pool2d(x, 3, .stride = mc_dims(2, 1), .padding = mc_dims(1))
                       : mc_avg_pool2d(x, 3, .stride = mc_dims(2, 1), .padding = mc_dims(1));
    assert_shape(y, mc_shape(2, 3, 4, 9));
    assert_int_equal(mc_dtype_of(y), dtype);
    const double *in = values(x), *got = values(y);
    for (int64_t i = 0; i < mc_numel(y); i++) {
        int64_t oy = i / 9 % 4, ox = i % 9;
        double want = pool_at(in + i / 36 * 63, 7, 9, oy * 2 - 1, ox - 1, 3, max);
        assert_near(dtype, got[i], dtype == MC_I64 ? trunc(want) : want);
    }
}

static void pools_are_naive(void **state)
{
    static const mc_dtype averaged[] = {MC_F64, MC_F32, MC_F16, MC_BF16, MC_I64};
    static const mc_dtype compared[] = {MC_F64, MC_F32, MC_F16, MC_BF16,
                                        MC_I64, MC_I32, MC_I16, MC_I8};
    (void)state;
    for (size_t i = 0; i < sizeof averaged / sizeof *averaged; i++)
        check_pool(averaged[i], false);
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
        check_pool(compared[i], true);
}

static void pool_defaults_and_edges(void **state)
{
    (void)state;
    mc_tensor *x = some(mc_shape(3, 5, 6), MC_F32);
    assert_shape(mc_avg_pool2d(x, 2), mc_shape(3, 2, 3));
    assert_shape(mc_max_pool2d(some(mc_shape(0, 3, 5, 6), MC_F16), 2), mc_shape(0, 3, 2, 3));
    mc_tensor *u8 = mc_max_pool2d(mc_from_array(((uint8_t[]){1, 200, 3, 4}), mc_shape(1, 2, 2)), 2);
    assert_true(*values(u8) == 200);
    mc_tensor *nan = mc_from_array(((float[]){1, NAN, 3, 4}), mc_shape(1, 2, 2));
    assert_true(isnan(*values(mc_max_pool2d(nan, 2))));
    assert_int_equal(failed(mc_max_pool2d(x, 0)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_max_pool2d(x, 2, .padding = mc_dims(2))), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_max_pool2d(x, 7)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_max_pool2d(x, INT64_MAX, .padding = mc_dims(INT64_MAX / 2))),
                     MC_ERROR_ARGUMENT);
    assert_shape(
        mc_avg_pool2d(x, INT32_MAX, .stride = mc_dims(1), .padding = mc_dims(INT32_MAX / 2)),
        mc_shape(3, 5, 6));
    assert_int_equal(failed(mc_avg_pool2d(mc_int(x), 2)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_max_pool2d(mc_bool(x), 2)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_avg_pool2d(some(mc_shape(4, 4), MC_F32), 2)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_avg_pool2d(some(mc_shape(1, 0, 4), MC_F32), 2)), MC_ERROR_SHAPE);
}

static void check_adaptive(mc_dtype dtype, int64_t oh, int64_t ow)
{
    mc_tensor *x = some(mc_shape(2, 5, 7), dtype);
    mc_tensor *y = mc_adaptive_avg_pool2d(x, oh, ow);
    assert_shape(y, mc_shape(2, oh, ow));
    const double *in = values(x), *got = values(y);
    for (int64_t i = 0; i < mc_numel(y); i++) {
        int64_t oy = i / ow % oh, ox = i % ow, plane = i / ow / oh;
        int64_t y0 = oy * 5 / oh, y1 = ((oy + 1) * 5 + oh - 1) / oh;
        int64_t x0 = ox * 7 / ow, x1 = ((ox + 1) * 7 + ow - 1) / ow;
        double sum = 0;
        for (int64_t a = y0; a < y1; a++)
            for (int64_t b = x0; b < x1; b++)
                sum += in[(plane * 5 + a) * 7 + b];
        assert_near(dtype, got[i], sum / (double)((y1 - y0) * (x1 - x0)));
    }
}

static void adaptive_pool_is_naive(void **state)
{
    (void)state;
    check_adaptive(MC_F32, 1, 1);
    check_adaptive(MC_F64, 3, 2);
    check_adaptive(MC_F16, 5, 7);
    check_adaptive(MC_BF16, 8, 3);
    assert_shape(mc_adaptive_avg_pool2d(some(mc_shape(2, 5, 7), MC_F32), 0, 3), mc_shape(2, 0, 3));
    mc_tensor *x = some(mc_shape(2, 5, 7), MC_I64);
    assert_int_equal(failed(mc_adaptive_avg_pool2d(x, 1, 1)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_adaptive_avg_pool2d(x, -1, 1)), MC_ERROR_ARGUMENT);
}

static void interpolate_takes_the_nearest(void **state)
{
    (void)state;
    mc_tensor *x = mc_from_array(((uint8_t[]){1, 2, 3, 4, 5, 6}), mc_shape(1, 1, 2, 3));
    mc_tensor *twice = mc_interpolate(x, 2.0);
    assert_shape(twice, mc_shape(1, 1, 4, 6));
    assert_memory_equal(mc_data_u8(twice), "\1\1\2\2\3\3\1\1\2\2\3\3\4\4\5\5\6\6\4\4\5\5\6\6", 24);
    mc_tensor *more = mc_interpolate(x, 1.5);
    assert_shape(more, mc_shape(1, 1, 3, 4));
    assert_memory_equal(mc_data_u8(more), "\1\1\2\3\1\1\2\3\4\4\5\6", 12);
    mc_tensor *less = mc_interpolate(mc_transpose(x, 2, 3), 0.5);
    assert_shape(less, mc_shape(1, 1, 1, 1));
    assert_true(*values(less) == 1);
    assert_int_equal(failed(mc_interpolate(x, 0.1)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_interpolate(x, (double)NAN)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_interpolate(x, 1e30)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_interpolate(mc_int(x), 2)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_interpolate(mc_select(x, 0, 0), 2)), MC_ERROR_SHAPE);
}

/* ---- tables and classes --------------------------------------------------------------------- */

static void embedding_copies_rows(void **state)
{
    (void)state;
    mc_tensor *table = some(mc_shape(5, 3), MC_BF16);
    mc_tensor *which = mc_from_array(((int32_t[]){4, 0, 4, 2}), mc_shape(2, 2));
    mc_tensor *y = mc_embedding(which, table);
    assert_shape(y, mc_shape(2, 2, 3));
    assert_int_equal(mc_dtype_of(y), MC_BF16);
    static const int rows[] = {4, 0, 4, 2};
    const double *from = values(table), *got = values(y);
    for (int i = 0; i < 12; i++)
        assert_true(got[i] == from[rows[i / 3] * 3 + i % 3]);
    mc_tensor *turned = mc_embedding(mc_transpose(which, 0, 1), mc_transpose(table, 0, 1));
    assert_int_equal(failed(turned), MC_ERROR_INDEX);
    mc_tensor *columns = mc_narrow(table, 1, 1, 2);
    assert_true(values(mc_embedding(which, columns))[0] == from[13]);
}

static void embedding_refuses(void **state)
{
    (void)state;
    mc_tensor *table = some(mc_shape(5, 3), MC_F32), *none = mc_zeros(mc_shape(0), .dtype = MC_I64);
    mc_tensor *high = mc_from_array(((int64_t[]){0, 5}), mc_shape(2));
    mc_tensor *low = mc_from_array(((int64_t[]){0, -1}), mc_shape(2));
    assert_int_equal(failed(mc_embedding(high, table)), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_embedding(low, table)), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_embedding(mc_short(high), table)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_embedding(high, mc_select(table, 0, 0))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_embedding_bag(mc_unsqueeze(low, 0), table)), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_embedding_bag(low, table)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_embedding_bag(mc_unsqueeze(low, 0), mc_int(table))), MC_ERROR_DTYPE);
    assert_shape(mc_embedding(none, table), mc_shape(0, 3));
    assert_shape(mc_embedding(none, mc_zeros(mc_shape(0, 3))), mc_shape(0, 3));
}

static void embedding_bag_averages(void **state)
{
    static const mc_dtype dtypes[] = {MC_F64, MC_F32, MC_F16, MC_BF16};
    (void)state;
    for (int d = 0; d < 4; d++) {
        mc_tensor *table = some(mc_shape(6, 1500), dtypes[d]);
        mc_tensor *which = mc_from_array(((int64_t[]){5, 0, 1, 2, 2, 3}), mc_shape(2, 3));
        mc_tensor *y = mc_embedding_bag(which, table);
        assert_shape(y, mc_shape(2, 1500));
        const double *t = values(table), *got = values(y);
        for (int i = 0; i < 1500; i++)
            assert_near(dtypes[d], got[i], (t[7500 + i] + t[i] + t[1500 + i]) / 3);
    }
    mc_tensor *empty = mc_zeros(mc_shape(2, 0), .dtype = MC_I64);
    assert_true(values(mc_embedding_bag(empty, mc_ones(mc_shape(3, 4))))[7] == 0);
}

static void one_hot_rows(void **state)
{
    (void)state;
    mc_tensor *x = mc_from_array(((int64_t[]){2, 0, 1}), mc_shape(3));
    mc_tensor *y = mc_one_hot(x, 3), *z = mc_one_hot(x, -1);
    assert_shape(y, mc_shape(3, 3));
    assert_memory_equal(mc_data_i64(y), ((int64_t[]){0, 0, 1, 1, 0, 0, 0, 1, 0}), 72);
    assert_memory_equal(mc_data_i64(z), mc_data_i64(y), 72);
    assert_shape(mc_one_hot(mc_select(x, 0, 0), 4), mc_shape(4));
    assert_shape(mc_one_hot(mc_zeros(mc_shape(0), .dtype = MC_I64), 4), mc_shape(0, 4));
    assert_int_equal(failed(mc_one_hot(x, 2)), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_one_hot(x, 0)), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_one_hot(mc_neg(x), -1)), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_one_hot(x, -2)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_one_hot(mc_zeros(mc_shape(0), .dtype = MC_I64), -1)),
                     MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_one_hot(mc_int(x), 3)), MC_ERROR_DTYPE);
    assert_int_equal(
        failed(mc_one_hot(mc_from_array(((int64_t[]){INT64_MAX - 1}), mc_shape(1)), -1)),
        MC_ERROR_SHAPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(conv2d_is_the_naive_sum),
        TEST(conv1d_is_conv2d_of_height_1),
        TEST(conv_takes_one_sample_and_none),
        TEST(conv_follows_strides),
        TEST(conv_refuses),
        TEST(conv_devices),
        TEST(pools_are_naive),
        TEST(pool_defaults_and_edges),
        TEST(adaptive_pool_is_naive),
        TEST(interpolate_takes_the_nearest),
        TEST(embedding_copies_rows),
        TEST(embedding_refuses),
        TEST(embedding_bag_averages),
        TEST(one_hot_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
