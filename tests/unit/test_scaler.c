/* The gradient scaler: what it multiplies and divides, which steps it leaves out, how the scale
 * moves, and what it refuses. */
#include "tests/unit/values.h"

static mc_tensor *weight(mc_dtype dtype, mc_device device)
{
    return mc_requires_grad_(mc_ones(mc_shape(2), .dtype = dtype, .device = device), true);
}

static double first(mc_tensor *t)
{
    return values(mc_detach(t))[0];
}

static mc_error_kind refused(bool done)
{
    assert_false(done);
    return failed(NULL);
}

/* The gradient of w is value in every element, times the scale. */
static void backward(mc_grad_scaler *scaler, mc_tensor *w, double value)
{
    mc_backward(mc_grad_scaler_scale(scaler, mc_sum(mc_mul(w, value))));
}

/* ---- scaling --------------------------------------------------------------------------------- */

static void scales_losses(void **state)
{
    (void)state;
    mc_grad_scaler *s = mc_grad_scaler_new(true, .init_scale = 1024);
    assert_true(mc_grad_scaler_is_enabled(s));
    assert_true(mc_grad_scaler_get_scale(s) == 1024);
    /* The scale is an f32 without dimensions, and promotion does the rest. */
    static const struct {
        mc_dtype in;
        int ndim;
        mc_dtype out;
    } cases[] = {{MC_F32, 0, MC_F32},   {MC_F16, 0, MC_F32}, {MC_F16, 1, MC_F16},
                 {MC_BF16, 1, MC_BF16}, {MC_F64, 0, MC_F64}, {MC_I64, 1, MC_F32}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mc_shape shape = cases[i].ndim ? mc_shape(1) : mc_shape();
        mc_tensor *y = mc_grad_scaler_scale(s, mc_ones(shape, .dtype = cases[i].in));
        assert_int_equal(mc_dtype_of(y), cases[i].out);
        ASSERT_VALUES(y, 1024);
    }
    mc_tensor *there = mc_grad_scaler_scale(s, mc_ones(mc_shape(), .device = MC_CUDA));
    assert_true(mc_is_cuda(there));
    mc_grad_scaler_free(s);
}

static void one_that_is_off_does_nothing(void **state)
{
    (void)state;
    mc_tensor *w = weight(MC_F16, MC_CUDA), *x = mc_ones(mc_shape());
    mc_grad_scaler *s = mc_grad_scaler_new(false);
    mc_optimizer *o = mc_sgd(mc_params(w), 1);
    assert_false(mc_grad_scaler_is_enabled(s));
    assert_true(mc_grad_scaler_get_scale(s) == 1);
    assert_ptr_equal(mc_grad_scaler_scale(s, x), x);
    backward(s, w, INFINITY);
    assert_true(mc_grad_scaler_unscale_(s, o) && mc_grad_scaler_unscale_(s, o));
    assert_true(mc_grad_scaler_step(s, o) && mc_grad_scaler_step(s, o));
    assert_true(mc_grad_scaler_update(s));
    assert_false(isfinite(first(w)));
    mc_optimizer_free(o);
    mc_grad_scaler_free(s);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void steps_with_gradients_of_their_own_size(void **state)
{
    (void)state;
    static const mc_device devices[] = {MC_CPU, MC_CUDA};
    static const mc_dtype dtypes[] = {MC_F32, MC_F64};
    for (int i = 0; i < 4; i++) {
        mc_tensor *w = weight(dtypes[i % 2], devices[i / 2]);
        mc_grad_scaler *s = mc_grad_scaler_new(true);
        mc_optimizer *o = mc_sgd(mc_params(w), 1);
        backward(s, w, 0.25);
        assert_true(first(mc_grad(w)) == 0.25 * 65536);
        assert_true(mc_grad_scaler_step(s, o));
        assert_true(first(w) == 0.75);
        assert_true(first(mc_grad(w)) == 0.25);
        assert_true(mc_grad_scaler_update(s));
        mc_optimizer_free(o);
        mc_grad_scaler_free(s);
    }
}

/* Unscaled by hand, to clip; the step does not do it again. */
static void unscales_for_clipping(void **state)
{
    (void)state;
    mc_tensor *w = weight(MC_F32, MC_CPU);
    mc_grad_scaler *s = mc_grad_scaler_new(true);
    mc_optimizer *o = mc_sgd(mc_params(w), 1);
    backward(s, w, 4);
    assert_true(mc_grad_scaler_unscale_(s, o));
    assert_near(MC_F32, values(mc_clip_grad_norm_(mc_optimizer_params(o), 1))[0], 4 * sqrt(2));
    assert_true(mc_grad_scaler_step(s, o));
    assert_near(MC_F32, first(w), 1 - sqrt(0.5));
    mc_optimizer_free(o);
    mc_grad_scaler_free(s);
}

/* A gradient that does not lie in order, and one element of many that is not finite. */
static void finds_every_infinity(void **state)
{
    (void)state;
    enum { N = 70001 };
    static const mc_dtype dtypes[] = {MC_F32, MC_F64, MC_BF16};
    static const double bad[] = {INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 9; i++) {
        mc_scope scope = mc_scope_begin();
        mc_tensor *grad = mc_ones(mc_shape(2, N), .dtype = dtypes[i % 3]);
        mc_fill_(mc_narrow(mc_select(grad, 0, 1), 0, N - 1 - i * 7777, 1), bad[i / 3]);
        mc_tensor *w = mc_requires_grad_(mc_zeros_like(mc_t(grad)), true);
        mc_set_grad(w, mc_t(grad));
        mc_grad_scaler *s = mc_grad_scaler_new(true, .init_scale = 8);
        mc_optimizer *o = mc_sgd(mc_params(w), 1);
        mc_grad_scaler_scale(s, mc_ones(mc_shape()));
        assert_false(mc_grad_scaler_step(s, o));
        assert_null(mc_last_error());
        assert_true(first(w) == 0 && first(mc_grad(w)) == 0.125);
        assert_true(mc_grad_scaler_update(s));
        assert_true(mc_grad_scaler_get_scale(s) == 4);
        mc_optimizer_free(o);
        mc_grad_scaler_free(s);
        mc_scope_end(scope);
    }
}

/* ---- the scale ------------------------------------------------------------------------------- */

static void train(mc_grad_scaler *s, mc_optimizer *o, mc_tensor *w, double gradient)
{
    mc_optimizer_zero_grad(o);
    backward(s, w, gradient);
    mc_grad_scaler_step(s, o);
    assert_true(mc_grad_scaler_update(s));
}

static void grows_and_shrinks(void **state)
{
    (void)state;
    mc_tensor *w = weight(MC_F32, MC_CPU);
    mc_optimizer *o = mc_sgd(mc_params(w), 0);
    mc_grad_scaler *s = mc_grad_scaler_new(true, .init_scale = 64, .growth_factor = 4,
                                           .backoff_factor = 0.25, .growth_interval = 3);
    /* A step that was left out starts the count again. */
    static const struct {
        double gradient, scale;
    } steps[] = {{1, 64}, {1, 64},  {1, 256},  {1, 256}, {INFINITY, 64}, {1, 64},
                 {1, 64}, {1, 256}, {NAN, 64}, {1, 64},  {1, 64},        {1, 256}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        train(s, o, w, steps[i].gradient);
        assert_true(mc_grad_scaler_get_scale(s) == steps[i].scale);
    }
    assert_true(mc_grad_scaler_update(s, .new_scale = 7));
    assert_true(mc_grad_scaler_get_scale(s) == 7);
    mc_grad_scaler_free(s);

    /* It never grows to infinity. */
    s = mc_grad_scaler_new(true, .init_scale = 0x1p127, .growth_interval = 1);
    train(s, o, w, 0);
    assert_true(mc_grad_scaler_get_scale(s) == 0x1p127);
    mc_grad_scaler_free(s);
    mc_optimizer_free(o);
}

/* Each optimizer steps or not by its own gradients; the scale shrinks if any did not. */
static void several_optimizers(void **state)
{
    (void)state;
    mc_tensor *a = weight(MC_F32, MC_CPU), *b = weight(MC_F32, MC_CUDA);
    mc_optimizer *of_a = mc_sgd(mc_params(a), 1), *of_b = mc_sgd(mc_params(b), 1);
    mc_grad_scaler *s = mc_grad_scaler_new(true, .init_scale = 2);
    backward(s, a, 1);
    backward(s, b, INFINITY);
    assert_true(mc_grad_scaler_step(s, of_a));
    assert_false(mc_grad_scaler_step(s, of_b));
    assert_null(mc_last_error());
    assert_true(first(a) == 0 && first(b) == 1);
    mc_grad_scaler_update(s);
    assert_true(mc_grad_scaler_get_scale(s) == 1);
    mc_optimizer_free(of_a);
    mc_optimizer_free(of_b);
    mc_grad_scaler_free(s);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void order_of_calls(void **state)
{
    (void)state;
    mc_tensor *w = weight(MC_F32, MC_CPU);
    mc_optimizer *o = mc_sgd(mc_params(w), 1);
    mc_grad_scaler *s = mc_grad_scaler_new(true);
    assert_int_equal(refused(mc_grad_scaler_unscale_(s, o)), MC_ERROR_UNSCALE);
    assert_int_equal(refused(mc_grad_scaler_update(s)), MC_ERROR_UNSCALE);
    mc_tensor *loss = mc_grad_scaler_scale(s, mc_sum(w));
    assert_int_equal(refused(mc_grad_scaler_update(s)), MC_ERROR_UNSCALE);
    assert_int_equal(refused(mc_grad_scaler_step(s, o)), MC_ERROR_UNSCALE); /* no backward */
    mc_grad_scaler_update(s, .new_scale = 65536);
    mc_backward(loss);
    assert_true(mc_grad_scaler_unscale_(s, o));
    assert_int_equal(refused(mc_grad_scaler_unscale_(s, o)), MC_ERROR_UNSCALE);
    assert_true(first(mc_grad(w)) == 1);
    assert_true(mc_grad_scaler_step(s, o));
    assert_int_equal(refused(mc_grad_scaler_unscale_(s, o)), MC_ERROR_UNSCALE);
    assert_int_equal(refused(mc_grad_scaler_step(s, o)), MC_ERROR_UNSCALE);
    assert_true(mc_grad_scaler_update(s));
    assert_int_equal(refused(mc_grad_scaler_update(s)), MC_ERROR_UNSCALE);
    assert_true(mc_grad_scaler_step(s, o));
    mc_optimizer_free(o);
    mc_grad_scaler_free(s);
}

/* Half gradients: of f16 never; of bf16 on the cpu, where there is a kernel. */
static void half_gradients(void **state)
{
    (void)state;
    static const struct {
        mc_dtype dtype;
        mc_device device;
        bool taken;
    } cases[] = {{MC_F16, MC_CPU, false},
                 {MC_F16, MC_CUDA, false},
                 {MC_BF16, MC_CPU, true},
                 {MC_BF16, MC_CUDA, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mc_tensor *fine = weight(MC_F32, MC_CPU), *w = weight(cases[i].dtype, cases[i].device);
        mc_optimizer *o = mc_sgd(mc_params(fine, w), 1);
        mc_grad_scaler *s = mc_grad_scaler_new(true, .init_scale = 4);
        backward(s, fine, 1);
        backward(s, w, 1);
        bool stepped = mc_grad_scaler_step(s, o);
        if (cases[i].taken) {
            assert_true(stepped && first(w) == 0);
        } else {
            assert_int_equal(refused(stepped), MC_ERROR_UNSCALE);
            assert_true(first(mc_grad(fine)) == 4); /* nothing was touched */
        }
        mc_optimizer_free(o);
        mc_grad_scaler_free(s);
    }
}

static void wrong_numbers(void **state)
{
    (void)state;
    assert_null(mc_grad_scaler_new(true, .init_scale = -1));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_null(mc_grad_scaler_new(true, .init_scale = 1e60));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_null(mc_grad_scaler_new(true, .growth_factor = 1));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_null(mc_grad_scaler_new(true, .backoff_factor = 1.5));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_null(mc_grad_scaler_new(true, .growth_interval = -5));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_null(mc_grad_scaler_scale(NULL, mc_ones(mc_shape())));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    mc_grad_scaler_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(scales_losses),
        TEST(one_that_is_off_does_nothing),
        TEST(steps_with_gradients_of_their_own_size),
        TEST(unscales_for_clipping),
        TEST(finds_every_infinity),
        TEST(grows_and_shrinks),
        TEST(several_optimizers),
        TEST(order_of_calls),
        TEST(half_gradients),
        TEST(wrong_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
