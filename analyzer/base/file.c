/* Reads files into an arena. A path may come from an untrusted repository, which can contain a link
 * to a device or a pipe: only regular files are read, and only up to a size limit. */
#include "analyzer/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *path_last(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool path_ends_in(const char *path, const char *endings)
{
    const char *dot = strrchr(path, '.');
    size_t length = dot ? strlen(dot) : 0, n;
    for (; length && *endings; endings += n + (endings[n] == ' ')) {
        n = strcspn(endings, " ");
        if (n == length && !memcmp(endings, dot, n))
            return true;
    }
    return false;
}

/* By kind of file: larger than any real one, and still read in a moment. */
static const size_t most_bytes[] = {
    [FILE_SOURCE] = (size_t)64 << 20,   [FILE_SETTINGS] = (size_t)1 << 20,
    [FILE_PACK] = (size_t)4 << 20,      [FILE_DATABASE] = (size_t)256 << 20,
    [FILE_RESULTS] = (size_t)256 << 20, [FILE_SUMMARY] = (size_t)1 << 30,
};

size_t file_most_bytes(enum file_kind kind)
{
    return most_bytes[kind];
}

/* ---- what is no file ------------------------------------------------------------------------- */

/* NULL: it is a regular file. */
static const char *other_kind(mode_t mode)
{
    return S_ISREG(mode)    ? NULL
           : S_ISDIR(mode)  ? "a folder"
           : S_ISFIFO(mode) ? "a pipe"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

static bool is_no_file(const char *path, mode_t mode, struct error *e)
{
    if (S_ISDIR(mode))
        return error_at(e, path, 0, 0, "cannot be read: %s", strerror(EISDIR));
    return error_at(e, path, 0, 0, "cannot be read: it is %s, not a file", other_kind(mode));
}

static bool is_too_large(const char *path, enum file_kind kind, struct error *e)
{
    return error_at(e, path, 0, 0, "has more than %zu MB: it is not read", most_bytes[kind] >> 20);
}

/* Neither blocks on a pipe nor acquires a controlling terminal. */
static int open_file(const char *path, enum file_kind kind, size_t *size, struct error *e)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &info)) {
        error_at(e, path, 0, 0, "cannot be read: %s", strerror(errno));
    } else if (other_kind(info.st_mode)) {
        is_no_file(path, info.st_mode, e);
    } else if ((uint64_t)info.st_size > most_bytes[kind]) {
        is_too_large(path, kind, e);
    } else {
        *size = (size_t)info.st_size;
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

/* NULL: it cannot be read; e says why. */
static const struct stat *look_at(const char *path, const char *name, struct stat *info,
                                  struct error *e)
{
    if (stat(path, info))
        error_at(e, name, 0, 0, "cannot be read: %s", strerror(errno));
    else if (other_kind(info->st_mode))
        is_no_file(name, info->st_mode, e);
    else
        return info;
    return NULL;
}

bool file_is_regular(const char *path, struct error *e)
{
    struct stat info;
    return look_at(path, path, &info, e);
}

bool file_is_source(const char *path, const char *name, struct error *e)
{
    struct stat info;
    if (!look_at(path, name, &info, e))
        return false;
    return (uint64_t)info.st_size <= most_bytes[FILE_SOURCE] || is_too_large(name, FILE_SOURCE, e);
}

/* ---- reading --------------------------------------------------------------------------------- */

struct buffer {
    char *data;
    size_t length, room;
};

static ssize_t read_retrying(int fd, char *to, size_t room)
{
    ssize_t n;
    do {
        n = read(fd, to, room);
    } while (n < 0 && errno == EINTR);
    return n;
}

/* Makes room for at least one byte more and a NUL. The first guess is one byte more than the file,
 * so that its end is seen without growing. */
static void buffer_grow(struct arena *a, struct buffer *b, size_t room)
{
    if (b->room > b->length)
        return;
    struct buffer more = {NULL, b->length, room};
    more.data = arena_alloc(a, room + 1);
    if (b->length)
        memcpy(more.data, b->data, b->length);
    *b = more;
}

/* Reads until the end rather than the size: a file may grow, and one in /proc has no size. */
static bool read_all(struct arena *a, int fd, const char *path, enum file_kind kind,
                     struct buffer *b, struct error *e)
{
    for (;;) {
        ssize_t n = read_retrying(fd, b->data + b->length, b->room - b->length);
        if (n < 0)
            return error_at(e, path, 0, 0, "cannot be read: %s", strerror(errno));
        b->length += (size_t)n;
        if (n == 0)
            return true;
        if (b->length > most_bytes[kind])
            return is_too_large(path, kind, e);
        buffer_grow(a, b, b->room * 2);
    }
}

static char *finish(struct buffer *b, size_t *length)
{
    b->data[b->length] = '\0';
    if (length)
        *length = b->length;
    return b->data;
}

char *file_read_kind(struct arena *a, const char *path, enum file_kind kind, size_t *length,
                     struct error *e)
{
    struct buffer b = {0};
    size_t size;
    int fd = open_file(path, kind, &size, e);
    if (fd < 0)
        return NULL;
    buffer_grow(a, &b, size + 1);
    bool ok = read_all(a, fd, path, kind, &b, e);
    close(fd);
    return ok ? finish(&b, length) : NULL;
}

char *file_read(struct arena *a, const char *path, size_t *length, struct error *e)
{
    return file_read_kind(a, path, FILE_SOURCE, length, e);
}

char *stream_read(struct arena *a, int fd, const char *name, size_t *length, struct error *e)
{
    struct buffer b = {0};
    buffer_grow(a, &b, 4096);
    return read_all(a, fd, name, FILE_SOURCE, &b, e) ? finish(&b, length) : NULL;
}

const struct overlaid *overlay_find(const struct overlay *o, const char *real)
{
    for (int i = 0; i < o->files.count; i++)
        if (!strcmp(o->files.items[i].path, real))
            return &o->files.items[i];
    return NULL;
}

const char *overlay_read(struct arena *a, const struct overlay *o, const char *file, size_t *length,
                         struct error *e)
{
    const char *path = path_resolve(a, file);
    const struct overlaid *found = o ? overlay_find(o, path) : NULL;
    if (!found)
        return file_read(a, path, length, e);
    *length = found->length;
    return found->text;
}
