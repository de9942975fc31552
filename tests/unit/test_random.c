/* Random numbers: the generator's published values, the same bits for the same seed on any number
 * of threads, and distributions that are what they should be. */
#include "tests/unit/values.h"

#include <pthread.h>

enum { MANY = 400000 };

struct moments {
    double mean, variance, skew, kurtosis, low, high;
};

static struct moments moments_of(mc_tensor *t)
{
    const double *x = values(t);
    double n = (double)mc_numel(t);
    struct moments m = {.low = INFINITY, .high = -INFINITY};
    for (int64_t i = 0; i < mc_numel(t); i++) {
        m.mean += x[i] / n;
        m.low = fmin(m.low, x[i]);
        m.high = fmax(m.high, x[i]);
    }
    for (int64_t i = 0; i < mc_numel(t); i++) {
        double d = x[i] - m.mean;
        m.variance += d * d / n;
        m.skew += d * d * d / n;
        m.kurtosis += d * d * d * d / n;
    }
    m.skew /= pow(m.variance, 1.5);
    m.kurtosis /= m.variance * m.variance;
    return m;
}

/* ---- the generator ------------------------------------------------------------------------ */

/* The published block of Philox 4x32-10 for key 0 and counter 0. */
static const uint32_t block[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};

/* Bits that must never change: models are compared across machines by them. */
static void philox_is_philox(void **state)
{
    (void)state;
    mc_manual_seed(0);
    const float *u = mc_data_f32(mc_rand(mc_shape(4)));
    for (int i = 0; i < 4; i++)
        assert_true(u[i] == (float)(block[i] >> 8) * 0x1p-24f);
    mc_manual_seed(0);
    const int64_t *wide = mc_data_i64(mc_randint(0, INT64_C(1) << 32, mc_shape(2)));
    assert_true(wide[0] == block[1] && wide[1] == block[3]);
    mc_manual_seed(0);
    const int64_t *narrow = mc_data_i64(mc_randint(0, 1000, mc_shape(4)));
    for (int i = 0; i < 4; i++)
        assert_true(narrow[i] == (int64_t)((uint64_t)block[i] * 1000 >> 32));
    mc_manual_seed(0);
    double want = sqrt(-2 * log(((block[0] >> 8) + 0.5) * 0x1p-24)) *
                  cos(2 * 3.14159265358979323846 * (block[1] >> 8) * 0x1p-24);
    assert_float_equal(mc_item(mc_select(mc_randn(mc_shape(4)), 0, 0)), want, 1e-6);
}

static void seeds_repeat(void **state)
{
    (void)state;
    mc_manual_seed(7);
    mc_tensor *a = mc_rand(mc_shape(10)), *b = mc_rand(mc_shape(10));
    mc_manual_seed(7);
    mc_tensor *c = mc_rand(mc_shape(10)), *d = mc_rand(mc_shape(10));
    assert_true(mc_equal(a, c) && mc_equal(b, d));
    assert_false(mc_equal(a, b));
    mc_manual_seed(8);
    assert_false(mc_equal(a, mc_rand(mc_shape(10))));
    /* cuda has the same numbers, and a longer result begins as a shorter one */
    mc_manual_seed(7);
    assert_true(mc_equal(a, mc_cpu(mc_rand(mc_shape(10), .device = MC_CUDA))));
    mc_manual_seed(7);
    assert_true(mc_equal(a, mc_narrow(mc_rand(mc_shape(5000)), 0, 0, 10)));
}

static mc_tensor *draw(int which)
{
    mc_tensor *p = mc_full(mc_shape(70001), 0.25), *x = mc_ones(mc_shape(70001));
    switch (which) {
    case 0:
        return mc_rand(mc_shape(70001));
    case 1:
        return mc_rand(mc_shape(70001), .dtype = MC_F64);
    case 2:
        return mc_randn(mc_shape(70001));
    case 3:
        return mc_randn(mc_shape(70001), .dtype = MC_F64);
    case 4:
        return mc_randn(mc_shape(70001), .dtype = MC_BF16);
    case 5:
        return mc_randint(-5, 1000, mc_shape(70001));
    case 6:
        return mc_random_(mc_empty(mc_shape(70001), .dtype = MC_I64));
    case 7:
        return mc_bernoulli(p);
    case 8:
        return mc_dropout(x, 0.3);
    default:
        return mc_randperm(70001);
    }
}

static void threads_give_the_same_bits(void **state)
{
    (void)state;
    int threads = mc_get_num_threads();
    for (int which = 0; which < 10; which++) {
        mc_scope s = mc_scope_begin();
        mc_set_num_threads(1);
        mc_manual_seed(123);
        mc_tensor *one = draw(which), *next = mc_rand(mc_shape(3));
        mc_set_num_threads(2);
        mc_manual_seed(123);
        assert_true(mc_equal(one, draw(which)));
        assert_true(mc_equal(next, mc_rand(mc_shape(3))));
        mc_scope_end(s);
    }
    mc_set_num_threads(threads);
}

static void *draw_in_thread(void *user)
{
    mc_manual_seed(5);
    mc_copy_out(mc_randn(mc_shape(100)), user, 100 * sizeof(float));
    return NULL;
}

static void each_thread_has_its_own(void **state)
{
    (void)state;
    float a[100], b[100];
    pthread_t t, u;
    assert_int_equal(pthread_create(&t, NULL, draw_in_thread, a), 0);
    assert_int_equal(pthread_create(&u, NULL, draw_in_thread, b), 0);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert_memory_equal(a, b, sizeof a);
}

/* ---- distributions ------------------------------------------------------------------------ */

static const mc_dtype floats[] = {MC_F16, MC_BF16, MC_F32, MC_F64};

static void uniform_moments(void **state)
{
    (void)state;
    mc_manual_seed(1);
    for (int i = 0; i < 4; i++) {
        struct moments m = moments_of(mc_rand(mc_shape(MANY), .dtype = floats[i]));
        double coarse = floats[i] == MC_BF16 ? 0x1p-9 : floats[i] == MC_F16 ? 0x1p-12 : 0;
        assert_float_equal(m.mean, 0.5 - coarse, 0.003);
        assert_float_equal(m.variance, 1.0 / 12, 0.002);
        assert_true(m.low >= 0 && m.high < 1);
        m = moments_of(mc_uniform_(mc_empty(mc_shape(MANY / 4), .dtype = floats[i]), -3, -1));
        assert_float_equal(m.mean, -2, 0.02);
        assert_true(m.low >= -3 && m.high <= -1);
    }
}

static void normal_moments(void **state)
{
    (void)state;
    mc_manual_seed(2);
    for (int i = 0; i < 4; i++) {
        struct moments m = moments_of(mc_randn(mc_shape(MANY), .dtype = floats[i]));
        assert_float_equal(m.mean, 0, 0.01);
        assert_float_equal(m.variance, 1, 0.015);
        assert_float_equal(m.skew, 0, 0.02);
        assert_float_equal(m.kurtosis, 3, 0.06);
        assert_true(m.low < -4 && m.high > 4 && m.high < 9);
    }
    mc_tensor *x = mc_t(mc_empty(mc_shape(200, 300)));
    struct moments m = moments_of(mc_normal_(x, 10, 0.5));
    assert_float_equal(m.mean, 10, 0.02);
    assert_float_equal(m.variance, 0.25, 0.01);
}

/* Neighbours, and pairs that Box and Muller makes at once, have nothing to do with each other. */
static void elements_are_independent(void **state)
{
    (void)state;
    mc_manual_seed(3);
    const double *x = values(mc_randn(mc_shape(MANY)));
    for (int lag = 1; lag <= 4; lag++) {
        double sum = 0, squares = 0;
        for (int i = 0; i + lag < MANY; i++) {
            sum += x[i] * x[i + lag] / MANY;
            squares += (x[i] * x[i] - 1) * (x[i + lag] * x[i + lag] - 1) / MANY;
        }
        assert_float_equal(sum, 0, 0.01);
        assert_float_equal(squares, 0, 0.03);
    }
}

static void integers_reach_all_values(void **state)
{
    (void)state;
    mc_manual_seed(4);
    int counts[10] = {0};
    const int64_t *v = mc_data_i64(mc_randint(-3, 7, mc_shape(MANY)));
    for (int i = 0; i < MANY; i++) {
        assert_in_range(v[i] + 3, 0, 9);
        counts[v[i] + 3]++;
    }
    for (int i = 0; i < 10; i++)
        assert_in_range(counts[i], MANY / 10 - 1000, MANY / 10 + 1000);
    struct moments m = moments_of(mc_randint(INT64_MIN, INT64_MAX, mc_shape(MANY)));
    assert_true(m.low < -0x1p62 && m.high > 0x1p62 && fabs(m.mean) < 0x1p55);
    m = moments_of(mc_randint(0, 200, mc_shape(1000), .dtype = MC_F16));
    assert_true(m.low >= 0 && m.high <= 199);
    assert_int_equal(failed(mc_randint(3, 3, mc_shape(1))), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_randint(0, 257, mc_shape(1), .dtype = MC_U8)), MC_ERROR_OVERFLOW);
    assert_int_equal(failed(mc_randint(-1, 2, mc_shape(1), .dtype = MC_U8)), MC_ERROR_OVERFLOW);
    assert_int_equal(failed(mc_randint(0, 3, mc_shape(1), .dtype = MC_BOOL)), MC_ERROR_OVERFLOW);
    assert_int_equal(failed(mc_randint(0, 70000, mc_shape(1), .dtype = MC_F16)), MC_ERROR_OVERFLOW);
}

static void random_fills_what_a_dtype_holds(void **state)
{
    (void)state;
    mc_manual_seed(5);
    static const struct {
        mc_dtype dtype;
        double top;
    } cases[] = {{MC_BOOL, 1},     {MC_U8, 255},     {MC_I8, 127},   {MC_I16, 32767},
                 {MC_I32, 0x1p31}, {MC_I64, 0x1p63}, {MC_F16, 2048}, {MC_BF16, 256},
                 {MC_F32, 0x1p24}, {MC_F64, 0x1p53}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mc_tensor *x = mc_empty(mc_shape(20000), .dtype = cases[i].dtype);
        struct moments m = moments_of(mc_random_(x));
        assert_true(m.low >= 0 && m.high <= cases[i].top && m.high > 0.98 * cases[i].top);
        assert_float_equal(m.mean / cases[i].top, 0.5, 0.02);
    }
    mc_tensor *column = mc_select(mc_zeros(mc_shape(50, 2)), 1, 0);
    assert_true(moments_of(mc_random_(column)).high > 1000);
}

static void permutations(void **state)
{
    (void)state;
    mc_manual_seed(6);
    int first[5] = {0};
    for (int i = 0; i < 2000; i++) {
        mc_scope s = mc_scope_begin();
        const int64_t *order = mc_data_i64(mc_randperm(5));
        unsigned seen = 0;
        for (int k = 0; k < 5; k++)
            seen |= 1u << order[k];
        assert_int_equal(seen, 31);
        first[order[0]]++;
        mc_scope_end(s);
    }
    for (int k = 0; k < 5; k++)
        assert_in_range(first[k], 320, 480);
    assert_true(mc_equal(mc_sort(mc_randperm(3000)), mc_arange(3000)));
    assert_shape(mc_randperm(0), mc_shape(0));
    assert_int_equal(mc_dtype_of(mc_randperm(9, .dtype = MC_F16)), MC_F16);
    assert_int_equal(failed(mc_randperm(-1)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_randperm(256, .dtype = MC_U8)), MC_ERROR_OVERFLOW);
    assert_int_equal(failed(mc_randperm(4000, .dtype = MC_F16)), MC_ERROR_OVERFLOW);
}

static void bernoulli_and_dropout(void **state)
{
    (void)state;
    mc_manual_seed(7);
    for (int i = 0; i < 4; i++) {
        mc_tensor *p = mc_full(mc_shape(MANY / 4), 0.25, .dtype = floats[i]);
        struct moments m = moments_of(mc_bernoulli(p));
        assert_float_equal(m.mean, 0.25, 0.006);
        assert_true(m.low == 0 && m.high == 1);
        mc_tensor *x = mc_full(mc_shape(MANY / 4), 3, .dtype = floats[i]);
        m = moments_of(mc_dropout(x, 0.25));
        assert_float_equal(m.mean, 3, 0.02);
        assert_true(m.low == 0 && m.high == 4);
    }
    assert_true(mc_item(mc_sum(mc_bernoulli(mc_zeros(mc_shape(1000))))) == 0);
    assert_true(mc_item(mc_sum(mc_bernoulli(mc_ones(mc_shape(1000))))) == 1000);
    assert_int_equal(failed(mc_bernoulli(mc_full(mc_shape(2), 1.5))), MC_ERROR_VALUE);
    assert_int_equal(failed(mc_bernoulli(mc_full(mc_shape(2), NAN))), MC_ERROR_VALUE);
    mc_tensor *x = mc_ones(mc_shape(4));
    assert_ptr_equal(mc_dropout(x, 0), x);
    assert_ptr_equal(mc_dropout(x, 0.5, .eval = true), x);
    assert_true(mc_item(mc_sum(mc_dropout(x, 1))) == 0);
    assert_int_equal(failed(mc_dropout(x, 1.5)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_dropout(x, NAN)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_dropout(mc_long(x), 0.5)), MC_ERROR_CAST);
    assert_int_equal(failed(mc_dropout(mc_cuda(mc_long(x)), 0.5)), MC_ERROR_DTYPE);
}

static void multinomial_follows_weights(void **state)
{
    (void)state;
    mc_manual_seed(8);
    mc_tensor *w = mc_from_array(((float[]){1, 0, 3, 0}), mc_shape(4));
    int counts[4] = {0};
    const int64_t *v = mc_data_i64(mc_multinomial(w, 20000, .replacement = true));
    for (int i = 0; i < 20000; i++)
        counts[v[i]]++;
    assert_in_range(counts[0], 4600, 5400);
    assert_true(counts[1] == 0 && counts[3] == 0);
    int first = 0;
    for (int i = 0; i < 2000; i++) {
        mc_scope s = mc_scope_begin();
        const int64_t *both = mc_data_i64(mc_multinomial(w, 2));
        assert_int_equal(both[0] + both[1], 2);
        first += both[0] == 2;
        mc_scope_end(s);
    }
    assert_in_range(first, 1400, 1600);
    mc_tensor *rows = mc_multinomial(mc_half(mc_ones(mc_shape(3, 50))), 50);
    assert_shape(rows, mc_shape(3, 50));
    assert_true(mc_equal(mc_sort(mc_select(rows, 0, 2)), mc_arange(50)));
    assert_int_equal(failed(mc_multinomial(w, 3)), MC_ERROR_VALUE);
    assert_int_equal(failed(mc_multinomial(w, 5)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_multinomial(w, 0)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_multinomial(mc_neg(w), 1)), MC_ERROR_VALUE);
    assert_int_equal(failed(mc_multinomial(mc_zeros_like(w), 1)), MC_ERROR_VALUE);
    assert_int_equal(failed(mc_multinomial(mc_full(mc_shape(2), NAN), 1)), MC_ERROR_VALUE);
    assert_int_equal(failed(mc_multinomial(mc_long(w), 1)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_multinomial(mc_empty(mc_shape(0)), 1)), MC_ERROR_SHAPE);
}

static void bad_parameters(void **state)
{
    (void)state;
    mc_tensor *x = mc_ones(mc_shape(3));
    assert_int_equal(failed(mc_normal_(x, 0, -1)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_uniform_(x, 2, 1)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_uniform_(mc_half(x), -1e9, 1)), MC_ERROR_OVERFLOW);
    assert_int_equal(failed(mc_normal_(mc_expand(mc_ones(mc_shape(1)), 3), 0, 1)),
                     MC_ERROR_ARGUMENT);
    assert_true(moments_of(x).mean == 1);
    assert_shape(mc_rand(mc_shape(0, 3)), mc_shape(0, 3));
    assert_shape(mc_randn(mc_shape()), mc_shape());
    assert_true(mc_requires_grad(mc_randn(mc_shape(2), .requires_grad = true)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(philox_is_philox),
        TEST(seeds_repeat),
        TEST(threads_give_the_same_bits),
        TEST(each_thread_has_its_own),
        TEST(uniform_moments),
        TEST(normal_moments),
        TEST(elements_are_independent),
        TEST(integers_reach_all_values),
        TEST(random_fills_what_a_dtype_holds),
        TEST(permutations),
        TEST(bernoulli_and_dropout),
        TEST(multinomial_follows_weights),
        TEST(bad_parameters),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
