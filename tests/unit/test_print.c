/* Tensors as text. What is expected here is what PyTorch 2.11 prints, with dtypes under our names.
 */
#include <miscast/tensor.h>

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int in_scope(void **state)
{
    static mc_scope scope;
    mc_set_error_handler(mc_error_remember, NULL);
    mc_clear_error();
    scope = mc_scope_begin();
    *state = &scope;
    return 0;
}

static int out_of_scope(void **state)
{
    mc_scope_end(*(mc_scope *)*state);
    return 0;
}

static void prints(const mc_tensor *x, const char *want)
{
    char *text = mc_to_string(x);
    assert_non_null(text);
    assert_string_equal(text, want);
    free(text);
}

#define FLOATS(...) floats(sizeof((float[]){__VA_ARGS__}) / sizeof(float), (float[]){__VA_ARGS__})

static mc_tensor *floats(size_t n, const float *values)
{
    return mc_from_array(values, mc_shape((int64_t)n));
}

static mc_tensor *scalar(double value, mc_dtype dtype)
{
    return mc_to_dtype(mc_from_array(&value, mc_shape()), dtype);
}

/* 0, 1, 2, … each divided by `by`. */
static mc_tensor *count(mc_shape shape, mc_dtype dtype, float by)
{
    mc_tensor *x = mc_empty(shape);
    for (int64_t i = 0; i < mc_numel(x); i++)
        mc_data_f32(x)[i] = (float)i / by;
    return mc_to_dtype(x, dtype);
}

/* ---- numbers ------------------------------------------------------------------------------- */

static void whole_floats_have_a_point(void **state)
{
    (void)state;
    prints(mc_view(FLOATS(1, 2, 3, 4), 2, 2), "tensor([[1., 2.],\n"
                                              "        [3., 4.]])");
    prints(scalar(3, MC_F32), "tensor(3.)");
    prints(scalar(0, MC_F32), "tensor(0.)");
    prints(scalar(-0.0, MC_F32), "tensor(-0.)");
    prints(FLOATS(0, -0.0f, -1), "tensor([ 0., -0., -1.])");
    prints(FLOATS(1, 1000), "tensor([   1., 1000.])");
    prints(FLOATS(1e8f), "tensor([100000000.])");
}

static void fractions_have_four_places(void **state)
{
    (void)state;
    prints(scalar(3.5, MC_F32), "tensor(3.5000)");
    prints(mc_to_dtype(mc_view(FLOATS(1, 2.5f, -3, 4), 2, 2), MC_F16),
           "tensor([[ 1.0000,  2.5000],\n"
           "        [-3.0000,  4.0000]], dtype=f16)");
    prints(FLOATS(1.0f / 3, 2), "tensor([0.3333, 2.0000])");
    prints(mc_from_array(((double[]){1.0 / 3, 2}), mc_shape(2)),
           "tensor([0.3333, 2.0000], dtype=f64)");
    prints(mc_t(mc_view(FLOATS(0.5f, 100), 2, 1)), "tensor([[  0.5000, 100.0000]])");
    prints(FLOATS(1e-4f), "tensor([1.0000e-04])");
}

static void far_apart_is_scientific(void **state)
{
    (void)state;
    prints(FLOATS(1e-5f, 1), "tensor([1.0000e-05, 1.0000e+00])");
    prints(FLOATS(1e9f, 1), "tensor([1.0000e+09, 1.0000e+00])");
    prints(FLOATS(1e9f), "tensor([1.0000e+09])");
    prints(FLOATS(1, 1001), "tensor([1.0000e+00, 1.0010e+03])");
    prints(FLOATS(9e-5f), "tensor([9.0000e-05])");
    prints(scalar(1e10, MC_F32), "tensor(1.0000e+10)");
    prints(mc_from_array(((double[]){1e300, 1e-300}), mc_shape(2)),
           "tensor([1.0000e+300, 1.0000e-300], dtype=f64)");
    prints(mc_from_array(((double[]){2147483648.0, 1.5}), mc_shape(2)),
           "tensor([2.1475e+09, 1.5000e+00], dtype=f64)");
}

static void infinities_and_nans(void **state)
{
    (void)state;
    prints(FLOATS(NAN, INFINITY, -INFINITY, 1), "tensor([nan, inf, -inf, 1.])");
    prints(FLOATS(NAN, 1.5f, -INFINITY), "tensor([   nan, 1.5000,   -inf])");
    prints(FLOATS(NAN), "tensor([nan])");
    prints(FLOATS(-NAN), "tensor([nan])");
    prints(FLOATS(NAN, 0), "tensor([nan, 0.])");
    prints(FLOATS(1e-6f, INFINITY, -1), "tensor([ 1.0000e-06,         inf, -1.0000e+00])");
    prints(scalar(INFINITY, MC_F32), "tensor(inf)");
}

static void integers_and_bools(void **state)
{
    (void)state;
    prints(scalar(7, MC_I64), "tensor(7)");
    prints(scalar(1, MC_BOOL), "tensor(True)");
    prints(mc_from_array(((bool[]){true, false}), mc_shape(2)), "tensor([ True, False])");
    prints(count(mc_shape(8), MC_U8, 1), "tensor([0, 1, 2, 3, 4, 5, 6, 7], dtype=u8)");
    prints(mc_from_array(((int8_t[]){-128, 127}), mc_shape(2)), "tensor([-128,  127], dtype=i8)");
    prints(mc_from_array(((int16_t[]){1, 2}), mc_shape(2)), "tensor([1, 2], dtype=i16)");
    prints(mc_from_array(((int64_t[]){INT64_MIN, INT64_MAX}), mc_shape(2)),
           "tensor([-9223372036854775808,  9223372036854775807])");
}

static void small_floats(void **state)
{
    (void)state;
    prints(mc_to_dtype(FLOATS(1.5f, -2), MC_BF16), "tensor([ 1.5000, -2.0000], dtype=bf16)");
    prints(mc_to_dtype(FLOATS(1.5f, 448), MC_F8_E4M3),
           "tensor([  1.5000, 448.0000], dtype=f8e4m3)");
    prints(mc_to_dtype(FLOATS(1e-5f, 57344), MC_F8_E5M2),
           "tensor([1.5259e-05, 5.7344e+04], dtype=f8e5m2)");
    prints(mc_to_dtype(FLOATS(65504, 65504, 65504), MC_F16),
           "tensor([65504., 65504., 65504.], dtype=f16)");
}

/* ---- layout -------------------------------------------------------------------------------- */

static void empty_tensors(void **state)
{
    (void)state;
    prints(mc_empty(mc_shape(0)), "tensor([])");
    prints(mc_empty(mc_shape(0, 3)), "tensor([], size=(0, 3))");
    prints(mc_empty(mc_shape(1, 1, 0)), "tensor([], size=(1, 1, 0))");
    prints(mc_empty(mc_shape(2, 0), .dtype = MC_I64), "tensor([], size=(2, 0), dtype=i64)");
    prints(mc_empty(mc_shape(0), .dtype = MC_I32), "tensor([], dtype=i32)");
    prints(mc_empty(mc_shape(0), .dtype = MC_BOOL), "tensor([], dtype=bool)");
}

static void dimensions(void **state)
{
    (void)state;
    prints(count(mc_shape(2, 3, 4), MC_I64, 1), "tensor([[[ 0,  1,  2,  3],\n"
                                                "         [ 4,  5,  6,  7],\n"
                                                "         [ 8,  9, 10, 11]],\n"
                                                "\n"
                                                "        [[12, 13, 14, 15],\n"
                                                "         [16, 17, 18, 19],\n"
                                                "         [20, 21, 22, 23]]])");
    prints(count(mc_shape(2, 2, 2, 2), MC_F32, 1), "tensor([[[[ 0.,  1.],\n"
                                                   "          [ 2.,  3.]],\n"
                                                   "\n"
                                                   "         [[ 4.,  5.],\n"
                                                   "          [ 6.,  7.]]],\n"
                                                   "\n"
                                                   "\n"
                                                   "        [[[ 8.,  9.],\n"
                                                   "          [10., 11.]],\n"
                                                   "\n"
                                                   "         [[12., 13.],\n"
                                                   "          [14., 15.]]]])");
}

static void long_lines_are_broken(void **state)
{
    (void)state;
    prints(count(mc_shape(60), MC_F32, 7),
           "tensor([0.0000, 0.1429, 0.2857, 0.4286, 0.5714, 0.7143, 0.8571, 1.0000, 1.1429,\n"
           "        1.2857, 1.4286, 1.5714, 1.7143, 1.8571, 2.0000, 2.1429, 2.2857, 2.4286,\n"
           "        2.5714, 2.7143, 2.8571, 3.0000, 3.1429, 3.2857, 3.4286, 3.5714, 3.7143,\n"
           "        3.8571, 4.0000, 4.1429, 4.2857, 4.4286, 4.5714, 4.7143, 4.8571, 5.0000,\n"
           "        5.1429, 5.2857, 5.4286, 5.5714, 5.7143, 5.8571, 6.0000, 6.1429, 6.2857,\n"
           "        6.4286, 6.5714, 6.7143, 6.8571, 7.0000, 7.1429, 7.2857, 7.4286, 7.5714,\n"
           "        7.7143, 7.8571, 8.0000, 8.1429, 8.2857, 8.4286])");
    prints(count(mc_shape(1, 1, 40), MC_F32, 3),
           "tensor([[[ 0.0000,  0.3333,  0.6667,  1.0000,  1.3333,  1.6667,  2.0000,\n"
           "           2.3333,  2.6667,  3.0000,  3.3333,  3.6667,  4.0000,  4.3333,\n"
           "           4.6667,  5.0000,  5.3333,  5.6667,  6.0000,  6.3333,  6.6667,\n"
           "           7.0000,  7.3333,  7.6667,  8.0000,  8.3333,  8.6667,  9.0000,\n"
           "           9.3333,  9.6667, 10.0000, 10.3333, 10.6667, 11.0000, 11.3333,\n"
           "          11.6667, 12.0000, 12.3333, 12.6667, 13.0000]]])");
    prints(count(mc_shape(21), MC_I32, 1),
           "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n"
           "        18, 19, 20], dtype=i32)");
}

static void a_thousand_elements_are_shown(void **state)
{
    (void)state;
    char *text = mc_to_string(count(mc_shape(1000), MC_I64, 1));
    assert_non_null(text);
    assert_non_null(strstr(text, "\n        994, 995, 996, 997, 998, 999])"));
    assert_null(strstr(text, "..."));
    free(text);
}

static void more_are_summarized(void **state)
{
    (void)state;
    prints(count(mc_shape(1001), MC_I64, 1), "tensor([   0,    1,    2,  ...,  998,  999, 1000])");
    prints(count(mc_shape(1001), MC_F32, 1),
           "tensor([   0.,    1.,    2.,  ...,  998.,  999., 1000.])");
    prints(count(mc_shape(30, 40), MC_I64, 1),
           "tensor([[   0,    1,    2,  ...,   37,   38,   39],\n"
           "        [  40,   41,   42,  ...,   77,   78,   79],\n"
           "        [  80,   81,   82,  ...,  117,  118,  119],\n"
           "        ...,\n"
           "        [1080, 1081, 1082,  ..., 1117, 1118, 1119],\n"
           "        [1120, 1121, 1122,  ..., 1157, 1158, 1159],\n"
           "        [1160, 1161, 1162,  ..., 1197, 1198, 1199]])");
    prints(count(mc_shape(2, 1001), MC_I64, 1),
           "tensor([[   0,    1,    2,  ...,  998,  999, 1000],\n"
           "        [1001, 1002, 1003,  ..., 1999, 2000, 2001]])");
    prints(count(mc_shape(1001, 2), MC_I64, 1), "tensor([[   0,    1],\n"
                                                "        [   2,    3],\n"
                                                "        [   4,    5],\n"
                                                "        ...,\n"
                                                "        [1996, 1997],\n"
                                                "        [1998, 1999],\n"
                                                "        [2000, 2001]])");
    prints(count(mc_shape(2, 30, 40), MC_F32, 1),
           "tensor([[[0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 3.7000e+01,\n"
           "          3.8000e+01, 3.9000e+01],\n"
           "         [4.0000e+01, 4.1000e+01, 4.2000e+01,  ..., 7.7000e+01,\n"
           "          7.8000e+01, 7.9000e+01],\n"
           "         [8.0000e+01, 8.1000e+01, 8.2000e+01,  ..., 1.1700e+02,\n"
           "          1.1800e+02, 1.1900e+02],\n"
           "         ...,\n"
           "         [1.0800e+03, 1.0810e+03, 1.0820e+03,  ..., 1.1170e+03,\n"
           "          1.1180e+03, 1.1190e+03],\n"
           "         [1.1200e+03, 1.1210e+03, 1.1220e+03,  ..., 1.1570e+03,\n"
           "          1.1580e+03, 1.1590e+03],\n"
           "         [1.1600e+03, 1.1610e+03, 1.1620e+03,  ..., 1.1970e+03,\n"
           "          1.1980e+03, 1.1990e+03]],\n"
           "\n"
           "        [[1.2000e+03, 1.2010e+03, 1.2020e+03,  ..., 1.2370e+03,\n"
           "          1.2380e+03, 1.2390e+03],\n"
           "         [1.2400e+03, 1.2410e+03, 1.2420e+03,  ..., 1.2770e+03,\n"
           "          1.2780e+03, 1.2790e+03],\n"
           "         [1.2800e+03, 1.2810e+03, 1.2820e+03,  ..., 1.3170e+03,\n"
           "          1.3180e+03, 1.3190e+03],\n"
           "         ...,\n"
           "         [2.2800e+03, 2.2810e+03, 2.2820e+03,  ..., 2.3170e+03,\n"
           "          2.3180e+03, 2.3190e+03],\n"
           "         [2.3200e+03, 2.3210e+03, 2.3220e+03,  ..., 2.3570e+03,\n"
           "          2.3580e+03, 2.3590e+03],\n"
           "         [2.3600e+03, 2.3610e+03, 2.3620e+03,  ..., 2.3970e+03,\n"
           "          2.3980e+03, 2.3990e+03]]])");
    prints(mc_to_dtype(mc_mul(count(mc_shape(1, 1001), MC_F32, 1), 0.0), MC_BOOL),
           "tensor([[False, False, False,  ..., False, False, False]])");
}

static void strides_do_not_show(void **state)
{
    (void)state;
    mc_tensor *x = count(mc_shape(40, 30), MC_I64, 1);
    char *view = mc_to_string(mc_t(x)), *copy = mc_to_string(mc_contiguous(mc_t(x)));
    assert_string_equal(view, copy);
    free(view);
    free(copy);
    prints(mc_expand(mc_slice_step(FLOATS(1, 2, 3, 4), 0, 1, 4, 2), 2, 2), "tensor([[2., 4.],\n"
                                                                           "        [2., 4.]])");
}

/* ---- what follows the values ---------------------------------------------------------------- */

static void devices(void **state)
{
    (void)state;
    if (!mc_cuda_is_available())
        skip();
    prints(mc_cuda(count(mc_shape(2, 2), MC_F32, 1)), "tensor([[0., 1.],\n"
                                                      "        [2., 3.]], device='cuda:0')");
    prints(mc_cuda(mc_to_dtype(mc_view(FLOATS(1, 2, 3, 4), 2, 2), MC_F16)),
           "tensor([[1., 2.],\n"
           "        [3., 4.]], device='cuda:0', dtype=f16)");
    prints(mc_cuda(scalar(-5, MC_I32)), "tensor(-5, device='cuda:0', dtype=i32)");
    prints(mc_empty(mc_shape(0), .dtype = MC_F16, .device = MC_CUDA),
           "tensor([], device='cuda:0', dtype=f16)");
    prints(mc_empty(mc_shape(0, 0, 2), .dtype = MC_F16, .device = MC_CUDA),
           "tensor([], device='cuda:0', size=(0, 0, 2), dtype=f16)");
}

static void gradients(void **state)
{
    (void)state;
    mc_tensor *leaf = mc_requires_grad_(FLOATS(1, 2), true);
    prints(leaf, "tensor([1., 2.], requires_grad=True)");
    prints(mc_mul(leaf, 2), "tensor([2., 4.], grad_fn=<mul>)");
    prints(mc_select(leaf, 0, 1), "tensor(2., grad_fn=<select>)");
    if (!mc_cuda_is_available())
        skip();
    prints(mc_requires_grad_(mc_cuda(mc_to_dtype(FLOATS(1, 2), MC_F16)), true),
           "tensor([1., 2.], device='cuda:0', dtype=f16, requires_grad=True)");
}

/* PyTorch's rule, with our shorter names: a line has 80 characters, two of them kept free. */
static void what_does_not_fit_goes_on_the_next_line(void **state)
{
    (void)state;
    prints(count(mc_shape(22), MC_U8, 1),
           "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n"
           "        18, 19, 20, 21], dtype=u8)");
    prints(count(mc_shape(18), MC_I32, 1),
           "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17],\n"
           "       dtype=i32)");
}

/* ---- around it ----------------------------------------------------------------------------- */

static void no_tensor(void **state)
{
    (void)state;
    prints(NULL, "NULL");
    assert_null(mc_last_error());
}

static void other_languages_change_nothing(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        skip();
    prints(scalar(3.5, MC_F32), "tensor(3.5000)");
    setlocale(LC_NUMERIC, "C");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, in_scope, out_of_scope)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(whole_floats_have_a_point),
        TEST(fractions_have_four_places),
        TEST(far_apart_is_scientific),
        TEST(infinities_and_nans),
        TEST(integers_and_bools),
        TEST(small_floats),
        TEST(empty_tensors),
        TEST(dimensions),
        TEST(long_lines_are_broken),
        TEST(a_thousand_elements_are_shown),
        TEST(more_are_summarized),
        TEST(strides_do_not_show),
        TEST(devices),
        TEST(gradients),
        TEST(what_does_not_fit_goes_on_the_next_line),
        TEST(no_tensor),
        TEST(other_languages_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
