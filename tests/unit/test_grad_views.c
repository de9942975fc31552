/* Views and in-place ops under gradients: what is written to a view shows in the history of the
 * whole, what is written to the whole in that of its views; and what PyTorch refuses. */
#include "tests/unit/values.h"

#include <stdio.h>

static mc_tensor *leaf(mc_shape shape)
{
    return mc_requires_grad_(mc_full(shape, 0.5, .dtype = MC_F64), true);
}

static void assert_list(mc_tensor *t, int count, const double *want)
{
    const double *v = values(t);
    assert_int_equal(mc_numel(t), count);
    for (int i = 0; i < count; i++)
        assert_float_equal(v[i], want[i], 1e-12);
}
#define ASSERT_GRAD(x, ...)                                                                        \
    assert_list(mc_grad(x), sizeof((double[]){__VA_ARGS__}) / sizeof(double),                      \
                (double[]){__VA_ARGS__})

static mc_error_kind kind_of_error(void)
{
    mc_error_kind kind = mc_last_error() ? mc_last_error()->kind : MC_ERROR_NONE;
    mc_clear_error();
    return kind;
}

/* ---- writing to views ------------------------------------------------------------------------ */

/* x = zeros; x[0] = w * 2: x gets w's history through its own view. */
static void rows_written_one_by_one(void **state)
{
    (void)state;
    mc_tensor *w = leaf(mc_shape(2)), *x = mc_zeros(mc_shape(2, 2), .dtype = MC_F64);
    assert_false(mc_requires_grad(x));
    mc_copy_(mc_select(x, 0, 0), mc_mul(w, 2));
    assert_true(mc_requires_grad(x));
    assert_false(mc_is_leaf(x));
    mc_copy_(mc_select(x, 0, 1), mc_mul(w, 5));
    mc_mul_(x, 3);
    assert_true(mc_backward(mc_sum(x)));
    ASSERT_GRAD(w, 21, 21);
}

static void a_view_written_over(void **state)
{
    (void)state;
    mc_tensor *l = leaf(mc_shape(2, 2)), *x = mc_mul(l, 3);
    mc_fill_(mc_select(x, 0, 1), 7.0);
    assert_true(mc_backward(mc_sum(mc_mul(x, x))));
    ASSERT_GRAD(l, 9, 9, 0, 0);
}

/* (2x)² where transposed row 0 was doubled first. */
static void a_view_of_a_view(void **state)
{
    (void)state;
    mc_tensor *l = leaf(mc_shape(2, 3)), *x = mc_mul(l, 1);
    mc_mul_(mc_narrow(mc_select(mc_t(x), 0, 0), 0, 1, 1), 2);
    assert_true(mc_backward(mc_sum(mc_mul(x, x))));
    ASSERT_GRAD(l, 1, 1, 1, 4, 1, 1);
}

static void a_strided_view(void **state)
{
    (void)state;
    mc_tensor *l = leaf(mc_shape(6)), *x = mc_mul(l, 1);
    mc_exp_(mc_slice_step(x, 0, 1, 6, 2));
    assert_true(mc_backward(mc_sum(x)));
    ASSERT_GRAD(l, 1, exp(0.5), 1, exp(0.5), 1, exp(0.5));
}

/* The other operand's gradient is of the view's shape, or what was broadcast to it. */
static void operands_of_a_written_view(void **state)
{
    (void)state;
    mc_tensor *l = leaf(mc_shape(2, 3)), *w = leaf(mc_shape(3)), *s = leaf(mc_shape());
    mc_tensor *x = mc_mul(l, 2);
    mc_mul_(mc_select(x, 0, 0), w);
    mc_add_(mc_narrow(x, 1, 1, 2), s);
    assert_true(mc_backward(mc_sum(x)));
    ASSERT_GRAD(l, 1, 1, 1, 2, 2, 2);
    ASSERT_GRAD(w, 1, 1, 1);
    ASSERT_GRAD(s, 4);
}

/* What a view was computed by is no longer true once its base has been written to. */
static void views_follow_their_base(void **state)
{
    (void)state;
    mc_tensor *l = leaf(mc_shape(2, 2)), *x = mc_mul(l, 1);
    mc_tensor *row = mc_select(x, 0, 0), *wide = mc_expand(x, 3, 2, 2);
    mc_mul_(x, 4);
    assert_false(mc_is_leaf(row));
    assert_true(mc_backward(mc_sum(row), .retain_graph = true));
    ASSERT_GRAD(l, 4, 4, 0, 0);
    mc_zero_grad(l);
    assert_true(mc_backward(mc_sum(wide)));
    ASSERT_GRAD(l, 12, 12, 12, 12);
}

static void a_view_of_plain_memory_joins_later(void **state)
{
    (void)state;
    mc_tensor *w = leaf(mc_shape(2)), *x = mc_zeros(mc_shape(2, 2), .dtype = MC_F64);
    mc_tensor *other = mc_select(x, 0, 1), *whole = mc_reshape(x, 4);
    assert_false(mc_requires_grad(other));
    mc_add_(mc_select(x, 0, 0), w);
    assert_true(mc_requires_grad(other));
    assert_true(mc_backward(mc_sum(mc_mul(whole, 3))));
    ASSERT_GRAD(w, 3, 3);
}

/* A view of memory that is not laid out row by row. */
static void a_base_that_is_strided(void **state)
{
    (void)state;
    mc_tensor *w = leaf(mc_shape(2));
    mc_tensor *x = mc_detach(mc_t(mc_zeros(mc_shape(3, 2), .dtype = MC_F64)));
    mc_add_(mc_select(x, 1, 2), w);
    mc_mul_(x, 2);
    assert_true(mc_backward(mc_sum(mc_mul(x, x))));
    ASSERT_GRAD(w, 4, 4);
}

/* ---- writing in place -------------------------------------------------------------------------
 */

static void a_chain_in_place(void **state)
{
    (void)state;
    mc_tensor *l = leaf(mc_shape(3)), *x = mc_mul(l, 2);
    mc_exp_(mc_add_(mc_sin_(mc_mul_(x, 0.5)), x));
    assert_true(mc_backward(mc_sum(x)));
    double slope = exp(2 * sin(0.5)) * 2 * cos(0.5);
    ASSERT_GRAD(l, slope, slope, slope);
    mc_tensor *y = mc_exp_(mc_mul(l, 2)); /* which needs its result */
    mc_add_(y, 1);
    assert_false(mc_backward(mc_sum(y)));
    assert_int_equal(kind_of_error(), MC_ERROR_VERSION);
}

/* What the op needs of its operand is what was there before. */
static void the_old_values_are_kept(void **state)
{
    (void)state;
    mc_tensor *l = leaf(mc_shape(2)), *m = leaf(mc_shape(2)), *x = mc_mul(l, 4);
    mc_mul_(x, m);
    mc_pow_(x, 3);
    assert_true(mc_backward(mc_sum(x)));
    ASSERT_GRAD(l, 6, 6);
    ASSERT_GRAD(m, 6, 6);
}

static void an_operand_of_itself(void **state)
{
    (void)state;
    mc_tensor *l = leaf(mc_shape(2)), *x = mc_mul(l, 1);
    mc_add_(x, x);
    assert_true(mc_backward(mc_sum(x)));
    ASSERT_GRAD(l, 2, 2);
    mc_tensor *y = mc_mul(l, 1);
    mc_mul_(y, y); /* whose second operand was not kept */
    assert_false(mc_backward(mc_sum(y)));
    assert_int_equal(kind_of_error(), MC_ERROR_VERSION);
}

static void a_copy_across_dtypes_and_devices(void **state)
{
    (void)state;
    mc_tensor *l = leaf(mc_shape(2)),
              *x = mc_zeros(mc_shape(3, 2), .dtype = MC_F16, .device = MC_CUDA);
    mc_copy_(x, l);
    assert_true(mc_backward(mc_sum(mc_float(x))));
    assert_int_equal(mc_dtype_of(mc_grad(l)), MC_F64);
    assert_false(mc_is_cuda(mc_grad(l)));
    ASSERT_GRAD(l, 3, 3);
    mc_tensor *i = mc_zeros(mc_shape(2), .dtype = MC_I64);
    assert_false(mc_requires_grad(mc_copy_(i, l)));
}

/* ---- refused ----------------------------------------------------------------------------------
 */

static void leaves_may_not_be_written(void **state)
{
    (void)state;
    mc_tensor *l = leaf(mc_shape(2, 2));
    assert_int_equal(failed(mc_add_(l, 1)), MC_ERROR_LEAF);
    assert_int_equal(failed(mc_zero_(l)), MC_ERROR_LEAF);
    assert_int_equal(failed(mc_copy_(mc_select(l, 0, 0), mc_ones(mc_shape(2)))), MC_ERROR_LEAF);
    assert_int_equal(failed(mc_relu_(mc_t(l))), MC_ERROR_LEAF);
    mc_grad_mode mode = mc_no_grad_begin();
    assert_non_null(mc_add_(l, 1));
    assert_non_null(mc_mul_(mc_select(l, 0, 0), 2));
    mc_grad_mode_end(mode);
    assert_true(mc_is_leaf(l));
    assert_list(l, 4, (double[]){3, 3, 1.5, 1.5});
}

static void views_made_without_grad(void **state)
{
    (void)state;
    mc_tensor *l = leaf(mc_shape(2, 2)), *x = mc_mul(l, 1), *plain = mc_zeros(mc_shape(2, 2));
    mc_grad_mode mode = mc_no_grad_begin();
    mc_tensor *v = mc_select(x, 0, 0), *w = mc_select(plain, 0, 0);
    mc_grad_mode_end(mode);
    assert_true(mc_requires_grad(v));
    assert_true(mc_is_leaf(v));
    assert_int_equal(failed(mc_add_(v, 1)), MC_ERROR_GRAD);
    assert_int_equal(failed(mc_add_(w, leaf(mc_shape(2)))), MC_ERROR_GRAD);
    assert_non_null(mc_add_(w, 1));
    mc_add_(x, 1);
    assert_int_equal(failed(mc_mul(v, 2)), MC_ERROR_GRAD); /* it cannot know what it is now */
}

static void several_views_of_one_op(void **state)
{
    (void)state;
    mc_tensor *x = mc_mul(leaf(mc_shape(4)), 1), *parts[2];
    assert_int_equal(mc_chunk(x, 2, 0, parts, 2), 2);
    assert_int_equal(failed(mc_add_(parts[0], 1)), MC_ERROR_GRAD);
    assert_int_equal(failed(mc_add_(mc_select(parts[1], 0, 0), 1)), MC_ERROR_GRAD);
    mc_add_(x, 1);
    assert_int_equal(failed(mc_sum(parts[0])), MC_ERROR_GRAD);
    mc_tensor *plain = mc_zeros(mc_shape(4));
    assert_int_equal(mc_split(plain, 2, 0, parts, 2), 2);
    assert_non_null(mc_add_(parts[0], 1)); /* nothing to record */
}

static void results_written_elsewhere(void **state)
{
    (void)state;
    mc_tensor *l = leaf(mc_shape(2, 2)), *out = mc_zeros(mc_shape(2, 2), .dtype = MC_F64);
    assert_int_equal(failed(mc_add(l, 1, .out = out)), MC_ERROR_GRAD);
    assert_int_equal(failed(mc_mul(out, 2, .out = l)), MC_ERROR_GRAD);
    assert_int_equal(failed(mc_matmul(l, l, .out = out)), MC_ERROR_GRAD);
    assert_non_null(mc_add(out, 1, .out = out));
}

/* ---- changed since --------------------------------------------------------------------------- */

static void the_error_names_both_ops(void **state)
{
    (void)state;
    mc_tensor *x = mc_mul(leaf(mc_shape(2)), 1);
    int saved_at = __LINE__ + 1;
    mc_tensor *y = mc_exp(x);
    mc_tensor *view = mc_select(y, 0, 0);
    int changed_at = __LINE__ + 1;
    mc_add_(view, 1); /* a view of it will do */
    int asked_at = __LINE__ + 1;
    assert_false(mc_backward(mc_sum(mc_mul(y, 2))));
    const mc_error *e = mc_last_error();
    char saved[64], changed[64];
    snprintf(saved, sizeof saved, "test_grad_views.c:%d)", saved_at);
    snprintf(changed, sizeof changed, "test_grad_views.c:%d)", changed_at);
    assert_int_equal(e->kind, MC_ERROR_VERSION);
    assert_string_equal(e->op, "backward");
    assert_int_equal(e->at.line, asked_at);
    assert_non_null(strstr(e->message, "exp ("));
    assert_non_null(strstr(e->message, saved));
    assert_non_null(strstr(e->message, "its result"));
    assert_non_null(strstr(e->message, "add_ ("));
    assert_non_null(strstr(e->message, changed));
    mc_clear_error();
}

static void memory_that_is_shared(void **state)
{
    (void)state;
    mc_tensor *x = mc_mul(leaf(mc_shape(2)), 1), *apart = mc_detach(x), *y = mc_mul(x, x);
    mc_add_(apart, 1);
    assert_false(mc_backward(mc_sum(y)));
    assert_int_equal(kind_of_error(), MC_ERROR_VERSION);
    mc_tensor *w = leaf(mc_shape(2)), *z = mc_mul(w, w);
    mc_grad_mode mode = mc_no_grad_begin();
    mc_sub_(w, 0.1); /* an optimizer's step before backward */
    mc_grad_mode_end(mode);
    assert_false(mc_backward(mc_sum(z)));
    assert_int_equal(kind_of_error(), MC_ERROR_VERSION);
}

static void running_statistics(void **state)
{
    (void)state;
    mc_tensor *l = mc_requires_grad_(some(mc_shape(4, 2), MC_F64), true);
    mc_tensor *mean = mc_zeros(mc_shape(2), .dtype = MC_F64),
              *var = mc_ones(mc_shape(2), .dtype = MC_F64);
    mc_tensor *a = mc_batch_norm(l, mean, var, .training = true);
    mc_tensor *b = mc_batch_norm(mc_mul(l, 2), mean, var, .training = true);
    assert_true(mc_backward(mc_sum(mc_add(a, b)))); /* batch_norm itself may go on */
    mc_tensor *c = mc_batch_norm(l, mean, var, .training = true);
    mc_add_(mean, 1);
    assert_false(mc_backward(mc_sum(c)));
    assert_int_equal(kind_of_error(), MC_ERROR_VERSION);
    mc_requires_grad_(mean, true);
    assert_int_equal(failed(mc_batch_norm(l, mean, var)), MC_ERROR_GRAD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_written_one_by_one),
        TEST(a_view_written_over),
        TEST(a_view_of_a_view),
        TEST(a_strided_view),
        TEST(operands_of_a_written_view),
        TEST(views_follow_their_base),
        TEST(a_view_of_plain_memory_joins_later),
        TEST(a_base_that_is_strided),
        TEST(a_chain_in_place),
        TEST(the_old_values_are_kept),
        TEST(an_operand_of_itself),
        TEST(a_copy_across_dtypes_and_devices),
        TEST(leaves_may_not_be_written),
        TEST(views_made_without_grad),
        TEST(several_views_of_one_op),
        TEST(results_written_elsewhere),
        TEST(the_error_names_both_ops),
        TEST(memory_that_is_shared),
        TEST(running_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
