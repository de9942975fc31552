/* Two GPUs: cuda is cuda:0, tensors move between them, and those of different ones do not mix. The
 * packs say the same (tests/pack/cases.txt). */
#include "tests/unit/values.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST       .device = MC_CUDA
#define SECOND      .device = MC_CUDA_AT(1)
#define MATRIX(...) mc_ones(mc_shape(4, 4), __VA_ARGS__)
#define VECTOR(...) mc_ones(mc_shape(4), __VA_ARGS__)
#define SCALAR(...) mc_ones(mc_shape(), __VA_ARGS__)

static void moves(void **state)
{
    (void)state;
    mc_tensor *x = VECTOR(SECOND);
    assert_int_equal(mc_cuda_device_count(), 2);
    assert_int_equal(mc_device_of(x), MC_CUDA_AT(1));
    assert_string_equal(mc_device_name(mc_device_of(x)), "cuda:1");
    assert_ptr_equal(mc_to_device(x, MC_CUDA_AT(1)), x);
    assert_int_equal(mc_device_of(mc_cuda(x)), MC_CUDA);
    assert_ptr_not_equal(mc_cuda(x), x);
    assert_int_equal(mc_device_of(mc_type_as(VECTOR(FIRST), x)), MC_CUDA_AT(1));
    ASSERT_VALUES(mc_copy_(mc_zeros(mc_shape(4), FIRST), x), 1, 1, 1, 1);
    assert_int_equal(failed(VECTOR(.device = MC_CUDA_AT(2))), MC_ERROR_DEVICE);
}

static void stay_apart(void **state)
{
    (void)state;
    mc_tensor *a = MATRIX(FIRST), *b = MATRIX(SECOND), *classes = mc_long(VECTOR(SECOND));
    mc_tensor *planes = mc_view(a, 1, 1, 4, 4), *kernel = mc_ones(mc_shape(1, 1, 2, 2), SECOND);
    assert_int_equal(failed(mc_add(a, b)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_add(a, SCALAR(SECOND))), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_add(b, b, .out = a)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_add_(mc_long(a), b)), MC_ERROR_CAST);
    assert_int_equal(failed(mc_add_(a, b)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_matmul(a, b)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_linear(a, b, NULL)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_conv2d(planes, kernel, NULL)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_conv2d(planes, mc_half(kernel), NULL)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_index(a, classes)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_mse_loss(a, b)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_cross_entropy(a, classes)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_where(mc_gt(a, 0), a, b)), MC_ERROR_DEVICE);
}

static void go_together(void **state)
{
    (void)state;
    mc_tensor *b = MATRIX(SECOND);
    assert_int_equal(mc_device_of(mc_add(b, SCALAR(.device = MC_CPU))), MC_CUDA_AT(1));
    assert_int_equal(mc_device_of(mc_matmul(b, b)), MC_CUDA_AT(1));
    assert_int_equal(mc_device_of(mc_index(b, mc_arange(2))), MC_CUDA_AT(1));
    assert_int_equal(mc_device_of(mc_masked_fill(b, mc_gt(b, 0), SCALAR(FIRST))), MC_CUDA_AT(1));
    mc_tensor *w = MATRIX(FIRST, .requires_grad = true);
    mc_backward(mc_sum(mc_mul(mc_to_device(w, MC_CUDA_AT(1)), b)));
    assert_int_equal(mc_device_of(mc_grad(w)), MC_CUDA);
}

/* Where there are GPUs, but not two of them, two are simulated: in a program begun anew, since what
 * is behind cuda is settled when it is asked for. */
static void have_two(char **argv)
{
    setenv("MISCAST_SIM_DEVICES", "2", 1);
    if (strcmp(mc_backend_name(MC_CUDA), "cuda") != 0 || mc_cuda_device_count() == 2)
        return;
    setenv("MISCAST_CUDA", "sim", 1);
    execv("/proc/self/exe", argv);
    abort();
}

int main(int argc, char **argv)
{
    (void)argc;
    have_two(argv);
    const struct CMUnitTest tests[] = {
        TEST(moves),
        TEST(stay_apart),
        TEST(go_together),
    };
    return cmocka_run_group_tests_name("gpus", tests, NULL, NULL);
}
