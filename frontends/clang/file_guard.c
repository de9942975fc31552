/* Restricts what libclang may open. A repository can have a symbolic link to a device or a pipe
 * where an include, an #embed or a response file is expected, and libclang would block on it, or
 * read it without end. libclang calls open() of the C library, which this program interposes: in a
 * guarded thread it opens only regular files below a size limit. */
#include "frontends/clang/library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Its own precompiled headers are among the files it opens. */
#define MOST_BYTES ((off_t)256 << 20)

/* Response files can name other response files: limits on how many are read for one database, and
 * on their total size, since libclang keeps several copies of each word. The cost of parsing is
 * bounded by the process that starts it. */
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

/* Under both names that programs may have been compiled to call. */
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

/* libclang prints messages about response files to the terminal verbatim, with the name as given;
 * words it could not use are counted as flags left out. */
SEEN ssize_t write(int fd, const void *bytes, size_t count);

ssize_t write(int fd, const void *bytes, size_t count)
{
    if (guard.counts && fd == STDERR_FILENO)
        return (ssize_t)count;
    return syscall(SYS_write, fd, bytes, count);
}
