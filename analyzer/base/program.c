/* Finds programs by name in the absolute folders of PATH: a relative one could lead into the
 * project that is checked, which is not trusted. Starts them so that none outlives us. */
#include "analyzer/base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usual[] = "/usr/local/bin:/usr/bin:/bin";

const char *program_path(struct arena *a)
{
    const char *at = getenv("PATH");
    struct text path = {0};
    for (at = at ? at : usual; *at;) {
        size_t n = strcspn(at, ":");
        if (*at == '/' && path.length)
            text_add(&path, ":");
        if (*at == '/')
            text_add_range(&path, at, n);
        at += n + (at[n] == ':');
    }
    const char *kept = path.length ? arena_text(a, path.data, path.length) : usual;
    text_free(&path);
    return kept;
}

static bool is_program(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

const char *program_find(struct arena *a, const char *name)
{
    for (const char *at = program_path(a); *at;) {
        size_t n = strcspn(at, ":");
        const char *path = arena_printf(a, "%.*s/%s", (int)n, at, name);
        if (is_program(path))
            return path;
        at += n + (at[n] == ':');
    }
    return NULL;
}

/* ---- starting one ---------------------------------------------------------------------------- */

static bool set_stream(const struct program_start *s, int stream)
{
    int fd = s->streams[stream];
    fd = fd < 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : fd;
    return dup2(fd, stream) == stream;
}

static bool set_limit(int which, size_t most)
{
    const struct rlimit to = {most, most};
    struct rlimit now;
    return !most || getrlimit(which, &now) || now.rlim_max <= most || !setrlimit(which, &to);
}

/* After vfork: only system calls. Returns if it cannot be started. */
static void become_program(const struct program_start *s, pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent && set_stream(s, 0) &&
        set_stream(s, 1) && set_stream(s, 2) && set_limit(RLIMIT_DATA, s->memory) &&
        set_limit(RLIMIT_CPU, s->seconds))
        execve(s->program, (char **)(uintptr_t)s->words, (char **)(uintptr_t)s->variables);
}

bool program_start(const struct program_start *s, pid_t *pid)
{
    volatile bool failed = false;
    pid_t parent = getpid();
    *pid = vfork();
    if (*pid == 0) {
        become_program(s, parent);
        failed = true;
        _exit(127);
    }
    if (*pid > 0 && failed)
        waitpid(*pid, NULL, 0);
    return *pid > 0 && !failed;
}
