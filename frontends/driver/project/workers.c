/* See workers.h. A worker is a fork of this process, with libclang and all inputs in memory. It
 * gets the number of the next input, and answers with the unit or an error. A worker that crashes,
 * or exceeds its time or memory, is replaced, and its unit has failed. */
#include "frontends/driver/project/workers.h"
#include "frontends/driver/process/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How often memory is checked; what a process may use in addition until then; the size of an
 * answer. */
enum { LOOK_MS = 100, SPARE_MB = 256 };
#define ANSWER_MAX ((uint64_t)256 << 20)

/* Sanitizers need memory of their own, and their reports are wanted. */
#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

struct worker {
    pid_t pid; /* 0: none */
    int fd;
    struct input *input; /* in progress; NULL: none */
    int number;          /* of it */
    int shown;           /* in the progress line; -1: not */
    int64_t began;       /* with it, in ms, */
    int64_t computed;    /* its CPU time before that, */
    int64_t had;         /* and with so many bytes */
    const char *killed;  /* why it was killed; NULL: it was not */
    struct text answer;  /* so far, its length before it */
};

struct workers {
    struct project *p;
    struct input *const *inputs;
    int input_count, next; /* that no worker has taken yet */
    LIST(int) again;       /* for these a worker crashed */
    bool *is_tried;        /* by input: a worker crashed with it */
    struct worker *all;
    int count, busy;
    int64_t milliseconds, bytes; /* for a unit */
};

static int64_t now_in_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Its CPU time, in ms; 0: it has exited. */
static int64_t computed_by(pid_t pid)
{
    clockid_t id;
    struct timespec t;
    if (clock_getcpuclockid(pid, &id) || clock_gettime(id, &t))
        return 0;
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- memory ---------------------------------------------------------------------------------- */

struct memory {
    int64_t resident, data; /* bytes; data: its own, whether it was touched or not */
};

static struct memory memory_of(pid_t pid)
{
    char path[64], bytes[256] = "";
    long long resident = 0, data = 0, page = sysconf(_SC_PAGESIZE);
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (n > 0 && sscanf(bytes, "%*d %lld %*d %*d %*d %lld", &resident, &data) != 2)
        resident = data = 0;
    return (struct memory){resident * page, data * page};
}

/* ---- in the worker --------------------------------------------------------------------------- */

/* libclang's signal handlers would go on in a process in an unknown state. */
static void die_as_usual(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL,  SIGFPE, SIGTRAP,
                                  SIGABRT, SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

/* Polling finds slow growth; this limit stops faster growth. */
static void limit_memory(const struct workers *w)
{
    rlim_t most = (rlim_t)(memory_of(getpid()).data + w->bytes + ((int64_t)SPARE_MB << 20));
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (IS_SANITIZED)
        return;
    setrlimit(RLIMIT_DATA, &(struct rlimit){most, most});
    dup2(nothing, STDERR_FILENO); /* libclang's output about a crash */
}

/* False: the other end is closed. */
static bool transfer(int fd, void *bytes, size_t count, bool out)
{
    for (char *at = bytes; count;) {
        ssize_t n = out ? send(fd, at, count, MSG_NOSIGNAL) : read(fd, at, count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        count -= (size_t)n;
    }
    return true;
}

static _Noreturn void work(const struct workers *w, int fd, pid_t parent)
{
    int32_t i;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    die_as_usual();
    limit_memory(w);
    while (transfer(fd, &i, sizeof i, false)) {
        struct text answer = {0};
        unit_record_make(w->p, w->inputs[i], &answer);
        uint64_t length = answer.length;
        if (!transfer(fd, &length, sizeof length, true) ||
            !transfer(fd, answer.data, answer.length, true))
            break;
        text_free(&answer);
    }
    _exit(0);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static bool start(struct workers *w, struct worker *one)
{
    int ends[2];
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return false;
    one->pid = fork();
    if (one->pid == 0) {
        close(ends[0]);
        for (int i = 0; i < w->count;
             i++) /* otherwise the other workers would not see its end of file */
            if (w->all[i].pid && &w->all[i] != one)
                close(w->all[i].fd);
        work(w, ends[1], parent);
    }
    close(ends[1]);
    one->fd = ends[0];
    if (one->pid < 0) {
        close(ends[0]);
        one->pid = 0;
    }
    return one->pid;
}

/* What became of it. */
static int end(struct worker *one, struct rusage *use)
{
    int status = 0;
    close(one->fd);
    kill(one->pid, SIGKILL);
    while (wait4(one->pid, &status, 0, use) < 0 && errno == EINTR)
        ;
    one->pid = 0;
    text_free(&one->answer);
    return status;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static void let_go(struct workers *w, struct worker *one)
{
    one->input = NULL;
    w->busy--;
    if (one->shown >= 0)
        progress_give(one->shown);
    one->shown = -1;
}

/* What it shares with other files may be the cause. */
static bool may_go_better(struct workers *w, const struct worker *one, const struct input *in)
{
    const struct frontend_sharing *sharing = frontend_of(in->language)->sharing;
    const struct frontend_input file = project_input(w->p, in);
    bool may = !one->killed && !w->is_tried[one->number] && file.shared &&
               sharing->distrust(file.shared, &file);
    w->is_tried[one->number] = true;
    return may;
}

static void fail(struct workers *w, struct worker *one)
{
    struct rusage use = {0};
    struct input *in = one->input;
    int status = end(one, &use), megabytes = (int)(w->bytes >> 20);
    bool large = (int64_t)use.ru_maxrss * 1024 - one->had > w->bytes / 4 * 3;
    let_go(w, one);
    if (may_go_better(w, one, in)) {
        LIST_ADD(w->p->arena, &w->again, one->number);
        return;
    }
    if (one->killed)
        error_at(&in->error, in->file, 0, 0, "%s", one->killed);
    else if (large)
        error_at(&in->error, in->file, 0, 0, "needed more than %d MB (--unit-memory)", megabytes);
    else if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
        error_at(&in->error, in->file, 0, 0, "the parser crashed (signal %d)", WTERMSIG(status));
    else if (WIFSIGNALED(status))
        error_at(&in->error, in->file, 0, 0, "the parser was killed, or crashed");
    else
        error_at(&in->error, in->file, 0, 0, "the parser ended (exit code %d)",
                 WEXITSTATUS(status));
    one->killed = NULL;
}

static bool has_more(const struct workers *w)
{
    return w->again.count || w->next < w->input_count;
}

/* False: no worker can be started. */
static bool give(struct workers *w, struct worker *one)
{
    if (!one->pid && !start(w, one))
        return false;
    int32_t i = w->again.count ? w->again.items[--w->again.count] : w->next++;
    w->busy++;
    one->number = i;
    one->input = w->inputs[i];
    one->shown =
        w->p->request->progress ? progress_take("", w->p->inputs.count, one->input->file) : -1;
    one->began = now_in_ms();
    one->computed = computed_by(one->pid);
    one->had = memory_of(one->pid).resident;
    if (!transfer(one->fd, &i, sizeof i, true))
        fail(w, one);
    return true;
}

/* Whether the answer is complete. */
static bool take(struct workers *w, struct worker *one)
{
    uint64_t length = 0;
    struct text *t = &one->answer;
    if (t->length < sizeof length)
        return false;
    memcpy(&length, t->data, sizeof length);
    if (length > ANSWER_MAX) {
        one->killed = "its IR is too large";
        fail(w, one);
        return false;
    }
    if (t->length < sizeof length + length)
        return false;
    if (!unit_record_take(w->p, one->input, t->data + sizeof length, length))
        error_at(&one->input->error, one->input->file, 0, 0, "the parser gave no valid answer");
    return true;
}

static void listen_to(struct workers *w, struct worker *one)
{
    static const size_t room = (size_t)256 << 10;
    char *bytes = malloc(room);
    ssize_t n = bytes ? recv(one->fd, bytes, room, MSG_DONTWAIT) : -1;
    if (n > 0)
        text_add_range(&one->answer, bytes, (size_t)n);
    free(bytes);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        fail(w, one);
    } else if (take(w, one)) {
        let_go(w, one);
        text_free(&one->answer);
    }
}

/* ---- watching -------------------------------------------------------------------------------- */

/* On a busy machine a unit may get little CPU time: it gets more time by the clock. */
enum { CLOCK_FACTOR = 4 };

static bool is_too_long(const struct workers *w, const struct worker *one)
{
    int64_t took = now_in_ms() - one->began;
    return took >= w->milliseconds && (computed_by(one->pid) - one->computed >= w->milliseconds ||
                                       took >= CLOCK_FACTOR * w->milliseconds);
}

static void watch(struct workers *w, struct worker *one)
{
    if (is_too_long(w, one))
        one->killed = arena_printf(w->p->arena, "took longer than %lld s to parse (--unit-timeout)",
                                   (long long)(w->milliseconds / 1000));
    else if (now_in_ms() - one->began >= LOOK_MS &&
             memory_of(one->pid).resident - one->had > w->bytes)
        one->killed = arena_printf(w->p->arena, "needed more than %lld MB (--unit-memory)",
                                   (long long)(w->bytes >> 20));
    if (one->killed)
        fail(w, one);
}

static void wait_for_any(struct workers *w, struct pollfd *ways)
{
    for (int i = 0; i < w->count; i++)
        ways[i] = (struct pollfd){.fd = w->all[i].input ? w->all[i].fd : -1, .events = POLLIN};
    if (poll(ways, (nfds_t)w->count, LOOK_MS) < 0)
        return;
    for (int i = 0; i < w->count; i++) {
        struct worker *one = &w->all[i];
        if (one->input && ways[i].revents)
            listen_to(w, one);
        if (one->input)
            watch(w, one);
    }
}

static void run(struct workers *w)
{
    struct pollfd *ways = arena_array(w->p->arena, struct pollfd, w->count);
    bool stuck = false;
    while (w->busy || (has_more(w) && !stuck)) {
        for (int i = 0; i < w->count && has_more(w); i++)
            if (!w->all[i].input)
                stuck = !give(w, &w->all[i]) && !w->busy;
        wait_for_any(w, ways);
    }
    for (int i; has_more(w);) {
        i = w->again.count ? w->again.items[--w->again.count] : w->next++;
        error_at(&w->inputs[i]->error, w->inputs[i]->file, 0, 0,
                 "no process could be started to parse it");
    }
}

/* ---- what files share ------------------------------------------------------------------------ */

static void begin_sharing(struct project *p, struct input *const *inputs, int count)
{
    struct arena *a = arena_new();
    struct frontend_input *files = arena_array(a, struct frontend_input, count);
    for (int k = 0; k < LANGUAGE_COUNT; k++) {
        const struct frontend_sharing *sharing = frontend_of((enum language_id)k)->sharing;
        int n = 0;
        for (int i = 0; i < count && sharing; i++)
            if (inputs[i]->language == (enum language_id)k)
                files[n++] = project_input(p, inputs[i]);
        p->shared[k] = n ? sharing->find(files, n) : NULL;
    }
    arena_free(a);
}

static void end_sharing(struct project *p)
{
    for (int k = 0; k < LANGUAGE_COUNT; k++) {
        if (p->shared[k])
            frontend_of((enum language_id)k)->sharing->free(p->shared[k]);
        p->shared[k] = NULL;
    }
}

void workers_lower(struct project *p, struct input *const *inputs, int count)
{
    const struct request *request = p->request;
    int jobs = project_jobs(p);
    struct workers w = {.p = p, .inputs = inputs, .input_count = count};
    w.count = jobs < count ? jobs : count;
    w.all = arena_array(p->arena, struct worker, w.count + 1);
    w.is_tried = arena_array(p->arena, bool, count);
    w.milliseconds =
        (int64_t)(request->limits.unit_timeout ? request->limits.unit_timeout : UNIT_SECONDS) *
        1000;
    w.bytes = (int64_t)(request->limits.unit_memory ? request->limits.unit_memory : UNIT_MEGABYTES)
              << 20;
    for (int i = 0; i < w.count; i++)
        w.all[i] = (struct worker){.fd = -1, .shown = -1};
    begin_sharing(p, inputs, count);
    fflush(NULL);
    run(&w);
    for (int i = 0; i < w.count; i++)
        if (w.all[i].pid)
            end(&w.all[i], &(struct rusage){0});
    end_sharing(p);
}
