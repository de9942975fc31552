/* The sandbox's room, which the program may have filled with anything: measuring it, opening files
 * in it safely, and clearing it. */
#include "analyzer/sandbox/private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* ---- the room ---------------------------------------------------------------------------------
 */

enum { DEEPEST = 32 };

struct sum {
    uint64_t bytes;
    int files;
    bool over;
};

static void add_folder(int fd, int depth, struct sum *sum);

static void add_bytes(const struct stat *s, struct sum *sum)
{
    sum->bytes += (uint64_t)s->st_blocks * 512;
    sum->over = sum->over || ++sum->files > SANDBOX_FILES;
}

static void add_entry(int folder, const char *name, int depth, struct sum *sum)
{
    struct stat s;
    if (fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    add_bytes(&s, sum);
    if (S_ISDIR(s.st_mode))
        add_folder(openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), depth + 1,
                   sum);
}

/* A folder that cannot be listed may hold anything; one that no longer exists holds nothing. */
static void add_folder(int fd, int depth, struct sum *sum)
{
    sum->over = sum->over || (fd < 0 && errno != ENOENT) || depth > DEEPEST;
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (!d) {
        if (fd >= 0)
            close(fd);
        return;
    }
    for (struct dirent *e; !sum->over && (e = readdir(d));)
        if (!is_dots(e->d_name))
            add_entry(dirfd(d), e->d_name, depth, sum);
    closedir(d);
}

/* Unlinked files that it has open. */
static void add_open(pid_t pid, struct sum *sum)
{
    char path[64];
    struct stat s;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));)
        if (!is_dots(e->d_name) && fstatat(dirfd(d), e->d_name, &s, 0) == 0 && S_ISREG(s.st_mode) &&
            s.st_nlink == 0)
            add_bytes(&s, sum);
    if (d)
        closedir(d);
}

/* Unlinked files that are mapped: their size is not visible. */
static bool maps_unnamed(pid_t pid, const char *room)
{
    static const char gone[] = " (deleted)\n";
    char path[64], *line = NULL;
    size_t size = 0;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *f = fopen(path, "re");
    for (ssize_t n; f && !found && (n = getline(&line, &size, f)) > 0;)
        found = (size_t)n > sizeof gone && strcmp(line + n - (sizeof gone - 1), gone) == 0 &&
                strstr(line, room);
    free(line);
    if (f)
        fclose(f);
    return found;
}

bool sandbox_room_over(const char *room, uint64_t bytes, pid_t pid)
{
    struct sum sum = {0};
    add_folder(open(room, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0, &sum);
    add_open(pid, &sum);
    return sum.over || sum.bytes > bytes || maps_unnamed(pid, room);
}

bool sandbox_room_full(int room)
{
    struct statfs s;
    return fstatfs(room, &s) == 0 && (s.f_bfree == 0 || s.f_ffree == 0);
}

/* ---- copying ----------------------------------------------------------------------------------
 */

static void copy_file(int from, int to, const char *name)
{
    int source = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int target = openat(to, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    char bytes[65536];
    ssize_t n;
    while (source >= 0 && target >= 0 && (n = read(source, bytes, sizeof bytes)) > 0)
        if (write(target, bytes, (size_t)n) != n)
            break;
    if (source >= 0)
        close(source);
    if (target >= 0)
        close(target);
}

static int open_below(int folder, const char *name)
{
    return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Links, pipes, what is nested too deep, and our own names are skipped. Closes both descriptors. */
static void copy_folder(int from, int to, int depth)
{
    DIR *d = from >= 0 && to >= 0 && depth <= DEEPEST ? fdopendir(from) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat s;
        bool ours = depth == 0 && (!strcmp(e->d_name, sandbox_stream_name(1)) ||
                                   !strcmp(e->d_name, sandbox_stream_name(2)));
        if (is_dots(e->d_name) || ours || fstatat(from, e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISREG(s.st_mode))
            copy_file(from, to, e->d_name);
        else if (S_ISDIR(s.st_mode) && (mkdirat(to, e->d_name, 0700) == 0 || errno == EEXIST))
            copy_folder(open_below(from, e->d_name), open_below(to, e->d_name), depth + 1);
    }
    if (d)
        closedir(d);
    else if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
}

void sandbox_room_copy(int room, const char *to)
{
    copy_folder(open_below(room, "."), open_below(AT_FDCWD, to), 0);
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
    unsigned moved; /* numbers the folders that are moved */
};

/* Removes files, links and empty folders. */
static bool remove_plain(int folder, const char *name)
{
    return unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

/* A program may have removed all permissions from its folders. Links are not followed. */
static void give_rights(int parent, const char *name)
{
    char path[64];
    int fd = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    (void)chmod(path, 0700);
    close(fd);
}

static int open_folder(int parent, const char *name)
{
    give_rights(parent, name);
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void move_up(struct clearing *c, int folder, const char *name)
{
    char to[32];
    give_rights(folder, name);
    do
        snprintf(to, sizeof to, ".moved-%u", c->moved++);
    while (renameat(folder, name, c->room, to) != 0 &&
           (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR));
}

/* Folders can be nested deeper than file descriptors or the stack allow: their contents are moved
 * up to the room instead of recursing. */
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

/* Closes the descriptor. */
static bool clear_all(int room)
{
    struct clearing c = {.room = room};
    DIR *d = room >= 0 ? fdopendir(room) : NULL;
    if (!d) {
        if (room >= 0)
            close(room);
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

bool sandbox_clear(const char *room)
{
    return clear_all(open_folder(AT_FDCWD, room));
}

bool sandbox_clear_open(int folder)
{
    return clear_all(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}
