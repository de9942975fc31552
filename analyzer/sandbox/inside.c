/* Inside the sandbox: what the first process does until it waits, and what the second does until it
 * becomes the program. They are forked from a process with threads: only system calls are made, no
 * memory is allocated, no lock is taken. Failures are reported through the control socket. */
#include "analyzer/sandbox/private.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void report(const struct sandbox_plan *p, const struct sandbox_note *n)
{
    while (write(p->control, n, sizeof *n) < 0 && errno == EINTR)
        continue;
}

static _Noreturn void give_up(const struct sandbox_plan *p, enum sandbox_step step)
{
    struct sandbox_note n = {.kind = NOTE_FAILED, .step = step, .number = errno};
    report(p, &n);
    _exit(127);
}

/* Passes the room, which is visible only from inside, to the caller. */
static bool hand_over(const struct sandbox_plan *p, int room)
{
    struct sandbox_note n = {.kind = NOTE_ROOM};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } extra;
    struct iovec io = {&n, sizeof n};
    struct msghdr m = {
        .msg_iov = &io, .msg_iovlen = 1, .msg_control = &extra, .msg_controllen = sizeof extra};
    memset(&extra, 0, sizeof extra);
    extra.header.cmsg_level = SOL_SOCKET;
    extra.header.cmsg_type = SCM_RIGHTS;
    extra.header.cmsg_len = CMSG_LEN(sizeof room);
    memcpy(CMSG_DATA(&extra.header), &room, sizeof room);
    return sendmsg(p->control, &m, MSG_NOSIGNAL) == (ssize_t)sizeof n;
}

/* ---- the first process ------------------------------------------------------------------------
 */

static void close_others(const struct sandbox_plan *p)
{
    unsigned next = 3; /* all below are closed or kept */
    for (;;) {
        int keep[] = {p->control,    p->channel,    p->ruleset,
                      p->streams[0], p->streams[1], p->streams[2]};
        unsigned nearest = ~0U;
        for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
            if (keep[i] >= (int)next && (unsigned)keep[i] < nearest)
                nearest = (unsigned)keep[i];
        sandbox_close_between(next, nearest == ~0U ? nearest : nearest - 1);
        if (nearest == ~0U)
            return;
        next = nearest + 1;
    }
}

static uint64_t peak_bytes(const struct rusage *r)
{
    return (uint64_t)r->ru_maxrss * 1024;
}

static uint64_t nanoseconds(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

static _Noreturn void await(const struct sandbox_plan *p, pid_t program)
{
    struct sandbox_note n = {.kind = NOTE_ENDED};
    struct rusage r = {0};
    pid_t ended;
    do
        ended = wait4(-1, &n.number, 0, &r);
    while (ended != program && (ended > 0 || errno == EINTR));
    n.cpu_ns = nanoseconds(r.ru_utime) + nanoseconds(r.ru_stime);
    n.peak_bytes = peak_bytes(&r);
    report(p, &n);
    if (!(p->use & SANDBOX_NAMESPACES))
        sandbox_end_children();
    _exit(0); /* and the kernel kills everything left in the namespace */
}

/* ---- the second process -----------------------------------------------------------------------
 */

static bool set_limits(const struct sandbox_plan *p)
{
    uint64_t cpu = (uint64_t)p->limits.cpu_seconds, file = p->limits.file_bytes;
    /* 1 for core dumps, not 0, so that the kernel starts no core handler either. */
    return sandbox_set_limit(RLIMIT_CPU, cpu, cpu + 1) &&
           sandbox_set_limit(RLIMIT_FSIZE, file, file) && sandbox_set_limit(RLIMIT_CORE, 1, 1) &&
           sandbox_set_limit(RLIMIT_NOFILE, 256, 256) && sandbox_set_limit(RLIMIT_MSGQUEUE, 0, 0) &&
           /* Otherwise it counts all processes of the user. */
           (!(p->use & SANDBOX_NAMESPACES) ||
            sandbox_set_limit(RLIMIT_NPROC, SANDBOX_THREADS, SANDBOX_THREADS));
}

/* No capabilities, and none to gain by exec, not even for root. */
static bool drop_rights(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    for (unsigned long c = 0; c < 64; c++)
        (void)prctl(PR_CAPBSET_DROP, c, 0, 0, 0); /* fails if there is nothing to drop */
    (void)prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0);
    long bits = prctl(PR_GET_SECUREBITS, 0, 0, 0, 0);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_capset, &header, none) == 0 &&
           (geteuid() != 0 || (bits & SECBIT_NOROOT));
}

/* Their numbers may overlap. */
static bool set_streams(const struct sandbox_plan *p)
{
    int moved[3];
    for (int i = 0; i < 3; i++)
        if ((moved[i] = fcntl(p->streams[i], F_DUPFD_CLOEXEC, 3)) < 0)
            return false;
    for (int i = 0; i < 3; i++)
        if (dup2(moved[i], i) < 0)
            return false;
    return true;
}

/* No other descriptor that is still needed has this number: see start(). */
static bool set_channel(const struct sandbox_plan *p)
{
    return p->channel < 0 || dup2(p->channel, p->channel_number) >= 0;
}

/* Reports that it is ready and waits for its filter. The caller learns its process id from the
 * kernel; if nothing comes, the caller is gone. */
static void get_filter(const struct sandbox_plan *p, struct sandbox_filter *f)
{
    struct rusage r = {0};
    getrusage(RUSAGE_SELF, &r);
    struct sandbox_note n = {.kind = NOTE_READY, .self = getpid(), .peak_bytes = peak_bytes(&r)};
    report(p, &n);
    if (read(p->control, f, sizeof *f) < (ssize_t)sizeof f->count)
        _exit(127);
}

static _Noreturn void become_program(const struct sandbox_plan *p, pid_t first, int room)
{
    struct sandbox_filter filter;
    setsid();
    get_filter(p, &filter);
    if (chdir(p->cwd) != 0)
        give_up(p, STEP_CWD);
    if (!set_limits(p)) /* first, since the limit may be lower than the channel's number */
        give_up(p, STEP_LIMITS);
    if (!set_streams(p) || !set_channel(p))
        give_up(p, STEP_STREAMS);
    if (!drop_rights())
        give_up(p, STEP_RIGHTS);
    /* After dropping rights, which would reset it. */
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (!(p->use & SANDBOX_NAMESPACES) && getppid() != first)
        _exit(127);
    if (p->ruleset >= 0 && !sandbox_landlock_enter(p, room))
        give_up(p, STEP_LANDLOCK);
    sandbox_reset_signals();
    if (filter.count > 0 && !sandbox_filter_enter(&filter))
        give_up(p, STEP_SECCOMP);
    execve(p->argv[0], (char *const *)p->argv, (char *const *)p->environment);
    give_up(p, STEP_EXEC);
}

/* By vfork: the address space, which can be large, is not copied again, and vfork returns once the
 * program has started. */
static _Noreturn void start_program(const struct sandbox_plan *p, int room)
{
    struct sandbox_note n = {.kind = NOTE_STARTED};
    pid_t first = getpid(), program = vfork();
    if (program < 0)
        give_up(p, STEP_FORK);
    if (program == 0)
        become_program(p, first, room);
    if (p->channel >= 0)
        close(p->channel);
    report(p, &n);
    await(p, program);
}

_Noreturn void sandbox_inside(const struct sandbox_plan *p)
{
    enum sandbox_step failed;
    bool alone = p->use & SANDBOX_NAMESPACES;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (!alone && getppid() != p->caller)
        _exit(127);
    close_others(p);
    setsid();
    /* If memory runs out anyway, this process is killed first. */
    (void)sandbox_write_file("/proc/self/oom_score_adj", "1000", 4);
    if (alone && !sandbox_map_user(p->uid, p->gid))
        give_up(p, STEP_USER);
    int room = alone ? sandbox_mounts(p, &failed) : -1;
    if (alone && room < 0)
        give_up(p, failed);
    if (alone && !hand_over(p, room))
        give_up(p, STEP_ROOM);
    if (!alone)
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    start_program(p, room);
}
