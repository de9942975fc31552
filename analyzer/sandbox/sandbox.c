/* The sandbox from outside: makes the plan, forks, passes the filter, then watches the program
 * until it ends or exceeds a limit. A facility that this machine refuses is left out and the start
 * is retried; sandbox_contains() decides whether the rest suffices. */
#include "analyzer/sandbox/private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOK_MS = 2,
    LOOK_AT_ROOM_MS = 50,
    START_MS = 10000,
    GRACE_MS = 500,
    BECOME_MS = 100,
    FORK_GROWS = 1 << 20
};

/* The name of each step, and the facility to leave out if it fails; 0: the start fails. */
static const struct {
    const char *name;
    unsigned facility;
} steps[STEP_COUNT] = {
    [STEP_CLONE] = {"new namespaces", SANDBOX_NAMESPACES},
    [STEP_USER] = {"the user of the namespace", SANDBOX_NAMESPACES},
    [STEP_PRIVATE] = {"private mounts", SANDBOX_NAMESPACES},
    [STEP_ROOM] = {"the mount of the room", SANDBOX_NAMESPACES},
    [STEP_HIDE] = {"covering the hidden paths", SANDBOX_NAMESPACES},
    [STEP_READ_ONLY] = {"read-only mounts", SANDBOX_NAMESPACES},
    [STEP_ATTACH] = {"laying the room on top", SANDBOX_NAMESPACES},
    [STEP_CHANGES] = {"covering the hidden paths again", 0},
    [STEP_FORK] = {"fork", 0},
    [STEP_CWD] = {"the working directory", 0},
    [STEP_STREAMS] = {"stdin, stdout and stderr", 0},
    [STEP_LIMITS] = {"the limits", 0},
    [STEP_RIGHTS] = {"giving up rights", 0},
    [STEP_LANDLOCK] = {"Landlock", SANDBOX_LANDLOCK},
    [STEP_SECCOMP] = {"seccomp", SANDBOX_SECCOMP},
    [STEP_EXEC] = {"starting the program", 0},
};

static void close_if_open(int fd)
{
    if (fd >= 0)
        close(fd);
}

/* One attempt. */
struct trial {
    struct sandbox_plan plan;
    struct sandbox_end *end;
    int control;                            /* our end of the socket pair */
    const struct sandbox_channel *messages; /* NULL: none */
    int channel;                            /* our end of it; -1: there will be no more */
    char *packet;
    int room;           /* the file system that the program writes to; -1: a folder of ours */
    pid_t first;        /* the first process inside, our child */
    int first_fd;       /* it, as a file descriptor; -1: none */
    pid_t program;      /* the second, as we see it */
    int program_fd;     /* likewise */
    uint64_t fork_peak; /* memory of the fork before it became the program */
    unsigned left_out;  /* by this attempt: another one follows */
    uint64_t started;   /* when; 0: not yet */
    int machine;        /* threads of the machine at the last look at processes */
    uint64_t kernel;    /* memory of the kernel before the start */
    bool in_memory;     /* its memory is now its own */
    bool told_end;
};

static bool step_failed(struct trial *t, enum sandbox_step step, int error)
{
    t->left_out = steps[step].facility & t->plan.use;
    return sandbox_not_started(t->end, "%s: %s", steps[step].name, strerror(error));
}

bool sandbox_contains(unsigned held)
{
    return (held & SANDBOX_SECCOMP) && (held & (SANDBOX_NAMESPACES | SANDBOX_LANDLOCK));
}

/* ---- the start --------------------------------------------------------------------------------
 */

static bool make_sockets(struct trial *t)
{
    int ends[2], on = 1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return sandbox_not_started(t->end, "socketpair: %s", strerror(errno));
    t->control = ends[0];
    t->plan.control = ends[1];
    (void)setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
    return true;
}

/* Avoids the number that the program's end of the channel gets. */
static bool move_away(const struct trial *t, int *fd)
{
    if (*fd < 0 || *fd != t->plan.channel_number)
        return true;
    int other = fcntl(*fd, F_DUPFD_CLOEXEC, t->plan.channel_number + 1);
    close(*fd);
    *fd = other;
    return other >= 0;
}

static bool make_channel(struct trial *t)
{
    int ends[2];
    if (!t->messages)
        return true;
    t->packet = malloc(SANDBOX_PACKET);
    bool good = t->packet && sandbox_channel_open(t->messages, ends);
    t->plan.channel = t->packet ? ends[0] : -1;
    t->channel = t->packet ? ends[1] : -1;
    good = good && move_away(t, &t->plan.channel) && move_away(t, &t->plan.control) &&
           move_away(t, &t->plan.ruleset);
    return good || sandbox_not_started(t->end, "the channel of messages: %s", strerror(errno));
}

static void take_messages(struct trial *t)
{
    if (t->channel < 0 || sandbox_channel_take(t->messages, t->channel, t->packet))
        return;
    close(t->channel);
    t->channel = -1;
}

/* Like fork, into new namespaces. None of our signal handlers may run there: signals stay blocked
 * until the program starts. */
static bool fork_inside(struct trial *t)
{
    bool alone = t->plan.use & SANDBOX_NAMESPACES;
    int spaces =
        CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    t->first = (pid_t)syscall(SYS_clone, SIGCHLD | CLONE_PIDFD | (alone ? spaces : 0), 0,
                              &t->first_fd, 0, 0);
    int error = errno;
    if (t->first == 0)
        sandbox_inside(&t->plan);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (t->first > 0)
        return true;
    return alone ? step_failed(t, STEP_CLONE, error) : step_failed(t, STEP_FORK, error);
}

/* What the kernel adds to a message: its sender, and descriptors. */
static void take_extra(struct trial *t, struct cmsghdr *c, pid_t *from)
{
    struct ucred who;
    if (c->cmsg_type == SCM_CREDENTIALS && from) {
        memcpy(&who, CMSG_DATA(c), sizeof who);
        *from = who.pid;
    } else if (c->cmsg_type == SCM_RIGHTS) {
        close_if_open(t->room);
        memcpy(&t->room, CMSG_DATA(c), sizeof t->room);
    }
}

/* The next message, and the process id of its sender in our namespace; false: none in time. */
static bool get_note(struct trial *t, int timeout_ms, struct sandbox_note *n, pid_t *from)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int))];
    } extra;
    struct pollfd ready[] = {
        {t->control, POLLIN, 0}, {t->first_fd, POLLIN, 0}, {t->channel, POLLIN, 0}};
    struct iovec io = {n, sizeof *n};
    struct msghdr m = {
        .msg_iov = &io, .msg_iovlen = 1, .msg_control = &extra, .msg_controllen = sizeof extra};
    int count;
    do
        count = poll(ready, 3, timeout_ms);
    while (count < 0 && errno == EINTR);
    if (count <= 0)
        return false;
    take_messages(t);
    if (recvmsg(t->control, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != (ssize_t)sizeof *n)
        return false;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c))
        take_extra(t, c, from);
    return true;
}

static bool send_filter(struct trial *t, pid_t self)
{
    struct sandbox_filter *f = calloc(1, sizeof *f);
    bool alone = t->plan.use & SANDBOX_NAMESPACES, good = f;
    if (good && t->plan.use & SANDBOX_SECCOMP)
        good = sandbox_filter_build(f, self, alone, t->plan.spawns);
    if (!good) {
        free(f);
        return step_failed(t, STEP_SECCOMP, ENOSYS);
    }
    size_t size = offsetof(struct sandbox_filter, code) + f->count * sizeof *f->code;
    good = send(t->control, f, size, MSG_NOSIGNAL) == (ssize_t)size;
    int error = errno;
    free(f);
    return good || sandbox_not_started(t->end, "handing over the filter: %s", strerror(error));
}

static bool start(struct trial *t)
{
    struct sandbox_note n;
    if (t->plan.use & SANDBOX_LANDLOCK) {
        t->plan.ruleset = sandbox_landlock_rules(&t->plan);
        if (t->plan.ruleset < 0)
            return step_failed(t, STEP_LANDLOCK, ENOSYS);
    }
    if (!make_sockets(t) || !make_channel(t) || !fork_inside(t))
        return false;
    close_if_open(t->plan.channel); /* so that our end closes with the program's */
    t->plan.channel = -1;
    do
        if (!get_note(t, START_MS, &n, &t->program))
            return sandbox_not_started(t->end, "nothing is heard from inside");
    while (n.kind == NOTE_ROOM);
    if (n.kind == NOTE_FAILED)
        return step_failed(t, n.step, n.number);
    t->program_fd = (int)syscall(SYS_pidfd_open, t->program, 0);
    t->fork_peak = n.peak_bytes;
    return send_filter(t, n.self);
}

/* ---- watching ---------------------------------------------------------------------------------
 */

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* In MiB, for messages. */
static double mib(uint64_t bytes)
{
    return (double)bytes / (1 << 20);
}

static void over(struct sandbox_end *end, enum sandbox_how how, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void over(struct sandbox_end *end, enum sandbox_how how, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(end->why, sizeof end->why, fmt, args);
    va_end(args);
    end->how = how;
}

/* What processes make the kernel keep for them, such as 65,000 mappings each, is in no number of
 * theirs: if it grows by more than they may use, that is them. */
static bool kernel_over(struct trial *t)
{
    uint64_t now = sandbox_kernel_bytes();
    if (!t->kernel || now < t->kernel || now - t->kernel <= t->plan.limits.memory_bytes)
        return false;
    over(t->end, SANDBOX_TOO_MUCH_MEMORY, "the kernel used %.0f MiB more, %.0f MiB are allowed",
         mib(now - t->kernel), mib(t->plan.limits.memory_bytes));
    return true;
}

static bool memory_over(struct trial *t)
{
    if (t->end->peak_bytes <= t->plan.limits.memory_bytes)
        return false;
    over(t->end, SANDBOX_TOO_MUCH_MEMORY, "used %.0f MiB of memory, %.0f MiB are allowed",
         mib(t->end->peak_bytes), mib(t->plan.limits.memory_bytes));
    return true;
}

/* Until it has become the program its memory is still ours, even shortly after it reported the
 * start. Its executable shows which; a program that cannot be inspected gets a grace period. */
static bool has_own_memory(struct trial *t, uint64_t now)
{
    char path[64];
    struct stat ours, its;
    if (t->in_memory || !t->started)
        return t->in_memory;
    snprintf(path, sizeof path, "/proc/%d/exe", (int)t->program);
    bool other = stat("/proc/self/exe", &ours) == 0 && stat(path, &its) == 0 &&
                 (ours.st_ino != its.st_ino || ours.st_dev != its.st_dev);
    t->in_memory = other || now - t->started > (uint64_t)BECOME_MS * 1000000;
    return t->in_memory;
}

static bool room_is_over(const struct trial *t)
{
    return t->room >= 0 ? sandbox_room_full(t->room)
                        : sandbox_room_over(t->plan.room, t->plan.limits.room_bytes, t->program);
}

/* Between two looks at its processes a program can start thousands: then the machine has more. */
static bool has_grown(const struct trial *t)
{
    return sandbox_threads_of_machine() > t->machine + SANDBOX_THREADS / 2;
}

/* Whether it exceeds one of the limits enforced from outside. */
static bool is_over(struct trial *t, uint64_t begin, uint64_t *room_due)
{
    const struct sandbox_limits *l = &t->plan.limits;
    struct sandbox_usage u = {0};
    uint64_t now = now_ns();
    if (now - begin > (uint64_t)l->wall_ms * 1000000) {
        over(t->end, SANDBOX_TIMED_OUT, "ran for more than %d ms", l->wall_ms);
        return true;
    }
    if (has_own_memory(t, now) && sandbox_usage_read(t->program, &u)) {
        uint64_t most = u.peak > u.resident ? u.peak : u.resident;
        t->end->peak_bytes = most > t->end->peak_bytes ? most : t->end->peak_bytes;
    }
    if (t->plan.spawns && t->in_memory && (now >= *room_due || has_grown(t))) {
        t->machine = sandbox_threads_of_machine();
        u = sandbox_usage_below(t->first);
        t->end->peak_bytes = u.resident > t->end->peak_bytes ? u.resident : t->end->peak_bytes;
        if (kernel_over(t))
            return true;
    }
    if (memory_over(t))
        return true;
    if (u.threads > SANDBOX_THREADS) {
        over(t->end, SANDBOX_TOO_MANY_THREADS, "started more than %d threads", SANDBOX_THREADS);
        return true;
    }
    if (now < *room_due || !room_is_over(t)) {
        *room_due = now < *room_due ? *room_due : now + (uint64_t)LOOK_AT_ROOM_MS * 1000000;
        return false;
    }
    over(t->end, SANDBOX_TOO_MUCH_WRITTEN, "wrote more than %.0f MiB, or too many files",
         mib(l->room_bytes));
    return true;
}

static void take_end(struct trial *t, const struct sandbox_note *n)
{
    t->told_end = true;
    t->end->cpu_ns = n->cpu_ns;
    /* The kernel includes the memory of the fork, and a little more until it became the program. */
    if (n->peak_bytes > t->fork_peak + FORK_GROWS && n->peak_bytes > t->end->peak_bytes)
        t->end->peak_bytes = n->peak_bytes;
    if (t->end->how != SANDBOX_EXITED)
        return; /* killed by us */
    t->end->how = WIFSIGNALED(n->number) ? SANDBOX_SIGNALLED : SANDBOX_EXITED;
    t->end->status = WIFSIGNALED(n->number) ? WTERMSIG(n->number) : WEXITSTATUS(n->number);
    /* The limit is compared with time counted in ticks, each for whoever runs then: on a busy
     * machine that can be far more than the time measured. */
    int limit = t->plan.limits.cpu_seconds;
    bool cpu = 2 * n->cpu_ns >= (uint64_t)limit * 1000000000;
    if (t->end->how == SANDBOX_SIGNALLED && cpu &&
        (t->end->status == SIGXCPU || t->end->status == SIGKILL))
        over(t->end, SANDBOX_TIMED_OUT, "used more than %d s of CPU time", limit);
    (void)memory_over(t); /* between two checks */
}

/* Kills only the program: the first process then reports what it used. Not where its processes are
 * too many, which would go on meanwhile: those end with the first process, see reap(). */
static void end_program(struct trial *t)
{
    struct sandbox_note n;
    struct pollfd gone = {t->first_fd, POLLIN, 0};
    uint64_t until = now_ns() + (uint64_t)GRACE_MS * 1000000;
    bool at_once = t->plan.spawns && t->end->how == SANDBOX_TOO_MANY_THREADS;
    if (t->program_fd < 0 || (at_once && t->plan.use & SANDBOX_NAMESPACES))
        return;
    (void)syscall(SYS_pidfd_send_signal, t->program_fd, SIGKILL, NULL, 0);
    while (!t->told_end && now_ns() < until) {
        bool is_gone = poll(&gone, 1, 0) > 0;
        bool has_note = get_note(t, LOOK_MS, &n, NULL);
        if (has_note && n.kind == NOTE_ENDED)
            take_end(t, &n);
        if (!has_note && is_gone)
            return;
    }
}

static void take_note(struct trial *t, const struct sandbox_note *n)
{
    switch (n->kind) {
    case NOTE_ROOM:
    case NOTE_READY:
        break;
    case NOTE_FAILED:
        (void)step_failed(t, n->step, n->number);
        break;
    case NOTE_STARTED:
        t->started = now_ns();
        break;
    case NOTE_ENDED:
        take_end(t, n);
        break;
    }
}

static void watch(struct trial *t)
{
    uint64_t begin = now_ns(), room_due = begin + (uint64_t)LOOK_AT_ROOM_MS * 1000000;
    struct pollfd gone = {t->first_fd, POLLIN, 0};
    while (!t->told_end && t->end->how != SANDBOX_NOT_STARTED) {
        struct sandbox_note n;
        if (get_note(t, LOOK_MS, &n, NULL)) {
            take_note(t, &n);
        } else if (poll(&gone, 1, 0) > 0) {
            if (get_note(t, 0, &n, NULL)) { /* reported between the two checks */
                take_note(t, &n);
                continue;
            }
            t->end->how = SANDBOX_SIGNALLED;
            t->end->status = SIGKILL;
            break;
        } else if (is_over(t, begin, &room_due)) {
            end_program(t);
            break;
        }
    }
    t->end->ns = now_ns() - begin;
}

/* ---- the end ----------------------------------------------------------------------------------
 */

/* The namespace ends with its first process; without namespaces it exits by itself, after the
 * processes that it inherited. */
static void reap(struct trial *t)
{
    struct pollfd gone = {t->first_fd, POLLIN, 0};
    if (t->first <= 0)
        return;
    if (!t->told_end || t->first_fd < 0 || poll(&gone, 1, 4 * GRACE_MS) <= 0)
        kill(t->first, SIGKILL);
    while (waitpid(t->first, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static void copy_out(int from, int to)
{
    char bytes[65536];
    ssize_t n;
    for (off_t at = 0; (n = pread(from, bytes, sizeof bytes, at)) > 0; at += n)
        if (write(to, bytes, (size_t)n) != n)
            return;
}

/* The program may have put something else there, even a link to one of our files. */
static void keep_stream(struct trial *t, int room, int stream)
{
    char aside[32];
    struct stat is, was;
    const char *name = sandbox_stream_name(stream);
    if (fstat(t->plan.streams[stream], &was) != 0)
        return;
    (void)fchmod(t->plan.streams[stream], 0600); /* it may have made it a program of root */
    t->end->cut |= (uint64_t)was.st_size >= t->plan.limits.file_bytes;
    if (fstatat(room, name, &is, AT_SYMLINK_NOFOLLOW) == 0 && is.st_ino == was.st_ino &&
        is.st_dev == was.st_dev)
        return;
    snprintf(aside, sizeof aside, "%s.replaced", name);
    if (unlinkat(room, name, 0) != 0)
        (void)renameat(room, name, room, aside);
    int fd = openat(room, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    copy_out(t->plan.streams[stream], fd);
    close(fd);
}

static void keep_streams(struct trial *t)
{
    (void)chmod(t->plan.room, 0700); /* it may have removed our access */
    int room = open(t->plan.room, O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (int i = 1; i < 3; i++)
        keep_stream(t, room, i);
    close_if_open(room);
}

/* At most what the kernel has buffered: nobody writes any more, unless an uncontained process
 * outlives the program. */
static void take_rest(struct trial *t)
{
    enum { ROUNDS = 16 };
    for (int i = 0; i < ROUNDS && t->channel >= 0; i++)
        take_messages(t);
    close_if_open(t->channel);
    t->channel = -1;
    free(t->packet);
}

/* One attempt with these facilities; returns those that had to be left out. */
static unsigned execute_with(const struct sandbox_run *run, unsigned use, struct sandbox_end *end)
{
    struct trial t = {.end = end,
                      .messages = run->channel,
                      .kernel = sandbox_kernel_bytes(),
                      .control = -1,
                      .channel = -1,
                      .room = -1,
                      .first_fd = -1,
                      .program_fd = -1};
    *end = (struct sandbox_end){.how = SANDBOX_EXITED};
    if (run->spawns && !(use & SANDBOX_NAMESPACES) && !run->uncontained) {
        sandbox_not_started(end, "programs that start others run only in namespaces");
        return 0;
    }
    bool planned = sandbox_plan_make(&t.plan, run, use, end);
    if (planned && start(&t))
        watch(&t);
    reap(&t);
    take_rest(&t);
    if (end->how != SANDBOX_NOT_STARTED) {
        keep_streams(&t);
        if (t.room >= 0 && run->keeps)
            sandbox_room_copy(t.room, t.plan.room);
        end->held = use;
    }
    sandbox_plan_release(&t.plan);
    close_if_open(t.control);
    close_if_open(t.room);
    close_if_open(t.first_fd);
    close_if_open(t.program_fd);
    return t.left_out;
}

struct sandbox_end sandbox_execute(const struct sandbox_run *run)
{
    struct sandbox_end end = {.how = SANDBOX_NOT_STARTED, .why = "it was asked not to"};
    unsigned use = (SANDBOX_ALL & ~run->without) | SANDBOX_RLIMITS;
    for (unsigned left_out; sandbox_contains(use) || run->uncontained; use &= ~left_out) {
        left_out = execute_with(run, use, &end);
        if (!left_out)
            return end;
    }
    char last[sizeof end.why];
    memcpy(last, end.why, sizeof last);
    snprintf(end.why, sizeof end.why, "nothing here would contain it (%.200s)", last);
    end.how = SANDBOX_NOT_STARTED;
    return end;
}

bool sandbox_was_ended(const struct sandbox_end *end)
{
    return end->how != SANDBOX_EXITED && end->how != SANDBOX_SIGNALLED;
}

const char *sandbox_how_name(enum sandbox_how how)
{
    switch (how) {
    case SANDBOX_EXITED:
        return "exited";
    case SANDBOX_SIGNALLED:
        return "ended by a signal";
    case SANDBOX_TIMED_OUT:
        return "timed out";
    case SANDBOX_TOO_MUCH_MEMORY:
        return "too much memory";
    case SANDBOX_TOO_MANY_THREADS:
        return "too many threads";
    case SANDBOX_TOO_MUCH_WRITTEN:
        return "too much written";
    case SANDBOX_NOT_STARTED:
        return "not started";
    }
    return "";
}
