/* Writes output files that the user names, which may also be pipes or devices: they are opened
 * without blocking and written in place. file_write replaces files atomically instead. */
#include "analyzer/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The reader of a pipe may just be starting. */
enum { PIPE_TRIES = 100, PIPE_PAUSE_MS = 20 };

static bool is_pipe(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISFIFO(st.st_mode);
}

int written_open(const char *path, struct error *e)
{
    const struct timespec pause = {.tv_nsec = PIPE_PAUSE_MS * 1000000L};
    int how = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    int fd = open(path, how, 0666), code = errno;
    bool waits = fd < 0 && code == ENXIO && is_pipe(path);
    for (int i = 0; waits && fd < 0 && i < PIPE_TRIES; i++) {
        nanosleep(&pause, NULL);
        fd = open(path, how, 0666);
    }
    if (fd < 0)
        error_at(e, path, 0, 0, "cannot be written: %s",
                 waits ? "it is a pipe that nobody reads" : strerror(code));
    else
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

/* A pipe whose reader has left is an error of this output, and must not end the process: while it
 * is written, SIGPIPE is blocked in this thread, and the one that a write sends is taken. */
struct pipe_guard {
    sigset_t set, before;
    bool was_pending;
};

static void guard_begin(struct pipe_guard *g)
{
    sigset_t pending;
    sigemptyset(&g->set);
    sigaddset(&g->set, SIGPIPE);
    sigpending(&pending);
    g->was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &g->set, &g->before);
}

static void guard_end(const struct pipe_guard *g)
{
    const struct timespec now = {0};
    int code = errno;
    while (!g->was_pending && sigtimedwait(&g->set, NULL, &now) < 0 && errno == EINTR)
        continue;
    pthread_sigmask(SIG_SETMASK, &g->before, NULL);
    errno = code;
}

/* Truncates a regular file; errno says why it failed. */
bool written_put(int fd, const char *text, size_t length)
{
    struct stat st;
    bool is_plain = !fstat(fd, &st) && S_ISREG(st.st_mode);
    bool ok = !is_plain || !ftruncate(fd, 0);
    struct pipe_guard guard;
    guard_begin(&guard);
    while (ok && length) {
        ssize_t n = write(fd, text, length);
        ok = n >= 0 || errno == EINTR;
        text += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
    guard_end(&guard);
    return ok;
}

bool written_close(int fd, bool ok)
{
    int code = errno;
    bool closed = !close(fd);
    errno = ok ? errno : code;
    return ok && closed;
}

bool written_whole(const char *path, const char *text, size_t length, struct error *e)
{
    int fd = written_open(path, e);
    if (fd < 0)
        return false;
    return written_close(fd, written_put(fd, text, length)) ||
           error_at(e, path, 0, 0, "cannot be written: %s", strerror(errno));
}

bool written_below(const char *folder, const char *path, struct error *e)
{
    struct stat st;
    struct text part = {0};
    size_t at = strlen(folder);
    bool ok = true;
    while (ok && path[at]) {
        at += strspn(path + at, "/");
        at += strcspn(path + at, "/");
        part.length = 0;
        text_add_range(&part, path, at);
        if (!lstat(part.data, &st) && S_ISLNK(st.st_mode))
            ok = error_at(e, part.data, 0, 0, "is a link: nothing is written through it");
    }
    text_free(&part);
    return ok;
}
