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
    /* Swapped memory counts as used. */
    u->resident = (number_after(text, "\nVmRSS:") + number_after(text, "\nVmSwap:")) * 1024;
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

/* So deep do processes start others before the rest is no longer counted; their number is limited.
 */
enum { DEEPEST = 16 };

static uint64_t usage_below(pid_t pid, int depth);

static uint64_t usage_of_children(int fd, int depth)
{
    char text[16384], *at = text, *end;
    ssize_t n = read(fd, text, sizeof text - 1);
    uint64_t sum = 0;
    text[n > 0 ? n : 0] = '\0';
    for (long child; (child = strtol(at, &end, 10)) > 0; at = end) {
        struct sandbox_usage u = {0};
        if (sandbox_usage_read((pid_t)child, &u))
            sum += u.resident;
        sum += usage_below((pid_t)child, depth + 1);
    }
    return sum;
}

static uint64_t usage_below(pid_t pid, int depth)
{
    char path[320];
    uint64_t sum = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *d = depth < DEEPEST ? opendir(path) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)pid, e->d_name);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            continue;
        sum += usage_of_children(fd, depth);
        close(fd);
    }
    if (d)
        closedir(d);
    return sum;
}

uint64_t sandbox_usage_below(pid_t pid)
{
    return usage_below(pid, 0);
}
