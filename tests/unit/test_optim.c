/* Optimizers: against what PyTorch's computed, against plain loops over every dtype, size and
 * layout; groups, state, refusals. And clipping gradients. */
#include "tests/unit/values.h"

#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static mc_tensor *param(mc_tensor *x)
{
    return mc_requires_grad_(mc_clone(x), true);
}

static mc_tensor *numbers(const double *v, size_t n, mc_dtype dtype)
{
    return mc_to_dtype(mc_from_array(v, mc_shape((int64_t)n)), dtype);
}

static mc_error_kind refused(const void *made)
{
    assert_null(made);
    return failed(NULL);
}

/* ---- PyTorch's values ------------------------------------------------------------------------ */

static const double start[4] = {1, -2, 0.5, 3};

/* The gradient that the recorded steps were made with. */
static void give_gradient(mc_tensor *p, int t)
{
    const double slope[4] = {1, 2, -1, 0.5}, offset[4] = {0.1 * t, -0.2, 0.3, -0.4 * t};
    mc_dtype d = mc_dtype_of(p);
    mc_tensor *g = mc_add(mc_mul(mc_double(mc_cpu(mc_detach(p))), numbers(slope, 4, MC_F64)),
                          numbers(offset, 4, MC_F64));
    assert_true(mc_set_grad(p, mc_to(g, .dtype = d, .device = mc_device_of(p))));
}

/* Five steps from start; frees the optimizer. */
static void five_steps(mc_tensor *p, mc_optimizer *o, const double *want, double tolerance)
{
    assert_non_null(o);
    for (int t = 0; t < 5; t++) {
        mc_optimizer_zero_grad(o);
        give_gradient(p, t);
        assert_true(mc_optimizer_step(o));
    }
    const double *got = values(mc_detach(p));
    for (int i = 0; i < 4; i++)
        if (!(fabs(got[i] - want[i]) <= tolerance * (1 + fabs(want[i]))))
            fail_msg("element %d is %.17g, not %.17g", i, got[i], want[i]);
    mc_optimizer_free(o);
}

/* CASE(the optimizer of p, values after five steps) */
#define CASE(make, ...)                                                                            \
    do {                                                                                           \
        mc_tensor *p = param(mc_to(numbers(start, 4, d), .device = device));                       \
        five_steps(p, make, (const double[]){__VA_ARGS__}, tolerance);                             \
    } while (0)

static void recorded_cases(mc_dtype d, mc_device device, double tolerance)
{
    CASE(mc_sgd(mc_params(p), 0.1), 0.50000000000000011, -0.58812799999999976, 0.62210200000000004,
         2.7018378125);
    CASE(mc_sgd(mc_params(p), 0.1, .momentum = 0.9), -0.19588000000000005, 1.3188820000000003,
         0.83020000000000027, 1.9553328124999998);
    CASE(mc_sgd(mc_params(p), 0.1, .momentum = 0.9, .dampening = 0.3, .weight_decay = 0.05),
         -0.020992028507594178, 1.0264796871759518, 0.71564264976944492, 1.9428606078992021);
    CASE(mc_sgd(mc_params(p), 0.1, .momentum = 0.8, .nesterov = true, .weight_decay = 0.01),
         -0.15969335221195299, 0.65884738271679988, 0.90271710415663053, 2.0818148473546576);
    CASE(mc_sgd(mc_params(p), 0.1, .momentum = 0.9, .maximize = true, .weight_decay = 0.1),
         2.6572818809000003, -10.008742644, 0.24918435475, 3.9568505152000006);
    CASE(mc_adam(mc_params(p), 0.1), 0.50000000495684283, -1.502774554659436, 0.99586315920680912,
         2.5728668177521574);
    CASE(mc_adam(mc_params(p), 0.1, .beta1 = MC_NUM(0.8), .beta2 = MC_NUM(0.95),
                 .eps = MC_NUM(1e-3), .weight_decay = MC_NUM(0.1)),
         0.50111152719510765, -1.5042902799611539, 0.9996794803367246, 2.5629481434694075);
    CASE(mc_adam(mc_params(p), 0.1, .beta1 = MC_NUM(0.5), .beta2 = MC_NUM(0.6), .amsgrad = true),
         0.50000000494492192, -1.5048279872003179, 1.0033410222254424, 2.6705870894225958);
    CASE(mc_adam(mc_params(p), 0.1, .maximize = true), 1.5017467848585773, -2.5015090910570845,
         0.18290497926544722, 3.4588472352891784);
    CASE(mc_adam(mc_params(p), 0.1, .beta1 = MC_NUM(0), .beta2 = MC_NUM(0.99)), 0.50000000453585247,
         -1.5250467847016564, 1.1363562237043228, 2.7713691075371245);
    CASE(mc_adamw(mc_params(p), 0.1), 0.49604742944890357, -1.49385935476903, 0.99244358145459832,
         2.5594120295066158);
    CASE(mc_adamw(mc_params(p), 0.05, .beta2 = MC_NUM(0.99), .eps = MC_NUM(1e-6),
                  .weight_decay = MC_NUM(0.3), .amsgrad = true),
         0.6840589871476952, -1.6127624275331696, 0.70674252301630636, 2.5742848559368214);
}

static void steps_are_pytorchs(void **state)
{
    (void)state;
    static const struct {
        mc_dtype dtype;
        double tolerance;
    } of[] = {{MC_F64, 1e-13}, {MC_F32, 1e-6}, {MC_F16, 4e-3}, {MC_BF16, 3e-2}};
    for (size_t i = 0; i < COUNT(of); i++) {
        recorded_cases(of[i].dtype, MC_CPU, of[i].tolerance);
        recorded_cases(of[i].dtype, MC_CUDA, of[i].tolerance);
    }
}

/* By hand: 1 - 0.5 · 2 = 0, then with momentum 0.5: 0 - 0.5 · (0.5 · 2 + 4) = -2.5. */
static void a_step_by_hand(void **state)
{
    (void)state;
    mc_tensor *p = param(mc_ones(mc_shape(1)));
    mc_optimizer *o = mc_sgd(mc_params(p), 0.5, .momentum = 0.5);
    mc_set_grad(p, mc_full(mc_shape(1), 2.0));
    mc_optimizer_step(o);
    ASSERT_VALUES(mc_detach(p), 0);
    mc_set_grad(p, mc_full(mc_shape(1), 4.0));
    mc_optimizer_step(o);
    ASSERT_VALUES(mc_detach(p), -2.5);
    mc_optimizer_free(o);

    /* The first step of Adam is lr in the direction of the sign, whatever the size. */
    mc_tensor *q = param(mc_zeros(mc_shape(2), .dtype = MC_F64));
    o = mc_adam(mc_params(q), 0.25, .eps = MC_NUM(0));
    mc_set_grad(q, numbers((double[]){1e-30, -1e30}, 2, MC_F64));
    mc_optimizer_step(o);
    assert_near(MC_F64, values(mc_detach(q))[0], -0.25);
    assert_near(MC_F64, values(mc_detach(q))[1], 0.25);
    mc_optimizer_free(o);
}

/* ---- every dtype, size and layout ------------------------------------------------------------ */

/* AdamW in double, with a gradient that stays the same. */
static void naive_adamw(double *p, const double *g, size_t n, int steps)
{
    for (size_t i = 0; i < n; i++) {
        double m = 0, v = 0;
        for (int t = 1; t <= steps; t++) {
            p[i] *= 1 - 0.01 * 0.1;
            m = 0.9 * m + 0.1 * g[i];
            v = 0.999 * v + 0.001 * g[i] * g[i];
            p[i] -= 0.01 * (m / (1 - pow(0.9, t))) / (sqrt(v / (1 - pow(0.999, t))) + 1e-8);
        }
    }
}

static void check_adamw(mc_tensor *p, mc_tensor *g, mc_dtype state_dtype)
{
    size_t n = (size_t)mc_numel(p);
    double *want = malloc(n * sizeof *want + 1);
    memcpy(want, values(mc_detach(p)), n * sizeof *want);
    naive_adamw(want, values(g), n, 3);
    mc_optimizer *o =
        mc_adamw(mc_params(p), 0.01, .weight_decay = MC_NUM(0.1), .state_dtype = state_dtype);
    assert_true(mc_set_grad(p, g));
    for (int t = 0; t < 3; t++)
        assert_true(mc_optimizer_step(o));
    const double *got = values(mc_detach(p));
    for (size_t i = 0; i < n; i++) {
        double rounding = mc_dtype_of(p) == MC_F16    ? 3e-3
                          : mc_dtype_of(p) == MC_BF16 ? 2.5e-2
                                                      : 1e-6;
        if (!(fabs(got[i] - want[i]) <= rounding * (1 + fabs(want[i]))))
            fail_msg("%s, %zu: element %zu is %g, not %g", mc_dtype_name(mc_dtype_of(p)), n, i,
                     got[i], want[i]);
    }
    free(want);
    mc_optimizer_free(o);
}

static void every_size_and_dtype(void **state)
{
    (void)state;
    static const mc_dtype dtypes[] = {MC_F64, MC_F32, MC_F16, MC_BF16};
    static const int64_t sizes[] = {0, 1, 3, 511, 512, 513, 40000, 100003};
    for (size_t d = 0; d < COUNT(dtypes); d++)
        for (size_t i = 0; i < COUNT(sizes); i++) {
            mc_scope s = mc_scope_begin();
            mc_tensor *x = some(mc_shape(sizes[i]), dtypes[d]);
            mc_tensor *g = mc_mul(mc_flip(x, 0), 0.5);
            check_adamw(param(x), g, MC_DTYPE_DEFAULT);
            check_adamw(param(x), g, MC_F32);
            mc_scope_end(s);
        }
}

/* Parameters and gradients need not lie in order. */
static void every_layout(void **state)
{
    (void)state;
    mc_tensor *x = some(mc_shape(40, 30), MC_F32), *g = some(mc_shape(30, 40), MC_F32);
    mc_tensor *turned = mc_requires_grad_(mc_t(mc_clone(x)), true);
    assert_false(mc_is_contiguous(turned));
    check_adamw(turned, g, MC_DTYPE_DEFAULT);
    check_adamw(param(x), mc_t(g), MC_DTYPE_DEFAULT);
    check_adamw(param(x), mc_expand(mc_full(mc_shape(1, 30), 0.5), 40, 30), MC_DTYPE_DEFAULT);
}

/* An infinite parameter spoils nothing but itself, and no decay means none. */
static void no_decay_is_none(void **state)
{
    (void)state;
    mc_tensor *p = param(numbers((double[]){INFINITY, 1}, 2, MC_F32));
    mc_set_grad(p, mc_ones(mc_shape(2)));
    mc_optimizer *sgd = mc_sgd(mc_params(p), 1), *adam = mc_adam(mc_params(p), 1);
    mc_optimizer_step(sgd);
    mc_optimizer_step(adam);
    assert_true(isinf(values(mc_detach(p))[0]));
    assert_near(MC_F32, values(mc_detach(p))[1], -1);
    mc_optimizer_free(sgd);
    mc_optimizer_free(adam);
}

/* ---- state ----------------------------------------------------------------------------------- */

static void state_has_the_parameters_dtype(void **state)
{
    (void)state;
    mc_tensor *h = param(mc_ones(mc_shape(3), .dtype = MC_F16, .device = MC_CUDA));
    mc_tensor *d = param(mc_ones(mc_shape(2), .dtype = MC_F64));
    for (int wide = 0; wide < 2; wide++) {
        mc_optimizer *o =
            mc_adam(mc_params(h, d), 0.1, .state_dtype = wide ? MC_F32 : MC_DTYPE_DEFAULT);
        assert_null(mc_optimizer_state(o, h, "exp_avg"));
        mc_set_grad(h, mc_ones_like(h));
        mc_set_grad(d, mc_ones_like(d));
        assert_true(mc_optimizer_step(o));
        mc_tensor *mean = mc_optimizer_state(o, h, "exp_avg");
        assert_int_equal(mc_dtype_of(mean), wide ? MC_F32 : MC_F16);
        assert_true(mc_is_cuda(mean));
        assert_shape(mean, mc_shape(3));
        assert_near(MC_F16, values(mean)[0], 0.1);
        assert_int_equal(mc_dtype_of(mc_optimizer_state(o, d, "exp_avg_sq")), MC_F64);
        assert_null(mc_optimizer_state(o, d, "max_exp_avg_sq"));
        assert_null(mc_optimizer_state(o, d, "momentum_buffer"));
        mc_optimizer_free(o);
    }
}

/* It holds the tensors it was given: what replaces them in the model is not trained. */
static void a_moved_model_is_not_followed(void **state)
{
    (void)state;
    mc_tensor *w = param(mc_ones(mc_shape(2)));
    mc_optimizer *o = mc_sgd(mc_params(w), 1);
    mc_tensor *moved = mc_requires_grad_(mc_detach(mc_cuda(w)), true);
    mc_backward(mc_sum(moved));
    mc_optimizer_step(o);
    ASSERT_VALUES(mc_detach(moved), 1, 1);
    mc_backward(mc_sum(w));
    mc_optimizer_step(o);
    ASSERT_VALUES(mc_detach(w), 0, 0);
    assert_ptr_equal(mc_optimizer_params(o).tensors[0], w);
    mc_free(w);
    assert_false(mc_optimizer_step(o));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    mc_optimizer_free(o);
}

/* State and parameters outlive the scope in which a step was made. */
static void scopes_do_not_take_state(void **state)
{
    (void)state;
    mc_tensor *w = param(mc_zeros(mc_shape(1)));
    mc_optimizer *o = mc_sgd(mc_params(w), 1, .momentum = 1);
    for (int i = 0; i < 3; i++) {
        mc_scope s = mc_scope_begin();
        mc_optimizer_zero_grad(o);
        mc_backward(mc_sum(w));
        mc_optimizer_step(o);
        mc_scope_end(s);
    }
    ASSERT_VALUES(mc_detach(w), -6);
    mc_optimizer_free(o);
}

/* ---- parameters and groups ------------------------------------------------------------------- */

static void parameters_without_gradient_stay(void **state)
{
    (void)state;
    mc_tensor *a = param(mc_ones(mc_shape(1))), *b = param(mc_ones(mc_shape(1)));
    mc_tensor *fixed = mc_ones(mc_shape(1)), *count = mc_ones(mc_shape(1), .dtype = MC_I64);
    mc_optimizer *o = mc_adam(mc_params(a, b, fixed, count), 0.5);
    mc_backward(mc_sum(b));
    assert_true(mc_optimizer_step(o));
    ASSERT_VALUES(mc_detach(a), 1);
    assert_near(MC_F32, values(mc_detach(b))[0], 0.5);
    ASSERT_VALUES(fixed, 1);
    assert_true(mc_optimizer_zero_grad(o));
    assert_null(mc_grad(b));
    /* The correction of the means counts a parameter's own steps. */
    mc_backward(mc_sum(a));
    assert_true(mc_optimizer_step(o));
    assert_near(MC_F32, values(mc_detach(a))[0], 0.5);
    mc_optimizer_free(o);
}

static void groups_have_numbers_of_their_own(void **state)
{
    (void)state;
    mc_tensor *a = param(mc_ones(mc_shape(1))), *b = param(mc_ones(mc_shape(1)));
    mc_tensor *c = param(mc_ones(mc_shape(1)));
    mc_optimizer *o = mc_sgd(mc_params(a), 1, .weight_decay = 1);
    assert_true(mc_optimizer_add_param_group(o, mc_params(b), .weight_decay = MC_NUM(0)));
    assert_true(mc_optimizer_add_param_group(o, mc_params(c), .lr = MC_NUM(0.25)));
    assert_int_equal(mc_optimizer_params(o).count, 3);
    mc_backward(mc_sum(mc_add(mc_add(a, b), c)));
    mc_optimizer_step(o);
    ASSERT_VALUES(mc_detach(a), -1);
    ASSERT_VALUES(mc_detach(b), 0);
    ASSERT_VALUES(mc_detach(c), 0.5);
    assert_true(mc_optimizer_set_lr(o, 0));
    mc_optimizer_step(o);
    ASSERT_VALUES(mc_detach(c), 0.5);
    assert_true(mc_optimizer_set_group_lr(o, 1, 2));
    mc_optimizer_step(o);
    ASSERT_VALUES(mc_detach(a), -1);
    ASSERT_VALUES(mc_detach(b), -2);
    assert_true(mc_optimizer_lr(o, 0) == 0 && mc_optimizer_lr(o, 1) == 2);
    assert_true(isnan(mc_optimizer_lr(o, 3)) && isnan(mc_optimizer_lr(NULL, 0)));
    assert_false(mc_optimizer_set_group_lr(o, 3, 1));
    assert_int_equal(failed(NULL), MC_ERROR_INDEX);
    mc_optimizer_free(o);
}

static void groups_that_do_not_fit(void **state)
{
    (void)state;
    mc_tensor *a = param(mc_ones(mc_shape(1))), *b = param(mc_ones(mc_shape(1)));
    mc_optimizer *o = mc_adam(mc_params(a), 1);
    assert_false(mc_optimizer_add_param_group(o, mc_params(a)));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_false(mc_optimizer_add_param_group(o, mc_params(b, b)));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_false(mc_optimizer_add_param_group(o, mc_params(b), .momentum = MC_NUM(0.9)));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_false(mc_optimizer_add_param_group(o, mc_params(b), .lr = MC_ARG(b)));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_false(mc_optimizer_add_param_group(o, mc_params(b), .lr = MC_NUM(-1)));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_int_equal(mc_optimizer_params(o).count, 1);
    mc_optimizer_free(o);
}

static void refusals(void **state)
{
    (void)state;
    mc_tensor *p = param(mc_ones(mc_shape(1)));
    mc_params one = mc_params(p), none = {0};
    assert_int_equal(refused(mc_sgd(none, 1)), MC_ERROR_ARGUMENT);
    assert_int_equal(refused(mc_sgd(mc_params(mc_mul(p, 2)), 1)), MC_ERROR_LEAF);
    assert_int_equal(refused(mc_sgd(one, -1)), MC_ERROR_ARGUMENT);
    assert_int_equal(refused(mc_sgd(one, NAN)), MC_ERROR_ARGUMENT);
    assert_int_equal(refused(mc_sgd(one, 1, .momentum = -1)), MC_ERROR_ARGUMENT);
    assert_int_equal(refused(mc_sgd(one, 1, .weight_decay = -1)), MC_ERROR_ARGUMENT);
    assert_int_equal(refused(mc_sgd(one, 1, .nesterov = true)), MC_ERROR_ARGUMENT);
    assert_int_equal(refused(mc_sgd(one, 1, .nesterov = true, .momentum = 0.9, .dampening = 0.1)),
                     MC_ERROR_ARGUMENT);
    assert_int_equal(refused(mc_adam(one, 1, .beta1 = MC_NUM(1))), MC_ERROR_ARGUMENT);
    assert_int_equal(refused(mc_adam(one, 1, .beta2 = MC_NUM(-0.1))), MC_ERROR_ARGUMENT);
    assert_int_equal(refused(mc_adamw(one, 1, .eps = MC_NUM(-1))), MC_ERROR_ARGUMENT);
    assert_int_equal(refused(mc_adamw(one, 1, .state_dtype = MC_F16)), MC_ERROR_ARGUMENT);
    assert_int_equal(refused(mc_adam(mc_params(p, p), 1)), MC_ERROR_ARGUMENT);
    assert_false(mc_optimizer_step(NULL));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    mc_optimizer_free(NULL);
}

/* After an error everything that depends on it is quiet. */
static void a_missing_optimizer_is_quiet(void **state)
{
    (void)state;
    mc_tensor *p = mc_matmul(mc_ones(mc_shape(2)), mc_ones(mc_shape(3)));
    const mc_error *first = mc_last_error();
    assert_non_null(first);
    mc_optimizer *o = mc_sgd(mc_params(p), 1);
    assert_null(o);
    assert_false(mc_optimizer_step(o));
    assert_false(mc_optimizer_zero_grad(o));
    assert_string_equal(mc_last_error()->op, "matmul");
    mc_clear_error();
}

/* ---- clipping -------------------------------------------------------------------------------- */

static mc_tensor *with_gradient(const double *v, size_t n, mc_dtype dtype, mc_device device)
{
    mc_tensor *g = mc_to(numbers(v, n, dtype), .device = device);
    mc_tensor *p = mc_requires_grad_(mc_zeros_like(g), true);
    mc_set_grad(p, g);
    return p;
}

static void clips_by_norm(void **state)
{
    (void)state;
    mc_tensor *a = with_gradient((double[]){3, 0}, 2, MC_F32, MC_CPU);
    mc_tensor *b = with_gradient((double[]){0, -4}, 2, MC_F64, MC_CUDA);
    mc_tensor *none = param(mc_ones(mc_shape(3)));
    mc_params all = mc_params(a, none, b);
    assert_near(MC_F32, values(mc_clip_grad_norm_(all, 10))[0], 5);
    ASSERT_VALUES(mc_grad(a), 3, 0);
    mc_tensor *norm = mc_clip_grad_norm_(all, 2.5);
    assert_int_equal(mc_ndim(norm), 0);
    assert_near(MC_F32, values(norm)[0], 5);
    assert_near(MC_F32, values(mc_grad(a))[0], 1.5);
    assert_near(MC_F32, values(mc_grad(b))[1], -2);
    assert_near(MC_F32, values(mc_clip_grad_norm_(all, 1, .norm_type = INFINITY))[0], 2);
    assert_near(MC_F32, values(mc_grad(b))[1], -1);
    assert_near(MC_F32, values(mc_clip_grad_norm_(all, 100, .norm_type = 1))[0], 1.75);
    ASSERT_VALUES(mc_clip_grad_norm_(mc_params(none), 1), 0);
}

static void clips_what_is_not_finite(void **state)
{
    (void)state;
    mc_tensor *p = with_gradient((double[]){1, INFINITY}, 2, MC_F32, MC_CPU);
    assert_int_equal(failed(mc_clip_grad_norm_(mc_params(p), 1, .error_if_nonfinite = true)),
                     MC_ERROR_VALUE);
    assert_true(values(mc_grad(p))[0] == 1);
    assert_true(isinf(values(mc_clip_grad_norm_(mc_params(p), 1))[0]));
    assert_true(values(mc_grad(p))[0] == 0 && isnan(values(mc_grad(p))[1]));
}

static void clips_by_value(void **state)
{
    (void)state;
    mc_tensor *a = with_gradient((double[]){3, -0.5, NAN}, 3, MC_F16, MC_CUDA);
    mc_tensor *none = param(mc_ones(mc_shape(3)));
    assert_true(mc_clip_grad_value_(mc_params(a, none), 1));
    const double *got = values(mc_grad(a));
    assert_true(got[0] == 1 && got[1] == -0.5 && isnan(got[2]));
    assert_false(mc_clip_grad_value_(mc_params(a), -1));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(steps_are_pytorchs),
        TEST(a_step_by_hand),
        TEST(every_size_and_dtype),
        TEST(every_layout),
        TEST(no_decay_is_none),
        TEST(state_has_the_parameters_dtype),
        TEST(a_moved_model_is_not_followed),
        TEST(scopes_do_not_take_state),
        TEST(parameters_without_gradient_stay),
        TEST(groups_have_numbers_of_their_own),
        TEST(groups_that_do_not_fit),
        TEST(refusals),
        TEST(a_missing_optimizer_is_quiet),
        TEST(clips_by_norm),
        TEST(clips_what_is_not_finite),
        TEST(clips_by_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
