/* Memory of a GPU: what is kept and given out again, copies in pieces, running out of it, several
 * devices, threads; and that an error on the device is ours and the program goes on. Where cuda is
 * not a real backend it is skipped (77). */
#include "tests/unit/values.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/backends/backends.h"

enum { SKIPPED = 77, MIB = 1 << 20, PIECE = 4 << 20, LARGE = 100003 };

#define ON_CUDA .device = MC_CUDA

static struct memory_use use_of(mc_device device)
{
    struct memory_use use = {0};
    backend_of(device)->memory(device, &use);
    return use;
}

static size_t held(void)
{
    struct memory_use use = use_of(MC_CUDA);
    return use.used + use.kept;
}

static mc_tensor *bytes_on(mc_device device, size_t n)
{
    return mc_empty(mc_shape((int64_t)n), .dtype = MC_U8, .device = device);
}

static mc_tensor *bytes(size_t n)
{
    return bytes_on(MC_CUDA, n);
}

static int in_empty_cache(void **state)
{
    mc_empty_cache();
    return in_scope(state);
}

/* ---- the cache ------------------------------------------------------------------------------- */

static void gives_out_again_what_was_freed(void **state)
{
    (void)state;
    mc_tensor *x = bytes(5 * MIB);
    void *address = mc_data_ptr(x);
    size_t before = held();
    mc_free(x);
    assert_int_equal(held(), before);
    for (int i = 0; i < 100; i++) {
        x = bytes(5 * MIB - (size_t)i);
        assert_ptr_equal(mc_data_ptr(x), address);
        mc_free(x);
    }
    assert_int_equal(held(), before);
}

static void cuts_large_blocks_and_joins_them(void **state)
{
    (void)state;
    mc_tensor *whole = bytes(16 * MIB);
    char *address = mc_data_ptr(whole);
    size_t before = held();
    mc_free(whole);
    mc_tensor *a = bytes(5 * MIB), *b = bytes(5 * MIB), *c = bytes(5 * MIB);
    assert_int_equal(held(), before);
    assert_ptr_equal(mc_data_ptr(a), address);
    assert_ptr_equal(mc_data_ptr(b), address + 5 * MIB);
    assert_ptr_equal(mc_data_ptr(c), address + 10 * MIB);
    /* In an order that joins with the block behind, the one before, and both. */
    mc_free(a);
    mc_free(c);
    mc_free(b);
    whole = bytes(16 * MIB);
    assert_ptr_equal(mc_data_ptr(whole), address);
    assert_int_equal(held(), before);
}

static void keeps_small_blocks_together(void **state)
{
    (void)state;
    size_t before = held();
    char *last = NULL;
    for (int i = 0; i < 1000; i++) {
        char *address = mc_data_ptr(bytes(1000));
        assert_ptr_not_equal(address, last);
        assert_int_equal((uintptr_t)address % 512, 0);
        last = address;
    }
    assert_true(held() - before <= 2 * MIB);
}

static void blocks_do_not_overlap(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    mc_tensor *all[COUNT];
    uint32_t seed = 7;
    for (int i = 0; i < COUNT; i++)
        all[i] = NULL;
    for (int turn = 0; turn < 1000; turn++) {
        seed = seed * 1664525u + 1013904223u;
        int i = (int)(seed >> 24) % COUNT;
        int64_t n = seed >> 8 & 31 ? (int64_t)(seed >> 12 & 0xfff) + 1
                                   : (int64_t)(seed >> 12 & 0x3ffff) + 1;
        if (all[i]) {
            double first = mc_item(mc_select(all[i], 0, 0)),
                   end = mc_item(mc_select(all[i], 0, -1));
            assert_float_equal(first, i, 0);
            assert_float_equal(end, i, 0);
            mc_free(all[i]);
            all[i] = NULL;
        } else {
            all[i] = mc_full(mc_shape(n), i, .dtype = MC_U8, ON_CUDA);
        }
    }
}

static void empties_the_cache(void **state)
{
    (void)state;
    struct memory_use before = use_of(MC_CUDA);
    mc_tensor *kept = bytes(3 * MIB);
    mc_scope scope = mc_scope_begin();
    for (int i = 0; i < 8; i++)
        bytes((size_t)(i + 1) * MIB);
    for (int i = 0; i < 3000; i++)
        bytes(1000);
    mc_scope_end(scope);
    assert_true(use_of(MC_CUDA).kept > before.kept + 30 * MIB);
    mc_empty_cache();
    struct memory_use after = use_of(MC_CUDA);
    assert_true(after.used >= before.used + 3 * MIB);
    assert_true(after.kept <= before.kept + 2 * MIB);
    mc_free(kept);
    mc_empty_cache();
    assert_int_equal(use_of(MC_CUDA).used, before.used);
}

/* ---- when there is no more ---------------------------------------------------------------------
 */

static void assert_goes_on(void)
{
    mc_tensor *x = mc_full(mc_shape(1000), 2, .dtype = MC_F32, ON_CUDA);
    assert_float_equal(mc_item(mc_select(mc_add(x, x), 0, 999)), 4, 0);
    assert_null(mc_last_error());
}

static void says_how_much_is_missing(void **state)
{
    (void)state;
    size_t total = use_of(MC_CUDA).total;
    char wanted[64];
    mc_tensor *x = bytes(total + MIB);
    const mc_error *e = mc_last_error();
    assert_non_null(e);
    snprintf(wanted, sizeof wanted, "(%zu bytes)", total + MIB);
    assert_non_null(strstr(e->message, wanted));
    assert_non_null(strstr(e->message, "cuda:0"));
    assert_non_null(strstr(e->message, "free"));
    assert_string_equal(e->at.file, __FILE__);
    assert_int_equal(failed(x), MC_ERROR_MEMORY);
    assert_goes_on();
}

static void runs_out_and_recovers(void **state)
{
    (void)state;
    enum { MOST = 64 };
    size_t chunk = use_of(MC_CUDA).total / 16;
    mc_tensor *all[MOST];
    int count = 0;
    while (count < MOST && (all[count] = bytes(chunk)))
        count++;
    assert_in_range(count, 8, 16);
    assert_int_equal(failed(NULL), MC_ERROR_MEMORY);
    mc_free(all[--count]);
    assert_goes_on();
    while (count)
        mc_free(all[--count]);
    /* All of it is kept, in pieces that are too small: they are given back for a large one. */
    mc_tensor *large = bytes(4 * chunk);
    assert_non_null(large);
    assert_goes_on();
}

/* ---- copies
 * -------------------------------------------------------------------------------------- */

static void copy_there_and_back(size_t n)
{
    uint8_t *out = malloc(n + 1), *back = malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(i * 2654435761u >> 13);
    memset(back, 0xee, n + 1);
    mc_tensor *x = mc_from_array(out, mc_shape((int64_t)n), .dtype = MC_U8, ON_CUDA);
    assert_true(mc_copy_out(x, back, n));
    assert_memory_equal(out, back, n);
    assert_int_equal(back[n], 0xee);
    /* and of a view that begins in the middle */
    if (n > 3) {
        memset(back, 0xee, n + 1);
        assert_true(mc_copy_out(mc_narrow(x, 0, 3, (int64_t)n - 3), back, n - 3));
        assert_memory_equal(out + 3, back, n - 3);
        assert_int_equal(back[n - 3], 0xee);
    }
    mc_free(x);
    free(out);
    free(back);
}

static void copies_all_sizes(void **state)
{
    (void)state;
    const size_t sizes[] = {1,
                            2,
                            3,
                            511,
                            512,
                            513,
                            PIECE - 1,
                            PIECE,
                            PIECE + 1,
                            2 * PIECE - 1,
                            2 * PIECE,
                            2 * PIECE + 1,
                            PIECE / 2,
                            3 * PIECE,
                            3 * PIECE + 7};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        copy_there_and_back(sizes[i]);
}

/* The host's memory may be used again as soon as the copy was asked for. */
static void copies_what_was_there(void **state)
{
    (void)state;
    enum { N = 3 * MIB };
    float *data = malloc(N * sizeof *data);
    mc_tensor *all[4];
    for (int turn = 0; turn < 4; turn++) {
        for (int i = 0; i < N; i++)
            data[i] = (float)(turn * N + i);
        all[turn] = mc_from_array(data, mc_shape(N), ON_CUDA);
    }
    for (int turn = 0; turn < 4; turn++) {
        assert_true(mc_copy_out(all[turn], data, N * sizeof *data));
        for (int i = 0; i < N; i += 1013)
            assert_float_equal(data[i], (float)(turn * N + i), 0);
    }
    free(data);
}

/* ---- several devices
 * ----------------------------------------------------------------------------- */

static void works_on_each_device(void **state)
{
    (void)state;
    int count = mc_cuda_device_count();
    if (count < 2)
        skip();
    for (int d = 0; d < count; d++) {
        mc_tensor *x = mc_full(mc_shape(LARGE), d + 1, .dtype = MC_I32, .device = MC_CUDA_AT(d));
        mc_tensor *y = mc_to_device(mc_add(x, x), MC_CUDA_AT((d + 1) % count));
        assert_int_equal(mc_device_of(y), MC_CUDA_AT((d + 1) % count));
        assert_float_equal(mc_item(mc_select(y, 0, LARGE - 1)), 2 * (d + 1), 0);
        mc_tensor *z = mc_copy_(mc_zeros(mc_shape(LARGE), .dtype = MC_I32), mc_mul(y, 3));
        assert_float_equal(mc_item(mc_select(z, 0, LARGE / 2)), 6 * (d + 1), 0);
    }
    size_t first = use_of(MC_CUDA).used;
    bytes_on(MC_CUDA_AT(1), 8 * MIB);
    assert_int_equal(use_of(MC_CUDA).used, first);
    assert_int_equal(failed(mc_add(mc_ones(mc_shape(3), ON_CUDA),
                                   mc_ones(mc_shape(3), .device = MC_CUDA_AT(1)))),
                     MC_ERROR_DEVICE);
    assert_goes_on();
}

/* ---- threads
 * ------------------------------------------------------------------------------------- */

struct worker {
    pthread_t thread;
    int number;
    bool fine;
};

static void *work(void *data)
{
    struct worker *w = data;
    int devices = mc_cuda_device_count();
    w->fine = true;
    for (int turn = 0; turn < 12; turn++) {
        mc_scope scope = mc_scope_begin();
        int64_t n = 1000 * (turn + 1) + 7 * w->number;
        mc_device device = MC_CUDA_AT((turn + w->number) % devices);
        mc_tensor *x = mc_full(mc_shape(n), w->number + turn, .dtype = MC_F32, .device = device);
        mc_tensor *y = mc_mul(mc_cuda(mc_cpu(mc_add(x, 1))), 2);
        w->fine &= mc_item(mc_select(y, 0, n - 1)) == 2 * (w->number + turn + 1);
        w->fine &= mc_item(mc_select(y, 0, 0)) == 2 * (w->number + turn + 1);
        mc_scope_end(scope);
    }
    w->fine &= !mc_last_error();
    return NULL;
}

static void serves_many_threads(void **state)
{
    (void)state;
    struct worker workers[4];
    for (int i = 0; i < 4; i++) {
        workers[i].number = i;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_true(workers[i].fine);
    }
}

static void *free_it(void *x)
{
    mc_free(x);
    return NULL;
}

static void frees_in_another_thread(void **state)
{
    (void)state;
    size_t before = use_of(MC_CUDA).used;
    pthread_t thread;
    mc_tensor *x = mc_keep(bytes(3 * MIB));
    pthread_create(&thread, NULL, free_it, x);
    pthread_join(thread, NULL);
    assert_int_equal(use_of(MC_CUDA).used, before);
}

/* ---- errors on the device
 * ------------------------------------------------------------------------- */

static void assert_index_error(const mc_tensor *result, const char *op, int line)
{
    const mc_error *e = mc_last_error();
    assert_non_null(e);
    assert_string_equal(e->op, op);
    assert_string_equal(e->at.file, __FILE__);
    assert_int_equal(e->at.line, line);
    assert_int_equal(failed(result), MC_ERROR_INDEX);
    assert_goes_on();
}

static void indices_out_of_range_are_errors(void **state)
{
    (void)state;
    mc_tensor *x = mc_ones(mc_shape(5, 7), ON_CUDA), *y;
    mc_tensor *far = mc_full(mc_shape(9), 5, .dtype = MC_I64, ON_CUDA);
    mc_tensor *below = mc_full(mc_shape(9), -6, .dtype = MC_I64, ON_CUDA);
    y = mc_index(x, far);
    assert_index_error(y, "index", __LINE__ - 1);
    y = mc_index(x, below);
    assert_index_error(y, "index", __LINE__ - 1);
    y = mc_index_select(x, 0, far);
    assert_index_error(y, "index_select", __LINE__ - 1);
    y = mc_gather(x, 0, mc_expand(mc_unsqueeze(far, 1), 9, 7));
    assert_index_error(y, "gather", __LINE__ - 1);
    y = mc_embedding(far, x);
    assert_index_error(y, "embedding", __LINE__ - 1);
    y = mc_cross_entropy(x, mc_add(mc_narrow(far, 0, 0, 5), 2));
    assert_index_error(y, "cross_entropy", __LINE__ - 1);
    y = mc_index_add_(x, 0, far, mc_ones(mc_shape(9, 7), ON_CUDA));
    assert_index_error(y, "index_add_", __LINE__ - 1);
    assert_float_equal(mc_item(mc_sum(x)), 35, 0);
}

/* A real GPU refuses a child of the process that uses it, and then this is said, not what the
 * driver calls it; either way the parent goes on. */
static void a_forked_child_is_told_why(void **state)
{
    (void)state;
    assert_goes_on();
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        mc_tensor *x = bytes(10);
        const mc_error *e = mc_last_error();
        _exit(x ? 0 : e && strstr(e->message, "fork before the first tensor on cuda") ? 1 : 2);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_in_range(WEXITSTATUS(status), 0, 1);
    assert_goes_on();
}

/* ---------------------------------------------------------------------------------------------------
 */

int main(void)
{
    if (strcmp(mc_backend_name(MC_CUDA), "cuda") != 0) {
        printf("memory: skipped: cuda is %s here\n", mc_backend_name(MC_CUDA));
        return SKIPPED;
    }
#define CACHE_TEST(f) cmocka_unit_test_setup_teardown(f, in_empty_cache, out_of_scope)
    const struct CMUnitTest tests[] = {
        CACHE_TEST(gives_out_again_what_was_freed),
        CACHE_TEST(cuts_large_blocks_and_joins_them),
        CACHE_TEST(keeps_small_blocks_together),
        CACHE_TEST(blocks_do_not_overlap),
        CACHE_TEST(empties_the_cache),
        CACHE_TEST(says_how_much_is_missing),
        CACHE_TEST(runs_out_and_recovers),
        TEST(copies_all_sizes),
        TEST(copies_what_was_there),
        TEST(works_on_each_device),
        TEST(serves_many_threads),
        TEST(frees_in_another_thread),
        TEST(indices_out_of_range_are_errors),
        TEST(a_forked_child_is_told_why),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
