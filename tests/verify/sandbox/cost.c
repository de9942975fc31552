/* What a run costs against the same program without a sandbox, and that it leaves nothing behind.
 */
#include "tests/verify/sandbox/sandbox_test.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED false
#endif

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Of us and of all that we waited for. */
static uint64_t cpu_ns(void)
{
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    uint64_t sum = 0;
    for (int i = 0; i < 2; i++) {
        struct rusage r;
        getrusage(whose[i], &r);
        sum += (uint64_t)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000000000 +
               (uint64_t)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1000;
    }
    return sum;
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The same program without any sandbox. */
static void run_bare(const char *folder)
{
    struct path program = in(here.programs, "hostile_ordinary"), out = in(folder, "stdout");
    char *argv[] = {program.text, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.text, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, out.text, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(posix_spawn(&child, program.text, &actions, NULL, argv, NULL), 0);
    waitpid(child, NULL, 0);
    posix_spawn_file_actions_destroy(&actions);
}

enum { RUNS = 60, RUNS_OF_LESS = 20 };

/* How long it takes and what it costs, against the bare program. On a busy machine only the cost
 * says something about us. */
static void time_runs(const struct sandbox_run *r)
{
    static uint64_t held[RUNS], bare[RUNS];
    uint64_t cost_held = 0, cost_bare = 0;
    int runs = here.without ? RUNS_OF_LESS : RUNS;
    for (int i = 0; i < runs; i++) {
        uint64_t begin = now_ns(), cost = cpu_ns();
        run_bare(r->room);
        bare[i] = now_ns() - begin;
        cost_bare += cpu_ns() - cost;
        begin = now_ns(), cost = cpu_ns();
        assert_exited(sandbox_execute(r), 42);
        held[i] = now_ns() - begin;
        cost_held += cpu_ns() - cost;
    }
    qsort(held, (size_t)runs, sizeof *held, by_size);
    qsort(bare, (size_t)runs, sizeof *bare, by_size);
    double more = ((double)cost_held - (double)cost_bare) / runs / 1e6;
    print_message(
        "    a run: CPU %.2f ms more; time %.2f ms, bare %.2f ms; least %.2f ms, %.2f ms\n", more,
        (double)held[runs / 2] / 1e6, (double)bare[runs / 2] / 1e6, (double)held[0] / 1e6,
        (double)bare[0] / 1e6);
    assert_true(more < 10 || SANITIZED); /* whose memory takes long to fork */
}

static void test_many_runs(void **state)
{
    struct path p = room("again"), program = in(here.programs, "hostile_ordinary");
    const char *argv[] = {program.text, NULL};
    struct sandbox_run r = run_in(p.text);
    char mounts[4096];
    (void)state;
    r.argv = argv;
    assert_exited(sandbox_execute(&r), 42);
    int files = count_entries(p.text), descriptors = count_entries("/proc/self/fd");
    snprintf(mounts, sizeof mounts, "%s", read_text("/proc/self", "mountinfo"));
    time_runs(&r);
    assert_int_equal(count_entries(p.text), files);
    assert_int_equal(count_entries("/proc/self/fd"), descriptors);
    assert_string_equal(read_text("/proc/self", "mountinfo"), mounts);
    assert_int_equal(count_hostile(), 0);
    assert_true(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_many_runs),
};

const struct theme cost_theme = {.tests = tests, .count = sizeof tests / sizeof *tests};
