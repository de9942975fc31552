/* Files, as the formats of runtime/io use them: paths come in, checked blocks of bytes go out, and
 * the reverse. Knows no format. */
#include "runtime/io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/backends/backends.h"

/* ---- problems ------------------------------------------------------------------------------ */

bool problem_set(struct problem *p, mc_error_kind kind, const char *fmt, ...)
{
    va_list args;
    p->kind = kind;
    va_start(args, fmt);
    vsnprintf(p->text, sizeof p->text, fmt, args);
    va_end(args);
    return false;
}

bool problem_no_memory(struct problem *p, size_t nbytes)
{
    return problem_set(p, MC_ERROR_MEMORY, "no memory for %zu bytes", nbytes);
}

/* The system's error for the last call. */
static bool problem_errno(struct problem *p, const char *doing)
{
    return PROBLEM(p, "cannot %s: %s", doing, strerror(errno));
}

/* The end of a path is more useful than its beginning, and the problem more than both. */
#define PATH_SHOWN 200

void *file_fail(struct op *op, const char *path, const struct problem *p)
{
    size_t length = strlen(path);
    bool cut = length > PATH_SHOWN;
    return op_fail(op, p->kind, "%s%s: %s", cut ? "..." : "",
                   cut ? path + length - PATH_SHOWN : path, p->text);
}

const char *quoted(const char *name, char buf[QUOTED_SIZE])
{
    size_t room = QUOTED_SIZE - sizeof "'...'", n = 0;
    buf[0] = '\'';
    for (; name[n] && n < room; n++)
        buf[n + 1] = (unsigned char)name[n] < 0x20 || name[n] == 0x7f ? '?' : name[n];
    while (name[n] && n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80)
        n--; /* not in the middle of a character */
    strcpy(buf + n + 1, name[n] ? "...'" : "'");
    return buf;
}

/* ---- input --------------------------------------------------------------------------------- */

static bool check_regular(int fd, uint64_t *size, struct problem *p)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return problem_errno(p, "read");
    if (!S_ISREG(st.st_mode))
        return PROBLEM(p, "not a regular file");
    *size = (uint64_t)st.st_size;
    return true;
}

bool input_open(struct input *in, const char *path, struct problem *p)
{
    /* Opening a pipe instead of a file must not block. */
    *in = (struct input){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (in->fd < 0)
        return problem_errno(p, "open");
    if (check_regular(in->fd, &in->size, p))
        return true;
    input_close(in);
    return false;
}

void input_memory(struct input *in, const void *bytes, size_t size)
{
    *in = (struct input){.fd = -1, .bytes = bytes, .size = size};
}

void input_close(struct input *in)
{
    if (in->fd >= 0)
        close(in->fd);
    in->fd = -1;
}

#define MOST_AT_ONCE ((size_t)1 << 30) /* Linux moves at most 2 GiB per call */

static bool read_fd(int fd, uint64_t offset, char *to, size_t n, struct problem *p)
{
    while (n > 0) {
        ssize_t got = pread(fd, to, n < MOST_AT_ONCE ? n : MOST_AT_ONCE, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return problem_errno(p, "read");
        if (got == 0)
            return PROBLEM(p, "the file ends at byte %llu, it was cut short while being read",
                           (unsigned long long)offset);
        to += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return true;
}

bool input_read(const struct input *in, uint64_t offset, void *to, size_t n, struct problem *p)
{
    if (offset > in->size || n > in->size - offset)
        return PROBLEM(p, "%zu bytes are needed at byte %llu, the file has %llu in all", n,
                       (unsigned long long)offset, (unsigned long long)in->size);
    if (in->fd >= 0)
        return read_fd(in->fd, offset, to, n, p);
    if (n)
        memcpy(to, in->bytes + offset, n);
    return true;
}

/* Up to this size reading costs no more than mapping, and the file cannot be truncated afterwards.
 */
#define READ_UP_TO ((size_t)256 << 10)

static bool image_map(struct image *image, const struct input *in, struct problem *p)
{
    void *at =
        mmap(NULL, image->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, in->fd, 0);
    if (at == MAP_FAILED)
        return problem_errno(p, "map");
    image->bytes = at;
    image->mapped = true;
    return true;
}

bool image_load(struct image *image, const struct input *in, struct problem *p)
{
    *image = (struct image){.size = (size_t)in->size};
    if (in->size > PTRDIFF_MAX)
        return problem_no_memory(p, SIZE_MAX);
    if (in->fd >= 0 && in->size > READ_UP_TO)
        return image_map(image, in, p);
    image->bytes = malloc(image->size ? image->size : 1);
    if (!image->bytes)
        return problem_no_memory(p, image->size);
    if (input_read(in, 0, image->bytes, image->size, p))
        return true;
    image_free(image);
    return false;
}

void image_free(struct image *image)
{
    if (image->mapped)
        munmap(image->bytes, image->size);
    else
        free(image->bytes);
    *image = (struct image){0};
}

/* ---- output -------------------------------------------------------------------------------- */

/* Follows links to the file they point to, so that a link stays one; the path itself if nothing
 * exists there. */
static char *target_of(const char *path)
{
    char *real = realpath(path, NULL);
    return real ? real : strdup(path);
}

static bool check_replaceable(const char *target, struct problem *p)
{
    struct stat st;
    if (stat(target, &st) == 0 && !S_ISREG(st.st_mode))
        return PROBLEM(p, "not a regular file");
    return true;
}

/* In the target's folder, since a rename works only there; under a different name, since the
 * target's may already have the maximum length. open, unlike mkstemp, gives it the mode of any new
 * file. */
static bool create_temporary(struct output *out, struct problem *p)
{
    const char *slash = strrchr(out->target, '/');
    int before = slash ? (int)(slash - out->target) + 1 : 0;
    size_t room = (size_t)before + 60;
    out->temporary = malloc(room);
    if (!out->temporary)
        return problem_no_memory(p, room);
    for (int i = 0; i < 1000 && out->fd < 0; i++) {
        snprintf(out->temporary, room, "%.*s.miscast-%ld-%d.tmp", before, out->target,
                 (long)getpid(), i);
        out->fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (out->fd < 0 && errno != EEXIST)
            break;
    }
    return out->fd >= 0 || problem_errno(p, "create");
}

static void output_release(struct output *out)
{
    if (out->fd >= 0)
        close(out->fd);
    free(out->target);
    free(out->temporary);
    *out = (struct output){.fd = -1};
}

bool output_open(struct output *out, const char *path, struct problem *p)
{
    *out = (struct output){.fd = -1, .target = target_of(path)};
    if (!out->target)
        return problem_no_memory(p, strlen(path));
    if (check_replaceable(out->target, p) && create_temporary(out, p))
        return true;
    output_release(out);
    return false;
}

bool output_write(struct output *out, const void *bytes, size_t n, struct problem *p)
{
    const char *from = bytes;
    while (n > 0) {
        ssize_t put = write(out->fd, from, n < MOST_AT_ONCE ? n : MOST_AT_ONCE);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return problem_errno(p, "write");
        from += put;
        n -= (size_t)put;
    }
    return true;
}

#define PIECE ((size_t)1 << 20)

bool output_tensor(struct output *out, const mc_tensor *t, struct problem *p)
{
    size_t nbytes = (size_t)t->numel * dtype_size(t->dtype);
    size_t first = (size_t)t->offset * dtype_size(t->dtype);
    size_t room = nbytes < PIECE ? nbytes : PIECE;
    char *piece = malloc(room ? room : 1);
    bool well = piece || problem_no_memory(p, room);
    for (size_t at = 0; well && at < nbytes; at += room) {
        size_t n = nbytes - at < room ? nbytes - at : room;
        if (!tensor_backend(t)->download(piece, t->storage, first + at, n))
            well = problem_set(p, MC_ERROR_DEVICE, "cannot read the tensor back from %s",
                               mc_device_name(tensor_device(t)));
        else
            well = output_write(out, piece, n, p);
    }
    free(piece);
    return well;
}

bool output_commit(struct output *out, bool well, struct problem *p)
{
    /* The bytes reach the disk before the name does, so that a crash leaves the old file or the
     * new. */
    if (well && fsync(out->fd) != 0 && errno != EINVAL)
        well = problem_errno(p, "write");
    if (close(out->fd) != 0 && well)
        well = problem_errno(p, "write");
    out->fd = -1;
    if (well && rename(out->temporary, out->target) != 0)
        well = problem_errno(p, "rename");
    if (!well)
        unlink(out->temporary);
    output_release(out);
    return well;
}
