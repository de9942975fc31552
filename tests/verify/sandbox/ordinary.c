/* Programs that mean well run as they would without a sandbox. */
#include "tests/verify/sandbox/sandbox_test.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static void test_ordinary(void **state)
{
    struct path p = room("ordinary");
    char folder[1100];
    (void)state;
    struct sandbox_end end = execute_in(p.text, "hostile_ordinary", "one");
    assert_exited(end, 42);
    assert_true(end.ns > 0 && end.peak_bytes < (uint64_t)64 << 20);
    assert_false(end.cut);
    assert_string_equal(read_text(p.text, "stdout"), "one hello\n");
    snprintf(folder, sizeof folder, "in %s\n", p.text);
    assert_string_equal(read_text(p.text, "stderr"), folder);
    assert_string_equal(read_text(p.text, "result"), "written\n");
}

static void test_working_directory(void **state)
{
    struct path p = room("elsewhere");
    struct sandbox_run r = run_in(p.text);
    (void)state;
    r.cwd = "/usr";
    assert_exited(execute(r, "hostile_ordinary", NULL), 1); /* cannot write there */
    assert_string_equal(read_text(p.text, "stderr"), "in /usr\n");
}

static void test_tensor(void **state)
{
    struct path p = room("tensor");
    (void)state;
    assert_exited(execute_in(p.text, "hostile_tensor", NULL), 0);
    assert_string_equal(read_text(p.text, "stdout"), "384\n");
}

static void test_sanitizer(void **state)
{
    struct path p = room("sanitizer");
    (void)state;
    if (!here.has_asan)
        skip();
    assert_exited(execute_in(p.text, "hostile_poisoned", NULL), 1);
    assert_non_null(strstr(read_text(p.text, "stderr"), "heap-buffer-overflow"));
}

static void test_threads(void **state)
{
    struct path p = room("threads");
    (void)state;
    assert_exited(execute_in(p.text, "hostile_threads", NULL), 0);
}

static void test_crash(void **state)
{
    static const struct {
        const char *text;
        int number;
    } signals[] = {{NULL, SIGABRT}, {"11", SIGSEGV}, {"9", SIGKILL}, {"15", SIGTERM}};
    struct path p = room("crash");
    (void)state;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sandbox_end end = execute_in(p.text, "hostile_crash", signals[i].text);
        assert_int_equal(end.how, SANDBOX_SIGNALLED);
        assert_int_equal(end.status, signals[i].number);
    }
    assert_int_equal(count_entries(p.text), 4); /* no core */
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_ordinary), cmocka_unit_test(test_working_directory),
    cmocka_unit_test(test_tensor),   cmocka_unit_test(test_sanitizer),
    cmocka_unit_test(test_threads),  cmocka_unit_test(test_crash),
};

const struct theme ordinary_theme = {.tests = tests, .count = sizeof tests / sizeof *tests};
