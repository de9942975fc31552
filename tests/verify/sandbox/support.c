/* What the tests of the sandbox share: rooms, files, and running hostile programs. */
#include "tests/verify/sandbox/sandbox_test.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct sandbox_test here;

struct path in(const char *folder, const char *name)
{
    struct path p;
    int n = snprintf(p.text, sizeof p.text, "%s/%s", folder, name);
    assert_in_range(n, 0, sizeof p.text - 1);
    return p;
}

void write_text(const char *path, const char *text)
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

void remove_all(const char *path)
{
    (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A new, empty room. */
struct path room(const char *name)
{
    struct path p = in(here.place, name);
    remove_all(p.text);
    assert_int_equal(mkdir(p.text, 0700), 0);
    return p;
}

/* What is in a file of a room; static, of the last call. */
const char *read_text(const char *folder, const char *name)
{
    static char text[4096];
    int fd = sandbox_open(folder, name);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n >= 0 ? text : "(none)";
}

int count_entries(const char *folder)
{
    int n = 0;
    DIR *d = opendir(folder);
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

/* Living processes whose program is one of the hostile ones. */
int count_hostile(void)
{
    int n = 0;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d));) {
        char link[300], target[512];
        snprintf(link, sizeof link, "/proc/%s/exe", e->d_name);
        ssize_t length = readlink(link, target, sizeof target - 1);
        if (length > 0) {
            target[length] = '\0';
            n += strncmp(target, here.programs, strlen(here.programs)) == 0;
        }
    }
    if (d)
        closedir(d);
    return n;
}

bool wait_for_hostile(int count)
{
    for (int i = 0; i < 500; i++) {
        if (count_hostile() == count)
            return true;
        usleep(10000);
    }
    return false;
}

static const char *const environment[] = {"GREETING=hello", "ASAN_OPTIONS=detect_leaks=0",
                                          "OPENBLAS_NUM_THREADS=2", NULL};

/* Most tests differ from this in a field or two. */
struct sandbox_run run_in(const char *folder)
{
    return (struct sandbox_run){
        .room = folder,
        .environment = environment,
        .keeps = true,
        .limits = {.wall_ms = 20000, .cpu_seconds = 10, .memory_bytes = (uint64_t)256 << 20},
        .without = here.without};
}

struct sandbox_end execute(struct sandbox_run r, const char *name, const char *argument)
{
    struct path program = in(here.programs, name);
    const char *argv[] = {program.text, argument, NULL};
    r.argv = argv;
    struct sandbox_end end = sandbox_execute(&r);
    if (end.why[0])
        print_message("    %s: %s: %s\n", name, sandbox_how_name(end.how), end.why);
    assert_int_equal(count_hostile(), 0);
    return end;
}

struct sandbox_end execute_in(const char *folder, const char *name, const char *argument)
{
    return execute(run_in(folder), name, argument);
}

void assert_exited(struct sandbox_end end, int code)
{
    assert_int_equal(end.how, SANDBOX_EXITED);
    assert_int_equal(end.status, code);
}
