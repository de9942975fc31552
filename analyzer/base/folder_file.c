/* Files in the folder of cached results (folder.c), relative to the open folder. Only regular files
 * with a single name are read; writing replaces whatever is there, so that nothing is ever written
 * through a link. */
#include "analyzer/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 64 << 20, ATTEMPTS = 16 };

static bool read_whole(int fd, char *to, size_t length)
{
    ssize_t n = 1;
    for (; length && (n = read(fd, to, length)) > 0; length -= (size_t)n)
        to += n;
    return !length;
}

bool state_is_plain(const struct state_folder *f, const char *name)
{
    struct stat st;
    if (fstatat(f->fd, name, &st, AT_SYMLINK_NOFOLLOW))
        return errno == ENOENT;
    return S_ISREG(st.st_mode) && st.st_nlink == 1;
}

char *state_read(const struct state_folder *f, struct arena *a, const char *name, size_t *length)
{
    struct stat st;
    char *text = NULL;
    int fd = f->fd < 0 ? -1 : openat(f->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= MOST_BYTES) {
        *length = (size_t)st.st_size;
        text = arena_alloc(a, *length + 1);
        text[*length] = '\0';
        text = read_whole(fd, text, *length) ? text : NULL;
    }
    if (fd >= 0)
        close(fd);
    return text;
}

int state_create(const struct state_folder *f, const char *name, char *made, size_t room)
{
    int fd = -1;
    for (int i = 0; i < ATTEMPTS && fd < 0; i++) {
        uint64_t number = 0;
        if (getrandom(&number, sizeof number, 0) < 0)
            return -1;
        snprintf(made, room, "%s.%08" PRIx32, name, (uint32_t)number);
        fd = openat(f->fd, made, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    return fd;
}

/* first: an existing file is kept. Not every file system supports links. */
static bool put_in_place(const struct state_folder *f, const char *made, const char *name,
                         bool first)
{
    if (first && (!linkat(f->fd, made, f->fd, name, 0) || errno == EEXIST))
        return !unlinkat(f->fd, made, 0) || true;
    return !renameat(f->fd, made, f->fd, name);
}

bool state_write(const struct state_folder *f, const char *name, const char *text, size_t length,
                 bool first, struct error *e)
{
    char made[64];
    int fd = state_create(f, name, made, sizeof made);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool ok = out && fwrite(text, 1, length, out) == length;
    ok = out && !fclose(out) && ok && put_in_place(f, made, name, first);
    if (!ok)
        error_at(e, arena_printf(f->arena, "%s/%s", f->path, name), 0, 0, "cannot be written: %s",
                 strerror(errno));
    if (!ok && fd >= 0)
        unlinkat(f->fd, made, 0);
    return ok;
}
