/* What the tests of layers share: a scope around each test, tensors with known values, comparison
 * with values computed in double. */
#ifndef TESTS_UNIT_VALUES_H
#define TESTS_UNIT_VALUES_H

#include <miscast/tensor.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static inline int in_scope(void **state)
{
    static mc_scope scope;
    mc_set_error_handler(mc_error_remember, NULL);
    mc_clear_error();
    scope = mc_scope_begin();
    *state = &scope;
    return 0;
}

static inline int out_of_scope(void **state)
{
    mc_scope_end(*(mc_scope *)*state);
    return 0;
}

/* The kind of the last error, which is forgotten. */
static inline mc_error_kind failed(const mc_tensor *result)
{
    const mc_error *e = mc_last_error();
    mc_error_kind kind = e ? e->kind : MC_ERROR_NONE;
    assert_null(result);
    mc_clear_error();
    return kind;
}

/* Numbers in [-2, 2), the same on every run, and multiples of 1/8: every dtype but the unsigned
 * holds them, or their whole part, exactly. */
static inline mc_tensor *some(mc_shape shape, mc_dtype dtype)
{
    mc_tensor *t = mc_empty(shape, .dtype = MC_F64);
    double *x = mc_data_f64(t);
    uint32_t seed = 12345;
    for (int64_t i = 0; i < mc_numel(t); i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (double)(seed >> 27) / 8 - 2;
    }
    return mc_to_dtype(t, dtype);
}

/* All elements in order, until the scope ends. */
static inline const double *values(mc_tensor *t)
{
    assert_non_null(t);
    return mc_data_f64(mc_contiguous(mc_double(mc_cpu(t))));
}

static inline void assert_shape(mc_tensor *t, mc_shape want)
{
    mc_shape got = mc_shape_of(t);
    assert_non_null(t);
    assert_int_equal(got.ndim, want.ndim);
    assert_memory_equal(got.dims, want.dims, (size_t)want.ndim * sizeof *want.dims);
}

/* Half a unit in the last place, and what f32 sums may lose. */
static inline double tolerance(mc_dtype dtype, double value)
{
    double unit = dtype == MC_F16 ? 0x1p-11 : dtype == MC_BF16 ? 0x1p-8 : 0;
    return (fabs(value) + 1) * (unit * 1.01 + (dtype == MC_F64 ? 1e-13 : 2e-6));
}

static inline void assert_near(mc_dtype dtype, double got, double want)
{
    if (!(fabs(got - want) <= tolerance(dtype, want)) && !(isnan(got) && isnan(want)))
        fail_msg("%s: got %.17g, want %.17g", mc_dtype_name(dtype), got, want);
}

static inline void assert_all(mc_tensor *t, size_t n, const double *want)
{
    const double *got = values(t);
    assert_int_equal(mc_numel(t), n);
    for (size_t i = 0; i < n; i++)
        if (got[i] != want[i])
            fail_msg("element %zu is %.17g, not %.17g", i, got[i], want[i]);
}

/* All elements of t, in order, exactly. */
#define ASSERT_VALUES(t, ...)                                                                      \
    assert_all(t, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})

#define TEST(f) cmocka_unit_test_setup_teardown(f, in_scope, out_of_scope)

#endif
