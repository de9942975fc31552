/* Reading and writing at indices and masks: against loops over coordinates, for every layout, size
 * of element and device; and what must not be touched when an index is wrong. */
#include "tests/unit/values.h"

#include <stdlib.h>

static mc_tensor *ints(size_t n, const int64_t *v)
{
    return mc_from_array(v, mc_shape((int64_t)n));
}

#define INTS(...) ints(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]){__VA_ARGS__})

/* 0, 1, 2 … in that shape. */
static mc_tensor *counted(mc_shape shape, mc_dtype dtype)
{
    mc_tensor *t = mc_empty(shape, .dtype = MC_F64);
    double *v = mc_data_f64(t);
    for (int64_t i = 0; i < mc_numel(t); i++)
        v[i] = (double)i;
    return mc_to_dtype(t, dtype);
}

/* Indices below size, the same on every run, with repetitions. */
static mc_tensor *some_indices(mc_shape shape, int64_t size)
{
    mc_tensor *t = mc_empty(shape, .dtype = MC_I64);
    int64_t *v = mc_data_i64(t);
    uint64_t seed = 99;
    for (int64_t i = 0; i < mc_numel(t); i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        v[i] = (int64_t)((seed >> 33) % (uint64_t)size);
    }
    return t;
}

static const mc_dtype all_dtypes[] = {MC_BOOL, MC_U8,   MC_I8,  MC_I16, MC_I32,     MC_I64,
                                      MC_F16,  MC_BF16, MC_F32, MC_F64, MC_F8_E4M3, MC_F8_E5M2};
enum { DTYPES = sizeof all_dtypes / sizeof *all_dtypes };

/* ---- x[index] ----------------------------------------------------------------------------- */

static void index_takes_slices(void **state)
{
    (void)state;
    mc_tensor *x = counted(mc_shape(3, 2), MC_F32);
    ASSERT_VALUES(mc_index(x, INTS(2, 0, -1)), 4, 5, 0, 1, 4, 5);
    ASSERT_VALUES(mc_index(mc_t(x), INTS(1, 1)), 1, 3, 5, 1, 3, 5);
    ASSERT_VALUES(mc_index(x, mc_int(INTS(1, -3))), 2, 3, 0, 1);
    mc_tensor *square = mc_index(x, mc_from_array(((int64_t[]){0, 1, 2, 2}), mc_shape(2, 2)));
    assert_shape(square, mc_shape(2, 2, 2));
    assert_shape(mc_index(x, mc_scalar_tensor(1)), mc_shape(2));
    assert_shape(mc_index(x, mc_empty(mc_shape(0), .dtype = MC_I64)), mc_shape(0, 2));
    assert_shape(mc_index(mc_empty(mc_shape(3, 0)), INTS(1, 1)), mc_shape(2, 0));
    for (int i = 0; i < DTYPES; i++)
        ASSERT_VALUES(mc_index(counted(mc_shape(2), all_dtypes[i]), INTS(1, 0, 1)), 1, 0, 1);
}

static void index_by_mask(void **state)
{
    (void)state;
    mc_tensor *x = counted(mc_shape(2, 3), MC_I16);
    mc_tensor *mask = mc_from_array(((bool[]){1, 0, 1, 0, 1, 0}), mc_shape(2, 3));
    ASSERT_VALUES(mc_index(x, mask), 0, 2, 4);
    ASSERT_VALUES(mc_index(x, mc_byte(mask)), 0, 2, 4);
    ASSERT_VALUES(mc_index(mc_t(x), mc_t(mask)), 0, 4, 2);
    mc_tensor *rows = mc_index(x, mc_from_array(((bool[]){0, 1}), mc_shape(2)));
    assert_shape(rows, mc_shape(1, 3));
    ASSERT_VALUES(rows, 3, 4, 5);
    assert_shape(mc_index(x, mc_full(mc_shape(), (bool)1)), mc_shape(1, 2, 3));
    assert_shape(mc_index(x, mc_full(mc_shape(), (bool)0)), mc_shape(0, 2, 3));
    assert_shape(mc_index(mc_scalar_tensor(3), mc_full(mc_shape(), (bool)1)), mc_shape(1));
    assert_shape(mc_index(x, mc_zeros_like(mask)), mc_shape(0));
    /* any byte but 0 is true, even one that no bool can be */
    mc_tensor *odd = mc_view_dtype(mc_from_array(((uint8_t[]){0, 2, 7}), mc_shape(3)), MC_BOOL);
    ASSERT_VALUES(mc_index(counted(mc_shape(3), MC_F32), odd), 1, 2);
}

static void index_errors(void **state)
{
    (void)state;
    mc_tensor *x = counted(mc_shape(3, 2), MC_F32);
    assert_int_equal(failed(mc_index(x, INTS(0, 3))), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_index(x, INTS(0, -4))), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_index(x, INTS(INT64_MIN))), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_index(mc_empty(mc_shape(0)), INTS(0))), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_index(x, mc_ones(mc_shape(2)))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_index(x, mc_ones(mc_shape(2), .dtype = MC_BOOL))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_index(mc_scalar_tensor(1), INTS(0))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_index(x, mc_cuda(INTS(0)))), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_index(mc_empty(mc_shape(1, 1, 1, 1, 1, 1, 1, 1)),
                                     mc_zeros(mc_shape(1, 1), .dtype = MC_I64))),
                     MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_index(x, NULL)), MC_ERROR_ARGUMENT);
    mc_index(x, INTS(1, 2, 7));
    assert_non_null(strstr(mc_last_error()->message, "7"));
    mc_clear_error();
}

static void cuda_takes_host_indices(void **state)
{
    (void)state;
    mc_tensor *x = mc_cuda(counted(mc_shape(3), MC_F32));
    mc_tensor *y = mc_index(x, INTS(2, 1));
    assert_true(mc_is_cuda(y));
    ASSERT_VALUES(y, 2, 1);
    ASSERT_VALUES(mc_index(x, mc_from_array(((bool[]){0, 1, 1}), mc_shape(3))), 1, 2);
    assert_int_equal(failed(mc_index_select(x, 0, INTS(1))), MC_ERROR_DEVICE);
}

/* ---- gather and scatter ------------------------------------------------------------------- */

/* The place in x that p's coordinates and the index name; row-major, x at least as long. */
static int64_t place(mc_tensor *x, mc_tensor *index, int64_t p, int dim, int64_t along)
{
    int64_t at[MC_MAX_DIMS], to = 0;
    for (int d = mc_ndim(index) - 1; d >= 0; d--) {
        at[d] = p % mc_size(index, d);
        p /= mc_size(index, d);
    }
    for (int d = 0; d < mc_ndim(x); d++)
        to = to * mc_size(x, d) + (d == dim ? along : at[d]);
    return to;
}

static void check_gather(mc_tensor *x, int dim, mc_tensor *index)
{
    mc_scope s = mc_scope_begin();
    const double *from = values(x), *got = values(mc_gather(x, dim, index));
    const int64_t *along = mc_data_i64(mc_contiguous(index));
    for (int64_t p = 0; p < mc_numel(index); p++)
        assert_true(got[p] == from[place(x, index, p, dim, along[p])]);
    mc_scope_end(s);
}

static void check_scatter(mc_tensor *x, int dim, mc_tensor *index, mc_tensor *source, bool add)
{
    mc_scope s = mc_scope_begin();
    int64_t n = mc_numel(x);
    double *want = malloc((size_t)n * sizeof *want);
    memcpy(want, values(x), (size_t)n * sizeof *want);
    const double *from = values(source);
    const int64_t *along = mc_data_i64(mc_contiguous(index));
    for (int64_t p = 0; p < mc_numel(index); p++) {
        double *to = &want[place(x, index, p, dim, along[p])];
        double v = from[place(source, index, p, -1, 0)];
        *to = add ? *to + v : v;
    }
    mc_tensor *y =
        add ? mc_scatter_add_(x, dim, index, source) : mc_scatter_(x, dim, index, source);
    assert_ptr_equal(y, x);
    assert_all(x, (size_t)n, want);
    free(want);
    mc_scope_end(s);
}

/* x of that shape in three layouts: as made, turned round, every second of twice as many. */
static mc_tensor *in_layout(int layout, int64_t a, int64_t b, int64_t c, mc_dtype dtype)
{
    if (layout == 0)
        return some(mc_shape(a, b, c), dtype);
    if (layout == 1)
        return mc_permute(some(mc_shape(c, a, b), dtype), 1, 2, 0);
    return mc_slice_step(some(mc_shape(a, b, 2 * c), dtype), 2, 0, 2 * c, 2);
}

static void gather_and_scatter_in_any_layout(void **state)
{
    (void)state;
    const mc_dtype dtypes[] = {MC_BOOL, MC_I16, MC_F32, MC_F64, MC_I64};
    for (size_t t = 0; t < sizeof dtypes / sizeof *dtypes; t++)
        for (int layout = 0; layout < 9; layout++)
            for (int dim = 0; dim < 3; dim++) {
                mc_scope s = mc_scope_begin();
                mc_tensor *x = in_layout(layout % 3, 4, 5, 6, dtypes[t]);
                mc_tensor *source = in_layout(layout / 3, 3, 5, 4, dtypes[t]);
                mc_tensor *index = some_indices(mc_shape(2, 5, 3), 4);
                mc_tensor *turned = mc_permute(some_indices(mc_shape(3, 2, 5), 4), 1, 2, 0);
                check_gather(x, dim, index);
                check_gather(x, dim, turned);
                check_scatter(x, dim, index, source, false);
                check_scatter(x, dim, turned, source, dtypes[t] != MC_BOOL);
                mc_scope_end(s);
            }
}

static void zero_dims_gather_and_scatter(void **state)
{
    (void)state;
    mc_tensor *x = mc_scalar_tensor(5.0), *zero = mc_scalar_tensor(0);
    assert_shape(mc_gather(x, 0, zero), mc_shape());
    ASSERT_VALUES(mc_gather(x, -1, zero), 5);
    ASSERT_VALUES(mc_gather(x, 0, INTS(0)), 5);
    ASSERT_VALUES(mc_scatter_add_(x, 0, zero, mc_scalar_tensor(2.0)), 7);
    ASSERT_VALUES(mc_index_add_(x, 0, zero, mc_scalar_tensor(1.0)), 8);
    assert_int_equal(failed(mc_index_add_(x, 0, zero, mc_ones(mc_shape(1)))), MC_ERROR_SHAPE);
    ASSERT_VALUES(mc_index_copy_(x, 0, INTS(0), mc_scalar_tensor(1.0)), 1);
    assert_shape(mc_index_select(x, 0, INTS(0)), mc_shape());
    assert_int_equal(failed(mc_index_select(x, 0, INTS(0, 0))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_gather(x, 0, INTS(1))), MC_ERROR_INDEX);
    mc_tensor *y = mc_ones(mc_shape(3));
    assert_int_equal(failed(mc_scatter_(y, 0, INTS(0, 1), x)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_scatter_add_(y, 0, INTS(0, 1), x)), MC_ERROR_SHAPE);
    ASSERT_VALUES(mc_scatter_add_(y, 0, INTS(1), x), 1, 2, 1);
}

static void repeated_indices_add_up(void **state)
{
    (void)state;
    mc_tensor *many = mc_zeros(mc_shape(5000), .dtype = MC_I64);
    const mc_dtype floats[] = {MC_F16, MC_BF16, MC_F32, MC_F64};
    for (int i = 0; i < 4; i++) {
        /* in halves a running sum would stand still at 2048 or 256 */
        mc_tensor *x = mc_zeros(mc_shape(2), .dtype = floats[i]);
        mc_tensor *ones = mc_ones(mc_shape(4096), .dtype = floats[i]);
        ASSERT_VALUES(mc_scatter_add_(x, 0, mc_narrow(many, 0, 0, 4096), ones), 4096, 0);
        ASSERT_VALUES(mc_index_add_(x, 0, mc_narrow(many, 0, 0, 4096), ones), 8192, 0);
    }
    mc_tensor *bytes = mc_zeros(mc_shape(1), .dtype = MC_U8);
    mc_scatter_add_(bytes, 0, mc_narrow(many, 0, 0, 300), mc_ones(mc_shape(300), .dtype = MC_U8));
    ASSERT_VALUES(bytes, 44);
    mc_tensor *flags = mc_zeros(mc_shape(2), .dtype = MC_BOOL);
    mc_scatter_add_(flags, 0, INTS(1, 1), mc_ones(mc_shape(2), .dtype = MC_BOOL));
    ASSERT_VALUES(flags, 0, 1);
}

static void threads_do_not_change_scatter(void **state)
{
    (void)state;
    int threads = mc_get_num_threads();
    mc_tensor *index = some_indices(mc_shape(300, 400), 50),
              *source = some(mc_shape(300, 400), MC_F32);
    source = mc_mul(source, 0.1);
    mc_tensor *result[2][3];
    for (int i = 0; i < 2; i++) {
        mc_set_num_threads(i + 1);
        result[i][0] = mc_scatter_(mc_zeros(mc_shape(50, 400)), 0, index, source);
        result[i][1] = mc_scatter_add_(mc_zeros(mc_shape(50, 400)), 0, index, source);
        result[i][2] = mc_scatter_add_(mc_zeros(mc_shape(300, 50)), 1, index, source);
    }
    mc_set_num_threads(threads);
    for (int k = 0; k < 3; k++)
        assert_true(mc_equal(result[0][k], result[1][k]));
}

static void scatter_errors_leave_x_alone(void **state)
{
    (void)state;
    mc_tensor *x = counted(mc_shape(3), MC_F32), *three = mc_ones(mc_shape(3));
    assert_int_equal(failed(mc_scatter_(x, 0, INTS(0, 1, 3), three)), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_scatter_add_(x, 0, INTS(0, 1, -1), three)), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_index_add_(x, 0, INTS(0, 1, -1), three)), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_index_copy_(x, 0, INTS(0, 1, 9), three)), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_index_put_(x, INTS(0, 1, -4), three)), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_scatter_(x, 0, INTS(0, 1, 2, 0), three)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_scatter_(x, 0, mc_ones(mc_shape(3, 1), .dtype = MC_I64), three)),
                     MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_scatter_(x, 0, mc_float(INTS(0)), three)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_scatter_(x, 0, INTS(0), mc_double(three))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_scatter_(x, 1, INTS(0), three)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_scatter_(x, 0, mc_cuda(INTS(0)), three)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_index_copy_(x, 0, mc_int(INTS(0, 1, 2)), three)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_index_add_(x, 0, INTS(0), three)), MC_ERROR_SHAPE);
    ASSERT_VALUES(x, 0, 1, 2);
    assert_ptr_equal(mc_scatter_(x, 0, mc_empty(mc_shape(0)), three), x);
    assert_shape(mc_gather(x, 0, mc_empty(mc_shape(0), .dtype = MC_I64)), mc_shape(0));
}

static void small_floats_by_device(void **state)
{
    (void)state;
    mc_tensor *x = counted(mc_shape(3), MC_F8_E4M3), *index = INTS(2, 1);
    assert_int_equal(failed(mc_gather(x, 0, index)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_scatter_(x, 0, index, x)), MC_ERROR_DTYPE);
    ASSERT_VALUES(mc_index_select(x, 0, index), 2, 1);
    x = mc_cuda(x);
    index = mc_cuda(index);
    ASSERT_VALUES(mc_gather(x, 0, index), 2, 1);
    ASSERT_VALUES(mc_scatter_(x, 0, index, mc_zeros_like(x)), 0, 0, 0);
    assert_int_equal(failed(mc_scatter_add_(x, 0, index, mc_clone(x))), MC_ERROR_DTYPE);
}

/* ---- slices ------------------------------------------------------------------------------- */

static void slices_along_a_dimension(void **state)
{
    (void)state;
    mc_tensor *x = counted(mc_shape(2, 3), MC_F32);
    ASSERT_VALUES(mc_index_select(x, 1, INTS(2, 0)), 2, 0, 5, 3);
    ASSERT_VALUES(mc_index_select(mc_t(x), -1, INTS(1)), 3, 4, 5);
    assert_int_equal(failed(mc_index_select(x, 0, INTS(-1))), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_index_select(x, 0, mc_zeros(mc_shape(1, 1), .dtype = MC_I64))),
                     MC_ERROR_SHAPE);
    mc_tensor *source = mc_full(mc_shape(2, 2), 10.0);
    ASSERT_VALUES(mc_index_add_(mc_clone(x), 1, INTS(0, 0), source), 20, 1, 2, 23, 4, 5);
    ASSERT_VALUES(mc_index_copy_(mc_clone(x), 1, INTS(2, 1), source), 0, 10, 10, 3, 10, 10);
    mc_tensor *turned = mc_t(counted(mc_shape(3, 2), MC_F32));
    ASSERT_VALUES(mc_index_copy_(turned, 1, INTS(2, 1), source), 0, 10, 10, 1, 10, 10);
    assert_int_equal(failed(mc_index_add_(x, 1, INTS(0), mc_ones(mc_shape(3, 1)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_index_add_(x, 1, INTS(0), mc_ones(mc_shape(2)))), MC_ERROR_SHAPE);
}

/* ---- x[index] = values -------------------------------------------------------------------- */

static void index_put_at_positions(void **state)
{
    (void)state;
    mc_tensor *x = counted(mc_shape(3, 2), MC_F32);
    ASSERT_VALUES(mc_index_put_(x, INTS(-1, 0), mc_from_array(((float[]){7, 8}), mc_shape(2))), 7,
                  8, 2, 3, 7, 8);
    ASSERT_VALUES(
        mc_index_put_(x, INTS(1, 1), mc_from_array(((float[]){1, 2, 3, 4}), mc_shape(2, 2))), 7, 8,
        3, 4, 7, 8);
    ASSERT_VALUES(mc_index_put_(mc_t(x), INTS(1), mc_scalar_tensor(0.0)), 7, 3, 7, 0, 0, 0);
    assert_int_equal(failed(mc_index_put_(x, INTS(0), mc_ones(mc_shape(3)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_index_put_(x, INTS(0), mc_scalar_tensor(1))), MC_ERROR_DTYPE);
    mc_tensor *there = mc_cuda(x);
    assert_non_null(mc_index_put_(there, INTS(0), mc_scalar_tensor(1.0)));
    assert_int_equal(failed(mc_index_put_(there, INTS(0), mc_ones(mc_shape(2)))), MC_ERROR_DEVICE);
}

static void index_put_by_mask(void **state)
{
    (void)state;
    mc_tensor *mask = mc_from_array(((bool[]){0, 1, 1, 0}), mc_shape(2, 2));
    mc_tensor *x = mc_zeros(mc_shape(2, 2, 2));
    mc_tensor *rows = mc_from_array(((float[]){1, 2, 3, 4}), mc_shape(2, 2));
    ASSERT_VALUES(mc_index_put_(x, mask, rows), 0, 0, 1, 2, 3, 4, 0, 0);
    /* no view can make the first two dimensions one */
    mc_tensor *turned = mc_transpose(mc_zeros(mc_shape(2, 2, 2)), 0, 1);
    ASSERT_VALUES(mc_index_put_(turned, mask, rows), 0, 0, 1, 2, 3, 4, 0, 0);
    /* one number is converted, as in x[mask] = 2 */
    ASSERT_VALUES(mc_index_put_(x, mask, mc_scalar_tensor(9)), 0, 0, 9, 9, 9, 9, 0, 0);
    assert_int_equal(failed(mc_index_put_(mc_zeros(mc_shape(2, 2), .dtype = MC_U8), mask,
                                          mc_scalar_tensor(300))),
                     MC_ERROR_OVERFLOW);
    assert_int_equal(failed(mc_index_put_(x, mask, mc_double(rows))), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_index_put_(x, mask, mc_ones(mc_shape(3, 2)))), MC_ERROR_SHAPE);
}

static void shared_memory_is_seen(void **state)
{
    (void)state;
    mc_tensor *x = counted(mc_shape(4), MC_F32), *two = INTS(1, 0);
    mc_tensor *spread = mc_expand(mc_zeros(mc_shape(1)), 4);
    assert_int_equal(failed(mc_scatter_(spread, 0, two, mc_ones(mc_shape(2)))), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_index_put_(spread, two, mc_ones(mc_shape(2)))), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_masked_fill_(spread, mc_ones(mc_shape(4), .dtype = MC_BOOL), 1)),
                     MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_scatter_(x, 0, two, x)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_index_add_(x, 0, two, mc_narrow(x, 0, 1, 2))), MC_ERROR_ARGUMENT);
    /* what may share memory is copied first */
    mc_tensor *even = mc_slice_step(x, 0, 0, 4, 2), *odd = mc_slice_step(x, 0, 1, 4, 2);
    ASSERT_VALUES(mc_scatter_(even, 0, two, odd), 3, 1);
    /* an index that is written to would no longer be checked */
    int64_t buffer[2] = {1, 0};
    mc_tensor *a = mc_from_blob(buffer, mc_shape(2)), *b = mc_from_blob(buffer, mc_shape(2));
    assert_int_equal(failed(mc_scatter_(a, 0, b, INTS(1 << 20, 1 << 20))), MC_ERROR_ARGUMENT);
    mc_tensor *flags = mc_from_array(((bool[]){1, 0, 1}), mc_shape(3));
    ASSERT_VALUES(mc_masked_fill_(flags, flags, (bool)0), 0, 0, 0);
}

/* ---- masks -------------------------------------------------------------------------------- */

static void masked_select_and_nonzero(void **state)
{
    (void)state;
    int64_t rows = 210, columns = 333, n = rows * columns, k = 0;
    mc_tensor *x = mc_t(counted(mc_shape(columns, rows), MC_F64));
    mc_tensor *mask = mc_lt(some(mc_shape(rows, columns), MC_F32), -1.0);
    const double *all = values(x), *set = values(mask);
    mc_tensor *chosen = mc_masked_select(x, mask), *places = mc_nonzero(mask);
    const double *got = values(chosen);
    const int64_t *at = mc_data_i64(places);
    for (int64_t i = 0; i < n; i++) {
        if (!set[i])
            continue;
        assert_true(k < mc_numel(chosen) && got[k] == all[i]);
        assert_true(at[2 * k] == i / columns && at[2 * k + 1] == i % columns);
        k++;
    }
    assert_int_equal(mc_numel(chosen), k);
    assert_shape(places, mc_shape(k, 2));
}

static void masks_of_all_kinds(void **state)
{
    (void)state;
    for (int i = 0; i < DTYPES; i++) {
        mc_tensor *x = counted(mc_shape(2), all_dtypes[i]);
        mc_tensor *column = mc_from_array(((bool[]){1, 0, 1}), mc_shape(3, 1));
        ASSERT_VALUES(mc_masked_select(x, column), 0, 1, 0, 1);
    }
    ASSERT_VALUES(mc_nonzero(mc_from_array(((float[]){0, NAN, -0.0f, 2}), mc_shape(4))), 1, 3);
    assert_shape(mc_nonzero(mc_scalar_tensor(3)), mc_shape(1, 0));
    assert_shape(mc_nonzero(mc_scalar_tensor(0)), mc_shape(0, 0));
    assert_shape(mc_nonzero(mc_empty(mc_shape(0, 4))), mc_shape(0, 2));
    assert_shape(mc_masked_select(mc_empty(mc_shape(0)), mc_empty(mc_shape(0), .dtype = MC_BOOL)),
                 mc_shape(0));
    assert_int_equal(failed(mc_masked_select(mc_ones(mc_shape(2)), mc_ones(mc_shape(2)))),
                     MC_ERROR_DTYPE);
    assert_int_equal(
        failed(mc_masked_select(mc_ones(mc_shape(2)), mc_ones(mc_shape(3), .dtype = MC_BOOL))),
        MC_ERROR_SHAPE);
}

static void masked_fill_values(void **state)
{
    (void)state;
    mc_tensor *row = mc_from_array(((bool[]){1, 0}), mc_shape(2));
    mc_tensor *x = counted(mc_shape(2, 1), MC_F32);
    mc_tensor *y = mc_masked_fill(x, row, -INFINITY);
    assert_shape(y, mc_shape(2, 2));
    ASSERT_VALUES(y, -INFINITY, 0, -INFINITY, 1);
    assert_int_equal(failed(mc_masked_fill_(x, row, 1)), MC_ERROR_SHAPE);
    mc_tensor *wide = mc_t(counted(mc_shape(2, 3), MC_I32));
    ASSERT_VALUES(mc_masked_fill_(wide, row, 7), 7, 3, 7, 4, 7, 5);
    assert_int_equal(failed(mc_masked_fill(mc_half(x), row, -1e9)), MC_ERROR_OVERFLOW);
    assert_int_equal(failed(mc_masked_fill(mc_to_dtype(x, MC_F8_E5M2), row, 1)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_masked_fill(x, mc_byte(row), 1)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_masked_fill(x, row, mc_ones(mc_shape(1)))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_masked_fill(x, row, mc_cuda(mc_scalar_tensor(1.0)))),
                     MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_masked_fill(x, mc_cuda(row), 1)), MC_ERROR_DEVICE);
    ASSERT_VALUES(mc_masked_fill(mc_cuda(x), mc_cuda(row), mc_scalar_tensor(2.5)), 2.5, 0, 2.5, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(index_takes_slices),
        TEST(index_by_mask),
        TEST(index_errors),
        TEST(cuda_takes_host_indices),
        TEST(gather_and_scatter_in_any_layout),
        TEST(zero_dims_gather_and_scatter),
        TEST(repeated_indices_add_up),
        TEST(threads_do_not_change_scatter),
        TEST(scatter_errors_leave_x_alone),
        TEST(small_floats_by_device),
        TEST(slices_along_a_dimension),
        TEST(index_put_at_positions),
        TEST(index_put_by_mask),
        TEST(shared_memory_is_seen),
        TEST(masked_select_and_nonzero),
        TEST(masks_of_all_kinds),
        TEST(masked_fill_values),
    };
    return cmocka_run_group_tests_name("index", tests, NULL, NULL);
}
