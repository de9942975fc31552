/* The part of cmocka that the tests use, for machines with a GPU but without cmocka (run.sh). A
 * test that fails is left by longjmp, and the next one begins. */
#ifndef GPU_CMOCKA_H
#define GPU_CMOCKA_H

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state);
};

#define cmocka_unit_test(f)                                 {#f, f, NULL, NULL}
#define cmocka_unit_test_setup_teardown(f, setup, teardown) {#f, f, setup, teardown}

enum { CMOCKA_PASSED, CMOCKA_FAILED, CMOCKA_SKIPPED };

static sigjmp_buf cmocka_end; /* of the test that runs */

__attribute__((format(printf, 3, 4), noreturn)) static inline void
cmocka_fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n%s:%d: error: failure\n", file, line);
    siglongjmp(cmocka_end, CMOCKA_FAILED);
}

__attribute__((format(printf, 1, 2))) static inline void print_message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

/* ---- assertions
 * ---------------------------------------------------------------------------------- */

#define CMOCKA_CHECK(holds, ...)                                                                   \
    do {                                                                                           \
        if (!(holds))                                                                              \
            cmocka_fail(__FILE__, __LINE__, __VA_ARGS__);                                          \
    } while (0)

static inline void cmocka_integers(bool equal, uintmax_t a, uintmax_t b, const char *file, int line)
{
    if ((a == b) != equal)
        cmocka_fail(file, line, "%ju (0x%jx) %s %ju (0x%jx)", a, a, equal ? "!=" : "==", b, b);
}

static inline void cmocka_strings(bool equal, const char *a, const char *b, const char *file,
                                  int line)
{
    if ((strcmp(a, b) == 0) != equal)
        cmocka_fail(file, line, "\"%s\" %s \"%s\"", a, equal ? "!=" : "==", b);
}

static inline void cmocka_floats(double a, double b, double epsilon, const char *file, int line)
{
    if (!(fabs(a - b) <= epsilon) && a != b)
        cmocka_fail(file, line, "%.17g != %.17g", a, b);
}

#define cmocka_number(x)   ((uintmax_t)(x))
#define assert_true(c)     CMOCKA_CHECK(c, "%s", #c)
#define assert_false(c)    CMOCKA_CHECK(!(c), "%s", "!(" #c ")")
#define assert_null(p)     CMOCKA_CHECK(!(p), "%s", #p " is not NULL")
#define assert_non_null(p) CMOCKA_CHECK(p, "%s", #p " is NULL")
#define assert_ptr_equal(a, b)                                                                     \
    CMOCKA_CHECK((const void *)(a) == (const void *)(b), "%s", #a " != " #b)
#define assert_ptr_not_equal(a, b)                                                                 \
    CMOCKA_CHECK((const void *)(a) != (const void *)(b), "%s", #a " == " #b)
#define assert_memory_equal(a, b, n) CMOCKA_CHECK(memcmp(a, b, n) == 0, "%s", #a " != " #b)
#define assert_int_equal(a, b)                                                                     \
    cmocka_integers(true, cmocka_number(a), cmocka_number(b), __FILE__, __LINE__)
#define assert_int_not_equal(a, b)                                                                 \
    cmocka_integers(false, cmocka_number(a), cmocka_number(b), __FILE__, __LINE__)
#define assert_string_equal(a, b)         cmocka_strings(true, a, b, __FILE__, __LINE__)
#define assert_string_not_equal(a, b)     cmocka_strings(false, a, b, __FILE__, __LINE__)
#define assert_float_equal(a, b, epsilon) cmocka_floats(a, b, epsilon, __FILE__, __LINE__)
#define assert_in_range(x, low, high)                                                              \
    CMOCKA_CHECK(cmocka_number(x) >= cmocka_number(low) &&                                         \
                     cmocka_number(x) <= cmocka_number(high),                                      \
                 "%ju is not within %ju and %ju", cmocka_number(x), cmocka_number(low),            \
                 cmocka_number(high))
#define fail()        cmocka_fail(__FILE__, __LINE__, "fail")
#define fail_msg(...) cmocka_fail(__FILE__, __LINE__, __VA_ARGS__)
#define skip()        siglongjmp(cmocka_end, CMOCKA_SKIPPED)

/* ---- running
 * -------------------------------------------------------------------------------------- */

static inline void cmocka_signalled(int number)
{
    printf("signal %d\n", number);
    siglongjmp(cmocka_end, CMOCKA_FAILED);
}

static inline int cmocka_run_one(const struct CMUnitTest *t, void **state)
{
    void (*before[2])(int) = {signal(SIGSEGV, cmocka_signalled), signal(SIGFPE, cmocka_signalled)};
    int outcome = sigsetjmp(cmocka_end, 1);
    if (outcome == CMOCKA_PASSED && !(t->setup && t->setup(state)))
        t->test(state);
    signal(SIGSEGV, before[0]);
    signal(SIGFPE, before[1]);
    if (t->teardown)
        t->teardown(state);
    return outcome;
}

static inline int cmocka_run(const char *name, const struct CMUnitTest *tests, size_t count,
                             int (*setup)(void **), int (*teardown)(void **))
{
    static const char *const words[] = {"      OK", " FAILED ", " SKIPPED"};
    static volatile int outcomes[3];
    void *group = NULL;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (setup && setup(&group))
        return 1;
    for (volatile size_t i = 0; i < count; i++) {
        void *state = group;
        printf("[ RUN      ] %s\n", tests[i].name);
        int outcome = cmocka_run_one(&tests[i], &state);
        outcomes[outcome]++;
        printf("[ %s ] %s\n", words[outcome], tests[i].name);
    }
    if (teardown)
        teardown(&group);
    printf("[==========] %s: %d passed, %d failed, %d skipped\n", name, outcomes[CMOCKA_PASSED],
           outcomes[CMOCKA_FAILED], outcomes[CMOCKA_SKIPPED]);
    return outcomes[CMOCKA_FAILED];
}

#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
    cmocka_run(name, tests, sizeof(tests) / sizeof *(tests), setup, teardown)
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    cmocka_run_group_tests_name(#tests, tests, setup, teardown)

#define print_error(...) fprintf(stderr, __VA_ARGS__)

#endif
