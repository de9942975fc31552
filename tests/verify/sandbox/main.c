/* The sandbox against hostile programs: with everything that can hold them, without either of the
 * two protections of files, as root and as nobody. What this machine refuses is printed, and tested
 * as far as it is there. */
#include "tests/verify/sandbox/sandbox_test.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534 };

static const struct theme *const themes[] = {&ordinary_theme, &limits_theme, &processes_theme,
                                             &access_theme,   &start_theme,  &tool_theme,
                                             &cost_theme};

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

static int run_themes(const char *way, bool first)
{
    int failed = 0;
    for (size_t i = 0; i < sizeof themes / sizeof *themes; i++) {
        const struct theme *t = themes[i];
        failed += _cmocka_run_group_tests(way, t->tests, t->count, NULL, NULL);
        if (first && t->once)
            failed += _cmocka_run_group_tests(way, t->once, t->once_count, NULL, NULL);
    }
    return failed;
}

static int run_ways(const char *who)
{
    int failed = 0;
    bool first = true;
    for (size_t i = 0; i < way_count; i++) {
        struct path p = in(here.place, "probe"), program = in(here.programs, "hostile_ordinary");
        const char *argv[] = {program.text, NULL};
        here.without = ways[i].without;
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
        failed += run_themes(ways[i].name, first);
        first = false;
    }
    return failed;
}

/* ---- setting up -------------------------------------------------------------------------------
 */

static bool copy_program(const char *name)
{
    struct path from = in(HOSTILE, name), to = in(here.programs, name);
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
    bool good = mkdir(here.programs, 0755) == 0;
    DIR *d = opendir(HOSTILE);
    for (struct dirent *e; d && good && (e = readdir(d));)
        if (strncmp(e->d_name, "hostile_", 8) == 0)
            good = copy_program(e->d_name);
    if (d)
        closedir(d);
    here.has_asan = access(in(here.programs, "hostile_poisoned").text, X_OK) == 0;
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

/* --first-way: only with everything that this machine has. */
int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--first-way") == 0)
        way_count = 1;
    char scratch[] = "/tmp/miscast-sandbox-XXXXXX";
    int failed = !mkdtemp(scratch) || chmod(scratch, 0755) != 0;
    bool root = geteuid() == 0;
    snprintf(here.programs, sizeof here.programs, "%s/programs", scratch);
    failed |= !copy_programs();
    snprintf(here.place, sizeof here.place, "%s/place", scratch);
    failed |= mkdir(here.place, 0755) != 0;
    failed = failed ? 1 : run_ways(root ? "root" : "an ordinary user");
    if (root && !failed) {
        remove_all(here.place);
        failed = mkdir(here.place, 0755) != 0 || chown(here.place, NOBODY, NOBODY) != 0 ||
                 run_as_nobody();
    }
    remove_all(scratch);
    return failed != 0;
}
