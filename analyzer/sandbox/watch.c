/* The memory and threads of the sandboxed program and its processes, read from /proc. */
#include "analyzer/sandbox/private.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- memory and threads -----------------------------------------------------------------------
 */

static uint64_t number_after(const char *text, const char *label)
{
    const char *at = strstr(text, label);
    return at ? strtoull(at + strlen(label), NULL, 10) : 0;
}

static bool read_status(const char *path, struct sandbox_usage *u)
{
    char text[4096];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return false;
    text[n] = '\0';
    /* Swapped memory counts as used, and so do page tables: reading one byte in 2 MiB of an empty
     * mapping takes a page of them, and no other memory. */
    u->resident = (number_after(text, "\nVmRSS:") + number_after(text, "\nVmSwap:") +
                   number_after(text, "\nVmPTE:")) *
                  1024;
    u->peak = number_after(text, "\nVmHWM:") * 1024;
    u->threads = (int)number_after(text, "\nThreads:");
    return true;
}

/* If the first thread has ended, only the others show the memory of the process. */
static void read_threads(pid_t pid, struct sandbox_usage *u)
{
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *d = opendir(path);
    for (struct dirent *e; d && u->resident == 0 && (e = readdir(d));)
        if (e->d_name[0] != '.') {
            snprintf(path, sizeof path, "/proc/%d/task/%s/status", (int)pid, e->d_name);
            (void)read_status(path, u);
        }
    if (d)
        closedir(d);
}

bool sandbox_usage_read(pid_t pid, struct sandbox_usage *u)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    if (!read_status(path, u))
        return false;
    if (u->resident == 0 && u->threads > 1)
        read_threads(pid, u);
    return true;
}

/* ---- processes ----------------------------------------------------------------------------------
 */

/* All of a command, however deep one started another. */
struct family {
    pid_t members[2 * SANDBOX_THREADS];
    int count;
};

static void add_children(struct family *f, int fd)
{
    char text[32768], *at = text, *end;
    ssize_t n = read(fd, text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    for (long child; (child = strtol(at, &end, 10)) > 0; at = end)
        if (f->count < (int)(sizeof f->members / sizeof *f->members))
            f->members[f->count++] = (pid_t)child;
}

static void add_children_of(struct family *f, pid_t pid)
{
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)pid, e->d_name);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            continue;
        add_children(f, fd);
        close(fd);
    }
    if (d)
        closedir(d);
}

/* The beginning of a file of /proc; empty if it cannot be read. */
static void read_start(const char *path, char *text, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, room - 1) : 0;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
}

uint64_t sandbox_kernel_bytes(void)
{
    char text[4096];
    read_start("/proc/meminfo", text, sizeof text);
    return number_after(text, "\nSUnreclaim:") * 1024;
}

int sandbox_threads_of_machine(void)
{
    char text[128];
    int count = 0;
    read_start("/proc/loadavg", text, sizeof text);
    const char *slash = strchr(text, '/'); /* "0.20 0.18 0.12 1/80 11206" */
    return slash && sscanf(slash + 1, "%d", &count) == 1 ? count : 0;
}

/* What is written to a socket and not read is memory of the kernel, of no process: as much as its
 * buffer takes, which cannot be enlarged. */
enum { SOCKET_BYTES = 256 << 10 };

static uint64_t held_by_sockets(pid_t pid)
{
    char path[64], target[16];
    uint64_t sum = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        ssize_t n = readlinkat(dirfd(d), e->d_name, target, sizeof target);
        sum += n > 7 && !strncmp(target, "socket:", 7) ? SOCKET_BYTES : 0;
    }
    if (d)
        closedir(d);
    return sum;
}

struct sandbox_usage sandbox_usage_below(pid_t pid)
{
    struct sandbox_usage all = {0};
    struct family f = {.count = 0};
    add_children_of(&f, pid);
    for (int i = 0; i < f.count && f.count <= SANDBOX_THREADS; i++)
        add_children_of(&f, f.members[i]);
    if (f.count > SANDBOX_THREADS) { /* so many leave little time to look at each */
        all.threads = f.count;
        return all;
    }
    for (int i = 0; i < f.count; i++) {
        struct sandbox_usage u = {0};
        if (sandbox_usage_read(f.members[i], &u))
            all.resident += u.resident + held_by_sockets(f.members[i]);
        all.threads += u.threads;
    }
    return all;
}
