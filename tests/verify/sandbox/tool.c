/* Tools, such as a compiler: limits hold for what they start, too, and nothing of it is left when
 * they end, are ended, or their caller is killed. */
#include "tests/verify/sandbox/sandbox_test.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* A shell script as the tool, in a room. */
static pid_t start(const char *folder, const char *script)
{
    struct path output = in(folder, "output");
    char *argv[] = {"sh", "-c", (char *)(uintptr_t)script, "sh", here.programs, NULL};
    char *environment[] = {NULL};
    return sandbox_tool_start(&(struct sandbox_tool){.program = "/bin/sh",
                                                     .argv = argv,
                                                     .environment = environment,
                                                     .directory = folder,
                                                     .output = output.text,
                                                     .errors_too = true,
                                                     .cpu_seconds = 7,
                                                     .memory_bytes = (uint64_t)1 << 30,
                                                     .file_bytes = 1 << 20,
                                                     .without = here.without});
}

static int code_of(pid_t pid)
{
    int status = -1;
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* From its first instruction on, so that no child escapes them. */
static void test_limits(void **state)
{
    struct path p = room("limits");
    (void)state;
    assert_int_equal(code_of(start(p.text, "ulimit -t; sh -c 'ulimit -v; ulimit -f'; exit 3")), 3);
    assert_string_equal(read_text(p.text, "output"), "7\n1048576\n2048\n");
}

static void test_signal(void **state)
{
    struct path p = room("signal");
    (void)state;
    assert_int_equal(code_of(start(p.text, "kill -s SEGV $$")), 128 + SIGSEGV);
}

static void test_not_started(void **state)
{
    char *none[] = {"no", NULL};
    struct path p = room("no"), output = in(p.text, "output");
    struct sandbox_tool t = {.program = "/no/such/program",
                             .argv = none,
                             .environment = none + 1,
                             .output = output.text,
                             .cpu_seconds = 7, /* with none, a tick of the clock would end it */
                             .file_bytes = 1,
                             .without = here.without};
    (void)state;
    assert_int_equal(sandbox_tool_start(&t), -1);
    assert_int_equal(errno, ENOENT);
    t.program = here.programs;
    assert_int_equal(sandbox_tool_start(&t), -1);
    assert_int_equal(errno, EACCES);
}

static void test_left_behind(void **state)
{
    struct path p = room("daemon");
    (void)state;
    assert_int_equal(code_of(start(p.text, "\"$1/hostile_daemon\"")), 0);
    assert_string_equal(read_text(p.text, "output"), "left behind\n");
    assert_int_equal(count_hostile(), 0);
}

/* A daemon, and a child that does not end. */
static const char endless[] = "\"$1/hostile_daemon\"; \"$1/hostile_loop\" pause; exit 1";

static void test_ended(void **state)
{
    struct path p = room("ended");
    (void)state;
    pid_t tool = start(p.text, endless);
    bool began = wait_for_hostile(2);
    kill(tool, SIGTERM);
    assert_int_equal(code_of(tool), 128 + SIGTERM);
    assert_true(began);
    assert_int_equal(count_hostile(), 0);
}

static void test_dies_with_caller(void **state)
{
    struct path p = room("orphan");
    (void)state;
    pid_t caller = fork();
    if (caller == 0) {
        (void)start(p.text, endless);
        for (;;)
            pause();
    }
    bool began = wait_for_hostile(2);
    kill(caller, SIGKILL);
    waitpid(caller, NULL, 0);
    assert_true(began);
    assert_true(wait_for_hostile(0));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_limits),      cmocka_unit_test(test_signal),
    cmocka_unit_test(test_not_started), cmocka_unit_test(test_left_behind),
    cmocka_unit_test(test_ended),       cmocka_unit_test(test_dies_with_caller),
};

const struct theme tool_theme = {.tests = tests, .count = sizeof tests / sizeof *tests};
