/* Runs that cannot begin, that nothing would contain, and that several threads begin at once. */
#include "tests/verify/sandbox/sandbox_test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void test_not_started(void **state)
{
    struct path p = room("none");
    struct sandbox_run r = run_in(p.text);
    (void)state;
    struct sandbox_end end = execute(r, "no_such_program", NULL);
    assert_int_equal(end.how, SANDBOX_NOT_STARTED);
    assert_non_null(strstr(end.why, "No such file"));
    assert_int_equal(end.held, 0);
    r.cwd = "/no/such/folder";
    assert_int_equal(execute(r, "hostile_ordinary", NULL).how, SANDBOX_NOT_STARTED);
    r = run_in("/no/such/room");
    assert_int_equal(execute(r, "hostile_ordinary", NULL).how, SANDBOX_NOT_STARTED);
}

static void test_uncontained(void **state)
{
    static const unsigned too_little[] = {
        SANDBOX_NAMESPACES | SANDBOX_LANDLOCK,
        SANDBOX_SECCOMP,
        SANDBOX_NAMESPACES | SANDBOX_LANDLOCK | SANDBOX_SECCOMP,
    };
    struct path p = room("uncontained");
    (void)state;
    for (size_t i = 0; i < sizeof too_little / sizeof *too_little; i++) {
        struct sandbox_run r = run_in(p.text);
        r.without = too_little[i];
        struct sandbox_end end = execute(r, "hostile_ordinary", NULL);
        assert_int_equal(end.how, SANDBOX_NOT_STARTED);
        assert_true(end.why[0] != '\0');
        r.uncontained = true;
        end = execute(r, "hostile_ordinary", NULL);
        assert_exited(end, 42);
        assert_int_equal(end.held & too_little[i], 0);
        assert_true(end.held & SANDBOX_RLIMITS);
    }
}

static void *run_many(void *folder)
{
    struct path p = *(struct path *)folder, program = in(here.programs, "hostile_ordinary");
    const char *argv[] = {program.text, p.text, NULL};
    struct sandbox_run r = run_in(p.text);
    size_t good = 0;
    r.argv = argv;
    for (int i = 0; i < 30; i++) {
        struct sandbox_end end = sandbox_execute(&r);
        good += end.how == SANDBOX_EXITED && end.status == 42;
        if (end.how != SANDBOX_EXITED)
            printf("    %s %d: %s\n", sandbox_how_name(end.how), end.status, end.why);
    }
    return (void *)good;
}

static void test_two_at_once(void **state)
{
    struct path rooms[2] = {room("left"), room("right")};
    pthread_t threads[2];
    (void)state;
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_many, &rooms[i]), 0);
    for (int i = 0; i < 2; i++) {
        void *good;
        char line[1100];
        pthread_join(threads[i], &good);
        assert_int_equal((size_t)good, 30);
        snprintf(line, sizeof line, "%s hello\n", rooms[i].text);
        assert_string_equal(read_text(rooms[i].text, "stdout"), line);
    }
    assert_int_equal(count_hostile(), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_not_started),
    cmocka_unit_test(test_uncontained),
    cmocka_unit_test(test_two_at_once),
};

const struct theme start_theme = {.tests = tests, .count = sizeof tests / sizeof *tests};
