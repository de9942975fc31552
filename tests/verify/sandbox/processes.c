/* Processes: none can be started, none is left behind, and none outside is touched. */
#include "tests/verify/sandbox/sandbox_test.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_fork_refused(void **state)
{
    struct path p = room("fork");
    (void)state;
    assert_exited(execute_in(p.text, "hostile_fork_loop", NULL), 0);
    assert_string_equal(read_text(p.text, "stdout"), "fork refused\n");
    assert_exited(execute_in(p.text, "hostile_daemon", NULL), 0);
    assert_string_equal(read_text(p.text, "stdout"), "fork refused\n");
}

/* Where processes can be started, they are gone too when the program is. */
static void test_left_behind(void **state)
{
    struct path p = room("daemon");
    struct sandbox_run r = run_in(p.text);
    (void)state;
    r.without |= SANDBOX_SECCOMP;
    r.uncontained = true;
    assert_exited(execute(r, "hostile_daemon", NULL), 0);
    assert_string_equal(read_text(p.text, "stdout"), "left behind\n");
}

static void test_kill(void **state)
{
    struct path p = room("kill");
    char victim[32];
    (void)state;
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    snprintf(victim, sizeof victim, "%d", (int)child);
    int priority = getpriority(PRIO_PROCESS, (id_t)child);
    struct sandbox_end end = execute_in(p.text, "hostile_kill_others", victim);
    print_message("    %s", read_text(p.text, "stdout"));
    int status = kill(child, 0);
    bool alive = waitpid(child, &status, WNOHANG) == 0;
    bool is_as_before = getpriority(PRIO_PROCESS, (id_t)child) == priority;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(alive);
    assert_true(is_as_before);
    /* What it does to its own world may end that, and itself with it. */
    if (end.how != SANDBOX_SIGNALLED)
        assert_exited(end, 0);
}

/* The caller is killed: nothing of the run outlives it. */
static void test_dies_with_caller(void **state)
{
    struct path p = room("orphan");
    (void)state;
    pid_t caller = fork();
    if (caller == 0) {
        struct path program = in(here.programs, "hostile_loop");
        const char *argv[] = {program.text, "pause", NULL};
        struct sandbox_run r = run_in(p.text);
        r.argv = argv;
        (void)sandbox_execute(&r);
        _exit(0);
    }
    bool began = wait_for_hostile(1);
    kill(caller, SIGKILL);
    waitpid(caller, NULL, 0);
    assert_true(began);
    assert_true(wait_for_hostile(0));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_fork_refused),
    cmocka_unit_test(test_left_behind),
    cmocka_unit_test(test_kill),
    cmocka_unit_test(test_dies_with_caller),
};

const struct theme processes_theme = {.tests = tests, .count = sizeof tests / sizeof *tests};
