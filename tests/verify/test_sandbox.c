/* The sandbox against programs that try to leave it, use up the machine or touch what is not
 * theirs: with all that can hold them, with each of the two guards of files missing, as root and as
 * nobody. What this machine refuses is printed, and tested as far as it is there. */
#include "analyzer/sandbox/sandbox.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { NOBODY = 65534 };

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED false
#endif

static char programs[256]; /* where the hostile programs are, for everybody to run */
static char place[256];    /* rooms, and what is outside of them */
static unsigned without;   /* of the way that is tested now */
static bool has_asan;

/* ---- files ------------------------------------------------------------------------------------
 */

struct path {
    char text[512];
};

static struct path in(const char *folder, const char *name)
{
    struct path p;
    int n = snprintf(p.text, sizeof p.text, "%s/%s", folder, name);
    assert_in_range(n, 0, sizeof p.text - 1);
    return p;
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *f)
{
    (void)s, (void)kind, (void)f;
    return remove(path);
}

static void remove_all(const char *path)
{
    (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A new, empty room. */
static struct path room(const char *name)
{
    struct path p = in(place, name);
    remove_all(p.text);
    assert_int_equal(mkdir(p.text, 0700), 0);
    return p;
}

/* What is in a file of a room; static, of the last call. */
static const char *read_text(const char *folder, const char *name)
{
    static char text[4096];
    int fd = sandbox_open(folder, name);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n >= 0 ? text : "(none)";
}

static int count_entries(const char *folder)
{
    int n = 0;
    DIR *d = opendir(folder);
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

/* ---- processes --------------------------------------------------------------------------------
 */

/* Living processes whose program is one of the hostile ones. */
static int count_hostile(void)
{
    int n = 0;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d));) {
        char link[300], target[512];
        snprintf(link, sizeof link, "/proc/%s/exe", e->d_name);
        ssize_t length = readlink(link, target, sizeof target - 1);
        if (length > 0) {
            target[length] = '\0';
            n += strncmp(target, programs, strlen(programs)) == 0;
        }
    }
    if (d)
        closedir(d);
    return n;
}

static bool wait_for_hostile(int count)
{
    for (int i = 0; i < 500; i++) {
        if (count_hostile() == count)
            return true;
        usleep(10000);
    }
    return false;
}

/* ---- running ----------------------------------------------------------------------------------
 */

static const char *const environment[] = {"GREETING=hello", "ASAN_OPTIONS=detect_leaks=0",
                                          "OPENBLAS_NUM_THREADS=2", NULL};

/* Most tests differ from this in a field or two. */
static struct sandbox_run run_in(const char *folder)
{
    return (struct sandbox_run){
        .room = folder,
        .environment = environment,
        .keeps = true,
        .limits = {.wall_ms = 20000, .cpu_seconds = 10, .memory_bytes = (uint64_t)256 << 20},
        .without = without};
}

static struct sandbox_end execute(struct sandbox_run r, const char *name, const char *argument)
{
    struct path program = in(programs, name);
    const char *argv[] = {program.text, argument, NULL};
    r.argv = argv;
    struct sandbox_end end = sandbox_execute(&r);
    if (end.why[0])
        print_message("    %s: %s: %s\n", name, sandbox_how_name(end.how), end.why);
    assert_int_equal(count_hostile(), 0);
    return end;
}

static struct sandbox_end execute_in(const char *folder, const char *name, const char *argument)
{
    return execute(run_in(folder), name, argument);
}

static void assert_exited(struct sandbox_end end, int code)
{
    assert_int_equal(end.how, SANDBOX_EXITED);
    assert_int_equal(end.status, code);
}

/* ---- programs that mean well ------------------------------------------------------------------
 */

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
    if (!has_asan)
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

/* ---- limits -----------------------------------------------------------------------------------
 */

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

static void test_cpu_time(void **state)
{
    struct path p = room("cpu");
    struct sandbox_run r = run_in(p.text);
    (void)state;
    r.limits.cpu_seconds = 1;
    struct sandbox_end end = execute(r, "hostile_loop", NULL);
    assert_int_equal(end.how, SANDBOX_TIMED_OUT);
    assert_true(end.cpu_ns >= 900000000);
    assert_non_null(strstr(end.why, "CPU"));
}

static void test_memory(void **state)
{
    struct path p = room("memory");
    struct sandbox_run r = run_in(p.text);
    (void)state;
    r.limits.memory_bytes = (uint64_t)64 << 20;
    for (int thread = 0; thread < 2; thread++) {
        struct sandbox_end end = execute(r, "hostile_memory", thread ? "thread" : NULL);
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

/* ---- processes --------------------------------------------------------------------------------
 */

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
        struct path program = in(programs, "hostile_loop");
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

/* ---- network, files, the kernel ---------------------------------------------------------------
 */

static void test_network(void **state)
{
    struct path p = room("network");
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof at;
    char port[16];
    (void)state;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &size), 0);
    snprintf(port, sizeof port, "%d", ntohs(at.sin_port));
    assert_exited(execute_in(p.text, "hostile_connect", port), 0);
    assert_string_equal(read_text(p.text, "stdout"), "0 sockets, 0 connected\n");
    close(listener);
}

static void test_write_outside(void **state)
{
    struct path p = room("writer"), outside = room("outside"), victim = in(outside.text, "victim");
    struct path program = in(programs, "hostile_write_out");
    const char *home = getenv("HOME");
    const char *argv[] = {program.text, outside.text, place,   "/tmp", "/var/tmp",
                          "/dev/shm",   "/etc",       "/root", home,   NULL};
    struct sandbox_run r = run_in(p.text);
    struct stat before, after;
    (void)state;
    write_text(victim.text, "mine");
    assert_int_equal(stat(victim.text, &before), 0);
    r.argv = argv;
    struct sandbox_end end = sandbox_execute(&r);
    print_message("    %s", read_text(p.text, "stdout"));
    assert_exited(end, 0);
    assert_int_equal(stat(victim.text, &after), 0);
    assert_int_equal(after.st_size, 4);
    assert_int_equal(after.st_mode, before.st_mode);
    assert_int_equal(after.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
    assert_int_equal(count_entries(outside.text), 3);
}

static void test_hidden(void **state)
{
    struct path p = room("reader"), store = room("store"), inner = in(store.text, "database");
    struct path file = in(place, "token"), beside = in(place, "token-not-hidden");
    struct path program = in(programs, "hostile_read_hidden");
    const char *hidden[] = {store.text, file.text, "/no/such/path", NULL};
    const char *secrets[] = {program.text, inner.text, file.text, NULL};
    const char *open_one[] = {program.text, beside.text, NULL};
    struct sandbox_run r = run_in(p.text);
    (void)state;
    write_text(inner.text, "secret");
    write_text(file.text, "secret");
    write_text(beside.text, "known");
    r.hidden = hidden;
    r.argv = secrets;
    int kept = dup(1); /* a descriptor of ours that exec would not close */
    struct sandbox_end end = sandbox_execute(&r);
    print_message("    %s", read_text(p.text, "stdout"));
    assert_exited(end, 0);
    close(kept);
    r.argv = open_one; /* the one beside it is read: hiding is what hid the others */
    assert_exited(sandbox_execute(&r), 1);
    assert_non_null(strstr(read_text(p.text, "stdout"), "known"));
}

/* The room may lie in a folder that is hidden. */
static void test_room_in_hidden(void **state)
{
    struct path store = room("cache"), inner = in(store.text, "database");
    struct path p = in(store.text, "room"), program = in(programs, "hostile_read_hidden");
    const char *hidden[] = {store.text, NULL}, *within[] = {p.text, NULL};
    const char *argv[] = {program.text, inner.text, NULL};
    struct sandbox_run r = run_in(p.text);
    (void)state;
    assert_int_equal(mkdir(p.text, 0700), 0);
    write_text(inner.text, "secret");
    r.hidden = hidden;
    r.argv = argv;
    assert_exited(sandbox_execute(&r), 0);
    assert_exited(execute(r, "hostile_ordinary", NULL), 42);
    assert_string_equal(read_text(p.text, "result"), "written\n");
    r.hidden = within; /* a room that is hidden is none */
    assert_int_equal(sandbox_execute(&r).how, SANDBOX_NOT_STARTED);
}

static void test_devices(void **state)
{
    struct path p = room("devices");
    (void)state;
    struct sandbox_end end = execute_in(p.text, "hostile_read_devices", NULL);
    print_message("    %s", read_text(p.text, "stdout"));
    assert_exited(end, 0);
}

static void test_escape(void **state)
{
    struct path p = room("escape");
    (void)state;
    struct sandbox_end end = execute_in(p.text, "hostile_escape", NULL);
    print_message("    %s", read_text(p.text, "stdout"));
    assert_exited(end, 0);
}

static void test_swapped_output(void **state)
{
    struct path p = room("swapped"), secret = in(place, "not-output");
    struct stat s;
    (void)state;
    write_text(secret.text, "secret");
    assert_exited(execute_in(p.text, "hostile_swap_output", secret.text), 0);
    assert_string_equal(read_text(p.text, "stdout"), "real output\n");
    assert_string_equal(read_text(p.text, "stderr"), "");
    assert_int_equal(lstat(in(p.text, "stdout").text, &s), 0);
    assert_true(S_ISREG(s.st_mode));
    assert_string_equal(read_text(p.text, "result"), "(none)"); /* a link */
    assert_string_equal(read_text(p.text, "pipe"), "(none)");
}

/* Folders deeper than descriptors reach, without rights, with names that clearing itself uses. */
static void test_clear(void **state)
{
    struct path p = room("mess");
    struct sandbox_end end;
    (void)state;
    end = execute_in(p.text, "hostile_mess", NULL);
    assert_true(end.how == SANDBOX_EXITED || end.how == SANDBOX_TOO_MUCH_WRITTEN);
    assert_true(count_entries(p.text) > 2);
    assert_true(sandbox_clear(p.text));
    assert_int_equal(count_entries(p.text), 2);
    assert_false(sandbox_clear("/no/such/room"));
}

/* What the programs do where nothing holds them: the tests above can fail. */
static void test_unheld(void **state)
{
    struct path p = room("unheld"), outside = room("outside"), token = in(place, "token");
    const char *hidden[] = {token.text, NULL};
    const struct {
        const char *program, *argument;
    } harmless[] = {
        {"hostile_connect", NULL},
        {"hostile_write_out", outside.text},
        {"hostile_read_hidden", token.text},
        {"hostile_shared_memory", NULL},
    };
    (void)state;
    write_text(token.text, "secret");
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        struct sandbox_run r = run_in(p.text);
        r.hidden = hidden;
        r.without = SANDBOX_ALL;
        r.uncontained = true;
        assert_exited(execute(r, harmless[i].program, harmless[i].argument), 1);
    }
}

/* ---- starting ---------------------------------------------------------------------------------
 */

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
    struct path p = *(struct path *)folder, program = in(programs, "hostile_ordinary");
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
    struct path program = in(programs, "hostile_ordinary"), out = in(folder, "stdout");
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

enum { RUNS = 200, RUNS_OF_LESS = 40 };

/* How long it takes and what it costs, against the bare program. On a busy machine only the cost
 * says something about us. */
static void time_runs(const struct sandbox_run *r)
{
    static uint64_t held[RUNS], bare[RUNS];
    uint64_t cost_held = 0, cost_bare = 0;
    int runs = without ? RUNS_OF_LESS : RUNS;
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
    struct path p = room("again"), program = in(programs, "hostile_ordinary");
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

/* ---- ways -------------------------------------------------------------------------------------
 */

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_ordinary),
    cmocka_unit_test(test_working_directory),
    cmocka_unit_test(test_tensor),
    cmocka_unit_test(test_sanitizer),
    cmocka_unit_test(test_threads),
    cmocka_unit_test(test_crash),
    cmocka_unit_test(test_wall_time),
    cmocka_unit_test(test_cpu_time),
    cmocka_unit_test(test_memory),
    cmocka_unit_test(test_large_caller),
    cmocka_unit_test(test_memory_of_nobody),
    cmocka_unit_test(test_too_many_threads),
    cmocka_unit_test(test_flood),
    cmocka_unit_test(test_huge_file),
    cmocka_unit_test(test_many_files),
    cmocka_unit_test(test_hoard),
    cmocka_unit_test(test_fork_refused),
    cmocka_unit_test(test_left_behind),
    cmocka_unit_test(test_kill),
    cmocka_unit_test(test_dies_with_caller),
    cmocka_unit_test(test_network),
    cmocka_unit_test(test_write_outside),
    cmocka_unit_test(test_hidden),
    cmocka_unit_test(test_room_in_hidden),
    cmocka_unit_test(test_devices),
    cmocka_unit_test(test_escape),
    cmocka_unit_test(test_swapped_output),
    cmocka_unit_test(test_clear),
    cmocka_unit_test(test_unheld),
    cmocka_unit_test(test_not_started),
    cmocka_unit_test(test_uncontained),
    cmocka_unit_test(test_two_at_once),
    cmocka_unit_test(test_many_runs),
};

static const struct {
    const char *name;
    unsigned without;
} ways[] = {
    {"all", 0},
    {"no namespaces", SANDBOX_NAMESPACES},
    {"no Landlock", SANDBOX_LANDLOCK},
};

static void print_held(const char *who, const char *way, unsigned held)
{
    printf("as %s, %s: held by%s%s%s%s\n", who, way, held & SANDBOX_NAMESPACES ? " namespaces" : "",
           held & SANDBOX_LANDLOCK ? " Landlock" : "", held & SANDBOX_SECCOMP ? " seccomp" : "",
           held & SANDBOX_RLIMITS ? " rlimits" : "");
    fflush(stdout);
}

static size_t way_count = sizeof ways / sizeof *ways;

static int run_ways(const char *who)
{
    int failed = 0;
    for (size_t i = 0; i < way_count; i++) {
        struct path p = in(place, "probe"), program = in(programs, "hostile_ordinary");
        const char *argv[] = {program.text, NULL};
        without = ways[i].without;
        struct sandbox_run r = run_in(p.text);
        r.argv = argv;
        remove_all(p.text);
        (void)mkdir(p.text, 0700);
        struct sandbox_end end = sandbox_execute(&r);
        if (end.how == SANDBOX_NOT_STARTED) {
            printf("as %s, %s: refused here: %s\n", who, ways[i].name, end.why);
            failed += strstr(end.why, "would contain") == NULL;
            continue;
        }
        print_held(who, ways[i].name, end.held);
        failed += cmocka_run_group_tests_name(ways[i].name, tests, NULL, NULL);
    }
    return failed;
}

/* ---- setting up -------------------------------------------------------------------------------
 */

static bool copy_program(const char *name)
{
    struct path from = in(HOSTILE, name), to = in(programs, name);
    static char bytes[1 << 16];
    int source = open(from.text, O_RDONLY | O_CLOEXEC);
    int target = open(to.text, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
    ssize_t n = -1;
    while (source >= 0 && target >= 0 && (n = read(source, bytes, sizeof bytes)) > 0)
        if (write(target, bytes, (size_t)n) != n)
            return false;
    close(source);
    close(target);
    return n == 0;
}

static bool copy_programs(void)
{
    bool good = mkdir(programs, 0755) == 0;
    DIR *d = opendir(HOSTILE);
    for (struct dirent *e; d && good && (e = readdir(d));)
        if (strncmp(e->d_name, "hostile_", 8) == 0)
            good = copy_program(e->d_name);
    if (d)
        closedir(d);
    has_asan = access(in(programs, "hostile_poisoned").text, X_OK) == 0;
    return good && d;
}

static int run_as_nobody(void)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
            setresuid(NOBODY, NOBODY, NOBODY) != 0 ||
            prctl(PR_SET_DUMPABLE, 1) != 0) /* its own files in /proc are root's otherwise */
            _exit(1);
        int failed = run_ways("nobody");
        fflush(stdout);
        _exit(failed != 0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return status != 0;
}

/* --first-way: not also with what some machines lack. */
int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--first-way") == 0)
        way_count = 1;
    char scratch[] = "/tmp/miscast-sandbox-XXXXXX";
    int failed = !mkdtemp(scratch) || chmod(scratch, 0755) != 0;
    bool root = geteuid() == 0;
    snprintf(programs, sizeof programs, "%s/programs", scratch);
    failed |= !copy_programs();
    snprintf(place, sizeof place, "%s/place", scratch);
    failed |= mkdir(place, 0755) != 0;
    failed = failed ? 1 : run_ways(root ? "root" : "an ordinary user");
    if (root && !failed) {
        remove_all(place);
        failed = mkdir(place, 0755) != 0 || chown(place, NOBODY, NOBODY) != 0 || run_as_nobody();
    }
    remove_all(scratch);
    return failed != 0;
}
