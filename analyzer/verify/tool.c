/* Tools: a command line comes in, runs with limits, and how it ended goes out. The limit of time is
 * that of parsing a unit, the limit of memory that of a run; no object worth running is larger than
 * FILE_BYTES. */
#include "analyzer/verify/tool.h"

#include "analyzer/sandbox/sandbox.h"
#include "analyzer/verify/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { USUAL_SECONDS = 60, BY_THE_CLOCK = 4, FILE_BYTES = 256 << 20 };

static int seconds_of(const struct verifier *v)
{
    return v->in->limits.tool_seconds ? v->in->limits.tool_seconds : USUAL_SECONDS;
}

/* False: it took too long, and was ended with everything that it had started. */
static bool await(const struct verifier *v, pid_t pid, int *status)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0), ready;
    struct pollfd ended = {fd, POLLIN, 0};
    do
        ready = fd >= 0 ? poll(&ended, 1, seconds_of(v) * BY_THE_CLOCK * 1000) : 1;
    while (ready < 0 && errno == EINTR);
    if (ready == 0)
        kill(pid, SIGTERM);
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

static pid_t start(struct verifier *v, const struct tool_command *c)
{
    const char *name = c->argv[0],
               *program = strchr(name, '/') ? name : program_find(v->arena, name);
    struct sandbox_tool t = {.program = program,
                             .argv = (char *const *)(uintptr_t)c->argv,
                             .environment = with_safe_path(v, c->environment),
                             .directory = c->directory,
                             .output = c->output,
                             .errors_too = c->errors_too,
                             .cpu_seconds = seconds_of(v),
                             .memory_bytes = v->in->limits.bytes,
                             .file_bytes = FILE_BYTES};
    errno = ENOENT;
    return program ? sandbox_tool_start(&t) : -1;
}

const char *tool_run(struct verifier *v, const struct tool_command *c)
{
    int status = 0;
    pid_t pid = start(v, c);
    if (pid < 0)
        return arena_printf(v->arena, "cannot run %s: %s", c->argv[0], strerror(errno));
    interrupt_child(pid);
    bool in_time = await(v, pid, &status);
    interrupt_child_done(pid);
    if (!in_time)
        return arena_printf(v->arena, "%s took longer than %d s (--unit-timeout)", c->argv[0],
                            seconds_of(v) * BY_THE_CLOCK);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "";
}
