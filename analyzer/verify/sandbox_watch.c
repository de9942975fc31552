/* What the sandbox's program uses, looked at from outside: its memory and threads, and what lies in
 * its room. */
#include "analyzer/verify/sandbox_parts.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
    /* Swapped out is not given back. */
    u->resident = (number_after(text, "\nVmRSS:") + number_after(text, "\nVmSwap:")) * 1024;
    u->peak = number_after(text, "\nVmHWM:") * 1024;
    u->threads = (int)number_after(text, "\nThreads:");
    return true;
}

/* A process whose first thread has ended shows its memory in the others only. */
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

/* ---- the room ---------------------------------------------------------------------------------
 */

enum { MOST_FILES = 4096, DEEPEST = 32 };

struct sum {
    uint64_t bytes;
    int files;
    bool over;
};

static void add_folder(int fd, int depth, struct sum *sum);

static void add_entry(int folder, const char *name, int depth, struct sum *sum)
{
    struct stat s;
    if (fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    sum->bytes += (uint64_t)s.st_blocks * 512;
    sum->over = sum->over || ++sum->files > MOST_FILES;
    if (S_ISDIR(s.st_mode))
        add_folder(openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), depth + 1,
                   sum);
}

static void add_folder(int fd, int depth, struct sum *sum)
{
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (!d) {
        if (fd >= 0)
            close(fd);
        return;
    }
    sum->over = sum->over || depth > DEEPEST;
    for (struct dirent *e; !sum->over && (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            add_entry(dirfd(d), e->d_name, depth, sum);
    closedir(d);
}

bool sandbox_room_over(const char *room, uint64_t bytes)
{
    struct sum sum = {0};
    add_folder(open(room, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0, &sum);
    return sum.over || sum.bytes > bytes;
}
