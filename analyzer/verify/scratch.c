/* The folder for what is built and run. A locked file in it says that it is in use; folders whose
 * file is not locked are left over from runs that were killed, and are removed. Only folders that
 * are certainly ours are touched: by name, owner, permissions and the contents of that file. */
#include "analyzer/verify/scratch.h"

#include "analyzer/sandbox/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "miscast-verify-"
#define LOCK   "lock"
#define WORDS  "miscast verify: removed once nobody locks this file\n"

bool remove_tree(const char *path)
{
    return sandbox_clear(path) && rmdir(path) == 0;
}

/* ---- removing ----------------------------------------------------------------------------------
 */

static void remove_entry(int folder, const char *name)
{
    if (unlinkat(folder, name, 0) == 0)
        return;
    int below = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below >= 0 && sandbox_clear_open(below))
        (void)unlinkat(folder, name, AT_REMOVEDIR);
    if (below >= 0)
        close(below);
}

/* The lock file goes last, so that a run that is killed here leaves a folder that is recognised. */
static void remove_open(int folder, int parent, const char *name)
{
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = again >= 0 ? fdopendir(again) : NULL;
    for (struct dirent *e; d && (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
            strcmp(e->d_name, LOCK) != 0)
            remove_entry(folder, e->d_name);
    if (d)
        closedir(d);
    if (unlinkat(parent, name, AT_REMOVEDIR) != 0 && errno == ENOTEMPTY) {
        (void)unlinkat(folder, LOCK, 0);
        (void)unlinkat(parent, name, AT_REMOVEDIR);
    }
}

void scratch_remove_path(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return;
    remove_open(folder, AT_FDCWD, path);
    close(folder);
}

/* ---- those that were left ---------------------------------------------------------------------
 */

static bool is_name(const char *name)
{
    return strncmp(name, PREFIX, strlen(PREFIX)) == 0 && strlen(name) == strlen(PREFIX) + 6;
}

static bool is_own(int fd, mode_t kind)
{
    struct stat s;
    return fd >= 0 && fstat(fd, &s) == 0 && (s.st_mode & S_IFMT) == kind && s.st_uid == geteuid() &&
           (s.st_mode & 077) == 0;
}

static bool says_so(int fd)
{
    char words[sizeof WORDS] = "";
    return pread(fd, words, sizeof words, 0) == (ssize_t)strlen(WORDS) && !strcmp(words, WORDS);
}

/* The lock is kept while it is removed, so that only one of several processes does. */
static void remove_if_left(int parent, const char *name)
{
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int lock = is_own(folder, S_IFDIR)
                   ? openat(folder, LOCK, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                   : -1;
    if (is_own(lock, S_IFREG) && says_so(lock) && flock(lock, LOCK_EX | LOCK_NB) == 0)
        remove_open(folder, parent, name);
    if (lock >= 0)
        close(lock);
    if (folder >= 0)
        close(folder);
}

static void remove_left(const char *parent)
{
    DIR *d = opendir(parent);
    for (struct dirent *e; d && (e = readdir(d));)
        if (is_name(e->d_name))
            remove_if_left(dirfd(d), e->d_name);
    if (d)
        closedir(d);
}

/* ---- one's own --------------------------------------------------------------------------------
 */

/* It gets its name only once it is locked: before, others would take it for left over. */
static int make_lock(struct arena *a, const char *folder)
{
    const char *path = arena_printf(a, "%s/" LOCK, folder),
               *early = arena_printf(a, "%s.new", path);
    int fd = open(early, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    if (write(fd, WORDS, strlen(WORDS)) == (ssize_t)strlen(WORDS) && flock(fd, LOCK_EX) == 0 &&
        rename(early, path) == 0)
        return fd;
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

/* Without space nothing can be run, and each run would say something else about that. */
static bool is_full(struct scratch *s, struct error *e)
{
    scratch_remove_path(s->path);
    return error_at(e, s->path, 0, 0, "cannot be written: %s; TMPDIR can name another",
                    strerror(ENOSPC));
}

bool scratch_make(struct arena *a, struct scratch *s, struct error *e)
{
    const char *parent = getenv("TMPDIR");
    parent = parent && *parent == '/' ? parent : "/tmp";
    remove_left(parent);
    char *path = arena_printf(a, "%s/" PREFIX "XXXXXX", parent);
    *s = (struct scratch){.lock = -1};
    if (!mkdtemp(path))
        return error_at(e, parent, 0, 0, "no folder can be made in it: %s; TMPDIR can name another",
                        strerror(errno));
    s->path = path;
    s->lock = make_lock(a, path);
    return s->lock >= 0 || errno != ENOSPC || is_full(s, e);
}

void scratch_remove(struct scratch *s)
{
    scratch_remove_path(s->path);
    if (s->lock >= 0)
        close(s->lock);
}
