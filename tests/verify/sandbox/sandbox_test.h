/* Tests of the sandbox with programs that try to leave it, use up the machine or touch what is not
 * theirs.
 *
 *   main.c        the ways in which the sandbox is tested, and setting up
 *   support.c     rooms, files, and running hostile programs
 *   ordinary.c    programs that mean well
 *   limits.c      time, memory, threads and disk
 *   processes.c   what a program starts, and whom it kills
 *   access.c      network, files and the kernel
 *   start.c       runs that do not begin, or that several threads begin
 *   tool.c        compilers and the like
 *   cost.c        what a run costs and leaves behind */
#ifndef TESTS_VERIFY_SANDBOX_TEST_H
#define TESTS_VERIFY_SANDBOX_TEST_H

#include "analyzer/sandbox/sandbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* How the sandbox is tested now. */
struct sandbox_test {
    char programs[256]; /* where the hostile programs are, for every user to run */
    char place[256];    /* rooms, and what is outside of them */
    unsigned without;   /* facilities that are not used */
    bool has_asan;      /* there is a program built with AddressSanitizer */
};
extern struct sandbox_test here;

/* Tests of one theme: in every way, and those for which the way makes no difference. */
struct theme {
    const struct CMUnitTest *tests, *once;
    size_t count, once_count;
};
extern const struct theme ordinary_theme, limits_theme, processes_theme, access_theme, start_theme,
    tool_theme, cost_theme;

/* ---- files ------------------------------------------------------------------------------------
 */

struct path {
    char text[512];
};

struct path in(const char *folder, const char *name);
void write_text(const char *path, const char *text);
void remove_all(const char *path);
struct path room(const char *name); /* new and empty */
/* A file of a room; static, overwritten by the next call. "(none)": there is none. */
const char *read_text(const char *folder, const char *name);
int count_entries(const char *folder); /* with . and .. */

/* ---- runs -------------------------------------------------------------------------------------
 */

/* Living processes whose program is one of the hostile ones. */
int count_hostile(void);
bool wait_for_hostile(int count);

/* Most tests differ from this in a field or two. */
struct sandbox_run run_in(const char *folder);
struct sandbox_end execute(struct sandbox_run r, const char *name, const char *argument);
struct sandbox_end execute_in(const char *folder, const char *name, const char *argument);
void assert_exited(struct sandbox_end end, int code);

#endif
