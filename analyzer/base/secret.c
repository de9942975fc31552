/* The user's secret key: 16 random bytes in a file that nobody else can read, created when first
 * needed. Cached results are sealed with it, so that results that came with a checkout are not
 * mistaken for our own. */
#include "analyzer/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

const char *secret_folder(struct arena *a)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && *state == '/')
        return arena_printf(a, "%s/miscast", state);
    return home && *home == '/' ? arena_printf(a, "%s/.local/state/miscast", home) : NULL;
}

static void make_folders(struct arena *a, const char *folder)
{
    char *path = arena_printf(a, "%s/", folder);
    for (char *at = path + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = '\0';
        mkdir(path, 0700); /* errors refer to the file */
    }
}

static bool read_secret(int fd, const char *path, struct seal *out, struct error *e)
{
    struct stat st;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size != (off_t)sizeof *out)
        return error_at(e, path, 0, 0, "is not a key of miscast's; without it a new one is made");
    if (st.st_uid != geteuid())
        return error_at(e, path, 0, 0, "belongs to another user: nothing is kept");
    if (st.st_mode & 077)
        return error_at(e, path, 0, 0,
                        "can be read by others: nothing is kept; without it a new one is made");
    return read(fd, out, sizeof *out) == (ssize_t)sizeof *out ||
           error_at(e, path, 0, 0, "cannot be read");
}

/* Several processes may start at the same time: all use the first key. */
static bool make_secret(struct arena *a, const char *path, struct error *e)
{
    struct seal new;
    char *made = arena_printf(a, "%s.XXXXXX", path);
    int fd = mkstemp(made); /* 0600 */
    bool ok = fd >= 0 && getrandom(&new, sizeof new, 0) == (ssize_t)sizeof new &&
              write(fd, &new, sizeof new) == (ssize_t)sizeof new && !fsync(fd);
    ok = ok && (!link(made, path) || errno == EEXIST || !rename(made, path));
    if (!ok)
        error_at(e, path, 0, 0,
                 "cannot be made, so nothing is kept: %s; XDG_STATE_HOME can name another folder",
                 strerror(errno));
    if (fd >= 0)
        close(fd), unlink(made);
    return ok;
}

bool secret_read(struct arena *a, struct seal *out, struct error *e)
{
    const int how = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    const char *folder = secret_folder(a);
    if (!folder)
        return error_set(e, "neither HOME nor XDG_STATE_HOME names a folder for the key by which "
                            "results are recognised: nothing is kept");
    const char *path = arena_printf(a, "%s/key", folder);
    int fd = open(path, how);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
        make_folders(a, folder);
        if (!make_secret(a, path, e))
            return false;
        fd = open(path, how);
    }
    if (fd < 0)
        return error_at(e, path, 0, 0, "cannot be read, so nothing is kept: %s", strerror(errno));
    bool ok = read_secret(fd, path, out, e);
    close(fd);
    return ok;
}
