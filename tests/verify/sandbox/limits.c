/* Limits of time, memory, threads and disk end a program, or refuse it more. */
#include "tests/verify/sandbox/sandbox_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static void test_wall_time(void **state)
{
    struct path p = room("wall");
    struct sandbox_run r = run_in(p.text);
    (void)state;
    r.limits.wall_ms = 200;
    for (int busy = 0; busy < 2; busy++) {
        struct sandbox_end end = execute(r, "hostile_loop", busy ? NULL : "pause");
        assert_int_equal(end.how, SANDBOX_TIMED_OUT);
        assert_true(end.ns >= 200000000 && end.ns < 10000000000);
    }
}

/* Kept by the kernel, which counts alike in every way; if the program ignores the first signal, it
 * takes a second more than the limit. */
static void test_cpu_time(void **state)
{
    struct path p = room("cpu");
    struct sandbox_run r = run_in(p.text);
    (void)state;
    r.limits.cpu_seconds = 1;
    for (int mortal = 0; mortal < 2; mortal++) {
        struct sandbox_end end = execute(r, "hostile_loop", mortal ? "mortal" : NULL);
        assert_int_equal(end.how, SANDBOX_TIMED_OUT);
        assert_true(end.cpu_ns >= (mortal ? 500000000 : 900000000));
        assert_non_null(strstr(end.why, "CPU"));
    }
}

static void test_memory(void **state)
{
    struct path p = room("memory");
    struct sandbox_run r = run_in(p.text);
    (void)state;
    r.limits.memory_bytes = (uint64_t)64 << 20;
    static const char *const ways[] = {NULL, "thread", "tables"};
    for (int i = 0; i < 3; i++) {
        struct sandbox_end end = execute(r, "hostile_memory", ways[i]);
        assert_int_equal(end.how, SANDBOX_TOO_MUCH_MEMORY);
        assert_true(end.peak_bytes > (uint64_t)64 << 20 && end.peak_bytes < (uint64_t)1 << 30);
    }
}

/* The memory of the caller, which the fork begins with, is not the program's. */
static void test_large_caller(void **state)
{
    struct path p = room("large");
    struct sandbox_run r = run_in(p.text);
    size_t size = (size_t)200 << 20;
    char *large = malloc(size);
    (void)state;
    assert_non_null(large);
    memset(large, 1, size);
    r.limits.memory_bytes = (uint64_t)64 << 20;
    for (int i = 0; i < 20; i++) {
        struct sandbox_end end = execute(r, "hostile_ordinary", NULL);
        assert_exited(end, 42);
        assert_true(end.peak_bytes < (uint64_t)64 << 20);
    }
    struct sandbox_end end = execute(r, "hostile_memory", NULL);
    assert_int_equal(end.how, SANDBOX_TOO_MUCH_MEMORY);
    assert_true(end.peak_bytes < size);
    assert_int_equal(large[size - 1], 1);
    free(large);
}

static void test_memory_of_nobody(void **state)
{
    struct path p = room("unseen");
    (void)state;
    assert_exited(execute_in(p.text, "hostile_shared_memory", NULL), 0);
}

static void test_too_many_threads(void **state)
{
    struct path p = room("many");
    struct sandbox_run r = run_in(p.text);
    (void)state;
    r.limits.wall_ms = 1000;
    struct sandbox_end end = execute(r, "hostile_threads", "more");
    /* Refused by the kernel at that number, or seen by us. */
    assert_true(end.how == SANDBOX_TOO_MANY_THREADS || end.how == SANDBOX_TIMED_OUT);
}

/* A command's processes are limited together, however they are related and wherever memory is. */
static void expect_of_family(const char *how, enum sandbox_how wanted)
{
    struct path p = room(how);
    struct sandbox_run r = run_in(p.text);
    r.spawns = true;
    r.limits.wall_ms = 10000;
    if (here.without & SANDBOX_NAMESPACES) /* only these contain several */
        return;
    struct sandbox_end end = execute(r, "hostile_family", how);
    if (end.how != SANDBOX_NOT_STARTED)
        assert_int_equal(end.how, wanted);
}

static void test_families(void **state)
{
    (void)state;
    expect_of_family("deep", SANDBOX_TOO_MUCH_MEMORY);
    expect_of_family("sockets", SANDBOX_TOO_MUCH_MEMORY);
    expect_of_family("areas", SANDBOX_TOO_MUCH_MEMORY);
}

/* Refused by the kernel at that number, or seen by us. */
static void test_many_processes(void **state)
{
    (void)state;
    struct path p = room("many");
    struct sandbox_run r = run_in(p.text);
    r.spawns = true;
    r.limits.wall_ms = 3000;
    r.limits.memory_bytes = (uint64_t)4 << 30;
    if (here.without & SANDBOX_NAMESPACES)
        return;
    struct sandbox_end end = execute(r, "hostile_family", "many");
    assert_true(end.how == SANDBOX_TOO_MANY_THREADS || end.how == SANDBOX_TIMED_OUT ||
                end.how == SANDBOX_NOT_STARTED);
}

/* Before Linux 6.14, and in some containers, root is ended when it is seen to have too many. */
static bool can_limit_root(void)
{
    struct utsname u;
    int major = 0, minor = 0;
    bool is_new = uname(&u) == 0 && sscanf(u.release, "%d.%d", &major, &minor) == 2 &&
                  (major > 6 || (major == 6 && minor >= 14));
    return geteuid() != 0 || (is_new && access("/proc/sys/kernel/pid_max", W_OK) == 0);
}

/* Root, to whom the usual limit of processes does not apply, is limited, too. */
static void test_bomb(void **state)
{
    struct path p = room("bomb");
    struct sandbox_run r = run_in(p.text);
    struct stat s;
    (void)state;
    r.spawns = true;
    r.keeps = true;
    r.limits.wall_ms = 3000;
    r.limits.memory_bytes = (uint64_t)8 << 30;
    if (here.without & SANDBOX_NAMESPACES)
        return;
    struct sandbox_end end = execute(r, "hostile_family", "bomb");
    if (end.how == SANDBOX_NOT_STARTED)
        return;
    assert_true(end.how == SANDBOX_TOO_MANY_THREADS || end.how == SANDBOX_TIMED_OUT);
    assert_int_equal(stat(in(p.text, "started").text, &s), 0);
    if (can_limit_root())
        assert_in_range(s.st_size, 1, 2048);
    assert_true(wait_for_hostile(0));
}

static void test_flood(void **state)
{
    struct path p = room("flood");
    struct sandbox_run r = run_in(p.text);
    struct stat s;
    (void)state;
    r.limits.file_bytes = 100000;
    struct sandbox_end end = execute(r, "hostile_flood", NULL);
    assert_exited(end, 7);
    assert_true(end.cut);
    assert_int_equal(stat(in(p.text, "stdout").text, &s), 0);
    assert_int_equal(s.st_size, 100000);
    assert_int_equal(stat(in(p.text, "stderr").text, &s), 0);
    assert_int_equal(s.st_size, 100000);
}

static void test_huge_file(void **state)
{
    struct path p = room("huge");
    struct sandbox_run r = run_in(p.text);
    struct stat s;
    (void)state;
    r.limits.file_bytes = 1 << 20;
    assert_exited(execute(r, "hostile_huge_file", NULL), 0);
    assert_int_equal(stat(in(p.text, "huge").text, &s), 0);
    assert_int_equal(s.st_size, 1 << 20);
}

static void test_many_files(void **state)
{
    struct path p = room("files");
    struct sandbox_run r = run_in(p.text);
    (void)state;
    r.keeps = false; /* thousands of files */
    r.limits.file_bytes = 1 << 16;
    r.limits.room_bytes = 8 << 20;
    assert_int_equal(execute(r, "hostile_huge_file", "many").how, SANDBOX_TOO_MUCH_WRITTEN);
    remove_all(p.text);
}

/* Where files are hard to find: without a name, in a folder without rights, mapped, deep. Nothing
 * of it is left. */
static void test_hoard(void **state)
{
    static const char *const ways[] = {"0", "1", "2", "3"};
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct path p = room("hoard");
        struct sandbox_run r = run_in(p.text);
        r.keeps = false;
        r.limits.wall_ms = 5000;
        r.limits.room_bytes = 8 << 20;
        struct sandbox_end end = execute(r, "hostile_hoard", ways[i]);
        assert_int_equal(end.how, SANDBOX_TOO_MUCH_WRITTEN);
        if (end.held & SANDBOX_NAMESPACES) /* it was refused more, and nothing was ever ours */
            assert_int_equal(count_entries(p.text), 4);
        assert_true(sandbox_clear(p.text));
        assert_int_equal(count_entries(p.text), 2);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_wall_time),
    cmocka_unit_test(test_memory),
    cmocka_unit_test(test_memory_of_nobody),
    cmocka_unit_test(test_too_many_threads),
    cmocka_unit_test(test_bomb),
    cmocka_unit_test(test_families),
    cmocka_unit_test(test_many_processes),
    cmocka_unit_test(test_flood),
    cmocka_unit_test(test_huge_file),
    cmocka_unit_test(test_many_files),
    cmocka_unit_test(test_hoard),
};
static const struct CMUnitTest once[] = {
    cmocka_unit_test(test_cpu_time),
    cmocka_unit_test(test_large_caller),
};

const struct theme limits_theme = {.tests = tests,
                                   .count = sizeof tests / sizeof *tests,
                                   .once = once,
                                   .once_count = sizeof once / sizeof *once};
