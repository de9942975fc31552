/* The sandbox's room, which the program may have filled with anything: how much there is, opening a
 * file without being led astray, and clearing it. */
#include "analyzer/sandbox/private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
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
        if (!is_dots(e->d_name))
            add_entry(dirfd(d), e->d_name, depth, sum);
    closedir(d);
}

bool sandbox_room_over(const char *room, uint64_t bytes)
{
    struct sum sum = {0};
    add_folder(open(room, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0, &sum);
    return sum.over || sum.bytes > bytes;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

int sandbox_open(const char *room, const char *name)
{
    struct stat s;
    int folder = open(room, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (folder >= 0)
        close(folder);
    if (fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* ---- clearing ---------------------------------------------------------------------------------
 */

struct clearing {
    int room;
    unsigned moved; /* gives each folder that is moved a name */
};

/* Files, links and empty folders. */
static bool remove_plain(int folder, const char *name)
{
    return unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

/* A program can have taken all rights from its folders. */
static int open_folder(int parent, const char *name)
{
    (void)fchmodat(parent, name, 0700, 0);
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void move_up(struct clearing *c, int folder, const char *name)
{
    char to[32];
    (void)fchmodat(folder, name, 0700, 0);
    do
        snprintf(to, sizeof to, ".moved-%u", c->moved++);
    while (renameat(folder, name, c->room, to) != 0 &&
           (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR));
}

/* Folders can be nested deeper than there are file descriptors or stack: what is in one is moved up
 * to the room instead of being descended into. */
static bool remove_folder(struct clearing *c, const char *name)
{
    int fd = open_folder(c->room, name);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (!d) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    for (struct dirent *e; (e = readdir(d));)
        if (!is_dots(e->d_name) && !remove_plain(fd, e->d_name))
            move_up(c, fd, e->d_name);
    closedir(d);
    return unlinkat(c->room, name, AT_REMOVEDIR) == 0;
}

bool sandbox_clear(const char *room)
{
    struct clearing c = {.room = open_folder(AT_FDCWD, room)};
    DIR *d = c.room >= 0 ? fdopendir(c.room) : NULL;
    if (!d) {
        if (c.room >= 0)
            close(c.room);
        return false;
    }
    int left, removed;
    do {
        left = removed = 0;
        rewinddir(d);
        for (struct dirent *e; (e = readdir(d));)
            if (!is_dots(e->d_name)) {
                left++;
                removed += remove_plain(c.room, e->d_name) || remove_folder(&c, e->d_name);
            }
    } while (removed > 0);
    closedir(d);
    return left == 0;
}
