/* A run: a process in the project's folder, with stdout, stderr and JSON report in files that are
 * read when it has exited. */
#include "tests/store/run.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *file_of(struct runner *r, int number, const char *part)
{
    return arena_printf(r->arena, "%s/%d.%s", r->work, number, part);
}

static void redirect(const char *path, int to)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(126);
    close(fd);
}

/* Root may write everywhere. Becoming somebody else would not do: whoever that is might not get at
 * the program, or at the project. So root stays, bound by the permissions of files as others are.
 */
static bool heed_permissions(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct all[2];
    const uint32_t overriding = 1u << CAP_DAC_OVERRIDE; /* folders of others can be read */
    if (syscall(SYS_capget, &header, all))
        return false;
    all[0].effective &= ~overriding;
    all[0].permitted &= ~overriding;
    all[0].inheritable &= ~overriding;
    /* Else a new program of root's gets them back. */
    return !syscall(SYS_capset, &header, all) && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static void hinder(struct runner *r, const struct hindrance *h)
{
    if (h->file_size) {
        struct rlimit limit = {(rlim_t)h->file_size, (rlim_t)h->file_size};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (h->full) {
        setenv("LD_PRELOAD", h->full, 1);
        setenv("FULL_AFTER", arena_printf(r->arena, "%ld", h->full_after), 1);
    }
    if (h->heeds_permissions && !heed_permissions())
        _exit(126);
}

static void become(struct runner *r, const char *const *arguments, bool kept,
                   const struct hindrance *h, int number)
{
    const char *all[MOST_ARGUMENTS + 8];
    int n = 0;
    all[n++] = r->program;
    for (int i = 0; arguments[i] && i < MOST_ARGUMENTS; i++)
        all[n++] = arguments[i];
    if (!strcmp(arguments[0], "check")) {
        all[n++] = "--format", all[n++] = "text", all[n++] = "--format";
        all[n++] = arena_printf(r->arena, "json=%s", file_of(r, number, "json"));
    }
    if (!kept)
        all[n++] = "--no-cache";
    all[n] = NULL;
    setenv("NO_COLOR", "1", 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    unsetenv("FORCE_COLOR");
    redirect(file_of(r, number, "out"), 1);
    redirect(file_of(r, number, "err"), 2);
    if (chdir(r->folder))
        _exit(126);
    if (h)
        hinder(r, h);
    execv(r->program, (char *const *)all);
    _exit(127);
}

struct running run_begin(struct runner *r, const char *const *arguments, bool kept,
                         const struct hindrance *h)
{
    struct running running = {.number = r->number++};
    fflush(stdout);
    running.process = fork();
    if (running.process < 0)
        BUG("cannot fork");
    if (!running.process)
        become(r, arguments, kept, h, running.number);
    return running;
}

static const char *take(struct runner *r, int number, const char *part, size_t *length)
{
    struct error none = {0};
    const char *path = file_of(r, number, part);
    const char *text = file_read(r->arena, path, length, &none);
    unlink(path);
    if (!text)
        *length = 0;
    return text ? text : "";
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

struct outcome run_end(struct runner *r, struct running running)
{
    struct outcome o = {0};
    struct rusage used;
    int status = 0;
    if (wait4(running.process, &status, 0, &used) < 0)
        BUG("cannot wait");
    o.cpu = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    o.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    o.out = take(r, running.number, "out", &o.out_length);
    o.err = take(r, running.number, "err", &o.err_length);
    o.json = take(r, running.number, "json", &o.json_length);
    return o;
}

struct outcome run_here(struct runner *r, const char *const *arguments, bool kept,
                        const struct hindrance *h)
{
    return run_end(r, run_begin(r, arguments, kept, h));
}

/* ---- comparing ------------------------------------------------------------------------------ */

static bool same(const char *a, size_t n, const char *b, size_t m)
{
    return n == m && !memcmp(a, b, n);
}

static const char *results_differ(const struct outcome *a, const struct outcome *b)
{
    if (a->status != b->status)
        return "exit status";
    if (!same(a->out, a->out_length, b->out, b->out_length))
        return "stdout";
    return same(a->json, a->json_length, b->json, b->json_length) ? NULL : "JSON";
}

const char *outcome_differs(const struct outcome *a, const struct outcome *b)
{
    const char *what = results_differ(a, b);
    return what || same(a->err, a->err_length, b->err, b->err_length) ? what : "stderr";
}

/* "miscast: PATH: message", where the path is of the store or its folder. */
static bool is_of_the_store(const char *line, size_t n)
{
    return memmem(line, n, "store.db", 8) || memmem(line, n, ": cannot be made: ", 18);
}

const char *outcome_differs_told(const struct outcome *kept, const struct outcome *plain)
{
    const char *at = kept->err, *want = plain->err, *what = results_differ(kept, plain);
    int told = 0;
    while (!what && *at) {
        size_t n = strcspn(at, "\n");
        n += at[n] == '\n';
        if (!strncmp(at, want, n))
            want += n;
        else if (is_of_the_store(at, n))
            told++;
        else
            what = "stderr";
        at += n;
    }
    return what ? what : *want ? "stderr" : told > 1 ? "more than one line of the store" : NULL;
}

static void show(const char *what, const char *which, const struct outcome *o)
{
    fprintf(stderr, "%s: %s: status %d\n---- stderr\n%.*s---- stdout\n%.*s", what, which, o->status,
            (int)(o->err_length < 2000 ? o->err_length : 2000), o->err,
            (int)(o->out_length < 4000 ? o->out_length : 4000), o->out);
}

void outcome_show(const char *what, const struct outcome *kept, const struct outcome *plain)
{
    show(what, "kept", kept);
    show(what, "plain", plain);
}
