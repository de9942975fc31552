/* Gradients, the public side: who requires one, backward and what it leaves, modes, lifetime, and
 * the errors of all these. */
#include "tests/unit/values.h"

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* Under AddressSanitizer stale pointers are its business, and freed memory is held back. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static mc_tensor *leaf(mc_shape shape, mc_dtype dtype)
{
    return mc_requires_grad_(mc_full(shape, 0.5, .dtype = dtype), true);
}

static void assert_each(mc_tensor *t, double want)
{
    const double *v = values(t);
    for (int64_t i = 0; i < mc_numel(t); i++)
        assert_float_equal(v[i], want, 1e-6);
}

static mc_error_kind kind_of_error(void)
{
    mc_error_kind kind = mc_last_error() ? mc_last_error()->kind : MC_ERROR_NONE;
    mc_clear_error();
    return kind;
}

/* ---- who requires grad ------------------------------------------------------------------------
 */

static void floating_dtypes_only(void **state)
{
    (void)state;
    for (int d = MC_BOOL; d < MC_DTYPE_COUNT; d++) {
        mc_tensor *t = mc_zeros(mc_shape(2), .dtype = (mc_dtype)d);
        bool floating = mc_dtype_is_floating((mc_dtype)d);
        assert_non_null(mc_requires_grad_(t, false));
        if (floating)
            assert_true(mc_requires_grad(mc_requires_grad_(t, true)));
        else
            assert_int_equal(failed(mc_requires_grad_(t, true)), MC_ERROR_GRAD);
    }
}

static void leaves_and_others(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(2), MC_F32), *y = mc_mul(x, 2);
    assert_true(mc_is_leaf(x));
    assert_false(mc_is_leaf(y));
    assert_true(mc_is_leaf(mc_zeros(mc_shape(2))));
    assert_true(mc_is_leaf(mc_detach(y)));
    assert_non_null(mc_requires_grad_(y, true));
    assert_int_equal(failed(mc_requires_grad_(y, false)), MC_ERROR_LEAF);
    assert_int_equal(failed(mc_requires_grad_(mc_select(x, 0, 0), false)), MC_ERROR_LEAF);
    assert_false(mc_requires_grad(mc_requires_grad_(x, false)));
    assert_false(mc_requires_grad(mc_mul(x, 2)));
}

static void integers_in_between(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(2), MC_F32);
    assert_false(mc_requires_grad(mc_long(x)));
    assert_false(mc_requires_grad(mc_float(mc_long(x))));
    assert_false(mc_requires_grad(mc_gt(x, 0)));
    assert_false(mc_requires_grad(mc_where(mc_gt(x, 0), 1.0, 2.0)));
    assert_true(mc_requires_grad(mc_where(mc_gt(x, 0), x, 2.0)));
}

/* ---- backward ---------------------------------------------------------------------------------
 */

static void gradients_gather(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(2, 2), MC_F32);
    assert_null(mc_grad(x));
    assert_true(mc_backward(mc_sum(mc_mul(x, 3))));
    mc_tensor *g = mc_grad(x);
    assert_each(g, 3);
    assert_true(mc_backward(mc_sum(mc_mul(x, x))));
    assert_ptr_equal(mc_grad(x), g);
    assert_each(g, 4);
    mc_zero_grad(x);
    assert_null(mc_grad(x));
    assert_true(mc_backward(mc_sum(x)));
    assert_each(mc_grad(x), 1);
    assert_true(mc_is_contiguous(mc_grad(x)));
}

/* y is used three times, on ways of different length. */
static void several_ways_to_one_leaf(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(3), MC_F64), *y = mc_mul(x, 2);
    mc_tensor *z = mc_add(mc_mul(y, y), mc_exp(mc_mul(mc_add(y, 1), y)));
    assert_true(mc_backward(mc_sum(mc_add(z, y))));
    assert_each(mc_grad(x), 2 * (2 + exp(2) * 3 + 1)); /* y = 1 */
}

static void what_backward_wants(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(2), MC_F32), *y = mc_mul(x, 2);
    assert_false(mc_backward(y)); /* which of the two? */
    assert_int_equal(kind_of_error(), MC_ERROR_GRAD);
    assert_false(mc_backward(mc_zeros(mc_shape())));
    assert_int_equal(kind_of_error(), MC_ERROR_GRAD);
    assert_false(mc_backward(y, .gradient = mc_ones(mc_shape(3))));
    assert_int_equal(kind_of_error(), MC_ERROR_SHAPE);
    assert_false(mc_backward(y, .gradient = mc_ones(mc_shape(2), .device = MC_CUDA)));
    assert_int_equal(kind_of_error(), MC_ERROR_DEVICE);
    assert_null(mc_grad(x));
    mc_tensor *given = mc_full(mc_shape(2), 3, .dtype = MC_I64);
    assert_true(mc_backward(y, .gradient = given, .retain_graph = true)); /* is cast */
    assert_each(mc_grad(x), 6);
    assert_int_equal(mc_dtype_of(mc_grad(x)), MC_F32);
    assert_true(mc_backward(mc_reshape(mc_narrow(y, 0, 0, 1), 1, 1))); /* one element will do */
    assert_true(mc_backward(x, .gradient = mc_ones(mc_shape(2))));     /* a leaf, too */
    assert_float_equal(values(mc_grad(x))[0], 9, 1e-6);
    assert_float_equal(values(mc_grad(x))[1], 7, 1e-6);
}

static void the_given_gradient_stays(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(2), MC_F32), *given = mc_ones(mc_shape(2));
    assert_true(mc_backward(mc_mul(x, 1.0), .gradient = given));
    mc_add_(mc_grad(x), 5);
    assert_each(given, 1);
    assert_true(mc_backward(mc_reshape(x, 2, 1), .gradient = mc_reshape(given, 2, 1)));
    assert_each(given, 1);
}

static void backward_twice(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(2), MC_F32), *y = mc_sum(mc_mul(x, x));
    assert_true(mc_backward(y, .retain_graph = true));
    assert_true(mc_backward(y));
    assert_each(mc_grad(x), 2);
    assert_false(mc_backward(y));
    assert_int_equal(kind_of_error(), MC_ERROR_GRAD);
    assert_each(mc_grad(x), 2);
    mc_tensor *plain = mc_sum(mc_add(x, 1)); /* which saves nothing */
    assert_true(mc_backward(plain));
    assert_true(mc_backward(plain));
    assert_each(mc_grad(x), 4);
}

/* A backward that fails half way has let go of nothing that another one needs. */
static void an_error_on_the_way(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(2), MC_F32), *y = mc_exp(x), *z = mc_mul(y, y);
    mc_tensor *target = mc_zeros(mc_shape(2), .dtype = MC_F16);
    mc_tensor *loss = mc_mse_loss(z, target); /* fails on the way back only */
    assert_non_null(loss);
    assert_false(mc_backward(loss));
    assert_non_null(strstr(mc_last_error()->message, "mse_loss (")); /* and says where from */
    assert_int_equal(kind_of_error(), MC_ERROR_DTYPE);
    assert_null(mc_grad(x));
    assert_true(mc_backward(mc_sum(z)));
    assert_each(mc_grad(x), 2 * exp(1));
}

static void dtypes_and_devices_on_the_way(void **state)
{
    (void)state;
    mc_tensor *w = leaf(mc_shape(2, 2), MC_F16), *s = leaf(mc_shape(), MC_F32);
    mc_tensor *x = mc_mul(mc_cuda(mc_float(w)), s); /* a 0-dim operand of the cpu */
    assert_true(mc_backward(mc_sum(mc_double(x))));
    assert_int_equal(mc_dtype_of(mc_grad(w)), MC_F16);
    assert_false(mc_is_cuda(mc_grad(w)));
    assert_each(mc_grad(w), 0.5);
    assert_int_equal(mc_dtype_of(mc_grad(s)), MC_F32);
    assert_false(mc_is_cuda(mc_grad(s)));
    assert_each(mc_grad(s), 2);
}

/* ---- grad -------------------------------------------------------------------------------------
 */

static void gradients_that_are_set(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(2), MC_F32), *g = mc_ones(mc_shape(2));
    assert_true(mc_set_grad(x, g));
    assert_true(mc_is_same_storage(mc_grad(x), g));
    assert_true(mc_backward(mc_sum(mc_mul(x, 2))));
    assert_each(g, 3); /* it gathers there */
    assert_false(mc_set_grad(x, mc_ones(mc_shape(2), .dtype = MC_F16)));
    assert_int_equal(kind_of_error(), MC_ERROR_DTYPE);
    assert_false(mc_set_grad(x, mc_ones(mc_shape(2), .device = MC_CUDA)));
    assert_int_equal(kind_of_error(), MC_ERROR_DEVICE);
    assert_false(mc_set_grad(x, mc_ones(mc_shape(3))));
    assert_int_equal(kind_of_error(), MC_ERROR_SHAPE);
    assert_false(mc_set_grad(x, x));
    assert_int_equal(kind_of_error(), MC_ERROR_ARGUMENT);
    assert_true(mc_is_same_storage(mc_grad(x), g));
    assert_true(mc_set_grad(x, NULL));
    assert_null(mc_grad(x));
    mc_tensor *i = mc_zeros(mc_shape(2), .dtype = MC_I64); /* even an integer may be given one */
    assert_true(mc_set_grad(i, mc_ones(mc_shape(2), .dtype = MC_I64)));
    assert_non_null(mc_grad(i));
}

static void a_gradient_is_not_the_users_to_free(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(2), MC_F32);
    assert_true(mc_backward(mc_sum(x)));
    mc_tensor *g = mc_grad(x);
    mc_free(g);
    assert_int_equal(kind_of_error(), MC_ERROR_ARGUMENT);
    assert_each(mc_grad(x), 1);
    mc_zero_grad(x);
    if (!SANITIZED) /* a stale pointer is found out */
        assert_int_equal(failed(mc_add(g, 1)), MC_ERROR_ARGUMENT);
}

static void gradients_of_others_are_retained(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(2), MC_F64), *y = mc_mul(x, 2), *z = mc_sum(mc_mul(y, y));
    assert_true(mc_retain_grad(y));
    assert_true(mc_retain_grad(x));
    assert_true(mc_backward(z, .retain_graph = true));
    assert_each(mc_grad(y), 2);
    assert_true(mc_backward(z));
    assert_each(mc_grad(y), 4);
    assert_each(mc_grad(x), 8);
    mc_tensor *w = mc_mul(x, 2); /* means w as it will be */
    assert_true(mc_retain_grad(w));
    mc_mul_(w, 3);
    mc_mul_(mc_select(w, 0, 0), 5);
    assert_true(mc_backward(mc_sum(w)));
    assert_each(mc_grad(w), 1);
    assert_false(mc_retain_grad(mc_zeros(mc_shape(2))));
    assert_int_equal(kind_of_error(), MC_ERROR_GRAD);
}

/* ---- without a history -------------------------------------------------------------------------
 */

static void detached(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(2), MC_F32), *y = mc_mul(x, 2), *d = mc_detach(y);
    assert_false(mc_requires_grad(d));
    assert_true(mc_is_same_storage(y, d));
    assert_true(mc_backward(mc_sum(mc_mul(y, d))));
    assert_each(mc_grad(x), 2);
    assert_int_equal(failed(mc_detach_(mc_select(mc_mul(x, 1), 0, 0))), MC_ERROR_GRAD);
    mc_tensor *z = mc_mul(x, 3);
    assert_ptr_equal(mc_detach_(z), z);
    assert_true(mc_is_leaf(z));
    mc_requires_grad_(z, true);
    assert_true(mc_backward(mc_sum(mc_mul(z, 4))));
    assert_each(mc_grad(z), 4);
    assert_each(mc_grad(x), 2);
}

static void modes(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(2), MC_F32);
    assert_true(mc_is_grad_enabled());
    mc_grad_mode outer = mc_no_grad_begin();
    assert_false(mc_is_grad_enabled());
    assert_false(mc_requires_grad(mc_mul(x, 2)));
    mc_grad_mode inner = mc_enable_grad_begin();
    mc_tensor *y = mc_mul(x, 2);
    mc_grad_mode_end(inner);
    assert_false(mc_is_grad_enabled());
    assert_true(mc_requires_grad(mc_zeros(mc_shape(2), .requires_grad = true))); /* as asked for */
    assert_false(mc_backward(mc_sum(y))); /* sum was not recorded */
    mc_clear_error();
    assert_true(mc_backward(y, .gradient = mc_ones(mc_shape(2))));
    mc_grad_mode_end(outer);
    assert_true(mc_is_grad_enabled());
    assert_each(mc_grad(x), 2);
}

/* ---- lifetime ----------------------------------------------------------------------------------
 */

static void scopes_end_before_backward(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(3), MC_F64), *loss;
    mc_scope scope = mc_scope_begin();
    mc_tensor *h = mc_exp(mc_mul(x, 2));
    loss = mc_sum(mc_mul(h, mc_narrow(mc_cat(0, h, h), 0, 0, 3)));
    loss = mc_scope_return(scope, loss);
    if (!SANITIZED) /* gone for its user */
        assert_int_equal(failed(mc_add(h, 1)), MC_ERROR_ARGUMENT);
    assert_true(mc_backward(loss));
    assert_each(mc_grad(x), 4 * exp(2));
}

/* A leaf may go before what was computed from it, and takes its gradient along. */
static void leaves_that_are_freed(void **state)
{
    (void)state;
    mc_tensor *x = mc_keep(leaf(mc_shape(3), MC_F64)), *y = mc_mul(x, x);
    mc_free(x);
    assert_true(mc_backward(mc_sum(y)));
    mc_tensor *whole = mc_keep(mc_mul(leaf(mc_shape(3), MC_F64), 2)), *v = mc_select(whole, 0, 1);
    mc_free(whole); /* a view outlives it, with its history */
    mc_mul_(v, 3);
    assert_true(mc_backward(v));
}

/* As deep as a loop is long: neither walk nor free may recurse. */
static void a_deep_graph(void **state)
{
    (void)state;
    mc_tensor *x = leaf(mc_shape(2), MC_F32), *y = x;
    mc_scope scope = mc_scope_begin();
    for (int i = 0; i < 200000; i++) {
        mc_tensor *next = mc_add(y, 0.0);
        if (y != x)
            mc_free(y);
        y = next;
    }
    assert_true(mc_backward(mc_sum(y), .retain_graph = true));
    assert_each(mc_grad(x), 1);
    mc_scope_end(scope);
}

static void a_wide_graph(void **state)
{
    (void)state;
    mc_tensor *parts[100], *x = leaf(mc_shape(2), MC_F64);
    for (int i = 0; i < 100; i++)
        parts[i] = mc_mul(x, i);
    assert_true(mc_backward(mc_sum(mc_catn(0, parts, 100))));
    assert_each(mc_grad(x), 4950);
    mc_tensor *last[20];
    for (int i = 0; i < 20; i++) /* only the last of many requires grad */
        last[i] = i == 19 ? leaf(mc_shape(2), MC_F64) : mc_zeros(mc_shape(2), .dtype = MC_F64);
    assert_true(mc_requires_grad(mc_stackn(0, last, 20)));
}

static size_t memory_in_use(void)
{
    return mallinfo2().uordblks + mallinfo2().hblkhd;
}

static void train_step(mc_tensor *w, mc_tensor *b, mc_tensor *x, mc_tensor *target)
{
    mc_scope scope = mc_scope_begin();
    mc_tensor *h = mc_gelu(mc_linear(x, w, b));
    mc_tensor *joined = mc_cat(1, mc_narrow(h, 1, 0, 4), mc_narrow(h, 1, 4, 4));
    mc_mul_(mc_select(joined, 1, 0), 0.5);
    mc_tensor *loss = mc_cross_entropy(mc_layer_norm(joined, NULL, NULL), target);
    assert_true(mc_backward(loss));
    mc_grad_mode mode = mc_no_grad_begin();
    mc_sub_(w, mc_mul(mc_grad(w), 0.01));
    mc_sub_(b, mc_mul(mc_grad(b), 0.01));
    mc_grad_mode_end(mode);
    mc_zero_grad(w);
    mc_zero_grad(b);
    mc_scope_end(scope);
}

/* After the first steps have filled caches and pools, memory stays as it is. */
static void a_training_loop_keeps_nothing(void **state)
{
    (void)state;
    mc_tensor *w = mc_requires_grad_(some(mc_shape(8, 16), MC_F32), true);
    mc_tensor *b = mc_zeros(mc_shape(8), .requires_grad = true);
    mc_tensor *x = some(mc_shape(32, 16), MC_F32),
              *target = mc_zeros(mc_shape(32), .dtype = MC_I64);
    for (int i = 0; i < 300; i++)
        train_step(w, b, x, target);
    size_t before = memory_in_use();
    for (int i = 0; i < (SANITIZED ? 500 : 10000); i++)
        train_step(w, b, x, target);
    size_t after = memory_in_use();
    assert_true(SANITIZED || after <= before + 4096);
}

/* A step that is not gone back through leaves nothing either. */
static void a_forgotten_graph_keeps_nothing(void **state)
{
    (void)state;
    mc_tensor *w = mc_requires_grad_(some(mc_shape(8, 16), MC_F32), true);
    size_t before = 0;
    for (int i = 0; i < 3000; i++) {
        mc_scope scope = mc_scope_begin();
        mc_tensor *x = mc_zeros(mc_shape(16, 16));
        mc_copy_(mc_narrow(x, 0, 0, 8), w);
        mc_mul_(x, mc_matmul(x, mc_t(x))); /* its history holds what it was */
        mc_scope_end(scope);
        if (i == 300)
            before = memory_in_use();
    }
    assert_true(SANITIZED || memory_in_use() <= before + 4096);
}

/* ---- threads -----------------------------------------------------------------------------------
 */

static mc_tensor *shared;

static void *add_to_shared(void *failures)
{
    for (int i = 0; i < 500; i++) {
        mc_scope scope = mc_scope_begin();
        if (!mc_backward(mc_sum(mc_mul(mc_mul(shared, 2), 1.5))))
            ++*(int *)failures;
        mc_scope_end(scope);
    }
    return NULL;
}

static void threads_share_a_leaf(void **state)
{
    (void)state;
    pthread_t threads[4];
    int failures[4] = {0};
    shared = leaf(mc_shape(5), MC_F64);
    assert_true(mc_backward(mc_sum(shared))); /* its gradient is there before they begin */
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_to_shared, &failures[i]), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(failures[i], 0);
    }
    assert_each(mc_grad(shared), 1 + 4 * 500 * 3);
}

/* Threads that are all the first to use a leaf, and to view it. */
static void *use_first(void *failures)
{
    mc_scope scope = mc_scope_begin();
    mc_tensor *x = mc_matmul(mc_t(shared), mc_select(shared, 0, 0));
    if (!mc_backward(mc_sum(mc_add(x, mc_narrow(mc_reshape(shared, 9), 0, 2, 3)))))
        ++*(int *)failures;
    mc_scope_end(scope);
    return NULL;
}

static void threads_meet_a_fresh_leaf(void **state)
{
    (void)state;
    for (int round = 0; round < 100; round++) {
        pthread_t threads[4];
        int failures[4] = {0};
        shared = leaf(mc_shape(3, 3), MC_F64);
        for (int i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, use_first, &failures[i]), 0);
        for (int i = 0; i < 4; i++) {
            pthread_join(threads[i], NULL);
            assert_int_equal(failures[i], 0);
        }
        double sum = 0;
        for (int i = 0; i < 9; i++)
            sum += values(mc_grad(shared))[i];
        assert_float_equal(sum, 4 * (4.5 + 4.5 + 3), 1e-9);
    }
}

/* A mode is its thread's. */
static void *ask_mode(void *enabled)
{
    *(bool *)enabled = mc_is_grad_enabled();
    return NULL;
}

static void modes_are_a_threads_own(void **state)
{
    (void)state;
    pthread_t thread;
    bool enabled = false;
    mc_grad_mode mode = mc_no_grad_begin();
    assert_int_equal(pthread_create(&thread, NULL, ask_mode, &enabled), 0);
    pthread_join(thread, NULL);
    mc_grad_mode_end(mode);
    assert_true(enabled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(floating_dtypes_only),
        TEST(leaves_and_others),
        TEST(integers_in_between),
        TEST(gradients_gather),
        TEST(several_ways_to_one_leaf),
        TEST(what_backward_wants),
        TEST(the_given_gradient_stays),
        TEST(backward_twice),
        TEST(an_error_on_the_way),
        TEST(dtypes_and_devices_on_the_way),
        TEST(gradients_that_are_set),
        TEST(a_gradient_is_not_the_users_to_free),
        TEST(gradients_of_others_are_retained),
        TEST(detached),
        TEST(modes),
        TEST(scopes_end_before_backward),
        TEST(leaves_that_are_freed),
        TEST(a_deep_graph),
        TEST(a_wide_graph),
        TEST(a_training_loop_keeps_nothing),
        TEST(a_forgotten_graph_keeps_nothing),
        TEST(threads_share_a_leaf),
        TEST(threads_meet_a_fresh_leaf),
        TEST(modes_are_a_threads_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
