/* Files, read whole into an arena. Pipes and devices have no size beforehand, so the end is where
 * reading says it is. */
#include "analyzer/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Room for at least one byte more, behind which the NUL fits. The first guess is one byte more
 * than the file, so that its end is seen without growing. */
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

static bool read_all(struct arena *a, int fd, struct buffer *b)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return false;
    buffer_grow(a, b, S_ISREG(info.st_mode) ? (size_t)info.st_size + 1 : 4096);
    for (;;) {
        ssize_t n = read_retrying(fd, b->data + b->length, b->room - b->length);
        if (n <= 0)
            return n == 0;
        b->length += (size_t)n;
        buffer_grow(a, b, b->room * 2);
    }
}

char *file_read(struct arena *a, const char *path, size_t *length, struct error *e)
{
    struct buffer b = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && read_all(a, fd, &b);
    int code = errno;
    if (fd >= 0)
        close(fd);
    if (!ok) {
        error_at(e, path, 0, 0, "cannot be read: %s", strerror(code));
        return NULL;
    }
    b.data[b.length] = '\0';
    if (length)
        *length = b.length;
    return b.data;
}

const struct overlaid *overlay_find(const struct overlay *o, const char *real)
{
    for (int i = 0; i < o->files.count; i++)
        if (!strcmp(o->files.items[i].path, real))
            return &o->files.items[i];
    return NULL;
}
