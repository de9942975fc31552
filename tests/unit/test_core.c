/* Lifetime, errors, threads, devices: what every op stands on. */
#include "tests/unit/values.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif
#ifndef UNDER_ASAN
#define UNDER_ASAN 0
#endif

/* ---- scopes ------------------------------------------------------------------------------- */

static int released;

static void count_release(void *data, void *user)
{
    (void)data;
    (void)user;
    released++;
}

static mc_tensor *blob(void)
{
    static float numbers[4] = {1, 2, 3, 4};
    return mc_from_blob(numbers, mc_shape(4), .release = count_release);
}

static void scope_frees_what_was_made_inside(void **state)
{
    (void)state;
    released = 0;
    mc_scope s = mc_scope_begin();
    blob();
    mc_tensor *view = mc_narrow(blob(), 0, 1, 2);
    assert_non_null(view);
    assert_int_equal(released, 0);
    mc_scope_end(s);
    assert_int_equal(released, 2);
}

static void a_view_keeps_the_storage(void **state)
{
    (void)state;
    released = 0;
    mc_tensor *base = blob(), *view = mc_narrow(base, 0, 1, 2);
    mc_free(base);
    assert_int_equal(released, 0);
    assert_float_equal(mc_item(mc_select(view, 0, 0)), 2, 0);
}

static void scope_return_hands_over(void **state)
{
    (void)state;
    mc_scope outer = mc_scope_begin();
    mc_scope inner = mc_scope_begin();
    mc_tensor *x = mc_scope_return(inner, mc_full(mc_shape(2), 3.0));
    assert_float_equal(mc_item(mc_sum(x)), 6, 0);
    mc_scope_end(outer);
}

/* A cast that changes nothing returns the caller's tensor: returning it must not free it. */
static void scope_return_of_an_outer_tensor(void **state)
{
    (void)state;
    mc_tensor *x = mc_ones(mc_shape(2));
    mc_scope s = mc_scope_begin();
    mc_tensor *y = mc_scope_return(s, mc_float(x));
    assert_ptr_equal(x, y);
    assert_float_equal(mc_item(mc_sum(y)), 2, 0);
}

static void ending_an_outer_scope_ends_the_inner(void **state)
{
    (void)state;
    mc_scope outer = mc_scope_begin(), inner = mc_scope_begin();
    mc_ones(mc_shape(3));
    mc_scope_end(outer);
    mc_scope_end(inner);
    assert_int_equal(mc_last_error()->kind, MC_ERROR_ARGUMENT);
}

static void kept_tensors_outlive_scopes(void **state)
{
    (void)state;
    mc_scope s = mc_scope_begin();
    mc_tensor *x = mc_keep(mc_full(mc_shape(2), 5));
    mc_scope_end(s);
    assert_int_equal(mc_item_int(mc_sum(x)), 10);
    mc_free(x);
}

static void many_nested_scopes(void **state)
{
    (void)state;
    mc_scope first = mc_scope_begin();
    for (int i = 0; i < 1000; i++) {
        mc_scope_begin();
        mc_ones(mc_shape(2));
    }
    mc_scope_end(first);
    assert_null(mc_last_error());
}

static void freed_tensors_are_found_out(void **state)
{
    (void)state;
    if (UNDER_ASAN)
        skip(); /* AddressSanitizer itself reports the stale pointer */
    mc_tensor *x = mc_ones(mc_shape(2));
    mc_free(x);
    assert_int_equal(failed(mc_add(x, 1)), MC_ERROR_ARGUMENT);
    mc_free(x);
    assert_int_equal(mc_last_error()->kind, MC_ERROR_ARGUMENT);
}

/* ---- errors ------------------------------------------------------------------------------- */

static void errors_say_what_and_where(void **state)
{
    (void)state;
    mc_tensor *a = mc_ones(mc_shape(2, 3)), *b = mc_ones(mc_shape(3, 2), .dtype = MC_F16);
    int line = __LINE__ + 1;
    assert_null(mc_matmul(a, b));
    const mc_error *e = mc_last_error();
    assert_int_equal(e->kind, MC_ERROR_DTYPE);
    assert_string_equal(e->op, "matmul");
    assert_int_equal(e->at.line, line);
    assert_string_equal(e->at.file, __FILE__);
    assert_string_equal(e->at.function, __func__);
    assert_int_equal(e->operand_count, 2);
    assert_int_equal(e->operands[1].dtype, MC_F16);
    assert_string_equal(e->operands[1].name, "b");
    assert_string_equal(e->message, "matmul needs one dtype: a is f32, b is f16");
    assert_int_equal(e->operands[1].device, MC_CPU);
    assert_int_equal(e->operands[0].ndim, 2);
    assert_int_equal(e->operands[0].shape[1], 3);
}

static void one_error_is_reported_once(void **state)
{
    (void)state;
    mc_tensor *bad = mc_matmul(mc_ones(mc_shape(2, 2)), mc_ones(mc_shape(3, 3)));
    mc_tensor *after = mc_relu(mc_add(bad, 1));
    assert_null(after);
    assert_string_equal(mc_last_error()->op, "matmul");
    mc_clear_error();
    assert_int_equal(failed(mc_relu(NULL)), MC_ERROR_ARGUMENT);
}

static jmp_buf escape;

static void jump(const mc_error *e, void *user)
{
    *(mc_error_kind *)user = e->kind;
    longjmp(escape, 1);
}

static void a_handler_may_jump(void **state)
{
    (void)state;
    volatile int tries = 0;
    static mc_error_kind kind;
    mc_set_error_handler(jump, &kind);
    if (!setjmp(escape)) {
        tries++;
        mc_add(mc_ones(mc_shape(2)), mc_ones(mc_shape(3)));
        fail();
    }
    mc_set_error_handler(mc_error_remember, NULL);
    assert_int_equal(tries, 1);
    assert_int_equal(kind, MC_ERROR_SHAPE);
    assert_float_equal(mc_item(mc_sum(mc_ones(mc_shape(2)))), 2, 0);
}

static mc_tensor *doomed[3];
static mc_scope doomed_scope;

static void free_all(const mc_error *e, void *user)
{
    *(mc_error_kind *)user = e->kind;
    for (int i = 0; i < 3; i++)
        mc_free(doomed[i]);
    mc_scope_end(doomed_scope);
}

static void a_handler_may_free_operands(void **state)
{
    (void)state;
    for (int op = 0; op < 4; op++) {
        mc_error_kind kind = MC_ERROR_NONE;
        doomed_scope = mc_scope_begin();
        for (int i = 0; i < 3; i++)
            doomed[i] = mc_keep(mc_ones(mc_shape(2 + i, 4), .dtype = MC_F16));
        mc_tensor *inner = mc_ones(mc_shape(2));
        mc_set_error_handler(free_all, &kind);
        mc_tensor *y = op == 0   ? mc_addcmul(doomed[0], doomed[1], doomed[2])
                       : op == 1 ? mc_lerp(doomed[0], doomed[1], 0.5)
                       : op == 2 ? mc_pad(doomed[0], mc_dims(INT64_MAX / 2, INT64_MAX / 2))
                                 : mc_cat(0, inner, doomed[0], doomed[1]);
        mc_set_error_handler(mc_error_remember, NULL);
        assert_null(y);
        assert_int_equal(kind, MC_ERROR_SHAPE);
        mc_clear_error();
    }
}

static void the_default_handler_aborts(void **state)
{
    (void)state;
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        signal(SIGABRT, SIG_DFL);
        if (!freopen("/dev/null", "w", stderr))
            _exit(3);
        mc_set_error_handler(NULL, NULL);
        mc_add(mc_ones(mc_shape(2)), mc_ones(mc_shape(3)));
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void bad_input_is_an_error(void **state)
{
    (void)state;
    mc_tensor *x = mc_ones(mc_shape(2, 3));
    assert_int_equal(failed(mc_zeros(mc_shape(-1))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_zeros(mc_shape(INT64_MAX, INT64_MAX))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_zeros(mc_shape(INT64_MAX / 2))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_empty(mc_shape(0, INT64_MAX, INT64_MAX))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_zeros(mc_shape(1, 1, 1, 1, 1, 1, 1, 1, 1))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_empty(mc_shape((int64_t)1 << 45))), MC_ERROR_MEMORY);
    assert_int_equal(failed(mc_zeros(mc_shape(2), .dtype = (mc_dtype)77)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_zeros(mc_shape(2), .device = (mc_device)99)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_to(x, .dtype = (mc_dtype)-3)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_to_device(x, (mc_device)-7)), MC_ERROR_DEVICE);
    assert_int_equal(failed(mc_add(x, (mc_tensor *)NULL)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_select(x, 5, 0)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_select(x, 0, INT64_MIN)), MC_ERROR_INDEX);
    assert_int_equal(failed(mc_narrow(x, 1, 2, INT64_MAX)), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_sum(x, .dim = mc_dims(0, 0))), MC_ERROR_SHAPE);
    assert_int_equal(mc_size(x, 2), INT64_MIN);
    assert_int_equal(failed(NULL), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_zeros(mc_shape(2), .dtype = (mc_dtype)MC_CUDA)), MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_sum(x, .dim = (mc_dims){.count = 1, .dims = {1}})),
                     MC_ERROR_ARGUMENT);
    assert_int_equal(failed(mc_zeros(mc_shape_make(3, NULL))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_sum(x, .dim = mc_dims_make(SIZE_MAX, NULL))), MC_ERROR_SHAPE);
    assert_int_equal(failed(mc_zeros(mc_shape(2), .device = (mc_device)INT32_MIN)),
                     MC_ERROR_DEVICE);
    assert_int_equal(mc_dtype_of(NULL), MC_DTYPE_DEFAULT);
    assert_string_equal(mc_dtype_name((mc_dtype)1234), "invalid");
    assert_string_equal(mc_device_name((mc_device)-9), "invalid");
}

static void expectations(void **state)
{
    (void)state;
    mc_tensor *x = mc_ones(mc_shape(2), .dtype = MC_F16);
    assert_true(MC_EXPECT(x, MC_FLOATING, MC_ANY_DEVICE));
    assert_true(MC_EXPECT(x, MC_DTYPES(MC_F32, MC_F16), MC_CPU));
    assert_null(mc_last_error());
    assert_false(MC_EXPECT(x, MC_F32, MC_ANY_DEVICE));
    assert_int_equal(failed(NULL), MC_ERROR_CONTRACT);
    assert_false(MC_EXPECT(x, MC_ANY_DTYPE, MC_CUDA));
    assert_int_equal(failed(NULL), MC_ERROR_CONTRACT);
}

/* ---- threads ------------------------------------------------------------------------------ */

static void *work_alone(void *arg)
{
    double *result = arg;
    mc_tensor *outside = mc_ones(mc_shape(3)); /* freed when the thread ends */
    for (int i = 0; i < 200; i++) {
        mc_scope s = mc_scope_begin();
        mc_tensor *x = mc_ones(mc_shape(300, 300));
        *result = mc_item(mc_mean(mc_add(mc_matmul(x, x), outside == NULL ? 0 : 1)));
        mc_scope_end(s);
    }
    return NULL;
}

static void threads_work_at_once(void **state)
{
    (void)state;
    pthread_t threads[4];
    double results[4] = {0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work_alone, &results[i]), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_float_equal(results[i], 301, 1e-9);
    }
}

static void *free_of_another(void *x)
{
    mc_free((mc_tensor *)x);
    const mc_error *e = mc_last_error();
    return (void *)(uintptr_t)(e ? e->kind : MC_ERROR_NONE);
}

static void a_scope_belongs_to_its_thread(void **state)
{
    (void)state;
    pthread_t thread;
    void *kind;
    mc_tensor *x = mc_ones(mc_shape(3));
    pthread_create(&thread, NULL, free_of_another, x);
    pthread_join(thread, &kind);
    assert_int_equal((uintptr_t)kind, MC_ERROR_ARGUMENT);
    pthread_create(&thread, NULL, free_of_another, mc_keep(x));
    pthread_join(thread, &kind);
    assert_int_equal((uintptr_t)kind, MC_ERROR_NONE);
}

static void the_number_of_threads_changes_no_result(void **state)
{
    (void)state;
    mc_tensor *x = mc_arange(200000.0), *one, *two;
    mc_set_num_threads(1);
    one = mc_exp(mc_mul(x, 1e-5));
    mc_set_num_threads(2);
    two = mc_exp(mc_mul(x, 1e-5));
    assert_true(mc_equal(one, two));
}

/* The threads of work stay behind in the parent. */
static void a_fork_computes_too(void **state)
{
    (void)state;
    int threads = mc_get_num_threads(), status;
    mc_set_num_threads(3);
    mc_tensor *x = mc_arange(200000.0), *y = mc_exp(mc_mul(x, 1e-5));
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        alarm(60);
        bool same = true;
        for (int i = 0; i < 10; i++)
            same = mc_equal(mc_exp(mc_mul(x, 1e-5)), y) && same;
        _exit(same ? 0 : 1);
    }
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(mc_equal(mc_exp(mc_mul(x, 1e-5)), y));
    mc_set_num_threads(threads);
}

/* ---- devices ------------------------------------------------------------------------------ */

static void devices_memory_is_not_handed_out(void **state)
{
    (void)state;
    mc_tensor *x = mc_ones(mc_shape(1000), .device = MC_CUDA);
    assert_non_null(mc_data_ptr(x));
    assert_null(mc_data_f32(x));
    assert_int_equal(failed(NULL), MC_ERROR_DEVICE);
}

/* What a GPU does when the host reads its memory is up to it: some let it. */
static void simulated_memory_faults(void **state)
{
    (void)state;
    if (strcmp(mc_backend_name(MC_CUDA), "sim") != 0)
        skip();
    mc_tensor *x = mc_ones(mc_shape(1000), .device = MC_CUDA);
    volatile float *p = mc_data_ptr(x);
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        signal(SIGSEGV, SIG_DFL);
        _exit(p[3] == 1.0f ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

static void moves_copy_and_staying_does_not(void **state)
{
    (void)state;
    mc_tensor *x = some(mc_shape(3, 4), MC_F32), *there = mc_cuda(x), *back = mc_cpu(there);
    assert_int_equal(mc_device_of(there), MC_CUDA);
    assert_ptr_equal(mc_cuda(there), there);
    assert_ptr_equal(mc_cpu(x), x);
    assert_ptr_equal(mc_to(x, .dtype = MC_F32, .device = MC_CPU), x);
    assert_ptr_not_equal(mc_to(x, .copy = true), x);
    assert_true(mc_equal(x, back));
    assert_false(mc_is_same_storage(x, back));
    assert_true(mc_equal(mc_cpu(mc_cuda(mc_t(x))), mc_t(x)));
    assert_int_equal(failed(mc_add(x, there)), MC_ERROR_DEVICE);
    assert_int_equal(mc_device_of(mc_add(there, mc_scalar_tensor(2.0))), MC_CUDA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(scope_frees_what_was_made_inside),
        TEST(a_view_keeps_the_storage),
        TEST(scope_return_hands_over),
        TEST(scope_return_of_an_outer_tensor),
        TEST(ending_an_outer_scope_ends_the_inner),
        TEST(kept_tensors_outlive_scopes),
        TEST(many_nested_scopes),
        TEST(freed_tensors_are_found_out),
        TEST(errors_say_what_and_where),
        TEST(one_error_is_reported_once),
        TEST(a_handler_may_jump),
        TEST(a_handler_may_free_operands),
        TEST(the_default_handler_aborts),
        TEST(bad_input_is_an_error),
        TEST(expectations),
        TEST(threads_work_at_once),
        TEST(a_scope_belongs_to_its_thread),
        TEST(the_number_of_threads_changes_no_result),
        TEST(a_fork_computes_too),
        TEST(devices_memory_is_not_handed_out),
        TEST(simulated_memory_faults),
        TEST(moves_copy_and_staying_does_not),
    };
    return cmocka_run_group_tests_name("core", tests, NULL, NULL);
}
