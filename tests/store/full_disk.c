/* Simulates a full disk: preloaded, it lets a program write FULL_AFTER bytes to files with "store"
 * in their names, and none after that. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long written;

static int is_of_the_store(int fd)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    return strstr(path, "store.db") != NULL;
}

static int is_full(int fd, size_t more)
{
    const char *after = getenv("FULL_AFTER");
    if (!after || !is_of_the_store(fd))
        return 0;
    if (atomic_fetch_add(&written, (long)more) + (long)more <= atol(after))
        return 0;
    errno = ENOSPC;
    return 1;
}

/* Not by the library's functions, which these stand for. */
ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at)
{
    return is_full(fd, n) ? -1 : syscall(SYS_pwrite64, fd, data, n, at);
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at)
{
    return pwrite64(fd, data, n, at);
}

ssize_t write(int fd, const void *data, size_t n)
{
    return is_full(fd, n) ? -1 : syscall(SYS_write, fd, data, n);
}
