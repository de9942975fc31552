/* Starts a program with the runtime's shadow values switched on, and waits for it. Any Python that
 * the program is, or starts, finds the watcher, which does the same for PyTorch. Signals that a
 * terminal sends reach both; the program decides what to do with them. */
#include "frontends/driver/run/run.h"

#include "frontends/driver/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char **arguments(struct arena *a, const text_list *command)
{
    char **argv = arena_alloc(a, ((size_t)command->count + 1) * sizeof *argv);
    for (int i = 0; i < command->count; i++)
        argv[i] = arena_printf(a, "%s", command->items[i]);
    argv[command->count] = NULL;
    return argv;
}

/* The folder whose sitecustomize every Python imports first, before those that were there. */
static const char *python_path(struct arena *a)
{
    const char *watcher = installed_watcher(a), *before = getenv("PYTHONPATH");
    if (!watcher)
        return NULL;
    return arena_printf(a, "%s/inject%s%s", watcher, before && *before ? ":" : "",
                        before ? before : "");
}

/* In the child. A failure is reported through the pipe. */
static _Noreturn void become(char **argv, const char *file, const char *threshold,
                             const char *python, bool quiet, int failed)
{
    setenv("MISCAST_RUN", file, 1);
    if (python)
        setenv("PYTHONPATH", python, 1);
    if (threshold)
        setenv("MISCAST_RUN_THRESHOLD", threshold, 1);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    if (quiet)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp(argv[0], argv);
    int code = errno;
    ssize_t written = write(failed, &code, sizeof code);
    (void)written;
    _exit(127);
}

static int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

/* A file here that is not executable, or not on the PATH, is there all the same. */
static void cannot_run(const char *name, int code, struct error *e)
{
    size_t length = strlen(name);
    bool is_python = length > 3 && !strcmp(name + length - 3, ".py");
    bool is_here = (code == ENOENT || code == EACCES) && !access(name, F_OK);
    if (is_here && is_python)
        error_set(e, "%s is not a command; run it with Python: miscast run python3 %s", name, name);
    else if (is_here && access(name, X_OK))
        error_set(e, "cannot run %s: it is not executable", name);
    else if (is_here && !strchr(name, '/'))
        error_set(e, "cannot run %s, which is not on the PATH: miscast run ./%s", name, name);
    else
        error_set(e, "cannot run %s: %s", name, strerror(code));
}

bool program_run(const struct run_request *request, const char *file, bool quiet,
                 struct ending *ending, struct error *e)
{
    struct arena *a = arena_new();
    char **argv = arguments(a, &request->command);
    const char *python = python_path(a);
    int ends[2], code = 0;
    fflush(NULL);
    if (pipe2(ends, O_CLOEXEC) < 0) {
        arena_free(a);
        return error_set(e, "no pipe: %s", strerror(errno));
    }
    pid_t child = fork();
    if (child == 0)
        become(argv, file, request->threshold, python, quiet, ends[1]);
    close(ends[1]);
    bool failed = child < 0 || read(ends[0], &code, sizeof code) == sizeof code;
    close(ends[0]);
    if (child < 0)
        code = errno;
    void (*before)(int) = signal(SIGINT, SIG_IGN);
    ending->status = child > 0 ? wait_for(child) : 0;
    signal(SIGINT, before);
    ending->started = !failed;
    if (failed)
        cannot_run(request->command.items[0], code, e);
    arena_free(a);
    return !failed;
}
