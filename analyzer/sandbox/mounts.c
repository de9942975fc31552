/* The sandbox's mounts, made from inside in a new namespace that nobody else sees. The whole file
 * system becomes read-only, hidden paths are covered, and a room in memory is mounted, whose size
 * the kernel enforces, including files that are unlinked but open. A folder that the program may
 * change gets a layer on top, whose files are in the room. */
#include "analyzer/sandbox/private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As in linux/mount.h, which conflicts with sys/mount.h on some systems. */
struct attributes {
    uint64_t set, clear, propagation, user;
};
enum {
    READ_ONLY = 1,
    NO_SETUID = 2,
    NO_DEVICES = 4,
    RECURSIVE = 0x8000,
    FROM_EMPTY_PATH = 4,
    CLOSE_ON_EXEC = 1,
    SET_FLAG = 0,
    SET_STRING = 1,
    CREATE = 6,
};

static bool restrict_mounts(int fd, const char *path, unsigned flags, uint64_t set)
{
    struct attributes a = {.set = set};
    return syscall(SYS_mount_setattr, fd, path, flags, &a, sizeof a) == 0;
}

static bool small_tmpfs(const char *on)
{
    return mount("none", on, "tmpfs", MS_NOSUID | MS_NODEV, "size=256k,mode=755") == 0;
}

/* In decimal, without stdio. */
static const char *digits_of(uint64_t n, char to[24])
{
    char *at = to + 23;
    *at = '\0';
    do
        *--at = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    return at;
}

static bool set_string(int fs, const char *key, const char *value)
{
    return syscall(SYS_fsconfig, fs, SET_STRING, key, value, 0) == 0;
}

/* A file system that is not mounted yet; -1: it cannot be created. */
static int make_room(const struct sandbox_plan *p)
{
    char bytes[24], files[24];
    int room = -1, fs = (int)syscall(SYS_fsopen, "tmpfs", CLOSE_ON_EXEC);
    if (fs >= 0 && set_string(fs, "size", digits_of(p->limits.room_bytes, bytes)) &&
        set_string(fs, "nr_inodes", digits_of(SANDBOX_FILES, files)) &&
        set_string(fs, "mode", "0700") && syscall(SYS_fsconfig, fs, CREATE, NULL, NULL, 0) == 0)
        room = (int)syscall(SYS_fsmount, fs, CLOSE_ON_EXEC, NO_SETUID | NO_DEVICES);
    if (fs >= 0)
        close(fs);
    return room;
}

/* `empty` is a file that nobody may read. What no longer exists needs no cover. */
static bool cover(const char *path, const char *empty)
{
    struct stat s;
    if (lstat(path, &s) != 0)
        return errno == ENOENT;
    return S_ISDIR(s.st_mode) ? small_tmpfs(path) : mount(empty, path, NULL, MS_BIND, NULL) == 0;
}

/* Recreates the folders that lead to the room, where a cover hides them. */
static bool make_folders(const char *path)
{
    char part[4096];
    size_t n = strlen(path);
    if (n >= sizeof part)
        return false;
    for (size_t i = 1; i <= n; i++)
        if (path[i] == '/' || path[i] == '\0') {
            memcpy(part, path, i);
            part[i] = '\0';
            if (mkdir(part, 0755) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES)
                return false;
        }
    return true;
}

/* The empty file is in the room's folder; the room is mounted over it later. */
static bool cover_all(const struct sandbox_plan *p)
{
    char empty[4096 + 8];
    size_t n = strlen(p->room);
    if (n >= 4096 || !small_tmpfs(p->room))
        return false;
    memcpy(empty, p->room, n);
    memcpy(empty + n, "/empty", 7);
    int fd = open(empty, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return false;
    close(fd);
    for (int i = 0; i < p->hidden_count; i++)
        if (!cover(p->hidden[i], empty))
            return false;
    return make_folders(p->room);
}

/* path + more, without stdio. */
static bool join(char to[4096], const char *path, const char *more)
{
    size_t n = strlen(path), m = strlen(more);
    if (n + m >= 4096)
        return false;
    memcpy(to, path, n);
    memcpy(to + n, more, m + 1);
    return true;
}

static bool set_layer(int fs, const char *key, const char *path)
{
    return syscall(SYS_fsconfig, fs, SET_STRING, key, path, 0) == 0;
}

/* A file system that shows the folder, with changes in these two; -1: the kernel has none. */
static int make_layer(const char *folder, const char *upper, const char *work)
{
    int layer = -1, fs = (int)syscall(SYS_fsopen, "overlay", CLOSE_ON_EXEC);
    if (fs >= 0 && set_layer(fs, "lowerdir", folder) && set_layer(fs, "upperdir", upper) &&
        set_layer(fs, "workdir", work) &&
        syscall(SYS_fsconfig, fs, SET_FLAG, "userxattr", NULL, 0) == 0 &&
        syscall(SYS_fsconfig, fs, CREATE, NULL, NULL, 0) == 0)
        layer = (int)syscall(SYS_fsmount, fs, CLOSE_ON_EXEC, NO_SETUID | NO_DEVICES);
    if (fs >= 0)
        close(fs);
    return layer;
}

static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* What was covered in the folder is under the layer now. If that cannot be covered again, nothing
 * may run. */
static bool cover_again(const struct sandbox_plan *p)
{
    char empty[4096];
    if (!join(empty, p->room, "/.changes/empty"))
        return false;
    int fd = open(empty, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0);
    if (fd >= 0)
        close(fd);
    for (int i = 0; i < p->hidden_count; i++)
        if (is_below(p->hidden[i], p->changes) && !cover(p->hidden[i], empty))
            return false;
    return fd >= 0;
}

/* Without it the folder is read-only: no failure. */
static bool lay_changes(const struct sandbox_plan *p)
{
    char folder[4096], upper[4096], work[4096];
    if (!p->changes || is_below(p->room, p->changes))
        return true;
    if (!join(folder, p->room, "/.changes") || !join(upper, p->room, "/.changes/upper") ||
        !join(work, p->room, "/.changes/work") || mkdir(folder, 0700) != 0 ||
        mkdir(upper, 0755) != 0 || mkdir(work, 0700) != 0)
        return true;
    int layer = make_layer(p->changes, upper, work);
    if (layer < 0)
        return true;
    bool laid = syscall(SYS_move_mount, layer, "", AT_FDCWD, p->changes, FROM_EMPTY_PATH) == 0;
    close(layer);
    return !laid || cover_again(p);
}

/* The kernel applies RLIMIT_NPROC to everyone but root, the largest process id to all. It is twice
 * what is allowed, so that a program that exceeds it is seen and reported. Where it cannot be set,
 * such as in containers, there is still the look from outside. */
static void limit_processes(const struct sandbox_plan *p)
{
    char digits[24];
    const char *most = digits_of((uint64_t)2 * SANDBOX_THREADS, digits);
    if (p->counts_processes)
        (void)sandbox_write_file("/proc/sys/kernel/pid_max", most, strlen(most));
}

static int fail(enum sandbox_step step, enum sandbox_step *failed)
{
    *failed = step;
    return -1;
}

int sandbox_mounts(const struct sandbox_plan *p, enum sandbox_step *failed)
{
    /* Device files on a read-only mount can be written to; without Landlock to choose among them
     * there are none. */
    uint64_t all = READ_ONLY | NO_SETUID | (p->use & SANDBOX_LANDLOCK ? 0 : NO_DEVICES);
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return fail(STEP_PRIVATE, failed);
    int room = make_room(p);
    if (room < 0)
        return fail(STEP_ROOM, failed);
    if (!cover_all(p))
        return fail(STEP_HIDE, failed);
    /* Fails in containers where parts of /proc are covered. The old one shows other processes, but
     * gives no access to them: they belong to another user namespace. */
    (void)mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
    limit_processes(p);
    if (!restrict_mounts(AT_FDCWD, "/", RECURSIVE, all))
        return fail(STEP_READ_ONLY, failed);
    if (syscall(SYS_move_mount, room, "", AT_FDCWD, p->room, FROM_EMPTY_PATH) != 0)
        return fail(STEP_ATTACH, failed);
    if (!lay_changes(p))
        return fail(STEP_CHANGES, failed);
    return room;
}
