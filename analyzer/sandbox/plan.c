/* The plan of a run, made before the fork, where memory can be allocated: real paths, the files for
 * stdout and stderr, limits. */
#include "analyzer/sandbox/private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static void close_if_open(int fd)
{
    if (fd >= 0)
        close(fd);
}

const char *sandbox_stream_name(int stream)
{
    return stream == 1 ? "stdout" : "stderr";
}

bool sandbox_not_started(struct sandbox_end *end, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(end->why, sizeof end->why, fmt, args);
    va_end(args);
    end->how = SANDBOX_NOT_STARTED;
    return false;
}

static struct sandbox_limits limits_or_defaults(struct sandbox_limits l)
{
    l.wall_ms = l.wall_ms ? l.wall_ms : 10000;
    l.cpu_seconds = l.cpu_seconds ? l.cpu_seconds : 10;
    l.memory_bytes = l.memory_bytes ? l.memory_bytes : (uint64_t)1 << 30;
    l.file_bytes = l.file_bytes ? l.file_bytes : (uint64_t)16 << 20;
    l.room_bytes = l.room_bytes ? l.room_bytes : (uint64_t)64 << 20;
    return l;
}

static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

static bool plan_hidden(struct sandbox_plan *p, const char *path, struct sandbox_end *end)
{
    char *real = realpath(path, NULL);
    if (!real)
        return errno == ENOENT || errno == ENOTDIR ||
               sandbox_not_started(end, "%s, which is to be hidden: %s", path, strerror(errno));
    if (p->hidden_count == SANDBOX_HIDDEN_ROOM || is_below(real, p->room) ||
        strcmp(real, "/") == 0) {
        free(real);
        return sandbox_not_started(end, "%s cannot be hidden", path);
    }
    p->hidden[p->hidden_count++] = real;
    return true;
}

static bool plan_paths(struct sandbox_plan *p, const struct sandbox_run *run,
                       struct sandbox_end *end)
{
    if (!(p->room = realpath(run->room, NULL)))
        return sandbox_not_started(end, "%s: %s", run->room, strerror(errno));
    if (!(p->cwd = realpath(run->cwd ? run->cwd : run->room, NULL)))
        return sandbox_not_started(end, "%s: %s", run->cwd, strerror(errno));
    if (run->changes && !(p->changes = realpath(run->changes, NULL)))
        return sandbox_not_started(end, "%s: %s", run->changes, strerror(errno));
    for (const char *const *h = run->hidden; h && *h; h++)
        if (!plan_hidden(p, *h, end))
            return false;
    return true;
}

/* An empty file that nobody else has: what can be done with a descriptor, such as fchmod by root,
 * is not limited by the mounts inside, and must not be done to the machine's /dev/null. */
static int open_nothing(int room)
{
    static const char name[] = ".stdin";
    (void)unlinkat(room, name, 0);
    int fd = openat(room, name, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0)
        (void)unlinkat(room, name, 0);
    return fd;
}

static bool plan_streams(struct sandbox_plan *p, const char *input, struct sandbox_end *end)
{
    int room = open(p->room, O_PATH | O_DIRECTORY | O_CLOEXEC);
    p->streams[0] = input ? open(input, O_RDONLY | O_CLOEXEC) : open_nothing(room);
    for (int i = 1; i < 3; i++) {
        (void)unlinkat(room, sandbox_stream_name(i), 0);
        p->streams[i] = openat(room, sandbox_stream_name(i),
                               O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    }
    bool good = p->streams[0] >= 0 && p->streams[1] >= 0 && p->streams[2] >= 0;
    if (!good)
        sandbox_not_started(end, "stdout and stderr in %s: %s", p->room, strerror(errno));
    if (room >= 0)
        close(room);
    return good;
}

/* Before Linux 6.14 the largest process id was that of the machine, and root could change it from
 * inside a namespace. */
static bool has_own_process_ids(void)
{
    struct utsname u;
    int major = 0, minor = 0;
    return uname(&u) == 0 && sscanf(u.release, "%d.%d", &major, &minor) == 2 &&
           (major > 6 || (major == 6 && minor >= 14));
}

bool sandbox_plan_make(struct sandbox_plan *p, const struct sandbox_run *run, unsigned use,
                       struct sandbox_end *end)
{
    static const char *const nothing[] = {NULL};
    *p = (struct sandbox_plan){.argv = run->argv,
                               .environment = run->environment ? run->environment : nothing,
                               .limits = limits_or_defaults(run->limits),
                               .use = use,
                               .spawns = run->spawns,
                               .counts_processes = has_own_process_ids(),
                               .uid = geteuid(),
                               .gid = getegid(),
                               .caller = getpid(),
                               .control = -1,
                               .channel = -1,
                               .channel_number = run->channel ? run->channel->descriptor : -1,
                               .streams = {-1, -1, -1},
                               .ruleset = -1};
    return plan_paths(p, run, end) && plan_streams(p, run->input, end);
}

void sandbox_plan_release(struct sandbox_plan *p)
{
    free((char *)p->room);
    free((char *)p->cwd);
    free(p->changes);
    for (int i = 0; i < p->hidden_count; i++)
        free(p->hidden[i]);
    for (int i = 0; i < 3; i++)
        close_if_open(p->streams[i]);
    close_if_open(p->control);
    close_if_open(p->channel);
    close_if_open(p->ruleset);
}
