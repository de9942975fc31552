/* Making tensors and getting data out of them: values at the edges of ranges and dtypes, memory
 * that is borrowed, and what is refused. */
#include "tests/unit/values.h"

#define RANGE(end, start_, step_) mc_arange(end, .start = MC_NUM(start_), .step = MC_NUM(step_))
#define RANGE_AS(dtype_, end, start_, step_)                                                       \
    mc_arange(end, .start = MC_NUM(start_), .step = MC_NUM(step_), .dtype = dtype_)

/* ---- one value ---------------------------------------------------------------------------- */

static void one_value(void **state)
{
    (void)state;
    ASSERT_VALUES(mc_full(mc_shape(2), -7), -7, -7);
    ASSERT_VALUES(mc_full(mc_shape(2), 2.75, .dtype = MC_I32), 2, 2);
    ASSERT_VALUES(mc_full(mc_shape(), mc_scalar_tensor(4.5)), 4.5);
    ASSERT_VALUES(mc_full(mc_shape(1), 448, .dtype = MC_F8_E4M3), 448);
    assert_int_equal(mc_item_int(mc_full(mc_shape(1), INT64_MIN)), INT64_MIN);
    assert_int_equal(mc_item_int(mc_full(mc_shape(1), INT64_MAX)), INT64_MAX);
    assert_int_equal(failed(mc_full(mc_shape(2), 300, .dtype = MC_U8)), MC_ERROR_OVERFLOW);
    assert_int_equal(failed(mc_full(mc_shape(2), 1e9, .dtype = MC_F16)), MC_ERROR_OVERFLOW);
    assert_int_equal(failed(mc_full(mc_shape(2), mc_ones(mc_shape(2)))), MC_ERROR_SHAPE);
    ASSERT_VALUES(mc_eye(3, .dtype = MC_BOOL), 1, 0, 0, 0, 1, 0, 0, 0, 1);
    assert_shape(mc_eye(0), mc_shape(0, 0));
    assert_int_equal(mc_dtype_of(mc_scalar_tensor((bool)1)), MC_BOOL);
    assert_int_equal(mc_ndim(mc_scalar_tensor(3)), 0);
}

static void likes(void **state)
{
    (void)state;
    mc_tensor *x = mc_cuda(mc_ones(mc_shape(2, 3), .dtype = MC_F16));
    mc_tensor *z = mc_zeros_like(x);
    assert_int_equal(mc_dtype_of(z), MC_F16);
    assert_true(mc_is_cuda(z));
    assert_shape(z, mc_shape(2, 3));
    z = mc_full_like(x, 1.5, .dtype = MC_I64, .device = MC_CPU);
    assert_int_equal(mc_dtype_of(z), MC_I64);
    assert_false(mc_is_cuda(z));
    ASSERT_VALUES(z, 1, 1, 1, 1, 1, 1);
    assert_shape(mc_empty_like(mc_t(x)), mc_shape(3, 2));
}

static void what_is_refused(void **state)
{
    (void)state;
    assert_int_equal(failed(mc_zeros(mc_shape(-1))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_zeros(mc_shape(1, 1, 1, 1, 1, 1, 1, 1, 1))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_zeros(mc_shape(INT64_MAX, 2))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_empty(mc_shape(INT64_C(1) << 50))), MC_ERROR_MEMORY);
    assert_int_equal(failed(mc_eye(INT64_C(1) << 32)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_eye(-1)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_zeros(mc_shape(1), .dtype = (mc_dtype)99)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_zeros(mc_shape(1), .dtype = (mc_dtype)-1)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_zeros(mc_shape(1), .device = MC_CUDA_AT(60))), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_zeros(mc_shape(1), .dtype = MC_I64, .requires_grad = true)),
                     MC_ERROR_GRAD);
    assert_true(mc_requires_grad(mc_zeros(mc_shape(1), .requires_grad = true)));
    assert_int_equal(failed(mc_zeros_like(NULL)), MC_ERROR_ARGUMENT);
}

/* ---- ranges ------------------------------------------------------------------------------- */

static void aranges(void **state)
{
    (void)state;
    ASSERT_VALUES(mc_arange(4), 0, 1, 2, 3);
    ASSERT_VALUES(RANGE(10, 1, 3), 1, 4, 7);
    ASSERT_VALUES(RANGE(-5, 4, -4), 4, 0, -4);
    ASSERT_VALUES(RANGE(1, 0, 0.25), 0, 0.25, 0.5, 0.75);
    ASSERT_VALUES(RANGE_AS(MC_F16, 5, 1.5, 1.5), 1.5, 3, 4.5);
    assert_shape(mc_arange(0), mc_shape(0));
    assert_shape(RANGE(3, 3, -1), mc_shape(0));
    assert_shape(RANGE(1.0, 0, INFINITY), mc_shape(0));
    /* i64 cuts the end off before it counts, i32 does not */
    assert_shape(mc_arange(5.5, .dtype = MC_I64), mc_shape(5));
    assert_shape(mc_arange(5.5, .dtype = MC_I32), mc_shape(6));
    ASSERT_VALUES(mc_narrow(mc_arange(300, .dtype = MC_U8), 0, 254, 4), 254, 255, 0, 1);
    mc_tensor *far = RANGE(INT64_MAX, INT64_MIN, INT64_MAX);
    assert_shape(far, mc_shape(3));
    assert_int_equal(mc_item_int(mc_select(far, 0, 1)), -1);
    assert_int_equal(mc_item_int(mc_select(RANGE(INT64_MIN, INT64_MAX, INT64_MIN), 0, 1)), -1);
    assert_int_equal(mc_dtype_of(mc_arange(mc_scalar_tensor(3.0))), MC_F32);
}

static void aranges_that_are_none(void **state)
{
    (void)state;
    assert_int_equal(failed(RANGE(3, 0, 0)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(RANGE(3, 0, 0.0)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(RANGE(3, 0, NAN)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(RANGE_AS(MC_I64, 3, 0, 0.5)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(RANGE(3, 0, -1)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(RANGE(0, 3, 0.5)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_arange(NAN)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_arange(INFINITY)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_arange(NAN, .dtype = MC_I64)), MC_ERROR_OVERFLOW);
    assert_int_equal(failed(mc_arange(1e300)), MC_ERROR_SHAPE);
    assert_int_equal(failed(RANGE(INT64_MAX, INT64_MIN, 1)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_arange(INT64_MAX)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_arange(3, .dtype = MC_BOOL)), MC_ERROR_DTYPE);
}

static void even_distances(void **state)
{
    (void)state;
    ASSERT_VALUES(mc_linspace(0, 1, 5), 0, 0.25, 0.5, 0.75, 1);
    ASSERT_VALUES(mc_linspace(3, -3, 3, .dtype = MC_BF16), 3, 0, -3);
    ASSERT_VALUES(mc_linspace(0, 10, 5, .dtype = MC_I32), 0, 2, 5, 7, 10);
    ASSERT_VALUES(mc_linspace(2, 9, 1), 2);
    ASSERT_VALUES(mc_logspace(0, 3, 4, .dtype = MC_F64), 1, 10, 100, 1000);
    ASSERT_VALUES(mc_logspace(0, 2, 2, .dtype = MC_U8), 1, 100);
    assert_shape(mc_linspace(0, 1, 0), mc_shape(0));
    const double *third = values(mc_linspace(0, 0.1, 4, .dtype = MC_F64));
    assert_true(third[3] == 0.1); /* both ends are met exactly */
    assert_int_equal(failed(mc_linspace(0, 1, -1)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_linspace(0, 300, 3, .dtype = MC_U8)), MC_ERROR_OVERFLOW);
    assert_int_equal(failed(mc_linspace(NAN, 1, 3, .dtype = MC_I32)), MC_ERROR_OVERFLOW);
    assert_true(isnan(values(mc_linspace(NAN, 1, 3))[0]));
}

static void windows_and_triangles(void **state)
{
    (void)state;
    const double *w = values(mc_hann_window(4));
    assert_true(fabs(w[0]) < 1e-7 && fabs(w[1] - 0.5) < 1e-7 && fabs(w[2] - 1) < 1e-7);
    ASSERT_VALUES(mc_hann_window(1), 1);
    assert_shape(mc_hann_window(0), mc_shape(0));
    assert_int_equal(failed(mc_hann_window(-1)), MC_ERROR_ARGUMENT);
    ASSERT_VALUES(mc_tril_indices(2, 3), 0, 1, 1, 0, 0, 1);
    ASSERT_VALUES(mc_triu_indices(2, 3, .dtype = MC_I32), 0, 0, 0, 1, 1, 0, 1, 2, 1, 2);
    assert_shape(mc_tril_indices(0, 3), mc_shape(2, 0));
    assert_int_equal(failed(mc_tril_indices(-1, 3)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_tril_indices(INT64_MAX, INT64_MAX)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_triu_indices(2, 2, .dtype = MC_F32)), MC_ERROR_DTYPE);
}

/* ---- memory that is given ----------------------------------------------------------------- */

static void arrays_are_copied(void **state)
{
    (void)state;
    float numbers[] = {1.5f, -2, 3, 4};
    mc_tensor *t = mc_from_array(numbers, mc_shape(2, 2));
    numbers[0] = 9;
    ASSERT_VALUES(t, 1.5, -2, 3, 4);
    assert_int_equal(mc_dtype_of(t), MC_F32);
    mc_tensor *there = mc_from_array(numbers, mc_shape(4), .dtype = MC_I8, .device = MC_CUDA);
    assert_true(mc_is_cuda(there));
    ASSERT_VALUES(there, 9, -2, 3, 4);
    const uint16_t bits[] = {0x3c00, 0xc000};
    ASSERT_VALUES(mc_from_array(bits, mc_shape(2), .dtype = MC_F16), 1, -2);
    ASSERT_VALUES(mc_from_array((const void *)bits, mc_shape(1), .dtype = MC_BF16), 0x1p-7);
    assert_shape(mc_from_array((float *)NULL, mc_shape(0, 3)), mc_shape(0, 3));
    assert_int_equal(failed(mc_from_array((float *)NULL, mc_shape(1))), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_from_array(bits, mc_shape(2))), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_from_array(numbers, mc_shape(-2))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_from_array(numbers, mc_shape(INT64_MAX))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_from_array(numbers, mc_shape(1), .dtype = (mc_dtype)50)),
                     MC_ERROR_ARGUMENT);
    int32_t whole[] = {1};
    assert_int_equal(failed(mc_from_array(whole, mc_shape(1), .requires_grad = true)),
                     MC_ERROR_GRAD);
}

static void note_release(void *data, void *user)
{
    assert_true(*(float *)data == 7);
    ++*(int *)user;
}

static void blobs_are_borrowed(void **state)
{
    (void)state;
    float numbers[] = {1, 2, 3, 4, 5};
    int released = 0;
    mc_scope s = mc_scope_begin();
    mc_tensor *t =
        mc_from_blob(numbers, mc_shape(2, 2), .release = note_release, .user = &released);
    assert_ptr_equal(mc_data_f32(t), numbers);
    mc_fill_(mc_select(t, 0, 0), 7);
    assert_true(numbers[1] == 7);
    mc_tensor *view = mc_keep(mc_select(t, 0, 1));
    mc_scope_end(s);
    assert_int_equal(released, 0);
    ASSERT_VALUES(view, 3, 4);
    mc_free(view);
    assert_int_equal(released, 1);
    mc_free(mc_from_blob(numbers, mc_shape(0), .release = note_release, .user = &released));
    assert_int_equal(released, 2);
    /* what is refused is not taken over */
    assert_int_equal(
        failed(mc_from_blob(numbers, mc_shape(-1), .release = note_release, .user = &released)),
        MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_from_blob(numbers, mc_shape(1), .device = MC_CUDA)),
                     MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_from_blob(numbers, mc_shape(1), .dtype = MC_I32)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_from_blob((float *)((char *)numbers + 1), mc_shape(1))),
                     MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_from_blob((float *)NULL, mc_shape(1))), MC_ERROR_ARGUMENT);
    assert_int_equal(released, 2);
}

/* ---- data out ----------------------------------------------------------------------------- */

static void pointers(void **state)
{
    (void)state;
    mc_tensor *x = mc_reshape(mc_arange(6, .dtype = MC_F32), 2, 3);
    assert_true(mc_data_f32(x)[5] == 5);
    assert_true(*mc_data_f32(mc_select(x, 0, 1)) == 3);
    assert_true(*(float *)mc_data(mc_select(mc_t(x), 0, 2)) == 2);
    assert_ptr_equal(mc_data_ptr(x), mc_data(x));
    assert_true(*mc_data_f16(mc_half(mc_select(x, 0, 0))) == 0);
    assert_true(mc_data_bf16(mc_bfloat16(x))[1] == 0x3f80);
    assert_null(mc_data_f64(x));
    assert_int_equal(failed(NULL), MC_ERROR_DTYPE);
    assert_null(mc_data_f32(mc_t(x)));
    assert_int_equal(failed(NULL), MC_ERROR_SHAPE);
    mc_tensor *there = mc_cuda(x);
    assert_null(mc_data_f64(there)); /* the device comes before the dtype */
    assert_int_equal(failed(NULL), MC_ERROR_DEVICE);
    assert_null(mc_data(there));
    assert_int_equal(failed(NULL), MC_ERROR_DEVICE);
    assert_non_null(mc_data_ptr(there));
    assert_ptr_equal(mc_data_ptr(mc_select(there, 0, 1)), (char *)mc_data_ptr(there) + 12);
}

static void copies_out(void **state)
{
    (void)state;
    int16_t got[6];
    mc_tensor *x = mc_reshape(mc_arange(6, .dtype = MC_I16), 2, 3);
    assert_true(mc_copy_out(mc_cuda(mc_t(x)), got, sizeof got));
    assert_memory_equal(got, ((int16_t[]){0, 3, 1, 4, 2, 5}), sizeof got);
    assert_true(mc_copy_out(mc_select(mc_cuda(x), 1, 2), got, 4));
    assert_memory_equal(got, ((int16_t[]){2, 5}), 4);
    assert_false(mc_copy_out(x, got, 10));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_false(mc_copy_out(x, NULL, sizeof got));
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    assert_true(mc_copy_out(mc_empty(mc_shape(0)), NULL, 0));
}

static void items(void **state)
{
    (void)state;
    static const mc_dtype dtypes[] = {MC_U8,   MC_I8,  MC_I16, MC_I32,     MC_I64,     MC_F16,
                                      MC_BF16, MC_F32, MC_F64, MC_F8_E4M3, MC_F8_E5M2, MC_BOOL};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        mc_tensor *x = mc_cuda(mc_ones(mc_shape(1, 1), .dtype = dtypes[i]));
        mc_arg v = mc_item_arg(x);
        mc_arg_kind kind = dtypes[i] == MC_BOOL      ? MC_ARG_BOOL
                           : mc_is_floating_point(x) ? MC_ARG_FLOAT
                                                     : MC_ARG_INT;
        assert_int_equal(v.kind, kind);
        assert_true(mc_item(x) == 1 && mc_item_int(x) == 1);
    }
    assert_int_equal(mc_item_int(mc_scalar_tensor(-2.75)), -2);
    assert_true(mc_item(mc_full(mc_shape(1), -3, .dtype = MC_I8)) == -3);
    assert_int_equal(mc_item_int(mc_scalar_tensor(1e30)), 0);
    assert_int_equal(failed(NULL), MC_ERROR_OVERFLOW);
    assert_int_equal(mc_item_int(mc_scalar_tensor(NAN)), 0);
    assert_int_equal(failed(NULL), MC_ERROR_OVERFLOW);
    assert_true(isnan(mc_item(mc_ones(mc_shape(2)))));
    assert_int_equal(failed(NULL), MC_ERROR_SHAPE);
    assert_int_equal(mc_item_arg(mc_empty(mc_shape(0))).kind, MC_ARG_NONE);
    assert_int_equal(failed(NULL), MC_ERROR_SHAPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_value),
        TEST(likes),
        TEST(what_is_refused),
        TEST(aranges),
        TEST(aranges_that_are_none),
        TEST(even_distances),
        TEST(windows_and_triangles),
        TEST(arrays_are_copied),
        TEST(blobs_are_borrowed),
        TEST(pointers),
        TEST(copies_out),
        TEST(items),
    };
    return cmocka_run_group_tests_name("create", tests, NULL, NULL);
}
