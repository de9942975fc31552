/* Tensors of more than 2^31 elements: positions need 64 bits. The last rows of a large tensor have
 * to give what the same rows give alone, bit for bit, and what lies last has to be found. Skipped
 * (77) where cuda is not a real backend or has less memory than this takes. */
#include "tests/unit/values.h"

#include <stdio.h>

#include "runtime/backends/backends.h"

enum { SKIPPED = 77, COLUMNS = 1000, TAIL = 3 };

static const int64_t ROWS = (INT64_C(1) << 31) / COLUMNS + 5;
static const size_t NEEDED = (size_t)100 << 30; /* sorting takes the most */

#define ON_CUDA .device = MC_CUDA

static int after_others(void **state)
{
    mc_empty_cache();
    return in_scope(state);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Each gives a row for a row. */
#define ROW_WISE(name, call)                                                                       \
    static mc_tensor *name(mc_tensor *x)                                                           \
    {                                                                                              \
        return call;                                                                               \
    }
ROW_WISE(added, mc_add(x, 1.5))
ROW_WISE(multiplied, mc_mul(x, x))
ROW_WISE(rectified, mc_relu(x))
ROW_WISE(widened, mc_to_dtype(x, MC_F32))
ROW_WISE(compared, mc_gt(x, 0.25))
ROW_WISE(shifted, mc_add(x, mc_arange(COLUMNS, .dtype = MC_F16, ON_CUDA)))
ROW_WISE(filled, mc_masked_fill(x, mc_gt(x, 0), 2))
ROW_WISE(copied, mc_clone(x))
ROW_WISE(softened, mc_softmax(x, -1))
ROW_WISE(normalised, mc_layer_norm(x, NULL, NULL))
ROW_WISE(summed, mc_sum(x, .dim = mc_dims(1), .keepdim = true))
ROW_WISE(greatest, mc_argmax(x, .dim = mc_dims(1), .keepdim = true))
ROW_WISE(accumulated, mc_cumsum(x, 1))
ROW_WISE(turned, mc_flip(x, 1))
ROW_WISE(doubled, mc_cat(1, x, x))

static const struct {
    const char *name;
    mc_tensor *(*of)(mc_tensor *x);
} row_wise[] = {
#define ROW(f) {#f, f}
    ROW(added),   ROW(multiplied), ROW(rectified),   ROW(widened),  ROW(compared),
    ROW(shifted), ROW(filled),     ROW(copied),      ROW(softened), ROW(normalised),
    ROW(summed),  ROW(greatest),   ROW(accumulated), ROW(turned),   ROW(doubled),
};

static mc_tensor *last_rows(mc_tensor *x)
{
    return mc_narrow(x, 0, mc_size(x, 0) - TAIL, TAIL);
}

static void assert_rows_alike(mc_tensor *x)
{
    for (size_t i = 0; i < sizeof row_wise / sizeof *row_wise; i++) {
        mc_scope scope = mc_scope_begin();
        mc_tensor *all = row_wise[i].of(x), *alone = row_wise[i].of(mc_clone(last_rows(x)));
        if (!all || !alone)
            fail_msg("%s: %s", row_wise[i].name, mc_last_error()->message);
        if (!mc_equal(last_rows(all), alone))
            fail_msg("%s: the last rows differ from what they give alone", row_wise[i].name);
        mc_scope_end(scope);
    }
}

static void rows_give_what_they_give_alone(void **state)
{
    (void)state;
    assert_rows_alike(mc_randn(mc_shape(ROWS, COLUMNS), .dtype = MC_F16, ON_CUDA));
}

static void columns_do_too(void **state)
{
    (void)state;
    assert_rows_alike(mc_t(mc_randn(mc_shape(COLUMNS, ROWS), .dtype = MC_F16, ON_CUDA)));
}

/* ---- what lies last -------------------------------------------------------------------------- */

/* Zeros, but for a 7 at the end. */
static mc_tensor *with_last(int64_t n)
{
    mc_tensor *x = mc_zeros(mc_shape(n), .dtype = MC_I8, ON_CUDA);
    mc_fill_(mc_narrow(x, 0, n - 1, 1), 7);
    return x;
}

static void finds_what_lies_last(void **state)
{
    (void)state;
    const int64_t n = ROWS * COLUMNS;
    mc_tensor *x = with_last(n), *last = mc_full(mc_shape(1), n - 1, .dtype = MC_I64, ON_CUDA);
    assert_int_equal((int64_t)mc_item(mc_sum(x)), 7);
    assert_int_equal((int64_t)mc_item(mc_sum(mc_add(x, 1))), n + 7);
    assert_int_equal((int64_t)mc_item(mc_argmax(x)), n - 1);
    assert_int_equal((int64_t)mc_item(mc_amax(x)), 7);
    assert_int_equal((int64_t)mc_item(mc_count_nonzero(x)), 1);
    assert_int_equal((int64_t)mc_item(mc_nonzero(x)), n - 1);
    assert_int_equal((int64_t)mc_item(mc_index_select(x, 0, last)), 7);
    assert_int_equal((int64_t)mc_item(mc_index(x, last)), 7);
    assert_int_equal((int64_t)mc_item(mc_gather(x, 0, last)), 7);
    assert_int_equal((int64_t)mc_item(mc_narrow(mc_flip(x, 0), 0, 0, 1)), 7);
    mc_fill_(mc_narrow(x, 0, 0, n - 1), 1);
    assert_int_equal((int64_t)mc_item(mc_narrow(mc_cumsum(x, 0), 0, n - 1, 1)), n + 6);
}

static void sorts(void **state)
{
    (void)state;
    const int64_t n = ROWS * COLUMNS;
    mc_tensor *from = NULL, *x = with_last(n);
    mc_tensor *sorted = mc_sort(x, .descending = true, .indices = &from);
    assert_int_equal((int64_t)mc_item(mc_narrow(sorted, 0, 0, 1)), 7);
    assert_int_equal((int64_t)mc_item(mc_narrow(from, 0, 0, 1)), n - 1);
    assert_int_equal((int64_t)mc_item(mc_sum(sorted)), 7);
}

/* A product whose result is large, and whose last element is known. */
static void multiplies(void **state)
{
    (void)state;
    const int64_t n = 46400;
    mc_tensor *column = mc_ones(mc_shape(n, 1), .dtype = MC_F16, ON_CUDA);
    mc_tensor *row = mc_ones(mc_shape(1, n), .dtype = MC_F16, ON_CUDA);
    mc_fill_(mc_narrow(column, 0, n - 1, 1), 3);
    mc_fill_(mc_narrow(row, 1, n - 1, 1), 5);
    mc_tensor *product = mc_matmul(column, row);
    assert_int_equal((int64_t)mc_item(mc_narrow(mc_narrow(product, 0, n - 1, 1), 1, n - 1, 1)), 15);
    assert_int_equal((int64_t)mc_item(mc_narrow(mc_narrow(product, 0, n - 1, 1), 1, 0, 1)), 3);
    assert_int_equal((int64_t)mc_item(mc_narrow(mc_narrow(product, 0, n - 2, 1), 1, n - 2, 1)), 1);
}

static void copies_to_the_host_and_back(void **state)
{
    (void)state;
    const int64_t n = ROWS * COLUMNS;
    mc_tensor *x = mc_cpu(with_last(n));
    assert_int_equal((int64_t)mc_item(mc_narrow(x, 0, n - 1, 1)), 7);
    assert_int_equal((int64_t)mc_item(mc_argmax(mc_to_device(x, MC_CUDA))), n - 1);
}

/* ---------------------------------------------------------------------------------------------- */

int main(void)
{
    struct memory_use use = {0};
    if (strcmp(mc_backend_name(MC_CUDA), "cuda") != 0) {
        printf("large: skipped: cuda is %s here\n", mc_backend_name(MC_CUDA));
        return SKIPPED;
    }
    backend_of(MC_CUDA)->memory(MC_CUDA, &use);
    if (use.free < NEEDED) {
        printf("large: skipped: %.0f GiB of memory are free, %.0f are needed\n",
               (double)use.free * 0x1p-30, (double)NEEDED * 0x1p-30);
        return SKIPPED;
    }
#define LARGE_TEST(f) cmocka_unit_test_setup_teardown(f, after_others, out_of_scope)
    const struct CMUnitTest tests[] = {
        LARGE_TEST(rows_give_what_they_give_alone),
        LARGE_TEST(columns_do_too),
        LARGE_TEST(finds_what_lies_last),
        LARGE_TEST(sorts),
        LARGE_TEST(multiplies),
        LARGE_TEST(copies_to_the_host_and_back),
    };
    return cmocka_run_group_tests_name("large", tests, NULL, NULL);
}
