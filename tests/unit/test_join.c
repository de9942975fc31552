/* Joining, taking apart, padding, turning round, and finding places in sorted values. */
#include "tests/unit/values.h"

static mc_tensor *matrix(int64_t rows, int64_t columns)
{
    return mc_reshape(mc_arange(rows * columns, .dtype = MC_F32), rows, columns);
}

/* ---- cat and stack ------------------------------------------------------------------------ */

static void cat_along_dimensions(void **state)
{
    (void)state;
    mc_tensor *a = matrix(2, 2), *b = mc_t(a);
    ASSERT_VALUES(mc_cat(0, a, b), 0, 1, 2, 3, 0, 2, 1, 3);
    ASSERT_VALUES(mc_cat(-1, a, b), 0, 1, 0, 2, 2, 3, 1, 3);
    ASSERT_VALUES(mc_cat(1, mc_narrow(a, 1, 1, 1), mc_empty(mc_shape(2, 0)), b), 1, 0, 2, 3, 1, 3);
    assert_shape(mc_cat(0, mc_empty(mc_shape(0)), a, mc_empty(mc_shape(0))), mc_shape(2, 2));
    assert_shape(mc_cat(0, mc_empty(mc_shape(0)), mc_empty(mc_shape(0))), mc_shape(0));
    mc_tensor *mixed = mc_cat(0, mc_ones(mc_shape(1), .dtype = MC_U8),
                              mc_full(mc_shape(1), -2, .dtype = MC_I8), mc_ones(mc_shape(0)));
    assert_int_equal(mc_dtype_of(mixed), MC_F32);
    ASSERT_VALUES(mixed, 1, -2);
    mc_tensor *many[40];
    for (int i = 0; i < 40; i++)
        many[i] = mc_full(mc_shape(1), i);
    assert_true(mc_equal(mc_catn(0, many, 40), mc_arange(40)));
}

static void cat_errors(void **state)
{
    (void)state;
    mc_tensor *a = matrix(2, 2);
    assert_int_equal(failed(mc_cat(0, a, mc_ones(mc_shape(2, 3)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_cat(0, a, mc_ones(mc_shape(2)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_cat(2, a, a)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_cat(0, mc_scalar_tensor(1), mc_scalar_tensor(2))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_cat(0, a, mc_cuda(a))), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_cat(0, a, mc_to_dtype(a, MC_F8_E5M2))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_cat(0, a, NULL)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_catn(0, &a, 0)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_catn(0, NULL, 2)), MC_ERROR_ARGUMENT);
}

static void stack_makes_a_dimension(void **state)
{
    (void)state;
    mc_tensor *a = mc_arange(2), *b = mc_add(a, 10);
    ASSERT_VALUES(mc_stack(0, a, b), 0, 1, 10, 11);
    ASSERT_VALUES(mc_stack(-1, a, mc_float(b)), 0, 10, 1, 11);
    assert_shape(mc_stack(0, mc_scalar_tensor(1), mc_scalar_tensor(2)), mc_shape(2));
    assert_shape(mc_stack(1, mc_empty(mc_shape(3, 0)), mc_empty(mc_shape(3, 0))),
                 mc_shape(3, 2, 0));
    assert_int_equal(failed(mc_stack(0, a, mc_arange(3))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_stack(2, a, b)), MC_ERROR_SHAPE);
    mc_tensor *deep = mc_ones(mc_shape(1, 1, 1, 1, 1, 1, 1, 1));
    assert_int_equal(failed(mc_stack(0, deep, deep)), MC_ERROR_SHAPE);
}

/* ---- apart -------------------------------------------------------------------------------- */

static void chunk_and_split(void **state)
{
    (void)state;
    mc_tensor *x = matrix(5, 2), *parts[8];
    assert_int_equal(mc_split(x, 2, 0, parts, 8), 3);
    assert_shape(parts[1], mc_shape(2, 2));
    assert_shape(parts[2], mc_shape(1, 2));
    assert_true(mc_is_same_storage(parts[2], x));
    assert_true(mc_equal(mc_catn(0, parts, 3), x));
    assert_int_equal(mc_chunk(x, 4, 0, parts, 8), 3);
    assert_int_equal(mc_chunk(x, 2, 1, parts, 8), 2);
    ASSERT_VALUES(parts[1], 1, 3, 5, 7, 9);
    assert_int_equal(mc_chunk(mc_empty(mc_shape(0)), 3, 0, parts, 8), 3);
    assert_int_equal(mc_split(mc_empty(mc_shape(0)), 0, 0, parts, 8), 1);
    assert_int_equal(mc_split(x, 1, 0, parts, 4), 0);
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_int_equal(mc_split(x, 0, 0, parts, 8), 0);
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_int_equal(mc_chunk(x, -1, 0, parts, 8), 0);
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_int_equal(mc_chunk(mc_scalar_tensor(1), 1, 0, parts, 8), 0);
    assert_int_equal(failed(NULL), MC_ERROR_SHAPE);
}

/* ---- pad, repeat -------------------------------------------------------------------------- */

static void pad_adds_and_cuts(void **state)
{
    (void)state;
    mc_tensor *x = matrix(2, 2);
    ASSERT_VALUES(mc_pad(x, mc_dims(1, 0), .value = 9), 9, 0, 1, 9, 2, 3);
    ASSERT_VALUES(mc_pad(mc_t(x), mc_dims(0, 0, 1, 0)), 0, 0, 0, 2, 1, 3);
    ASSERT_VALUES(mc_pad(x, mc_dims(-1, 1)), 1, 0, 3, 0);
    assert_shape(mc_pad(x, mc_dims(-1, -1)), mc_shape(2, 0));
    assert_shape(mc_pad(mc_empty(mc_shape(0, 2)), mc_dims(0, 0, 2, 1)), mc_shape(3, 2));
    assert_int_equal(failed(mc_pad(x, mc_dims(1))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_pad(x, mc_dims(1, 1, 1, 1, 1, 1))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_pad(x, mc_dims(-2, -1))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_pad(x, mc_dims(INT64_MAX, INT64_MAX))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_pad(mc_byte(x), mc_dims(1, 1), .value = 300)), MC_ERROR_OVERFLOW);
    ASSERT_VALUES(mc_pad(mc_to_dtype(x, MC_F8_E4M3), mc_dims(0, 1)), 0, 1, 0, 2, 3, 0);
}

static void repeats_stand_side_by_side(void **state)
{
    (void)state;
    mc_tensor *x = matrix(2, 2);
    ASSERT_VALUES(mc_repeat_interleave(x, 2, 0), 0, 1, 0, 1, 2, 3, 2, 3);
    ASSERT_VALUES(mc_repeat_interleave(mc_t(x), 2, 1), 0, 0, 2, 2, 1, 1, 3, 3);
    ASSERT_VALUES(mc_repeat_interleave(mc_scalar_tensor(4), 3, 0), 4, 4, 4);
    assert_shape(mc_repeat_interleave(x, 0, 1), mc_shape(2, 0));
    mc_tensor *deep = mc_ones(mc_shape(1, 1, 1, 1, 1, 1, 1, 2));
    assert_shape(mc_repeat_interleave(deep, 3, 7), mc_shape(1, 1, 1, 1, 1, 1, 1, 6));
    assert_int_equal(failed(mc_repeat_interleave(x, -1, 0)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_repeat_interleave(x, INT64_MAX, 0)), MC_ERROR_SHAPE);
}

/* ---- triangles, flip, roll ---------------------------------------------------------------- */

static void triangles(void **state)
{
    (void)state;
    mc_tensor *x = mc_add(matrix(2, 3), 1);
    ASSERT_VALUES(mc_tril(x, 0), 1, 0, 0, 4, 5, 0);
    ASSERT_VALUES(mc_triu(x, 0), 1, 2, 3, 0, 5, 6);
    ASSERT_VALUES(mc_tril(x, 1), 1, 2, 0, 4, 5, 6);
    ASSERT_VALUES(mc_triu(x, 2), 0, 0, 3, 0, 0, 0);
    ASSERT_VALUES(mc_tril(x, INT64_MAX), 1, 2, 3, 4, 5, 6);
    ASSERT_VALUES(mc_tril(x, INT64_MIN), 0, 0, 0, 0, 0, 0);
    ASSERT_VALUES(mc_triu(x, INT64_MIN), 1, 2, 3, 4, 5, 6);
    ASSERT_VALUES(mc_triu(mc_t(x), 0), 1, 4, 0, 5, 0, 0);
    ASSERT_VALUES(mc_tril(mc_stack(0, mc_half(matrix(2, 2)), mc_ones(mc_shape(2, 2))), 0), 0, 0, 2,
                  3, 1, 0, 1, 1);
    assert_shape(mc_tril(mc_empty(mc_shape(0, 3)), 0), mc_shape(0, 3));
    assert_int_equal(failed(mc_tril(mc_arange(3), 0)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_triu(mc_to_dtype(x, MC_F8_E4M3), 0)), MC_ERROR_DTYPE);
}

static void flip_and_roll(void **state)
{
    (void)state;
    mc_tensor *x = matrix(2, 3);
    ASSERT_VALUES(mc_flip(x, 1), 2, 1, 0, 5, 4, 3);
    ASSERT_VALUES(mc_flip(mc_t(x), 0), 2, 5, 1, 4, 0, 3);
    ASSERT_VALUES(mc_roll(x, 1, 1), 2, 0, 1, 5, 3, 4);
    ASSERT_VALUES(mc_roll(x, -4, 1), 1, 2, 0, 4, 5, 3);
    ASSERT_VALUES(mc_roll(x, INT64_MIN, 0), 0, 1, 2, 3, 4, 5);
    ASSERT_VALUES(mc_roll(mc_t(x), 1, 0), 2, 5, 0, 3, 1, 4);
    assert_shape(mc_flip(mc_scalar_tensor(1), 0), mc_shape());
    assert_shape(mc_roll(mc_scalar_tensor(1), 1, 0), mc_shape());
    assert_shape(mc_roll(mc_empty(mc_shape(0, 2)), 1, 0), mc_shape(0, 2));
    assert_int_equal(failed(mc_flip(x, 2)), MC_ERROR_SHAPE);
    mc_tensor *small = mc_to_dtype(x, MC_F8_E4M3);
    assert_int_equal(failed(mc_flip(small, 1)), MC_ERROR_DTYPE);
    ASSERT_VALUES(mc_flip(small, 0), 3, 4, 5, 0, 1, 2);
    ASSERT_VALUES(mc_flip(mc_cuda(small), 0), 3, 4, 5, 0, 1, 2);
    assert_int_equal(failed(mc_roll(mc_cuda(small), 1, 0)), MC_ERROR_DTYPE);
    assert_non_null(mc_roll(small, 1, 0));
}

/* ---- sorted values ------------------------------------------------------------------------ */

static void places_in_sorted_values(void **state)
{
    (void)state;
    mc_tensor *sorted = mc_from_array(((float[]){1, 3, 3, 5}), mc_shape(4));
    mc_tensor *v = mc_from_array(((float[]){0, 3, 4, 9, NAN}), mc_shape(5));
    ASSERT_VALUES(mc_searchsorted(sorted, v), 0, 1, 3, 4, 4);
    ASSERT_VALUES(mc_searchsorted(sorted, v, .right = true), 0, 3, 3, 4, 4);
    ASSERT_VALUES(mc_bucketize(mc_long(mc_narrow(v, 0, 0, 4)), sorted), 0, 1, 3, 4);
    ASSERT_VALUES(mc_bucketize(mc_half(v), mc_bfloat16(sorted), .right = true), 0, 3, 3, 4, 4);
    mc_tensor *rows = mc_t(mc_stack(1, mc_arange(3), mc_add(mc_arange(3), 10)));
    ASSERT_VALUES(mc_searchsorted(rows, mc_full(mc_shape(2, 1), 11)), 3, 1);
    assert_shape(mc_searchsorted(sorted, mc_scalar_tensor(4.0)), mc_shape());
    ASSERT_VALUES(mc_searchsorted(mc_empty(mc_shape(0)), v), 0, 0, 0, 0, 0);
    assert_shape(mc_searchsorted(sorted, mc_empty(mc_shape(2, 0))), mc_shape(2, 0));
    assert_int_equal(failed(mc_searchsorted(rows, v)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_searchsorted(mc_scalar_tensor(1.0), v)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_bucketize(v, rows)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_searchsorted(mc_bool(v), mc_bool(v))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_searchsorted(sorted, mc_cuda(v))), MC_ERROR_DEVICE);
}

static void search_many(void **state)
{
    (void)state;
    const mc_dtype dtypes[] = {MC_U8, MC_I8, MC_I16, MC_I32, MC_I64, MC_F16, MC_F32, MC_F64};
    for (size_t t = 0; t < sizeof dtypes / sizeof *dtypes; t++) {
        mc_tensor *sorted = mc_arange(100, .dtype = dtypes[t]);
        mc_tensor *v = mc_repeat_interleave(mc_arange(100, .dtype = dtypes[t]), 100, 0);
        assert_true(mc_equal(mc_searchsorted(sorted, v), mc_long(v)));
        assert_true(mc_equal(mc_bucketize(v, sorted, .right = true), mc_add(mc_long(v), 1)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(cat_along_dimensions),
        TEST(cat_errors),
        TEST(stack_makes_a_dimension),
        TEST(chunk_and_split),
        TEST(pad_adds_and_cuts),
        TEST(repeats_stand_side_by_side),
        TEST(triangles),
        TEST(flip_and_roll),
        TEST(places_in_sorted_values),
        TEST(search_many),
    };
    return cmocka_run_group_tests_name("join", tests, NULL, NULL);
}
