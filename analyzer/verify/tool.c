/* Tools: a command line comes in, runs with limits, and how it ended goes out. The limit of time is
 * that of parsing a unit, the limit of memory that of a run; no object worth running is larger than
 * FILE_BYTES. */
#include "analyzer/verify/tool.h"

#include "analyzer/verify/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { USUAL_SECONDS = 60, BY_THE_CLOCK = 4, FILE_BYTES = 256 << 20 };

static int seconds_of(const struct verifier *v)
{
    return v->in->limits.tool_seconds ? v->in->limits.tool_seconds : USUAL_SECONDS;
}

/* At once, before it starts others, which inherit them. */
static void limit(const struct verifier *v, pid_t pid)
{
    rlim_t seconds = (rlim_t)seconds_of(v), bytes = v->in->limits.bytes;
    const struct {
        int which;
        rlim_t value;
    } limits[] = {{RLIMIT_CPU, seconds}, {RLIMIT_AS, bytes}, {RLIMIT_FSIZE, FILE_BYTES}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit r, to = {limits[i].value, limits[i].value};
        __rlimit_resource_t which = (__rlimit_resource_t)limits[i].which;
        if (to.rlim_cur && !prlimit(pid, which, NULL, &r) && r.rlim_max >= to.rlim_max)
            (void)prlimit(pid, which, &to, NULL);
    }
}

/* False: it took too long, and was killed with everything that it had started. */
static bool await(const struct verifier *v, pid_t pid, int *status)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0), ready;
    struct pollfd ended = {fd, POLLIN, 0};
    do
        ready = fd >= 0 ? poll(&ended, 1, seconds_of(v) * BY_THE_CLOCK * 1000) : 1;
    while (ready < 0 && errno == EINTR);
    if (ready == 0)
        kill(-pid, SIGKILL);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    if (fd >= 0)
        close(fd);
    return ready != 0;
}

/* It finds other tools, an assembler for example, where we found it. */
static char *const *with_safe_path(struct verifier *v, char *const *environment)
{
    LIST(const char *) words = {0};
    for (; *environment; environment++)
        if (strncmp(*environment, "PATH=", 5) != 0)
            LIST_ADD(v->arena, &words, *environment);
    LIST_ADD(v->arena, &words, arena_printf(v->arena, "PATH=%s", program_path(v->arena)));
    LIST_ADD(v->arena, &words, NULL);
    return (char *const *)(uintptr_t)words.items;
}

const char *tool_run(struct verifier *v, const char *const *argv, char *const *environment,
                     posix_spawn_file_actions_t *actions)
{
    const char *program = strchr(argv[0], '/') ? argv[0] : program_find(v->arena, argv[0]);
    posix_spawnattr_t attributes;
    pid_t pid;
    int status = 0;
    posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    /* A process group, so that it can be killed with everything that it started. */
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int failed = program
                     ? posix_spawn(&pid, program, actions, &attributes,
                                   (char *const *)(uintptr_t)argv, with_safe_path(v, environment))
                     : ENOENT;
    posix_spawnattr_destroy(&attributes);
    if (failed)
        return arena_printf(v->arena, "cannot run %s: %s", argv[0], strerror(failed));
    limit(v, pid);
    interrupt_child(pid);
    bool in_time = await(v, pid, &status);
    interrupt_child_done(pid);
    if (!in_time)
        return arena_printf(v->arena, "%s took longer than %d s (--unit-timeout)", argv[0],
                            seconds_of(v) * BY_THE_CLOCK);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "";
}
