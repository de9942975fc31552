/* What libclang opens while it works for us. A repository can have a link to a device or a pipe
 * where an include, an #embed or a file of arguments is expected, and libclang would wait for it,
 * or read it without end. libclang calls the C library's open, which this program has one of its
 * own of: in a thread that is guarded, it opens nothing but files, and none that is too large. */
#include "frontends/clang/library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Precompiled headers of its own are among what it opens. */
#define MOST_BYTES ((off_t)256 << 20)

/* Files of arguments can name others, and those others again: so many may be read for a database,
 * and so much of all of them, each word of which libclang keeps several times. What parsing takes
 * is bounded by those who start it. */
enum { MOST_OPENED = 20000, MOST_ARGUMENTS = 16 << 20 };

static _Thread_local struct {
    int depth;
    bool counts;
    int opened;
    off_t bytes, most;
} guard;

void clang_guard(void)
{
    guard.depth++;
}

static void guard_counting(off_t most)
{
    guard.depth++;
    guard.counts = true;
    guard.opened = 0;
    guard.bytes = 0;
    guard.most = most;
}

void clang_guard_counting(void)
{
    guard_counting(MOST_BYTES);
}

void clang_guard_arguments(void)
{
    guard_counting(MOST_ARGUMENTS);
}

void clang_unguard(void)
{
    guard.depth--;
    guard.counts = false;
}

static int open_plainly(const char *path, int flags, mode_t mode)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* 0: it may be read. */
static int why_not(int fd)
{
    struct stat st;
    if (fstat(fd, &st))
        return errno;
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return EINVAL;
    if (S_ISREG(st.st_mode) && st.st_size > MOST_BYTES)
        return EFBIG;
    guard.opened++;
    guard.bytes += st.st_size;
    return guard.counts && (guard.opened > MOST_OPENED || guard.bytes > guard.most) ? EMFILE : 0;
}

static int open_guarded(const char *path, int flags, mode_t mode)
{
    int fd = open_plainly(path, flags | O_NONBLOCK | O_NOCTTY, mode);
    int code = fd >= 0 ? why_not(fd) : 0;
    if (!code)
        return fd;
    close(fd);
    errno = code;
    return -1;
}

static int open_any(const char *path, int flags, va_list args)
{
    bool makes = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
    mode_t mode = makes ? va_arg(args, mode_t) : 0;
    return guard.depth ? open_guarded(path, flags, mode) : open_plainly(path, flags, mode);
}

/* By both names that programs are compiled to call it by. */
#define SEEN __attribute__((visibility("default")))
SEEN int open(const char *path, int flags, ...);
SEEN int open64(const char *path, int flags, ...);

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    int fd = open_any(path, flags, args);
    va_end(args);
    return fd;
}

int open64(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    int fd = open_any(path, flags, args);
    va_end(args);
    return fd;
}

/* What libclang has to say about a file of arguments goes to the terminal as it is, with the name
 * the file was given; the words it could not take are counted as flags that were left out. */
SEEN ssize_t write(int fd, const void *bytes, size_t count);

ssize_t write(int fd, const void *bytes, size_t count)
{
    if (guard.counts && fd == STDERR_FILENO)
        return (ssize_t)count;
    return syscall(SYS_write, fd, bytes, count);
}
