/* Tools, such as a compiler: trusted, so not contained; but their input is not, so their resources
 * are limited, and nothing that they start outlives them or us. A supervisor, forked from us,
 * starts the tool and waits for it. In a process namespace, where one can be had, the kernel ends
 * everything with the supervisor; elsewhere orphans become children of the supervisor, which ends
 * them. */
#include "analyzer/sandbox/private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Ways to start the supervisor, the best first. */
static const int ways[] = {CLONE_NEWPID, CLONE_NEWUSER | CLONE_NEWPID, 0};
enum { WAYS = sizeof ways / sizeof *ways };

/* From the supervisor, if it does not get as far as to start the tool. */
struct failure {
    int number; /* errno */
    bool is_way;
};

struct start {
    const struct sandbox_tool *tool;
    int way;
    int ends[2]; /* of a pipe for a failure, which closes when the tool starts */
    uid_t uid;
    gid_t gid;
};

/* ---- inside: see process.c --------------------------------------------------------------------
 */

static _Noreturn void give_up(const struct start *s, bool is_way)
{
    struct failure f = {errno, is_way};
    while (write(s->ends[1], &f, sizeof f) < 0 && errno == EINTR)
        continue;
    _exit(127);
}

static bool set_limits(const struct sandbox_tool *t)
{
    uint64_t cpu = (uint64_t)t->cpu_seconds;
    return sandbox_set_limit(RLIMIT_CPU, cpu, cpu + 1) &&
           (!t->memory_bytes || sandbox_set_limit(RLIMIT_AS, t->memory_bytes, t->memory_bytes)) &&
           sandbox_set_limit(RLIMIT_FSIZE, t->file_bytes, t->file_bytes) &&
           sandbox_set_limit(RLIMIT_CORE, 1, 1);
}

/* 0, 1 and 2 are open: see main(). */
static bool set_streams(const struct sandbox_tool *t)
{
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int out = open(t->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int errors = t->errors_too ? out : open("/dev/null", O_WRONLY | O_CLOEXEC);
    return dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(errors, 2) == 2;
}

static _Noreturn void become_tool(const struct start *s)
{
    const struct sandbox_tool *t = s->tool;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if ((t->directory && chdir(t->directory) != 0) || !set_streams(t) || !set_limits(t))
        give_up(s, false);
    sandbox_reset_signals();
    execve(t->program, t->argv, t->environment);
    give_up(s, false);
}

/* Until the tool has ended, or SIGTERM says that nobody waits for it. All signals are blocked. */
static int await(pid_t tool)
{
    int status, signal;
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    while ((signal = sigwaitinfo(&awaited, NULL)) != SIGTERM)
        for (pid_t ended; signal == SIGCHLD && (ended = waitpid(-1, &status, WNOHANG)) > 0;)
            if (ended == tool)
                return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return 128 + SIGTERM;
}

/* Nobody reads from the pipe any more. */
static bool is_caller_gone(const struct start *s)
{
    struct pollfd reader = {s->ends[1], 0, 0};
    return poll(&reader, 1, 0) > 0;
}

/* By vfork: the address space, which can be large, is not copied again, and may be larger than the
 * limit. */
static _Noreturn void supervise(const struct start *s)
{
    prctl(PR_SET_PDEATHSIG, s->way ? SIGKILL : SIGTERM, 0, 0, 0);
    sandbox_close_between(3, (unsigned)s->ends[1] - 1);
    sandbox_close_between((unsigned)s->ends[1] + 1, ~0U);
    if (is_caller_gone(s))
        _exit(127);
    (void)signal(SIGCHLD, SIG_DFL); /* if it was ignored, nothing could be waited for */
    (void)setpgid(0, 0);
    if ((s->way & CLONE_NEWUSER) && !sandbox_map_user(s->uid, s->gid))
        give_up(s, true);
    if (!s->way)
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    pid_t tool = vfork();
    if (tool < 0)
        give_up(s, s->way);
    if (tool == 0)
        become_tool(s);
    close(s->ends[1]);
    int code = await(tool);
    if (!s->way)
        sandbox_end_children();
    _exit(code);
}

/* ---- outside ----------------------------------------------------------------------------------
 */

/* Like fork, but none of our signal handlers may run there. */
static pid_t fork_supervisor(const struct start *s)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD | s->way, 0, 0, 0, 0);
    if (pid == 0)
        supervise(s);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return pid;
}

/* -1: it has failed. */
static pid_t start(struct start *s, struct failure *f)
{
    *f = (struct failure){0};
    if (pipe2(s->ends, O_CLOEXEC) != 0)
        return f->number = errno, -1;
    pid_t pid = fork_supervisor(s);
    if (pid < 0)
        *f = (struct failure){errno, s->way};
    close(s->ends[1]);
    while (pid > 0 && read(s->ends[0], f, sizeof *f) < 0 && errno == EINTR)
        continue;
    close(s->ends[0]);
    if (pid < 0 || !f->number)
        return pid;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    return -1;
}

/* As root in a namespace of users, others' files could not be read. */
static bool is_possible(const struct sandbox_tool *t, int way)
{
    return !way ||
           (!(t->without & SANDBOX_NAMESPACES) && !((way & CLONE_NEWUSER) && geteuid() == 0));
}

pid_t sandbox_tool_start(const struct sandbox_tool *t)
{
    struct failure f = {0};
    for (int i = 0; i < WAYS; i++) {
        struct start s = {.tool = t, .way = ways[i], .uid = geteuid(), .gid = getegid()};
        pid_t pid = is_possible(t, ways[i]) ? start(&s, &f) : -1;
        if (pid > 0)
            return pid;
        if (f.number && !f.is_way)
            break;
    }
    errno = f.number;
    return -1;
}
