/* Losses: numbers worked out by hand, every reduction, weights, dtypes of results, shapes that
 * broadcast, and which error comes first. */
#include "tests/unit/groups.h"

static mc_tensor *vector(double a, double b, double c)
{
    double v[] = {a, b, c};
    return mc_to_dtype(mc_from_array(v, mc_shape(3)), MC_F32);
}

static void assert_values(mc_tensor *got, double a, double b, double c)
{
    const double *v = values(got);
    assert_int_equal(mc_numel(got), 3);
    assert_near(mc_dtype_of(got), v[0], a);
    assert_near(mc_dtype_of(got), v[1], b);
    assert_near(mc_dtype_of(got), v[2], c);
}

static void assert_item(mc_tensor *got, double want)
{
    assert_non_null(got);
    assert_int_equal(mc_ndim(got), 0);
    assert_near(mc_dtype_of(got), mc_item(got), want);
}

/* ---- by hand ------------------------------------------------------------------------------- */

static void squares_and_distances(void **state)
{
    (void)state;
    mc_tensor *x = vector(1, 2, 3), *t = vector(1.5, 0, 6);
    assert_item(mc_mse_loss(x, t), (0.25 + 4 + 9) / 3);
    assert_item(mc_mse_loss(x, t, .reduction = MC_SUM), 13.25);
    assert_values(mc_mse_loss(x, t, .reduction = MC_NO_REDUCTION), 0.25, 4, 9);
    assert_item(mc_l1_loss(x, t), 5.5 / 3);
    assert_item(mc_l1_loss(x, t, .reduction = MC_SUM), 5.5);
    assert_values(mc_huber_loss(x, t, .reduction = MC_NO_REDUCTION), 0.125, 1.5, 2.5);
    assert_values(mc_huber_loss(x, t, .reduction = MC_NO_REDUCTION, .delta = 2), 0.125, 2, 4);
    assert_values(mc_smooth_l1_loss(x, t, .reduction = MC_NO_REDUCTION), 0.125, 1.5, 2.5);
    assert_values(mc_smooth_l1_loss(x, t, .reduction = MC_NO_REDUCTION, .delta = 2), 0.0625, 1, 2);
    assert_item(mc_huber_loss(x, t), 4.125 / 3);
}

static void weights(void **state)
{
    (void)state;
    mc_tensor *x = vector(1, 2, 3), *t = vector(1.5, 0, 6), *w = vector(2, 1, 0);
    assert_item(mc_mse_loss(x, t, .weight = w), (0.5 + 4) / 3);
    assert_item(mc_l1_loss(x, t, .weight = w), (1 + 2) / 3.0);
    assert_values(mc_l1_loss(x, t, .weight = w, .reduction = MC_NO_REDUCTION), 1, 2, 0);
    assert_item(mc_huber_loss(x, t, .weight = w), (0.25 + 1.5) / 3); /* by the count */
    assert_int_equal(mc_dtype_of(mc_mse_loss(mc_half(x), mc_half(t), .weight = w)), MC_F32);
    assert_int_equal(failed(mc_mse_loss(x, t, .weight = mc_ones(mc_shape(1)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_mse_loss(x, t, .weight = mc_to_dtype(w, MC_F8_E4M3))),
                     MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_kl_div(x, t, .weight = w)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_smooth_l1_loss(x, t, .weight = w)), MC_ERROR_ARGUMENT);
}

static void divergence(void **state)
{
    (void)state;
    mc_tensor *x = vector(log(0.5), log(0.25), log(0.25)), *t = vector(0.25, 0.75, 0);
    double a = 0.25 * log(0.5), b = 0.75 * log(3);
    assert_values(mc_kl_div(x, t, .reduction = MC_NO_REDUCTION), a, b, 0);
    assert_item(mc_kl_div(x, t), (a + b) / 3);
    assert_item(mc_kl_div(mc_half(x), mc_half(t)), (a + b) / 3);
}

static void binary_entropy(void **state)
{
    (void)state;
    mc_tensor *p = vector(0.25, 0.5, 1), *t = vector(1, 0, 0.5);
    assert_values(mc_binary_cross_entropy(p, t, .reduction = MC_NO_REDUCTION), log(4), log(2), 50);
    assert_item(mc_binary_cross_entropy(p, t), (log(8) + 50) / 3);
    assert_item(mc_binary_cross_entropy(p, t, .weight = vector(1, 2, 0), .reduction = MC_SUM),
                2 * log(4));
    assert_item(
        mc_binary_cross_entropy(mc_bfloat16(p), mc_bfloat16(t), .weight = mc_full(mc_shape(1), 2)),
        (log(8) + 50) / 3 * 2);
    assert_int_equal(failed(mc_binary_cross_entropy(vector(0, 1.5, 0), t)), MC_ERROR_VALUE);
    assert_int_equal(failed(mc_binary_cross_entropy(vector(0, NAN, 0), t)), MC_ERROR_VALUE);
    assert_int_equal(failed(mc_binary_cross_entropy(p, mc_ones(mc_shape(1)))), MC_ERROR_SHAPE);
    assert_true(
        isnan(mc_item(mc_binary_cross_entropy(mc_ones(mc_shape(0)), mc_ones(mc_shape(0))))));
}

static double softplus(double x)
{
    return log1p(exp(-fabs(x))) + (x > 0 ? x : 0);
}

static void binary_entropy_of_logits(void **state)
{
    (void)state;
    mc_tensor *x = vector(0, -3, 200), *t = vector(1, 0.5, 0);
    double a = log(2), b = softplus(-3) + 1.5, c = 200;
    mc_tensor *none = mc_binary_cross_entropy_with_logits(x, t, .reduction = MC_NO_REDUCTION);
    assert_values(none, a, b, c);
    assert_item(mc_binary_cross_entropy_with_logits(x, t), (a + b + c) / 3);
    assert_item(mc_binary_cross_entropy_with_logits(x, t, .weight = vector(1, 1, 0)), (a + b) / 3);
    assert_int_equal(mc_dtype_of(mc_binary_cross_entropy_with_logits(mc_double(x), mc_half(t))),
                     MC_F16);
}

/* ---- classes ------------------------------------------------------------------------------- */

static mc_tensor *scores(void)
{
    static const float x[] = {1, 2, 3, 0, 0, 4};
    return mc_from_array(x, mc_shape(2, 3));
}

static mc_tensor *classes(int64_t a, int64_t b)
{
    int64_t c[] = {a, b};
    return mc_from_array(c, mc_shape(2));
}

static void likelihood(void **state)
{
    (void)state;
    mc_tensor *x = scores(), *w = vector(1, 2, 4);
    assert_item(mc_nll_loss(x, classes(2, 0)), -1.5);
    assert_item(mc_nll_loss(x, classes(2, 0), .reduction = MC_SUM), -3);
    assert_near(MC_F64, values(mc_nll_loss(x, classes(1, 2), .reduction = MC_NO_REDUCTION))[1], -4);
    assert_item(mc_nll_loss(x, classes(1, 2), .weight = w), -(2 * 2 + 4 * 4) / 6.0);
    assert_item(mc_nll_loss(x, classes(1, -100)), -2);
    assert_item(mc_nll_loss(x, classes(1, 2), .ignore_index = MC_NUM(1)), -4);
    assert_true(isnan(mc_item(mc_nll_loss(x, classes(-100, -100)))));
    assert_item(mc_nll_loss(mc_select(x, 0, 0), mc_scalar_tensor(2)), -3);
    assert_item(mc_nll_loss(mc_t(mc_contiguous(mc_t(x))), mc_to_dtype(classes(2, 2), MC_U8)), -3.5);
    assert_true(isnan(mc_item(mc_nll_loss(mc_ones(mc_shape(0, 3)), mc_arange(0)))));
}

/* (n, classes, d): element (i, c, k) is 100 i + 10 c + k. */
static void likelihood_over_places(void **state)
{
    (void)state;
    float v[2 * 3 * 2];
    static const int64_t c[] = {0, 1, 2, 0};
    for (int i = 0; i < 12; i++)
        v[i] = (float)(i / 6 * 100 + i / 2 % 3 * 10 + i % 2);
    mc_tensor *x = mc_from_array(v, mc_shape(2, 3, 2)), *t = mc_from_array(c, mc_shape(2, 2));
    mc_tensor *none = mc_nll_loss(x, t, .reduction = MC_NO_REDUCTION);
    static const double want[] = {-0.0, -11, -120, -101};
    assert_shape(none, mc_shape(2, 2));
    assert_memory_equal(values(none), want, sizeof want);
    assert_item(mc_nll_loss(x, t), -232 / 4.0);
    assert_int_equal(failed(mc_nll_loss(x, mc_to_dtype(t, MC_U8))), MC_ERROR_DTYPE);
}

static void entropy_of_classes(void **state)
{
    (void)state;
    mc_tensor *x = scores(), *t = classes(2, 0);
    double a = log(1 + exp(-1) + exp(-2)), b = log(2 + exp(4));
    assert_item(mc_cross_entropy(x, t), (a + b) / 2);
    assert_item(mc_cross_entropy(x, t, .weight = vector(1, 0, 3)), (3 * a + b) / 4);
    assert_item(mc_cross_entropy(mc_half(x), t), (a + b) / 2);
    assert_item(mc_cross_entropy(x, classes(-100, 0), .reduction = MC_SUM), b);
    assert_item(mc_cross_entropy(mc_select(x, 0, 0), mc_scalar_tensor(2)), a);
    mc_tensor *places =
        mc_cross_entropy(mc_unsqueeze(x, 2), mc_unsqueeze(t, 1), .reduction = MC_NO_REDUCTION);
    assert_shape(places, mc_shape(2, 1));
    assert_near(MC_F32, values(places)[1], b);
}

static void entropy_of_probabilities(void **state)
{
    (void)state;
    static const float p[] = {0.5f, 0, 0.5f, 1, 0, 0};
    mc_tensor *x = scores(), *t = mc_from_array(p, mc_shape(2, 3));
    double a = log(1 + exp(-1) + exp(-2)), b = log(2 + exp(4));
    assert_item(mc_cross_entropy(x, t), (a + 1 + b) / 2);
    mc_tensor *none =
        mc_cross_entropy(x, t, .reduction = MC_NO_REDUCTION, .weight = vector(2, 9, 1));
    assert_near(MC_F32, values(none)[0], (a + 2) * 0.5 * 2 + a * 0.5);
    assert_near(MC_F32, values(none)[1], 2 * b);
    assert_int_equal(mc_dtype_of(mc_cross_entropy(mc_half(x), mc_bfloat16(t))), MC_F32);
    assert_item(mc_cross_entropy(mc_select(x, 0, 0), mc_select(t, 0, 0)), a + 1);
    assert_int_equal(failed(mc_cross_entropy(x, mc_long(t))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_cross_entropy(mc_scalar_tensor(1.0), mc_scalar_tensor(1.0))),
                     MC_ERROR_SHAPE);
}

static void bad_classes(void **state)
{
    (void)state;
    mc_tensor *x = scores();
    assert_int_equal(failed(mc_nll_loss(x, classes(3, 0))), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_nll_loss(x, classes(-1, 0))), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_cross_entropy(x, classes(0, INT64_MAX))), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_cross_entropy(x, classes(-100, 0), .ignore_index = MC_NUM(5))),
                     MC_ERROR_INDEX);
    assert_int_equal(failed(mc_nll_loss(x, mc_arange(3))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_nll_loss(x, mc_scalar_tensor(1))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_nll_loss(mc_scalar_tensor(1.0), mc_scalar_tensor(1))),
                     MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_nll_loss(x, classes(0, 0), .weight = mc_ones(mc_shape(2)))),
                     MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_nll_loss(x, classes(0, 0), .weight = mc_double(vector(1, 1, 1)))),
                     MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_nll_loss(mc_ones(mc_shape(2, 0)), classes(0, 0))), MC_ERROR_INDEX);
}

/* ---- cosine similarity --------------------------------------------------------------------- */

static void cosine(void **state)
{
    (void)state;
    static const float a[] = {3, 4, 1, 0}, b[] = {4, 3, 0, 1};
    mc_tensor *x = mc_from_array(a, mc_shape(2, 2)), *y = mc_from_array(b, mc_shape(2, 2));
    const double *rows = values(mc_cosine_similarity(x, y, 1));
    assert_near(MC_F32, rows[0], 0.96);
    assert_near(MC_F32, rows[1], 0);
    assert_near(MC_F32, values(mc_cosine_similarity(x, y, 0))[0], 12 / sqrt(10 * 16));
    assert_shape(mc_cosine_similarity(x, mc_select(y, 0, 0), -1), mc_shape(2));
    assert_near(MC_F64,
                mc_item(mc_cosine_similarity(mc_zeros(mc_shape(2)), mc_ones(mc_shape(2)), 0)), 0);
    assert_near(MC_F16, values(mc_cosine_similarity(mc_half(x), mc_half(y), 1))[0], 0.96);
    assert_int_equal(failed(mc_cosine_similarity(mc_long(x), mc_long(y), 1)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_cosine_similarity(x, y, 2)), MC_ERROR_SHAPE);
}

/* ---- shapes, dtypes, devices --------------------------------------------------------------- */

static void shapes(void **state)
{
    (void)state;
    mc_tensor *x = scores(), *row = vector(1, 1, 1);
    assert_shape(mc_mse_loss(x, row, .reduction = MC_NO_REDUCTION), mc_shape(2, 3));
    assert_item(mc_mse_loss(mc_t(x), mc_t(mc_add(x, 1))), 1);
    assert_item(mc_l1_loss(mc_scalar_tensor(2.0), mc_scalar_tensor(0.5)), 1.5);
    assert_true(isnan(mc_item(mc_mse_loss(mc_ones(mc_shape(0)), mc_ones(mc_shape(0))))));
    assert_item(mc_huber_loss(mc_ones(mc_shape(0)), mc_ones(mc_shape(0)), .reduction = MC_SUM), 0);
    assert_int_equal(failed(mc_mse_loss(x, mc_ones(mc_shape(2)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_binary_cross_entropy_with_logits(x, row)), MC_ERROR_SHAPE);
    /* A 0-dim target is spread before dtypes are looked at, and counts in full. */
    assert_int_equal(mc_dtype_of(mc_mse_loss(mc_half(x), mc_scalar_tensor(1.0))), MC_F32);
}

static void dtypes(void **state)
{
    (void)state;
    mc_tensor *x = vector(1, 2, 3), *i = mc_long(x), *b = mc_to_dtype(x, MC_BOOL);
    assert_int_equal(mc_dtype_of(mc_mse_loss(mc_half(x), i)), MC_F16);
    assert_int_equal(mc_dtype_of(mc_huber_loss(mc_half(x), mc_double(x))), MC_F16);
    assert_int_equal(failed(mc_mse_loss(i, i)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_huber_loss(i, x)), MC_ERROR_CAST);
    assert_int_equal(failed(mc_huber_loss(i, b)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_l1_loss(x, b)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_l1_loss(i, i)), MC_ERROR_DTYPE);
    assert_int_equal(mc_item_int(mc_l1_loss(i, mc_add(i, 2), .reduction = MC_SUM)), 6);
    assert_int_equal(mc_dtype_of(mc_l1_loss(i, i, .reduction = MC_NO_REDUCTION)), MC_I64);
    assert_int_equal(failed(mc_kl_div(x, i)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_binary_cross_entropy_with_logits(x, i)), MC_ERROR_CAST);
    assert_int_equal(failed(mc_binary_cross_entropy_with_logits(x, b)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_mse_loss(x, x, .reduction = (mc_reduction)9)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_huber_loss(x, x, .delta = -1)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_mse_loss(x, NULL)), MC_ERROR_ARGUMENT);
}

/* As in PyTorch, where the squares are of the operands' dtype: past f16 they are infinite, and so
 * is their mean. */
static void squares_of_halves_overflow(void **state)
{
    (void)state;
    mc_tensor *x = mc_full(mc_shape(4), 300.0, .dtype = MC_F16);
    mc_tensor *t = mc_cat(0, mc_zeros(mc_shape(1), .dtype = MC_F16), mc_narrow(x, 0, 0, 3));
    assert_true(isinf(mc_item(mc_mse_loss(x, t))));
    assert_near(MC_F16, mc_item(mc_mse_loss(mc_mul(x, 0.5), mc_mul(t, 0.5))), 5625);
}

/* Two losses take two numbers on two devices; kl_div takes a number from the CPU beside anything.
 */
static void numbers_on_two_devices(void **state)
{
    (void)state;
    if (!mc_cuda_is_available())
        skip();
    mc_tensor *here = mc_full(mc_shape(), 2.0, .requires_grad = true);
    mc_tensor *there = mc_full(mc_shape(), 2.0, .device = MC_CUDA);
    mc_tensor *loss = mc_l1_loss(here, there);
    assert_true(loss && mc_is_cuda(loss));
    assert_true(mc_backward(loss));
    assert_false(mc_is_cuda(mc_grad(here)));
    assert_true(mc_is_cuda(mc_l1_loss(there, here)));
    assert_true(mc_is_cuda(mc_binary_cross_entropy_with_logits(here, there)));
    assert_int_equal(failed(mc_binary_cross_entropy_with_logits(there, here)), MC_ERROR_DEVICE);
    assert_true(mc_is_cuda(mc_kl_div(mc_full(mc_shape(3), 2.0, .device = MC_CUDA), here)));
    assert_int_equal(failed(mc_mse_loss(here, there)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_smooth_l1_loss(here, there)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_l1_loss(mc_ones(mc_shape(1)), there)), MC_ERROR_DEVICE);
}

static void devices(void **state)
{
    (void)state;
    if (!mc_cuda_is_available())
        skip();
    mc_tensor *x = vector(1, 2, 3), *there = mc_cuda(x), *i = mc_long(x),
              *b = mc_to_dtype(x, MC_BOOL);
    assert_item(mc_cpu(mc_mse_loss(there, mc_add(there, 1))), 1);
    assert_int_equal(failed(mc_mse_loss(i, mc_cuda(i))), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_l1_loss(there, b)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_binary_cross_entropy(x, mc_half(there))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_binary_cross_entropy_with_logits(x, mc_cuda(i))), MC_ERROR_CAST);
    assert_int_equal(failed(mc_binary_cross_entropy_with_logits(there, i)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_cross_entropy(scores(), mc_cuda(classes(0, 1)))), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_mse_loss(x, x, .weight = there)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_cross_entropy(mc_cuda(scores()), mc_cuda(classes(0, 5)))),
                     MC_ERROR_INDEX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(squares_and_distances),
        TEST(weights),
        TEST(divergence),
        TEST(binary_entropy),
        TEST(binary_entropy_of_logits),
        TEST(likelihood),
        TEST(likelihood_over_places),
        TEST(entropy_of_classes),
        TEST(entropy_of_probabilities),
        TEST(bad_classes),
        TEST(cosine),
        TEST(shapes),
        TEST(dtypes),
        TEST(squares_of_halves_overflow),
        TEST(numbers_on_two_devices),
        TEST(devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
