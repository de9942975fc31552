/* Steps of a process between its fork and the program that it becomes or waits for, shared by those
 * of the sandbox (inside.c) and of tools (tool.c). They are forked from a process with threads:
 * only system calls are made, no memory is allocated, no lock is taken. */
#include "analyzer/sandbox/private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

bool sandbox_write_file(const char *path, const char *text, size_t length)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, text, length) == (ssize_t)length;
    if (fd >= 0)
        close(fd);
    return good;
}

/* "1000 1000 1" */
static size_t map_line(char *line, unsigned id)
{
    char digits[16];
    size_t n = 0, length = 0;
    do
        digits[n++] = (char)('0' + id % 10);
    while ((id /= 10) != 0);
    for (int twice = 0; twice < 2; twice++) {
        for (size_t i = n; i-- > 0;)
            line[length++] = digits[i];
        line[length++] = ' ';
    }
    line[length++] = '1';
    return length;
}

/* The user id stays the same, so that the user's files can be read. */
bool sandbox_map_user(uid_t uid, gid_t gid)
{
    char line[64];
    return sandbox_write_file("/proc/self/setgroups", "deny", 4) &&
           sandbox_write_file("/proc/self/uid_map", line, map_line(line, uid)) &&
           sandbox_write_file("/proc/self/gid_map", line, map_line(line, gid));
}

/* The caller's descriptors, such as its database. */
void sandbox_close_between(unsigned first, unsigned last)
{
    enum { OLD_KERNELS_LOOK_AT = 4096 };
    if (first > last || syscall(SYS_close_range, first, last, 0U) == 0)
        return;
    for (unsigned fd = first; fd <= last && fd < OLD_KERNELS_LOOK_AT; fd++)
        close((int)fd);
}

/* Without a namespace, processes that outlive the program become children of the first process.
 * There are none where seccomp is active: this is for runs that are not contained. */
void sandbox_end_children(void)
{
    for (int round = 0; round < 2000; round++) {
        char list[4096];
        int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
        ssize_t n = fd >= 0 ? read(fd, list, sizeof list) : 0;
        if (fd >= 0)
            close(fd);
        pid_t pid = 0;
        for (ssize_t i = 0; i < n; i++)
            if (list[i] >= '0' && list[i] <= '9') {
                pid = pid * 10 + (list[i] - '0');
            } else if (pid > 0) {
                kill(pid, SIGKILL);
                pid = 0;
            }
        while (waitpid(-1, NULL, WNOHANG) > 0)
            continue;
        if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
            return;
        usleep(1000);
    }
}

bool sandbox_set_limit(int which, uint64_t soft, uint64_t hard)
{
    struct rlimit old, r = {soft, hard};
    if (getrlimit((__rlimit_resource_t)which, &old) != 0)
        return false;
    if (r.rlim_max > old.rlim_max)
        r.rlim_max = old.rlim_max;
    if (r.rlim_cur > r.rlim_max)
        r.rlim_cur = r.rlim_max;
    return setrlimit((__rlimit_resource_t)which, &r) == 0;
}

/* A write beyond file_bytes fails instead of killing the program. */
void sandbox_reset_signals(void)
{
    sigset_t none;
    for (int s = 1; s < NSIG; s++)
        (void)signal(s, s == SIGXFSZ ? SIG_IGN : SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}
