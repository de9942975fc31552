/* Lines of JSON, as traces and probes write them, and the files they go to. */
#include "runtime/trace/line.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/trace/channel.h"
#include "runtime/trace/protocol.h"
#include "runtime/trace/trace.h"

/* ---- files --------------------------------------------------------------------------------- */

/* Puts the process id for %p, % for %%. False if it does not fit. */
static bool expand_name(const char *name, char *to, size_t size)
{
    size_t used = 0;
    for (; *name; name++) {
        int n;
        if (name[0] == '%' && name[1] == 'p')
            n = snprintf(to + used, size - used, "%ld", (long)getpid());
        else
            n = snprintf(to + used, size - used, "%c", *name);
        if (n < 0 || (size_t)n >= size - used)
            return false;
        used += (size_t)n;
        if (name[0] == '%' && (name[1] == 'p' || name[1] == '%'))
            name++;
    }
    to[used] = '\0';
    return true;
}

int trace_open(const char *variable, const char *name)
{
    if (strcmp(name, "-") == 0)
        return STDERR_FILENO;
    char path[4096];
    errno = ENAMETOOLONG;
    int fd = -1;
    if (expand_name(name, path, sizeof path))
        fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        fprintf(stderr, "miscast: %s: cannot write %s: %s\n", variable, name, strerror(errno));
    return fd;
}

bool trace_write(int fd, const char *text, size_t size)
{
    if (fd == CHANNEL_DESCRIPTOR && channel_is_open()) {
        channel_send(text, size);
        return true;
    }
    while (size > 0) {
        ssize_t n = write(fd, text, size);
        if (n < 0 && errno != EINTR)
            return false;
        text += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* ---- the line ------------------------------------------------------------------------------ */

/* One per process, as a thread's stack may be too small for it. The lock also keeps lines whole,
 * as a pipe may take a long one in two pieces. */
static struct {
    pthread_mutex_t lock;
    struct line line;
} only = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct line *line_open(void)
{
    pthread_mutex_lock(&only.lock);
    only.line.used = 0;
    return &only.line;
}

struct line *line_try_open(void)
{
    if (pthread_mutex_trylock(&only.lock) != 0)
        return NULL;
    only.line.used = 0;
    return &only.line;
}

void line_close(struct line *l, atomic_int *fd, const char *variable)
{
    int to = atomic_load(fd);
    if (to >= 0 && l->used > 0 && !trace_write(to, l->text, l->used)) {
        fprintf(stderr, "miscast: %s: %s; tracing stops here\n", variable, strerror(errno));
        atomic_store(fd, -1);
    }
    pthread_mutex_unlock(&only.lock);
}

/* ---- contents ------------------------------------------------------------------------------ */

void put(struct line *l, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(l->text + l->used, LINE_ROOM - l->used, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= LINE_ROOM - l->used)
        BUG("a trace line is longer than %d bytes", LINE_ROOM);
    l->used += (size_t)n;
}

/* Length of the UTF-8 sequence at s, which ends with a NUL; 0 if it is not one. */
static int utf8_length(const unsigned char *s)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least; /* a smaller code point must be written shorter */
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (int more = 0; more < 4; more++) {
        if ((s[0] & forms[more].mask) != forms[more].lead)
            continue;
        uint32_t code = s[0] & (unsigned char)~forms[more].mask;
        for (int i = 1; i <= more; i++) {
            if ((s[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (s[i] & 0x3f);
        }
        bool surrogate = code >= 0xd800 && code <= 0xdfff;
        return code >= forms[more].least && code <= 0x10ffff && !surrogate ? more + 1 : 0;
    }
    return 0;
}

/* The escaped form of the character at s; *length is how much of s it covers. */
static int escape(const char *s, char to[8], int *length)
{
    unsigned char c = (unsigned char)*s;
    *length = utf8_length((const unsigned char *)s);
    if (*length == 0) {
        *length = 1;
        return snprintf(to, 8, "\\ufffd");
    }
    if (c < 0x20)
        return snprintf(to, 8, "\\u%04x", c);
    if (c == '"' || c == '\\')
        return snprintf(to, 8, "\\%c", c);
    memcpy(to, s, (size_t)*length);
    return *length;
}

void put_text(struct line *l, const char *s, size_t most)
{
    if (!s) {
        put(l, "null");
        return;
    }
    size_t limit = l->used + most - 10;
    put(l, "\"");
    while (*s && l->used < limit) {
        char escaped[8];
        int length, n = escape(s, escaped, &length);
        memcpy(l->text + l->used, escaped, (size_t)n);
        l->used += (size_t)n;
        s += length;
    }
    put(l, "\"");
}

void put_string(struct line *l, const char *s)
{
    put_text(l, s, TEXT_MAX);
}

void put_number(struct line *l, double value)
{
    if (isfinite(value))
        put(l, "%.17g", value);
    else
        put(l, "null");
}

void put_bool(struct line *l, const char *key, bool value)
{
    put(l, ",\"%s\":%s", key, value ? "true" : "false");
}

void put_place(struct line *l, mc_place at)
{
    put(l, "\"file\":");
    put_string(l, at.file);
    put(l, ",\"line\":%d,\"function\":", at.line);
    put_string(l, at.function);
}
