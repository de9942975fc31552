/* See supervisor.h. Single-threaded, and independent of what a client or a file says: bytes are
 * passed on unchanged. */
#include "frontends/lsp/lsp.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How often it looks, in general and while a call may hang; how long a check may take; how many
 * servers in a row may die for no known reason. */
enum { LOOK_MS = 1000, BUSY_LOOK_MS = 200, BUSY_MS = 300000, DEATHS_MAX = 3, CLOCK_FACTOR = 4 };
/* How long a server may take to exit when the client is gone; and if somebody still reads, how long
 * for each message that is left. */
enum { ALONE_MS = 2000, LEAVING_MS = 3000 };
#define HELD_MAX   ((size_t)256 << 20)
#define MEMORY_MAX ((int64_t)6 << 30)

struct keeper {
    int (*serve)(const struct kept_server *k);
    struct shared *shared;
    struct text held;    /* bytes of the client, */
    uint64_t from, sent; /* from this one on, and up to where they were passed on */
    bool ended;          /* the input has ended */
    int64_t alone;       /* since when nobody reads the answers either, in ms; 0: somebody does */
    int64_t moved;       /* when the client left, or later, when a message was last processed */
    uint64_t moved_to;   /* the bytes processed then */
    bool is_over;        /* the server was killed, and there will be no other */
    pid_t pid;
    int out, process; /* to the server; a descriptor of the process, to notice its end */
    char blamed[SUBJECT_MAX], why[200];
    int deaths;         /* in a row, for no known reason */
    uint64_t done_then; /* when this server started */
};

/* ---- the server ------------------------------------------------------------------------------ */

static int become_server(struct keeper *k, int in, pid_t parent)
{
    struct kept_server mine = {k->shared, in, k->sent, *k->blamed ? k->blamed : NULL, k->why};
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL); /* the supervisor has a thread that waits for these */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    text_free(&k->held);
    return getppid() == parent ? k->serve(&mine) : EXIT_TROUBLE;
}

/* Starting where the previous one stopped; a skipped message may not have arrived completely. */
static void send_again(struct keeper *k)
{
    uint64_t done = shared_done(k->shared), last = k->from + k->held.length;
    k->sent = done < k->from ? k->from : done > last ? last : done;
}

/* In the server: true, and its exit code. */
static bool start(struct keeper *k, int *code)
{
    int ends[2];
    pid_t parent = getpid();
    if (pipe2(ends, O_CLOEXEC))
        return false;
    k->shared->busy = k->shared->parser.since = 0;
    k->shared->subject[0] = '\0';
    send_again(k);
    k->done_then = shared_done(k->shared);
    k->pid = fork();
    if (k->pid == 0) {
        close(ends[1]);
        *code = become_server(k, ends[0], parent);
        return true;
    }
    k->why[0] = '\0'; /* of the previous one */
    close(ends[0]);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    k->out = ends[1];
    k->process = k->pid > 0 ? (int)syscall(SYS_pidfd_open, k->pid, 0) : -1;
    return k->pid > 0;
}

static int end(struct keeper *k)
{
    int status = 0;
    if (k->out >= 0)
        close(k->out);
    if (k->process >= 0)
        close(k->process);
    while (waitpid(k->pid, &status, 0) < 0 && errno == EINTR)
        ;
    k->out = k->process = -1;
    return status;
}

/* ---- what the client writes ------------------------------------------------------------------ */

/* A skipped message counts as processed before all of it was passed on. */
static void forget_done(struct keeper *k)
{
    uint64_t done = shared_done(k->shared);
    done = done < k->sent ? done : k->sent;
    size_t count = done > k->from ? (size_t)(done - k->from) : 0;
    if (!count)
        return;
    memmove(k->held.data, k->held.data + count, k->held.length - count);
    k->held.length -= count;
    k->from += count;
}

static void take_bytes(struct keeper *k)
{
    static char bytes[64 << 10];
    ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    if (n > 0)
        text_add_range(&k->held, bytes, (size_t)n);
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        k->ended = true;
}

static bool has_more(const struct keeper *k)
{
    return k->out >= 0 && k->sent - k->from < k->held.length;
}

/* The end of the input is passed on, too. */
static void pass_on(struct keeper *k)
{
    while (has_more(k)) {
        ssize_t n = write(k->out, k->held.data + (k->sent - k->from),
                          k->held.length - (size_t)(k->sent - k->from));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break; /* the pipe is full, or nobody reads it: then it has exited */
        k->sent += (uint64_t)n;
    }
    if (k->ended && k->out >= 0 && !has_more(k)) {
        close(k->out);
        k->out = -1;
    }
}

/* ---- how it is ------------------------------------------------------------------------------- */

static int64_t resident(pid_t pid)
{
    char path[64], bytes[256] = "";
    long long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, bytes, sizeof bytes - 1);
    close(fd);
    return n > 0 && sscanf(bytes, "%*d %lld", &pages) == 1 ? pages * sysconf(_SC_PAGESIZE) : 0;
}

/* CPU time counts: on a busy machine it gets more time. */
static bool parses_too_long(const struct keeper *k, int64_t took)
{
    clockid_t id;
    struct timespec t = {0};
    int64_t most = k->shared->parser.seconds * INT64_C(1000);
    if (took <= most || clock_getcpuclockid(k->pid, &id) || clock_gettime(id, &t))
        return false;
    int64_t computed = (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
    return computed - k->shared->parser.computed > most || took > CLOCK_FACTOR * most;
}

/* Whether it was killed. */
static bool watch(struct keeper *k)
{
    int64_t now = now_ms(), parsing = k->shared->parser.since, busy = k->shared->busy;
    int seconds = k->shared->parser.seconds;
    k->why[0] = '\0';
    if (parsing && parses_too_long(k, now - parsing))
        snprintf(k->why, sizeof k->why, "it took longer than %d s to parse", seconds);
    else if (busy && now - busy > BUSY_MS)
        snprintf(k->why, sizeof k->why, "its program took longer than %d s", BUSY_MS / 1000);
    else if (busy && resident(k->pid) > MEMORY_MAX)
        snprintf(k->why, sizeof k->why, "it needed more than %d MB", (int)(MEMORY_MAX >> 20));
    if (k->why[0])
        kill(k->pid, SIGKILL);
    return k->why[0];
}

/* After a death: finds the reason, if known. False: unknown, so that the next server would die as
 * well. */
static bool blame(struct keeper *k, int status)
{
    bool parsing = k->shared->parser.since;
    const char *subject = parsing ? k->shared->parser.file : k->shared->subject;
    bool is_known = k->shared->busy && *subject;
    if (!k->why[0])
        snprintf(k->why, sizeof k->why, "%s crashed (signal %d)",
                 parsing ? "the parser" : "the analysis",
                 WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    snprintf(k->blamed, sizeof k->blamed, "%s", is_known ? subject : "");
    bool got_on = shared_done(k->shared) != k->done_then;
    k->deaths = is_known ? 0 : got_on ? 1 : k->deaths + 1;
    return k->deaths < DEATHS_MAX;
}

static bool is_stuck(struct keeper *k, int64_t now)
{
    uint64_t done = shared_done(k->shared);
    if (!k->moved || done != k->moved_to) {
        k->moved = now;
        k->moved_to = done;
    }
    return now - k->moved >= LEAVING_MS;
}

/* Whether a server was killed that does not notice that its client is gone. */
static bool end_if_alone(struct keeper *k, bool nobody_reads)
{
    int64_t now = now_ms();
    if (!k->ended && !k->shared->leaving)
        return false;
    if (k->ended && nobody_reads && !k->alone)
        k->alone = now;
    k->is_over = is_stuck(k, now) || (k->alone && now - k->alone >= ALONE_MS);
    if (k->is_over)
        kill(k->pid, SIGKILL);
    return k->is_over;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Whether the server has exited, or was killed. */
static bool attend(struct keeper *k)
{
    bool room = k->held.length < HELD_MAX && !k->ended;
    struct pollfd ways[] = {{.fd = room ? STDIN_FILENO : -1, .events = POLLIN},
                            {.fd = has_more(k) ? k->out : -1, .events = POLLOUT},
                            {.fd = k->process, .events = POLLIN},
                            {.fd = k->alone ? -1 : STDOUT_FILENO}};
    if (poll(ways, 4, k->shared->busy ? BUSY_LOOK_MS : LOOK_MS) < 0)
        return false;
    if (ways[0].revents)
        take_bytes(k);
    forget_done(k);
    pass_on(k);
    bool has_ended = k->process < 0 ? kill(k->pid, 0) : ways[2].revents;
    return has_ended || end_if_alone(k, k->alone || ways[3].revents) || watch(k);
}

static int keep(struct keeper *k)
{
    int code = EXIT_TROUBLE;
    while (start(k, &code)) {
        if (k->pid == 0)
            return code;
        pass_on(k);
        while (!attend(k))
            ;
        int status = end(k);
        if (WIFEXITED(status) && !k->why[0])
            return WEXITSTATUS(status);
        if (k->alone || k->is_over)
            return k->shared->shut_down ? EXIT_CLEAN : EXIT_FINDINGS;
        if (!blame(k, status))
            break;
        forget_done(k);
    }
    return code;
}

int keeper_run(int (*serve)(const struct kept_server *k))
{
    struct keeper k = {.serve = serve, .out = -1, .process = -1};
    k.shared = mmap(NULL, sizeof *k.shared, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (k.shared == MAP_FAILED)
        BUG("no memory for what a server leaves");
    signal(SIGPIPE, SIG_IGN);
    int code = keep(&k);
    text_free(&k.held);
    munmap(k.shared, sizeof *k.shared);
    return code;
}
